"""What a release offers to plain SQL beside its tables: views for usual questions, macros that need no Python."""

from dataclasses import dataclass


@dataclass(frozen=True)
class View:
    """A view or macro: what it answers, and the statement that makes it."""

    name: str
    meaning: str
    sql: str


_CURLY = "‘’‚‛′“”„‟″«»‐‑‒–—―−"
_PLAIN = "'" * 5 + '"' * 7 + "-" * 7
_INVISIBLE = "\u00ad\u200b\u200c\u200d\u2060\ufeff"


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


_FOLD_WORDS = f"""
CREATE MACRO fold_words(words) AS
    trim(regexp_replace(translate(
        lower(replace(replace(replace(replace(replace(replace(nfc_normalize(
            regexp_replace(words, '(\\p{{L}})[-‐\u00ad][\u200b]?[ \\t]*\\r?\\n\\s*(\\p{{L}})', '\\1\\2', 'g')),
            'ﬃ', 'ffi'), 'ﬄ', 'ffl'), 'ﬀ', 'ff'), 'ﬁ', 'fi'), 'ﬂ', 'fl'), '…', '...')),
        {_quoted(_CURLY + _INVISIBLE)}, {_quoted(_PLAIN)}), '\\s+', ' ', 'g'))
"""

VIEWS = (
    View(
        "fold_words",
        "`fold_words(words)`: words as `text_norm` has them, near enough for what people type or copy.",
        _FOLD_WORDS,
    ),
    View(
        "find_quote",
        "`find_quote(key, words)`: the paragraphs of a paper that print these words, body text first; it does not judge numbers and signs as `pagequote quote` does.",
        """
CREATE MACRO find_quote(key, words) AS TABLE
    SELECT p.key, p.page, p.page_end, p.page_label, p.section_number, p.section_title, p.kind, p.paragraph, p.text
    FROM paragraphs p
    WHERE p.key = key
      AND length(fold_words(words)) > 0
      AND contains(p.text_norm, fold_words(words))
      AND regexp_matches(p.text_norm, '(^|[^\\pL\\pN])' || regexp_escape(fold_words(words)) || '($|[^\\pL\\pN])')
    ORDER BY p.kind IN ('reference', 'furniture'), p.kind IN ('caption', 'table', 'footnote', 'formula', 'front'), p.paragraph
""",
    ),
    View(
        "match_sentences",
        "`match_sentences(query_vector, match_threshold, match_count)`: the sentences most similar to a vector (`corpus.vector(words)` in Python).",
        """
CREATE MACRO match_sentences(query_vector, match_threshold, match_count) AS TABLE
    SELECT v.key, p.page, p.page_label, p.section_number, p.section_title, p.kind, v.paragraph, v.sentence, v.similarity,
           p.text[s.start + 1 : s."end"] AS text
    FROM (SELECT key, paragraph, sentence, list_dot_product(vector::FLOAT[], query_vector::FLOAT[]) * scale AS similarity
          FROM vectors
          ORDER BY similarity DESC, key, paragraph, sentence
          LIMIT match_count) v
    JOIN paragraphs p USING (key, paragraph)
    JOIN sentences s USING (key, paragraph, sentence)
    WHERE v.similarity >= match_threshold
    ORDER BY v.similarity DESC, v.key, v.paragraph, v.sentence
""",
    ),
    View(
        "papers_with_failures",
        "Sources that failed, and papers that have pages without text.",
        """
CREATE VIEW papers_with_failures AS
    SELECT key, path, stage, reason, detail FROM failures
    UNION ALL
    SELECT key, path, 'extract', 'no text',
           empty_pages || ' of ' || pages || ' pages have no text; they may be scans that need OCR'
    FROM papers WHERE empty_pages > 0
    ORDER BY key
""",
    ),
    View(
        "longest_paragraphs",
        "Running text by length; what is far too long was probably not cut where it should be.",
        """
CREATE VIEW longest_paragraphs AS
    SELECT key, paragraph, page, page_end, section_title, length(text) AS characters, text
    FROM paragraphs WHERE kind IN ('body', 'list') ORDER BY characters DESC
""",
    ),
    View(
        "sections",
        "The sections of each paper in order, with their first page and size.",
        """
CREATE VIEW sections AS
    SELECT key, section_number, section_title, min(page) AS page, min(paragraph) AS first_paragraph,
           count(*) AS paragraphs, sum(length(text))::BIGINT AS characters
    FROM paragraphs
    WHERE section_title IS NOT NULL AND kind <> 'furniture'
    GROUP BY key, section_number, section_title
    ORDER BY key, first_paragraph
""",
    ),
    View(
        "pages_without_text",
        "Pages of which no quote can be judged.",
        """
CREATE VIEW pages_without_text AS
    SELECT key, page, page_label FROM pages WHERE source = 'empty' ORDER BY key, page
""",
    ),
)
"""Views and macros, in an order in which each only uses those before it."""

-- The views for usual questions, and the macros that need no Python, beside the tables of a release. Above each stands what it is for; each
-- uses only those before it. DuckDB 1.4.0 and 1.4.1 lose the WITH of a stored macro: there is none. sql_macros.py puts in what stands in << >>.

-- All columns of `paragraphs`, without hidden text. Quotes and searches read no other rows.
CREATE VIEW printed_paragraphs AS SELECT * FROM paragraphs WHERE NOT hidden;

-- `fold_words(words)`: words as `text_norm` has them, near enough for what people type or copy.
CREATE MACRO fold_words(words) AS
    trim(regexp_replace(translate(
        lower(replace(replace(replace(replace(replace(replace(nfc_normalize(
         regexp_replace(words, '(\p{L})<<hyphen>>[ \t]*\r?\n\s*(\p{L})', '\1\2', 'g')),
            'ﬃ', 'ffi'), 'ﬄ', 'ffl'), 'ﬀ', 'ff'), 'ﬁ', 'fi'), 'ﬂ', 'fl'), '…', '...')),
        <<signs>>, <<plain>>), '\s+', ' ', 'g'));

-- `find_quote(key, words)`: the paragraphs of a paper that print these words, body text first; it does not judge numbers and signs
-- as `pagequote quote` does.
CREATE MACRO find_quote(key, words) AS TABLE
    SELECT p.key, p.page, p.page_end, p.page_label, p.section_number, p.section_title, p.kind, p.paragraph,
           p.text
    FROM printed_paragraphs p
    WHERE p.key = key
      AND length(fold_words(words)) > 0
      AND contains(p.text_norm, fold_words(words))
      AND regexp_matches(p.text_norm,
                         '(^|[^\pL\pN])' || regexp_escape(fold_words(words)) || '($|[^\pL\pN])')
    ORDER BY p.kind IN ('reference', 'furniture'),
             p.kind IN ('caption', 'table', 'footnote', 'formula', 'front'), p.key, p.paragraph;

-- `find_phrase(words)`: the paragraphs of all papers that print these words, in the same way.
CREATE MACRO find_phrase(words) AS TABLE
    SELECT p.key, p.page, p.page_end, p.page_label, p.section_number, p.section_title, p.kind, p.paragraph,
           p.text
    FROM printed_paragraphs p
    WHERE true
      AND length(fold_words(words)) > 0
      AND contains(p.text_norm, fold_words(words))
      AND regexp_matches(p.text_norm,
                         '(^|[^\pL\pN])' || regexp_escape(fold_words(words)) || '($|[^\pL\pN])')
    ORDER BY p.kind IN ('reference', 'furniture'),
             p.kind IN ('caption', 'table', 'footnote', 'formula', 'front'), p.key, p.paragraph;

-- `match_sentences(query_vector, match_threshold, match_count)`: the sentences most similar to a vector (`corpus.vector(words)` in
-- Python), with the `id` that `sentence_texts` has.
CREATE MACRO match_sentences(query_vector, match_threshold, match_count) AS TABLE
    SELECT v.key || ':' || v.paragraph || ':' || v.sentence AS id, v.key, p.page, p.page_label,
           p.section_number, p.section_title, p.kind, v.paragraph, v.sentence, v.similarity,
           p.text[s.start + 1 : s."end"] AS text
    FROM (SELECT key, paragraph, sentence,
                 list_dot_product(vector::FLOAT[], query_vector::FLOAT[]) * scale AS similarity
          FROM vectors
          ORDER BY similarity DESC, key, paragraph, sentence
          LIMIT match_count) v
    JOIN printed_paragraphs p USING (key, paragraph)
    JOIN sentences s USING (key, paragraph, sentence)
    WHERE v.similarity >= match_threshold
    ORDER BY v.similarity DESC, v.key, v.paragraph, v.sentence;

-- `match_documents(query_embedding, match_threshold, match_count)`: `match_sentences` by the name and the arguments that the guides
-- of vector databases have.
CREATE MACRO match_documents(query_embedding, match_threshold, match_count) AS TABLE
    FROM match_sentences(query_embedding, match_threshold, match_count);

-- `match_paragraphs(query_vector, match_count)`: the paragraphs most similar to a vector (`corpus.vector(words)` in Python).
CREATE MACRO match_paragraphs(query_vector, match_count) AS TABLE
    SELECT key, page, page_label, section_number, section_title, kind, paragraph,
           list_dot_product(embedding::FLOAT[], query_vector::FLOAT[]) * embedding_scale AS similarity, text
    FROM printed_paragraphs
    WHERE embedding IS NOT NULL
    ORDER BY similarity DESC, key, paragraph
    LIMIT match_count;

-- Each sentence with its text, an `id` (key:paragraph:sentence), its section, the page on which its paragraph begins, and its number
-- in the paper.
CREATE VIEW sentence_texts AS
    SELECT s.key || ':' || s.paragraph || ':' || s.sentence AS id, s.key, s.paragraph, s.sentence,
           row_number() OVER (PARTITION BY s.key ORDER BY s.paragraph, s.sentence) - 1 AS paper_sentence,
           s.section_sentence, p.page, p.page_label, p.section_number, p.section_title, p.kind,
           p.text[s.start + 1 : s."end"] AS text
    FROM sentences s JOIN printed_paragraphs p USING (key, paragraph);

-- `bare_words(words)`: the different words of a text, folded, without accents and without the hyphens in them.
CREATE MACRO bare_words(words) AS
    list_sort(list_distinct(regexp_extract_all(
        regexp_replace(strip_accents(fold_words(words)), '(\pL)-(\pL)', '\1\2', 'g'), '[\pL\pN]+')));

-- `word_pattern(word)`: a pattern that finds one of `bare_words` in `text_norm`, whole, whatever its accents and hyphens are there.
CREATE MACRO word_pattern(word) AS
    '(?:^|[^\pL\pN])' || <<any accent>> || '(?:$|[^\pL\pN])';

-- `search_words(words)`: the paragraphs that hold one of the words, whole, whatever their case, accents and hyphens are; ranked by
-- TF-IDF, references and furniture last.
CREATE MACRO search_words(words) AS TABLE
    SELECT round(r.score, 3) AS score, p.key, p.page, p.page_label, p.section_number, p.section_title, p.kind,
           p.paragraph, p.cursor, r.matched, p.text
    FROM (
        SELECT row_number, list(word ORDER BY word) AS matched,
               sum((1 + ln(times)) * ln(1 + (SELECT count(*) FROM printed_paragraphs) / holding)) AS score
        FROM (
            SELECT row_number, word, count(*) OVER (PARTITION BY word) AS holding,
                   greatest(len(list_filter(parts, lambda part: part = word)),
                            len(list_filter(joined, lambda part: part = word))) AS times
            FROM (
                SELECT p.row_number,
                       regexp_extract_all(strip_accents(p.text_norm), '[\pL\pN]+') AS parts,
                       regexp_extract_all(
                           regexp_replace(strip_accents(p.text_norm), '(\pL)-(\pL)', '\1\2', 'g'),
                           '[\pL\pN]+'
                       ) AS joined
                FROM printed_paragraphs p
                WHERE regexp_matches(p.text_norm, array_to_string(
                    list_transform(bare_words(words), lambda word: word_pattern(word)), '|'))
            ), unnest(bare_words(words)) AS asked(word)
            WHERE times > 0
        ) GROUP BY row_number
    ) r JOIN printed_paragraphs p USING (row_number)
    ORDER BY p.kind IN ('reference', 'furniture'), r.score DESC, p.key, p.paragraph;

-- `around(key, cursor, before, after)`: the text of a paper around a cursor, clipped at its ends and shortened to whole words, and
-- where the paragraph at the cursor is; words are separated by spaces.
CREATE MACRO around(key, cursor, before, after) AS TABLE
    SELECT n.key, n.page, n.page_label, n.section_number, n.section_title, n.kind, n.paragraph,
           cursor AS cursor,
           CASE WHEN lead = '' THEN head ELSE regexp_replace(head, '^\s+', '') END
           || CASE WHEN trail = '' THEN rest ELSE regexp_replace(rest, '\s+$', '') END AS text
    FROM (
        SELECT p.key, p.paragraph, p.page, p.page_label, p.section_number, p.section_title, p.kind,
               p.cursor AS begins, p.text
        FROM printed_paragraphs p
        WHERE p.key = key AND p.cursor <= cursor + after + 60
          AND p.cursor + length(p.text) + 60 >= cursor - before
    ) n, (
        SELECT lead, trail,
               CASE WHEN NOT cuts_first THEN head
                    WHEN NOT within_word OR regexp_matches(head, '^\S{1,60}\s')
                    THEN regexp_replace(head, '^\S{1,60}(\s+|$)', '')
                    ELSE regexp_extract(lead, '\S{0,60}$') || head END AS head,
               CASE WHEN NOT cuts_last THEN rest
                    WHEN NOT within_word OR regexp_matches(rest, '\s\S{1,60}$')
                    THEN regexp_replace(rest, '(^|\s+)\S{1,60}$', '')
                    ELSE rest || regexp_extract(trail, '^\S{0,60}') END AS rest
        FROM (
            SELECT document[1:first] AS lead, document[first + 1:middle] AS head,
                   document[middle + 1:last] AS rest, document[last + 1:] AS trail,
                   regexp_full_match(document[first:first + 1], '\S\S') AS cuts_first,
                   regexp_full_match(document[middle:middle + 1], '\S\S') AS within_word,
                   regexp_full_match(document[last:last + 1], '\S\S') AS cuts_last
            FROM (
                SELECT string_agg(text, chr(10) || chr(10) ORDER BY paragraph) AS document,
                       cursor - min(begins) AS middle,
                       greatest(0, middle - before) AS first, middle + after AS last
                FROM (
        SELECT p.key, p.paragraph, p.page, p.page_label, p.section_number, p.section_title, p.kind,
               p.cursor AS begins, p.text
        FROM printed_paragraphs p
        WHERE p.key = key AND p.cursor <= cursor + after + 60
          AND p.cursor + length(p.text) + 60 >= cursor - before
    )
            )
        )
    )
    WHERE n.begins <= cursor
    ORDER BY n.begins DESC
    LIMIT 1;

-- Each line of a paragraph as it is printed, with its page, its box and where it stands in the text.
CREATE VIEW printed_lines AS
    SELECT key, paragraph, line, kind, place.page AS page, place.x0 AS x0, place.y0 AS y0, place.x1 AS x1,
           place.y1 AS y1, place.start AS start, place."end" AS "end",
           substring(text, place.start + 1, place."end" - place.start) AS text
    FROM (
        SELECT key, paragraph, kind, text, unnest(range(len(lines))) AS line, unnest(lines) AS place
        FROM printed_paragraphs
    );

-- Sources that failed, and papers that have pages without text.
CREATE VIEW papers_with_failures AS
    SELECT key, path, stage, reason, detail FROM failures
    UNION ALL
    SELECT key, path, 'extract', 'no text',
           empty_pages || ' of ' || pages || ' pages have no text; they may be scans that need OCR'
    FROM papers WHERE empty_pages > 0
    ORDER BY key;

-- Running text by length; what is far too long was probably not cut where it should be.
CREATE VIEW longest_paragraphs AS
    SELECT key, paragraph, page, page_end, section_title, length(text) AS characters, text
    FROM printed_paragraphs WHERE kind IN ('body', 'list') ORDER BY characters DESC;

-- The sections of each paper in order, with their first page and size.
CREATE VIEW sections AS
    SELECT key, section_number, section_title, min(page) AS page, min(paragraph) AS first_paragraph,
           count(*) AS paragraphs, sum(length(text))::BIGINT AS characters
    FROM printed_paragraphs
    WHERE section_title IS NOT NULL AND kind <> 'furniture'
    GROUP BY key, section_number, section_title
    ORDER BY key, first_paragraph;

-- Pages of which no quote can be judged.
CREATE VIEW pages_without_text AS
    SELECT key, page, page_label FROM pages WHERE source IN ('empty', 'unreadable') ORDER BY key, page;

-- The vector of each sentence as FLOAT[n], for `array_cosine_similarity`; only with a model.
CREATE VIEW sentence_vectors AS
    SELECT key, paragraph, sentence, [x * scale FOR x IN vector]::FLOAT[{dimensions}] AS vector FROM vectors;

-- The vector of each paragraph that has one, in the same way.
CREATE VIEW paragraph_vectors AS
    SELECT key, paragraph, [x * embedding_scale FOR x IN embedding]::FLOAT[{dimensions}] AS vector
    FROM printed_paragraphs WHERE embedding IS NOT NULL;

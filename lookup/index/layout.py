"""The layout of a release's index of words, which `pipeline` writes and `lookup` reads.

It is a tantivy index with a document for each paragraph: its words in their order, as they are printed, the
stems of them, those of the paper's title and of its section's, and the weighted words of a sparse model, if
there is one. Words are cut and stemmed before tantivy gets them, printed ones by `printed_words`, so that all
searches agree on what a word is.
"""

from lookup.text.bare import bare
from lookup.text.scripts import WORD

ANALYSIS = 5  # Version of the words and of the fields; raised when an older index would give wrong results.

FOLDER = "search"  # The folder of the index in a release.

PAPERS_FILE = "papers.parquet"
"""The file in that folder with what is indexed of each paper: its key, its extraction, and its counts of
words."""

WITHOUT_STEMS = 4  # The version before, which is read too: its documents hold no stems.

KEY, PARAGRAPH, PLACE, KIND, SECTION = "key", "paragraph", "place", "kind", "section"
"""Fields of a document. PLACE is key and paragraph in one, SECTION the title of the section as printed."""

PRINTED, JOINED = "printed", "joined"
"""The fields of a paragraph's words without accents: PRINTED has them in their order, parted at hyphens, and
JOINED those that are joined by hyphens, as one."""

WORDS, ASIDE_WORDS = "words", "aside_words"
"""The fields of a paragraph's stems, which the document holds: WORDS, or ASIDE_WORDS if its kind is in ASIDE.

A field that is not searched costs no time, and its words do not change the weights of the others.
"""

TITLE_WORDS, SECTION_WORDS = "title_words", "section_words"
"""The fields of the words of the headings that a paragraph is under: its paper's title and its section's."""

EXPANDED = "expanded"
"""The field of a paragraph's weighted words: number and level of each, "21887.7". A sentence has words that
its writer did not use; a paragraph has the greatest level of its sentences."""

LEVEL = 0.25  # The weight of a level. Coarser ones save a third of 160 bytes a paragraph.
ASIDE = ("reference", "furniture")  # Kinds that a search leaves out unless they are named.
SPACED = "spaced"  # Name of the analyser of all fields of words, which splits them at spaces.


def printed_words(text: str) -> list[str]:
    """Return the words of a text for PRINTED, in order: a phrase has those of each place that prints it."""
    return WORD.findall(bare(text).with_spaces())


def printed_and_joined(text: str) -> tuple[list[str], list[str]]:
    """Return the words of a text for PRINTED and for JOINED.

    Of "state-of-the-art" these are "stateof", "stateofthe", "ofthe" and so on: neighbours as one word, as
    keyword searches find them.
    """
    made = bare(text)
    joints = sorted(made.joints)
    joined: list[str] = []
    at = 0
    for word in WORD.finditer(made.text) if joints else ():
        inside = []
        while at < len(joints) and joints[at] < word.end():
            if joints[at] > word.start():
                inside.append(joints[at])
            at += 1
        if inside:
            borders = [word.start(), *inside, word.end()]
            joined += [
                made.text[start:end]
                for i, start in enumerate(borders)
                for end in borders[i + 2 : i + 1 + _LONGEST_RUN]
            ]
    return WORD.findall(made.with_spaces()), joined


_LONGEST_RUN = 8
"""Parts of a word with hyphens that are joined to one, at most: names of molecules and sequences have
hundreds."""


def words_field(kind: str) -> str:
    """Return the field for the words of paragraphs of this kind."""
    return ASIDE_WORDS if kind in ASIDE else WORDS


def place_term(key: str, paragraph: int) -> str:
    """Return what stands for a paragraph in PLACE."""
    return f"{key}/{paragraph}"


def level_term(number: int, level: int | str) -> str:
    """Return what stands for a word of the sparse model's vocabulary and its level in EXPANDED."""
    return f"{number}.{level}"

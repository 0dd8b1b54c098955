"""Features of a paragraph by its text alone: each is found once, kept with it, and read by all steps."""

import re
import unicodedata

from lookup.text.scripts import FULL_STOPS, begins_small, has_syllables, letters
from pipeline.layout.captions import is_caption
from pipeline.layout.headings import KNOWN, REFERENCES
from pipeline.layout.line_features import QED, Features
from pipeline.layout.printed_paragraph import PrintedParagraph
from pipeline.layout.zones import has_word, is_formula, is_uncased
from pipeline.pdf.reading import Line

_ENTRY = re.compile(
    r"""(?:\[?\d{1,3}[\].]{1,2}\s*)?  # its number
    # the first author
    (?:(?:de|van|von|der|den|del|da|dos|di|la|le|el|al|St\.)[\s-])*
    [^\W\d_][\w'’‐-]+(?:\s[^\W\d_][\w'’‐-]+){0,2},?
    \s+(?:[A-Z]\.?[\s-]?){1,4}(?:[,.;&(]|and\b|et\b|$)""",
    re.VERBOSE,
)
_SPECIES = re.compile(
    r"(?:^|\s)[A-Z]\.\s(?!and\b|et\b|de\b|del\b|van\b|von\b|der\b|da\b|dos\b|di\b|la\b)[a-z]{3}"
)
_AFTER_NAME = 20  # Characters after the first author's initials in which no name of a species stands.

_YEAR = re.compile(r"\b(?:18|19|20)\d\d[a-z]?\b")
_NUMBERED = re.compile(
    r"(?P<number>\d{1,2}(?:\.\d{1,2}){0,5}|[IVX]{2,4}|[A-Z](?:\.\d{1,2}){1,5}|[A-Z]\.)\.?\s+"
    r"(?:\|\s+)?(?P<title>\S.*)"
)
_UNLIKE_HEADINGS = re.compile(r"[\d*†‡§@,;&]|\b(?:and|e|y|et|und)\b")
"""What lists of authors and addresses have, and a paper's first heading has not."""

_PAGE = re.compile(r"(?:[A-Z]-?)?(?:\d{1,4}|[ivxlc]{1,6})$")
_LEADERS, _DOTS = ".·…", 8
"""The dots from an entry of a table of contents to its page number, at a line's end; of them, at least."""

_NAME = re.compile(r"https?:|[a-z][\w-]*(?:\.[a-z][\w-]+)+(?=:?\s)")
"""The name of a page, a host or a file, with which a sentence or a heading may begin small."""

_STOPS = FULL_STOPS + ":;：；؛"  # What a finished paragraph ends with.

SENTENCE_ENDS = frozenset(FULL_STOPS) - frozenset("!?！？؟")  # Full stops that neither ask nor call.

_HEADING_LETTERS = 3  # Different letters of a heading, at least: labels of curves have fewer; flat
_PROSE_LENGTH = 200  # flat
"""Characters: a paragraph as long, in sentences, begins the text where no heading does."""

_ENTRY_CAPITALS = 2  # Single capitals of an entry in a list of references, at least; flat
_LONGEST_ENTRY = 500  # Characters of an entry that its text alone tells, at most; flat
_LEVELS = 3
"""Levels of a heading's number, at least, that is no quantity: what follows may begin in lower case."""


OF_PARAGRAPH = Features[PrintedParagraph](lambda paragraph: paragraph.plain)
"""The features of a paragraph."""

of_paragraph, paragraph_says = OF_PARAGRAPH.named, OF_PARAGRAPH.says

is_usual_heading = paragraph_says("usual heading", KNOWN.fullmatch)
"""Whether it says no more than a usual heading of a paper's parts."""

heads_references = paragraph_says("heading of references", REFERENCES.fullmatch)
"""Whether it is the heading of a list of references."""

begins_caption = paragraph_says("caption", is_caption)
"""Whether it begins as a caption."""


@of_paragraph("leaders")
def has_leaders(paragraph: PrintedParagraph) -> bool:
    """Whether half of its lines, or more, are entries of a table of contents; dots to fill in are none."""
    count, dots = len(paragraph.lines), sum(map(paragraph.text.count, _LEADERS))
    return 2 * dots >= _DOTS * count and 2 * sum(map(_leads_to_page, paragraph.lines)) >= count


def _leads_to_page(line: Line) -> bool:
    page = _PAGE.search(line.text) if sum(map(line.text.count, _LEADERS)) >= _DOTS else None
    before = line.text[: page.start()].replace(" ", "") if page else ""
    return len(before) - len(before.rstrip(_LEADERS)) >= _DOTS


are_numbers = paragraph_says("numbers", lambda text: text.replace(" ", "").isdecimal())
"""Whether it is numbers alone, as those of lines and of pages."""


@of_paragraph("formula")
def is_displayed_formula(paragraph: PrintedParagraph) -> bool:
    """Whether it is a formula of several characters, or the sign at the end of a proof."""
    return (len(paragraph.plain) > 1 or paragraph.plain in QED) and is_formula(paragraph.plain)


is_unlike_headings = paragraph_says("unlike headings", _UNLIKE_HEADINGS.search)
"""Whether it has what lists of authors and addresses have, and a paper's first heading has not."""


@of_paragraph("letters")
def has_letters(paragraph: PrintedParagraph) -> bool:
    """Whether it has as many letters as a heading; one character may be a word."""
    text = paragraph.plain
    return sum(map(str.isalpha, text)) >= _HEADING_LETTERS or has_syllables(text)


@of_paragraph("stop")
def ends_with_stop(paragraph: PrintedParagraph) -> bool:
    """Whether it ends as a finished paragraph does, with a full stop or a colon."""
    return paragraph.text[-1] in _STOPS


@of_paragraph("lower case")
def is_in_lower_case(paragraph: PrintedParagraph) -> bool:
    """Whether as many words begin in lower case as in running text; all do in scripts without capitals."""
    words = paragraph.text.split()
    small = sum([word[0].islower() or unicodedata.category(word[0]) == "Lo" for word in words])
    return 2 * small >= len(words)


@of_paragraph("text")
def is_text(paragraph: PrintedParagraph) -> bool:
    """Whether it is long enough, and has words enough, to be running text."""
    return letters(paragraph.text) >= _PROSE_LENGTH and is_in_lower_case(paragraph)


@of_paragraph("entry")
def is_entry(paragraph: PrintedParagraph) -> bool:
    """Whether it begins with a name and initials, as entries of reference lists do, and gives a year.

    Paragraphs that begin alike, "SIN, SFV, and VEE have all been tested", are longer. The names of species
    are no author's: "Strains of E. coli and S. aureus were bought in 2012."
    """
    text = paragraph.plain
    entry = _ENTRY.match(text)
    return (
        entry is not None
        and len(text) <= _LONGEST_ENTRY
        and not _SPECIES.search(text, 0, entry.end() + _AFTER_NAME)
        and _YEAR.search(text) is not None
        and len(re.findall(r"\b[A-Z]\b", text)) >= _ENTRY_CAPITALS
    )


@of_paragraph("number")
def heading_number(paragraph: PrintedParagraph) -> str:
    """Return the number before words, else ''; after a short one the first word has no small letter."""
    match = _NUMBERED.fullmatch(paragraph.plain)
    if match is None:
        return ""
    first = match["title"][0]
    sure = match["number"].count(".") + 1 >= _LEVELS or first == "(" or first.isalpha() > first.islower()
    return match["number"] if sure else ""


@of_paragraph("words of a heading")
def may_be_heading(paragraph: PrintedParagraph) -> bool:
    """Whether it has words, several letters, and neither the end nor the signs of another text."""
    text = paragraph.plain
    few = sum(map(str.isalpha, set(text))) < _HEADING_LETTERS
    if not has_word(text) or (few and not has_syllables(text) and not is_uncased(text)):
        return False
    goes_on = begins_small(text) and not _NAME.match(text)
    return not goes_on and text[-1:] not in ",;" and "=" not in text

"""Stitching: the halves of paragraphs that a column, a page or a float cut in two are joined."""

from lookup.text.scripts import FULL_STOPS
from pipeline.layout import measures
from pipeline.layout.footnotes import SIGNS
from pipeline.layout.line_features import is_small
from pipeline.layout.list_marks import item_mark
from pipeline.layout.printed_paragraph import SPOKEN, PrintedParagraph
from pipeline.layout.zones import around
from pipeline.pdf.reading import Line
from retrieval.raw_text.cleaning import BREAKS

_STITCHED = ("body", "quote", "list", "reference", "footnote")
BETWEEN = ("furniture", "caption", "table", "footnote", "formula", "front")
"""Kinds that may stand between the two halves of a paragraph."""

_INTERRUPTING = ("caption", "table", "formula")  # Those of them that interrupt a paragraph within a column.
_FULL = 0.85  # 1.25x: exact -.006, precision -.013
"""Share of the second half's longest line: a first half ends where its last line is shorter."""

_RIGHT_BELOW = 1.5
"""Em below text within which nothing goes on from the page before: in manuals an option begins small."""

_STOPS = FULL_STOPS + ':：”"」』'
"""What a finished paragraph ends with."""


def stitch(paragraphs: list[PrintedParagraph]) -> list[PrintedParagraph]:
    """Return the paragraphs with the halves of cut ones joined; what stood between them follows."""
    out: list[PrintedParagraph] = []
    for paragraph in paragraphs:
        at = _other_half(out, paragraph)
        if at is None:
            out.append(paragraph)
        else:
            out[at] = out[at].followed_by(paragraph)
    return out


def _other_half(before: list[PrintedParagraph], paragraph: PrintedParagraph) -> int | None:
    """Return the place in `before` of the paragraph that `paragraph` continues."""
    if paragraph.kind not in ("body", "quote", "reference", "list"):
        return None
    interrupted = False
    formula: PrintedParagraph | None = None
    for at in range(len(before) - 1, -1, -1):
        other = before[at]
        if other.boxed and not paragraph.boxed:
            continue
        if other.kind in BETWEEN and other.kind != paragraph.kind:
            interrupted = interrupted or other.kind in _INTERRUPTING
            formula = formula or (other if other.kind == "formula" else None)
            continue
        displayed = formula is not None and _is_displayed_below(formula, other)
        if other.kind in _STITCHED and _goes_on(
            other, paragraph, interrupted=interrupted, displayed=displayed
        ):
            last = other.lines[-1]
            finished = other.closes and (last.text[-1] in _STOPS or last.page < paragraph.page)
            unfinished = _unfinished(before, paragraph) if finished else None
            return at if unfinished is None else unfinished
        break
    return _unfinished(before, paragraph)


def _goes_on(
    first: PrintedParagraph, second: PrintedParagraph, *, interrupted: bool, displayed: bool
) -> bool:
    """Whether the second is the rest of the first; `interrupted` if something is printed between them.

    `displayed` is whether a formula stands below the first: a sentence that begins after it is apart.
    """
    last = first.lines[-1]
    if abs(first.size - second.size) > measures.SAME_SIZE or first.boxed != second.boxed:
        return False
    if _under(first, second):
        parted = interrupted or second.begins_column
        return _begins_small(second) and (displayed or (parted and not _is_finished(last)))
    both = first.closes and second.opens  # an entry of a dictionary may begin small
    roomy = last.text[-1] not in BREAKS and _had_room(last, second)
    if last.text[-1] in BREAKS or (_begins_small(second) and not roomy and not (both and _is_finished(last))):
        return True
    if displayed or roomy:
        return False
    if first.kind == second.kind == "body" and not first.closes and not second.opens:
        return True
    return (
        not _is_finished(last)
        and not both
        and second.kind == first.kind
        and not (second.kind != "body" and (second.lines[0].text[:1].isdigit() or item_mark(second.lines[0])))
    )


def _begins_small(paragraph: PrintedParagraph) -> bool:
    """Whether it begins within a sentence: "c." is the mark of an item, "[25] and" begins with a citation."""
    mark, after = item_mark(paragraph.lines[0]), paragraph.lines[0].words[1:2]
    if mark[:1] == "[" and paragraph.kind != "reference":
        return bool(after) and after[0].text[0].islower()
    return is_small(paragraph.lines[0]) and not mark


def _is_displayed_below(formula: PrintedParagraph, paragraph: PrintedParagraph) -> bool:
    """Whether a formula stands below a paragraph in its column; its last line may end left of the formula."""
    last, first = paragraph.lines[-1], formula.lines[0]
    column = around([line for line in paragraph.lines if line.page == last.page])
    return last.page == first.page and last.middle < first.y1 and column.x0 < first.x0 < column.x1


def _is_finished(line: Line) -> bool:
    """Whether a line ends with a stop, which raised marks of notes and citations may follow."""
    word = line.words[-1]
    raised = word.superscripts[-2] if word.superscripts[-1:] == (len(word.text),) else None
    return word.text[:raised].rstrip(f"{SIGNS}—").endswith(tuple(_STOPS))


def _had_room(last: Line, second: PrintedParagraph) -> bool:
    """Whether the first word of prose had room on the last line above it, were this as wide as its lines.

    In another column half of that is enough: a name beside a speech is no half of it.
    """
    following = second.lines[0]
    same = abs(last.x0 - following.x0) <= measures.SAME_PLACE
    width = (max([line.x1 for line in second.lines]) - following.x0) / (1 if same else 2)
    return second.rule != SPOKEN and measures.next_word_fits(last, following, last.x0 + width)


def _unfinished(before: list[PrintedParagraph], paragraph: PrintedParagraph) -> int | None:
    """Return the place of the last paragraph that breaks off, on this page or the last one before with text.

    It is for a paragraph that begins small; any other kinds may stand between the two.
    """
    if not _begins_small(paragraph):
        return None
    if before and before[-1].kind == "formula" and _under(before[-1], paragraph):
        return None  # it goes on, if at all, with the text above the formula
    pages = (other.lines[-1].page for other in reversed(before) if other.kind == "body")
    nearest = next((page for page in pages if page < paragraph.page), 0)
    if before and before[-1].kind in _STITCHED and _under(before[-1], paragraph):
        white = paragraph.lines[0].y0 - before[-1].lines[-1].y1
        nearest = paragraph.page if white <= _RIGHT_BELOW * paragraph.size else nearest
    for at in range(len(before) - 1, -1, -1):
        other = before[at]
        if other.lines[-1].page < nearest:
            return None
        if other.kind == "body" and not _under(other, paragraph) and _breaks_off(other, paragraph):
            return at
    return None


def _breaks_off(first: PrintedParagraph, second: PrintedParagraph) -> bool:
    last = first.lines[-1]
    full = last.width > _FULL * max(line.width for line in second.lines)
    within = first.boxed == second.boxed or last.page < second.page  # a page may frame its half alone
    alike = abs(first.size - second.size) <= measures.SAME_SIZE and within
    return full and alike and not _is_finished(last)


def _under(first: PrintedParagraph, second: PrintedParagraph) -> bool:
    """Whether the second stands below the first in one column, where paragraph breaks are decided."""
    last, following = first.lines[-1], second.lines[0]
    overlap = last.x0 < following.x1 and following.x0 < last.x1
    return (
        last.page == following.page and last.y1 <= following.y0 + measures.FLUSH * following.size and overlap
    )

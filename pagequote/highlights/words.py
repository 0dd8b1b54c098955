"""The printed words under marked boxes of a page."""

from collections.abc import Sequence

from lookup.corpus import Corpus
from lookup.papers.boxes import words_of
from lookup.results.quote_answer import Box

_ON_PAGE = (
    "SELECT text, lines FROM printed_paragraphs "
    "WHERE key = ? AND page <= ? AND page_end >= ? ORDER BY paragraph"
)


def words_under(corpus: Corpus, key: str, boxes: Sequence[Box]) -> str:
    """Return the words of a paper whose middle is in one of the boxes, in reading order.

    Of each paragraph all from the first such word to the last is taken, as one marks with a mouse.
    """
    page = boxes[0].page
    found = []
    for text, lines in corpus.sql(_ON_PAGE, [key, page, page]):
        marked = [
            (start, end)
            for line in lines
            if line["page"] == page
            for start, end, *box in words_of(line)
            if _inside((box[0] + box[2]) / 2, (box[1] + box[3]) / 2, boxes)
        ]
        if marked:
            found.append(text[min(start for start, _ in marked) : max(end for _, end in marked)])
    return " ".join(found)


def _inside(x: float, y: float, boxes: Sequence[Box]) -> bool:
    return any(one.x0 <= x <= one.x1 and one.y0 <= y <= one.y1 for one in boxes)

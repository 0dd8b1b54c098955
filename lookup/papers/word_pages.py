"""The pages that print the words of a stretch, which may be fewer than its paragraphs run over."""

from collections.abc import Sequence

from lookup.papers.boxes import page_at
from lookup.papers.library import Library
from lookup.papers.paper import Paper, Stretch
from lookup.text.folding import fold_with_offsets


def word_pages(library: Library, paper: Paper, stretches: Sequence[Stretch]) -> list[range]:
    """Return the pages of each stretch of `paper`, from that of its first word to that of its last.

    Of paragraphs that two pages share the printed lines are read, by one statement.
    """
    ends = [((one.first, one.start), (one.last, one.end - 1)) for one in stretches]
    both = {i for pair in ends for i, _ in pair}
    wanted = sorted(i for i in both if paper.paragraphs[i].page != paper.paragraphs[i].page_end)
    rows = library.rows([(paper, wanted)])[0] if wanted else ()
    shared = {row["paragraph"]: (row, fold_with_offsets(row["text"]).starts) for row in rows}

    def page(paragraph: int, offset: int) -> int:
        if paragraph not in shared:
            return paper.paragraphs[paragraph].page
        row, starts = shared[paragraph]
        return page_at(row["lines"], starts[offset], row["page"])

    return [range(page(*first), page(*last) + 1) for first, last in ends]

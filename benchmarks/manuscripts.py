"""Quotations as writers have them in a manuscript: words, the key of their source and a page."""

from collections.abc import Callable, Sequence

from cases import Case

from pagequote.quoted_form import escape_latex, escape_markdown

_FILLER = "Some sentences of the writer's own stand between one quotation and the next, as they do. " * 3


def latex_quotation(words: str, key: str, page: int) -> str:
    """A paragraph of LaTeX that quotes the words."""
    return rf"{_FILLER}\enquote{{{escape_latex(words)}}} \parencite[p.~{page}]{{{key}}}." + "\n\n"


def markdown_quotation(words: str, key: str, page: int) -> str:
    """A paragraph of Markdown that quotes the words."""
    escaped = escape_markdown(words).replace('"', r"\"")
    return f'{_FILLER}"{escaped}" [@{{{key}}}, p. {page}].\n\n'


MANUSCRIPTS: tuple[tuple[str, Callable[[str, str, int], str]], ...] = (
    ("paper.tex", latex_quotation),
    ("paper.md", markdown_quotation),
)
"""Names of manuscripts, each with what writes a quotation of it."""


def text_of(cases: Sequence[Case], pages: Sequence[int], write: Callable[[str, str, int], str]) -> str:
    """A manuscript that quotes the cases: one of ten with a word that is not printed, one of ten from a wrong
    page.
    """
    return "".join(
        write(_words(i, case), case.key, page + (i % 10 == 5))
        for i, (case, page) in enumerate(zip(cases, pages, strict=True))
    )


def _words(number: int, case: Case) -> str:
    if number % 10:
        return case.words
    words = case.words.split()
    return " ".join([*words[:4], "turnips", *words[4:]])

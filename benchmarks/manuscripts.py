"""Quotations as writers have them in a manuscript: words, the key of their source and a page."""

from collections.abc import Callable

from lookup.results.quote_answer import escape_latex, escape_markdown

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

"""A quote with its citation as a manuscript has it: LaTeX, Typst, Markdown, words; and a link to its page."""

import re
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from lookup.results.citation import (
    cited_page,
    escape_typst,
    filled,
    latex_template,
    link_template,
    search_words,
    text_fragment,
    typst_key,
    without_page,
)
from lookup.results.papers import author_and_year
from lookup.text.printable import on_one_line


class QuotedForm(NamedTuple):
    """The words of a match, its paper and its page (0: not known); `Match` says what each form is."""

    key: str
    page: int
    page_label: str | None
    quote: str
    part: str = ""  # "S1:" of pages of the first supplement.

    @classmethod
    def of(cls, key: str, page: int, page_label: str | None, quote: str) -> "QuotedForm":
        """Return the form of a match: what a supplement prints is cited as its paper's, by the part."""
        paper, part = cited_work(key)
        return cls(paper, page, page_label, quote, part)

    def latex(self, template: str) -> str:
        """Return the quote by a template."""
        fields = {
            "key": "".join(c if c in "_&" else _LATEX.get(c, c) for c in on_one_line(self.key)),
            "page": f"{self.part}{self.page or ''}",
            "printed_page": escape_latex(self._printed_page),
            "cited_page": escape_latex(cited_page(self._printed_page)).replace(" ", "~"),
            "quote": escape_latex(self.quote),
        }
        chosen = latex_template(template)
        return filled(chosen if self.page else without_page(chosen), fields)

    def link(self, pdf: str, style: str) -> str:
        """Return a link by a style."""
        fields = {
            "address": pdf if "://" in pdf else Path(pdf).absolute().as_uri(),
            "file": PurePosixPath(pdf).name,
            "key": self.key,
            "page": str(self.page),
            "cited_page": cited_page(self._printed_page),
            "quote": escape_markdown(self.quote),
            "search": search_words(self.quote),
            "fragment": text_fragment(self.quote),
        }
        return filled(link_template(style), fields)

    def typst(self) -> str:
        """Return a block quotation."""
        supplement = f", supplement: [{escape_typst(cited_page(self._printed_page))}]" if self.page else ""
        cited = f"#cite({typst_key(self.key)}{supplement})"
        return f"#quote(block: true, attribution: [{cited}])[{escape_typst(self.quote)}]"

    def citation(self, authors: tuple[str, ...], year: int | None) -> str:
        """Return the words in quotation marks with authors and year."""
        return f"“{self.quote}” ({author_and_year(authors, year) or self.key}{self._comma_page})"

    def markdown(self) -> str:
        """Return a block quote."""
        return f"> {escape_markdown(self.quote)} [@{pandoc_key(self.key)}{self._comma_page}]"

    @property
    def _printed_page(self) -> str:
        return f"{self.part}{self.page_label or self.page}"

    @property
    def _comma_page(self) -> str:
        return f", {cited_page(self._printed_page)}" if self.page else ""


_SUPPLEMENT = re.compile(r"(?P<key>.+)-(?P<part>S\d{1,2})")


def cited_work(key: str) -> tuple[str, str]:
    """Return the key that is cited, and what stands before its pages: ("ode2020", "S1:") of "ode2020-S1"."""
    supplement = _SUPPLEMENT.fullmatch(key)
    return (supplement["key"], f"{supplement['part']}:") if supplement else (key, "")


_LATEX = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "%": r"\%",
    "_": r"\_",
    "^": r"\textasciicircum{}",
    "~": r"\textasciitilde{}",
}
_MARKDOWN = re.compile(r"([\\`*_\[\]<>#|~^$@])")


def escape_latex(text: str) -> str:
    """Return `text` with each of LaTeX's ten reserved characters written so that it prints itself."""
    return "".join(_LATEX.get(char, char) for char in text)


def escape_markdown(text: str) -> str:
    """Return `text` with the characters that Markdown (or Pandoc's) would read as markup escaped."""
    return _MARKDOWN.sub(r"\\\1", text)


def pandoc_key(key: str) -> str:
    """Return a key as Pandoc's citation syntax has it: in braces unless it is plain.

    One with brackets or marks of its own, which no citation can hold, is escaped: it is shown as it is.
    """
    if re.fullmatch(r"\w+(?:[:.#$%&\-+?<>~/]\w+)*", key):
        return key
    key = on_one_line(key)
    return re.sub(r"([^\w\s])", r"\\\1", key) if re.search(r"[\\`<>\[\]{}]", key) else f"{{{key}}}"

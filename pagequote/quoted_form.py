"""A quote with its citation as a manuscript has it: LaTeX, Typst, Markdown, words; and a link to its page."""

import os
import re
from collections.abc import Mapping
from pathlib import Path, PurePosixPath
from typing import Any
from urllib.parse import quote as encoded

from lookup.errors import QueryError
from lookup.results.papers import author_and_year
from lookup.results.quote_answer import Box, Match
from lookup.text.printable import on_one_line

MOST_TEMPLATE = 1_000  # Characters of a template, which is filled for each quotation.


TEMPLATES: Mapping[str, str] = {
    "mciteboxp": r"\mciteboxp{{{key}}}{{{page}}}{{{quote}}}",
    "biblatex": r"\enquote{{{quote}}} \autocite[{printed_page}]{{{key}}}",
    "footcite": r"\enquote{{{quote}}}\footcite[{printed_page}]{{{key}}}",
    "natbib": r"``{quote}'' \citep[{cited_page}]{{{key}}}",
    "plain": r"``{quote}'' \cite[{cited_page}]{{{key}}}",
}
"""Templates for LaTeX: pagequote.sty, biblatex with csquotes (also in footnotes), natbib, and LaTeX alone."""

LINKS: Mapping[str, str] = {
    "pdf.js": "{address}#page={page}&search={search}&phrase=true",
    "fragment": "{address}#page={page}:~:text={fragment}",
    "obsidian": "> {quote} ([[{file}#page={page}|{key}, {cited_page}]])",
    "pdf++": "> {quote} ([[{file}#page={page}&search={search}|{key}, {cited_page}]])",
}
"""Templates of links to the place: Firefox's viewer, text fragments (WICG), Obsidian, and its plugin PDF++.

PDF++ also has `selection`, by the numbers of its viewer's pieces of text, which no other program knows.
"""

_SEARCHED = 8
"""Words of a quote that a link searches for, and of either end in a text fragment. Not measured: a viewer
finds a few words over line ends more often than many, and eight are nearly always one place.
"""

VARIABLE = "PAGEQUOTE_LATEX"  # The environment variable with a template, or its name, for who names none.

PAGE_WORD = "PAGEQUOTE_PAGE_WORD"  # That with the writer's word for a page: "S.", "pág."; without it "p.".

FIELDS = ("key", "page", "printed_page", "cited_page", "quote")
"""What a template may name in braces; `printed_page` is the PDF's where none is printed."""


def latex_template(given: str = "", configured: str = "") -> str:
    """Return the template that is given, else that of the environment, else that of the configuration.

    Each is the name of one of TEMPLATES or a template. Raises QueryError for one that names other fields.
    """
    name = given or os.environ.get(VARIABLE, "") or configured or "mciteboxp"
    template = TEMPLATES.get(name, name)
    named = {found[1] for found in _FIELD.finditer(template) if found[1]}
    whole = "quote" in named and named <= set(FIELDS) and not re.search(r"[{}]", _FIELD.sub("", template))
    if not whole or len(template) > MOST_TEMPLATE:
        raise QueryError(
            f"{name[:MOST_TEMPLATE]!r} is no template for LaTeX. Name {', '.join(TEMPLATES)}, or write one "
            f"with {', '.join(f'{{{field}}}' for field in FIELDS)}; braces of LaTeX are written twice, and a "
            f"template has at most {MOST_TEMPLATE:,} characters."
        )
    return template


def cited_page(page: str) -> str:
    """Return a page as a citation names it: "p. 835"."""
    return f"{os.environ.get(PAGE_WORD, 'p.')} {page}".strip()


def filled(template: str, fields: Mapping[str, str]) -> str:
    """Return the template with its fields; what they hold is never read as a template."""
    return _FIELD.sub(lambda found: fields[found[1]] if found[1] else found[0][0], template)


_FIELD = re.compile(r"\{\{|\}\}|\{(\w+)\}")
_WITH_PAGE = re.compile(r"\[[^\[\]]*\{(?:printed_|cited_)?page\}[^\[\]]*\]|\{(?:printed_)?page\}")
"""What a template leaves out where no page prints the words: the optional arguments that hold the page."""

_TYPST = re.compile(r"([\\#$*_`<>@~\[\]/=+-])")


def escape_typst(text: str) -> str:
    """Return `text` with the characters that Typst would read as markup escaped."""
    return _TYPST.sub(r"\\\1", text)


def typst_key(key: str) -> str:
    """Return a key as Typst's labels have it: in angle brackets, or else by the function that takes any."""
    if re.fullmatch(r"[\w.:-]+", key):
        return f"<{key}>"
    escaped = key.replace("\\", "\\\\").replace('"', '\\"')
    return f'label("{escaped}")'


class QuotedForm:
    """A match in the forms in which people quote it.

    What a supplement prints is cited as its paper's, by the part.
    """

    def __init__(self, match: Match) -> None:
        self._match = match
        self._quote, self._page = match.quote, match.page
        self._key, part = cited_work(match.key)
        self._pdf_page = f"{part}{match.page or ''}"
        self._printed_page = f"{part}{match.page_label or match.page}"
        self._comma_page = f", {cited_page(self._printed_page)}" if match.page else ""

    def latex(self, template: str = "") -> str:
        r"""Return the quote with its citation, LaTeX's reserved characters escaped.

        `template` is one of TEMPLATES by name, or of your own. Without one, it is that of the environment,
        else `\mciteboxp{key}{page}{quote}`. Raise QueryError for what is no template.
        """
        fields = {
            "key": "".join(c if c in "_&" else _LATEX.get(c, c) for c in on_one_line(self._key)),
            "page": self._pdf_page,
            "printed_page": escape_latex(self._printed_page),
            "cited_page": escape_latex(cited_page(self._printed_page)).replace(" ", "~"),
            "quote": escape_latex(self._quote),
        }
        chosen = latex_template(template)
        return filled(chosen if self._page else _WITH_PAGE.sub("", chosen), fields)

    def link(self, pdf: str, style: str = "") -> str:
        """Return a link to the quote in the PDF with this path or address, by a style of LINKS.

        Raise QueryError for what is no style. A text fragment has all words of a short quote, else both ends.
        """
        if style and style not in LINKS:
            raise QueryError(f"{style!r} is no style of links. Name one of {', '.join(LINKS)}.")
        words = self._quote.split()
        first, last = (" ".join(one) for one in (words[:_SEARCHED], words[-_SEARCHED:]))
        ends = [self._quote] if len(words) <= 2 * _SEARCHED else [first, last]
        fields = {
            "address": pdf if "://" in pdf else Path(pdf).absolute().as_uri(),
            "file": PurePosixPath(pdf).name,
            "key": self._key,
            "page": str(self._page),
            "cited_page": cited_page(self._printed_page),
            "quote": escape_markdown(self._quote),
            "search": encoded(first, safe=""),
            "fragment": ",".join(encoded(" ".join(one.split()), safe="").replace("-", "%2D") for one in ends),
        }
        return filled(LINKS[style or "pdf.js"], fields)

    def typst(self) -> str:
        """Return the quote as Typst's block quotation with its citation."""
        return f"#quote(block: true, attribution: [{self.cite('typst')}])[{escape_typst(self._quote)}]"

    def citation(self, authors: tuple[str, ...] = (), year: int | None = None) -> str:
        """Return “words” (Fan et al., 2021, p. 835), with the key where authors and year are not given."""
        return f"“{self._quote}” ({author_and_year(authors, year) or self._key}{self._comma_page})"

    def markdown(self) -> str:
        """Return a block quote with a Pandoc citation."""
        return f"> {escape_markdown(self._quote)} {self.cite('markdown')}"

    def cite(self, markup: str) -> str:
        """Return the citation alone, with its page: "markdown" as Pandoc has it, "typst", else LaTeX."""
        if markup == "markdown":
            return f"[@{pandoc_key(self._key)}{self._comma_page}]"
        if markup == "typst":
            page = escape_typst(cited_page(self._printed_page))
            return f"#cite({typst_key(self._key)}{f', supplement: [{page}]' if self._page else ''})"
        page = f"[{escape_latex(self._printed_page)}]" if self._page else ""
        return rf"\cite{page}{{{self._key}}}"

    def annotation(self) -> dict[str, Any]:
        """Return the match as a highlighting annotation on its paper (W3C), as JSON has it.

        The quote is selected by its words with those before and after it, by its place in the document text,
        and by page and area of each printed line. Pages count from 1; an area is x,y,width,height in points
        from the upper left corner.
        """
        match = self._match
        start, end = match.span
        return {
            "@context": _CONTEXT,
            "type": "Annotation",
            "motivation": "highlighting",
            "target": {
                "source": match.key,
                "selector": [
                    {
                        "type": "TextQuoteSelector",
                        "exact": match.quote,
                        "prefix": match.text[max(0, start - _AROUND) : start],
                        "suffix": match.text[end : end + _AROUND],
                    },
                    {
                        "type": "TextPositionSelector",
                        "start": match.cursor,
                        "end": match.cursor + end - start,
                    },
                    *map(_area, match.boxes),
                ],
            },
        }


_CONTEXT = "http://www.w3.org/ns/anno.jsonld"
_PDF = "http://tools.ietf.org/rfc/rfc8118"
_AREA = "http://www.w3.org/TR/media-frags/"

_AROUND = 32  # Characters of a prefix or a suffix, if the match's text has them; Hypothesis writes as many.


def _area(box: "Box") -> dict[str, Any]:
    width, height = round(box.x1 - box.x0, 1), round(box.y1 - box.y0, 1)
    return {
        "type": "FragmentSelector",
        "conformsTo": _PDF,
        "value": f"page={box.page}",
        "refinedBy": {
            "type": "FragmentSelector",
            "conformsTo": _AREA,
            "value": f"xywh={box.x0},{box.y0},{width},{height}",
        },
    }


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

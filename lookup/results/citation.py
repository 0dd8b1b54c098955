"""A quotation with its citation, in the style of the writer: a template with the names of `FIELDS`."""

import os
import re
from collections.abc import Mapping
from urllib.parse import quote as encoded

from lookup.errors import QueryError
from lookup.text.expansion import MOST_TEMPLATE

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
    if not _is_template(template) or len(template) > MOST_TEMPLATE:
        raise QueryError(
            f"{name[:MOST_TEMPLATE]!r} is no template for LaTeX. Name {', '.join(TEMPLATES)}, or write one "
            f"with {', '.join(f'{{{field}}}' for field in FIELDS)}; braces of LaTeX are written twice, and a "
            f"template has at most {MOST_TEMPLATE:,} characters."
        )
    return template


def cited_page(page: str) -> str:
    """Return a page as a citation names it: "p. 835"."""
    return f"{os.environ.get(PAGE_WORD, 'p.')} {page}".strip()


def _is_template(template: str) -> bool:
    bare = template.replace("{{", "").replace("}}", "")
    named = re.findall(r"\{(\w+)\}", bare)
    return (
        "quote" in named
        and set(named) <= set(FIELDS)
        and not re.search(r"[{}]", re.sub(r"\{\w+\}", "", bare))
    )


def link_template(name: str = "") -> str:
    """Return the template of LINKS with this name, by default the first. Raise QueryError for others."""
    if name and name not in LINKS:
        raise QueryError(f"{name!r} is no style of links. Name one of {', '.join(LINKS)}.")
    return LINKS[name or next(iter(LINKS))]


def search_words(quote: str) -> str:
    """Return the first words of a quote, encoded for an address."""
    return encoded(" ".join(quote.split()[:_SEARCHED]), safe="")


def text_fragment(quote: str) -> str:
    """Return the words of a quote as a text directive: all of a short one, else both ends."""
    words = quote.split()
    ends = [words] if len(words) <= 2 * _SEARCHED else [words[:_SEARCHED], words[-_SEARCHED:]]
    return ",".join(encoded(" ".join(one), safe="").replace("-", "%2D") for one in ends)


def filled(template: str, fields: Mapping[str, str]) -> str:
    """Return the template with its fields; what they hold is never read as a template."""
    return re.sub(
        r"\{\{|\}\}|\{(\w+)\}", lambda found: fields[found[1]] if found[1] else found[0][0], template
    )


_WITH_PAGE = re.compile(r"\[[^\[\]]*\{(?:printed_|cited_)?page\}[^\[\]]*\]")


def without_page(template: str) -> str:
    """Return a template without the optional arguments that hold the page, for words that no page prints."""
    return _WITH_PAGE.sub("", template).replace("{printed_page}", "").replace("{page}", "")


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

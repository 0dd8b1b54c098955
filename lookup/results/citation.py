"""A quotation with its citation, in the style of the writer: a template with the names of `FIELDS`."""

import os
import re
from collections.abc import Mapping

from lookup.errors import QueryError

TEMPLATES: Mapping[str, str] = {
    "mciteboxp": r"\mciteboxp{{{key}}}{{{page}}}{{{quote}}}",
    "biblatex": r"\enquote{{{quote}}} \autocite[{printed_page}]{{{key}}}",
    "natbib": r"``{quote}'' \citep[p.~{printed_page}]{{{key}}}",
    "plain": r"``{quote}'' \cite[p.~{printed_page}]{{{key}}}",
}
"""Templates for LaTeX: pagequote.sty, biblatex with csquotes, natbib, and LaTeX alone."""

VARIABLE = "PAGEQUOTE_LATEX"
"""The environment variable with the name of a template, or a template, for who names none."""

FIELDS = ("key", "page", "printed_page", "quote")
"""What a template may name in braces; `printed_page` is the PDF's where none is printed."""


def latex_template(given: str = "", configured: str = "") -> str:
    """Return the template that is given, else that of the environment, else that of the configuration.

    Each is the name of one of TEMPLATES or a template. Raises QueryError for one that names other fields.
    """
    name = given or os.environ.get(VARIABLE, "") or configured or "mciteboxp"
    template = TEMPLATES.get(name, name)
    if not _is_template(template):
        raise QueryError(
            f"{name!r} is no template for LaTeX. Name {', '.join(TEMPLATES)}, or write one with "
            f"{', '.join(f'{{{field}}}' for field in FIELDS)}; braces of LaTeX are written twice."
        )
    return template


def _is_template(template: str) -> bool:
    bare = template.replace("{{", "").replace("}}", "")
    named = re.findall(r"\{(\w+)\}", bare)
    return (
        "quote" in named
        and set(named) <= set(FIELDS)
        and not re.search(r"[{}]", re.sub(r"\{\w+\}", "", bare))
    )


def filled(template: str, fields: Mapping[str, str]) -> str:
    """Return the template with its fields; what they hold is never read as a template."""
    return re.sub(
        r"\{\{|\}\}|\{(\w+)\}", lambda found: fields[found[1]] if found[1] else found[0][0], template
    )


_WITH_PAGE = re.compile(r"\[[^\[\]]*\{(?:printed_)?page\}[^\[\]]*\]")


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


def author_and_year(authors: tuple[str, ...], year: int | None) -> str:
    """Return 'Fan et al., 2021', 'Fan & Müller, 2021' or 'Fan, 2021'; '' where neither is known."""
    families = [author.partition(",")[0] for author in authors]
    names = f"{families[0]} et al." if len(families) > 2 else " & ".join(families)
    return ", ".join(filter(None, (names, str(year or ""))))

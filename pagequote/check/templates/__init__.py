"""Templates of what a check says: the report, the proof, and the formats of CI."""

import re
from functools import cache
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

from lookup.text.printable import json_text, printable

_NOT_XML = re.compile("[\ufffe\uffff]")  # What XML may not hold, of what can be printed.


@cache
def _template(name: str) -> Any:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415

    templates = Environment(
        loader=FileSystemLoader(Path(__file__).parent),
        autoescape=name.endswith((".html", ".xml")),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        keep_trailing_newline=True,
    )
    templates.filters |= {"json": json_text, "data": _data, "property": _property, "attribute": _attribute}
    return templates.get_template(name)


def rendered(name: str, **values: object) -> str:
    """Return what a template says of these values, without what acts on a terminal, a log or a page."""
    return _NOT_XML.sub("\ufffd", printable(_template(name).render(**values)))


def _data(text: str) -> str:
    """Return the text of a command of GitHub Actions."""
    return printable(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    """Return the value of a property of such a command."""
    return _data(text).replace(":", "%3A").replace(",", "%2C")


def _attribute(text: str) -> Any:
    """Return the value of an attribute of XML with its quotation marks; it has no end of a line."""
    from markupsafe import Markup  # noqa: PLC0415

    return Markup(quoteattr(printable(text)))  # noqa: S704  # quoteattr has escaped it

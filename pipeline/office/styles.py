"""Styles of word processors: what kind of paragraph a style is for, by its name."""

_NAMED = {
    "title": "title", "quot": "quote", "block text": "quote", "caption": "caption", "bibliograph":
    "reference", "list": "list", "code": "code", "preformatted": "code",
}  # fmt: skip

DEEPEST = 12
"""Styles that are based on one another, which are looked at."""

MOST_STYLES = 20_000
"""Styles of a document: those that people send one another have hundreds, one converted from a PDF 4,000."""


def kind_of_style(name: str) -> str:
    """Return the kind of paragraph that a style of this name, in small letters, is for; '' without one."""
    return next((kind for part, kind in _NAMED.items() if part in name), "")

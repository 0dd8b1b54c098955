"""Styles of word processors: what kind of paragraph a style is for, by its name."""

_NAMED = {
    "title": "title", "quot": "quote", "block text": "quote", "caption": "caption", "bibliograph":
    "reference", "list": "list", "code": "code", "preformatted": "code",
}  # fmt: skip


def kind_of_style(name: str) -> str:
    """Return the kind of paragraph that a style of this name, in small letters, is for; '' without one."""
    return next((kind for part, kind in _NAMED.items() if part in name), "")

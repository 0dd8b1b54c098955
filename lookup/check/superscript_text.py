"""Raised characters, as plain text has them."""

_SUPERSCRIPTS = str.maketrans("0123456789+-−–()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁽⁾ⁿ")


def as_superscripts(text: str) -> list[str]:
    """Return the characters of `text` raised, one for one, if it is a number: "-5" is "⁻⁵"; as they are where it is not: "th"."""
    changed = text.translate(_SUPERSCRIPTS)
    if any(char.isalnum() and same == char for char, same in zip(text, changed, strict=True)):
        return list(text)
    return list(changed)

"""Superscripts as Unicode characters."""

_SUPERSCRIPTS = str.maketrans("0123456789+-−–()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁽⁾ⁿ")


def as_superscripts(text: str) -> list[str]:
    """Return a number as superscripts: "⁻⁵" for "-5". Other text ("th") stays as it is."""
    changed = text.translate(_SUPERSCRIPTS)
    if any(char.isalnum() and same == char for char, same in zip(text, changed, strict=True)):
        return list(text)
    return list(changed)

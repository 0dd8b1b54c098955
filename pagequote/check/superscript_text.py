"""Superscripts and subscripts as Unicode characters."""

_SUPERSCRIPTS = str.maketrans("0123456789+-−–()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁽⁾ⁿ")


_SUBSCRIPTS = str.maketrans("0123456789+-−–()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₋₍₎")


def as_superscripts(text: str) -> str:
    """Return a number as superscripts: "⁻⁵" for "-5". Other text ("th") stays as it is."""
    return _moved(text, _SUPERSCRIPTS)


def as_subscripts(text: str) -> str:
    """Return a number as subscripts: "₂" for "2". Other text ("max") stays as it is."""
    return _moved(text, _SUBSCRIPTS)


def _moved(text: str, table: dict[int, int]) -> str:
    changed = text.translate(table)
    if any(char.isalnum() and same == char for char, same in zip(text, changed, strict=True)):
        return text
    return changed

"""Superscripts and subscripts as Unicode characters."""

_MOVED = {
    "^": str.maketrans("0123456789+-−–()n", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁽⁾ⁿ"),
    "_": str.maketrans("0123456789+-−–()", "₀₁₂₃₄₅₆₇₈₉₊₋₋₋₍₎"),
}


def moved(text: str, where: str) -> str:
    """Return a number raised ("^") or lowered ("_"): "⁻⁵" for "-5". Other text ("th") stays as it is."""
    changed = text.translate(_MOVED[where])
    still = any(char.isalnum() and same == char for char, same in zip(text, changed, strict=True))
    return text if still else changed

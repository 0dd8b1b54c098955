"""Styles of word processors: what kind of paragraph a style is for, by its name."""

_NAMED = {
    "title": "title", "quot": "quote", "block text": "quote", "caption": "caption", "bibliograph":
    "reference", "list": "list", "code": "code", "preformatted": "code",
}  # fmt: skip

DEEPEST = 12  # Styles that are based on one another, which are looked at.

MOST_STYLES = 20_000
"""Styles of a document: those that people send one another have hundreds, one converted from a PDF 4,000."""


def kind_of_style(name: str) -> str:
    """Return the kind of paragraph that a style of this name, in small letters, is for; '' without one."""
    return next((kind for part, kind in _NAMED.items() if part in name), "")


_FIRST = " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼"
"""Codes 20 to 7E, of Adobe's encoding of the font."""

_SECOND = "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑"
"""Codes A0 to E5; what follows are pieces of large brackets."""


def symbol(font: str, code: str) -> str | None:
    """Return the character that `code`, four hexadecimal digits, is in a font; None where it is not known."""
    try:
        number = int(code, 16)
    except ValueError:
        return None
    if 0xF000 <= number <= 0xF0FF:
        number -= 0xF000
        table = {0x20 + at: char for at, char in enumerate(_FIRST)}
        table |= {0xA0 + at: char for at, char in enumerate(_SECOND)}
        return table.get(number) if font == "Symbol" else None
    return chr(number) if 0x20 < number < 0xD800 and "dings" not in font else None

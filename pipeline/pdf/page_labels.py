"""PdfPage labels: what a PDF calls its pages."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

_ROMAN = (
    (1000, "m"),
    (900, "cm"),
    (500, "d"),
    (400, "cd"),
    (100, "c"),
    (90, "xc"),
    (50, "l"),
    (40, "xl"),
    (10, "x"),
    (9, "ix"),
    (5, "v"),
    (4, "iv"),
    (1, "i"),
)


def labels(rules: Sequence[Mapping[str, Any]], pages: int) -> list[str]:
    """Return the label of each page, '' for no label, by a PDF's page label rules (ISO 32000-1, 12.4.2).

    `rules` are PyMuPDF's `Document.get_page_labels()`: startpage (from 0), prefix, style, firstpagenum.
    """
    out = [""] * pages
    ordered = sorted(rules, key=lambda rule: rule["startpage"])
    ends = [rule["startpage"] for rule in ordered[1:]] + [pages] * bool(ordered)
    for rule, end in zip(ordered, ends, strict=True):
        prefix = _prefix(rule.get("prefix") or "")
        for page in range(rule["startpage"], min(end, pages)):
            number = rule.get("firstpagenum", 1) + page - rule["startpage"]
            out[page] = prefix + _numeral(number, rule.get("style") or "")
    return out


def roman(number: int) -> str:
    """Return the number in small Roman numerals."""
    text = ""
    for value, letters in _ROMAN:
        text += letters * (number // value)
        number %= value
    return text


def _prefix(prefix: str) -> str:
    """Return the text of a prefix.

    PyMuPDF 2.0 gives hexadecimal strings as they are written, and the rest of '/Type/PageLabel' for no
    prefix.
    """
    if prefix == "ageLabel":
        return ""
    if re.fullmatch(r"<[0-9A-Fa-f\s]*>", prefix):
        data = bytes.fromhex(prefix[1:-1] + "0" * (len(re.sub(r"\s", "", prefix)) % 2))
        return data[2:].decode("utf-16-be", "replace") if data[:2] == b"\xfe\xff" else data.decode("latin-1")
    return prefix


def _numeral(number: int, style: str) -> str:
    if style == "D":
        return str(number)
    if style in ("r", "R"):
        return roman(number) if style == "r" else roman(number).upper()
    if style in ("a", "A"):
        letter = chr(ord(style) + (number - 1) % 26)
        return letter * ((number - 1) // 26 + 1)
    return ""

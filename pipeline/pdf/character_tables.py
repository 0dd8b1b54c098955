"""Tables by which fonts say which characters of Unicode their codes print (ToUnicode)."""

import re
from collections.abc import Sequence
from functools import lru_cache

_SINGLES = re.compile(rb"beginbfchar(.*?)endbfchar", re.DOTALL)
_RANGES = re.compile(rb"beginbfrange(.*?)endbfrange", re.DOTALL)
_PAIR = re.compile(rb"<\s*+([0-9A-Fa-f]++)\s*+>\s*+<\s*+([0-9A-Fa-f][0-9A-Fa-f\s]*+)>")
_RANGE = re.compile(rb"<\s*([0-9A-Fa-f]+)\s*>\s*<\s*([0-9A-Fa-f]+)\s*>\s*<\s*([0-9A-Fa-f]{4})\s*>")
_LISTED = re.compile(rb"<\s*([0-9A-Fa-f]+)\s*>\s*<\s*[0-9A-Fa-f]+\s*>\s*\[([^\]]*)\]")
_TARGET = re.compile(rb"<\s*([0-9A-Fa-f][0-9A-Fa-f\s]*)>")

_TABLES = 8  # That are kept: what OCR writes has one of 65,536 codes for each page.
_ONE_CHARACTER = 4  # Hexadecimal digits.


@lru_cache(_TABLES)
def characters_of_codes(table: bytes) -> Sequence[tuple[int, str]]:
    """Return the codes of a ToUnicode table, each with its characters."""
    found: list[tuple[int, str]] = []
    pairs = [pair for block in _SINGLES.findall(table) for pair in _PAIR.findall(block)]
    for block in _RANGES.findall(table):
        for first, last, target in _RANGE.findall(_LISTED.sub(b"", block)):
            code, begin = int(first, 16), int(target, 16)
            size = min(int(last, 16) - code, 0xFFFF - begin) + 1
            found += [(code + at, chr(begin + at)) for at in range(size)]
        for first, listed in _LISTED.findall(block):
            code = int(first, 16)
            pairs += [(b"%x" % (code + at), target) for at, target in enumerate(_TARGET.findall(listed))]
    for code, target in pairs:
        digits = b"".join(target.split()).decode().zfill(_ONE_CHARACTER)
        text = bytes.fromhex(digits[: len(digits) // 2 * 2]).decode("utf-16-be", "replace")
        found.append((int(code, 16), text))
    return found

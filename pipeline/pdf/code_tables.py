"""Tables of a font (ToUnicode): which characters its codes print, by what the PDF says."""

import re
from codecs import escape_decode
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, lru_cache
from sys import maxunicode
from typing import Any

LAST_CODE = 0xFFFF

_TOKEN = re.compile(
    rb"%[^\r\n]*|<([0-9A-Fa-f\s]*+)>|\(((?>(?:[^()\\]|\\.)*))\)|([\[\]])|(\d++|[^\s<>()\[\]%/\d][^\s<>()\[\]%/]*+)",
    re.DOTALL,
)
"""Comments, strings of digits and of letters, brackets and words of a table: MuPDF reads them in any form."""

_TABLES = 8  # That are kept: what OCR writes has one of 65,536 codes for each page.
_LONGEST_NUMBER = 7  # Digits of a character's number.


class CodeTable:
    """What a ToUnicode table says: its `codes`, each with its characters."""

    def __init__(self, codes: Sequence[tuple[int, str]]) -> None:
        self.codes = codes

    @cached_property
    def by_first(self) -> Mapping[str, Sequence[tuple[int, str]]]:
        """The same by the first of the characters."""
        found: dict[str, list[tuple[int, str]]] = defaultdict(list)
        for code, text in self.codes:
            found[text[0]].append((code, text))
        return found

    @cached_property
    def texts(self) -> frozenset[str]:
        """The characters of each code."""
        return frozenset([text for _, text in self.codes])

    @cached_property
    def characters(self) -> frozenset[str]:
        """All of them, one by one."""
        return frozenset("".join(self.texts))


@lru_cache(_TABLES)
def read_table(table: bytes) -> CodeTable:
    """Return what a ToUnicode table says; nothing if there is none."""
    found: list[tuple[int, str]] = []
    block, values = b"", list[Any]()
    listed: list[Any] | None = None
    for token in _TOKEN.finditer(table):
        digits, literal, bracket, word = token.groups()
        if word and not word.isdigit():
            block = word[5:] if word.startswith((b"beginbf", b"begincid")) else b""
            values, listed = [], None
        elif block and bracket == b"[":
            listed = []
        elif block and (value := listed if bracket else _value_of(digits, literal, word)) is not None:
            if listed is not None and not bracket:
                listed.append(value)
                continue
            listed = None
            values.append(value)
            if len(values) == (2 if block.endswith(b"char") else 3):
                found += _told(values[0], values[-2], values[-1])
                values = []
    return CodeTable(found)


def _value_of(digits: bytes | None, literal: bytes | None, word: bytes | None) -> Any:
    """Return a string of bytes, or a number; None if it is neither."""
    if digits is not None:
        even = b"".join(digits.split())
        return bytes.fromhex((even + b"0" * (len(even) % 2)).decode())
    if literal is not None:
        return escape_decode(literal)[0]
    return int(word) if word and len(word) <= _LONGEST_NUMBER else None


def _told(first: Any, last: Any, target: Any) -> Iterator[tuple[int, str]]:
    """Yield codes from `first` to `last` with the characters that a table gives the first of them or each."""
    if not (isinstance(first, bytes) and isinstance(last, bytes)):
        return
    codes = range(int.from_bytes(first), min(int.from_bytes(last), LAST_CODE) + 1)
    if isinstance(target, list):
        yield from ((code, text) for code, one in zip(codes, target, strict=False) if (text := _text_of(one)))
    elif text := _text_of(target):
        for number, code in enumerate(codes, ord(text[-1])):
            yield code, text[:-1] + chr(min(number, maxunicode))


def _text_of(target: Any) -> str:
    """Return the text that a table writes in UTF-16, or as the number of a character."""
    if isinstance(target, int):
        return chr(min(target, maxunicode))
    return target[: len(target) // 2 * 2].decode("utf-16-be", "replace") if isinstance(target, bytes) else ""

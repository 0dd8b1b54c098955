"""The words of a text page: their places, and what they print."""

import re
from collections.abc import Iterator, Sequence
from typing import Any
from unicodedata import normalize

from lookup.text.folding import UNKNOWN
from pipeline.pdf.text_layer import TextLayer

GONE = "\u2060"
"""In place of an accent that went into its neighbour, so that printed and coded text are equally long."""

_COMBINING = dict(
    zip(
        "´`¨ˆ˜¸˚ˇ˘˙˛˝",
        "\u0301\u0300\u0308\u0302\u0303\u0327\u030a\u030c\u0306\u0307\u0328\u030b",
        strict=True,
    )
)

ACCENTS = "".join(_COMBINING)  # Accents by themselves; beside a letter they may be printed over it.

WHITE = "\t\n\v\f\r \xa0\x85\u1680\u2028\u2029\u202f\u205f\u3000" + "".join(map(chr, range(0x2000, 0x200B)))
"""White space. Not the separators U+001C to U+001F, which broken fonts use for letters."""

_WORD = re.compile(f"[^{WHITE}]+")
_ACCENTS = frozenset(ACCENTS)
_HALF = re.compile("[\ud800-\udfff]")  # of a surrogate pair

_MAY_NEED_THEM = re.compile(f"[\x00-\x08\x0e-\x1f\uf020-\uf0ff{ACCENTS}]")
_NEEDS_CHARACTERS = re.compile(f"[\x00-\x08\x0e-\x1f\uf020-\uf0ff]|(?<=\\w)[{ACCENTS}]|[{ACCENTS}](?=\\w)")
"""Where single characters must be looked at: control characters, which MuPDF takes for white space and broken
fonts use for signs; private characters, which need their font; accents beside letters, which need their
place."""


PlacedWord = tuple[Any, ...]
"""x0, y0, x1, y1, the characters of a word, and what these print, one for one; '' if that is the same."""


def placed_words(layer: TextLayer, texts: Sequence[str]) -> list[list[PlacedWord]]:
    """Return the words of each line of a page's text layer; `texts` are its lines.

    MuPDF's own words are taken where they are complete and say what is printed. Putting words together from
    characters takes four times as long.
    """
    if layer.reordered:
        return _by_character(layer.characters)
    may_need = _MAY_NEED_THEM.search("\n".join(texts))
    return [
        list(_joined(layer.characters_of(number)["spans"]))
        if [word[4] for word in words] != text.split() or (may_need and _NEEDS_CHARACTERS.search(text))
        else [(*word[:5], "") for word in words]
        for number, (text, words) in enumerate(zip(texts, layer.words, strict=True))
    ]


def word_starts(text: str) -> list[int]:
    """Return where in a line's text its words begin."""
    return [match.start() for match in _WORD.finditer(text)]


def _by_character(blocks: Sequence[dict[str, Any]]) -> list[list[PlacedWord]]:
    return [list(_joined(line["spans"])) for block in blocks for line in block.get("lines", ())]


def _joined(spans: Sequence[dict[str, Any]]) -> Iterator[PlacedWord]:
    chars = [char for span in spans for char in span["chars"]]
    text = _HALF.sub(UNKNOWN, "".join([char["c"] for char in chars]))
    x0, y0, x1, y1 = zip(*[char["bbox"] for char in chars], strict=True) if chars else ((),) * 4
    accented = not _ACCENTS.isdisjoint(text)
    for word in _WORD.finditer(text):
        of = slice(*word.span())
        printed = with_accents(word[0], x0[of], x1[of]) if accented else word[0]
        said = "" if printed == word[0] else printed
        yield min(x0[of]), min(y0[of]), max(x1[of]), max(y1[of]), word[0], said


def with_accents(characters: str, left: Sequence[float], right: Sequence[float]) -> str:
    """Return the characters of a word with accents on their letters, and GONE in place of the accents.

    `left` and `right` are the edges of each character, in points. An accent belongs to the neighbour that its
    middle is over, if Unicode has that letter with the accent.
    """
    if _COMBINING.keys().isdisjoint(characters):
        return characters
    out = list(characters)
    for at, char in enumerate(characters):
        mark = _COMBINING.get(char)
        if mark is None:
            continue
        middle = (left[at] + right[at]) / 2
        for beside in (at - 1, at + 1):
            if not 0 <= beside < len(out) or not left[beside] < middle < right[beside]:
                continue
            composed = normalize("NFC", out[beside].replace("ı", "i").replace("ȷ", "j") + mark)
            if out[beside].isalpha() and len(composed) == 1:
                out[beside], out[at] = composed, GONE
                break
    return "".join(out)

"""The glyphs of a TrueType font's codes, by the table `cmap` of a font that has no encoding of its own."""

from collections.abc import Mapping
from struct import error, unpack_from

_PREFERRED = ((3, 0), (1, 0))  # Platform and encoding of symbols, of Macintosh: what readers look at.
_BYTES, _SEGMENTS, _TRIMMED = 0, 4, 6  # Formats of a subtable.
_TABLE, _SUBTABLE = 16, 8  # Bytes of an entry for a table, for a subtable.


def glyphs_of_codes(data: bytes) -> Mapping[int, int]:
    """Return the numbers of the glyphs of a font file's codes of one byte; nothing if it does not tell."""
    try:
        (tables,) = unpack_from(">H", data, 4)
        entries = (unpack_from(">4sLLL", data, 12 + _TABLE * at) for at in range(tables))
        begin = next((offset for tag, _, offset, _ in entries if tag == b"cmap"), 0)
        (count,) = unpack_from(">H", data, begin + 2) if begin else (0,)
        found = (unpack_from(">HHL", data, begin + 4 + _SUBTABLE * at) for at in range(count))
        offsets = {(platform, encoding): begin + offset for platform, encoding, offset in found}
        chosen = next((offsets[one] for one in _PREFERRED if one in offsets), None)
        return (
            {} if chosen is None else {code & 0xFF: glyph for code, glyph in _subtable(data, chosen) if glyph}
        )
    except error:
        return {}


def _subtable(data: bytes, at: int) -> list[tuple[int, int]]:
    kind, _, _ = unpack_from(">HHH", data, at)
    if kind == _BYTES:
        return list(enumerate(unpack_from(">256B", data, at + 6)))
    if kind == _TRIMMED:
        first, count = unpack_from(">HH", data, at + 6)
        return list(enumerate(unpack_from(f">{min(count, 256)}H", data, at + 10), start=first))
    if kind != _SEGMENTS:
        return []
    (twice,) = unpack_from(">H", data, at + 6)
    ends, starts, deltas, ranges = (
        unpack_from(f">{twice // 2}H", data, at + 14 + part * twice + 2 * (part > 0)) for part in range(4)
    )
    found = []
    for number, (end, start, delta, offset) in enumerate(zip(ends, starts, deltas, ranges, strict=True)):
        for code in range(start, min(end, start + 0xFF) + 1):
            glyph = code
            if offset:
                place = at + 16 + 3 * twice + 2 * number + offset + 2 * (code - start)
                (glyph,) = unpack_from(">H", data, place)
            found.append((code, (glyph + delta) & 0xFFFF if glyph or not offset else 0))
    return found

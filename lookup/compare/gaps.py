"""What stands between letters and digits: what two texts that are alike in these must agree on as well."""

import re
from collections.abc import Container, Iterator

from lookup.text.units import UNITS

_LETTERS = re.compile(r"^.*\d")
_PUNCTUATION = re.compile(r"[\s'\"*†‡§¶•·()\[\]{}:;!?.,\\|_`^…]")
"""What may differ between words. Signs, operators, percent and degree marks are none of it, nor is an unknown glyph."""


def same_words(asked: str, printed: str, breaks: Container[int] = ()) -> bool:
    """Whether two folded texts with the same letters and digits have the same words and numbers.

    Punctuation may differ, and a space may stand for a hyphen. Decimal points, signs, operators, ranges and units may not
    differ (`1.5` is not `15`, `-5` not `5`, `<` not `>`, `10 %` not `10 ‰`), and words may not come apart or together
    (`no table` is not `notable`, `re-sign` not `resign`). `breaks` are the places, counted in letters and digits, at which a
    line break in either took a hyphen away, or left one, that may or may not be the word's own.
    """
    gaps = zip(_gaps(asked), _gaps(printed), strict=True)
    return all(_agree(one, other, at in breaks) for at, (one, other) in enumerate(gaps))


def _gaps(text: str) -> Iterator[tuple[str, str, str]]:
    """What stands before each letter or digit and after the last, with the run before it and the character after it."""
    before, gap = "", ""
    for char in text:
        if char.isalnum():
            yield before, gap, char
            before = char if gap else before + char
            gap = ""
        else:
            gap += char
    yield before, gap, ""


def _agree(asked: tuple[str, str, str], printed: tuple[str, str, str], broken: bool) -> bool:  # noqa: FBT001
    before, one, after = asked
    other = printed[1]
    if one == other:
        return True
    if before[-1:].isdigit() and after.isdigit():
        return one.strip() == other.strip() and bool(one) == bool(other)
    kept, kept_other = (_PUNCTUATION.sub("", gap) for gap in (one, other))
    if after.isdigit() or before[-1:].isdigit():
        # A sign or a unit; but the hyphen of IL-6 and the space of 5 mg are neither. That of cm-1 is a sign.
        joint = before.isalnum() and after.isalnum() and _LETTERS.sub("", before) not in UNITS
        hyphens = {"", "-"} if joint else {""}
        return kept == kept_other or ({kept, kept_other} <= hyphens and not _sign(one) and not _sign(other))
    if {kept, kept_other} <= {"", "-"}:
        apart, apart_other = bool(one), bool(other)
        return apart == apart_other or broken or not (before and after) or {one, other} == {"", "- "}
    return kept == kept_other


def _sign(gap: str) -> bool:
    """Whether the gap ends with a hyphen that belongs to the number after it."""
    return gap.endswith("-") and len(gap) > 1

"""What a verdict says, in a sentence for a reader."""

from collections import Counter
from collections.abc import Sequence

from lookup.results.quote_answer import Difference, Match

_NOUNS = {
    "number": ("number", "numbers"),
    "sign": ("sign", "signs"),
    "comparison": ("comparison", "comparisons"),
    "negation": ("denial", "denials"),
    "hedge": ("reservation", "reservations"),
    "unit": ("unit", "units"),
    "case": ("capital", "capitals"),
    "form": ("form of a word", "forms of words"),
    "border": ("border of the text", "borders of the text"),
    "punctuation": ("mark", "marks"),
}
"""What a difference of each kind is, one and several; those of other kinds are words."""

_NUMBERS = "no one two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905


def sentence(match: Match) -> str:
    """Return what the verdict on a match means for who would quote it."""
    if match.verdict == "verbatim":
        return f"Printed word for word{', but for a citation mark' if match.omitted else ''}."
    if match.verdict == "related":
        return "Not printed here. The nearest passage:"
    if match.verdict == "near":
        return f"Printed, but not as you wrote it{_counted(match.differences)}."
    ways = [
        *(["what is left out"] if match.omitted else []),
        *(["what stands in brackets"] if match.differences else []),
    ]
    return f"Printed so, but for {' and '.join(ways) or 'what you marked'}."


def _counted(differences: Sequence[Difference]) -> str:
    """Return what differs, in the order of the differences: ": one number and two words differ"."""
    counts: Counter[tuple[str, str]] = Counter()
    for one in differences:
        noun = _NOUNS.get(one.kind)
        words = max(len(one.asked.split()), len(one.printed.split()))
        counts[noun or ("word", "words")] += 1 if noun else words
    numbers = dict(enumerate(_NUMBERS))
    named = [f"{numbers.get(count, f'{count:,}')} {noun[count != 1]}" for noun, count in counts.items()]
    if not named:
        return ""
    *first, last = named
    listed = f"{', '.join(first)} and {last}" if first else last
    return f": {listed} {'differs' if counts.total() == 1 else 'differ'}"

"""Runs of printed words that somebody may quote: their ends cut no number, no compound and no denial."""

from lookup.compare.edges import cut_compounds, cut_off
from lookup.text.folding import fold


def middle_run(text: str, length: int) -> str:
    """So many words from the middle of a text, and more until they end, and begin, with something whole."""
    words = text.split()
    first = len(words) // 2
    last = first + length
    while _cuts(words, first, last):
        first, last = first - 1, min(last + 1, len(words))
    return " ".join(words[first:last])


def _cuts(words: list[str], first: int, last: int) -> bool:
    before, run, after = (" ".join(part) for part in (words[:first], words[first:last], words[last:]))
    printed = f"{before} {run} {after}"
    beside = f"{fold(before)} ", fold(run), f" {fold(after)}"
    return bool(cut_off(*beside)) or any(cut_compounds(printed, len(before) + 1, len(before) + 1 + len(run)))

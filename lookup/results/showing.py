"""What all who show a place in a paper have in common: how it is called, and which of its words are marked."""

from collections.abc import Iterable, Iterator


def whereabouts(key: str | None, page: int | None, page_label: str | None, *more: str | None) -> str:
    """Where something stands: "feng2022, page 6 (printed 1650), Results"; what is not known is left out."""
    shown = (f"page {page}" + (f" (printed {page_label})" if page_label else "")) if page else None
    return ", ".join(filter(None, (key, shown, *more)))


def marked_pieces(text: str, spans: Iterable[tuple[int, int]]) -> Iterator[tuple[str, bool]]:
    """The text in pieces, and whether each is marked; of spans (in order) that overlap, the first."""
    at = 0
    for start, end in spans:
        if start >= at:
            yield text[at:start], False
            yield text[start:end], True
            at = end
    yield text[at:], False


_WORDS = 60


def short(text: str) -> str:
    """The beginning of `text`, on one line."""
    line = " ".join(text.split())
    return line if len(line) <= _WORDS else f"{line[: _WORDS - 1]}…"

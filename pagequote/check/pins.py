"""The lock file: the right quotations of a manuscript as they were found, each with the PDF that prints it.

A quotation is known again by its words, key and given page, wherever it stands. So it can be told without the
corpus which quotations are still those that were found right, and with it which sources have changed since.
Whoever may change the manuscript may change the file: without the corpus nothing is called verbatim.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, fields, replace
from pathlib import Path
from typing import Any, get_args

from lookup.corpus import Corpus
from lookup.errors import PageQuoteError
from lookup.quote.verify import verdict_alone
from lookup.results.difference import Verdict
from lookup.results.quote_answer import Box
from pagequote.check.baseline import read_kept, write_kept
from pagequote.check.judge import RANK, Finding, unjudged
from pagequote.check.manuscript import Manuscript
from pagequote.check.quotation import Quotation

_Known = tuple[str, str, str]
"""What a quotation is known by: its words, letter by letter, the key, and the page that is given."""


@dataclass(frozen=True)
class Pin:
    """A quotation as it was found on `date` in the PDF with the SHA-256 `sha256`; `quote` is the writer's."""

    key: str
    quote: str
    page_given: str | None
    verdict: Verdict
    sha256: str
    page: int
    page_label: str | None
    boxes: tuple[Box, ...]
    printed: str
    date: str

    @property
    def known_by(self) -> _Known:
        """Return what tells the quotation from others."""
        return " ".join(self.quote.split()), self.key, self.page_given or ""


Pins = Mapping[_Known, Pin]


def pinned(findings: Iterable[Finding], corpus: Corpus, date: str, before: Pins) -> list[Pin]:
    """Return a pin for each right quotation; one that says the same as `before` keeps its date."""
    pins = {}
    for finding in findings:
        match = finding.match
        if finding.level == "ok" and match is not None:
            pin = Pin(
                key=finding.key,
                quote=finding.quoted,
                page_given=finding.page_given,
                verdict=match.verdict,
                sha256=corpus.original(finding.key).sha256,
                page=match.page,
                page_label=match.page_label,
                boxes=match.boxes,
                printed=match.quote,
                date=date,
            )
            known = before.get(pin.known_by)
            pins[pin.known_by] = known if known and replace(known, date=date) == pin else pin
    return [pins[known_by] for known_by in sorted(pins)]


def write_lock(lock: Path, pins: Sequence[Pin]) -> None:
    """Write the pins as a lock file."""
    write_kept(lock, pins=[asdict(one) for one in pins])


def read_lock(lock: Path) -> Pins:
    """Return the pins of a lock file. Raise QueryError."""
    pins = read_kept(lock, "lock file", "`pin`", lambda content: [_pin(one) for one in content["pins"]])
    return {one.known_by: one for one in pins}


def _pin(given: dict[str, Any]) -> Pin:
    boxes = tuple(Box(**box) for box in given["boxes"])
    pin = Pin(**{name.name: given[name.name] for name in fields(Pin)} | {"boxes": boxes})
    pages = (pin.page, *(box.page for box in boxes))
    texts = (pin.key, pin.quote, pin.printed, pin.page_given or "", pin.page_label or "")
    checks = {
        "a key, quotation or page is no text": all(isinstance(one, str) for one in texts),
        "a verdict is none": pin.verdict in get_args(Verdict),
        "a sha256 is none": _SHA256.fullmatch(str(pin.sha256)),
        "a date is none": _DATE.fullmatch(str(pin.date)),
        "a page is no number": all(type(one) is int and one >= 0 for one in pages),
        "a box is none": all(type(side) in (int, float) for one in boxes for side in astuple(one)),
    }
    if wrong := [what for what, right in checks.items() if not right]:
        raise TypeError(wrong[0])
    return pin


_SHA256, _DATE = re.compile(r"[0-9a-f]{64}"), re.compile(r"\d{4}-\d\d-\d\d")


def from_lock(manuscripts: Iterable[Manuscript], pins: Pins) -> list[Finding]:
    """Return a finding for each quotation without any corpus: an error unless it is pinned."""
    return [
        _from_lock(manuscript, quotation, pins)
        for manuscript in manuscripts
        for quotation in manuscript.quotations
    ]


def _from_lock(manuscript: Manuscript, quotation: Quotation, pins: Pins) -> Finding:
    pin = next((pins[one] for key in quotation.keys if (one := _known_by(quotation, key)) in pins), None)
    wrong = unjudged(manuscript, quotation, "not judged", _NOT_PINNED if pin is None else _CONTRADICTS)
    if pin is None or RANK[verdict_alone(pin.quote, pin.printed)] < RANK[pin.verdict]:
        return replace(wrong, level="error")
    said = f"pinned as {pin.verdict} on {pin.date}, not looked up"
    return replace(wrong, verdict="pinned", key=pin.key, level="ok", pinned=said, hint="")


_CONTRADICTS = (
    "The lock file contradicts itself: the words that it calls printed do not print the quotation so. "
    "Check it with the corpus, and pin it again."
)
_NOT_PINNED = "Not pinned: it is new, or its words, key or page have changed. Check it, and pin it."


def _known_by(quotation: Quotation, key: str) -> _Known:
    locator = quotation.by(key).locator
    return " ".join(quotation.words.text.split()), key, locator.text if locator else ""


def with_lock(findings: Iterable[Finding], pins: Pins, corpus: Corpus) -> list[Finding]:
    """Return the findings, each with what has changed since it was pinned. One without a pin is an error."""
    return [_compared(one, pins.get(_known_by(one.quotation, one.key)), corpus) for one in findings]


def _compared(finding: Finding, pin: Pin | None, corpus: Corpus) -> Finding:
    if pin is None:
        hint = " ".join(filter(None, (_NOT_PINNED, finding.hint)))
        return replace(finding, level="error", hint=hint)
    try:
        changed = corpus.original(pin.key).sha256 != pin.sha256
    except PageQuoteError:
        return replace(finding, hint=f"The paper was there on {pin.date}. {finding.hint}")
    if not changed and finding.level == "ok":
        return finding
    was = f"on {pin.date} it was {pin.verdict}" + (f" on page {pin.page}" if pin.page else "")
    what = "The source has changed" if changed else "The source is the same"
    stands = (
        "the quotation still stands" if finding.level == "ok" else "the quotation does not stand any more"
    )
    hint = f"{what}, and {stands}: {was}."
    return replace(finding, hint=" ".join(filter(None, (hint, finding.hint))))

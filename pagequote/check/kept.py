"""What is kept: the baseline of known errors, the lock file of what was found, and words by another version.

A known error has file, key, verdict, page and words. It has no line, so that it stays known while the text
around it changes. A pinned quotation has the PDF that prints it; it is known again by its words, what it
cites and the given page, as they are written, wherever it stands. So it can be told without the corpus which
quotations are still those that were found right, or could not be judged, and with it which sources have
changed since. Whoever may change the manuscript may change the file: without the corpus nothing is called
verbatim.
"""

import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, astuple, dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal, TypeVar, get_args

from lookup.compare.letters import superscript_characters
from lookup.corpus import Corpus
from lookup.errors import PageQuoteError, QueryError
from lookup.papers.paper import Paper, Paragraph
from lookup.quote.cascade import by_words
from lookup.quote.exact import ExactSearch
from lookup.quote.query import parse
from lookup.results.answer import whereabouts
from lookup.results.difference import Verdict
from lookup.results.quote_answer import Box
from lookup.storage import untrusted_files
from lookup.text.folding import fold
from pagequote.check.judge import RANK, Finding, Level, unjudged
from pagequote.check.manuscript import Manuscript
from pagequote.check.quotation import Quotation
from pagequote.check.word_diff import word_diff

T = TypeVar("T")

_VERSION = 1
_FIELDS = ("file", "key", "verdict", "page", "quote")

KnownFinding = tuple[str, ...]


def unknown_to(baseline: Path, findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings that are not in the baseline.

    Raise QueryError, also where no file that it names is there.
    """
    known = Counter(_known(baseline))
    files = {one[0] for one in known}
    if files and not any((baseline.parent / one).exists() for one in files):
        raise QueryError(
            f"The baseline {str(baseline)!r} knows nothing of what is there: no file beside it is called "
            f"{min(files)!r}. Write it again with --update-baseline."
        )
    new = []
    for finding in findings:
        entry = _known_finding(finding, baseline)
        if known[entry]:
            known[entry] -= 1
        else:
            new.append(finding)
    return new


def write_baseline(baseline: Path, findings: Iterable[Finding], *, beside: bool = False) -> int:
    """Write the errors among the findings as the baseline, and return their number.

    Those that are there stay if the new ones are to be `beside` them. Raise QueryError where another file has
    its name: that is not written over.
    """
    before = _known(baseline) if baseline.exists() else []
    errors = [_known_finding(one, baseline) for one in findings if one.level == "error"]
    every = sorted([*before, *errors] if beside else errors)
    _write(baseline, known=[dict(zip(_FIELDS, one, strict=True)) for one in every])
    return len(errors)


def _known(baseline: Path) -> list[KnownFinding]:
    return _read(
        baseline,
        "baseline",
        "--update-baseline",
        lambda content: [tuple(str(one[name]) for name in _FIELDS) for one in content["known"]],
    )


def _write(file: Path, **content: object) -> None:
    said = {"version": _VERSION, **content}
    file.write_text(json.dumps(said, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")


def _read(file: Path, what: str, by: str, said: Callable[[Any], T]) -> T:
    """Return what a file says; errors name `what` it is. Raise QueryError."""
    try:
        content = untrusted_files.read_json(untrusted_files.content(file, untrusted_files.MOST_JSON))
        if content["version"] != _VERSION:
            raise QueryError(f"The {what} {str(file)!r} has another version. Write it again with {by}.")
        return said(content)
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise QueryError(f"The {what} {str(file)!r} cannot be read: {error}. Write it with {by}.") from error


def _known_finding(finding: Finding, baseline: Path) -> KnownFinding:
    file = os.path.relpath(finding.manuscript.path.resolve(), baseline.resolve().parent)
    page = finding.page_given or ""
    return Path(file).as_posix(), finding.key, finding.verdict, page, fold(finding.quoted)


_KnownBy = tuple[str, str, str]
"""What a quotation is known by: its words, letter by letter, what it cites, and the page that is given."""

Unjudged = Literal["not judged", "no quotation"]
"""What is pinned, though no verdict was given: a quotation that could not be judged, a title or a term."""


@dataclass(frozen=True)
class Pin:
    """A quotation as it was found on `date` in the PDF with the SHA-256 `sha256`; `quote` is the writer's.

    `cited` is the key or name that the manuscript cites; where it cites none, and the sentence before names
    the author, that sentence. `remark` says what was to be seen, or why nothing could be judged: then there
    is no PDF and no printed words.
    """

    key: str
    cited: str
    quote: str
    page_given: str | None
    verdict: Verdict | Unjudged
    sha256: str
    page: int
    page_label: str | None
    boxes: tuple[Box, ...]
    printed: str
    remark: str
    date: str

    @property
    def known_by(self) -> _KnownBy:
        """Return what tells the quotation from others."""
        return " ".join(self.quote.split()), self.cited, self.page_given or ""


Pins = Mapping[_KnownBy, Pin]


def pinned(
    manuscripts: Iterable[Manuscript], findings: Iterable[Finding], corpus: Corpus, date: str, before: Pins
) -> list[Pin]:
    """Return a pin for each quotation that is no error; one that says the same as `before` keeps its date.

    What was found to be no quotation is pinned as that: without the corpus nothing else tells it.
    """
    found = {(one.manuscript.path, one.quotation.start, one.quotation.end): one for one in findings}
    pins = {}
    for manuscript in manuscripts:
        for quotation in manuscript.quotations:
            finding = found.get((manuscript.path, quotation.start, quotation.end))
            if finding is None or finding.level != "error":
                pin = _pinned(quotation, finding, corpus, date)
                known = before.get(pin.known_by)
                pins[pin.known_by] = known if known and replace(known, date=date) == pin else pin
    return [pins[known_by] for known_by in sorted(pins)]


def _pinned(quotation: Quotation, finding: Finding | None, corpus: Corpus, date: str) -> Pin:
    words, cited, page = _known_by(quotation, led=bool(finding and finding.key))
    match = finding.match if finding else None
    return Pin(
        key=finding.key if finding else "",
        cited=cited,
        quote=words,
        page_given=page or None,
        verdict=match.verdict if match else "not judged" if finding else "no quotation",
        sha256=corpus.original(finding.key).sha256 if finding and match else "",
        page=match.page if match else 0,
        page_label=match.page_label if match else None,
        boxes=match.boxes if match else (),
        printed=match.quote if match else "",
        remark=(finding.remark or finding.hint) if finding and finding.level == "warning" else "",
        date=date,
    )


def write_lock(lock: Path, pins: Sequence[Pin]) -> None:
    """Write the pins as a lock file."""
    _write(lock, pins=[asdict(one) for one in pins])


def read_lock(lock: Path) -> Pins:
    """Return the pins of a lock file. Raise QueryError."""
    pins = _read(lock, "lock file", "`pin`", lambda content: [_pin(one) for one in content["pins"]])
    return {one.known_by: one for one in pins}


def _pin(given: dict[str, Any]) -> Pin:
    boxes = tuple(Box(**box) for box in given["boxes"])
    pin = Pin(**{name.name: given[name.name] for name in fields(Pin)} | {"boxes": boxes})
    pages = (pin.page, *(box.page for box in boxes))
    texts = [*(given[name] for name in _TEXTS), pin.page_given or "", pin.page_label or ""]
    judged = pin.verdict not in _UNJUDGED
    checks = {
        "a key, quotation or page is no text": all(isinstance(one, str) for one in texts),
        "a verdict is none": not judged or pin.verdict in get_args(Verdict),
        "a sha256 is none": _SHA256.fullmatch(str(pin.sha256)) if judged else pin.sha256 == "",
        "a date is none": _DATE.fullmatch(str(pin.date)),
        "a page is no number": all(type(one) is int and one >= 0 for one in pages),
        "a box is none": all(type(side) in (int, float) for one in boxes for side in astuple(one)),
    }
    if wrong := [what for what, right in checks.items() if not right]:
        raise TypeError(wrong[0])
    return pin


_TEXTS = ("key", "cited", "quote", "printed", "remark")
_UNJUDGED = get_args(Unjudged)
_SHA256, _DATE = re.compile(r"[0-9a-f]{64}"), re.compile(r"\d{4}-\d\d-\d\d")


def from_lock(manuscripts: Iterable[Manuscript], pins: Pins) -> Iterator[Finding]:
    """Yield a finding for each quotation without any corpus: an error unless it is pinned.

    One that is pinned as not judged is a warning. What is pinned as no quotation has no finding.
    """
    for manuscript, quotation in ((one, quotation) for one in manuscripts for quotation in one.quotations):
        pin = _pin_of(quotation, pins)
        unknown = unjudged(manuscript, quotation, "not judged", pin.remark if pin else _NOT_PINNED)
        said = f"pinned as {pin.verdict} on {pin.date}, not looked up" if pin else ""
        if pin is None:
            yield replace(unknown, level="error")
        elif pin.verdict == "not judged":
            yield replace(unknown, pinned=said)
        elif pin.verdict == "no quotation":
            continue
        elif RANK[verdict_alone(pin.quote, pin.printed)] < RANK[pin.verdict]:
            yield replace(unknown, level="error", hint=_CONTRADICTS)
        else:
            right = unjudged(manuscript, quotation, "pinned", "")
            level: Level = "warning" if pin.remark else "ok"
            yield replace(right, key=pin.key, level=level, pinned=said, remark=pin.remark)


def verdict_alone(quote: str, printed: str) -> Verdict:
    """Return the verdict on `quote` in a text alone, of which only the characters are known.

    What the quote has as superscripts is taken for printed so.
    """
    flat = superscript_characters(printed) + [
        at
        for raised in _RAISED.finditer(quote)
        for found in re.finditer(re.escape(fold(raised[0])).replace(r"\-", "[-−–]"), printed)
        for at in found.span()
    ]
    paragraph = Paragraph(0, 1, 1, "body", fold(printed), sorted(flat), 0)
    paper = Paper("", (paragraph,), lambda _: (printed, printed))
    found = by_words(ExactSearch(paper), parse(quote, cased=True))
    return found[0].verdict if found else "related"


_RAISED = re.compile("[⁰¹²³⁴-⁻]+")


_CONTRADICTS = (
    "The lock file contradicts itself: the words that it calls printed do not print the quotation so. "
    "Check it with the corpus, and pin it again."
)
_NOT_PINNED = "Not pinned: it is new, or its words, key or page have changed. Check it, and pin it."


def _known_by(quotation: Quotation, *, led: bool = False) -> _KnownBy:
    """Return what a quotation is known by: where it cites nothing and is `led`, by the sentence before."""
    given = dict(quotation.written or quotation.each).values()
    pages = [f"{one.text}{f'#{one.linked}' if one.linked else ''}" if one else "" for one in given]
    cited = quotation.cited_as or quotation.lead * led
    return " ".join(quotation.words.text.split()), cited, "; ".join(pages) if any(pages) else ""


def _pin_of(quotation: Quotation, pins: Pins) -> Pin | None:
    return pins.get(_known_by(quotation, led=True)) or pins.get(_known_by(quotation))


def with_lock(findings: Iterable[Finding], pins: Pins, corpus: Corpus) -> list[Finding]:
    """Return the findings, each with what has changed since it was pinned. One without a pin is an error."""
    return [_compared(one, _pin_of(one.quotation, pins), corpus) for one in findings]


def _compared(finding: Finding, pin: Pin | None, corpus: Corpus) -> Finding:
    if pin is None or (pin.verdict == "no quotation" and finding.judged):
        hint = " ".join(filter(None, (_NOT_PINNED, finding.hint)))
        return replace(finding, level="error", hint=hint)
    if pin.verdict in _UNJUDGED:
        if finding.level == "warning":
            return replace(finding, pinned=f"pinned as {pin.verdict} on {pin.date}")
        again = f"On {pin.date} it could not be judged: pin it again."
        return replace(finding, hint=" ".join(filter(None, (again, finding.hint))))
    try:
        changed = corpus.original(pin.key).sha256 != pin.sha256
    except PageQuoteError:
        return replace(finding, hint=f"The paper was there on {pin.date}. {finding.hint}")
    if not changed and finding.level == "ok":
        return finding
    was = f"on {pin.date} it was {pin.verdict}" + (f" on page {pin.page}" if pin.page else "")
    what = "The source has changed" if changed else "The source is the same"
    stands = "still stands" if finding.level == "ok" else "does not stand any more"
    hint = f"{what}, and the quotation {stands}: {was}."
    return replace(finding, hint=" ".join(filter(None, (hint, finding.hint))))


_KINDS = "'body', 'quote', 'list', 'caption', 'footnote'"

_LEAST_CHARACTERS = 40  # A shorter paragraph is a rest of one, and most papers print its words somewhere.


Words = tuple[str, str]  # Words of one version, and where they stand: on its page, or in a manuscript.


def paragraphs(corpus: Corpus, key: str) -> Iterator[Words]:
    """Yield the paragraphs of running text of a paper. Raise UnknownKeyError."""
    key = corpus.paper(key).key
    rows = corpus.sql(
        f"SELECT text, page, page_label FROM printed_paragraphs WHERE key = ? AND kind IN ({_KINDS}) "
        "AND length(text) >= ? ORDER BY paragraph",
        [key, _LEAST_CHARACTERS],
    )
    for text, page, label in rows:
        yield text, whereabouts(None, page, label)


def quotations(manuscripts: Iterable[Manuscript], key: str) -> Iterator[Words]:
    """Yield the quotations that cite the paper."""
    for manuscript in manuscripts:
        for one in manuscript.quotations:
            if key in one.keys:
                line, column = manuscript.place(one.start)
                yield " ".join(one.words.text.split()), f"{manuscript.path.as_posix()}:{line}:{column}"


def kept(words: Sequence[Words], other: Corpus, key: str) -> list[dict[str, Any]]:
    """Return for each of the words whether the paper `key` of the other corpus prints them, where and how."""
    verified = other.verify_all((key, text) for text, _ in words)
    every = []
    for (text, place), found in zip(words, verified, strict=True):
        match = found.match
        every.append(
            {
                "place": place,
                "words": text,
                "verdict": found.verdict,
                "page": match and match.page,
                "page_label": match and match.page_label,
                "diff": word_diff(text, match) if match and found.verdict == "near" else None,
            }
        )
    return every

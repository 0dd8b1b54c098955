"""Judges each quotation of a manuscript: its verdict, and whether its page is right."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Literal

from lookup.corpus import Corpus
from lookup.errors import NextStep, PageQuoteError, UnknownKeyError
from lookup.papers.locators import Labels, Locator, as_physical, as_printed
from lookup.quote.query import parse
from lookup.quote.verify import ONLY_THERE
from lookup.results.answer import counted
from lookup.results.difference import PRINTED, Difference, Verdict
from lookup.results.quote_answer import Box, Elsewhere, Match, Verification
from pagequote.check.cited_works import with_keys
from pagequote.check.manuscript import Manuscript
from pagequote.check.quotation import NOT_UTF8, MappedText, Quotation, Spans
from pagequote.check.without_paper import NO_CITATION, LookedUp, look_up
from pagequote.check.word_diff import word_diff

FindingVerdict = Literal[Verdict, "not found", "not covered", "unknown key", "not judged", "pinned"]

Level = Literal["ok", "error", "warning"]

RANK: dict[FindingVerdict, int] = {"verbatim": 4, "abridged": 3, "near": 2, "related": 1, "not found": 0}
"""Verdicts on the words, the best the highest. The others mean that they could not be judged."""


@dataclass(frozen=True)
class Finding:
    """The finding on one quotation.

    `page_given` is from the manuscript; the words begin on `page` (`page_label`) and are printed on `pages`.
    `page_is_right` is None if no page is given or nothing was found; `counted` is how a right page is
    counted. `diff` is a word diff if the words differ. `printed` are the words of the paper, and `match` is
    all that is known of them. `level` is "error" if the writer must correct something, "warning" if the
    quotation was not judged, its page was not read, or there is a `remark` on what it cites. `pinned` is what
    the lock file says where nothing was looked up.
    """

    manuscript: Manuscript
    quotation: Quotation
    line: int
    column: int
    key: str
    verdict: FindingVerdict
    level: Level
    page_given: str | None
    page_is_right: bool | None = None
    counted: Literal["physical", "printed", "both"] | None = None
    page: int | None = None
    page_label: str | None = None
    pages: tuple[tuple[int, str | None], ...] = ()
    printed: str | None = None
    diff: str | None = None
    differences: tuple[Difference, ...] = ()
    omitted: tuple[str, ...] = ()
    elsewhere: tuple[Elsewhere, ...] = ()
    hint: str = ""
    next_step: NextStep | None = None
    match: Match | None = None
    pinned: str = ""
    remark: str = ""

    @property
    def judged(self) -> bool:
        """Return whether something is known of the words: a verdict on them, of now or of the lock file."""
        return self.verdict in RANK or self.verdict == "pinned"

    @property
    def around(self) -> str:
        """Return the whole printed sentence that a quotation cuts, as `Match.around` has it, else ''."""
        return self.match.around if self.match else ""

    @property
    def where(self) -> str:
        """Return page and heading of a document at the quotation, as far as they are known, else ''."""
        return self.manuscript.where(self.quotation.start)

    @property
    def boxes(self) -> tuple[Box, ...]:
        """Return where a manuscript in PDF prints the quotation; none for other files."""
        return self.manuscript.boxes(self.quotation.start, self.quotation.end)

    @property
    def locator(self) -> Locator | None:
        """Return the pages that the manuscript gives for the key."""
        return self.quotation.pages_of(self.key)

    @property
    def quoted(self) -> str:
        """Return the quoted words, on one line."""
        return " ".join(self.quotation.words.text.split())


def judge(
    corpus: Corpus,
    manuscripts: Iterable[Manuscript],
    min_verdict: Verdict = "abridged",
    before: Iterable[Finding] = (),
) -> list[Finding]:
    """Return a finding for each quotation. A verdict below `min_verdict` is an error, as is a wrong page.

    There is none for what cites nothing, looks like a title, speech or a term, and is printed in no paper.

    If several keys are cited together, the paper that prints the quotation best decides. What the findings
    `before` say of the same words, keys and pages is not judged again: they are of the same release, and were
    made with the same `min_verdict`.
    """
    quoted = [
        (one, quotation.within(one.source))
        for one in manuscripts
        for quotation in with_keys(corpus, one.quotations, one.works)
    ]
    known = {_asked(one.quotation): one for one in before}
    judged = iter(_judged(corpus, [one for one in quoted if _asked(one[1]) not in known], min_verdict))
    every = []
    for manuscript, quotation in quoted:
        found = known.get(_asked(quotation))
        if found is not None:
            line, column = manuscript.place(quotation.start)
            found = replace(found, manuscript=manuscript, quotation=quotation, line=line, column=column)
        every.append(found or next(judged))
    return [one for one in every if one is not None]


def cited_alone(
    corpus: Corpus, manuscripts: Iterable[Manuscript], findings: Iterable[Finding]
) -> list[Finding]:
    """Return a finding for each manuscript of which there is none, and that cites papers of the corpus."""
    quoting = {one.manuscript.path for one in findings}
    found = []
    for one in manuscripts:
        if one.path in quoting or not one.cited:
            continue
        known = _labels(corpus, {key for citation in one.cited for key, _ in citation.each})
        cited = [citation for citation in one.cited if known.keys() & set(dict(citation.each))]
        if cited:
            first = cited[0]
            nothing = Quotation(MappedText("", Spans()), first.each, first.start, first.end, "")
            hint = f"{counted(len(cited), 'citation')} of papers, and nothing that is quoted beside them."
            found.append(unjudged(one, nothing, "not judged", hint))
    return found


def _asked(quotation: Quotation) -> tuple[str, tuple[str, str], str, tuple[tuple[str, str | None], ...]]:
    """Return what the finding on a quotation depends on: its words, those beside it, keys with pages."""
    given = ((key, quotation.pages_of(key)) for key in quotation.keys)
    return (
        quotation.words.text,
        quotation.beside,
        f"{quotation.known}{quotation.why}",
        tuple((key, pages.text if pages else None) for key, pages in given),
    )


def _judged(
    corpus: Corpus, quoted: Sequence[tuple[Manuscript, Quotation]], min_verdict: Verdict
) -> list[Finding | None]:
    labels = _labels(corpus, {key for _, quotation in quoted for key in quotation.keys})
    asked = [
        (key, quotation.words.text, _meant(quotation.pages_of(key), labels[key]), quotation.beside)
        for _, quotation in quoted
        for key in quotation.keys
        if key in labels and _problem(quotation) is None
    ]
    verified = iter(corpus.verify_all(asked))
    findings: list[Finding | None] = []
    for manuscript, quotation in quoted:
        problem = _problem(quotation)
        known = [key for key in quotation.keys if key in labels and problem is None]
        judged = list(islice(verified, len(known)))
        least = RANK["near" if quotation.known else "abridged"] if quotation.why else 0
        alike = [one for one in judged if RANK.get(one.verdict, 0) >= least]
        if alike:
            best = max(alike, key=lambda one: (RANK.get(one.verdict, -1), one.page_is_right is True))
            findings.append(_finding(manuscript, quotation, best, labels[best.key], min_verdict))
        elif quotation.why:
            found = look_up(corpus, quotation._replace(each=(), cited=None))
            hint = f"{quotation.why} {found.hint.removeprefix(NO_CITATION).strip()}".strip()
            findings.append(_looked_up(unjudged(manuscript, quotation, "not judged", hint), found))
        elif problem:
            findings.append(unjudged(manuscript, quotation, "not judged", str(problem), problem.next_step))
        else:
            findings.append(_without_paper(corpus, manuscript, quotation, min_verdict))
    return findings


def _without_paper(
    corpus: Corpus, manuscript: Manuscript, quotation: Quotation, min_verdict: Verdict
) -> Finding | None:
    """Return the finding on a quotation of which no paper is cited that the corpus has; None for none."""
    found = look_up(corpus, quotation)
    if found.level == "none":
        return None
    if found.key:
        each = ((found.key, quotation.locator),)
        meant = quotation._replace(each=each, written=quotation.written or quotation.each)
        (finding,) = _judged(corpus, [(manuscript, meant)], min_verdict)
        return finding and _remarked(finding, found.hint)
    if not quotation.keys:
        return _looked_up(unjudged(manuscript, quotation, "not judged", found.hint), found)
    why = _unknown(corpus, quotation.keys[0])
    hint = found.hint or str(why)
    finding = unjudged(manuscript, quotation, "unknown key", hint, None if found.hint else why.next_step)
    level: Level = "error" if found.level == "error" else "warning"
    return replace(_looked_up(finding, found), level=level)


def _looked_up(finding: Finding, found: LookedUp) -> Finding:
    """Return a finding that is not judged with who prints its words, or how those differ that are printed."""
    match = found.near
    if match is None:
        return replace(finding, elsewhere=found.elsewhere)
    diff = word_diff(finding.quotation.words.text, match)
    return replace(finding, diff=diff, printed=match.quote, differences=match.differences)


def _remarked(finding: Finding, remark: str) -> Finding:
    """Return a finding with a remark, which is to be seen also where all else is right."""
    if not remark:
        return finding
    return replace(finding, remark=remark, level="warning" if finding.level == "ok" else finding.level)


def _labels(corpus: Corpus, keys: Iterable[str]) -> dict[str, Labels]:
    """Return the pages of the papers that the corpus has."""
    wanted = sorted(keys)
    labels: dict[str, list[tuple[int, str | None]]] = {}
    if wanted:
        holes = ", ".join("?" * len(wanted))
        rows = corpus.sql(
            "SELECT key, page, page_label FROM papers LEFT JOIN pages USING (key) "
            f"WHERE key IN ({holes}) ORDER BY key, page",
            wanted,
        )
        for key, page, label in rows:
            labels.setdefault(key, []).extend([(page, label)] if page else [])
    return dict(labels)


def _meant(locator: Locator | None, labels: Labels) -> frozenset[int]:
    """Return the pages that a locator may mean; a page that no paper has if it can mean none."""
    if locator is None or _unread_page(locator, labels):
        return frozenset()
    meant = as_physical(locator, labels) | as_printed(locator, labels)
    if locator.linked is not None:
        linked = frozenset({locator.linked})
        meant = meant & linked if locator.ranges else linked
    return meant or frozenset({_NO_PAGE})


def _unread_page(locator: Locator, labels: Labels) -> bool:
    """Return whether nobody knows which pages are given: what a page prints, "A-3", is that page."""
    return not locator.understood and not as_printed(locator, labels)


_NO_PAGE = -1


def _problem(quotation: Quotation) -> PageQuoteError | None:
    try:
        parse(quotation.words.text)
    except PageQuoteError as error:
        return error
    return None


def _unknown(corpus: Corpus, key: str) -> PageQuoteError:
    try:
        paper = corpus.paper(key)
    except PageQuoteError as error:
        return error
    return UnknownKeyError(key, [paper.key])  # a manuscript has keys, not names


def unjudged(
    manuscript: Manuscript,
    quotation: Quotation,
    verdict: FindingVerdict,
    hint: str,
    next_step: NextStep | None = None,
) -> Finding:
    """Return the finding on a quotation on whose words nothing is known."""
    key, locator = next(iter(quotation.each), ("", None))
    given = locator.text if locator else None
    about = *manuscript.place(quotation.start), key, verdict
    return Finding(manuscript, quotation, *about, "warning", given, hint=hint, next_step=next_step)


def _finding(
    manuscript: Manuscript,
    quotation: Quotation,
    verified: Verification,
    labels: Labels,
    min_verdict: FindingVerdict,
) -> Finding:
    match = verified.match
    given = quotation.pages_of(verified.key)
    finding = replace(
        unjudged(manuscript, quotation, verified.verdict, verified.hint, verified.next_step),
        key=verified.key,
        page_given=given.text if given else None,
        level="error" if verified.verdict in RANK else "warning",
        elsewhere=verified.elsewhere,
    )
    if match is None:
        return finding
    pages = sorted({match.page, *(box.page for box in match.boxes)})
    unread_page = given is not None and _unread_page(given, labels)
    unplaced = given is None or unread_page or not match.page or verified.verdict == "related"
    right = None if unplaced else verified.page_is_right if verified.page else False
    wrong = right is False or RANK[verified.verdict] < RANK[min_verdict]
    by_page = dict(labels)
    unread = quotation.unread(manuscript.source) if verified.verdict not in PRINTED else ()
    hint = _UNREAD.format(", ".join(unread)) if unread else _hint(verified, match, right=right)
    hint = _NOT_UTF8 if NOT_UTF8.search(quotation.words.text) else hint
    finding = replace(
        finding,
        level="error" if wrong else "ok",
        page_is_right=right,
        counted=_counted(given, labels, pages) if given is not None and right else None,
        page=match.page or None,
        page_label=match.page_label,
        pages=tuple((page, by_page.get(page)) for page in pages if page),
        printed=match.quote,
        diff=word_diff(quotation.words.text, match) if verified.verdict == "near" else None,
        differences=match.differences,
        omitted=match.omitted,
        hint=hint,
        next_step=verified.next_step if hint else None,
        match=match,
    )
    return _remarked(finding, _UNREAD_PAGE.format(given.text)) if given and unread_page else finding


_NOT_UTF8 = "The file is not UTF-8. Save it as UTF-8, and check it again."
_UNREAD = (
    "Cannot be read: {}. Write what it prints, or name a macro and its text under [check.text] of "
    "pagequote.toml."
)
_UNREAD_PAGE = "The page “{}” was not read: write it as “p. 6”, “pp. 6-7” or “6”."


def _counted(given: Locator, labels: Labels, pages: Sequence[int]) -> Literal["physical", "printed", "both"]:
    physical = not as_physical(given, labels).isdisjoint(pages)
    printed = not as_printed(given, labels).isdisjoint(pages)
    return "both" if physical and printed else "printed" if printed else "physical"


def _hint(verified: Verification, match: Match, *, right: bool | None) -> str:
    if right is False:
        return ""  # the finding has both pages
    if verified.verdict == "near":
        return verified.hint
    if match.verdict in PRINTED and not (right is None and verified.page and match.page):
        return ONLY_THERE.get(match.kind, "")
    return verified.hint

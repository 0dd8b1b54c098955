"""The checks of the kernel: what must agree where a query and the print have the same letters and digits.

A check is a function; its docstring says what holds where it finds nothing. GAPS are those of what stands
between two letters, CHECKS those of letters; PLACES and QUOTES, those of a place and of a whole quote, are in
quote/certify.py. docs/reference/checks.md shows all of them, with pairs that each decides.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple, TypeVar

from lookup.compare import gaps
from lookup.compare.gaps import Gap, differing_gaps, gap_at, loose_quotes
from lookup.compare.letter_case import case_differences
from lookup.compare.letters import Letters
from lookup.results.difference import Difference, Differences
from lookup.text.folding import of_its_script
from lookup.text.regex import regex
from lookup.text.sentences import other_end

Subject = TypeVar("Subject")


def first_found(
    checks: Iterable[Callable[[Subject], Differences]], subject: Subject
) -> tuple[Difference, ...]:
    """Return what differs by the first check that finds something."""
    return next(filter(None, (tuple(check(subject)) for check in checks)), ())


class Compared(NamedTuple):
    """A query and the print, without the citation marks that the query leaves out or shows in another form.

    `after` is the folded text that follows in print. `cased` says that the case of words counts, `leftwards`
    that the query may have the digits of another script, `known` whether the paper has a word.
    """

    asked: Letters
    printed: Letters
    after: str = ""
    cased: bool = False
    leftwards: bool = False
    known: Callable[[str], bool] = bool


def other_gaps(asked: Letters, printed: Letters) -> Iterator[int]:
    """Yield the gaps in which letters that are the same do not agree."""
    differing = differing_gaps(asked, printed)
    quoted = any(_QUOTES.search(asked.gaps[at] + printed.gaps[at]) for at in differing)
    quotes = (loose_quotes(asked), loose_quotes(printed)) if quoted else ({}, {})
    for number in differing:
        gap = gap_at(asked, printed, number, quotes)
        decided = (check(gap) for check in GAPS)
        if not next((agreed for agreed in decided if agreed is not None), True):
            yield number


def other_parts(asked: Letters, printed: Letters) -> Iterator[Difference]:
    """Yield what differs between letters that are the same, by what stands between them."""
    for number in other_gaps(asked, printed):
        spaces = asked.gaps[number], printed.gaps[number]
        kind = {(" ", ""): "split", ("", " "): "merged"}.get(spaces, "form")
        yield Difference(kind, asked.around(number), printed.around(number))


def other_marks(asked: Letters, printed: Letters) -> Iterator[Difference]:
    """Yield what differs in punctuation alone between letters whose gaps agree, with the words around it."""
    for number in differing_gaps(asked, printed):
        marks, printed_marks = (_NO_MARK.sub("", side.gaps[number]) for side in (asked, printed))
        if marks != printed_marks and 0 < number < len(asked.chars):
            yield Difference("punctuation", asked.around(number), printed.around(number))


def same_words(both: Compared) -> Differences:
    """The letters are the same, and what stands between them agrees: the same words, numbers and signs."""
    same = both.asked.chars == both.printed.chars
    found = list(other_parts(both.asked, both.printed)) if same else []
    parted = (one.kind in ("split", "merged") and not _DIGIT.search(one.asked) for one in found)
    if not same or not all(parted):
        from lookup.compare.differences import other_words  # what is printed does without  # noqa: PLC0415

        found = other_words(both) or found or [Difference("form", both.asked.text, both.printed.text)]
    yield from found


def same_end(both: Compared) -> Differences:
    """The query ends with the stop that is printed there, or with none: "it grew?" is not "it grew."."""
    if other := other_end(both.asked.text, both.printed.text, both.after):
        yield Difference("form", *other)


def same_heights(both: Compared) -> Differences:
    """What is raised or lowered is so on both sides: 10³ is not 103. Only the first that is not is named."""
    sides = both.asked, both.printed
    raised = {at for side in sides for at, known in side.facts.items() if known.raised is not None}
    for number in sorted(raised):
        if _set_otherwise(*sides, number):
            shown = (side.around(number, "^" if side.of(number).raised else "") for side in sides)
            yield Difference("number", *shown)
            return


def _set_otherwise(asked: Letters, printed: Letters, number: int) -> bool:
    """Return whether a letter is raised on one side, and not on the other where that may mean something else.

    What a query has as plain digits may be raised in print, but for an exponent that is not clear without.
    A citation mark may have any form.
    """
    one, other = asked.of(number), printed.of(number)
    if other.cited and (one.raised or other.exponent is None or asked.gaps[number]):
        return False
    if one.raised is False:
        return other.raised is True
    goes_on = asked.of(number - 1).raised and not asked.gaps[number]
    if not one.raised:
        return other.exponent is False or bool(goes_on and other.raised and printed.of(number - 1).raised)
    if other.raised or not number:
        return False
    if goes_on:
        return printed.of(number - 1).raised is True
    if "-" in asked.gaps[number]:  # "cm-1" and "× 10-5" are as clear
        return asked.chars[number - 1].isdigit() and not _TIMES_TEN.search(asked.before(number))
    return asked.gaps[number] in ("", ")")


def same_forms(both: Compared) -> Differences:
    """What folds alike is the same letter: ß is not ss, but in capitals."""
    asked, printed = both.asked, both.printed
    formed = {number for side in (asked, printed) for number, known in side.facts.items() if known.form}
    for number in sorted(formed):
        forms = one, other = asked.of(number).form, printed.of(number).form
        points, printed_points = set(one), set(other)
        sharp, letter = "ß" in forms, not {"ß", "ı"}.isdisjoint(forms)
        if one == other or (one.isdigit() and (both.leftwards or of_its_script(one, asked.text))):
            continue
        if not one.isdigit() and not letter and (points <= printed_points or points >= printed_points):
            continue  # points that one side leaves out
        plain = asked if other else printed
        if letter and plain.written[number : number + 1 + sharp].isupper():
            continue
        here, folded = asked.around(number), asked.chars[number : number + 1 + sharp]
        before = asked.before(number)
        at = len("".join(before.split()[-1:])) + before.endswith(" ")
        put_in = (form or folded if letter or form.isdigit() else folded + form for form in forms)
        yield Difference("form", *(f"{here[:at]}{one}{here[at + len(folded) :]}" for one in put_in))


def same_case(both: Compared) -> Differences:
    """Capitals are the same where they mean something: NO is not no."""
    if both.cased or any(map(str.isdigit, both.asked.chars)):
        pairs = case_differences(both.asked.text_written, both.printed.text_written, cased=both.cased)
        yield from (Difference("case", *pair) for pair in pairs)


GAPS: tuple[Callable[[Gap], bool | None], ...] = (
    gaps.lines_of_verse,
    gaps.primes,
    gaps.signs_of_values,
    gaps.operators,
    gaps.dashes,
    gaps.dots,
    gaps.stops,
    gaps.citation_mark,
    gaps.between_digits,
    gaps.true_signs,
    gaps.brackets,
    gaps.next_to_digits,
    gaps.hyphens_and_spaces,
    gaps.other_signs,
)
"""What must agree between two letters, in this order: the first that decides is right."""

CHECKS: tuple[Callable[[Compared], Differences], ...] = (
    same_words,
    same_end,
    same_heights,
    same_forms,
    same_case,
)
"""What letters must fulfil to be printed, in this order: the first that finds something names it."""

_DIGIT = regex(r"\d")
_QUOTES = regex("['\"]")
_NO_MARK = regex(r"[\s-]+")
_TIMES_TEN = regex(r"[×·*x⋅∙]\s?10\s?-\s?$")

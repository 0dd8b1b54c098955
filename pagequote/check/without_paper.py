"""Quotations that cite no paper of the corpus: they are looked up in all papers all the same."""

from typing import Literal, NamedTuple

from cachetools import LRUCache, cached

from lookup.corpus import Corpus
from lookup.results.answer import whereabouts
from lookup.results.difference import PRINTED
from lookup.results.papers import PaperSummary
from lookup.results.quote_answer import Elsewhere, Match, Verification
from pagequote.check.cited_works import long_words, names_author
from pagequote.check.quotation import Name, Quotation


class LookedUp(NamedTuple):
    """What all papers say of a quotation whose paper is not known.

    `key` is the paper that it is, by what prints the words and what the manuscript says of it, '' for none.
    With `level` "none" it is no quotation at all. `hint` says what was found, or why nothing could be judged.
    `near` is what a paper prints nearly the same.
    """

    level: Literal["ok", "error", "warning", "none"]
    key: str = ""
    elsewhere: tuple[Elsewhere, ...] = ()
    hint: str = ""
    near: Match | None = None


_FEW_WORDS = 5
"""Words up to which other papers print the same by chance: none is blamed for them."""

_NOT_ITS_OWN = frozenset({"title", "front", "heading", "reference", "furniture"})
"""Kinds of print that a title is found in."""

_MARKS = "“„«‹\"‘'"


def look_up(corpus: Corpus, quotation: Quotation) -> LookedUp:
    """Return what the papers of the corpus say of the words, and whether that can be what is cited."""
    found = _verified(corpus, quotation.words.text)
    printed = found.verdict in PRINTED
    if quotation.looks and not (printed and found.match and found.match.kind not in _NOT_ITS_OWN):
        return LookedUp("none")
    paper = corpus.paper(found.key) if found.key and (printed or found.verdict == "near") else None
    match, where = found.match, tuple[Elsewhere, ...]()
    if match and paper and printed:
        where = (Elsewhere(found.key, match.page, match.page_label), *found.elsewhere)
    near = None if printed or paper is None else found.match
    if not quotation.keys:
        return _uncited(quotation, paper, where, near)
    key = quotation.keys[0]
    if paper is None:
        return LookedUp("warning", hint=_MISSING if isinstance(key, Name) else "")
    names = names_author(paper, key)
    if names and isinstance(key, Name):
        remark = f"Cited as “{key}”; the paper is {named(paper)}."
        return LookedUp("ok", paper.key, hint=remark)
    if near is not None:
        return LookedUp("warning", hint=f"{_NO_PAPER.format(key)} {_nearly(paper, near)}", near=near)
    if names:
        cure = _CURE.format(key=key, paper=paper.key)
        return LookedUp("error", elsewhere=where, hint=cure) if where else LookedUp("warning")
    if where and isinstance(key, Name) and not _contradicts(paper, key):
        unsure = f"Cited as “{key}”; {paper.key} prints the words, and its author is not known."
        return LookedUp("ok", paper.key, hint=unsure)
    if not where or _quoted_there(found) or len(quotation.words.text.split()) <= _FEW_WORDS:
        return LookedUp("warning", elsewhere=where)
    return LookedUp("error", elsewhere=where, hint=f"Cited as {key}, printed by {named(paper)}.")


def _contradicts(paper: PaperSummary, said: str) -> bool:
    """Return whether what is known of a paper is not what a text names: its authors, else its title."""
    if paper.authors:
        return True
    title, words = long_words(paper.title or ""), long_words(said)
    return len(title) >= _TITLE and len(words) >= _TITLE and not title & words


_TITLE = 3  # Long words of a title that tell one work from another.


def _nearly(paper: PaperSummary, match: Match) -> str:
    """Return that a paper prints nearly the same, and where."""
    return f"{named(paper)} prints nearly the same, {whereabouts(None, match.page, match.page_label)}."


def _uncited(
    quotation: Quotation, paper: PaperSummary | None, where: tuple[Elsewhere, ...], near: Match | None
) -> LookedUp:
    if paper is not None and quotation.cited is None and names_author(paper, quotation.lead):
        return LookedUp("ok", paper.key, hint="The sentence names its author alone: no page, and no note.")
    if where and paper is not None:
        return LookedUp("warning", elsewhere=where, hint=f"{NO_CITATION} {named(paper)} prints the words.")
    alike = f" {_nearly(paper, near)}" if paper is not None and near is not None else ""
    return LookedUp("warning", hint=f"{NO_CITATION}{alike}", near=near)


NO_CITATION = "No citation that can be read stands beside it."
_NO_PAPER = "No paper is “{}”."
_MISSING = "The corpus has no paper of this name."
_CURE = "No paper has the key {key}; {paper} prints the words."


def called(paper: PaperSummary) -> str:
    """Return what people call a paper: its authors and year, else its title, else its key."""
    return paper.cited if paper.authors else paper.title or paper.key


def named(paper: PaperSummary) -> str:
    """Return the same without commas, as sentences have it."""
    return called(paper).replace(", ", " ")


def _quoted_there(found: Verification) -> bool:
    """Return whether the paper quotes the words itself: then another may well be their author."""
    match = found.match
    if match is None or match.kind == "quote":
        return match is not None
    return match.text[: match.span[0]].rstrip()[-1:] in _MARKS and bool(match.text[: match.span[0]].strip())


@cached(LRUCache(2000), key=lambda corpus, words: (str(corpus.release.folder), words))
def _verified(corpus: Corpus, words: str) -> Verification:
    """Return what all papers say of the words: an editor asks the same again at each change of a draft."""
    return corpus.verify(words)

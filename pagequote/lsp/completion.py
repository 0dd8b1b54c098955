"""What can follow the words before the cursor: keys in a citation, printed words in a quotation."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from lsprotocol import types

from lookup.corpus import Corpus
from lookup.errors import QueryError, UnknownKeyError
from lookup.results.answer import short, whereabouts
from lookup.text.folding import fold
from lookup.text.printable import on_one_line
from lookup.text.sentences import sentence_spans
from pagequote.check.fixes import escaping
from pagequote.check.latex_macros import MULTIPLE_CITATIONS, Vocabulary, role
from pagequote.check.manuscript import LATEX, MARKDOWN
from pagequote.lsp.draft import Positions
from pagequote.quoted_form import QuotedForm

_KEYS = 50  # Papers that are listed, at most; more letters of the key make them fewer.
_PLACES = 10  # Places that are listed, at most, of those that print the words typed so far.
_LEAST_WORDS = 3  # Whole words before printed ones are proposed: two are in most papers.

_BEFORE, _AFTER = 2_000, 600
"""Characters of the document before the cursor, and of the paper after the words, that are looked at."""

_BLANK_LINE = re.compile(r"\n[ \t\r]*+\n")
_ARGUMENT = r"\[[^\[\]]*+\]|\{[^{}]*+\}"
_IN_MACRO = re.compile(rf"\\(?P<name>[A-Za-z]++)\*?(?P<given>(?>(?:{_ARGUMENT})*))\{{(?P<typed>[^{{}}]*+)\Z")
_REQUIRED = re.compile(r"\{([^{}]*+)\}")
_MARKDOWN_KEY = re.compile(r"(?<![\w@])-?@\{?(?P<typed>[\w:.#$%&\-+?<>~/]*+)\Z")
_TYPST_KEY = re.compile(r"(?:(?<![\w@])@|(?:#cite\(\s*+|attribution:\s*+)<)(?P<typed>[\w:.\-]*+)\Z")
_CITED_NEXT = re.compile(r"\s*+(?:\[[^\]@]*+@|@|\\\w*cite|#cite|\()")
_CLOSING = {"“": "”", '"': '"', "``": "''"}


class Typed(NamedTuple):
    """A text, and the offset of the cursor in it."""

    text: str
    cursor: int
    positions: Positions

    def last(self, length: int) -> types.Range:
        """Return where so many characters before the cursor stand."""
        return self.positions.range(self.cursor - length, self.cursor)


def completions(
    corpus: Corpus, typed: Typed, markup: str, vocabulary: Vocabulary
) -> list[types.CompletionItem]:
    """Return the keys, or the printed words, that go on with what is typed."""
    before = _BLANK_LINE.split(typed.text[max(0, typed.cursor - _BEFORE) : typed.cursor])[-1]
    keys: tuple[str, ...] = ()
    words, closing = None, ""
    if markup == LATEX and (macro := _IN_MACRO.search(before)):
        given = _REQUIRED.findall(macro["given"])
        name = macro["name"]
        arguments = "key" if name in MULTIPLE_CITATIONS else vocabulary.macros.get(name, "")
        roles = [role(one) for one in arguments.split() if not one.startswith("[") and one != "*"]
        now = roles[len(given)] if len(given) < len(roles) else ""
        if now == "key":
            return _keys(corpus, macro["typed"].rpartition(",")[2].lstrip(), typed)
        if now == "quote":
            words, closing = macro["typed"], "}"
            keys = tuple(one for one, name in zip(given, roles, strict=False) if name == "key")
    elif markup != LATEX and (key := (_MARKDOWN_KEY if markup == MARKDOWN else _TYPST_KEY).search(before)):
        return _keys(corpus, key["typed"], typed)
    if words is None:
        words, closing = _between_marks(before, straight=markup != LATEX)
    return [] if words is None else [*_sentences(corpus, typed, markup, words, closing, keys)]


def _keys(corpus: Corpus, begun: str, typed: Typed) -> list[types.CompletionItem]:
    """Return the papers of which key, authors or title have what is begun; first where the key begins so."""
    found = sorted(corpus.papers(begun, _KEYS), key=lambda paper: not paper.key.startswith(begun))
    return [
        types.CompletionItem(
            paper.key,
            kind=types.CompletionItemKind.Reference,
            detail=on_one_line(paper.cited) or None,
            documentation=on_one_line(paper.title) if paper.title else None,
            filter_text=begun or paper.key,
            sort_text=f"{number:03}",
            text_edit=types.TextEdit(typed.last(len(begun)), paper.key),
        )
        for number, paper in enumerate(found)
    ]


def _between_marks(before: str, *, straight: bool) -> tuple[str | None, str]:
    """Return the words after the quotation mark that is open, and the mark that closes it."""
    marks = ["“", '"'] if straight else ["“", "``"]
    opened = {
        mark: before.rfind(mark) for mark in marks if before.rfind(mark) > before.rfind(_CLOSING[mark], 0)
    }
    if straight and before.count('"') % 2:
        opened['"'] = before.rfind('"')
    if not opened:
        return None, ""
    mark = max(opened, key=lambda one: opened[one])
    return before[opened[mark] + len(mark) :], _CLOSING[mark]


def _sentences(
    corpus: Corpus, typed: Typed, markup: str, words: str, closing: str, keys: tuple[str, ...]
) -> Iterator[types.CompletionItem]:
    """Yield the printed sentences that begin with the words; the last one may be only begun.

    `closing` is the mark that ends the quotation, which one of the `keys` prints if there are any.
    """
    whole, _, begun = (words, "", "") if words[-1:].isspace() else words.rpartition(" ")
    if len(whole.split()) < _LEAST_WORDS:
        return
    try:
        found = corpus.grep(whole, keys or None, limit=_PLACES, context_chars=_AFTER)
    except (QueryError, UnknownKeyError):  # words of which none is to be found, a key not yet whole
        return
    behind = typed.text[typed.cursor : typed.cursor + _BEFORE]
    closed = behind.startswith(closing)
    cited = bool(keys) or _CITED_NEXT.match(behind.removeprefix(closing)) is not None
    end = typed.cursor + len(closing)
    said = set()
    for match in found:
        after = match.text[match.span[1] :]
        printed = match.quote + after
        printed = printed[: sentence_spans(printed)[0][1]].rstrip(" .")
        if not fold(after.lstrip()).startswith(fold(begun)) or (match.key, printed) in said:
            continue
        said.add((match.key, printed))
        citation = "" if cited else f" {QuotedForm(match).cite(markup)}"
        new = escaping(markup)(printed) + ("" if closed else closing + citation)
        beside = [types.TextEdit(typed.positions.range(end, end), citation)] if closed and citation else None
        yield types.CompletionItem(
            short(printed[len(match.quote) :]) or short(printed),
            kind=types.CompletionItemKind.Text,
            detail=whereabouts(match.key, match.page, match.page_label, anchor=match.anchor),
            documentation=printed,
            filter_text=words,
            text_edit=types.TextEdit(typed.last(len(words)), new),
            additional_text_edits=beside,
        )

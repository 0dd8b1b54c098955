"""Answers as a notebook shows them, in HTML: the quote marked in its paragraph.

All text is from PDFs or from whoever asked, and escaped. Colours are only where something has a background of its own, so that light and
dark notebooks show the rest in theirs.
"""

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING, Any

from lookup.results.showing import marked_pieces, whereabouts

if TYPE_CHECKING:
    from lookup.results.keyword_answer import SearchAnswer, SearchResult
    from lookup.results.quote_answer import Match, QuoteAnswer, Verification
    from lookup.results.search_answer import Hit, RetrievalAnswer
    from lookup.results.sentence_match import SentenceMatch

SHOWN = 20
"""Matches, hits or rows that a notebook shows, at most."""

_CELL = 300
"""Characters of a cell of a table that are shown."""

_CHIPS = {
    "verbatim": "#1b6e35",
    "near": "#835200",
    "related": "#5a5f66",
    "not found": "#a3231c",
    "not covered": "#6a3d9a",
}
"""The background of a verdict. White has a contrast of 5.5 or more on each (WCAG 2.2 asks for 4.5)."""

_MARK = "background:#ffe08a;color:#1f1f1f;padding:0 .1em"
_QUOTE = "margin:.4em 0 .8em;padding-left:.8em;border-left:3px solid #8888;white-space:pre-wrap"


def match_html(match: "Match") -> str:
    """A place with its paragraph, the words marked."""
    notes = [
        f"{one.kind}: {one.asked or '(nothing)'} → {one.printed or '(nothing)'}" for one in match.differences
    ]
    notes += [f"left out: {' | '.join(match.omitted)}"] if match.omitted else []
    head = whereabouts(match.key, match.page, match.page_label, match.section_title, match.kind)
    return _block(head, _marked(match.text, [match.span]), notes, match.verdict)


def quote_html(answer: "QuoteAnswer") -> str:
    """The places of an answer, or the next step."""
    blocks = [match_html(match) for match in answer.matches[:SHOWN]]
    return _whole(blocks, len(answer.matches), answer.hint)


def verification_html(found: "Verification") -> str:
    """The verdict, and the place that it is of."""
    notes = [f"printed by {whereabouts(one.key, one.page, one.page_label)}" for one in found.elsewhere]
    notes += [found.hint] if found.hint else []
    if found.match is not None:
        return match_html(found.match) + _notes(notes)
    return _block(found.key, escape(found.quote), notes, found.verdict)


def result_html(result: "SearchResult") -> str:
    """A place that holds keywords, these marked."""
    head = whereabouts(
        result.key, result.page, result.page_label, result.section_title, f"cursor {result.cursor}"
    )
    return _block(head, _marked(result.text, result.spans))


def search_html(answer: "SearchAnswer") -> str:
    """The places of a keyword search."""
    hint = "" if answer else "None of these words stands there, nor a similar one."
    return _whole([result_html(one) for one in answer.results[:SHOWN]], len(answer.results), hint)


def hit_html(hit: "Hit") -> str:
    """A paragraph that answers a search, by its snippet."""
    more = (hit.section_title, f"{hit.kind} {hit.paragraph}", f"{hit.score:.2f}")
    return _block(whereabouts(hit.key, hit.page, hit.page_label, *more), escape(hit.snippet))


def retrieval_html(answer: "RetrievalAnswer") -> str:
    """The hits of a search."""
    return _whole([hit_html(hit) for hit in answer.hits[:SHOWN]], len(answer.hits), answer.hint)


def sentence_html(one: "SentenceMatch") -> str:
    """A sentence, marked, between its neighbours."""
    before, after = (f"{text} " if text else "" for text in (one.previous, one.next))
    text = f"{before}{one.target} {after}".rstrip()
    head = whereabouts(one.key, one.page, one.page_label, one.section_title, f"{one.similarity:.2f}")
    return _block(head, _marked(text, [(len(before), len(before) + len(one.target))]))


def table_html(columns: Sequence[str], rows: Sequence[Sequence[Any]], *, more: bool) -> str:
    """Rows as a table; `more` says that there are others."""
    head = "".join(f'<th style="text-align:left">{escape(name)}</th>' for name in columns)
    lines = (
        "".join(f'<td style="text-align:left;vertical-align:top">{_cell(value)}</td>' for value in row)
        for row in rows
    )
    body = "".join(f"<tr>{line}</tr>" for line in lines)
    note = _notes([f"the first {len(rows)} rows"]) if more else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{note}"


def _cell(value: Any) -> str:
    text = "" if value is None else str(value)
    return escape(text if len(text) <= _CELL else f"{text[: _CELL - 1]}…")


def _block(head: str, text: str, notes: Iterable[str] = (), verdict: str | None = None) -> str:
    """A heading, and text that is HTML already."""
    chip = ""
    if verdict is not None:
        style = f"background:{_CHIPS[verdict]};color:#fff;border-radius:.6em;padding:.05em .5em"
        chip = f' <span style="{style}">{escape(verdict)}</span>'
    return (
        f'<div><strong>{escape(head)}</strong>{chip}{_notes(notes)}<div style="{_QUOTE}">{text}</div></div>'
    )


def _notes(notes: Iterable[str]) -> str:
    return "".join(f"<div><small>{escape(note)}</small></div>" for note in notes)


def _whole(blocks: Sequence[str], count: int, hint: str) -> str:
    more = [f"and {count - len(blocks)} more"] if count > len(blocks) else []
    return f"<div>{''.join(blocks)}{_notes([*more, *([hint] if hint else [])])}</div>"


def _marked(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """The text escaped, the spans in <mark>."""
    return "".join(
        f'<mark style="{_MARK}">{escape(piece)}</mark>' if is_marked else escape(piece)
        for piece, is_marked in marked_pieces(text, spans)
    )

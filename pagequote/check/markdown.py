"""Quotations of Markdown as Pandoc, Quarto and R Markdown read it, with the exact place of every character.

markdown-it-py tells the blocks: what is a paragraph, a block quote or code. It gives lines for them and no
places within a line, so that emphasis, escapes, code spans and citations are read here.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from html import unescape
from itertools import pairwise

from lookup.papers.locators import parse_locator
from pagequote.check.latex import read_math
from pagequote.check.latex_macros import MACROS, textual
from pagequote.check.latex_units import names
from pagequote.check.markdown_blocks import CALLOUT, blocks
from pagequote.check.markdown_links import read_link, read_wiki
from pagequote.check.quotation import Citation
from pagequote.check.quoting import ManuscriptText, quoting
from pagequote.check.running_text import QUOTES, RunningText


def read_markdown(source: str, *, single: bool = False) -> ManuscriptText:
    """Return the quotations of a Markdown source, the files that it includes, and its notes."""
    flow = RunningText()
    text = _blanked(source)
    line_of = _Line(flow, source, text)
    starts = [0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", text)), len(text)]
    begins, item = 0, 0
    notes: dict[str, tuple[Citation, ...]] = {}
    for kind, first, last in blocks(text, starts):
        if kind == "text":
            for part in _by_notes(text, starts[first : last + 1]):
                _read_block(line_of, part, notes)
        elif kind == "title":
            _read_title(line_of, starts[first], starts[last])
        elif kind == "quote":
            begins = flow.length
        elif kind == "end":
            flow.contain(begins, "block quote")
        elif kind == "list_item_close":
            _quote_item(flow, item)
        item = flow.length if kind.startswith("list_item") else item
    flow.files += [match["path"].strip("\"'") for match in _INCLUDE.finditer(text)]
    return quoting(flow, straight=True, single=single, notes=notes)


def _read_title(line_of: "_Line", start: int, end: int) -> None:
    """Add the title of a callout, which may cite for what it quotes."""
    callout = CALLOUT.match(line_of.text, start)
    if callout:
        line_of.read(*callout.span("title"))
    line_of.flow.add("\n\n", end, end)


def _quote_item(flow: RunningText, begins: int) -> None:
    """Quote the text of a list item that has no marks and ends with a link to a page: so notes keep words."""
    text = flow.text(begins)
    last = max(flow.citations, default=-1)
    linked = last >= begins and (locator := flow.citations[last].locator) and locator.linked is not None
    if linked and not text[last - begins + 1 :].strip(" \t\r\n.)]") and not re.search('["“„«‘]', text):
        flow.contain(begins, "list item")


def _by_notes(text: str, starts: list[int]) -> Iterator[list[int]]:
    """Yield the lines of a block, and where they end; each definition of a note begins a block of its own."""
    first = 0
    for at in range(1, len(starts) - 1):
        if _NOTE.match(text, starts[at]):
            yield starts[first : at + 1]
            first = at
    yield starts[first:]


def _read_block(line_of: "_Line", starts: list[int], notes: dict[str, tuple[Citation, ...]]) -> None:
    """Add a paragraph, or a note with what it cites."""
    flow, begins = line_of.flow, line_of.flow.length
    defined = _NOTE.match(line_of.text, starts[0])
    admonition = _ADMONITION.match(line_of.text, starts[0])
    if admonition and len(starts) > 2:
        begins, starts = flow.length, starts[1:]
    with flow.noting(starts[0], starts[-1]) if defined else nullcontext():
        for start, end in pairwise(starts):
            line_of.read(max(start, defined.end() if defined else 0), end)
    if defined:
        notes.setdefault(defined["label"], tuple(one for at, one in flow.citations.items() if at >= begins))
    line_of.closing = None
    if admonition:
        flow.contain(begins, "block quote")
    flow.add("\n\n", starts[-1], starts[-1])


_NOTE = re.compile(r" {0,3}\[\^(?P<label>[^\[\]\s]+)\]:[ \t]*")
_ADMONITION = re.compile(r"(?:!!!|\?\?\?\+?)[ \t]+(?:quote|cite|epigraph)\b")
_INCLUDE = re.compile(r"\{\{<\s*include\s+(?P<path>\S+?)\s*>\}\}")
_FRONT = re.compile(r"\ufeff?---[ \t]*\r?\n.*?^(?:---|\.\.\.)[ \t]*$", re.DOTALL | re.MULTILINE)
_NOT_A_BREAK = re.compile(r"[^\r\n]")


def _blanked(source: str) -> str:
    """Return the source with spaces in place of its front matter and comments."""
    front = _FRONT.match(source)
    text = source if front is None else _NOT_A_BREAK.sub(" ", front[0]) + source[front.end() :]
    kept, done = [], 0
    while (start := text.find("<!--", done)) >= 0 and (end := text.find("-->", start)) >= 0:
        kept += [text[done:start], _NOT_A_BREAK.sub(" ", text[start : end + 3])]
        done = end + 3
    return "".join([*kept, text[done:]])


_PREFIX = re.compile(r"[ \t]*+(?>(?:>[ \t]?)*)[ \t]*+")
_KEY = r"(?:\{(?P<braced>[^}\s]+)\}|(?P<plain>\w+(?:[:.#$%&\-+?<>~/]\w+)*))"
_TICKS = re.compile(r"`++")
_CITED = re.compile(rf"-?@{_KEY}")
# What has a beginning and an end excludes its own beginning: a line of beginnings is read in linear time.
_TOKEN = re.compile(
    r"(?P<escape>\\[!-/:-@\[-`{-~])"
    r"|(?P<tex>\\(?P<command>[A-Za-z]++)\*?(?P<options>(?:\[[^\[\]{}\\]*+\]){0,2})\{(?P<inside>[^{}\\]*+)\})"
    r"|(?P<role>\{cite[:\w]*+\}`(?P<cited>[^`{}]++)`)"
    r"|(?P<liquid>\{%-?\s*+(?P<verb>\w++)(?P<given>[^%{}]*+)%\})"
    r"|(?P<change>\[(?P<does>\+\+|--|>>|!!)[ \t](?P<changed>[^\[\]]*+)\])"
    r"|(?P<edit>\{(?:\+\+|--|~~|==|>>)|(?:\+\+|--|~~|==|<<)\}|~>|==|%%)"
    r"|(?P<ticks>`++)"
    r"|(?P<math>\$(?=\S)(?P<formula>[^$\r\n]++)(?<!\s)\$(?!\d))"
    r"|(?P<wiki>!?\[\[(?P<to>[^\[\]|#\r\n]*+)(?:#(?P<place>[^\[\]|\r\n]*+))?"
    r"(?:\|(?P<alias>[^\[\]\r\n]*+))?\]\]"
    r"(?:,?\s(?P<pages>(?:pp?\.|S\.)\s?[\d–-]+))?)"
    r"|(?P<paged>\[(?P<shown>[^\[\]]*+)\]\((?P<pdf>[^()\s#]+\.[pP][dD][fF])#(?P<at>[^()\s]*)\))"
    r"|(?P<group>\[[^\[\]@]*+@[^\[\]]++\])"
    r"|(?P<span>\[(?P<spanned>[^\[\]]++)\]"
    r"(?:\([^()\s]*+(?:\s++\"[^\"]*+\")?\)|\{(?P<classes>[^{}]*+)\}))"
    rf"|(?P<bare>(?<![\w@])-?@{_KEY}(?:[ \t]*(?P<note>\[[^\[\]@]*\])|(?P<comma>,\s*pp?\.[^;\]\r\n]*))?)"
    r"|(?P<image>!\[[^\[\]]*+\]\([^)\[\]]*+\))"
    r"|(?P<target>(?<=\])\([^)\s\[\]]*+(?:\s++\"[^\"]*+\")?\))"
    r"|(?P<entity>&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)"
    r"|(?P<link><(?P<address>[A-Za-z][A-Za-z0-9+.\-]*+:[^<>\s]*+|[^<>\s@]++@[^<>\s@]++)>)"
    r"|(?P<reference>\[\^[^\[\]]++\])"
    r"|(?P<tag><(?P<slash>/?)(?P<name>[A-Za-z][A-Za-z0-9]*+)(?P<attributes>[^<>]*+)>)"
    r"|(?P<super>\^(?P<up>[^\s^]++)\^)"
    r"|(?P<sub>(?<!~)~(?P<down>[^\s~]++)~(?!~))"
    r"|(?P<mark>(?<!-)-{2,3}(?!-)|\.\.\.|''|´´)"
    r"|(?P<inline>\^\[)"
    r"|(?P<struck>~~)"
    r"|(?P<strong>\*+|(?<![^\W_])_+|_+(?![^\W_]))"
)


_STRUCK = frozenset({"s", "strike"})
_TRANSPARENT = names("markdown", "transparent")
"""Elements of which a reader sees the text alone."""

_BLOCKS = names("markdown", "blocks")
"""Elements that quote nothing, of which a reader sees more than the text."""

_QUOTE = re.compile(r"(?:block|pull)?-?quote|epigraph|dictum", re.IGNORECASE)
_CLASSED = re.compile(
    r"\bclass\s*+=\s*+[\"']?[^\"'<>]*?(?P<class>(?:block|pull)?-?quote|epigraph)", re.IGNORECASE
)
_OF_ITS_OWN = re.compile(
    r"callout|col|panel|content|layout|fig|tbl|table|refs|note|warning|tip|important|caution|center|increment|cell"
    r"|theorem|lemma|proof|thm|def|exm|exr|cor|prp|solution|example|admonition|abstract|ack|hidden|visible|tab",
    re.IGNORECASE,
)
"""Divs of Pandoc, Quarto and MyST that hold the writer's own words."""

_DIV = re.compile(r"[ \t]*+:{3,}+[ \t]*+(?P<what>[^\r\n:]*+):*+[ \t]*+\r?\n?\Z")
_LEFT_OUT = {"{--": "--}", "{~~": "~>", "{>>": "<<}", "%%": "%%"}
"""Marks of CriticMarkup and Obsidian from which nothing is shown, and where that ends: edits are accepted."""

_LONGEST_EDIT = 4000
"""Characters of an edit."""

_UNSEEN = frozenset({"del", "rt", "rp", "script", "style", "template", "head", "title"})
_KNOWN = _TRANSPARENT | _BLOCKS | _UNSEEN | _STRUCK
_HIDDEN = re.compile(r"\bhidden\b|display\s*+:\s*+none|visibility\s*+:\s*+hidden", re.IGNORECASE)
_PALE = re.compile(r"color\s*+[:=]|font-size\s*+:|opacity\s*+:|text-decoration\s*+:", re.IGNORECASE)
_STRUCK_CLASS = re.compile(r"strike|struck|del\b|hidden", re.IGNORECASE)
_RUN = ("r ", "{r", "{python", "{julia")


@dataclass
class _Line:
    """Adds the lines of a block to a running text; `closing` ends what of it is not read."""

    flow: RunningText
    source: str
    text: str
    closing: str | None = None
    opened: list[tuple[str, int, str]] = field(default_factory=list)
    """What may quote and is not closed yet: its name, where it begins, and the key that it cites."""

    def read(self, start: int, end: int) -> None:
        """Add a line, but for what stands before its text."""
        prefix = _PREFIX.match(self.text, start, end)
        if div := _DIV.match(self.text[start:end]):
            self._contain(f"::: {div['what'].strip()}" if div["what"].strip() else "", "::: ")
            return
        self._inside(prefix.end() if prefix else start, end)

    def _inside(self, at: int, end: int) -> None:
        ticks: defaultdict[int, list[int]] = defaultdict(list)
        for run in _TICKS.finditer(self.text, at, end):
            ticks[len(run[0])].append(run.start())
        while at < end:
            token = _TOKEN.search(self.text, at, end)
            if self.closing is None:
                self.flow.copy(self.text, at, token.start() if token else end)
            if token is None:
                return
            at = token.end()
            if token["ticks"]:
                same = ticks[at - token.start()]
                closing = bisect_right(same, token.start())
                at = self._code(token, same[closing] if closing < len(same) else None)
            else:
                self._token(token)

    def _token(self, token: re.Match[str]) -> None:
        if token["edit"]:
            self._edit(token)
        elif token["struck"]:
            self._strike(token)
        elif token["tag"]:
            self._tag(token)
        elif self.closing is None and token["span"]:
            self._span(token)
        elif self.closing is None and token["change"]:
            if token["does"] in ("++", "!!"):
                self._inside(*token.span("changed"))
        elif self.closing is None and token["liquid"]:
            self._liquid(token)
        elif self.closing is None and token["tex"]:
            self._tex(token)
        elif self.closing is None:
            _read_token(self.flow, self.source, token)

    def _code(self, token: re.Match[str], closing: int | None) -> int:
        """Add a code span, whose marks quote nothing; what is run, or raw for one format, is not known.

        Return where the text goes on. Backticks that nothing closes are printed.
        """
        start, stop = token.span()
        end = stop if closing is None else closing + stop - start
        if self.closing is not None:
            return end
        if closing is None:
            self.flow.add(self.text[start:stop].replace("``", "“"), start, stop)
        elif self.text.startswith(_RUN, stop) or self.text.startswith("{=", end):
            self.flow.unread(start, end)
        else:
            self.flow.add_each(self.text[stop:closing].translate(QUOTES), stop)
        return end

    def _contain(self, begins: str, kind: str, key: str = "") -> None:
        """Begin what may quote, or end the last of its kind: a block if its name says that it quotes."""
        if kind == "::: " or _QUOTE.search(kind):
            self.flow.add("\n\n", self.flow.last_place, self.flow.last_place)
        if begins:
            self.opened.append((begins, self.flow.length, key))
            return
        last = next(
            (at for at in range(len(self.opened) - 1, -1, -1) if self.opened[at][0].startswith(kind)), -1
        )
        if last < 0:
            return
        form, first, key = self.opened.pop(last)
        if key:
            self.flow.cite(Citation((key,), None, self.flow.last_place, self.flow.last_place))
        known = _QUOTE.search(form) is not None
        if known or not _OF_ITS_OWN.search(form):
            self.flow.contain(first, form, known=known)

    def _edit(self, token: re.Match[str]) -> None:
        r"""Take edits as accepted, highlights as nothing, comments as none."""
        mark, end = token["edit"], _LEFT_OUT.get(token["edit"])
        if self.closing is not None:
            self.closing = None if mark == self.closing else self.closing
        elif end and self._ends(end, token.end()):
            self.closing = end
        elif mark in ("~>", "%%", "{--", "{>>", "{~~"):
            self.flow.copy(self.text, *token.span())

    def _ends(self, mark: str, at: int) -> bool:
        """Return whether what is left out from here on ends: a comment of Obsidian in its line."""
        end = self.text.find(mark, at, at + _LONGEST_EDIT)
        return end >= 0 and (mark != "%%" or "\n" not in self.text[at:end])

    def _liquid(self, token: re.Match[str]) -> None:
        verb, key = token["verb"].lower(), token["given"].split(None, 1)[:1]
        if verb == "cite" and key:
            self.flow.cite(Citation((key[0].strip("\"'"),), None, *token.span()))
        elif _QUOTE.fullmatch(verb.removeprefix("end")):
            name = "" if verb.startswith("end") else f"{{% {verb} %}}"
            self._contain(
                name, f"{{% {verb.removeprefix('end')}", key[0].strip("\"'") if name and key else ""
            )

    def _tex(self, token: re.Match[str]) -> None:
        """Read a macro of LaTeX: it cites, quotes, or is not known to."""
        roles = MACROS.get(token["command"], "")
        if roles.endswith("key") or "cite" in token["command"].lower():
            page = re.search(r"\[([^\[\]]*)\]\Z", token["options"])
            start = token.start("options")
            locator = page and parse_locator(self.source, start + page.start(1), start + page.end(1))
            keys = tuple(filter(None, map(str.strip, token["inside"].split(","))))
            self.flow.cite(Citation(keys, locator or None, *token.span(), textual(token["command"])))
        elif roles.endswith("quote"):
            with self.flow.quoting(f"\\{token['command']}", *token.span(), block=False):
                self._inside(*token.span("inside"))
        else:
            begins = self.flow.length
            self._inside(*token.span("inside"))
            self.flow.contain(begins, f"\\{token['command']}", known=False)

    def _strike(self, token: re.Match[str]) -> None:
        if self.closing == "~~":
            self.closing = None
        elif self.closing is None and self.text.find("~~", token.end()) >= 0:
            self.closing = "~~"
            self.flow.unread(*token.span())

    def _span(self, token: re.Match[str]) -> None:
        """Add the text of a link or of a span with attributes."""
        if _STRUCK_CLASS.search(token["classes"] or ""):
            self.flow.unread(*token.span())
        elif _QUOTE.search(token["classes"] or ""):
            with self.flow.quoting("span", *token.span(), block=False):
                self._inside(*token.span("spanned"))
        else:
            self._inside(*token.span("spanned"))

    def _tag(self, token: re.Match[str]) -> None:
        name, attributes = token["name"].lower(), token["attributes"]
        if self.closing is not None:
            if token["slash"] and name == self.closing:
                self.closing = None
        elif not token["slash"] and (name in _UNSEEN or _HIDDEN.search(attributes)):
            self.closing = name
        elif name == "q":
            self.flow.add("”" if token["slash"] else "“", *token.span())
        elif name not in _KNOWN:
            self._contain("" if token["slash"] else f"<{name}>", f"<{name}>")
        elif token["slash"] and any(one[0].startswith(f"<{name} ") for one in self.opened):
            self._contain("", f"<{name} ")
        elif not token["slash"] and name in _TRANSPARENT and (classed := _CLASSED.search(attributes)):
            self._contain(f"<{name} {classed[1]}>", f"<{name} ")
        elif not token["slash"]:
            self._element(token, name, attributes)

    def _element(self, token: re.Match[str], name: str, attributes: str) -> None:
        """Begin an element that is known, and quotes nothing."""
        if name in _STRUCK or (name in _TRANSPARENT and _PALE.search(attributes)):
            self.closing = name
            self.flow.unread(*token.span())
        elif name in ("br", "p", "div"):
            self.flow.add(" ", *token.span())
        elif name == "sup":
            self._raised(token)
        elif name not in _TRANSPARENT:
            self.flow.unread(*token.span())

    def _raised(self, token: re.Match[str]) -> None:
        number = _RAISED.match(self.text, token.end())
        if number:
            begins = self.flow.length
            self.flow.copy(self.text, *number.span(1))
            self.flow.move("^", begins)
            self.closing = "sup"


_RAISED = re.compile(r"([-+−–]?\d++[-+]?|[-+])(?=</sup>)", re.IGNORECASE)


def _read_token(flow: RunningText, source: str, token: re.Match[str]) -> None:
    start, end = token.span()
    kind = token.lastgroup or ""
    if kind == "escape":
        flow.add("＂" if token[kind][1] == '"' else token[kind][1], start, end)
    elif kind == "entity":
        flow.add(unescape(token[kind]), start, end)
    elif kind == "link":
        flow.copy(source, *token.span("address"))
    elif kind == "image":
        flow.unread(start, end)
    elif kind == "math":
        read_math(flow, source, *token.span("formula"))
    elif kind in _CITES:
        _CITES[kind](flow, source, token)
    elif kind in ("super", "sub"):
        begins = flow.length
        flow.copy(source, *token.span("up" if kind == "super" else "down"))
        flow.move("^" if kind == "super" else "_", begins)
    elif kind == "mark":
        flow.add({"--": "–", "---": "—", "...": "…"}.get(token[kind], "”"), start, end)


def _read_reference(flow: RunningText, source: str, token: re.Match[str]) -> None:  # noqa: ARG001
    flow.cite(Citation((), None, *token.span(), label=token["reference"][2:-1]))


def _read_role(flow: RunningText, source: str, token: re.Match[str]) -> None:  # noqa: ARG001
    flow.cite(Citation(tuple(key.strip() for key in token["cited"].split(",")), None, *token.span()))


def _read_bare(flow: RunningText, source: str, token: re.Match[str]) -> None:
    note = token.span("note") if token["note"] else token.span("comma")
    locator = parse_locator(source, note[0] + 1, note[1] - bool(token["note"])) if note[0] >= 0 else None
    flow.cite(Citation((token["braced"] or token["plain"],), locator, *token.span(), textual=True))


def _read_group(flow: RunningText, source: str, token: re.Match[str]) -> None:
    """Read `[see @key, pp. 6-7; @other]`: keys cited together share the pages of the first that has any."""
    start, end = token.span()
    keys: list[str] = []
    locator = None
    at = start + 1
    for part in source[start + 1 : end - 1].split(";"):
        cited = _CITED.search(source, at, at + len(part))
        if cited is not None:
            keys.append(cited["braced"] or cited["plain"])
            note = re.compile(r"[\s,{]*").match(source, cited.end(), at + len(part))
            begins = note.end() if note else cited.end()
            locator = locator or parse_locator(source, begins, at + len(part))
        at += len(part) + 1
    if keys:
        flow.cite(Citation(tuple(keys), locator, start, end))


_CITES = {
    "group": _read_group,
    "wiki": read_wiki,
    "paged": read_link,
    "reference": _read_reference,
    "role": _read_role,
    "bare": _read_bare,
}

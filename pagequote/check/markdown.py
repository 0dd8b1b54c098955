"""Quotations of Markdown as Pandoc, Quarto and R Markdown read it, with the exact place of every character.

markdown-it-py tells the blocks: what is a paragraph, a block quote or code. It gives lines for them and no
places within a line, so that emphasis, escapes, code spans and citations are read here.
"""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from html import unescape
from itertools import pairwise
from typing import ClassVar, NamedTuple
from urllib.parse import unquote

from lookup.papers.locators import Locator, parse_locator
from pagequote.check.latex import read_within
from pagequote.check.latex_macros import ENVIRONMENTS
from pagequote.check.latex_units import names
from pagequote.check.manuscript import Manuscript
from pagequote.check.markdown_blocks import CALLOUT, QUOTES_BY_NAME, blocks, contain_named
from pagequote.check.quotation import UNREAD, Citation, Edit, Name, Spans, apply
from pagequote.check.quotation_marks import long_enough
from pagequote.check.quoting import quoting
from pagequote.check.records import read_export
from pagequote.check.running_text import (
    HELD,
    LINE_HELD,
    NO_BREAK,
    QUOTES,
    STRUCK,
    RunningText,
    Scanner,
    spaces,
)

_NAMES = names("markdown")


def read(source: str, *_: object) -> Manuscript:
    """Return the quotations of a Markdown source: of an export of highlights, these alone."""
    return read_export(source) or read_markdown(source)


def read_markdown(source: str, files: Sequence[str] = ()) -> Manuscript:
    """Return the quotations of a Markdown source, with its notes; it includes its own files and `files`."""
    flow = RunningText()
    flow.files += files
    reader = _MarkdownReader(_blanked(source), flow)
    text = reader.source
    starts = [0, *(match.end() for match in re.finditer(r"\r\n|\r|\n", text)), len(text)]
    opened: list[int] = []
    for kind, form, first, last in blocks(text, starts):
        if kind == "text":
            for part in _by_notes(text, starts[first : last + 1]):
                reader.block(part)
        elif kind == "title":
            reader.title(starts[first], starts[last])
        elif kind == "opens":
            opened.append(flow.length)
        elif form == "list item":
            _quote_item(flow, opened.pop())
        else:
            flow.contain(opened.pop(), form, known=form == "block quote")
    flow.files += [match["path"].strip("\"'") for match in _INCLUDE.finditer(text)]
    return quoting(flow, reader.notes)


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


_NOTE = re.compile(r" {0,3}\[\^(?P<label>[^\[\]\s]+)\]:[ \t]*")
_ADMONITION = re.compile(r"(?:!!!|\?\?\?\+?)[ \t]+(?P<kind>[\w-]++)")
_DEFINITION = re.compile(
    r"^[ \t]*+(?:[:~]|\|(?![^\r\n]*\|[ \t]*\r?$)|[A-Z]>|bq\.|[-+*][ \t][^\r\n:]*+::)[ \t\xa0]++(?=\S)"
    rf"|{LINE_HELD}",
    re.MULTILINE,
)
"""What begins an explanation, or lines that are set as such: of verse, of Textile, of Markua."""

_INCLUDE = re.compile(r"\{\{<\s*include\s+(?P<path>\S+?)\s*>\}\}")
_FRONT = re.compile(r"\ufeff?---[ \t]*\r?\n.*?^(?:---|\.\.\.)[ \t]*$", re.DOTALL | re.MULTILINE)


def _blanked(source: str) -> str:
    """Return the source with spaces in place of its front matter and comments."""
    front = _FRONT.match(source)
    hidden = [Edit(0, front.end(), spaces(front[0]))] if front else []
    while (start := source.find("<!--", hidden[-1].end if hidden else 0)) >= 0:
        end = source.find("-->", start) + 3
        if end < 3:
            break
        blank = " " if source[end : end + 1].isspace() else NO_BREAK  # begins no code
        hidden.append(Edit(start, end, spaces(source[start:end], blank)))
    return apply(source, hidden)


_PREFIX = re.compile(
    rf"[ \t]*+(?>(?:(?:[-+*]|\d{{1,9}}[.)])[ \t]++(?=>))?)(?>(?:>[ \t]?)*)[ \t\xa0]*+{LINE_HELD}?+"
)
_KEY = r"(?:\{(?P<braced>[^}\s]+)\}|(?P<plain>\w+(?:[:.#$%&\-+?<>~/]\w+)*))"
_TICKS = re.compile(r"`++")
_PART = re.compile(r"[^;]+")
_CITED = re.compile(rf"-?@{_KEY}[\s,{{]*")
# What has a beginning and an end excludes its own beginning: a line of beginnings is read in linear time.
_TOKEN = re.compile(
    r"(?P<escape>\\[!-/:-@\[-`{-~])"
    r"|(?P<environment>\\(?P<does_to>begin|end)\{(?P<named>[^{}\n]++)\}(?>(?:\[[^\[\]\n]*+\]|\{[^{}\n]*+\})*))"
    r"|(?P<tex>\\[A-Za-z]++\*?(?:\[[^\[\]{}\\]*+\]){0,2}(?>(?:\{[^{}\\]*+\})+))"
    r"|(?P<role>\{cite[:\w]*+\}`(?P<cited>[^`{}]++)`)"
    r"|(?P<liquid>\{(?:%|\{[%<])-?\s*+(?P<ended>/?)\s*+(?P<verb>[\w.-]++)(?P<given>[^%{}]*+)(?:%|(?<=[%>])\})\})"
    r"|(?P<template>\{\{(?P<held_in>[^{}]++)\}\})"
    r"|(?P<change>\[(?P<does>\+\+|--|>>|!!)[ \t](?P<changed>[^\[\]]*+)\])"
    r"|(?P<edit>\{(?:\+\+|--|~~|==|>>)|(?:\+\+|--|~~|==|<<)\}|~>|==|%%)"
    r"|(?P<ticks>`++)"
    r"|(?P<math>\$(?=\S)(?P<formula>[^$\r\n]++)(?<!\s)\$(?!\d))"
    r"|(?P<wiki>!?\[\[(?P<to>[^\[\]|#\r\n]*+)(?:#(?P<place>[^\[\]|\r\n]*+))?"
    r"(?:\|(?P<alias>[^\[\]\r\n]*+))?\]\]"
    r"(?:,?\s(?P<pages>(?:pp?\.|S\.)\s?[\d–-]+))?)"
    r"|(?P<paged>\[(?P<shown>[^\[\]]*+)\]\((?P<pdf>[^()\s#]+\.[pP][dD][fF])#(?P<at>[^()\s]*)\))"
    r"|(?P<group>\[[^\[\]@]*+@[^\[\]]++\])"
    r"|(?P<span>\[(?P<spanned>(?>(?:[^\[\]]++|\[[^\[\]]*+\])+))\]"
    r"(?:\([^()\s]*+(?:\s++\"[^\"]*+\")?\)|\{(?P<classes>[^{}]*+)\}))"
    rf"|(?P<bare>(?<![\w@])-?@{_KEY}(?:[ \t]*(?P<note>\[[^\[\]@]*\])|(?P<comma>,\s*pp?\.[^;\]\r\n]*))?)"
    r"|(?P<image>!\[(?P<alt>[^\[\]]*+)\]\([^)\[\]]*+\))"
    r"|(?P<target>(?<=\])\([^)\s\[\]]*+(?:\s++\"[^\"]*+\")?\))"
    r"|(?P<entity>&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)"
    r"|(?P<link><(?P<address>[A-Za-z][A-Za-z0-9+.\-]*+:[^<>\s]*+|[^<>\s@]++@[^<>\s@]++)>)"
    r"|(?P<reference>\[\^[^\[\]]++\])"
    r"|(?P<tag>(?<!<)<(?P<slash>/?)(?P<name>[A-Za-z][A-Za-z0-9]*+)(?P<attributes>[^<>]*+)>)"
    r"|(?P<moved>\^[^\s^]++\^|(?<!~)~[^\s~]++~(?!~))"
    r"|(?P<mark>(?<!-)-{2,3}(?!-)|\.\.\.|''|´´)"
    r"|(?P<inline>\^\[)"
    rf"|(?P<struck>~~|{STRUCK})|(?P<held>{HELD})"
    r"|(?P<strong>\*+|(?<![^\W_])_+|_+(?![^\W_]))"
)


_CLASSED = re.compile(r"\bclass\s*+=\s*+[\"']?\s*+(?P<class>[^\"'<>]++)", re.IGNORECASE)
_DIV = re.compile(
    r"[ \t]*+(?::{3,}+[ \t]*+(?P<what>[^\r\n:]*+):*+"
    r"|#\+(?:begin|(?P<ends>end))(?:_|:[ \t]*+)(?P<block>[\w-]*+)[^\r\n]*+)"
    r"[ \t]*+\r?\n?\Z",
    re.IGNORECASE,
)
_ATTRIBUTES = re.compile(r"[ \t]*+\{:?[ \t]*+(?P<of>[.#][^{}\r\n]++)\}[ \t]*+\r?\n?\Z")
_LEFT_OUT = {"{--": "--}", "{~~": "~>", "{>>": "<<}", "%%": "%%"}
"""Marks of CriticMarkup and Obsidian from which nothing is shown, and where that ends: edits are accepted."""

_LONGEST_EDIT = 4000
"""Characters of an edit."""

_OWN_ENVIRONMENTS = names("latex")["own_environments"] | names("latex")["formulas"]
_HIDDEN = re.compile(r"\bhidden\b|display\s*+:\s*+none|visibility\s*+:\s*+hidden", re.IGNORECASE)
_PALE = re.compile(r"color\s*+[:=]|font-size\s*+:|opacity\s*+:|text-decoration\s*+:", re.IGNORECASE)
_STRING = re.compile(r"\"(?P<text>[^\"]++)\"")
_FORM_OF_TEXT = re.compile(r"underline|\bul\b|smallcaps|mark|highlight|lang|dir", re.IGNORECASE)
_STRUCK_CLASS = re.compile(r"strike|struck|del\b|hidden", re.IGNORECASE)
_RUN = ("r ", "{r", "{python", "{julia")


class _MarkdownReader(Scanner):
    """Adds blocks to a running text; `closing` ends what of one is not read."""

    TOKENS = _TOKEN
    MARKS: ClassVar = {"--": "–", "---": "—", "...": "…", "''": "”", "´´": "”"}
    STARTS = re.compile(r"""[\\{[$!@&<>^~+=%.'´*_`(\-\ufdd2\ufdd3]""")

    def __init__(self, source: str, flow: RunningText) -> None:
        super().__init__(source, flow)
        self.notes: dict[str, tuple[Citation, ...]] = {}
        self.closing = ""
        self._form = ""  # what a line of attributes says of its paragraph
        self._opened: list[_Opened] = []
        self._ticks: defaultdict[int, list[int]] = defaultdict(list)
        for run in _TICKS.finditer(source):
            self._ticks[len(run[0])].append(run.start())

    def title(self, start: int, end: int) -> None:
        """Add the title of a callout, which may cite for what it quotes."""
        if callout := CALLOUT.match(self.source, start):
            self.read(*callout.span("title"))
        self.flow.add("\n\n", end, end)

    def block(self, starts: list[int]) -> None:
        """Add the lines of a paragraph, or of a note with what it cites."""
        flow, begins = self.flow, self.flow.length
        defined = _NOTE.match(self.source, starts[0])
        admonition = _ADMONITION.match(self.source, starts[0])
        lines = starts[1:] if admonition and len(starts) > 2 else starts
        with flow.noting(lines[0], lines[-1]) if defined else nullcontext():
            for start, end in pairwise(lines):
                self._line(max(start, defined.end() if defined else 0), end)
        if defined:
            cited = (one for at, one in flow.citations.items() if at >= begins)
            self.notes.setdefault(defined["label"], tuple(cited))
        self.closing = ""
        if self._form:
            if flow.text(begins).strip():
                contain_named(self.flow, begins, self._form)
                self._form = ""
        elif admonition:
            contain_named(self.flow, begins, admonition["kind"].replace("cite", "quote"))
        elif explains := _DEFINITION.search(self.source, starts[0], starts[-1]):
            words = bisect_left(flow.spans.starts, explains.end(), begins)
            flow.contain(words, "a definition or directive", known=False)
        flow.add("\n\n", lines[-1], lines[-1])

    def _line(self, start: int, end: int) -> None:
        """Add a line, but for what stands before its text."""
        prefix = _PREFIX.match(self.source, start, end)
        line = self.source[start:end]
        if attributes := _ATTRIBUTES.match(line):
            self._form = attributes["of"]
        elif div := _DIV.match(line):
            name = "" if div["ends"] else (div["what"] or div["block"] or "").strip()
            self.flow.add("\n\n", self.flow.last_place, self.flow.last_place)
            if name:
                self._open(":::", name)
            else:
                self._close(":::")
        else:
            self.read(prefix.end() if prefix else start, end)

    def plain(self, start: int, end: int) -> None:
        """Add text that is seen."""
        if not self.closing:
            super().plain(start, end)

    def token(self, token: re.Match[str]) -> int:
        """Add what a token prints, if it is seen. Return where the source goes on."""
        if self.closing and token.lastgroup not in ("edit", "struck", "tag", "ticks"):
            return token.end()
        return super().token(token)

    def _on_ticks(self, token: re.Match[str]) -> int:
        """Add a code span, whose marks quote nothing; what is run, or raw for one format, is not known.

        Backticks that nothing closes are printed.
        """
        start, stop = token.span()
        same = self._ticks[stop - start]
        after = bisect_right(same, start)
        closing = same[after] if after < len(same) and same[after] < self.end else None
        after = stop if closing is None else closing + stop - start
        if self.closing:
            return after
        if closing is None:
            self.flow.add(self.source[start:stop].replace("``", "“"), start, stop)
        elif self.source.startswith(_RUN, stop) or self.source.startswith("{=", after):
            self.flow.unread(start, after)
        else:
            self.flow.add_each(self.source[stop:closing].translate(QUOTES), stop)
        return after

    def _open(self, name: str, form: str, key: str = "", *, beside: bool = False) -> None:
        """Begin what may quote."""
        if QUOTES_BY_NAME.search(form):
            self.flow.add("\n\n", self.flow.last_place, self.flow.last_place)
        self._opened.append(_Opened(name, form, self.flow.length, key, beside))

    def _close(self, name: str) -> bool:
        """End the last of this name that was begun. Return whether there was one."""
        for at in range(len(self._opened) - 1, -1, -1):
            if self._opened[at].name == name:
                one = self._opened.pop(at)
                if one.key:
                    self.flow.cite(Citation(((one.key, None),), self.flow.last_place, self.flow.last_place))
                contain_named(self.flow, one.begins, one.form, beside=one.beside)
                if QUOTES_BY_NAME.search(one.form):
                    self.flow.add("\n\n", self.flow.last_place, self.flow.last_place)
                return True
        return False

    def _strings(self, start: int, end: int, form: str) -> None:
        """Read what is written between quotation marks in a tag, and may be printed."""
        for string in _STRING.finditer(self.source, start, end):
            if long_enough(string["text"]):
                self.hold(*string.span("text"), form)

    def _on_edit(self, token: re.Match[str]) -> None:
        r"""Take edits as accepted, highlights as nothing, comments as none."""
        mark, ends = token["edit"], _LEFT_OUT.get(token["edit"])
        rest = self.source[token.end() : token.end() + _LONGEST_EDIT]
        if mark == "%%":
            rest = rest.partition("\n")[0]  # a comment of Obsidian ends in its line
        if self.closing:
            self.closing = "" if mark == self.closing else self.closing
        elif ends and ends in rest:
            self.closing = ends
        elif mark in ("~>", "%%", "{--", "{>>", "{~~"):
            self.flow.copy(self.source, *token.span())

    def _on_change(self, token: re.Match[str]) -> None:
        if token["does"] in ("++", "!!"):
            self.read(*token.span("changed"))

    def _on_liquid(self, token: re.Match[str]) -> None:
        verb, key = token["verb"].lower(), token["given"].split(None, 1)[:1]
        cited = key[0].strip("\"'") if key else ""
        if verb == "cite" and cited:
            self.flow.cite(Citation(((cited, None),), *token.span()))
        elif token["ended"] or verb.startswith("end"):
            self._close(f"%{verb.removeprefix('end')}")
        elif verb not in _NAMES["tags"]:
            self._open(f"%{verb}", f"{{% {verb} %}}", "" if "=" in cited or ">" in cited else cited)
        self._strings(*token.span("given"), f"{{% {verb} %}}")

    def _on_template(self, token: re.Match[str]) -> None:
        self.hold(*token.span("held_in"), "{{...}}")

    def _on_environment(self, token: re.Match[str]) -> None:
        name = token["named"].rstrip("*")
        if token["does_to"] == "end":
            self._close(f"\\{name}")
        elif name not in _OWN_ENVIRONMENTS:
            self._open(f"\\{name}", "block quote" if name in ENVIRONMENTS else f"\\begin{{{name}}}")

    def _on_tex(self, token: re.Match[str]) -> None:
        """Read a macro of LaTeX: it cites, quotes, or is not known to."""
        self._latex(token.start(), token[0])

    def _on_struck(self, token: re.Match[str]) -> None:
        """Begin or end words that are struck out, which a reader of the draft sees."""
        if self.closing == token[0]:
            self.closing = ""
        elif not self.closing and self.source.find(token[0], token.end()) >= 0:
            self.closing = token[0]
            self.flow.unread(*token.span())

    def _on_held(self, token: re.Match[str]) -> None:  # noqa: ARG002
        """Begin or end what stands in a role that is not known to quote."""
        if not self._close(_ROLE):
            self._open(_ROLE, _ROLE)

    def _on_span(self, token: re.Match[str]) -> None:
        if _STRUCK_CLASS.search(token["classes"] or ""):
            self.flow.unread(*token.span())
        elif QUOTES_BY_NAME.search(token["classes"] or ""):
            with self.flow.quoting("span", *token.span(), block=False):
                self.read(*token.span("spanned"))
        elif classes := token["classes"]:
            beside = _FORM_OF_TEXT.search(classes) is not None
            self.hold(*token.span("spanned"), f"[...]{{{classes}}}", beside=beside)
        else:
            self.read(*token.span("spanned"))

    def _on_tag(self, token: re.Match[str]) -> None:
        """Read a tag of HTML: what it hides is not read, and what it may quote is contained."""
        name, attributes = token["name"].lower(), token["attributes"]
        if self.closing:
            if token["slash"] and name == self.closing:
                self.closing = ""
        elif not token["slash"] and (name in _NAMES["unseen"] or _HIDDEN.search(attributes)):
            self.closing = name
        elif not token["slash"] and name in _NAMES["struck"]:
            self.closing = name
            self.flow.unread(*token.span())
        elif name == "q":
            self.flow.add("”" if token["slash"] else "“", *token.span())
        elif not token["slash"] and name == "sup" and (number := _RAISED.match(self.source, token.end())):
            self.flow.copy(self.source, *number.span(1), "^")
            self.closing = "sup"
        elif name in _NAMES["structure"]:
            self.flow.add(UNREAD if attributes or name not in ("p", "div", "br") else " ", *token.span())
        elif token["slash"]:
            self._close(f"<{name}")
        else:
            self._element(token, name, attributes)

    def _element(self, token: re.Match[str], name: str, attributes: str) -> None:
        """Begin an element, which may quote."""
        if _PALE.search(attributes):
            self.flow.unread(*token.span())
        classed = _CLASSED.search(attributes)
        beside = name in _NAMES["forms_of_text"] and classed is None
        self._open(f"<{name}", f"<{name}{f' {classed[1].strip()}' if classed else ''}>", beside=beside)
        self._strings(*token.span("attributes"), f"<{name}>")

    def _on_moved(self, token: re.Match[str]) -> None:
        self.flow.copy(self.source, token.start() + 1, token.end() - 1, token[0][0].replace("~", "_"))

    def _on_escape(self, token: re.Match[str]) -> None:
        self.flow.add("＂" if token[0][1] == '"' else token[0][1], *token.span())

    def _on_entity(self, token: re.Match[str]) -> None:
        self.flow.add(unescape(token[0]), *token.span())

    def _on_link(self, token: re.Match[str]) -> None:
        self.flow.copy(self.source, *token.span("address"))

    def _on_image(self, token: re.Match[str]) -> None:
        self.flow.unread(*token.span())
        self.hold(*token.span("alt"), "the text of a picture")

    def _on_math(self, token: re.Match[str]) -> None:
        self._latex(token.start("formula"), token["formula"], math=True)

    def _latex(self, start: int, source: str, *, math: bool = False) -> None:
        """Add LaTeX. Outside of formulas %, & and a lone $ are characters, as they are around it."""
        plain = "" if math else "%&$" if source.count("$") % 2 else "%&"
        places = Spans()
        for at, char in enumerate(source, start):
            places.add(at, at + 1, 1 + (char in plain))
        written = "".join(f"\\{char}" if char in plain else char for char in source)
        self.flow.extend(read_within(written, math=math), places)

    def _on_reference(self, token: re.Match[str]) -> None:
        self.flow.cite(Citation((), *token.span(), label=token[0][2:-1]))

    def _on_role(self, token: re.Match[str]) -> None:
        each = tuple((key.strip(), None) for key in token["cited"].split(","))
        self.flow.cite(Citation(each, *token.span()))

    def _on_bare(self, token: re.Match[str]) -> None:
        note = token.span("note") if token["note"] else token.span("comma")
        last = note[1] - bool(token["note"])
        locator = parse_locator(self.source, note[0] + 1, last) if note[0] >= 0 else None
        key = token["braced"] or token["plain"]
        self.flow.cite(Citation(((key, locator),), *token.span(), textual=True))

    def _on_group(self, token: re.Match[str]) -> None:
        """Read `[see @key, pp. 6-7; @other]`: keys cited together share the first pages that are given."""
        keys: list[str] = []
        locator = None
        for part in _PART.finditer(self.source, token.start() + 1, token.end() - 1):
            if cited := _CITED.search(self.source, *part.span()):
                keys.append(cited["braced"] or cited["plain"])
                locator = locator or parse_locator(self.source, cited.end(), part.end())
        if keys:
            self.flow.cite(Citation(tuple((key, locator) for key in keys), *token.span()))

    def _on_paged(self, token: re.Match[str]) -> None:
        shown = parse_locator(self.source, *token.span("shown"))
        self._link_to(token["pdf"], token["at"], shown, *token.span())

    def _on_wiki(self, token: re.Match[str]) -> None:
        """Read a link of Obsidian or Logseq: to a page of a PDF, to the note of a key, or to another note."""
        target, alias = token["to"].strip(), token.span("alias")
        pages = token.span("pages") if token["pages"] else alias
        if target.startswith("@"):
            locator = parse_locator(self.source, *pages) if pages[0] < pages[1] else None
            self.flow.cite(Citation(((target[1:].removesuffix(".md"), locator),), *token.span()))
        elif target.lower().endswith(".pdf"):
            shown = parse_locator(self.source, *alias) if token["alias"] else None
            self._link_to(target, token["place"] or "", shown, *token.span())
        else:
            self.flow.copy(self.source, *token.span("alias" if token["alias"] else "to"))
            if token["pages"]:
                self.flow.copy(self.source, token.start("pages"), token.end())

    def _link_to(self, pdf: str, place: str, shown: Locator | None, start: int, end: int) -> None:
        """Cite what a link to a PDF means; `place` is what the address has after "#"."""
        page, locator = _PAGE_OF.search(place), shown
        if page is not None:
            named = shown is not None and (shown.prefix is not None or shown.ranges != ())
            linked = Locator(f"#page={page[1]}", start, end, (), linked=int(page[1]))
            locator = shown._replace(linked=int(page[1])) if shown is not None and named else linked
        self.flow.cite(Citation(((Name(unquote(pdf)), locator),), start, end))


class _Opened(NamedTuple):
    """What was begun and may quote: its name, its form, the characters before it, the key that it cites."""

    name: str
    form: str
    begins: int
    key: str
    beside: bool


_ROLE = "a role"
_RAISED = re.compile(r"([-+−–]?\d++[-+]?|[-+])(?=</sup>)", re.IGNORECASE)
_PAGE_OF = re.compile(r"\bpage=(\d{1,6})")

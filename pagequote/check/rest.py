"""reStructuredText drafts, written as Markdown of the same length, so that each place stays what it is.

Only what quotes, cites, notes and hides text is translated; code and comments become spaces.
"""

import re
from itertools import count
from typing import NamedTuple

from pagequote.check.latex_units import names
from pagequote.check.manuscript import Manuscript
from pagequote.check.markdown import read_markdown
from pagequote.check.markdown_blocks import OF_ITS_OWN
from pagequote.check.org import between, fitted, in_place
from pagequote.check.running_text import HELD, LINE_HELD, NO_BREAK, STRUCK, spaces

_DIRECTIVE = re.compile(r"\.\.(?:[ \t]+(?:(?:\|[^|\r\n]++\|[ \t]+)?(?P<name>[\w:-]+?)::[ \t]*+)?|[ \t]*$)")
_CLASS = re.compile(r"\.\.[ \t]+(?:rst-)?class::[ \t]*+(?P<class>[\w-]++)")
_NOTE = re.compile(r"\.\.[ \t]+\[(?P<label>#[\w-]*+|\d++|\*)\](?=\s)")
_ITEM = re.compile(r"(?:[-*+•|]|\w{1,3}[.)]|\(\w{1,3}\)|#\.|:[^:\r\n]+:)[ \t]+")
_RULE = re.compile(r"([!-/:-@\[-`{-~])\1{2,}")
_CITED = re.compile(r"(?:\{(?P<pre>[^{}]*+)\})?(?P<key>[^{},\s]++)(?:\{(?P<post>[^{}]*+)\})?")
_INLINE = re.compile(
    r"(?P<ticks>``+)[^`]*+(?P=ticks)"
    r"|:(?:foot)?cite(?::\w+)?:`(?P<cited>[^`]++)`"
    r"|(?<![\w:])(?P<name>:(?:[\w+.-]++:)+)`(?P<role>[^`<>]++)(?:<[^`<>]*+>)?`"
    r"|`(?P<link>[^`<>]++)(?:(?:<[^`<>]*+>)?`__?|<[^`<>]*+>`)|`(?P<plain>[^`<>]++)`|\|(?P<stands>[^|\r\n]++)\|(?!_)"
    r"|\[(?P<label>#[\w-]*+|\d++|\*)\]_"
    r"|\[(?P<key>[A-Za-z][\w.:-]*+)\]_"
)

_NAMES = names("rest")


class _Within(NamedTuple):
    """What the lines belong to that are set in deeper than `depth`: a "quote", "text", "held" or "unseen".

    What is held may be quoted. From `content` on they are set in as its text is; -1: its first line tells.
    """

    depth: int
    kind: str
    content: int = -1


_INCLUDED = re.compile(r"(?im:^\.\.[ \t]++include::[ \t]*+([^\"\s]++))")


def read(source: str, *_: object) -> Manuscript:
    """Return the quotations of a source: roles that cite, notes, block quotations, directives."""
    lines = map(_Lines().translated, source.splitlines(keepends=True))
    return read_markdown("".join(lines), _INCLUDED.findall(source))


class _Lines:
    """Translates line by line; what a line is, its indent and the lines before it tell."""

    def __init__(self) -> None:
        self._within = [_Within(-1, "text", 0)]
        self._after_blank, self._literal, self._defining = True, False, False
        self._refers, self._defines = count(_FIRST_NUMBER), count(_FIRST_NUMBER)

    def translated(self, line: str) -> str:
        """Return a line as Markdown has it."""
        words = line.strip()
        if not words or _RULE.fullmatch(words):
            self._after_blank = True
            return spaces(line)
        depth = len(line) - len(line.lstrip(" \t"))
        self._enter(depth)
        kind, body = self._within[-1].kind, line[depth:]
        self._after_blank, self._literal = False, words.endswith("::")
        if kind != "unseen":
            kind, body = self._explicit(kind, body, depth)
        if kind == "unseen":
            return spaces(line)
        begins = ("> " * (depth // 2)).rjust(depth) if kind == "quote" else NO_BREAK * depth
        if depth and (self._defining or kind == "held"):
            begins = begins[:-1] + LINE_HELD
        return begins + _INLINE.sub(self._inline, body)

    def _enter(self, depth: int) -> None:
        """Leave what ends at a line set in so deep, and begin a block quotation, or code, that it begins."""
        while depth <= self._within[-1].depth:
            self._within.pop()
        outer = self._within[-1]
        set_in = 0 <= outer.content < depth and outer.kind in ("text", "held")
        self._defining = set_in and not self._after_blank
        if outer.content < 0:
            self._within[-1] = outer._replace(content=depth)
        elif set_in and self._after_blank:
            self._within.append(_Within(outer.content, "unseen" if self._literal else "quote", depth))

    def _explicit(self, kind: str, body: str, depth: int) -> tuple[str, str]:
        """Return what a line is, and its text, where a note, a directive or an item begins in it."""
        if note := _NOTE.match(body):
            self._within.append(_Within(depth, "text"))
            label = chr(next(self._defines)) if note["label"] in _AUTOMATIC else note["label"]
            return "text", f"[^{label}]:".rjust(note.end()) + body[note.end() :]
        if classed := _CLASS.match(body):
            self._within.append(_Within(depth, kind))
            return kind, f"{{.{classed['class']}}}".ljust(len(body.rstrip())) + body[len(body.rstrip()) :]
        if directive := _DIRECTIVE.match(body):
            name, self._literal = directive["name"] or "", False
            below, head = ("quote", "> ") if name in _NAMES["quoting"] else ("held", LINE_HELD)
            if not name or name in _NAMES["code"]:
                below = "unseen"
            elif name in _NAMES["own"] or OF_ITS_OWN.match(name):
                below, head = kind, ""
            self._within.append(_Within(depth, below))
            begins = head.ljust(directive.end(), NO_BREAK)
            return "unseen" if name in _NAMES["named"] else below, begins + body[directive.end() :]
        if kind in ("text", "held") and (item := _ITEM.match(body)):
            self._within.append(_Within(depth, "text", depth + item.end()))
        return kind, body

    def _inline(self, found: re.Match[str]) -> str:
        if found["cited"]:
            return _citation(found)
        if found["label"]:
            label = chr(next(self._refers)) if found["label"] in _AUTOMATIC else found["label"]
            return f"[^{label}]".ljust(len(found[0]))
        if found["key"]:
            return f"[@{found['key']}]"
        role = found["name"].strip(":") if found["role"] else ""
        if role in _NAMES["strikes"]:
            return between(found, "role", STRUCK)
        if role and ":" not in role and role not in _NAMES["roles"]:
            return between(found, "role", HELD)
        if held := next((one for one in ("plain", "stands") if found[one]), ""):
            return between(found, held, HELD)
        name = next((one for one in ("role", "link") if found[one]), "")
        return in_place(found, name) if name else found[0]


_AUTOMATIC = ("#", "*")
_FIRST_NUMBER = 0x4E00
"""The first of the characters that stand for numbers of notes that the source leaves to its program."""


def _citation(found: re.Match[str]) -> str:
    """Return a role that cites: with its notes if it has any, as far as there is room."""
    each = list(_CITED.finditer(found["cited"]))
    notes = [f", {one['post']}" if one["post"] else "" for one in each]
    keys = [f"{one['pre'] or ''}@{one['key']}{note}" for one, note in zip(each, notes, strict=True)]
    noted = f"[{'; '.join(keys)}]"
    plain = f"{{cite}}`{','.join(one['key'] for one in each)}`"
    return fitted(noted if "{" in found["cited"] and len(noted) <= len(found[0]) else plain, found)

"""Verdicts as comments of a .docx: each at its words. Nothing else of the file changes."""

import io
import re
import zipfile
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from xml.sax.saxutils import escape

from lookup.errors import QueryError
from lookup.text.printable import on_one_line
from pagequote.check.documents.word import DOCUMENT, parts
from pagequote.check.documents.zipped_xml import member, read_xml

_AUTHOR, _INITIALS = "PageQuote", "PQ"
_COMMENTS = "word/comments.xml"
_TYPES, _RELATIONS = "[Content_Types].xml", "word/_rels/document.xml.rels"
_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_NEW = f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:comments xmlns:w="{_W}"></w:comments>'
_TYPE = (
    f'<Override PartName="/{_COMMENTS}" ContentType='
    '"application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml"/>'
)
_RELATION = (
    '<Relationship Id="rIdPageQuote" Target="comments.xml" Type='
    '"http://schemas.openxmlformats.org/officeDocument/2006/relationships/comments"/>'
)
_ID = re.compile(r"<w:comment\b[^<>]*?\bw:id=\"(\d+)\"")


@dataclass(frozen=True)
class Comment:
    """Lines about the words from `start` to `end` of the manuscript's source."""

    start: int
    end: int
    lines: Sequence[str]


def annotated(opened: zipfile.ZipFile, comments: Sequence[Comment]) -> bytes:
    """Return the .docx with the comments. Those on words of a note are at its reference."""
    if f'xmlns:w="{_W}"' not in (member(opened, DOCUMENT) or ""):
        raise QueryError(
            "Its XML names Word's elements in an unusual way. Open it in Word, and save it again."
        )
    old = member(opened, _COMMENTS) or _NEW
    first = max((int(number) for number in _ID.findall(old)), default=-1) + 1
    changed = {
        DOCUMENT: _marked(parts(opened), comments, first),
        _COMMENTS: _before_end(old, "".join(_comment(first + i, one) for i, one in enumerate(comments))),
    }
    if _COMMENTS not in opened.namelist():
        changed[_TYPES] = _before_end(member(opened, _TYPES) or "", _TYPE)
        changed[_RELATIONS] = _before_end(member(opened, _RELATIONS) or "", _RELATION)
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as new:
        for entry in opened.infolist():
            content = changed.pop(entry.filename, None)
            new.writestr(entry, opened.read(entry) if content is None else content.encode())
        for name, content in changed.items():
            new.writestr(zipfile.ZipInfo(name), content.encode(), zipfile.ZIP_DEFLATED)
    return made.getvalue()


def _before_end(xml: str, more: str) -> str:
    """Return an XML text with `more` as the last of what its root has."""
    at = xml.rindex("</")
    return xml[:at] + more + xml[at:]


def _comment(number: int, comment: Comment) -> str:
    text = "".join(
        f'<w:p><w:r><w:t xml:space="preserve">{escape(on_one_line(line))}</w:t></w:r></w:p>'
        for line in comment.lines
    )
    return f'<w:comment w:id="{number}" w:author="{_AUTHOR}" w:initials="{_INITIALS}">{text}</w:comment>'


@dataclass
class _Run:
    """A run of the document: where it begins and ends, its properties, and the text elements in it."""

    start: int
    end: int = 0
    properties: tuple[int, int] = (0, 0)
    texts: list[tuple[int, int]] = field(default_factory=list)


@dataclass
class _Runs:
    """A reader that finds runs, notes, and the runs that refer to them."""

    source: str
    runs: list[_Run] = field(default_factory=list)
    references: dict[str, _Run] = field(default_factory=dict)
    notes: list[tuple[int, str]] = field(default_factory=list)
    _open: list[_Run] = field(default_factory=list)
    _began: int = 0

    def start(self, name: str, attributes: dict[str, str], at: int) -> None:
        note = f"{name[2:].removesuffix('Reference')} {attributes.get('w:id')}"
        if name == "w:r":
            self._open.append(_Run(at))
        elif name in ("w:footnote", "w:endnote"):
            self.notes.append((at, note))
        elif self._open and name in ("w:rPr", "w:t"):
            self._began = at
        elif self._open and name in ("w:footnoteReference", "w:endnoteReference"):
            self.references[note] = self._open[-1]

    def end(self, name: str, at: int) -> None:
        if not self._open or not self.source.startswith("</", at):
            return  # an empty element: it has no last tag
        run, after = self._open[-1], self.source.index(">", at) + 1
        if name == "w:r":
            run.end = after
            self.runs.append(self._open.pop())
        elif name == "w:rPr":
            run.properties = (self._began, after)
        elif name == "w:t":
            run.texts.append((self._began, at))

    def text(self, text: str, start: int, end: int) -> None:
        """Take characters: where they are is asked of the runs."""

    def run_of(self, offset: int, document: int) -> _Run:
        """Return the run with a character, or that refers to its note; notes begin at `document`."""
        if offset >= document and self.notes:
            note = self.notes[max(0, bisect_right(self.notes, offset, key=lambda one: one[0]) - 1)][1]
            if note in self.references:
                return self.references[note]
        return self.runs[max(0, bisect_right(self.runs, offset, key=lambda one: one.start) - 1)]


def _marked(sources: Sequence[str], comments: Sequence[Comment], first: int) -> str:
    """Return the document with the places of the comments marked, numbered from `first`."""
    runs = _Runs("".join(sources))
    begin = 0
    for source in sources:
        read_xml(source, begin, runs)
        begin += len(source)
    document = len(sources[0])
    pieces: dict[tuple[int, str], None] = {}  # where something is put in, and what; each once
    for number, comment in enumerate(comments, first):
        begins = f'<w:commentRangeStart w:id="{number}"/>'
        ends = f'<w:commentRangeEnd w:id="{number}"/><w:r><w:commentReference w:id="{number}"/></w:r>'
        start, end = runs.run_of(comment.start, document), runs.run_of(comment.end - 1, document)
        pieces |= dict.fromkeys(_put(runs.source, start, comment.start, begins, after=False))
        pieces |= dict.fromkeys(_put(runs.source, end, comment.end, ends, after=True))
    made, done = [], 0
    for at, piece in sorted(pieces, key=lambda one: one[0]):
        made += [sources[0][done:at], piece]
        done = at
    return "".join([*made, sources[0][done:]])


def _put(source: str, run: _Run, offset: int, mark: str, *, after: bool) -> list[tuple[int, str]]:
    """Return where a mark is put in: within a run that it parts in two, else before or after it."""
    for tag, last in run.texts:
        text = source.index(">", tag) + 1
        if text <= offset <= last:
            properties = source[slice(*run.properties)]
            kept = [] if "xml:space" in source[tag:text] else [(text - 1, ' xml:space="preserve"')]
            return [*kept, (offset, f'</w:t></w:r>{mark}<w:r>{properties}<w:t xml:space="preserve">')]
    return [(run.end if after else run.start, mark)]

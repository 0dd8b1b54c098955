"""Findings as comments of a .docx, each at its words, and tracked changes. Nothing else of it changes."""

import re
import shutil
import zipfile
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from copy import copy as copy_of
from dataclasses import dataclass, field
from typing import BinaryIO, NamedTuple
from xml.sax.saxutils import escape

from lookup.errors import QueryError
from lookup.results.quote_answer import Box
from lookup.text.printable import on_one_line
from pagequote.check.quotation import Edit, apply
from pipeline.office.archive import Archive, DocumentError
from pipeline.office.word import DOCUMENT, NOTES, WordDocument
from pipeline.office.xml_events import XmlReader, read_xml

_AUTHOR, _INITIALS = "PageQuote", "PQ"
_COMMENTS = "word/comments.xml"
_TYPES, _RELATIONS = "[Content_Types].xml", "word/_rels/document.xml.rels"
_W = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
_NEW = f'<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n<w:comments xmlns:w="{_W}"></w:comments>'
_NO_RELATIONS = '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"/>'
_TYPE = (
    f'<Override PartName="/{_COMMENTS}" ContentType='
    '"application/vnd.openxmlformats-officedocument.wordprocessingml.comments+xml"/>'
)
_RELATION = (
    '<Relationship Id="rIdPageQuote" Target="comments.xml" Type='
    '"http://schemas.openxmlformats.org/officeDocument/2006/relationships/comments"/>'
)


class Comment(NamedTuple):
    """What is said of the words from `start` to `end` of the source; in a PDF, `boxes` get this colour."""

    start: int
    end: int
    text: str
    boxes: Sequence[Box] = ()
    colour: tuple[float, float, float] = (1.0, 0.9, 0.4)


_TEXT = '<w:t xml:space="preserve">'
_MOST_COPIED = 1 << 30
"""Bytes of all that a document holds, unpacked: one with 500 photographs has 2 or 3 hundred million."""


def annotate(
    opened: Archive, comments: Sequence[Comment], copy: BinaryIO, date: str, edits: Sequence[Edit] = ()
) -> None:
    """Write the .docx with comments and tracked changes of this date (UTC, ISO 8601).

    A comment on words of a note is at its reference. An edit of what stands in several texts is left out.

    Raise DocumentError for one that cannot have any.
    """
    document = WordDocument(opened)
    if f'xmlns:w="{_W}"' not in document.parts[""]:
        raise QueryError(
            "Its XML names Word's elements in an unusual way. Open it in Word, and save it again."
        )
    old = opened.text(_COMMENTS) or _NEW
    first = max(_root_of(old).numbers, default=-1) + 1
    said = "".join(
        f'<w:comment w:id="{number}" w:author="{_AUTHOR}" w:initials="{_INITIALS}" w:date="{date}"><w:p><w:r>'
        f"{_TEXT}{escape(on_one_line(one.text))}</w:t></w:r></w:p></w:comment>"
        for number, one in enumerate(comments, first)
    )
    changed = _marked(document, comments, first, edits, date) | {_COMMENTS: _before_end(old, said)}
    if _COMMENTS not in opened.names:
        changed[_TYPES] = _before_end(opened.read(_TYPES).decode("utf-8-sig"), _TYPE)
        changed[_RELATIONS] = _before_end(opened.text(_RELATIONS) or _NO_RELATIONS, _RELATION)
    write_changed(opened, changed, copy)


def write_changed(opened: Archive, members: Mapping[str, str], copy: BinaryIO) -> None:
    """Write the archive with these texts in place of its members, or as new ones. Raise DocumentError."""
    if sum(entry.file_size for entry in opened.opened.infolist()) > _MOST_COPIED:
        raise DocumentError(f"it holds over {_MOST_COPIED >> 30} GiB, the limit for a copy")
    changed = dict(members)
    with zipfile.ZipFile(copy, "w") as new:
        for entry in opened.opened.infolist():
            content = changed.pop(entry.filename, None)
            if content is not None:
                new.writestr(entry, content.encode())
                continue
            with opened.opened.open(entry) as member, new.open(copy_of(entry), "w") as written:
                shutil.copyfileobj(member, written)
        for name, content in changed.items():
            new.writestr(zipfile.ZipInfo(name), content.encode(), zipfile.ZIP_DEFLATED)


_DIGITS = 9  # Digits of a comment's number that are read.


@dataclass
class _Root(XmlReader):
    """A reader that finds the first and the last tag of the root, and the numbers of comments."""

    first: int = -1
    last: int = 0
    numbers: list[int] = field(default_factory=list)

    def start(self, name: str, attributes: dict[str, str], at: int) -> None:
        self.first = at if self.first < 0 else self.first
        if name == "w:comment" and (number := attributes.get("w:id", "")).isdecimal():
            self.numbers.append(int(number[-_DIGITS:]))

    def end(self, name: str, at: int) -> None:  # noqa: ARG002
        self.last = at


def _root_of(xml: str) -> _Root:
    root = _Root()
    read_xml(xml, 0, root)
    return root


def _before_end(xml: str, more: str) -> str:
    """Return an XML text with `more` as the last of what its root has."""
    root = _root_of(xml)
    if xml.startswith("</", root.last):
        return xml[: root.last] + more + xml[root.last :]
    slash = xml.rindex("/>", 0, root.last + 2)  # one element, which is empty
    name = re.split(r"[\s/>]", xml[root.first + 1 : slash + 1], maxsplit=1)[0]
    return f"{xml[:slash]}>{more}</{name}>{xml[slash + 2 :]}"


@dataclass
class _Run:
    """A run of the document: where it begins and ends, its properties, and the text elements in it."""

    start: int
    end: int = 0
    properties: tuple[int, int] = (0, 0)
    texts: list[tuple[int, int]] = field(default_factory=list)


@dataclass
class _Runs(XmlReader):
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

    def run_of(self, offset: int, document: int) -> _Run:
        """Return the run with a character, or that refers to its note; notes begin at `document`."""
        if offset >= document and self.notes:
            note = self.notes[max(0, bisect_right(self.notes, offset, key=lambda one: one[0]) - 1)][1]
            if note in self.references:
                return self.references[note]
        return self.runs[max(0, bisect_right(self.runs, offset, key=lambda one: one.start) - 1)]


def _marked(
    word: WordDocument, comments: Sequence[Comment], first: int, edits: Sequence[Edit], date: str
) -> dict[str, str]:
    """Return the document, and notes that change, with the edits and the places of the comments marked.

    Comments are numbered from `first`, edits from there on.
    """
    runs = _Runs(word.source)
    begin = 0
    for source in word.parts.values():
        read_xml(source, begin, runs)
        begin += len(source)
    if comments and not runs.runs:
        raise DocumentError("it has no runs of text, which comments stand beside")
    document = len(word.parts[""])
    pieces: dict[tuple[int, str], None] = {}  # where something is put in, and what; each once
    changed = [
        piece
        for number, one in enumerate(sorted(edits), first + len(comments))
        for piece in _tracked(runs, runs.run_of(one.start, len(runs.source)), one, number, date)
    ]
    for number, comment in enumerate(comments, first):
        begins = f'<w:commentRangeStart w:id="{number}"/>'
        ends = f'<w:commentRangeEnd w:id="{number}"/><w:r><w:commentReference w:id="{number}"/></w:r>'
        start, end = runs.run_of(comment.start, document), runs.run_of(comment.end - 1, document)
        pieces |= dict.fromkeys(_put(runs.source, start, comment.start, begins, after=False))
        pieces |= dict.fromkeys(_put(runs.source, end, comment.end, ends, after=True))
    ordered = sorted([*((at, 1, piece) for at, piece in pieces), *changed], key=lambda one: one[:2])
    made: dict[str, str] = {}
    done = 0
    for kind, source in word.parts.items():
        after = done + len(source)
        here = [Edit(at - done, at - done, piece) for at, _, piece in ordered if done <= at < after]
        if here or not kind:
            made[NOTES.get(kind, DOCUMENT)] = apply(source, here)
        done = after
    return made


def _tracked(runs: _Runs, run: _Run, edit: Edit, number: int, date: str) -> Iterator[tuple[int, int, str]]:
    """Yield where the parts of a tracked change are put in, their order there, and what."""
    about = f'w:id="{number}" w:author="{_AUTHOR}" w:date="{date}"'
    properties = runs.source[slice(*run.properties)]
    new = (
        f"<w:ins {about}><w:r>{properties}{_TEXT}{escape(edit.text)}</w:t></w:r></w:ins>" if edit.text else ""
    )
    again = f"<w:r>{properties}{_TEXT}"
    for tag, last in run.texts:
        text = runs.source.index(">", tag) + 1
        if text <= edit.start and edit.end <= last:
            if "xml:space" not in runs.source[tag:text]:
                yield text - 1, 1, ' xml:space="preserve"'
            if edit.start == edit.end:
                yield edit.start, 2, f"</w:t></w:r>{new}{again}"
                return
            deleted = f'<w:del {about}><w:r>{properties}<w:delText xml:space="preserve">'
            yield edit.start, 2, f"</w:t></w:r>{deleted}"
            yield edit.end, 0, f"</w:delText></w:r></w:del>{new}{again}"


def _put(source: str, run: _Run, offset: int, mark: str, *, after: bool) -> list[tuple[int, str]]:
    """Return where a mark is put in: within a run that it parts in two, else before or after it."""
    for tag, last in run.texts:
        text = source.index(">", tag) + 1
        if text <= offset <= last:
            properties = source[slice(*run.properties)]
            kept = [] if "xml:space" in source[tag:text] else [(text - 1, ' xml:space="preserve"')]
            return [*kept, (offset, f"</w:t></w:r>{mark}<w:r>{properties}{_TEXT}")]
    return [(run.end if after else run.start, mark)]

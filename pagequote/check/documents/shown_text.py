"""A document of a word processor as its reader sees it, to be shown next to the findings on it."""

import io
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Self
from xml.sax.saxutils import escape

from pagequote.check.documents.comments import annotate, write_changed
from pagequote.check.documents.document_text import DocumentText, archive
from pagequote.check.quotation import Edit, MappedText, apply
from pipeline.office.listener import Citing, Listener, ParagraphForm
from pipeline.office.open_document import CONTENT, read_open_document
from pipeline.office.word import WordDocument


def shown_text(content: bytes, name: str, *, word: bool) -> MappedText:
    """Return all text of the document, citations and notes as they are shown, with its places in the XML.

    Raise QueryError, with the file's `name`, for what is none.
    """
    shown = _Shown()
    with archive(content, name) as opened:
        if word:
            document = WordDocument(opened)
            for part in document.parts:
                document.tell(part, shown)
        else:
            read_open_document(opened, shown)
    return MappedText(shown.flow.text(), shown.flow.spans)


def within(shown: MappedText, start: int, end: int) -> tuple[int, int]:
    """Return which of the characters that are shown stand from `start` to `end` of the source."""
    spans = shown.spans
    return bisect_left(spans.starts, start), bisect_right(spans.ends, end)


def with_edits(content: bytes, name: str, edits: Sequence[Edit], *, word: bool, date: str) -> bytes:
    """Return the document with the edits: as tracked changes of this `date` in a .docx, plain in an .odt.

    Raise QueryError.
    """
    copy = io.BytesIO()
    with archive(content, name) as opened:
        if word:
            annotate(opened, (), copy, date, edits)
        else:
            source = read_open_document(opened, Listener())
            escaped = [one._replace(text=escape(one.text)) for one in edits]
            write_changed(opened, {CONTENT: apply(source, escaped)}, copy)
    return copy.getvalue()


@dataclass
class _Shown(DocumentText):
    """Takes all that is shown; a note that is written elsewhere has its number in both places."""

    numbers: dict[str, int] = field(default_factory=dict)
    inline: bool = False

    def _add_here(self, text: str) -> None:
        self.flow.add(text, self.flow.last_place, self.flow.last_place)

    def end_paragraph(self, at: int, form: ParagraphForm) -> None:  # noqa: ARG002
        self.flow.add(" " if self.inline else "\n\n", at, at)

    def begin_note(self, reference: str) -> Self:
        self.inline = not reference
        self._add_here(" [" if self.inline else f"[{self.numbers.get(reference, '*')}] ")
        return self

    def end_note(self) -> None:
        self._add_here("]" if self.inline else "")
        self.inline = False

    def refer(self, reference: str) -> None:
        self._add_here(f"[{self.numbers.setdefault(reference, len(self.numbers) + 1)}]")

    def cited(self, shown: int, by: Citing, said: str, start: int, end: int, data: str = "") -> None:
        """Leave what shows a citation."""

    def unread(self, start: int, end: int) -> None:
        self.flow.add("▯", start, end)

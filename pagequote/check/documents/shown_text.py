"""A document of a word processor as its reader sees it, to be shown next to the findings on it."""

import io
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from xml.sax.saxutils import escape

from pagequote.check.documents.comments import annotate, write_changed
from pagequote.check.documents.reading import archive
from pagequote.check.fixes import apply
from pagequote.check.quotation import Edit, MappedText, Spans
from pipeline.office.listener import Listener, Moved, ParagraphForm
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
    return MappedText("".join(shown.pieces), shown.spans)


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


class _Shown(Listener):
    """Takes all that is shown; a note that is written elsewhere has its number in both places."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.spans = Spans()
        self._notes: dict[str, int] = {}
        self._inline = False

    @property
    def length(self) -> int:
        return len(self.spans)

    def _add(self, text: str, start: int, end: int) -> None:
        self.pieces.append(text)
        self.spans.add(start, end, len(text))

    def _add_here(self, text: str) -> None:
        last = self.spans.ends[-1] if self.spans.ends else 0
        self._add(text, last, last)

    def end_paragraph(self, at: int, form: ParagraphForm) -> None:  # noqa: ARG002
        self._add(" " if self._inline else "\n\n", at, at)

    def begin_note(self, reference: str) -> Listener:
        self._inline = not reference
        self._add_here(" [" if self._inline else f"[{self._notes.get(reference, '*')}] ")
        return self

    def end_note(self) -> None:
        self._add_here("]" if self._inline else "")
        self._inline = False

    def refer(self, reference: str) -> None:
        number = self._notes.setdefault(reference, len(self._notes) + 1)
        self._add_here(f"[{number}]")

    def text(self, text: str, start: int, end: int, moved: Moved = "") -> None:  # noqa: ARG002
        if len(text) == end - start:
            self.pieces.append(text)
            self.spans.add_each(start, len(text))
        else:
            self._add(text, start, end)

    def unread(self, start: int, end: int) -> None:
        self._add("▯", start, end)

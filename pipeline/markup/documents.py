"""Documents of word processors, .docx and .odt, as `pipeline.office` reads them."""

from dataclasses import dataclass, field
from typing import Any, Literal

from pipeline.layout.sections import NOWHERE, SectionHeading
from pipeline.libraries.entries import Metadata
from pipeline.markup.elements import children, descendants, local_name, opened, read_xml
from pipeline.markup.markup_text import MarkupText, Run, Story
from pipeline.markup.web_page import dublin_core
from pipeline.office.archive import Archive
from pipeline.office.listener import Listener, Moved, ParagraphForm
from pipeline.office.open_document import read_open_document
from pipeline.office.word import NOTES, WordDocument

_ABOUT = {".docx": "docProps/core.xml", ".odt": "meta.xml"}


def read_document(data: bytes, suffix: Literal[".docx", ".odt"]) -> MarkupText:
    """Return the text of a document. Raise UnreadableError."""
    with opened(data, suffix) as archive:
        teller = _Teller()
        if suffix == ".docx":
            document = WordDocument(archive)
            for part in ("", *NOTES):
                document.tell(part, teller)
        else:
            read_open_document(archive, teller)
        return MarkupText(tuple(teller.finish()), _metadata(archive, suffix))


_Item = tuple[ParagraphForm, list[Run], str]  # A paragraph or row: its form, characters and anchor.


@dataclass
class _Holder:
    """A paragraph or a row that is open, and what hangs on it: it is told of afterwards."""

    anchor: str
    row: bool
    runs: list[Run] = field(default_factory=list)
    hanging: list[_Item] = field(default_factory=list)
    within: int = 0
    """Paragraphs and rows within a row that are open: their text is the row's."""


class _Teller(Listener):
    """Tells a Story what it hears: notes last, text boxes after the paragraph that they hang on."""

    def __init__(self) -> None:
        self._story = Story()
        self._sections: list[tuple[int, SectionHeading]] = []
        self._open: list[_Holder] = []
        self._around: list[list[_Holder]] = []
        self._notes: list[_Item] = []

    def finish(self) -> list[Any]:
        """Return all paragraphs."""
        for _, runs, anchor in self._notes:
            self._story.add("footnote", runs, anchor)
        return self._story.paragraphs

    def begin_paragraph(self, at: int, anchor: str) -> None:  # noqa: ARG002
        self._begin(anchor, row=False)

    def begin_row(self, anchor: str) -> None:
        self._begin(anchor, row=True)

    def _begin(self, anchor: str, *, row: bool) -> None:
        if self._open and self._open[-1].row:
            self._open[-1].within += 1
        else:
            self._open.append(_Holder(anchor, row))

    def end_paragraph(self, at: int, form: ParagraphForm) -> None:  # noqa: ARG002
        self._end(form)

    def end_row(self) -> None:
        self._end(ParagraphForm("table"))

    def _end(self, form: ParagraphForm) -> None:
        holder = self._open[-1]
        if holder.within:
            holder.within -= 1
            holder.runs.append((" ", False))
            return
        self._open.pop()
        items = [(form, holder.runs, holder.anchor), *holder.hanging]
        if self._open:
            self._open[-1].hanging += items
        elif self._around:
            self._notes += items
        else:
            for item in items:
                self._add(*item)

    def _add(self, form: ParagraphForm, runs: list[Run], anchor: str) -> None:
        heading = form.kind == "heading"
        while heading and self._sections and self._sections[-1][0] >= form.level:
            self._sections.pop()
        section = self._sections[-1][1] if self._sections else NOWHERE
        if heading:
            self._sections.append((form.level, self._story.begin(runs, anchor, section)))
        else:
            self._story.add(form.kind, runs, anchor, section)

    def begin_note(self, reference: str) -> Listener:  # noqa: ARG002
        self._around.append(self._open)
        self._open = []
        return self

    def end_note(self) -> None:
        self._open = self._around.pop()

    def text(self, text: str, start: int, end: int, moved: Moved = "") -> None:  # noqa: ARG002
        if self._open:
            self._open[-1].runs.append((text, moved == "raised"))


def _metadata(archive: Archive, suffix: str) -> Metadata:
    """Return what the document says of itself; the day of an .odt is when it was last saved, and no year."""
    if _ABOUT[suffix] not in archive.names:
        return dublin_core(())
    root = read_xml(archive.read(_ABOUT[suffix]), suffix)
    about = root if suffix == ".docx" else next(descendants(root, "meta"), None)
    return dublin_core(one for one in children(about) if suffix == ".docx" or local_name(one) != "date")

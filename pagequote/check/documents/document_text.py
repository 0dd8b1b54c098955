"""Manuscripts in .docx and .odt: their running text, and where in the document each paragraph is."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from xml.etree import ElementTree as ET

from lookup.errors import QueryError
from lookup.quote import typed
from pagequote.check.cited_works import CitedWork
from pagequote.check.documents.citation_fields import read_citation
from pagequote.check.manuscript import SUFFIXES, WORD, Landmark, Manuscript
from pagequote.check.quotation import Citation
from pagequote.check.quoting import quoting
from pagequote.check.running_text import OURS, Quoted, RunningText
from pipeline.office.archive import MOST_PARAGRAPHS, Archive, DocumentError, opened_archive
from pipeline.office.listener import Citing, Listener, Moved, ParagraphForm
from pipeline.office.open_document import read_open_document
from pipeline.office.word import NOTES, WordDocument

_HEADING = 120  # Characters of a heading that are kept.

_BLOCK = 20
"""Words of a paragraph that is set in, from which it may be a block quotation; style guides say 40."""

_FEW = 1 / 3
"""Share of paragraphs of a form, up to which they may be quotations; else it is the text's form."""


@dataclass
class DocumentText(Listener):
    """The text of a document so far. `page` counts the breaks that the word processor left.

    `sources` are Word's own, and `notes` what is written elsewhere, by their references.
    """

    sources: Mapping[str, CitedWork] = field(default_factory=dict)
    notes: dict[str, "DocumentText"] = field(default_factory=dict)
    flow: RunningText = field(default_factory=RunningText)
    landmarks: list[Landmark] = field(default_factory=list)
    works: dict[str, CitedWork] = field(default_factory=dict)
    page: int = 1
    paged: bool = False
    heading: str = ""
    paragraphs: int = 0
    apart: list[Quoted] = field(default_factory=list)
    _open: list[int] = field(default_factory=list)
    _note: ExitStack = field(default_factory=ExitStack)

    @property
    def length(self) -> int:
        """Return the number of characters so far."""
        return self.flow.length

    def begin_paragraph(self, at: int, anchor: str) -> None:  # noqa: ARG002
        """Begin a paragraph; those of a note count as a part of theirs."""
        self.paragraphs += not self.flow.aside
        self._open.append(self.length)
        self.landmarks.append(Landmark(at, max(1, self.paragraphs), self.page, self.heading))
        if len(self.landmarks) > MOST_PARAGRAPHS:
            raise QueryError(
                f"The manuscript has over {MOST_PARAGRAPHS:,} paragraphs, the limit. Check it in parts."
            )

    def end_paragraph(self, at: int, form: ParagraphForm) -> None:
        """End a paragraph, which may quote."""
        began = min(self._open.pop(), self.length)
        quoted = Quoted(began, self.length, "block quote", block=True)
        if form.kind == "heading":
            self.heading = " ".join(self._words(began))[:_HEADING]
        elif form.kind == "quote" and self._words(began):
            self.flow.quoted.append(quoted)
        elif form.kind == "body" and (form.indented or form.apart):
            known = form.indented and len(self._words(began)) >= _BLOCK
            why = "block quote" if known else form.apart or "a paragraph that is set in"
            self.apart.append(quoted._replace(form=why, known=known))
        self.flow.add("\n\n", at, at)

    def _words(self, began: int) -> list[str]:
        return self.flow.words(began).text.split()

    def begin_note(self, reference: str) -> "DocumentText":
        """Begin a note: here, or as a text of its own where it is written elsewhere."""
        if reference:
            return self.notes.setdefault(reference, DocumentText(sources=self.sources))
        self._note.enter_context(self.flow.noting(self.flow.last_place, self.flow.last_place))
        return self

    def end_note(self) -> None:
        """End a note."""
        self._note.close()

    def refer(self, reference: str) -> None:
        """Add the note, which is written elsewhere, where it is first referred to: none is read twice."""
        note = self.notes.pop(reference, None)
        if note is None:
            return
        first = note.flow.spans[0][0] if note.length else 0
        with self.flow.noting(first, note.flow.last_place):
            self.flow.extend(note.flow)
        self.works |= note.works
        self.landmarks += [
            one._replace(paragraph=max(1, self.paragraphs), page=self.page, heading=self.heading)
            for one in note.landmarks
        ]

    def text(self, text: str, start: int, end: int, moved: Moved = "") -> None:
        """Add characters."""
        if moved:
            text = typed.moved(text, "^" if moved == "raised" else "_")
        if len(text) == end - start:
            self.flow.add_each(text, start)
        else:
            self.flow.add(text.translate(OURS), start, end)

    def unread(self, start: int, end: int) -> None:
        """Add what is seen, but not as text."""
        self.flow.unread(start, end)

    def turn(self, mark: str, at: int) -> None:
        """Add a mark of direction."""
        self.flow.add(mark, at, at)

    def break_page(self) -> None:
        """Go to the next page."""
        self.paged = True
        self.page += 1

    def cited(self, shown: int, by: Citing, said: str, start: int, end: int, data: str = "") -> None:
        """Put what is cited in place of what showed it, which stays as it is if nothing is."""
        cited = read_citation(by, said, data, self.sources)
        if not cited:
            return
        self.flow.forget(min(shown, self.length))
        self.works |= {work.name: work for work, _ in cited}
        self.flow.cite(Citation(tuple((work.name, locator) for work, locator in cited), start, end))

    def finish(self) -> Manuscript:
        """Return what is quoted, the paragraphs in the order of the source, and the works that are cited."""
        forms = Counter(one.form for one in self.apart)
        apart = [one for one in self.apart if forms[one.form] <= max(1, _FEW * self.paragraphs)]
        self.flow.quoted = sorted([*self.flow.quoted, *apart], key=lambda one: one.start)
        landmarks = sorted(self.landmarks, key=lambda one: one.start)
        if not self.paged:
            landmarks = [one._replace(page=None) for one in landmarks]
        return replace(quoting(self.flow), cited=(), landmarks=tuple(landmarks), works=self.works)


@contextmanager
def archive(content: bytes, name: str) -> Iterator[Archive]:
    """Open the archive `content`. Raise QueryError, with the file's `name`, if it is none or damaged."""
    try:
        with opened_archive(content) as opened:
            yield opened
    except DocumentError as error:
        raise QueryError(
            f"{name!r} cannot be read as a file of a word processor: {error}. "
            "Save it as .docx or .odt, without a password."
        ) from error


def read(content: bytes, path: Path, _: object) -> Manuscript:
    """Return what a document of a word processor quotes, of a .docx with the notes where they are cited."""
    text = DocumentText()
    with archive(content, str(path)) as opened:
        if SUFFIXES[path.suffix.lower()] == WORD:
            document = WordDocument(opened)
            text.sources, source = _sources(opened), document.source
            for part in (*NOTES, ""):
                document.tell(part, text)
        else:
            source = read_open_document(opened, text)
    return replace(text.finish(), source=source)


def _sources(opened: Archive) -> dict[str, CitedWork]:
    """Return the sources that Word keeps in a document, by their tags."""
    found: dict[str, CitedWork] = {}
    for name in opened.names:
        if re.fullmatch(r"customXml/item\d{1,4}\.xml", name):
            xml = opened.text(name) or ""
            if "bibliography" in xml and "<!DOCTYPE" not in xml:
                root = ET.fromstring(xml)  # noqa: S314  # without a document type there are no entities
                for source in root.iterfind("{*}Source"):
                    tag = source.findtext("{*}Tag") or ""
                    found[tag] = CitedWork.of(
                        tag,
                        source.findtext("{*}DOI"),
                        source.findtext("{*}Title"),
                        source.findtext(".//{*}Last") or source.findtext(".//{*}Corporate") or "",
                        source.findtext("{*}Year") or "",
                    )
    return found

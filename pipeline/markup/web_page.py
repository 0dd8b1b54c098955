"""Articles in HTML and XHTML."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from lxml import etree
from lxml import html as lxml_html

from pipeline.layout.sections import NOWHERE, SectionHeading
from pipeline.libraries.entries import Metadata, normalised_doi, year_in
from pipeline.markup.elements import (
    Anchors,
    check_size,
    damaged,
    descendants,
    entity_text,
    is_struck,
    local_name,
)
from pipeline.markup.markup_text import MarkupText, Run, Story, plain
from pipeline.metadata.names import family_first

_SILENT = frozenset(
    """
    audio button canvas dialog embed footer head iframe input math-alt nav noscript object script select
    style svg template textarea video
    """.split()
)
"""Elements around an article, or whose text no reader sees."""

_BLOCKS = frozenset(
    """
    address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure
    h1 h2 h3 h4 h5 h6 header hr html li main menu ol p pre section summary table tbody td tfoot th thead
    tr ul
    """.split()
)

_KINDS = {
    "blockquote": "quote",
    "li": "list",
    "dt": "list",
    "dd": "list",
    "pre": "code",
    "caption": "caption",
    "figcaption": "caption",
    "tr": "table",
}
_NOTES = frozenset({"endnote", "endnotes", "footnote", "footnotes", "note", "rearnote", "rearnotes"})
"""What elements say that they are, if their text is notes (EPUB's vocabulary, and that of DPUB-ARIA)."""

_HEADING = re.compile("h[1-6]")
_HIDDEN = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.IGNORECASE)
_ENCODED = re.compile(rb"<\?xml|<meta[^>]{1,200}charset", re.IGNORECASE)
"""What says how a page is encoded; else it is UTF-8 where it can be."""

_DEEPEST = 250  # Elements within one another: libxml2's own bound for XML.


def read_web_page(data: bytes) -> MarkupText:
    """Return the article of a web page. Raise UnreadableError."""
    root = page_root(data, "HTML")
    story = Story()
    bodies = [next(descendants(root, name), None) for name in ("article", "main", "body")]
    body = next((one for one in bodies if one is not None), root)
    read_body(body, story, Anchors())
    return MarkupText(tuple(story.paragraphs), _metadata(root))


_BEGUN = re.compile(rb"<body\b", re.IGNORECASE)
_ENDED = re.compile(rb"</(?:body|html)\b", re.IGNORECASE)


def cut_page(data: bytes) -> str:
    """Return what is to be said of a web page that ends before its body does; else ''.

    Who leaves out the end of a body, as HTML may, leaves out its beginning; a file in other bytes than those
    of ASCII says nothing.
    """
    if not _BEGUN.search(data) or _ENDED.search(data):
        return ""
    return f"The page is cut short: {len(data):,} bytes; fetch it again. Text at its end may be missing."


def page_root(data: bytes, name: str) -> Any:
    """Return the root element of a web page. Raise UnreadableError."""
    check_size(data, name)
    utf8 = _ENCODED.search(data) is None and data.decode("utf-8", "ignore").encode() == data
    parser = lxml_html.HTMLParser(no_network=True, huge_tree=False, encoding="utf-8" if utf8 else None)
    try:
        root = lxml_html.document_fromstring(data, parser=parser)
    except (etree.ParserError, etree.XMLSyntaxError, ValueError) as error:
        raise damaged(name, str(error)) from error
    depth = 0
    for event, _ in etree.iterwalk(root, events=("start", "end")):
        depth += 1 if event == "start" else -1
        if depth > _DEEPEST:
            raise damaged(name, f"its elements are over {_DEEPEST} deep within one another")
    return root


def read_body(body: Any, story: Story, anchors: Anchors) -> None:
    """Tell the story all paragraphs of an element."""
    _Reader(story, anchors).block(body, "body")


class _Reader:
    def __init__(self, story: Story, anchors: Anchors) -> None:
        self._story = story
        self._anchors = anchors
        self._within: list[tuple[int, SectionHeading]] = []

    def block(self, element: Any, kind: str) -> None:
        """Read an element whose text is of this kind where nothing within it says more."""
        name = local_name(element)
        if _HEADING.fullmatch(name):
            self._heading(element, int(name[1]))
            return
        around = [*self._within]
        if kind != "footnote":
            kind = "footnote" if _said_of(element) & _NOTES else _KINDS.get(name, kind)
        runs: list[Run] = []
        for part in _parts(element, whole=name == "tr", raised=False):
            if isinstance(part, tuple):
                runs.append(part)
            else:
                self._story.add(kind, runs, self._anchors.of(element), self._section)
                runs = []
                self.block(part, kind)
        self._story.add(kind, runs, self._anchors.of(element), self._section)
        if name == "aside":  # its headings are its own
            self._within = around

    @property
    def _section(self) -> SectionHeading:
        return self._within[-1][1] if self._within else NOWHERE

    def _heading(self, element: Any, level: int) -> None:
        runs = [part for part in _parts(element, whole=True, raised=False) if isinstance(part, tuple)]
        if level == 1 and not self._story.paragraphs:
            self._story.add("title", runs, self._anchors.of(element))
            return
        while self._within and self._within[-1][0] >= level:
            self._within.pop()
        self._within.append((level, self._story.begin(runs, self._anchors.of(element), self._section)))


def _parts(element: Any, *, whole: bool, raised: bool) -> Iterator[Any]:
    """Yield the runs of an element's text, and the blocks that stand within it; if `whole`, their text."""
    if element.text:
        yield element.text, raised
    for one in element:
        name = local_name(one)
        if not name:
            yield entity_text(one), raised
        elif _silent(one, name):
            pass
        elif is_struck(one, "html"):
            yield from ((text, None) for text, _ in _parts(one, whole=True, raised=False))
        elif name in _BLOCKS and not whole:
            yield one
        elif name == "br":
            yield "\n", raised
        else:
            yield from _parts(one, whole=whole, raised=raised or name == "sup")
            if name in _BLOCKS:
                yield " ", raised
        if one.tail:
            yield one.tail, raised


def _silent(element: Any, name: str) -> bool:
    """Return whether no reader of the work sees an element: an `aside` that does not say what it is, too."""
    if element.get("hidden") is not None or _HIDDEN.search(element.get("style", "")):
        return not _said_of(element) & _NOTES  # reading systems hide notes until they are called
    return name in _SILENT or (name == "aside" and not _said_of(element))


def _said_of(element: Any) -> frozenset[str]:
    """Return what an element of a book or article says that it is: {"footnote"}, {"sidebar"}, ..."""
    roles = (one[4:] for one in element.get("role", "").split() if one.startswith("doc-"))
    return frozenset((*element.get("epub:type", "").split(), *roles))


def _metadata(root: Any) -> Metadata:
    """Return what the page says of its article in `meta` (Highwire, Dublin Core), or by its only h1."""
    said: dict[str, list[str]] = {}
    for one in descendants(root, "meta"):
        name = (one.get("name") or one.get("property") or "").lower()
        if text := plain([(one.get("content") or "", False)]):
            said.setdefault(name, []).append(text)
    heads = list(descendants(root, "h1"))
    if len(heads) == 1 and (text := plain([(" ".join(heads[0].itertext()), False)])):
        said["h1"] = [text]
    return _metadata_of(said)


_SAID = {
    "title": ("citation_title", "dc.title", "og:title", "h1"),
    "authors": ("citation_author", "dc.initial-creator", "dc.creator", "author"),
    "year": ("citation_publication_date", "citation_date", "citation_year", "dc.date"),
    "doi": ("citation_doi", "dc.identifier"),
    "venue": ("citation_journal_title", "citation_conference_title", "dc.publisher"),
}


def dublin_core(elements: Iterable[Any]) -> Metadata:
    """Return the metadata that elements of the Dublin Core state, as in books, .docx and .odt."""
    said: dict[str, list[str]] = {}
    for one in elements:
        if text := plain([(one.text or "", False)]):
            said.setdefault(f"dc.{local_name(one)}", []).append(text)
    return _metadata_of(said)


def _metadata_of(said: Mapping[str, list[str]]) -> Metadata:
    """Return the metadata that a page or book states, by the names of its statements."""
    found = {name: next((said[one] for one in names if one in said), []) for name, names in _SAID.items()}
    first = {name: texts[0] if texts else "" for name, texts in found.items()}
    return Metadata(
        title=first["title"] or None,
        authors=tuple(name if "," in name else family_first(name) for name in found["authors"]),
        year=year_in(first["year"]),
        doi=next(filter(None, map(normalised_doi, found["doi"])), None),
        venue=first["venue"] or None,
    )

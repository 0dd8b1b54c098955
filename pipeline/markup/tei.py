"""Texts in TEI, such as GROBID and libraries make."""

from typing import Any

from lookup.text.printable import on_one_line
from pipeline.libraries.entries import Metadata, normalised_doi, year_in
from pipeline.markup.elements import Anchors, attribute, child, children, descendants
from pipeline.markup.markup_text import MarkupText, Story, plain
from pipeline.markup.vocabulary import TEI
from pipeline.markup.walk import Walker


def read_tei(root: Any) -> MarkupText:
    """Return the text of a TEI document."""
    walker = Walker(TEI, Story(), Anchors())
    header = next(descendants(root, "teiHeader"), None)
    abstract = next(descendants(header, "abstract"), None)
    if abstract is not None:
        walker.walk(abstract, section=walker.story.unnamed("Abstract"))
    for text in children(root, "text"):
        walker.walk(text)
    return MarkupText(tuple(walker.story.paragraphs), _metadata(walker, header))


def _metadata(walker: Walker, header: Any) -> Metadata:
    def text(element: Any) -> str:
        return plain(walker.runs(element))

    def author(name: Any) -> str:
        parts = (
            " ".join(map(text, children(name, "surname"))),
            " ".join(map(text, children(name, "forename"))),
        )
        return on_one_line(", ".join(filter(None, parts)) or text(name))

    title = child(next(descendants(header, "titleStmt"), None), "title")
    source = next(descendants(header, "sourceDesc"), header)
    names = [one for author in descendants(source, "author") for one in children(author, "persName")]
    dates = [attribute(one, "when") or one.text or "" for one in descendants(header, "date")]
    numbers = [
        one.text or "" for one in descendants(header, "idno") if attribute(one, "type").upper() == "DOI"
    ]
    journal = next((one for one in descendants(source, "title") if attribute(one, "level") == "j"), None)
    return Metadata(
        title=text(title) or None,
        authors=tuple(filter(None, map(author, names))),
        year=next(filter(None, map(year_in, dates)), None),
        doi=next(filter(None, map(normalised_doi, numbers)), None),
        venue=text(journal) or None,
    )

"""Articles in JATS (ANSI/NISO Z39.96) and in the NLM markup before it."""

from collections.abc import Iterator
from typing import Any

from lookup.text.printable import on_one_line
from pipeline.libraries.entries import Metadata, normalised_doi, year_in
from pipeline.markup.elements import Anchors, child, children, descendants, local_name
from pipeline.markup.markup_text import MarkupText, Story, plain
from pipeline.markup.vocabulary import JATS
from pipeline.markup.walk import Walker


def read_jats(root: Any) -> MarkupText:
    """Return the article of a JATS document."""
    article = next(descendants(root, "article"), root)
    front = child(article, "front")
    meta = child(front, "article-meta")
    walker = Walker(JATS, Story(), Anchors())
    _front(walker, meta)
    _article(walker, article)
    return MarkupText(tuple(walker.story.paragraphs), _metadata(walker, front, meta))


def _front(walker: Walker, meta: Any) -> None:
    """Tell what stands before the text."""
    for title in descendants(meta, "article-title", "subtitle"):
        if local_name(title.getparent()) == "title-group":
            walker.tell("title", title)
    if authors := list(_authors(walker, meta)):
        walker.add("front", ", ".join(authors), meta)
    for part in descendants(meta, "aff", "corresp", "copyright-statement", "license-p"):
        walker.tell("front", part)
    for abstract in children(meta, "abstract", "trans-abstract"):
        titled = child(abstract, "title") is not None
        walker.walk(abstract, section=None if titled else walker.story.unnamed("Abstract"))
    for group in children(meta, "kwd-group"):
        words = ", ".join(plain(walker.runs(word)) for word in descendants(group, "kwd"))
        title = plain(walker.runs(child(group, "title"))).rstrip(":") or "Keywords"
        walker.add("front", f"{title}: {words}" if words else "", group)


def _article(walker: Walker, article: Any) -> None:
    """Tell the text of an article, and of those within it."""
    for part in children(article, "body", "back", "floats-group", "sub-article", "response"):
        if local_name(part) in {"sub-article", "response"}:
            walker.begin(next(descendants(part, "article-title"), None), level=0)
            _article(walker, part)
        else:
            walker.walk(part)


def _metadata(walker: Walker, front: Any, meta: Any) -> Metadata:
    title = child(child(meta, "title-group"), "article-title")
    journal = next(descendants(front, "journal-title"), None)
    years = [
        year
        for date in children(meta, "pub-date")
        if (of := child(date, "year")) is not None and (year := year_in(of.text or ""))
    ]
    numbers = [one.text for one in children(meta, "article-id") if one.get("pub-id-type") == "doi"]
    abstract = next((one for one in children(meta, "abstract") if not one.get("abstract-type")), None)
    apart = Walker(JATS, Story(), Anchors())
    if abstract is not None:
        apart.walk(abstract)
    parts = [one.text for one in apart.story.paragraphs if one.kind != "heading"]
    return Metadata(
        title=plain(walker.runs(title)) or None,
        authors=tuple(_authors(walker, meta)),
        year=min(years, default=None),
        doi=normalised_doi(numbers[0] or "") if numbers else None,
        venue=plain(walker.runs(journal)) or None,
        abstract="\n\n".join(parts) or None,
    )


def _authors(walker: Walker, meta: Any) -> Iterator[str]:
    """Yield "Family, Given" of each author."""
    for group in children(meta, "contrib-group"):
        for one in children(group, "contrib"):
            if one.get("contrib-type", "author") != "author":
                continue
            name = next(descendants(one, "name", "string-name", "collab"), None)
            if name is not None:
                surname, given = child(name, "surname"), child(name, "given-names")
                parts = [surname, given] if surname is not None else [name]
                yield on_one_line(", ".join(plain(walker.runs(part)) for part in parts if part is not None))

"""Quotations of structured records: claims with their snippets, annotations that a program exports.

So are highlights that programs export into Markdown: Logseq, obsidian-annotator and Readwise.
"""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple

from lookup.errors import QueryError
from lookup.papers.locators import Locator, parse_locator
from pagequote.check.cited_works import CitedWork
from pagequote.check.quotation import MappedText, Name, Quotation, Spans
from pagequote.check.record_text import Scalar, Value, read_json, read_json_lines, read_table, read_yaml

RECORD_SUFFIXES: Mapping[str, Callable[[str], Value]] = {
    ".yaml": read_yaml,
    ".yml": read_yaml,
    ".json": read_json,
    ".jsonl": read_json_lines,
    ".ndjson": read_json_lines,
    ".tsv": read_table,
    ".csv": read_table,
}
"""What reads a file of records, by its suffix."""

FIELDS = {"quote": "quote", "key": "key", "page": "page"}
"""The fields of a record where none are named."""

_ANNOTATION = {"quote": "selector.exact", "key": "target.source", "page": "page"}
"""The fields of an annotation of the W3C's model, as Hypothesis exports it."""


class Records(NamedTuple):
    """The quotations of a file of records or highlights, and the works that its keys may be."""

    quotations: tuple[Quotation, ...]
    works: Mapping[str, CitedWork]


class _Found(NamedTuple):
    """A scalar at the end of a path, with the objects around it, the innermost last, and its path."""

    value: Scalar
    around: tuple[dict[str, Value], ...]
    path: tuple[str, ...]


def read_records(source: str, suffix: str, fields: Mapping[str, str]) -> Records:
    """Return the quotations of records: those of the field `quote`, cited by `key` and `page`.

    A field is a name, or a path of names ("evidence.snippet"); lists on the way are gone through. Key and
    page are those of the same object, else of the nearest one around it. Raise QueryError, also where no
    record has one of the `fields`.
    """
    try:
        root = RECORD_SUFFIXES[suffix](source)
    except (ValueError, RecursionError) as error:
        raise QueryError(f"The records cannot be read as {suffix[1:].upper()}: {error}.") from error
    every = list(_scalars(root, (), ()))
    named = {**FIELDS, **fields}
    if not fields and any(_ends(one.path, "selector.exact") for one in every):
        named = _ANNOTATION
    wanted = fields.values() or [named["quote"]]
    for absent in (one for one in wanted if every and not any(_ends(found.path, one) for found in every)):
        names = ", ".join(repr(name) for name in dict.fromkeys(".".join(one.path) for one in every))
        raise QueryError(
            f"No record has a field {absent!r}. There are {names[:_SHOWN]}. Name the fields, as in "
            "--field quote=snippet --field key=reference --field page=page."
        )
    found = [one for one in every if _ends(one.path, named["quote"]) and one.value.text.strip()]
    quotations = tuple(_quotation(one, named) for one in found)
    works = {key: _work(key) for one in quotations for key in one.keys}
    return Records(quotations, works)


_SHOWN = 300  # Characters of the names of fields that are told.


def _scalars(value: Value, around: tuple[dict[str, Value], ...], path: tuple[str, ...]) -> Iterator[_Found]:
    if isinstance(value, Scalar):
        yield _Found(value, around, path)
    elif isinstance(value, dict):
        for name, inner in value.items():
            yield from _scalars(inner, (*around, value), (*path, name))
    else:
        for inner in value:
            yield from _scalars(inner, around, path)


def _ends(path: Sequence[str], field: str) -> bool:
    """Return whether a path ends with a field's names."""
    names = field.split(".")
    return list(path[-len(names) :]) == names


def _quotation(found: _Found, named: Mapping[str, str]) -> Quotation:
    value = found.value
    key, page = (_beside(found, named[field]) for field in ("key", "page"))
    spans = Spans()
    spans.add(value.start, max(value.start + 1, value.end), len(value.text))
    words = MappedText(value.text, spans)
    locator = parse_locator(page.text, 0, len(page.text)) if page else None
    if locator is not None and page is not None:
        locator = locator._replace(start=page.start, end=page.end, prefix=None)
    keys = (key.text.strip(),) if key and key.text.strip() else ()
    return Quotation(words.cut(0, len(value.text)), keys, locator, value.start, value.end, named["quote"])


def _beside(found: _Found, field: str) -> Scalar | None:
    """Return the value of a field in the innermost object around that has it, alone or by a longer path."""
    names = field.split(".")
    for depth in range(len(found.around) - 1, -1, -1):
        within = found.path[:depth]
        for first in range(len(names)):
            if first and tuple(names[:first]) != within[len(within) - first :]:
                continue
            value: Value | None = found.around[depth]
            for name in names[first:]:
                while isinstance(value, list):
                    value = value[0] if value else None
                value = value.get(name) if isinstance(value, dict) else None
            if isinstance(value, Scalar):
                return value
    return None


def _work(key: str) -> CitedWork:
    """Return the work that a key of a record may be: a key, a DOI, a title, a file or its address."""
    bare = key.removeprefix("urn:x-pdf:").rpartition("/")[2].removesuffix(".pdf")
    doi = key[key.index("10.") :] if "10." in key and "/" in key else ""
    return CitedWork(key, key if bare == key else bare, doi, key if " " in key else "", "")


_LOGSEQ_FILE = re.compile(
    r"^file(?:-path)?::[ \t]*+(?:\[[^\[\]\n]*\]\()?(?P<path>[^()\n]+\.pdf)\)?", re.MULTILINE | re.IGNORECASE
)
_LOGSEQ = re.compile(
    r"^[ \t]*-[ \t](?P<words>[^\n]*+(?>(?:\n(?![ \t]*(?:-[ \t]|[\w-]+::))[^\n]*+)*))\n"
    r"(?P<about>(?:[ \t]*[\w-]+::[^\n]*+\n?)+)",
    re.MULTILINE,
)
_LOGSEQ_PAGE = re.compile(r"hl-page::[ \t]*(\d{1,6})")
_READWISE = re.compile(
    r"^[ \t]*[-*][ \t](?P<words>[^\n]*?)(?<![ \t])[ \t]*+\(\[(?P<kind>Page|Location)[ \t](?P<page>[\w-]+)\]"
    r"\(https?://[^\s()]*readwise[^\s()]*\)\)",
    re.MULTILINE,
)
_ANNOTATED = re.compile(
    r"^annotation-target:[ \t]*+(?P<path>[^\n]+\.pdf)[ \t\r]*$", re.MULTILINE | re.IGNORECASE
)
_ANNOTATED_WORDS = re.compile(r"%%HIGHLIGHT%%[ \t]*+==(?P<words>[^\n]*?)==[ \t]*+%%POSTFIX%%")
_TITLE = re.compile(
    r"^(?:-?[ \t]*Full Title:[ \t]*+(?P<full>[^\n]+)|#[ \t]++(?P<head>[^\n]+))$", re.MULTILINE
)
_AUTHOR = re.compile(r"^-?[ \t]*Authors?:[ \t]*+(?P<author>[^\n]+)$", re.MULTILINE)


def read_export(source: str) -> Records | None:
    """Return the highlights of an export into Markdown; None for Markdown that is none."""
    file = _LOGSEQ_FILE.search(source)
    if file is not None and "hl-page::" in source:
        key = Name(file["path"])
        return Records(tuple(_of_logseq(source, key)), {})
    if (file := _ANNOTATED.search(source)) and _ANNOTATED_WORDS.search(source):
        key = Name(file["path"].strip())
        return Records(
            tuple(_quoted(source, one, key, None) for one in _ANNOTATED_WORDS.finditer(source)), {}
        )
    if _READWISE.search(source):
        titles = sorted(_TITLE.finditer(source), key=lambda one: one["full"] is None)
        author = _AUTHOR.search(source)
        title = (titles[0]["full"] or titles[0]["head"]).strip() if titles else ""
        work = CitedWork.of(None, None, title, re.sub(r"[\[\]]", "", author["author"]) if author else "", "")
        return Records(tuple(_of_readwise(source, work.name)), {work.name: work._replace(author_year="")})
    return None


def _of_logseq(source: str, key: str) -> Iterator[Quotation]:
    for item in _LOGSEQ.finditer(source):
        page = _LOGSEQ_PAGE.search(item["about"])
        if "annotation" in item["about"] and page:
            start, end = item.start("about") + page.start(), item.start("about") + page.end()
            yield _quoted(source, item, key, Locator(page[1], start, end, (), linked=int(page[1])))


def _of_readwise(source: str, key: str) -> Iterator[Quotation]:
    for item in _READWISE.finditer(source):
        pages = parse_locator(source, *item.span("page")) if item["kind"] == "Page" else None
        yield _quoted(source, item, key, pages)


def _quoted(source: str, item: re.Match[str], key: str, locator: Locator | None) -> Quotation:
    start, end = item.span("words")
    spans = Spans()
    spans.add_each(start, end - start)
    words = MappedText(source[start:end], spans).cut(0, end - start)
    return Quotation(words, (key,), locator, start, end, "highlight")

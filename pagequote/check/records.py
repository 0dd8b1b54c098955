"""Quotations of structured records: claims with their snippets, annotations that a program exports.

A file becomes a tree of scalars, lists and objects; a scalar knows where its text stands in the source. So
are read highlights that programs export into Markdown: Logseq, obsidian-annotator and Readwise.
"""

import csv
import io
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from json import JSONDecoder
from pathlib import Path
from typing import Any, NamedTuple

from lookup.errors import QueryError
from lookup.papers.locators import Locator, parse_locator
from pagequote.check.cited_works import CitedWork
from pagequote.check.latex_macros import Vocabulary
from pagequote.check.manuscript import Manuscript
from pagequote.check.quotation import MappedText, Name, Quotation, Spans
from pipeline.files.expansion import Expansion


class Scalar(NamedTuple):
    """A value as text, and where it begins and ends in the source."""

    text: str
    start: int
    end: int


Value = Scalar | list["Value"] | dict[str, "Value"]

_DEEPEST = 100
"""Lists and objects within one another that are read."""

_DECODER = JSONDecoder(object_pairs_hook=tuple)
_SPACE = re.compile(r"[ \t\r\n\ufeff]*+")
_SCALAR = re.compile(r'"(?>(?:[^"\\]|\\.)*)"|[^\s,\[\]{}:"\ufeff]++', re.DOTALL)


def read_json(source: str) -> Value:
    """Return the value of a JSON text. Raise ValueError."""
    values = read_json_lines(source)
    if len(values) != 1:
        raise ValueError("there is more after its end" if values else "there is nothing in it")
    return values[0]


def read_json_lines(source: str) -> list[Value]:
    """Return the values of lines of JSON. Raise ValueError.

    The decoder tells what they are; names and scalars follow one another in them as they do in the source.
    """
    places = _SCALAR.finditer(source)
    values: list[Value] = []
    at = _after_space(source, 0)
    while at < len(source):
        value, end = _DECODER.raw_decode(source, at)
        values.append(_placed(value, places, 0))
        at = _after_space(source, end)
        if at == end < len(source):
            raise ValueError(f"nothing parts two values at character {at}")
    return values


def _after_space(source: str, at: int) -> int:
    space = _SPACE.match(source, at)
    return space.end() if space else at


def _placed(value: Any, places: Iterator[re.Match[str]], depth: int) -> Value:
    """Return a decoded value, an object of which is a tuple of pairs, with its places. Raise ValueError."""
    if depth > _DEEPEST:
        raise ValueError("its lists and objects are nested too deeply")
    if isinstance(value, tuple):
        return {name: _placed(one, places, depth + 1) for name, one in value if next(places)}
    if isinstance(value, list):
        return [_placed(one, places, depth + 1) for one in value]
    place = next(places)
    if isinstance(value, str):
        return Scalar(value, place.start() + 1, place.end() - 1)
    return Scalar("" if value is None else place[0], *place.span())


def read_yaml(source: str) -> Value:
    """Return the values of a YAML text, of several documents a list. Raise ValueError."""
    import yaml  # type: ignore[import-untyped]  # noqa: PLC0415  # the hook for Git's commits may be without

    try:
        roots = list(yaml.compose_all(source, Loader=yaml.SafeLoader))
    except yaml.YAMLError as error:
        raise ValueError(" ".join(str(error).split())) from error
    room = Expansion(len(source))
    values = [_of_node(root, 0, room) for root in roots if root is not None]
    return values[0] if len(values) == 1 else values


def _of_node(node: Any, depth: int, room: Expansion) -> Value:
    """Return the value of a node, which an alias may name many times. Raise ValueError."""
    if depth > _DEEPEST:
        raise ValueError("its lists and mappings are nested too deeply")
    if not room.takes(1 + len(node.value)):
        raise ValueError(room.full)
    if node.id == "mapping":
        return {str(key.value): _of_node(value, depth + 1, room) for key, value in node.value}
    if node.id == "sequence":
        return [_of_node(one, depth + 1, room) for one in node.value]
    return Scalar(str(node.value), node.start_mark.index, node.end_mark.index)


def read_table(source: str) -> Value:
    """Return the rows below the head of a TSV or CSV text, each by the names of its columns.

    What parts the columns is what stands most often in the first line, outside of quotation marks.
    """
    head = re.sub(r'"[^"]*+"', "", source.lstrip("\ufeff").partition("\n")[0])
    delimiter = max(",;\t", key=head.count)
    names: list[str] = []
    rows: list[Value] = []
    at = 0
    for texts in csv.reader(io.StringIO(source, newline=""), delimiter=delimiter):
        cells = []
        for text in texts:
            written = text.replace('"', '""') if source.find(text, at) < 0 else text
            start = max(at, source.find(written, at))
            at = start + len(written)
            cells.append(Scalar(text, start, at))
        if not names:
            names = [cell.text.strip().removeprefix("\ufeff") for cell in cells]
        elif any(texts):
            rows.append(dict(zip(names, cells, strict=False)))
    return rows


_READS: Mapping[str, Callable[[str], Value]] = {
    ".yaml": read_yaml,
    ".yml": read_yaml,
    ".json": read_json,
    ".jsonl": read_json_lines,
    ".ndjson": read_json_lines,
    ".tsv": read_table,
    ".csv": read_table,
}
"""What reads a file of records, by its suffix."""

_ANNOTATION = {"quote": "selector.exact", "key": "target.source", "page": "page"}
"""The fields of an annotation of the W3C's model, as Hypothesis exports it."""


class _Found(NamedTuple):
    """A scalar at the end of a path, with the objects around it, the innermost last, and its path."""

    value: Scalar
    around: tuple[dict[str, Value], ...]
    path: tuple[str, ...]


def read(source: str, path: Path, vocabulary: Vocabulary) -> Manuscript:
    """Return the quotations of records: those of the field `quote`, cited by `key` and `page`.

    A field is a name, or a path of names ("evidence.snippet"); lists on the way are gone through. Key and
    page are those of the same object, else of the nearest one around it. Raise QueryError, also where no
    record has one of the `fields`.
    """
    suffix, fields = path.suffix.lower(), vocabulary.fields
    try:
        root = _READS[suffix](source)
    except (ValueError, RecursionError, csv.Error) as error:
        raise QueryError(f"The records cannot be read as {suffix[1:].upper()}: {error}.") from error
    every = list(_scalars(root, (), ()))
    named = {"quote": "quote", "key": "key", "page": "page", **fields}
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
    works = {}
    for key in (
        key for one in quotations for key in one.keys
    ):  # a key, a DOI, a title, a file or its address
        bare = key.removeprefix("urn:x-pdf:").rpartition("/")[2].removesuffix(".pdf")
        doi = key[key.index("10.") :] if "10." in key and "/" in key else ""
        works[key] = CitedWork(key, bare, doi, key if " " in key else "")
    return Manuscript(quotations, works=works)


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
    each = ((key.text.strip(), locator),) if key and key.text.strip() else ()
    return Quotation(words.cut(0, len(value.text)), each, value.start, value.end, named["quote"])


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


def read_export(source: str) -> Manuscript | None:
    """Return the highlights of an export into Markdown; None for Markdown that is none."""
    file = _LOGSEQ_FILE.search(source)
    if file is not None and "hl-page::" in source:
        found, key = [], Name(file["path"])
        for item in _LOGSEQ.finditer(source):
            page = _LOGSEQ_PAGE.search(source, *item.span("about"))
            if page and "annotation" in item["about"]:
                locator = Locator(page[1], *page.span(), (), linked=int(page[1]))
                found.append(_quoted(item, key, locator))
        return Manuscript(tuple(found))
    if (file := _ANNOTATED.search(source)) and _ANNOTATED_WORDS.search(source):
        key = Name(file["path"].strip())
        return Manuscript(tuple(_quoted(one, key, None) for one in _ANNOTATED_WORDS.finditer(source)))
    highlights = [*_READWISE.finditer(source)]
    if not highlights:
        return None
    titles = sorted(_TITLE.finditer(source), key=lambda one: one["full"] is None)
    author = _AUTHOR.search(source)
    title = (titles[0]["full"] or titles[0]["head"]).strip() if titles else ""
    work = CitedWork.of(None, None, title, re.sub(r"[\[\]]", "", author["author"]) if author else "", "")
    quotations = (
        _quoted(one, work.name, parse_locator(source, *one.span("page")) if one["kind"] == "Page" else None)
        for one in highlights
    )
    return Manuscript(tuple(quotations), works={work.name: work._replace(author_year="")})


def _quoted(item: re.Match[str], key: str, locator: Locator | None) -> Quotation:
    start, end = item.span("words")
    spans = Spans()
    spans.add_each(start, end - start)
    words = MappedText(item["words"], spans).cut(0, end - start)
    return Quotation(words, ((key, locator),), start, end, "highlight")

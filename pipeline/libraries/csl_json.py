"""Reads CSL JSON (citationstyles.org, schema 1.0.2), as Zotero, Mendeley, Paperpile and pandoc write it."""

import re
from collections.abc import Iterator, Mapping, Sequence
from html import unescape
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from lookup.errors import SourceError
from lookup.storage.untrusted_files import read_file, read_json
from pipeline.formats import FORMATS, IN_LIBRARIES, LARGEST_LIBRARY
from pipeline.libraries.entries import (
    Bibliography,
    LibraryEntry,
    Metadata,
    arxiv_in,
    collected,
    file_named,
    normal_key,
    normalised_doi,
    year_in,
)

_VENUES = ("container-title", "publisher")

_TAGS = re.compile(r"</?(?:i|b|em|strong|sub|sup|sc|span)(?:\s[^<>]*)?>", re.IGNORECASE)
"""The markup of CSL and Zotero in titles."""


def read_csl_json(path: Path) -> Bibliography:
    """Return the entries of a CSL JSON file; relative file names are taken from its folder.

    A key is `citation-key`, else `id` (of a URL its last part). The files are those of `file`, `attachments`
    or `custom`: not part of CSL, but written by programs. An item without a key, or with the key of an item
    above, is left out, and is a problem. Raises SourceError where the file as a whole cannot be read.
    """
    path = path.absolute()
    return collected(_entries(path))


def _entries(path: Path) -> Iterator[tuple[str, LibraryEntry, Sequence[str]]]:
    for number, item in enumerate(_items(path), 1):
        said = item if isinstance(item, dict) else {}
        key, files = _key(said), tuple(dict.fromkeys(_files(said, path.parent)))
        named = f"{path}, item {number}{f', {key!r}' if key else ''}"
        arxiv = arxiv_in(" ".join(_text(said, name) for name in ("number", "URL", "note", "DOI", *_VENUES)))
        yield named, LibraryEntry(key, files, csl_metadata(said), arxiv), ()


def plain_title(text: str) -> str:
    """Return the characters that a title with Zotero's and CSL's markup prints, spaces collapsed."""
    return " ".join(unescape(_TAGS.sub("", text)).split())


def _items(path: Path) -> list[Any]:
    try:
        content = read_json(read_file(path, LARGEST_LIBRARY).decode("utf-8-sig"))
    except (OSError, ValueError) as error:
        cause = error.strerror if isinstance(error, OSError) else error
        raise SourceError(
            f"The library {str(path)!r} cannot be read ({cause}). Check that it is CSL JSON, in UTF-8."
        ) from error
    items = content.get("items") if isinstance(content, dict) else content
    # Another kind of JSON, such as Better BibTeX's own, has items with an `itemType`.
    listed = items if isinstance(items, list) else [None]
    if listed and not any(
        isinstance(one, dict) and "itemType" not in one and {"id", "citation-key", "type"} & one.keys()
        for one in listed
    ):
        raise SourceError(
            f"The library {str(path)!r} is JSON, but not a list of CSL items. "
            "Export it as CSL JSON (in Better BibTeX: Better CSL JSON)."
        )
    return listed


def _key(item: Mapping[str, Any]) -> str:
    number = item.get("id")
    named = _text(item, "citation-key") or _text(item, "id")
    key = (named or (str(number) if type(number) is int else "")).strip()
    if re.match(r"https?://", key):
        key = key.rstrip("/").rpartition("/")[2]
    return normal_key(key)


def csl_metadata(item: Mapping[str, Any]) -> Metadata:
    """Return what an item of CSL says of its paper."""
    venues = (plain_title(_text(item, name)) for name in _VENUES)
    return Metadata(
        title=plain_title(_text(item, "title")) or None,
        authors=tuple(filter(None, map(_author, _list(item.get("author"))))),
        year=_year(item.get("issued")),
        doi=normalised_doi(_text(item, "DOI")) if _text(item, "DOI") else None,
        venue=next(filter(None, venues), None),
        abstract=plain_title(_text(item, "abstract")) or None,
    )


def _author(name: Any) -> str:
    """Return 'Family, Given' or 'Family, Given, Jr.'; the non-dropping particle goes with the family name."""
    if not isinstance(name, dict):
        return ""
    if literal := _text(name, "literal"):
        return " ".join(literal.split())
    family = " ".join(filter(None, (_text(name, "non-dropping-particle"), _text(name, "family"))))
    given = " ".join(filter(None, (_text(name, "given"), _text(name, "dropping-particle"))))
    return ", ".join(filter(None, (family, given, _text(name, "suffix"))))


def _year(issued: Any) -> int | None:
    if not isinstance(issued, dict):
        return None
    parts = _list(issued.get("date-parts"))
    first = parts[0][0] if parts and isinstance(parts[0], list) and parts[0] else None
    if first is not None:
        return int(first) if re.fullmatch(r"-?[0-9]{1,4}", str(first)) else None
    return year_in(_text(issued, "raw") or _text(issued, "literal"))


def _files(item: Mapping[str, Any], folder: Path) -> Iterator[Path]:
    custom = item.get("custom")
    for holder in (item, custom if isinstance(custom, dict) else {}):
        for name in ("file", "files", "attachments"):
            for one in _list(holder.get(name)):
                said = one if isinstance(one, dict) else {"path": one}
                path = next(filter(None, (_text(said, name) for name in ("path", "localPath", "url"))), "")
                if path.startswith(_FILE):
                    path = unquote(path.removeprefix(_FILE))
                if path.lower().endswith(tuple(FORMATS) if name == "file" else IN_LIBRARIES):
                    yield file_named(path, folder)


_FILE = "file://"


def _text(item: Mapping[str, Any], name: str) -> str:
    """Return a text field, else ''; lone surrogates, which JSON allows and tables do not, are replaced."""
    value = item.get(name)
    return (
        value.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if isinstance(value, str) else ""
    )


def _list(value: Any) -> list[Any]:
    """Return a list as it is, and a single value as a list."""
    return value if isinstance(value, list) else [] if value is None else [value]

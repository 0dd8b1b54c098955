"""Open the index of words of a release. tantivy is loaded on first use."""

import json
import shutil
import threading
import time
from collections.abc import Collection, Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from itertools import chain
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

from lookup.errors import DamagedError, SearchError
from lookup.release.checked_files import check_content, read_checksums
from lookup.release.current import MANIFEST, Release
from lookup.storage.object_path import ObjectPath
from lookup.storage.untrusted_files import open_file, read_file
from lookup.text.bare import bare
from lookup.text.scripts import WORD

if TYPE_CHECKING:
    import tantivy

ANALYSIS = 5  # Version of the words and of the fields; raised when an older index would give wrong results.

FOLDER = "search"  # The folder of the index in a release.

PAPERS_FILE = "papers.parquet"
"""The file in that folder with what is indexed of each paper: its key, its extraction, and its counts of
words."""

KEY, PARAGRAPH, PLACE, KIND, SECTION = "key", "paragraph", "place", "kind", "section"
"""Fields of a document. PLACE is key and paragraph in one, SECTION the title of the section as printed."""

PRINTED, JOINED = "printed", "joined"
"""The fields of a paragraph's words without accents: PRINTED has them in their order, parted at hyphens, and
JOINED those that are joined by hyphens, as one."""

WORDS, ASIDE_WORDS = "words", "aside_words"
"""The fields of a paragraph's stems, which the document holds: WORDS, or ASIDE_WORDS if its kind is in ASIDE.

A field that is not searched costs no time, and its words do not change the weights of the others.
"""

TITLE_WORDS, SECTION_WORDS = "title_words", "section_words"
"""The fields of the words of the headings that a paragraph is under: its paper's title and its section's."""

EXPANDED = "expanded"
"""The field of a paragraph's weighted words: number and level of each, "21887.7". A sentence has words that
its writer did not use; a paragraph has the greatest level of its sentences."""

LEVEL = 0.25  # The weight of a level. Coarser ones save a third of 160 bytes a paragraph.
ASIDE = ("reference", "furniture")  # Kinds that a search leaves out unless they are named.
SPACED = "spaced"  # Name of the analyser of all fields of words, which splits them at spaces.


def printed_words(text: str) -> list[str]:
    """Return the words of a text for PRINTED, in order: a phrase has those of each place that prints it."""
    return WORD.findall(bare(text).with_spaces())


def words_field(kind: str) -> str:
    """Return the field for the words of paragraphs of this kind."""
    return ASIDE_WORDS if kind in ASIDE else WORDS


def place_term(key: str, paragraph: int) -> str:
    """Return what stands for a paragraph in PLACE."""
    return f"{key}/{paragraph}"


def level_term(number: int, level: int | str) -> str:
    """Return what stands for a word of the sparse model's vocabulary and its level in EXPANDED."""
    return f"{number}.{level}"


_REMOVALS = 5
"""Tries, at most, to remove a folder in which another thread may still make one file; two should do."""


class ParagraphId(NamedTuple):
    """A paragraph of the corpus: the key of its paper, and its number there."""

    key: str
    paragraph: int


Limit: TypeAlias = "tuple[tantivy.Occur, str, Collection[str] | None]"
"""A field of the index, and values of which a paragraph must have one, or none. Without values no limit."""


class ReleaseIndex:
    """The index of words of a release. Safe to share between threads.

    The release's files are mapped into memory, and none is written.
    """

    def __init__(self, release: Release) -> None:
        self.release = release
        self._lock = threading.Lock()
        self._opened: tuple[tantivy.Schema, tantivy.Searcher] | None = None

    def open(self) -> "tuple[tantivy.Schema, tantivy.Searcher]":
        """Return the schema and searcher, opened with the first call. Raise SearchError or DamagedError."""
        with self._lock:
            if self._opened is None:
                layout: dict[str, Any] = self.release.manifest.get("search") or {"version": "0"}
                if layout["version"].split(".")[0] != str(ANALYSIS):
                    raise SearchError(
                        f"The release {self.release.name} has no index of words that this version of "
                        "pagequote can read. Build the corpus again with this version."
                    )
                self._opened = _opened(self.release)
            return self._opened

    def limited(self, asked: "tantivy.Query", limits: "Iterable[Limit]") -> "tantivy.Query":
        """Return the query for paragraphs that have, or have not, one of these values in each field."""
        import tantivy  # noqa: PLC0415

        schema, _ = self.open()
        query = tantivy.Query
        given = [
            (occur, query.const_score_query(query.term_set_query(schema, field, list(values)), 0.0))
            for occur, field, values in limits
            if values is not None
        ]
        # Without limits, tantivy skips documents that cannot come first.
        return query.boolean_query([(tantivy.Occur.Must, asked), *given]) if given else asked

    def counted(self, query: "tantivy.Query", by: str = "value_count", field: str = PARAGRAPH) -> int:
        """Return how many paragraphs the query names, or how many values a field has in them."""
        count: float = self.aggregated(query, {by: {"field": field}})["value"]
        return round(count)

    def aggregated(self, query: "tantivy.Query", of: Mapping[str, Any]) -> dict[str, Any]:
        """Return what an aggregation says of the paragraphs that the query names."""
        _, searcher = self.open()
        with damage_told(self.release):
            found: dict[str, Any] = searcher.aggregate(query, {"asked": of})["asked"]
        return found

    def best(self, query: "tantivy.Query", limit: int) -> list[tuple[float, Any]]:
        """Return the scores and addresses of the `limit` paragraphs that the query scores highest."""
        _, searcher = self.open()
        with damage_told(self.release):
            hits: list[tuple[float, Any]] = searcher.search(query, limit, count=False).hits
        return hits

    def documents(self, addresses: Iterable[Any]) -> list[tuple[ParagraphId, Any]]:
        """Return the paragraphs at these addresses of the index, in their order, with their documents."""
        _, searcher = self.open()
        with damage_told(self.release):
            documents = map(searcher.doc, addresses)
            return [(ParagraphId(one[KEY][0], one[PARAGRAPH][0]), one) for one in documents]


_META = "meta.json"  # tantivy's file that names the segments of an index.
_LINKS = "pagequote-words-"  # What begins the name of a temporary folder of links.
_LEFT_OVER = 3600  # Seconds after which nobody opens an index any more: from object storage it takes minutes.
_THREADS = 8  # Files that are fetched at a time.


def _opened(release: Release) -> "tuple[tantivy.Schema, tantivy.Searcher]":
    try:
        import tantivy  # noqa: PLC0415
    except ModuleNotFoundError:
        raise SearchError("The index of words needs tantivy: pip install tantivy.") from None
    # tantivy makes a lock beside the files it opens (its issue 557), but nothing may be written into a
    # release. So it opens links in a temporary folder, which can go as soon as the files are open.
    import tempfile  # slow to load; a quote does without  # noqa: PLC0415

    # Those of processes that were killed while they opened an index are removed, here or by another process.
    for links in Path(tempfile.gettempdir()).glob(f"{_LINKS}*"):
        with suppress(OSError):
            if links.stat().st_mtime < time.time() - _LEFT_OVER:
                remove(links)
    folder = Path(tempfile.mkdtemp(prefix=_LINKS))
    try:
        with damage_told(release):
            far = isinstance(release.folder, ObjectPath)
            parts = (
                [_fetched_files(release)] if far else [_checked_files(release, one) for one in release.parts]
            )
            # Segments are files that never change, so those of all shards are the segments of one index.
            merged: dict[str, Any] = {}
            for name, path in chain.from_iterable(parts):
                if name == _META:
                    found = dict(json.loads(read_file(path)))
                    merged = found | {"segments": merged.get("segments", []) + found.get("segments", [])}
                elif not name.startswith("."):
                    link_or_copy(path, folder / name)
            (folder / _META).write_text(json.dumps(merged))
            index = tantivy.Index.open(str(folder))
            index.config_reader("manual")  # nothing will change: no thread need watch
            return index.schema, index.searcher()
    finally:
        remove(folder)


def _fetched_files(release: Release) -> Iterator[tuple[str, Path]]:
    """Yield the index's files, fetched from object storage but for those that are here. Raise OSError."""
    from lookup.storage.object_store import cached_object, stored_file  # noqa: PLC0415

    def fetched(file: PurePath) -> tuple[str, Path]:
        return file.name, cached_object(*stored_file(release, release.folder / file))

    with ThreadPoolExecutor(_THREADS) as threads:
        yield from threads.map(fetched, filter(_of_the_index, map(PurePath, release.manifest["objects"])))


def _checked_files(release: Release, part: Path) -> Iterator[tuple[str, Path]]:
    """Yield the index's files in a part of a release on a disk. Raise OSError or DamagedError."""
    for folder in dict.fromkeys((release.folder, part)):
        checksums = read_checksums(folder)
        if checksums:  # the manifest has the number of all paragraphs and of their words
            check_content(release, checksums, MANIFEST, read_file(folder / MANIFEST))
    for path in filter(_of_the_index, (part / FOLDER).iterdir()):
        with open_file(path) as file:  # tantivy would wait for what is no file
            if checksums:
                check_content(release, checksums, f"{FOLDER}/{path.name}", file.read())
        yield path.name, path


def _of_the_index(file: PurePath) -> bool:
    """Return whether a file of a release is one of tantivy's."""
    return file.parent.name == FOLDER and file.name != PAPERS_FILE


_PANICS = "pyo3_runtime"
"""The module of the exception that a panic of tantivy becomes. It is no Exception, but a BaseException."""


@contextmanager
def damage_told(release: Release, what: str = "index of words") -> Iterator[None]:
    """Raise DamagedError for what is raised over files that cannot be read, tantivy's panics among it."""
    try:
        yield
    except BaseException as error:
        if not isinstance(error, OSError | ValueError) and type(error).__module__ != _PANICS:
            raise
        raise DamagedError(
            f"The {what} of the release {release.name} cannot be read ({error}). Build the corpus again."
        ) from error


def link_or_copy(path: Path, link: Path) -> None:
    """Make `link` a symbolic link to `path`; a copy of it where none is allowed."""
    try:
        link.symlink_to(path.absolute())
    except (OSError, AttributeError, NotImplementedError):
        if link.exists():
            raise
        shutil.copyfile(path, link)


def remove(folder: Path) -> None:
    """Remove the folder, also while the thread that tantivy began at first makes its last lock in it."""
    for _ in range(_REMOVALS):
        with suppress(OSError):  # not empty after all: once more
            shutil.rmtree(folder)
        if not folder.exists():
            return

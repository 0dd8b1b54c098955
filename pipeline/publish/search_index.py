"""The index of words of a release, taken over from the release before as far as the papers are the same.

tantivy's segments are files that never change: they are linked into the new release. Files of their own mark
removed and changed papers as deleted, and new papers are another segment. When many documents are deleted,
the index is written anew.
"""

import errno
import os
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import mkdtemp
from typing import Any

import duckdb
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import tantivy

from lookup.index.release_index import (
    ANALYSIS,
    ASIDE_WORDS,
    EXPANDED,
    FOLDER,
    JOINED,
    KEY,
    KIND,
    LEVEL,
    PAPERS_FILE,
    PARAGRAPH,
    PLACE,
    PRINTED,
    SECTION,
    SECTION_WORDS,
    SPACED,
    TITLE_WORDS,
    WORDS,
    level_term,
    link_or_copy,
    place_term,
    remove,
    words_field,
)
from lookup.release.current import DATABASE, Release
from lookup.text.bare import bare
from lookup.text.folding import FOLDING
from lookup.text.scripts import WORD
from pipeline.embedding.vector_cache import VectorCache, text_hashes
from pipeline.extractor import EXTRACTOR
from pipeline.files.atomic import TEMPORARY, rename, set_mode
from pipeline.files.atomic import remove as remove_file
from retrieval.embedding.model import unpacked
from retrieval.scoring.relevance import heading_terms, terms

_DELETED = 0.25
"""Share of deleted documents from which the index is written anew: they cost time, and count in the idf."""

_HEAP = 64_000_000  # Bytes that tantivy holds before it writes a segment.
_PAPERS_PER_BATCH = 200  # Papers whose paragraphs are read by one statement.

_LOCKS = ".tantivy-*.lock"

_TITLE = "min_by(text_norm, paragraph) FILTER (kind = 'title')"
"""SQL for the title of a paper as printed, folded, from its paragraphs."""


_COUNTS = ("paragraphs", "words", "aside_paragraphs", "aside_words")
"""What is counted of a paper: its indexed paragraphs and words, and those in the kinds that a search leaves
out."""

_PAPER_ROW = pa.schema({"key": pa.string(), "record": pa.string()} | dict.fromkeys(_COUNTS, pa.int64()))

_Papers = Mapping[str, Mapping[str, Any]]
"""By key, the papers in an index: each the row that PAPERS_FILE has."""


def index_version(terms: str | None) -> str:
    """Return the version that two indexes must share, so that one can take over documents of the other.

    `terms` is the sparse model.
    """
    return ".".join(map(str, filter(None, (ANALYSIS, FOLDING, EXTRACTOR, terms))))


def write_search_index(
    folder: Path,
    sources: Sequence[Mapping[str, Any]],
    previous: Release | None,
    sparse: str | None = None,
    words: VectorCache | None = None,
) -> dict[str, Any]:
    """Index the paragraphs of the release in `folder`, which has its database; return the manifest's entry.

    `sources` are its papers, with key and record; `words` of sentences are of the model `sparse`. The
    documents are the same, whether or not some are taken over from `previous`.
    """
    version = index_version(sparse)
    target = folder / FOLDER
    target.mkdir()
    records = {source["key"]: source["record"] for source in sources}
    before, deleted = _before(previous, version, records)
    with _for_tantivy(folder) as place:
        index = _linked(previous.folder / FOLDER, place) if previous and before else None
        if index is None:
            before, deleted, index = {}, 0, _new_index(place)
        gone = _gone(before, records)
        kept = before.keys() - gone
        added = _write(index, folder / DATABASE, [key for key in records if key not in kept], gone, words)
        _take(place, target)
    papers = [
        before[key]
        if key in kept
        else {"key": key, "record": record} | {name: added[key][name] for name in _COUNTS}
        for key, record in sorted(records.items())
    ]
    pq.write_table(pa.Table.from_pylist(papers, _PAPER_ROW), target / PAPERS_FILE, compression="zstd")
    total = {name: sum(one[name] for one in papers) for name in _COUNTS}
    return {
        "version": version,
        **({"terms": sparse} if sparse else {}),
        "documents": _documents(total),
        "deleted": deleted + sum(_documents(before[key]) for key in gone),
        **total,
    }


def indexed_documents(folder: Path) -> int:
    """How many documents the index of the release in `folder` holds."""
    with _for_tantivy(folder) as place:
        for path in (folder / FOLDER).iterdir():
            link_or_copy(path, place / path.name)
        count: int = _unwatched(tantivy.Index.open(str(place))).searcher().num_docs
        return count


@contextmanager
def _for_tantivy(folder: Path) -> Iterator[Path]:
    """Make a folder beside that of the release: a thread of tantivy's may lock it after all else is done."""
    place = Path(mkdtemp(prefix=TEMPORARY, dir=folder.parent))
    try:
        yield place
    finally:
        remove(place)


def _before(previous: Release | None, version: str, records: Mapping[str, str]) -> tuple[_Papers, int]:
    """Return the papers in the index of the release before, and the largest number of its deleted documents.

    None without one, or where too many documents would be deleted in it.
    """
    indexed = previous.manifest.get("search") if previous is not None else None
    if previous is None or indexed is None or indexed["version"] != version:
        return {}, 0
    with pq.ParquetFile(previous.folder / FOLDER / PAPERS_FILE) as file:
        papers = {row["key"]: row for row in file.read().to_pylist()}
    deleted = indexed["deleted"]
    gone = sum(_documents(papers[key]) for key in _gone(papers, records))
    few = deleted + gone <= _DELETED * (deleted + indexed["documents"])
    return (papers, deleted) if few else ({}, 0)


def _linked(index_before: Path, target: Path) -> tantivy.Index | None:
    """Link an index to `target` and return it; None, with nothing linked, where it is damaged."""
    locks = set(index_before.glob(_LOCKS))
    for path in index_before.iterdir():
        if path.name != PAPERS_FILE and path not in locks:
            os.link(path, target / path.name)  # what tantivy changes is a new file under the old name
    try:
        index = _unwatched(tantivy.Index.open(str(target)))
        index.searcher()
    except ValueError:
        for path in target.iterdir():
            remove_file(path, target)
        return None
    index.register_tokenizer(SPACED, _spaced())
    return index


def _gone(papers: _Papers, records: Mapping[str, str]) -> list[str]:
    """Return the keys of the papers that are not among the records, or have another one there."""
    return [key for key, one in papers.items() if records.get(key) != one["record"]]


def _documents(counts: Mapping[str, Any]) -> int:
    documents: int = counts["paragraphs"] + counts["aside_paragraphs"]
    return documents


def _new_index(target: Path) -> tantivy.Index:
    builder = tantivy.SchemaBuilder()
    builder.add_text_field(KEY, stored=True, fast=True, tokenizer_name="raw", index_option="basic")
    builder.add_unsigned_field(PARAGRAPH, stored=True, fast=True)
    builder.add_text_field(PLACE, tokenizer_name="raw", index_option="basic")
    builder.add_text_field(KIND, tokenizer_name="raw", index_option="basic")
    builder.add_text_field(SECTION, tokenizer_name="raw", index_option="basic")
    for name in (WORDS, ASIDE_WORDS, TITLE_WORDS, SECTION_WORDS):
        stored = name in (WORDS, ASIDE_WORDS)
        builder.add_text_field(name, stored=stored, tokenizer_name=SPACED, index_option="freq")
    builder.add_text_field(PRINTED, tokenizer_name=SPACED, index_option="position")
    for name in (JOINED, EXPANDED):
        builder.add_text_field(name, tokenizer_name=SPACED, index_option="basic")
    index = _unwatched(tantivy.Index(builder.build(), path=str(target)))
    index.register_tokenizer(SPACED, _spaced())
    return index


def _unwatched(index: tantivy.Index) -> tantivy.Index:
    """Return the index without the thread that watches it for changes; it may have one look to the end."""
    index.config_reader("manual")
    return index


def _spaced() -> tantivy.TextAnalyzer:
    return tantivy.TextAnalyzerBuilder(tantivy.Tokenizer.whitespace()).build()


def _write(
    index: tantivy.Index,
    database: Path,
    new: Sequence[str],
    gone: Sequence[str],
    expanded: VectorCache | None,
) -> Mapping[str, Mapping[str, int]]:
    """Remove the papers `gone` from the index and add the papers `new`; return the counts of these.

    `expanded` has the weighted words of sentences.
    """
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    try:
        writer = index.writer(heap_size=_HEAP, num_threads=1)
    except ValueError as error:  # no thread, no memory, no lock
        raise OSError(errno.EAGAIN, f"the index of words: {error}") from error
    for key in gone:
        writer.delete_documents_by_term(KEY, key)
    for key, paragraph, kind, section, folded, title, sentences in _paragraphs(
        database, new, with_sentences=expanded is not None
    ):
        words = terms(folded)
        document = tantivy.Document()
        document.add_text(KEY, key)
        document.add_unsigned(PARAGRAPH, paragraph)
        document.add_text(PLACE, place_term(key, paragraph))
        document.add_text(KIND, kind)
        if section:
            document.add_text(SECTION, section)
        field = words_field(kind)
        document.add_text(field, " ".join(words))
        above = heading_terms(title, kind, section) if field == WORDS else ()
        named = zip((TITLE_WORDS, SECTION_WORDS), above, strict=False)
        for name, found in (
            *named,
            *zip((PRINTED, JOINED), _printed_and_joined(folded), strict=True),
        ):
            document.add_text(name, " ".join(found))
        if expanded is not None and sentences:
            document.add_text(EXPANDED, " ".join(_weighted_words(expanded, sentences)))
        writer.add_document(document)
        aside = "" if field == WORDS else "aside_"
        counts[key].update({f"{aside}paragraphs": 1, f"{aside}words": len(words)})
    writer.commit()
    writer.wait_merging_threads()
    return counts


def _weighted_words(expanded: VectorCache, sentences: Sequence[str]) -> list[str]:
    """Return the words of a paragraph's sentences with their greatest levels, for EXPANDED.

    A sentence that the sparse model has not seen has none.
    """
    hashes = text_hashes(sentences)
    numbers, weights = unpacked(expanded.rows(hashes[expanded.has(hashes)])["vector"])
    greatest: dict[int, int] = {}
    levels = np.rint(weights / LEVEL).astype(int)
    for number, level in zip(numbers.ravel().tolist(), levels.ravel().tolist(), strict=True):
        if level > greatest.get(number, 0):
            greatest[number] = level
    return [level_term(*one) for one in sorted(greatest.items())]


def _paragraphs(
    database: Path, keys: Sequence[str], *, with_sentences: bool
) -> Iterator[tuple[str, int, str, str | None, str, str | None, Sequence[str] | None]]:
    with duckdb.connect(str(database), read_only=True) as connection:
        for first in range(0, len(keys), _PAPERS_PER_BATCH):
            some = list(keys[first : first + _PAPERS_PER_BATCH])
            these = f"WHERE key IN ({', '.join('?' * len(some))})"
            texts = f"SELECT key, paragraph, list(text) AS texts FROM sentence_texts {these} GROUP BY ALL"
            yield from connection.execute(
                f"SELECT key, paragraph, kind, section_title, text_norm, {_TITLE} OVER (PARTITION BY key), "
                + (
                    f"texts FROM printed_paragraphs LEFT JOIN ({texts}) USING (key, paragraph) "
                    if with_sentences
                    else "NULL FROM printed_paragraphs "
                )
                + f"{these} ORDER BY key, paragraph",
                some * (1 + with_sentences),
            ).fetchall()


def _take(place: Path, target: Path) -> None:
    """Move the index, without locks, each file with the permissions of the folder's other files."""
    readable = target.stat().st_mode & 0o666
    for path in set(place.iterdir()) - set(place.glob(_LOCKS)):
        if path.stat().st_mode & 0o666 != readable:
            set_mode(path, readable)
        rename(path, target / path.name, target.parent.parent)


def _printed_and_joined(text: str) -> tuple[list[str], list[str]]:
    """Return the words of a text for PRINTED and for JOINED.

    Of "state-of-the-art" these are "stateof", "stateofthe", "ofthe" and so on: neighbours as one word, as
    keyword searches find them.
    """
    made = bare(text)
    joints = sorted(made.joints)
    joined: list[str] = []
    at = 0
    for word in WORD.finditer(made.text) if joints else ():
        inside = []
        while at < len(joints) and joints[at] < word.end():
            if joints[at] > word.start():
                inside.append(joints[at])
            at += 1
        if inside:
            borders = [word.start(), *inside, word.end()]
            joined += [
                made.text[start:end]
                for i, start in enumerate(borders)
                for end in borders[i + 2 : i + 1 + _LONGEST_RUN]
            ]
    return WORD.findall(made.with_spaces()), joined


_LONGEST_RUN = 8
"""Parts of a word with hyphens that are joined to one, at most: names of molecules and sequences have
hundreds."""

"""Adds one paper to a corpus now, or removes it. All other papers stay as the last build left them."""

import hashlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Literal

from lookup.corpus import open as open_corpus
from lookup.errors import BuildError, CorpusNotFoundError, ModelError, SourceError
from lookup.storage.untrusted_files import read_file
from pipeline.builds.embed_sentences import embed_sentences, installed
from pipeline.builds.extract_sources import failure_row
from pipeline.builds.stages import publish_for_quotes, publish_stage
from pipeline.builds.survey import printed_in
from pipeline.embedding.last_embedding import last_model
from pipeline.engines import Engine
from pipeline.engines.local import Local
from pipeline.files.atomic import locked, remove, remove_unfinished
from pipeline.formats import LARGEST
from pipeline.libraries.entries import LibraryEntry, Metadata
from pipeline.libraries.read_library import read_library
from pipeline.ocr.tesseract import NO_OCR, Ocr
from pipeline.publish.publish import Published
from pipeline.sources.added import added_entries, added_library, forget, keep_entry, keep_file
from pipeline.sources.find_sources import find_sources
from pipeline.sources.names import name_sources, to_look_into, with_endings
from pipeline.sources.source import Rejected, Source
from pipeline.work.extraction_cache import is_kept, kept_record, read_record, records_folder
from pipeline.work.machine_errors import machine_troubles
from pipeline.work.outcomes import Failed, Limits
from pipeline.work.state import State, in_order, last_state, metadata_row, source_row, write_state
from retrieval.embedding.model import Model, default_models

_ENGINE = Local(workers=1)  # One process reads one paper.


@dataclass(frozen=True)
class Added:
    """The change of a paper ('updated': its metadata), and the release, None where nothing was published."""

    key: str
    outcome: Literal["added", "updated", "unchanged", "removed"]
    published: Published | None = None


def add_paper(
    file: Path,
    key: str | None,
    bibliographies: Sequence[Path],
    work: Path,
    corpus: Path,
    limits: Limits,
    ocr: Ocr = NO_OCR,
    model: Model | None = None,
    wait: float = 0.0,
    engine: Engine | None = None,
) -> Added:
    """Read the file, publish a release with it, and keep a copy of it for every later build.

    The default `key` is that of the library's entry that names the file or has its DOI or title, else the
    file's name where it can be cited, else made of author and year. The default
    `model` is that of the other papers' vectors. Raises SourceError where the file cannot be read, or where
    the key or the content is taken; BuildError where the corpus was not built in this work folder.
    """
    with _explain_partial_add(work):
        source, rejected = _source(file, key, bibliographies)
        with machine_troubles(), locked(work, wait):
            remove_unfinished(work, work)
            state = last_state(work)
            published = _published(state, work, corpus)
            encoder = model or _model_of(work)
            read = partial(_extracted, work=work, limits=limits, ocr=ocr, engine=engine or _ENGINE)
            if key is None and not source.library:
                source = _named(source, rejected, state, work, read)
            outcome = _taken(source, state, work)
            if outcome == "unchanged" and source.key in published:
                return Added(source.key, outcome)
            if outcome == "updated":
                (kept,) = (one for one in added_entries(work) if one.key == source.key)
                source = replace(source, path=kept.files[0])
            elif outcome == "added":
                files = {file.suffix.lower() or ".pdf": _unchanged(file, source.sha256)}
                if (text := source.text) is not None:
                    files[text.path.suffix.lower()] = _unchanged(text.path, text.sha256)
                source = replace(source, path=keep_file(work, source.key, files))
            if outcome != "unchanged":
                try:
                    record, seconds = read(source)
                except SourceError:
                    if not any(entry.files == (source.path,) for entry in added_entries(work)):
                        remove(source.path, work)
                    raise
                keep_entry(work, LibraryEntry(source.key, (source.path,), source.metadata))
                source = replace(source, library=added_library(work))
                rows = [row for row in state.sources if row["key"] != source.key]
                known = (row["seconds"] for row in state.sources if row["sha256"] == source.sha256)
                row = source_row(source, record, next(known, None) if seconds is None else seconds)
                told = _told(source, work, record) if outcome == "added" else []
                write_state(work, in_order([*rows, row], [*state.failures, *told]))
            if encoder is not None:
                publish_for_quotes(work, corpus, _ENGINE, encoder, wait)
            embed_sentences(work, encoder, _ENGINE)
        done = "added" if outcome == "unchanged" else outcome  # kept when its release failed
        return Added(source.key, done, publish_stage(work, corpus, wait=wait))


@contextmanager
def _explain_partial_add(work: Path) -> Iterator[None]:
    """Have a BuildError name the papers whose files are kept though they were not published."""
    before = {one.key for one in added_entries(work)}
    try:
        yield
    except BuildError as error:
        if kept := {one.key for one in added_entries(work)} - before:
            raise BuildError(
                f"{error} {', '.join(map(repr, sorted(kept)))} is kept: the next build publishes it, and so "
                "does adding it again. Take it back by `pagequote add --remove KEY`."
            ) from error
        raise


def remove_paper(key: str, work: Path, corpus: Path, model: Model | None = None, wait: float = 0.0) -> Added:
    """Publish a release without a paper that was added; raise SourceError where it was not added."""
    with machine_troubles(), locked(work, wait):
        remove_unfinished(work, work)
        state = last_state(work)
        _published(state, work, corpus)
        encoder = model or _model_of(work)
        files = {str(file) for one in added_entries(work) if one.key == key for file in one.files}
        rows = [row for row in state.sources if row["path"] not in files]
        if not files:
            raise SourceError(
                f"{key!r} was not added by `pagequote add`. Remove it from the sources, and build."
            )
        if not rows:
            raise SourceError(f"{key!r} is the only paper of the corpus, and a corpus needs a paper.")
        forget(work, key)
        write_state(work, in_order(rows, state.failures))
        embed_sentences(work, encoder, _ENGINE)
    return Added(key, "removed", publish_stage(work, corpus, wait=wait))


def _unchanged(file: Path, sha256: str) -> bytes:
    data = read_file(file, LARGEST)
    if hashlib.sha256(data).hexdigest() != sha256:
        raise SourceError(f"{str(file)!r} changed while it was read. Try again.")
    return data


def _source(file: Path, key: str | None, bibliographies: Sequence[Path]) -> tuple[Source, Sequence[Rejected]]:
    """Return the file as a source with this key and the libraries' metadata; and what was rejected."""
    sources, rejected = find_sources([file], bibliographies)
    if len(sources) != 1:
        failed = next((one for one in rejected if one.path == file.absolute()), None)
        cause = failed.detail if failed else "It must be one PDF file."
        raise SourceError(f"{str(file)!r} cannot be added: {cause}")
    source = sources[0]
    if key is None or key == source.key:
        return source, rejected
    if not key.strip() or not key.isprintable():
        raise SourceError(f"{key!r} is not a key: a key needs visible characters, and no control characters.")
    known = (entry for each in bibliographies for entry in read_library(each).entries)
    metadata = next((entry.metadata for entry in known if entry.key == key), Metadata())
    return replace(source, key=key, metadata=metadata), rejected


_Read = Callable[[Source], tuple[str, float | None]]


def _named(source: Source, rejected: Sequence[Rejected], state: State, work: Path, read: _Read) -> Source:
    """Return the source with the entry or key that its PDF tells; raise SourceError for one unread."""
    if not to_look_into([source], rejected, "auto"):
        return source
    before = {row["sha256"]: row["key"] for row in state.sources}
    printed = printed_in(work, {source.sha256: read(source)[0]}, {})
    (named,) = name_sources([source], rejected, printed, "auto", before).sources
    if named.library or named.key == source.key:
        return named
    taken = {row["key"] for row in state.sources if row["sha256"] != source.sha256}
    return replace(named, key=next(key for key in with_endings(named.key) if key not in taken))


def _published(state: State, work: Path, corpus: Path) -> set[str]:
    """Return the keys of the current release; raise BuildError where the state lacks papers of it."""
    folder = records_folder(work)
    lost = {row["key"] for row in state.sources if row["record"] and not is_kept(folder, row["record"])}
    try:
        with open_corpus(corpus) as opened:
            published = {key for (key,) in opened.sql("SELECT key FROM papers").fetchall()}
    except CorpusNotFoundError:
        published = set()  # the first paper
    if lost := lost | published - {row["key"] for row in state.sources}:
        some = ", ".join(sorted(lost)[:3]) + (", ..." if len(lost) > 3 else "")
        raise BuildError(
            f"The work folder {str(work)!r} does not hold what was read of {len(lost)} papers of the corpus "
            f"({some}). Name the folder that the corpus was built in (--work), or build first."
        )
    return published


def _taken(source: Source, state: State, work: Path) -> Literal["added", "updated", "unchanged"]:
    """Return the change by adding the source; raise SourceError where its key or content is taken."""
    mine = {entry.key for entry in added_entries(work)}
    for row in state.sources:
        if row["sha256"] == source.sha256 and row["key"] == source.key:
            metadata = metadata_row(source.metadata)
            same = all(row[name] == value for name, value in metadata.items())
            nothing = source.metadata == Metadata()
            return "unchanged" if same or nothing or source.key not in mine else "updated"
        if row["sha256"] == source.sha256:
            raise SourceError(
                f"The same file is in the corpus already, with the key {row['key']!r} ({row['path']}). "
                "Ask for it by that key, or change the key in your library and build."
            )
    for row in state.sources:
        if row["key"] == source.key:
            way = (
                f"take it back first: `pagequote add --remove {source.key}`"
                if source.key in mine
                else "build with the new file in its place"
            )
            raise SourceError(
                f"{source.key!r} is the key of another file, {row['path']}. "
                f"Choose another with --key, or {way}."
            )
    return "added"


def _extracted(
    source: Source, work: Path, limits: Limits, ocr: Ocr, engine: Engine
) -> tuple[str, float | None]:
    """Return the name of the extraction of the source, and the seconds it took, None for one from the cache.

    Raises SourceError where the source cannot be read.
    """
    kept = kept_record(records_folder(work), source, ocr)
    if kept is not None:
        return kept, None
    (outcome,) = engine.extract([source], work, ocr, limits)
    if isinstance(outcome, Failed):
        raise SourceError(f"{source.key!r} is not added: {outcome.reason}: {outcome.detail}")
    return outcome.record, outcome.seconds


def _told(source: Source, work: Path, record: str) -> list[dict[str, Any]]:
    """Return the rows of `failures` about a source that is in the release."""
    read = read_record(records_folder(work) / record)
    told = [] if read is None else read.column("told")[0].as_py()
    return [failure_row(source, "extract", Failed(source, **one, seconds=0.0)) for one in told]


def _model_of(work: Path) -> Model | None:
    """Return the model of the vectors in `work`, None without any; raise ModelError where it is missing."""
    wanted = last_model(work).model
    if wanted is None:
        return None
    if (model := installed(wanted)) is not None:
        return model
    raise ModelError(
        f"The corpus has vectors of {wanted!r}, which is not among the models in "
        f"{str(default_models())!r}. Name its folder with --model."
    )

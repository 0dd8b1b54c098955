"""Removes what nothing uses: old releases, and files of the work folder that no build can use again."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from lookup.storage.object_path import ObjectPath
from pipeline.embedding.last_embedding import last_model
from pipeline.embedding.vector_cache import vectors_folder
from pipeline.files.atomic import TEMPORARY, locked, remove
from pipeline.releases.history import collect, collectable, list_releases
from pipeline.storage.object_corpus import collect_objects, staging
from pipeline.work.extraction_cache import records_folder
from pipeline.work.state import read_state


@dataclass(frozen=True)
class Garbage:
    """The names of removed releases, the removed files and folders of the work folder, and their bytes."""

    releases: tuple[str, ...]
    work: tuple[Path, ...]
    bytes: int


def collect_garbage(corpus: Path, work: Path, keep: int, *, dry: bool = False, wait: float = 0.0) -> Garbage:
    """Remove the oldest releases beyond `keep`, never the current one, and what no build needs in `work`.

    Of a corpus in object storage, the releases of its staged copy go by the same rule.
    With `dry` nothing is removed. From the work folder go: extractions by other versions of the extractor;
    extractions and failures of files that the last build did not find; vectors of models that neither the
    last build nor a remaining release has; unfinished files of killed builds. None of that can change a
    release. A reader that has a removed release open reads on.
    """
    staged = staging(corpus, work)
    with locked(work, wait), locked(staged, wait):
        remote = corpus if isinstance(corpus, ObjectPath) else None
        listed = list_releases(corpus)
        going = [one for one in listed[:-keep] if not one.current]
        unused = tuple(sorted(_unused(work, {one.model for one in listed if one not in going})))
        folders = (*collectable(staged, keep), *unused)
        stats = [
            file.stat()
            for folder in folders
            for file in ([folder] if folder.is_file() else folder.rglob("*"))
            if file.is_file()
        ]
        size = sum(stat.st_size for stat in stats if stat.st_nlink == 1)  # of files that no release shares
        size += sum(one.own_bytes for one in going if remote)
        if not dry:
            if remote:
                collect_objects(remote, keep)
            collect(staged, keep)
            for path in unused:
                remove(path, work)
    return Garbage(tuple(one.name for one in going), unused, size)


def _unused(work: Path, models: set[str | None]) -> Iterator[Path]:
    """Yield what no build needs in `work`; raise BuildError where no build has left its state there."""
    state = read_state(work)
    yield from work.glob(f"{TEMPORARY}*")
    ours = records_folder(work)
    records = {source["record"] for source in state.sources}
    known = {source["sha256"] for source in state.sources}
    for folder in ours.parent.glob("*"):
        if folder != ours:
            yield folder
    for path in ours.glob("*/*"):
        sha256 = path.name.partition(".")[0]
        used = str(path.relative_to(ours)) in records or (path.suffix == ".json" and sha256 in known)
        if not used:
            yield path
    last = last_model(work)
    needed = {*models, last.model, last.terms}
    used_models = {vectors_folder(work, model) for model in needed if model}
    for folder in (work / "vectors").glob("*"):
        if folder not in used_models:
            yield folder

"""Where the current release of a corpus is, and whether this code can read it."""

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from lookup.errors import CorpusNotFoundError, CorpusVersionError, NextStep
from lookup.storage.object_path import ObjectPath, place
from lookup.storage.untrusted_files import read_file
from lookup.text.folding import FOLDING

LAYOUT = 7
"""Version of the tables and files of a release; increased when a reader of the old ones would fail."""

WITHOUT_TEXT = ("empty", "unreadable")  # Sources of pages that have no text to judge by.
WRONG_LANGUAGE, LAYOUT_FAILED, CUT_SHORT = "ocr language", "layout", "cut short"
"""Reasons in `failures` of papers in the release: scans read in a wrong language, a page kept as lines."""
PARAGRAPH_SEPARATOR = "\n\n"
"""Stands between two paragraphs in a paper's document text, whose characters `cursor` counts."""


CURRENT = "current"
_LONGEST_NAME = 300  # Bytes of a file that names the current release.
"""In a corpus, the symbolic link to the current release; replaced by one rename when a release is
published."""

RELEASES = "releases"  # In a corpus, the folder of its releases.
SHARDS = "shards"  # In a release in shards, the folder of these.
MOST_SHARDS = 1000  # Shards, at most: their folders' names have three digits.

DATABASE = "corpus.duckdb"
CATALOG = "corpus"  # The name of a database that is attached: the one that DuckDB gives a file corpus.duckdb.

VECTORS_FILE = "vectors.npy"
SCALES_FILE = "scales.npy"
SIGNS_FILE = "signs.npy"
MANIFEST = "manifest.json"

DEFAULT_CORPUS = "data/corpus"
CORPUS_VARIABLE = "PAGEQUOTE_CORPUS"
LIBRARY_VARIABLE = "PAGEQUOTE_LIBRARY"


@dataclass(frozen=True)
class Release:
    """One published state of a corpus: its folder and the content of its manifest."""

    folder: Path
    manifest: dict[str, Any]

    @property
    def name(self) -> str:
        """The release's name, which sorts by the time of its publication."""
        return self.folder.name

    @property
    def shards(self) -> int:
        """The number of its shards; 0 where it is in one piece."""
        return len(self.manifest.get(SHARDS, ()))

    @property
    def parts(self) -> tuple[Path, ...]:
        """The folders with its tables, index and vectors: its own, or those of its shards."""
        if not self.shards:
            return (self.folder,)
        return tuple(shard_folder(self.folder, number) for number in range(self.shards))

    @property
    def database(self) -> Path:
        """The DuckDB file with the release's tables, views and macros; each shard has one instead."""
        return self.folder / DATABASE

    def source(self, path: str) -> str:
        """Return where the source with this `path` in a table is: an absolute path, or a URL.

        The manifest names the folder of all sources from the corpus, so that both can be moved together;
        where they were parted, PAGEQUOTE_LIBRARY names it.
        """
        root = os.environ.get(LIBRARY_VARIABLE) or self.manifest.get("library")
        if not root or "://" in path:
            return path
        return os.path.normpath(Path(str(self.folder.parent.parent), root, path))

    def may_ask(self, path: str) -> bool:
        """Return whether the source with this `path` may be asked for.

        A request to object storage is signed, and tells who reads: it goes to the corpus's own bucket, or to
        what PAGEQUOTE_LIBRARY names.
        """
        from lookup.storage.object_path import Stranger  # a quote asks for none  # noqa: PLC0415

        named = os.environ.get(LIBRARY_VARIABLE, "").rstrip("/") + "/"
        return ("://" in named and path.startswith(named)) or Stranger.PATHS.may_reach(path, self.folder)

    @property
    def model(self) -> str | None:
        """The id of the model that made its vectors; None where it has none."""
        named: str | None = self.manifest.get("model")
        return named


def shard_folder(release: Path, number: int) -> Path:
    """Return the folder of a shard of the release in a folder."""
    return release / SHARDS / f"{number:03d}"


def new_corpus() -> Path:
    """Return where a build writes that names no corpus: $PAGEQUOTE_CORPUS, else data/corpus here."""
    return place(os.environ.get(CORPUS_VARIABLE) or DEFAULT_CORPUS)


def default_corpus() -> Path:
    """Return the corpus of calls that name none: $PAGEQUOTE_CORPUS, else data/corpus here or further up.

    The search ends at a repository's root, at the home folder, and at the first corpus.
    """
    here = new_corpus()
    if os.environ.get(CORPUS_VARIABLE) or here.exists():
        return here
    for folder in (Path.cwd(), *Path.cwd().parents):
        if (folder / DEFAULT_CORPUS / CURRENT).exists():
            return folder / DEFAULT_CORPUS
        if (folder / ".git").exists() or folder == Path.home():
            break
    return here


def beside(corpus: Path, name: str) -> Path:
    """Return the folder `name` beside a corpus; beside the default corpus, if it is in object storage."""
    return (Path(DEFAULT_CORPUS) if isinstance(corpus, ObjectPath) else corpus).parent / name


def current_release(corpus: str | os.PathLike[str]) -> Release:
    """Return the current release of the corpus at `corpus` (or the release whose folder that is).

    Raise CorpusNotFoundError if there is none, CorpusVersionError if this code has another layout or folding.
    """
    release = unchecked_release(corpus)
    for name, read in (("folding", FOLDING), ("layout", LAYOUT)):
        written = release.manifest.get(name)
        if written != read:
            newer = isinstance(written, int) and written > read
            step = "Install a newer pagequote." if newer else "Build it again with this pagequote."
            raise CorpusVersionError(
                f"The corpus {str(place(corpus))!r} was written for {name} version {written}; "
                f"this code reads version {read}. {step}",
                next_step=None if newer else NextStep("build", path=str(place(corpus))),
            )
    return release


def current_folder(corpus: Path, *, strict: bool = False) -> Path:
    """Return the folder of the current release: that of the link, or of the file with its name instead.

    Windows lets few users make a link; there, and in a copy by a tool that knows none, `current` is a file
    with "releases/NAME". Raise FileNotFoundError where `strict` and there is none, CorpusNotFoundError for a
    file that names none.
    """
    named = corpus / CURRENT
    try:
        if named.is_file():
            named = corpus / RELEASES / PurePosixPath(read_file(named, _LONGEST_NAME).decode().strip()).name
        return Path(os.path.realpath(named, strict=strict))
    except (FileNotFoundError, NotADirectoryError):
        raise
    except (OSError, ValueError) as error:
        raise CorpusNotFoundError(
            f"{str(corpus / CURRENT)!r} is no name of a release ({error}). Remove it, and choose one: "
            "`pagequote releases use`."
        ) from error


def unchecked_release(corpus: str | os.PathLike[str]) -> Release:
    """Return the same, whatever wrote it. Raise CorpusNotFoundError if there is none."""
    path = place(corpus)
    if isinstance(path, ObjectPath):
        return _in_object_storage(path)
    named = (path / MANIFEST).is_file()
    try:
        # The link is read once: what is opened afterwards is one release, whatever is published meanwhile.
        folder = path.resolve(strict=True) if named else current_folder(path, strict=True)
        try:
            manifest = _well_formed(json.loads(read_file(folder / MANIFEST)))
        except FileNotFoundError:
            if named or current_folder(path, strict=True) == folder:
                raise
            return unchecked_release(corpus)  # it was replaced and removed between these two lines
    except (FileNotFoundError, NotADirectoryError):
        raise CorpusNotFoundError(_missing(path), next_step=NextStep("build", path=str(path))) from None
    except (OSError, ValueError, RecursionError) as error:
        raise CorpusNotFoundError(
            f"The corpus {str(path)!r} cannot be read ({error}). Build it again."
        ) from error
    return Release(folder, manifest)


def _well_formed(manifest: Any) -> dict[str, Any]:
    """Return a manifest whose fields have the types that readers expect; raise ValueError otherwise."""
    fields = manifest if isinstance(manifest, dict) else {"manifest": None}
    shards: Any = fields.get(SHARDS) or []
    search = fields.get("search") or {"version": "0"}
    counts = [fields.get("rows"), *(one.get("rows") if isinstance(one, dict) else None for one in shards)]
    good = {
        SHARDS: isinstance(shards, list) and len(shards) <= MOST_SHARDS,
        "rows": all(isinstance(one, dict) and {*map(type, one.values())} <= {int} for one in counts),
        "search": isinstance(search, dict) and re.match(r"\d+(\.|$)", str(search.get("version"))) is not None,
        **{name: isinstance(fields.get(name), str | None) for name in ("model", "library", "extractor")},
    }
    if wrong := [name for name, is_good in good.items() if not is_good]:
        raise ValueError(f"its {MANIFEST} has no good {wrong[0]!r}")
    return fields


def _in_object_storage(path: ObjectPath) -> Release:
    """Return the current release in object storage; `folder` has its manifest, which lists its files."""
    from lookup.storage.object_store import current_name, object_manifest  # noqa: PLC0415

    try:
        folder = path if path.parent.name == RELEASES else path / RELEASES / current_name(path)
        manifest = _well_formed(object_manifest(folder, MANIFEST))
    except FileNotFoundError as error:
        why = error.strerror if "bucket '" in str(error) else "no release is published there"
        raise CorpusNotFoundError(
            f"There is no corpus at {str(path)!r}: {why}. Check the name, or build one.",
            next_step=NextStep("build", path=str(path)),
        ) from None
    except (OSError, ValueError) as error:
        cause = error.strerror if isinstance(error, OSError) else error
        raise CorpusNotFoundError(
            f"The corpus {str(path)!r} cannot be read ({cause}). "
            "Check AWS_ENDPOINT_URL, AWS_REGION and the credentials."
        ) from error
    return Release(folder, manifest)


def _missing(path: Path) -> str:
    if not path.exists():
        return f"There is no corpus at {str(path)!r}: the path does not exist. Build one."
    if not path.is_dir():
        return f"{str(path)!r} is a file, not a corpus, which is a folder. Name a folder, or build one."
    return f"{str(path)!r} is not a corpus: it holds no published release. Build one."

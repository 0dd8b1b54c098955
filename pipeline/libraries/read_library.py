"""Reads a library, whatever it is: a .bib, a Zotero data folder, CSL JSON."""

import os
from pathlib import Path

from lookup.errors import BuildError, SourceError
from lookup.storage.object_path import ObjectPath
from pipeline.libraries.csl_json import read_csl_json
from pipeline.libraries.entries import Bibliography
from pipeline.libraries.zotero import DATABASE, read_zotero
from pipeline.processes.killable_process import EndedError, KillableProcess, Kind, NotStartedError, SlowError
from pipeline.processes.operating_system import limit_memory

NAMES_NO_PDF = {
    ".bib": "Give its entries `file` fields, or name it with --bib beside the PDFs",
    ".json": "Give its items a `file`, or name it with --bib beside the PDFs",
    ".sqlite": "Check that it is the data folder that Zotero uses, with the files in `storage`",
}
"""The remedy for a library that is a source and names no PDF, by the suffix of its file."""


def library_at(path: Path) -> Path | None:
    """Return the file of the library at `path` (of a Zotero data folder, its database); None without one."""
    if isinstance(path, ObjectPath):
        return path if path.suffix.lower() in (".bib", ".json") else None
    if os.path.isdir(path):  # noqa: PTH112  # it never raises, and what may not be read is told of later
        return path / DATABASE if os.path.isfile(path / DATABASE) else None  # noqa: PTH113
    return path if path.suffix.lower() in (".bib", ".json") or path.name == DATABASE else None


_SECONDS = 600.0  # Seconds that a library may take: a .bib of 5 MB that was made to be slow takes 120.

_MEMORY = 4 << 30  # Bytes, as a PDF may take.


def read_library(path: Path) -> Bibliography:
    """Return the entries of the library; raise SourceError where it cannot be read as a whole."""
    library = library_at(path)
    if library is None:
        raise SourceError(
            f"{str(path)!r} is not a library that can be read. Name a .bib, a CSL JSON file, or Zotero's "
            f"data folder, which holds {DATABASE}."
        )
    if library.suffix.lower() == ".json":
        return read_csl_json(library)  # it costs what it is long
    return _read_apart(library)


def _read_apart(library: Path) -> Bibliography:
    """Read a library in a process that can be killed: one call of SQLite may take hours."""
    process = KillableProcess(Kind(limit_memory, (_MEMORY,), values=("pathlib", "lookup", "pipeline")))
    advice = "Open it with its program, and export it as CSL JSON."
    try:
        found: Bibliography = process.do(_read_here, library, seconds=_SECONDS)
    except SlowError:
        raise SourceError(f"The library {str(library)!r} took over {_SECONDS:g} seconds. {advice}") from None
    except NotStartedError:
        raise BuildError("The machine is too busy to read a library now. Build again later.") from None
    except EndedError as error:
        raise SourceError(f"The library {str(library)!r} ended its process ({error}). {advice}") from None
    except MemoryError:
        raise SourceError(f"The library {str(library)!r} takes over {_MEMORY >> 30} GiB. {advice}") from None
    finally:
        process.close()
    return found


def _read_here(library: Path) -> Bibliography:
    if library.name == DATABASE:
        return read_zotero(library.parent)
    from pipeline.libraries.bibtex import read_bibliography  # noqa: PLC0415  # a folder of PDFs does without

    return read_bibliography(library)

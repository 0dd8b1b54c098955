"""Rule: no test needs a file of /usr, or a program that README does not name, unless it says `@needs`."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

TESTS = Path(__file__).resolve().parents[2] / "tests"

PROGRAMS = {"bash", "git", "make", "sh", "sha256sum"}
"""What Debian's essential packages have, with git and make."""
PROBES = {"needs.py", "programs.py"}
"""What calls a program when a test or a need asks for it."""


def programs(node: ast.AST, *, asked: bool = False) -> Iterator[str]:
    """Yield the literal programs that are called outside of what is marked by `@needs`."""
    asked = asked or any("needs(" in ast.unparse(mark) for mark in getattr(node, "decorator_list", ()))
    if isinstance(node, ast.Call) and ast.unparse(node.func).startswith(("subprocess.", "shutil.which")):
        first = node.args[0] if node.args else node
        first = first.elts[0] if isinstance(first, ast.List | ast.Tuple) and first.elts else first
        if isinstance(first, ast.Constant) and not asked:
            yield str(first.value).split()[0]
    for inner in ast.iter_child_nodes(node):
        yield from programs(inner, asked=asked)


def _below_usr(node: ast.AST) -> bool:
    return isinstance(node, ast.Constant) and str(node.value).split("/")[1:2] == ["usr"]


def main() -> None:
    """Exit with the tests that need something without a word."""
    found = []
    for path in TESTS.rglob("*.py"):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        # A mark of the whole file stands in it as `pytestmark`.
        marked = any(isinstance(one, ast.Assign) and "needs(" in ast.unparse(one) for one in tree.body)
        if path.name not in PROBES and not marked:
            found += [f"{path}: {one}" for one in programs(tree) if one not in PROGRAMS]
        found += [f"{path}: {ast.unparse(node)}" for node in ast.walk(tree) if _below_usr(node)]
    sys.exit("\n".join(found) or None)


if __name__ == "__main__":
    main()

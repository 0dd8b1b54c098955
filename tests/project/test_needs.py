"""No test needs a file below /usr, or a program that README does not name, unless it says so by `@needs`."""

import ast
import os
from collections.abc import Iterator

import pytest

from tests.support.processes import gone
from tests.support.project import ROOT

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


def test_no_test_needs_the_machine():
    found = []
    for path in (ROOT / "tests").rglob("*.py"):
        source = path.read_text(encoding="utf-8")
        tree = ast.parse(source)
        # A mark of the whole file stands in it as `pytestmark`.
        marked = any(isinstance(one, ast.Assign) and "needs(" in ast.unparse(one) for one in tree.body)
        if path.name not in PROBES and not marked:
            found += [(path.name, one) for one in programs(tree) if one not in PROGRAMS]
        found += [(path.name, ast.unparse(node)) for node in ast.walk(tree) if _below_usr(node)]
    assert found == []


@pytest.mark.parametrize(
    "call", ["subprocess.run(['gs', page])", "subprocess.Popen(('gs',))", "shutil.which('gs')"]
)
def test_a_program_is_found_unless_it_is_asked_for(call):
    source = f"def test():\n    if True:\n        {call}\n"
    assert [*programs(ast.parse(source))] == ["gs"]
    assert not [*programs(ast.parse(f"@needs('Ghostscript')\n{source}"))]


@pytest.mark.system
def test_a_process_that_nobody_asked_about_is_gone():
    if not (process := os.fork()):
        os._exit(0)
    os.waitid(os.P_PID, process, os.WEXITED | os.WNOWAIT)  # it stays as a zombie
    assert gone(process)
    os.waitpid(process, 0)
    assert gone(process)

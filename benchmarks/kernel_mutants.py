"""Is each check of the kernel held by a test? `python benchmarks/kernel_mutants.py [--file FILE]`.

The file is changed in one place at a time: a comparison turned round, `and` made `or`, a condition, an
argument or a part of a list left out, a number raised by one. The tests of verdicts run on each change, in a
fork that has imported everything, and must fail. What survives is printed with its line: no test holds it.
"""

import argparse
import ast
import copy
import importlib
import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from tables import measured_on

ROOT = Path(__file__).resolve().parents[1]
TESTS = (
    ("test_certify", "test_verdicts", "test_exact"),
    ("test_kinds", "test_what_turns_the_sense", "test_shares_of_forgeries"),
    ("test_quote", "test_every_verdict"),
)
"""In tests/quote: those that all changes meet, and those for what survives them; the last build corpora."""

LONGEST = 600
"""Seconds after which a change counts as noticed: it does not end."""

_TURNED: dict[type, type] = {
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Lt: ast.GtE,
    ast.GtE: ast.Lt,
    ast.Gt: ast.LtE,
    ast.LtE: ast.Gt,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.And: ast.Or,
    ast.Or: ast.And,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
}


def changes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the node changed, in each way that it may be."""
    match node:
        case ast.Compare(ops=[operator]) if type(operator) in _TURNED:
            yield _with(node, ops=[_TURNED[type(operator)]()])
        case ast.BoolOp(values=values):
            yield _with(node, op=_TURNED[type(node.op)]())
            for at in range(len(values)):
                left = [*values[:at], *values[at + 1 :]]
                yield left[0] if len(left) == 1 else _with(node, values=left)
        case ast.BinOp(op=operator) if type(operator) in _TURNED:
            yield _with(node, op=_TURNED[type(operator)]())
        case ast.UnaryOp(op=ast.Not()):
            yield node.operand
        case ast.If() | ast.IfExp():
            yield _with(node, test=ast.Constant(value=True))
            yield _with(node, test=ast.Constant(value=False))
        case ast.Tuple(elts=parts, ctx=ast.Load()) | ast.List(elts=parts, ctx=ast.Load()):
            for at in range(len(parts)):
                yield _with(node, elts=[*parts[:at], *parts[at + 1 :]])
        case ast.Constant(value=int(value)):
            yield ast.Constant(value=not value if isinstance(value, bool) else value + 1)


def _with(node: ast.AST, **fields: object) -> ast.AST:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def mutants(source: str) -> Iterator[tuple[int, str, str]]:
    """Yield line, what was there, and the source with one change; annotations and docstrings stay."""
    tree = ast.parse(source)
    for parent in ast.walk(tree):
        for name, value in ast.iter_fields(parent):
            if name in ("annotation", "returns", "decorator_list", "ctx", "slice"):
                continue
            for at, node in enumerate(value) if isinstance(value, list) else [(None, value)]:
                if not isinstance(node, ast.AST):
                    continue
                for changed in changes(node):
                    if at is None:
                        setattr(parent, name, changed)
                    else:
                        value[at] = changed
                    yield (
                        getattr(node, "lineno", 0),
                        ast.unparse(node),
                        ast.unparse(ast.fix_missing_locations(tree)),
                    )
                    if at is None:
                        setattr(parent, name, node)
                    else:
                        value[at] = node


def survivors(
    module: ModuleType, found: list[tuple[int, str, str]], tests: tuple[str, ...], workers: int
) -> list[tuple[int, str, str]]:
    """Return the mutants of a module on which all tests pass, each tried in a process of its own."""
    running: dict[int, tuple[int, str, str]] = {}
    left = []
    for one in [*found, *[None] * workers]:
        if running and (one is None or len(running) == workers):
            child, status = os.wait()
            tried = running.pop(child)
            left += [] if status else [tried]
        if one is not None:
            running[_started(module, one[2], tests)] = one
    return [one for one in found if one in left]


def _started(module: ModuleType, source: str, tests: tuple[str, ...]) -> int:
    """Return the process that runs the tests on the changed source of a module."""
    if child := os.fork():
        return child
    signal.alarm(LONGEST)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    os.dup2(1, 2)
    failed = 1
    try:
        replace(module, source)
        failed = _run(tests)
    finally:
        os._exit(failed)


def replace(module: ModuleType, source: str) -> None:
    """Run the source in place of the module's, and give its names to whoever has imported them."""
    before = dict(vars(module))
    exec(compile(source, str(module.__file__), "exec"), vars(module))
    changed = {id(old): vars(module)[name] for name, old in before.items() if old is not vars(module)[name]}
    for other in [one for one in sys.modules.values() if one is not module]:
        for name, value in list(getattr(other, "__dict__", {}).items()):
            if id(value) in changed:
                setattr(other, name, changed[id(value)])


def _run(tests: tuple[str, ...]) -> int:
    return int(
        pytest.main(["-x", "-q", "-p", "no:cacheprovider", *(f"tests/quote/{one}.py" for one in tests)])
    )


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--file", default="lookup/quote/certify.py")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    module = importlib.import_module(options.file.removesuffix(".py").replace("/", "."))
    source = (ROOT / options.file).read_text(encoding="utf-8")
    if _run(TESTS[0]) or not all(survivors(module, [(0, "", source)], one, 1) for one in TESTS):
        sys.exit("The tests fail on the file as it is.")
    found = list(mutants(source))
    tried = len(found)
    for tests in TESTS:
        found = survivors(module, found, tests, options.workers)
    print(f"{measured_on()}\n\n{options.file}: {tried} mutants, {len(found)} survive")
    for line, was, _ in found:
        print(f"  line {line}: {was[:150]!r}")


if __name__ == "__main__":
    main()

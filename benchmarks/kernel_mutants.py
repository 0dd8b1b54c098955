"""Is each check of the kernel held by a test? `python benchmarks/kernel_mutants.py [--file FILE]`.

The file is changed in one place at a time: a comparison turned round, `and` made `or`, a condition, an
argument or a part of a list left out, a number raised by one. The tests of verdicts run on each change, in a
copy of the project, and must fail. What survives is printed with its line: no test holds it.
"""

import argparse
import ast
import copy
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from queue import Queue

from tables import measured_on

ROOT = Path(__file__).resolve().parents[1]
TESTS = ("test_certify", "test_verdicts", "test_exact", "test_quote", "test_every_verdict")
"""In tests/quote, the quickest first."""

_TURNED: dict[type, type] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.And: ast.Or, ast.Or: ast.And, ast.Add: ast.Sub,
    ast.Sub: ast.Add,
}  # fmt: skip


def changes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the node changed, in each way that it may be."""
    match node:
        case ast.Compare(ops=[operator]):
            yield _with(node, ops=[_TURNED.get(type(operator), type(operator))()])
        case ast.BoolOp(values=values):
            yield _with(node, op=_TURNED[type(node.op)]())
            for at in range(len(values)):
                left = [*values[:at], *values[at + 1 :]]
                yield left[0] if len(left) == 1 else _with(node, values=left)
        case ast.BinOp(op=operator):
            yield _with(node, op=_TURNED.get(type(operator), type(operator))())
        case ast.UnaryOp(op=ast.Not()):
            yield node.operand
        case ast.If() | ast.IfExp():
            yield _with(node, test=ast.Constant(value=True))
            yield _with(node, test=ast.Constant(value=False))
        case ast.Tuple(elts=parts, ctx=ast.Load()) | ast.List(elts=parts, ctx=ast.Load()):
            for at in range(len(parts)):
                yield _with(node, elts=[*parts[:at], *parts[at + 1 :]])
        case ast.Constant(value=int(value)):
            yield ast.Constant(value=value + 1)


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


def survives(copied: Path, file: str, source: str) -> bool:
    """Return whether all tests pass on the changed source."""
    (copied / file).write_text(source, encoding="utf-8")
    tests = [f"tests/quote/{one}.py" for one in TESTS]
    call = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
    done = subprocess.run(
        call, cwd=copied, capture_output=True, check=False, timeout=600, env={"PYTHONPATH": str(copied)}
    )
    return done.returncode == 0


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--file", default="lookup/quote/certify.py")
    parser.add_argument("--workers", type=int, default=2)
    options = parser.parse_args()
    source = (ROOT / options.file).read_text(encoding="utf-8")
    with tempfile.TemporaryDirectory() as folder:
        copies: Queue[Path] = Queue()
        for number in range(options.workers):
            copied = Path(folder) / str(number)
            for name in ("lookup", "pagequote", "pipeline", "tests", "benchmarks", "data"):
                shutil.copytree(
                    ROOT / name, copied / name, ignore=shutil.ignore_patterns("__pycache__", "corpus")
                )
            shutil.copy(ROOT / "pyproject.toml", copied)
            copies.put(copied)

        def tried(mutant: tuple[int, str, str]) -> tuple[int, str, bool]:
            line, was, changed = mutant
            copied = copies.get()
            try:
                return line, was, survives(copied, options.file, changed)
            finally:
                copies.put(copied)

        if not survives(copies.queue[0], options.file, source):
            sys.exit("The tests fail on the file as it is.")
        with ThreadPoolExecutor(options.workers) as pool:
            found = list(pool.map(tried, mutants(source)))
    print(f"{measured_on()}\n\n{options.file}: {len(found)} mutants, {sum(one[2] for one in found)} survive")
    for line, was, survived in found:
        if survived:
            print(f"  line {line}: {was[:150]!r}")


if __name__ == "__main__":
    main()

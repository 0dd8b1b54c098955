"""What does a rule of the layout cost, and what falls without it? `prices.py SCRIPTS CORPUS ... [--pages N]`.

SCRIPTS is the folder of `others.py` and `jats.py`, which score; a CORPUS has KEY/paper.pdf and truth.xml, or
CLASS/KEY/paper.pdf and truth.json. Each step of `pipeline.layout.paragraphs` is left out, and each function
of more than --lines lines, with what it alone calls, in the packages that --packages names: what says
whether something is so says no, what changes what it is given returns it, what finds finds nothing.

    lines       of the function and of what nothing else calls
    paragraphs  of the truth that are one row; as many more or fewer without the rule
    quotes      sentences of the truth whose letters stand in one run of rows of text
    over ends   those that no page's own text has in one piece, and ends of paragraphs with what follows
    cover       stretches of 24 letters of the truth that are found in the rows
    right rows, headings, footnotes, captions   rows of these kinds that are of the truth
    woven       lines of rows that begin in one block of the truth and end in another, not the next one
"""

import argparse
import ast
import gc
import hashlib
import importlib
import inspect
import json
import multiprocessing
import pickle
import pkgutil
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

from tables import markdown_table, measured_on

from pipeline.layout import LaidOut, PrintedParagraph, lay_out
from pipeline.layout.line_features import OF_LINE, Feature
from pipeline.layout.paragraph_features import OF_PARAGRAPH
from pipeline.layout.paragraphs import STEPS, Step
from pipeline.pdf.reading import PdfPage, read_pdf, without_unreadable

ROOT = Path(__file__).resolve().parent.parent
_PDF = ROOT / "pipeline" / "pdf"

FIGURES = (
    "paragraphs",
    "quotes",
    "over ends",
    "cover",
    "right rows",
    "headings",
    "footnotes",
    "captions",
    "woven",
)

_TEXT = ("body", "quote", "list", "heading", "title", "reference", "code")
"""Kinds of rows over whose borders a quote may run."""

_KINDS = {"caption": ("caption",), "heading": ("heading", "title"), "footnote": ("footnote",)}
"""Kinds of the truth, with those of the rows that are them."""

_PIECE = 24  # Letters of a stretch of the truth that is looked for.
_END = 16  # Letters of either end of a line that are looked for in blocks.
_LONG = 80  # Letters, at least, of a row that is asked whether it is a paragraph.
_LEAST = 45, 15
"""Letters of a sentence that is asked, at least; of one without spaces."""

Scores = Counter[str]


@dataclass
class Document:
    """A PDF's pages, its truth, and its paragraphs and scores as the layout is."""

    path: Path
    pages: tuple[PdfPage, ...]
    truth: list[dict[str, str]]
    usual: list[tuple[Any, ...]]
    scores: Scores

    @property
    def name(self) -> str:
        """The class of the document, or the corpus."""
        parent = self.path.parent.parent
        return parent.name


@dataclass(frozen=True)
class Rule:
    """A function that can be left out: where it is found, its lines, and what is called in its place."""

    name: str
    lines: int
    function: Any
    without: Callable[..., Any]
    step: str = ""
    """Its name in STEPS, where it is one."""

    def leave_out(self) -> list[tuple[Any, str, Any]]:
        """Put the other function in its place, wherever it is named; return what puts it back."""
        if self.step:
            step = STEPS[self.step]
            STEPS[self.step] = Step(self.without, self.without)
            return [(STEPS, self.step, step)]
        changed: list[tuple[Any, str, Any]] = []
        for module in [one for name, one in sys.modules.items() if name.startswith("pipeline.")]:
            owners = [module, *(one for one in vars(module).values() if inspect.isclass(one))]
            for owner in owners:
                for name, value in list(vars(owner).items()):
                    if value is self.function:
                        changed.append((owner, name, value))
                        setattr(owner, name, self.without)
        features: tuple[Feature[Any, Any], ...] = (*OF_LINE.values(), *OF_PARAGRAPH.values())
        for feature in features:
            if feature.find is self.function:
                changed.append((feature, "find", self.function))
                feature.find = self.without
        return changed


_EMPTY: dict[str, Callable[[], Any]] = {
    "list": list,
    "Sequence": tuple,
    "Iterator": lambda: iter(()),
    "dict": dict,
    "set": set,
    "frozenset": frozenset,
    "Counter": Counter,
    "str": str,
    "range": lambda: range(0),
}
"""What a function that finds nothing returns, by what it says that it returns."""

_SEVERAL = ("list", "Sequence", "tuple", "Iterator", "Iterable")


def _without(node: ast.FunctionDef) -> Callable[..., Any] | None:
    """Return what stands for a function that is left out, by what it says it returns; None if unknown."""
    said = ast.unparse(node.returns) if node.returns else ""
    if said == "bool":
        return lambda *_, **__: False
    kind, _, items = said.partition("[")
    for place, one in enumerate(node.args.args):
        given, _, of = (ast.unparse(one.annotation) if one.annotation else "").partition("[")
        if said and items == of and (given == kind or {given, kind} <= {*_SEVERAL}):
            return lambda *values, at=place, **_: values[at]
    if "None" in said:
        return lambda *_, **__: None
    make = _EMPTY.get(kind)
    return None if make is None else lambda *_, **__: make()


def rules(packages: Sequence[str], least: int) -> Iterator[Rule]:
    """Yield the steps of the layout, and the functions of more than so many lines, with their lines."""
    step_of = {step.run: name for name, step in STEPS.items()}
    for package in packages:
        folder = importlib.import_module(package)
        for found in pkgutil.iter_modules(folder.__path__, f"{package}."):
            module = importlib.import_module(found.name)
            yield from _rules_of(module, step_of, least)


def _rules_of(module: ModuleType, steps: Mapping[Any, str], least: int) -> Iterator[Rule]:
    path = Path(str(module.__file__))
    text = path.read_text(encoding="utf-8")
    functions = dict(_functions(ast.parse(text).body, module))
    constants = [
        (target.id, (node.end_lineno or 0) - node.lineno + 2)
        for node in ast.parse(text).body
        if isinstance(node, ast.Assign)
        for target in node.targets
        if isinstance(target, ast.Name)
    ]
    plain = (node for node in ast.parse(text).body if not isinstance(node, ast.FunctionDef | ast.ClassDef))
    outside = {name for node in plain for name in _names(node)}
    uses = {name: _names(node) for name, (node, _) in functions.items()}
    for name, (node, function) in functions.items():
        gone = _goes_with(name, uses, outside)
        kept = {one for other in uses.keys() - gone for one in uses[other]} | outside
        lines = sum((functions[one][0].end_lineno or 0) - _start(functions[one][0]) + 3 for one in gone)
        needed = {one for other in gone for one in uses[other]} - kept
        lines += sum(count for one, count in constants if one in needed)
        step = steps.get(function, "")
        without = STEPS[step].without if step else _without(node)
        lines = len(text.splitlines()) if step else lines
        if without is not None and lines > least and not name.rpartition(".")[2].startswith("__"):
            found = function.find if isinstance(function, Feature) else function
            yield Rule(f"{path.stem}.{name}", lines, found, without, step)


def _functions(body: Sequence[ast.stmt], owner: Any, of: str = "") -> Iterator[tuple[str, Any]]:
    """Yield each function and method by its name, with what Python has of it."""
    for node in body:
        if isinstance(node, ast.FunctionDef) and node.name in vars(owner):
            yield of + node.name, (node, vars(owner)[node.name])
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node.body, vars(owner)[node.name], f"{node.name}.")


def _goes_with(name: str, uses: Mapping[str, set[str]], outside: set[str]) -> set[str]:
    """Return a function and the private ones that nothing calls without it."""
    gone = {name}
    while True:
        kept = {one for other in uses.keys() - gone for one in uses[other]} | outside
        called = {one for other in gone for one in uses[other]} - kept
        last = {one: one.rpartition(".")[2] for one in uses.keys() - gone}
        more = {one for one, short in last.items() if short.startswith("_") and short in called}
        if not more:
            return gone
        gone |= more


def _start(node: ast.FunctionDef) -> int:
    return min([node.lineno, *(one.lineno for one in node.decorator_list)])


def _names(node: ast.AST) -> set[str]:
    return {one.id for one in ast.walk(node) if isinstance(one, ast.Name)} | {
        one.attr for one in ast.walk(node) if isinstance(one, ast.Attribute)
    }


def truth_of(scripts: Any, path: Path) -> list[dict[str, str]]:
    """Return the blocks of a truth as `others.py` has them; those of JATS without formulas."""
    if path.suffix == ".json":
        blocks: list[dict[str, str]] = json.loads(path.read_text(encoding="utf-8"))
        return blocks
    return [{"kind": one.kind, "text": one.text} for one in scripts.jats.blocks(path) if not one.math]


def comparable(paragraphs: Sequence[PrintedParagraph]) -> list[tuple[Any, ...]]:
    """Return what decides about the scores of paragraphs: their kinds, and the places of their words."""
    return [(one.kind, hash(tuple([line.words for line in one.lines]))) for one in paragraphs]


def score(scripts: Any, document: Document, paragraphs: Sequence[PrintedParagraph]) -> Scores:
    """Return the counts of a document's figures."""
    skeleton: Callable[[str], str] = scripts.cases.skeleton
    seen = [one for one in paragraphs if not one.hidden]
    rows = [(one.kind, "".join([skeleton(line.text) for line in one.lines])) for one in seen]
    running = "".join(text for kind, text in rows if kind in _TEXT)
    runs = "\0".join([running, *(text for kind, text in rows if kind not in _TEXT)])
    here = "\0".join(skeleton(" ".join(line.text for line in page.lines)) for page in document.pages)
    found, right = Counter[str](), set[str]()
    ended = ""  # the sentence with which the block before ends
    for block in document.truth:
        its = skeleton(block["text"])
        if kinds := _KINDS.get(block["kind"]):
            found[f"{block['kind']}s"] += any(kind in kinds and its[:30] in row for kind, row in rows)
        if block["kind"] in scripts.others.PROSE:
            found += _of_prose(scripts, block["text"], [text for _, text in rows], right)
            ended, of_quotes = _of_quotes(scripts, block["text"], ended, runs, here)
            found += of_quotes
    bodies = [text for kind, text in rows if kind == "body" and len(text) >= _LONG]
    lines = [skeleton(line.text) for one in seen for line in one.lines]
    woven = _woven(lines, [skeleton(block["text"]) for block in document.truth])
    right_rows = sum(text in right for text in bodies)
    return found + Counter({"right rows": right_rows, "rows": len(bodies), "woven": woven})


def _woven(lines: Sequence[str], blocks: Sequence[str]) -> int:
    """Count the lines that begin in one block of the truth and end in another, which does not follow it."""
    whole = "\0".join(blocks)
    odd = [line for line in lines if len(line) >= 2 * _END and line not in whole]
    ends = [
        [{at for at, text in enumerate(blocks) if end in text} for end in (line[:_END], line[-_END:])]
        for line in odd
    ]
    return sum(bool(begin and end) and all(abs(a - b) > 1 for a in begin for b in end) for begin, end in ends)


def _of_prose(scripts: Any, text: str, rows: Sequence[str], right: set[str]) -> Scores:
    """Count whether a block is one of the rows, then one of the `right` ones, and how much is in any."""
    skeleton, others = scripts.cases.skeleton, scripts.others
    its, flat = skeleton(text), "".join(rows)
    parts = [skeleton(part) for part in others.GAPS.split(text)]
    pieces = [part[at : at + _PIECE] for part in parts for at in range(0, len(part) - _PIECE, _PIECE)]
    place = rows.index(its) if its in rows else others._stands(text, rows, ())  # noqa: SLF001
    right.update(() if place is None else (rows[place],))
    long = len(its) >= others._long_enough(text)  # noqa: SLF001
    stands = long and place is not None
    return Counter({"paragraphs": stands, "cover": sum(piece in flat for piece in pieces)})


def _of_quotes(scripts: Any, text: str, ended: str, runs: str, here: str) -> tuple[str, Scores]:
    """Return the sentence with which a block ends, and the counts of what stands in one run of text.

    `ended` is the sentence with which the block before ends, `here` has the letters of each page's own text.
    """
    skeleton, others = scripts.cases.skeleton, scripts.others
    asked = [skeleton(one) for one in others._sentences(text) if not others.GAPS.search(one)]  # noqa: SLF001
    able = [one for one in asked if len(one) >= _LEAST[bool(others.DENSE.search(text))]]
    its, found = skeleton(text), [one for one in able if one in runs]
    over = sum(one not in here for one in found)
    if ended and able and its.startswith(able[0]):
        over += ended + able[0] in runs
    last = able[-1] if able and its.endswith(able[-1]) else ""
    return last, Counter({"quotes": len(found), "over ends": over})


def pages_of(path: Path, count: int, cache: Path) -> tuple[PdfPage, ...]:
    """Return the first pages of a PDF; what was read of it by the same code is kept in `cache`."""
    data = path.read_bytes()
    digest = hashlib.sha256(data + b"".join(one.read_bytes() for one in sorted(_PDF.glob("*.py"))))
    kept = cache / f"{digest.hexdigest()[:24]}-{count}.pickle"
    if not kept.exists():
        pages = tuple(map(without_unreadable, read_pdf(data).pages[:count]))
        cache.mkdir(parents=True, exist_ok=True)
        kept.write_bytes(pickle.dumps(pages))
    found: tuple[PdfPage, ...] = pickle.loads(kept.read_bytes())
    return found


def read(scripts: Any, path: Path, count: int, cache: Path) -> Document:
    """Return the first pages of a document, scored as the layout is."""
    pages = pages_of(path, count, cache)
    (truth,) = path.parent.glob("truth.*")
    document = Document(path, pages, truth_of(scripts, truth), [], Counter())
    paragraphs = lay_out(pages).paragraphs
    document.usual, document.scores = comparable(paragraphs), score(scripts, document, paragraphs)
    return document


def scored(
    scripts: Any, documents: Sequence[Document], rule: Rule | None
) -> tuple[dict[str, Scores], int, int]:
    """Return the scores by class without a rule, how many documents change, and how many fail."""
    changed = rule.leave_out() if rule else []
    total: dict[str, Scores] = defaultdict(Counter)
    differ = failed = 0
    try:
        for document in documents:
            for line in (line for page in document.pages for line in page.lines):
                line.known.clear()
            laid_out: LaidOut = lay_out(document.pages)
            failed += bool(laid_out.errors)
            same = comparable(laid_out.paragraphs) == document.usual
            differ += not same
            total[document.name] += document.scores if same else score(scripts, document, laid_out.paragraphs)
    finally:
        for owner, name, value in changed:
            owner.update({name: value}) if owner is STEPS else setattr(owner, name, value)
        gc.collect()
    return total, differ, failed


_shared: dict[str, Any] = {}


def _share(**values: Any) -> None:
    gc.disable()
    _shared.update(values)


def _scored(number: int) -> tuple[dict[str, Scores], int, int]:
    return scored(_shared["scripts"], _shared["documents"], _shared["rules"][number])


def _read(path: Path) -> tuple[list[tuple[Any, ...]], Scores, list[dict[str, str]]]:
    document = read(_shared["scripts"], path, _shared["pages"], _shared["cache"])
    return document.usual, document.scores, document.truth


def _difference(new: Scores, old: Scores, name: str) -> str:
    return f"{new[name] - old[name]:+d}" if new[name] != old[name] else ""


def main() -> None:
    """Measure, and print a row a rule, the dearest for what it gives first."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("scripts", type=Path)
    parser.add_argument("corpora", type=Path, nargs="+")
    parser.add_argument("--pages", type=int, default=6, help="so many pages of each document")
    parser.add_argument("--every", type=int, default=1, help="every Nth document only")
    parser.add_argument("--lines", type=int, default=20)
    parser.add_argument("--packages", nargs="+", default=["pipeline.layout"])
    parser.add_argument("--only", default="", help="only rules whose names hold this")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--classes", action="store_true", help="what falls in each class, too")
    parser.add_argument("--cache", type=Path, default=ROOT / "build" / "prices")
    asked = parser.parse_args()
    sys.path.insert(0, str(asked.scripts))
    scripts = argparse.Namespace(
        **{name: importlib.import_module(name) for name in ("others", "jats", "cases")}
    )
    found = [rule for rule in rules(asked.packages, asked.lines) if asked.only in rule.name]
    paths = [path for corpus in asked.corpora for path in sorted(corpus.rglob("paper.pdf"))]
    paths = [path for path in paths if [*path.parent.glob("truth.*")]][:: asked.every]
    context = multiprocessing.get_context("fork")
    _share(scripts=scripts, pages=asked.pages, cache=asked.cache)
    with context.Pool(asked.processes) as pool:
        known = pool.map(_read, paths, chunksize=4)
    documents = [
        Document(path, pages_of(path, asked.pages, asked.cache), truth, usual_there, scores)
        for path, (usual_there, scores, truth) in zip(paths, known, strict=True)
    ]
    usual: dict[str, Scores] = defaultdict(Counter)
    for document in documents:
        usual[document.name] += document.scores
    whole: Scores = sum(usual.values(), Counter())
    print(f"{len(documents)} documents, {sum(len(one.pages) for one in documents)} pages. {measured_on()}\n")
    print(", ".join(f"{name} {whole[name]}" for name in (*FIGURES, "rows")), end="\n\n")
    print(markdown_table(["without", "lines", *FIGURES, "documents"], []), flush=True)
    _share(documents=documents, rules=found)
    gc.freeze()
    with context.Pool(asked.processes) as pool:
        for rule, (by_class, differ, failed) in zip(
            found, pool.imap(_scored, range(len(found))), strict=True
        ):
            total: Scores = sum(by_class.values(), Counter())
            cells = [_difference(total, whole, name) for name in FIGURES]
            many = f"{differ}" + (f", {failed} fail" if failed else "")
            print("| " + " | ".join([f"`{rule.name}`", str(rule.lines), *cells, many]) + " |", flush=True)
            for name in by_class if asked.classes else ():
                falls = [f"{one} {_difference(by_class[name], usual[name], one)}" for one in FIGURES[:4]
                         if by_class[name][one] < usual[name][one]]  # fmt: skip
                if falls:
                    print(f"    {name}: {', '.join(falls)}")


if __name__ == "__main__":
    main()

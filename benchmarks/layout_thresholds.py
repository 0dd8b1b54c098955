"""Which of the layout's constants matter? `python benchmarks/layout_thresholds.py MEASURES FOLDER ...`.

FOLDER has KEY/paper.pdf and KEY/truth.xml, or CLASS/KEY/paper.pdf and truth.json, of which the kinds count;
MEASURES is the folder of the `paragraphs.py` that scores paragraphs by a publisher's XML. Each number among
the constants of the layout, and of what is taken for hidden text, is set to 0.8 and to 1.25 times its value,
by itself. PDFs are read again only for the latter, and a paper is scored again only where its paragraphs
change, or what of it is hidden.
"""

import argparse
import ast
import gc
import importlib
import multiprocessing
import pkgutil
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import ceil, floor
from pathlib import Path
from typing import Any, NamedTuple

from kinds import confusion, of_truth
from tables import markdown_table, measured_on

import pipeline.layout
import pipeline.pdf.reading
import pipeline.pdf.visibility
from lookup.text.hyphenation import vocabulary
from pipeline.cleaning.clean import clean, lexicon
from pipeline.layout import PrintedParagraph, find_paragraphs
from pipeline.layout.sections import sections
from pipeline.pdf.reading import PdfPage, read_pdf

_FACTORS = (0.8, 1.25)
_MEASURES = {
    "exact": ("exact", "paragraphs"),
    "precision": ("right", "claimed"),
    "captions": ("captioned", "captions"),
    "sections": ("sections", "exact"),
    "kinds": ("kinds", "blocks"),
}
"""The measures of paragraphs.py, each as the names of the counts that it divides."""

_CODES = frozenset({"_DRAWING", "_NO_INK", "_WHITE"})
"""Constants that are names of kinds and colours, not measures."""

Scores = Counter[str]


class Constant(NamedTuple):
    """A number among a module's constants; `place` is its place in a tuple."""

    module: str
    name: str
    place: int | None
    value: float

    @property
    def label(self) -> str:
        """Its name, with the file it stands in."""
        place = "" if self.place is None else f"[{self.place}]"
        return f"{self.module.rpartition('.')[2]}.{self.name}{place}"

    def times(self, factor: float) -> float:
        """Its value times the factor; whole numbers change by one at least."""
        value = self.value * factor
        if isinstance(self.value, int):
            return floor(value) if factor < 1 else ceil(value)
        return value

    def set_to(self, value: float) -> None:
        """Give the constant another value in this process."""
        module = importlib.import_module(self.module)
        old = getattr(module, self.name)
        new = value if self.place is None else (*old[: self.place], value, *old[self.place + 1 :])
        setattr(module, self.name, new)


@dataclass(frozen=True)
class Paper:
    """A paper's PDF and pages, the publisher's blocks, its paragraphs and scores with usual constants."""

    data: bytes
    pages: tuple[PdfPage, ...]
    truth: tuple[Sequence[Any], Sequence[tuple[str, str]]]
    paragraphs: list[tuple[str, tuple[Any, ...]]]
    scores: Scores


def constants() -> Iterator[Constant]:
    """Return the numbers that modules of the layout define, the margin of a page, and what hides text."""
    names = [module.name for module in pkgutil.iter_modules(pipeline.layout.__path__, "pipeline.layout.")]
    for name in names:
        yield from _constants_of(name)
    yield from (one for one in _constants_of(pipeline.pdf.reading.__name__) if one.name == "_MARGIN")
    yield from _constants_of(pipeline.pdf.visibility.__name__)


def _constants_of(name: str) -> Iterator[Constant]:
    module = importlib.import_module(name)
    for node in ast.parse(Path(str(module.__file__)).read_text(encoding="utf-8")).body:
        if not isinstance(node, ast.Assign):
            continue
        for target in ast.walk(node.targets[0]):
            value = getattr(module, target.id) if isinstance(target, ast.Name) else None
            numbers = value if isinstance(value, tuple) else (value,)
            for place, number in enumerate(numbers):
                if (
                    isinstance(target, ast.Name)
                    and isinstance(number, int | float)
                    and target.id not in _CODES
                ):
                    yield Constant(name, target.id, place if value is not number else None, number)


def comparable(paragraphs: Sequence[PrintedParagraph]) -> list[tuple[str, tuple[Any, ...]]]:
    """Return what decides about the text of paragraphs: their kinds, and the words of their lines."""
    return [(one.kind, tuple([line.words for line in one.lines])) for one in paragraphs]


def _hidden(pages: Sequence[PdfPage]) -> list[tuple[Any, ...]]:
    return [tuple([(line.aside, line.words) for line in page.aside]) for page in pages]


def score(
    measures: Any,
    paragraphs: Sequence[PrintedParagraph],
    truth: tuple[Sequence[Any], Sequence[tuple[str, str]]],
) -> Scores:
    """Return the counts of paragraphs.py for the paragraphs of one paper, and those of kinds that are right.

    `truth` are the blocks as paragraphs.py has them, and as kinds and texts.
    """
    words = vocabulary(line.text for one in paragraphs for line in one.lines)
    listed = lexicon(words)
    texts = [clean(one.lines, words, listed).text for one in paragraphs]
    headings = sections(list(zip(paragraphs, texts, strict=True)))
    titles = [heading.title for heading in headings]
    kinds = [one.kind for one in paragraphs]
    blocks, of_kinds = truth
    matrix = confusion(list(zip(kinds, texts, strict=True)), iter(of_kinds))
    right = sum(count for (kind, found), count in matrix.items() if kind == found)
    counts = Counter({"kinds": right, "blocks": matrix.total()})
    return counts + Counter(measures.score(list(zip(kinds, titles, texts, strict=True)), blocks))


def read(measures: Any, folder: Path, count: int) -> Paper:
    """Return the first `count` pages of the paper in a folder, scored as the layout is."""
    data = (folder / "paper.pdf").read_bytes()
    pages = read_pdf(data).pages[:count]
    (path,) = folder.glob("truth.*")
    truth = measures.jats.blocks(path) if path.suffix == ".xml" else (), list(of_truth(path))
    paragraphs = find_paragraphs(pages)
    return Paper(data, pages, truth, comparable(paragraphs), score(measures, paragraphs, truth))


def scored(measures: Any, papers: Sequence[Paper], change: tuple[Any, Any]) -> tuple[Scores, int]:
    """Return the scores of all papers with one constant as the change says, and how many change."""
    constant, value = change
    usual = constant.value
    total: Scores = Counter()
    changed = 0
    constant.set_to(value)
    try:
        for paper in papers:
            hides = constant.module == pipeline.pdf.visibility.__name__
            pages = read_pdf(paper.data).pages[: len(paper.pages)] if hides else paper.pages
            for line in (line for page in pages for line in page.lines):
                line.known.clear()  # features may ask the constant
            paragraphs = find_paragraphs(pages)
            same = comparable(paragraphs) == paper.paragraphs and _hidden(pages) == _hidden(paper.pages)
            changed += not same
            total += paper.scores if same else score(measures, paragraphs, paper.truth)
    finally:
        constant.set_to(usual)
        gc.collect()
    return total, changed


_shared: dict[str, Any] = {}
"""What the processes have in common; they are forked, since modules and papers take long to send."""


def _share(measures: Any, papers: Sequence[Paper], changes: Sequence[tuple[Any, Any]]) -> None:
    gc.disable()  # as an extraction does
    _shared.update(measures=measures, papers=papers, changes=changes)


def _scored(number: int) -> tuple[Scores, int]:
    return scored(_shared["measures"], _shared["papers"], _shared["changes"][number])


def shares(total: Scores) -> list[float]:
    """Return the measures in their order."""
    return [total[part] / max(1, total[whole]) for part, whole in _MEASURES.values()]


def row(constant: Constant, usual: Scores, results: Sequence[tuple[Scores, int]]) -> list[str]:
    """Return a row: for each factor the value, the measures' gains in thousandths, and papers that change."""
    cells = [f"`{constant.label}`", f"{constant.value:g}"]
    for factor, (total, changed) in zip(_FACTORS, results, strict=True):
        gains = [new - old for new, old in zip(shares(total), shares(usual), strict=True)]
        cells += [f"{constant.times(factor):g}", *(f"{1000 * gain:+.1f}" if gain else "" for gain in gains)]
        cells.append(str(changed) if changed else "")
    return cells


def chosen(folder: Path, every: int) -> list[Path]:
    """Return the folders of every Nth paper below one; of classes the first document of each."""
    found = sorted(path.parent for path in folder.rglob("truth.*") if (path.parent / "paper.pdf").exists())
    if every == 1 or all(one.parent == folder for one in found):
        return found[::every]
    return list({one.parent: one for one in reversed(found)}.values())[::-1]


def main() -> None:
    """Measure, and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("measures", type=Path, help="the folder with paragraphs.py")
    parser.add_argument("folders", type=Path, nargs="+")
    parser.add_argument(
        "--every", type=int, default=1, help="take every Nth paper only, and one of each class"
    )
    parser.add_argument("--pages", type=int, default=10_000, help="take so many pages of each only")
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--constant", default="", help="only constants whose name holds this")
    parser.add_argument("--sample", type=int, default=1, help="try every Nth constant only")
    options = parser.parse_args()
    sys.path.insert(0, str(options.measures))
    measures = importlib.import_module("paragraphs")
    folders = [one for folder in options.folders for one in chosen(folder, options.every)]
    context = multiprocessing.get_context("fork")  # papers are read once, and shared with the processes
    papers = [read(measures, folder, options.pages) for folder in folders]
    found = [one for one in constants() if options.constant in one.label][:: options.sample]
    changes: list[tuple[Any, Any]] = [(one, one.times(factor)) for one in found for factor in _FACTORS]
    usual: Scores = sum((paper.scores for paper in papers), Counter())
    print(f"{len(papers)} papers, {len(found)} constants. As they are: ", end="")
    print(", ".join(f"{name} {share:.4f}" for name, share in zip(_MEASURES, shares(usual), strict=True)))
    print(f"\n{measured_on()}\n")
    head = ["constant", "value"]
    for factor in _FACTORS:
        head += [f"{factor:g} times", *_MEASURES, "papers"]
    print(markdown_table(head, []), flush=True)
    gc.freeze()  # the papers stay: neither copied into the processes nor looked through again
    with context.Pool(options.processes, _share, (measures, papers, changes)) as pool:
        results = pool.imap(_scored, range(len(changes)))
        moved: Counter[str] = Counter()
        for one in found:
            both = [next(results) for _ in _FACTORS]
            changes_any = any(changed for _, changed in both)
            measures_move = any(shares(total) != shares(usual) for total, _ in both)
            moved["no paragraph" if not changes_any else "a measure" if measures_move else "no measure"] += 1
            print("| " + " | ".join(row(one, usual, both)) + " |", flush=True)
        print("\n" + ", ".join(f"{count} constants move {what}" for what, count in moved.items()))


if __name__ == "__main__":
    main()

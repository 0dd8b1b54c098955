"""Train a table of trees that says where paragraphs begin, and compare it with the rules.

    python tools/train_layout.py CORPUS MEASURES [--pages 12] [--every 1] [--folds 5]

CORPUS has KEY/paper.pdf with the publisher's truth.xml, or CLASS/KEY/paper.pdf with truth.json, in any depth;
MEASURES is the folder of `paragraphs.py` and `others.py`, which score. Lines get their labels by the letters
that the truth and they have in common. Folds are by publisher and by class: nothing is scored of one of which
a line was seen. Features are those of `pipeline.layout.line_features`, of a line and of those above and below
it. Trees are grown by numpy alone, without chance: the same data give the same table. It prints the shares
of paragraphs that are whole by the rules, by the table, and by both: the table where it is sure.
"""

import argparse
import hashlib
import importlib
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lookup.text.folding import blind, fold
from lookup.text.hyphenation import vocabulary
from pipeline.cleaning.clean import clean, lexicon
from pipeline.layout import PrintedParagraph, find_paragraphs, paragraph_breaks, paragraphs
from pipeline.layout.line_features import FEATURES, LineTable
from pipeline.layout.paragraph_breaks import Style
from pipeline.layout.sections import sections
from pipeline.pdf.opening import open_pdf
from pipeline.pdf.reading import PdfPage, read_pdf

_TREES, _DEPTH, _RATE = 60, 5, 0.2
_BINS = 32  # Values of a feature that are told apart.
_LEAST = 20.0  # Lines of a leaf, about: the sum of p(1 - p).
_SURE = 2.5  # Log odds beyond which the table decides where both are asked.
_SEED = 20  # Letters at the head and at the end of a block of the truth by which lines are found.
_GAPS = re.compile("[\x01\x02\x03]+")  # What stands in truth.json for formulas and marks.
_PUBLISHER = re.compile(r"<publisher-name>([^<]*)")

Numbers = NDArray[np.int64]
Reals = NDArray[np.float64]


@dataclass
class Document:
    """A document's pages, the truth as its measure takes it, and its lines as numbers with their labels."""

    name: str
    group: str
    pages: Sequence[PdfPage]
    truth: list[Any]
    tables: list[tuple[LineTable, Style]] = field(default_factory=list)
    labels: list[Numbers] = field(default_factory=list)


def read(path: Path, measures: Any, most: int) -> Document:
    """Return the document next to a truth, with `most` of its pages: the first, and some from the middle."""
    pdf = open_pdf((path.parent / "paper.pdf").read_bytes())
    count = pdf.page_count
    if count > most:
        pdf.select([*range(most // 2), *range(count // 2, count // 2 + most - most // 2)])
    pages = read_pdf(pdf.tobytes()).pages
    if path.suffix == ".xml":
        publisher = _PUBLISHER.search(path.read_text(encoding="utf-8"))
        blocks = measures.jats.blocks(path)
        texts = [block.text for block in blocks]
        group = f"{path.parents[1].name}: {publisher[1] if publisher else path.parent.name}"
    else:
        blocks = json.loads(path.read_text(encoding="utf-8"))
        texts = [block["text"] for block in blocks]
        group = path.parents[1].name
    document = Document(path.parent.name, group, pages, [])
    with_tables(document)
    flat = "".join(_letters(line.text) for table, _ in document.tables for line in table.lines)
    whole = [_ends(text) for text in texts]
    document.truth = [
        block
        for block, (head, end) in zip(blocks, whole, strict=True)
        if head and head in flat and end in flat
    ]
    document.labels = labelled(document, whole)
    return document


def with_tables(document: Document) -> None:
    """Keep the tables of lines that the layout makes of the document's pages."""
    usual = paragraph_breaks.break_into_paragraphs

    def kept(table: LineTable, style: Style) -> Iterator[list[PrintedParagraph]]:
        document.tables.append((table, style))
        return usual(table, style)

    _set(paragraphs, "break_into_paragraphs", kept)
    try:
        find_paragraphs(document.pages)
    finally:
        _set(paragraphs, "break_into_paragraphs", usual)


def _set(module: Any, name: str, value: Any) -> None:
    setattr(module, name, value)


def _letters(text: str) -> str:
    return blind(fold(text))


def _ends(text: str) -> tuple[str, str]:
    """Return the first and the last letters of a block of the truth; '' where it is too short to find."""
    parts = [_letters(part) for part in _GAPS.split(text)]
    head, end = parts[0][:_SEED], parts[-1][-_SEED:]
    return (head, end) if min(len(head), len(end)) >= _SEED // 2 else ("", "")


def labelled(document: Document, ends: Sequence[tuple[str, str]]) -> list[Numbers]:
    """Return for each line of each page 1 where a block of the truth begins, 0 within one, else -1."""
    lines = [_letters(line.text) for table, _ in document.tables for line in table.lines]
    flat = "".join(lines)
    starts = np.cumsum([0, *map(len, lines)])[: len(lines)]
    labels = np.full(len(lines), -1, np.int64)
    at = 0
    for head, end in ends:
        start = flat.find(head, at) if head else -1
        start = flat.find(head) if head and start < 0 else start
        stop = flat.find(end, start) if start >= 0 else -1
        if stop < 0:
            continue
        labels[(starts > start + 2) & (starts < stop + len(end))] = 0
        labels[np.abs(starts - start) <= 2] = 1  # a mark may stand before the block
        at = start
    pages = np.cumsum([len(table.lines) for table, _ in document.tables])[:-1]
    return np.split(labels, pages)


def features(table: LineTable, style: Style) -> Numbers:
    """Return the features of each line of a page, of the lines above and below, and of the document."""
    columns = [table[name] for name in FEATURES]
    around = [moved for column in columns for moved in (column, table.above(column), table.below(column))]
    pitch = np.rint(64 * table.step / style.pitch).astype(np.int64)
    usual = np.full(len(table.lines), int(style.indents))
    return np.stack([*around, pitch, usual, (table.zones == "").astype(np.int64)], axis=1)


class Trees:
    """Boosted trees over whole numbers: log odds of what is 1."""

    def __init__(self, rows: Numbers, truth: Numbers) -> None:
        """Grow the trees, each of which looks at the gradients that those before it leave."""
        quantiles = np.quantile(rows, np.linspace(0, 1, _BINS + 1)[1:-1], axis=0, method="nearest")
        self.edges = quantiles.astype(np.int64).T
        binned = self._binned(rows)
        self.trees: list[tuple[Numbers, Numbers, Reals]] = []
        odds = np.zeros(len(rows))
        for _ in range(_TREES):
            share = 1 / (1 + np.exp(-odds))
            tree = _grown(binned, truth - share, share * (1 - share))
            self.trees.append(tree)
            odds += _leaves(binned, tree)

    def __call__(self, rows: Numbers) -> Reals:
        """Return the log odds of each row."""
        binned = self._binned(rows)
        odds: Reals = np.sum([_leaves(binned, tree) for tree in self.trees], axis=0)
        return odds

    def _binned(self, rows: Numbers) -> Numbers:
        pairs = zip(self.edges, rows.T, strict=True)
        return np.stack([np.searchsorted(edges, column, "left") for edges, column in pairs])

    @property
    def digest(self) -> str:
        """The first digits of the SHA-256 of the table."""
        units = [np.rint(1024 * values).astype(np.int64).tobytes() for _, _, values in self.trees]
        parts = [self.edges.tobytes(), *units, *(part.tobytes() for tree in self.trees for part in tree[:2])]
        return hashlib.sha256(b"".join(parts)).hexdigest()[:12]


def _grown(binned: Numbers, gradient: Reals, weight: Reals) -> tuple[Numbers, Numbers, Reals]:
    """Return a tree: by node in breadth-first order the feature and the bin to split at; values of leaves."""
    nodes = 2**_DEPTH - 1
    feature, split = np.zeros(nodes, np.int64), np.full(nodes, _BINS, np.int64)  # all go left
    node = np.zeros(binned.shape[1], np.int64)
    for level in range(_DEPTH):
        first, many = 2**level - 1, 2**level
        best = np.full(many, 1e-6)
        for number, column in enumerate(binned):
            key = (node - first) * _BINS + column
            left = np.bincount(key, gradient, many * _BINS).reshape(many, _BINS).cumsum(1)
            below = np.bincount(key, weight, many * _BINS).reshape(many, _BINS).cumsum(1)
            right, above = left[:, -1:] - left, below[:, -1:] - below
            whole = left[:, -1:] ** 2 / (below[:, -1:] + 1)
            gain = left**2 / (below + 1) + right**2 / (above + 1) - whole
            gain[(below < _LEAST) | (above < _LEAST)] = 0.0
            place = gain.argmax(1)
            found = gain[np.arange(many), place]
            better = found > best
            best[better] = found[better]
            feature[first : first + many][better], split[first : first + many][better] = number, place[better]
        node = 2 * node + 1 + (binned[feature[node], np.arange(len(node))] > split[node])
    leaf = node - nodes
    values = np.bincount(leaf, gradient, nodes + 1) / (np.bincount(leaf, weight, nodes + 1) + 1)
    return feature, split, _RATE * values


def _leaves(binned: Numbers, tree: tuple[Numbers, Numbers, Reals]) -> Reals:
    feature, split, values = tree
    node = np.zeros(binned.shape[1], np.int64)
    for _ in range(_DEPTH):
        node = 2 * node + 1 + (binned[feature[node], np.arange(len(node))] > split[node])
    return values[node - len(feature)]


def by_table(trees: Trees, sure: float) -> type:
    """Return the class that breaks columns where the table is sure, and by the rules where it is not."""
    by_rules: Any = _rules()

    class ByTable(by_rules):  # type: ignore[misc]
        def __init__(self, column: Any, start: int, rules: Any, usual: Style) -> None:
            super().__init__(column, start, rules, usual)
            if not hasattr(rules, "odds"):
                rules.odds = trees(features(rules.table, usual))
            self._odds = rules.odds[start : start + len(column.lines)]

        def _rule(self, place: int, group: Sequence[Any]) -> str:
            if abs(self._odds[place]) >= sure:
                return "trained table" if self._odds[place] > 0 else ""
            return str(super()._rule(place, group))

    return ByTable


def _rules() -> Any:
    return vars(paragraph_breaks)["_ParagraphBreaks"]


def score(document: Document, measures: Any, others: Any) -> Counter[str]:
    """Return the counts of the measure that is for such a document."""
    found = find_paragraphs(document.pages)
    words = vocabulary(line.text for one in found for line in one.lines)
    listed = lexicon(words)
    texts = [clean(one.lines, words, listed).text for one in found]
    if document.truth and isinstance(document.truth[0], dict):
        counts, _ = others.score(
            [(one.kind, text) for one, text in zip(found, texts, strict=True)], document.truth
        )
        whole = counts["exact"] + counts["gap"]
        return Counter(
            whole=whole,
            of=counts["exact n"] + counts["gap n"],
            right=counts["precision"],
            rows=counts["precision n"],
        )
    titles = [heading.title for heading in sections(list(zip(found, texts, strict=True)))]
    rows = [(one.kind, title, text) for one, title, text in zip(found, titles, texts, strict=True)]
    result = measures.score(rows, document.truth)
    return Counter(
        whole=result["exact"], of=result["paragraphs"], right=result["right"], rows=result["claimed"]
    )


def folds(documents: Sequence[Document], count: int) -> Iterator[tuple[list[Document], list[Document]]]:
    """Yield what is trained on and what is held back, so that groups are never parted."""
    groups = sorted(
        {one.group for one in documents}, key=lambda group: hashlib.sha256(group.encode()).digest()
    )
    for number in range(count):
        held = set(groups[number::count])
        yield (
            [one for one in documents if one.group not in held],
            [one for one in documents if one.group in held],
        )


def main() -> None:
    """Train and score by folds, and print the table."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    parser.add_argument("measures", type=Path)
    parser.add_argument("--pages", type=int, default=12, help="pages of a document, at most")
    parser.add_argument("--every", type=int, default=1, help="take every Nth document only")
    parser.add_argument("--folds", type=int, default=5)
    options = parser.parse_args()
    sys.path.insert(0, str(options.measures))
    measures, others = importlib.import_module("paragraphs"), importlib.import_module("others")
    truths = [*options.corpus.rglob("truth.xml"), *options.corpus.rglob("truth.json")]
    documents = [read(path, measures, options.pages) for path in sorted(truths)[:: options.every]]
    rules = _rules()
    result: dict[str, dict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    for train, held in folds(documents, options.folds):
        pages = [page for one in train for page in zip(one.tables, one.labels, strict=True)]
        known = [(labels >= 0) & table.inner for (table, _), labels in pages]
        rows = [features(*page)[kept] for (page, _), kept in zip(pages, known, strict=True)]
        truth = np.concatenate([labels[kept] for (_, labels), kept in zip(pages, known, strict=True)])
        trees = Trees(np.concatenate(rows), truth)
        told = f"{len(train)} documents, {len(truth)} lines, table {trees.digest}"
        sys.stderr.write(f"{told}\n")
        ways = {"rules": rules, "table": by_table(trees, 0.0), "both": by_table(trees, _SURE)}
        for one in held:
            for name, of in ways.items():
                _set(paragraph_breaks, "_ParagraphBreaks", of)
                result[one.group.partition(":")[0]][name] += score(one, measures, others)
            _set(paragraph_breaks, "_ParagraphBreaks", rules)
    names = "set or class | paragraphs | rules | table | both | rows right: rules | table | both"
    sys.stdout.write(f"| {names} |\n| --- |{' --- |' * 7}\n")
    total: dict[str, Counter[str]] = defaultdict(Counter)
    for group, counts in sorted(result.items()):
        for name, found in counts.items():
            total[name] += found
        sys.stdout.write(_row(group, counts))
    sys.stdout.write(_row("all", total))


def _row(group: str, counts: dict[str, Counter[str]]) -> str:
    names = ("rules", "table", "both")
    whole = [f"{counts[name]['whole'] / max(1, counts[name]['of']):.3f}" for name in names]
    right = [f"{counts[name]['right'] / max(1, counts[name]['rows']):.3f}" for name in names]
    return "| " + " | ".join([group, str(counts["rules"]["of"]), *whole, *right]) + " |\n"


if __name__ == "__main__":
    main()

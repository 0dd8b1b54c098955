"""Which kinds do paragraphs get, beside those of the publishers? `python benchmarks/kinds.py CORPUS TRUTH`.

TRUTH has KEY/truth.xml (JATS) or CLASS/KEY/truth.json (blocks with "kind" and "text"), CORPUS was built from
the PDFs beside them. A row of the table is a kind of the truth, a column the kind of the row of the corpus
that holds most of such a block; "none" where no row holds half of it.
"""

import argparse
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from tables import markdown_table, measured_on

import lookup
from lookup.release.schema import KINDS
from lookup.text.folding import blind, fold
from pipeline.markup.reading import read_markup

_PIECE = 16
"""Letters of a piece of text by which a block is found."""

_NONE = "none"
_GAPS = re.compile("[\x01\x02\x03]+")
"""What stands in truth.json for formulas, citations and marks of notes."""


def of_truth(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the kind and the text of each block of a truth."""
    if path.suffix == ".json":
        for block in json.loads(path.read_text(encoding="utf-8")):
            yield block["kind"], block["text"]
        return
    for paragraph in read_markup(path.read_bytes(), "xml").paragraphs:
        yield paragraph.kind, paragraph.text


def confusion(rows: Sequence[tuple[str, str]], truth: Iterator[tuple[str, str]]) -> Counter[tuple[str, str]]:
    """Count the blocks of the truth by their kind and that of the row that holds most of each."""
    holders: dict[str, set[int]] = defaultdict(set)
    for place, (_, text) in enumerate(rows):
        letters = blind(fold(text))
        for at in range(max(1, len(letters) - _PIECE + 1)):
            holders[letters[at : at + _PIECE]].add(place)
    found: Counter[tuple[str, str]] = Counter()
    for kind, text in truth:
        parts = [blind(fold(part)) for part in _GAPS.split(text)]
        pieces = [part[at : at + _PIECE] for part in parts for at in range(0, len(part), _PIECE)]
        pieces = [piece for piece in pieces if len(piece) == _PIECE] or [part for part in parts if part]
        held = Counter(place for piece in pieces for place in holders.get(piece, ()))
        if pieces:
            place, most = max(held.items(), key=lambda one: one[1], default=(-1, 0))
            found[kind, rows[place][0] if 2 * most >= len(pieces) else _NONE] += 1
    return found


def table(found: Mapping[tuple[str, str], int]) -> str:
    """Return the matrix: kinds of the truth down, those of the corpus across, and the share that is right."""
    across = [kind for kind in (*KINDS, _NONE) if any(one == kind for _, one in found)]
    rows = []
    for kind in sorted({kind for kind, _ in found}):
        counts = [found.get((kind, one), 0) for one in across]
        right = found.get((kind, kind), 0) / sum(counts)
        rows.append([kind, *(str(count) if count else "" for count in counts), f"{right:.3f}"])
    return markdown_table(["truth", *across, "right"], rows)


def main() -> None:
    """Print the matrix of all documents that the corpus holds."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("truth", type=Path)
    options = parser.parse_args()
    corpus = lookup.open(options.corpus)
    found: Counter[tuple[str, str]] = Counter()
    documents = 0
    for path in sorted([*options.truth.rglob("truth.xml"), *options.truth.rglob("truth.json")]):
        rows = corpus.sql(
            "SELECT kind, text FROM paragraphs WHERE key = ? AND NOT hidden ORDER BY paragraph",
            [path.parent.name],
        ).fetchall()
        documents += bool(rows)
        if rows:
            found += confusion(rows, of_truth(path))
    print(f"{documents} documents; {measured_on()}\n\n{table(found)}")


if __name__ == "__main__":
    main()

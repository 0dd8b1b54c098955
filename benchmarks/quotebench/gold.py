"""Which share of the values that people extracted from a PDF stands on a page of it, with a box?

    python -m quotebench.gold CHECKOUT

CHECKOUT is a clone of ExtractBench (arXiv 2602.12247, github.com/ContextualAI/extract-bench), or a folder in
which NAME.gold.json, the values as JSON, stands beside NAME.pdf. A value is found where `ground` calls it
printed: an extraction may be right and stand on no page, such as a date written another way, or a sum.
"""

import argparse
import json
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from tables import markdown_table, measured_on

from lookup.errors import QueryError, SourceError
from lookup.results.difference import PRINTED
from pagequote.one_pdf import open_pdf

_ABSENT = "NOT_FOUND"
"""What the annotators wrote where the document has no such value."""

_ENDING = ".gold.json"
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_LONG = 12  # Words from which on a text is prose.
_KINDS = ("number", "date", "name", "prose")


def values_of(node: Any) -> Iterator[tuple[str, str]]:
    """Yield the kind and the words of each value in JSON, in its order; none for null, true and false."""
    if isinstance(node, dict):
        node = [*node.values()]
    if isinstance(node, list):
        for one in node:
            yield from values_of(one)
    elif isinstance(node, str) and node.strip() and node != _ABSENT:
        prose = len(node.split()) >= _LONG
        yield "date" if _DATE.fullmatch(node) else "prose" if prose else "name", node
    elif isinstance(node, (int, float)) and not isinstance(node, bool):
        yield "number", f"{node:.15g}"


def score(pdf: Path, gold: Any) -> Counter[tuple[str, str]]:
    """Return how many of the values of each kind there are ("asked"), are on a page, and have a box.

    Raise SourceError if the PDF cannot be read.
    """
    counted: Counter[tuple[str, str]] = Counter()
    with open_pdf(pdf) as corpus:
        for kind, words in dict.fromkeys(values_of(gold)):
            counted[kind, "asked"] += 1
            try:
                found = corpus.ground(corpus.key, {words: words}, limit=1)[words].matches
            except QueryError:
                continue  # too long, or without a letter or digit: it has no place
            printed = [one for one in found if one.verdict in PRINTED]
            counted[kind, "on a page"] += bool(printed)
            counted[kind, "with a box"] += bool(printed and printed[0].boxes)
    return counted


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkout", type=Path)
    options = parser.parse_args()
    total: Counter[tuple[str, str]] = Counter()
    read, missing = 0, []
    for gold in sorted(options.checkout.rglob(f"*{_ENDING}")):
        pdf = gold.with_name(gold.name.removesuffix(_ENDING) + ".pdf")
        try:
            total += score(pdf, json.loads(gold.read_text(encoding="utf-8")))
            read += 1
        except SourceError as error:
            missing.append(f"{pdf.name}: {error}")
    print(f"{read} documents, {len(missing)} without a PDF that can be read; {measured_on()}\n")
    columns = ("asked", "on a page", "with a box")
    for column in columns:
        total["all", column] = sum(total[kind, column] for kind in _KINDS)
    rows = []
    for kind in (*_KINDS, "all"):
        asked, on_page, boxed = (total[kind, column] for column in columns)
        rows.append([kind, str(asked), str(on_page), str(boxed), f"{boxed / max(1, asked):.3f}"])
    print(markdown_table(["values", *columns, "share"], rows))
    print("\n".join(["", *missing]))


if __name__ == "__main__":
    main()

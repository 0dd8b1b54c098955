"""Is what the page prints quoted, and nothing else? `python benchmarks/ink.py [--show] [--held]`.

On the PDFs of `tests/support/ink.py`. Counted by kind: forged quotes that are blessed (verbatim or abridged),
printed ones that are refused (all but verbatim).
"""

import argparse
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from tables import markdown_table, measured_on

import lookup
from pipeline.builds.stages import build
from pipeline.builds.survey import BuildSettings
from pipeline.engines.local import Local

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.support.ink import HELD_BACK, Case, cases, cases_of, here


def judged(chosen: Sequence[Case], folder: Path) -> Iterator[tuple[Case, list[str], list[str]]]:
    """Yield each case with its forged quotes that are blessed, and its printed ones that are refused."""
    sources = folder / "pdfs"
    sources.mkdir(exist_ok=True)
    for number, case in enumerate(chosen):
        (sources / f"p{number:03}.pdf").write_bytes(case.pdf)
    build(BuildSettings([sources], (), folder / "work", keys="file"), folder / "corpus", Local(workers=2))
    with lookup.open(folder / "corpus") as corpus:
        for number, case in enumerate(chosen):
            key = f"p{number:03}"
            known = corpus.sql("SELECT 1 FROM papers WHERE key = ?", [key]).fetchall()
            asked = (*case.printed, *case.forged)
            given = {words: corpus.verify(words, key).verdict if known else "not read" for words in asked}
            blessed = [words for words in case.forged if given[words] in {"verbatim", "abridged"}]
            refused = [f"{given[words]}: {words}" for words in case.printed if given[words] != "verbatim"]
            yield case, blessed, refused


def main() -> None:
    """Print what was blessed and refused, by kind."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--show", action="store_true", help="say what is wrong in each PDF")
    parser.add_argument(
        "--held", action="store_true", help="by LibreOffice, groff and Ghostscript, and others"
    )
    parser.add_argument("--only", default="", help="the kinds with these words in their names")
    parser.add_argument("--keep", type=Path, help="keep the PDFs and their corpus there")
    options = parser.parse_args()
    made = cases_of(HELD_BACK) if options.held else cases(here())
    chosen = [case for case in made if options.only in case.kind]
    counts: dict[str, list[int]] = {}
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or Path(temporary)
        folder.mkdir(exist_ok=True)
        for case, blessed, refused in judged(chosen, folder):
            row = counts.setdefault(case.kind, [0] * 5)
            for at, more in enumerate((1, len(blessed), len(case.forged), len(refused), len(case.printed))):
                row[at] += more
            if options.show and (blessed or refused):
                print(
                    f"{case.kind}: {case.name}",
                    *(f"  BLESSED {one}" for one in blessed),
                    *(f"  refused {one}" for one in refused),
                    sep="\n",
                )
    rows = [[kind, str(n), f"{a} of {b}", f"{c} of {d}"] for kind, (n, a, b, c, d) in counts.items()]
    totals = [sum(row[at] for row in counts.values()) for at in range(5)]
    rows.append(["all", str(totals[0]), f"{totals[1]} of {totals[2]}", f"{totals[3]} of {totals[4]}"])
    print(f"{measured_on()}\n")
    print(markdown_table(["kind", "PDFs", "forged and blessed", "printed and refused"], rows))


if __name__ == "__main__":
    main()

"""Who finds a quote, on its page, in its place, and who blesses what is not printed?

    python -m quotebench PAPERS CORPUS [--each N] [--seed N] [--only SYSTEM] [--kinds KIND ...] [--show KIND]

PAPERS has a folder KEY with paper.pdf and truth.xml (JATS) for each paper; CORPUS was built from it.
README.md explains the columns.
"""

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from tables import markdown_table, measured_on

from quotebench.cases import KINDS, Case, by_kind, make_cases
from quotebench.papers import Paper, Rect, read_paper
from quotebench.systems import Answer, System, systems

_CASES_EACH = 3


def verdict_is_right(case: Case, answer: Answer) -> bool:
    """Return whether a verdict is the true one; printed words may be called abridged, where some are left
    out.
    """
    allowed = {"printed", "abridged"} if case.expected == "abridged" else {case.expected}
    return answer.verdict in allowed


def box_is_right(case: Case, answer: Answer) -> bool:
    """Return whether the boxes hold the middle of each word, half of its height, that was asked for, and
    little else.
    """
    if case.place is None or not answer.boxes:
        return False
    held = [word for word in case.place.words if any(_inside(word, box) for box in answer.boxes)]
    return len(held) == len(case.place.words) and _area(answer.boxes) <= _LOOSE * _area(
        _lines(case.place.words)
    )


_LOOSE = 1.5
"""Area of a system's boxes over that of the words' own lines."""


def _inside(word: Rect, box: Rect) -> bool:
    shared = min(word[3], box[3]) - max(word[1], box[1])  # heights of words differ, as fonts claim them
    high = shared >= min(word[3] - word[1], box[3] - box[1]) / 2
    return high and box[0] - 1 <= (word[0] + word[2]) / 2 <= box[2] + 1


def _area(boxes: Sequence[Rect]) -> float:
    return sum((x1 - x0) * (y1 - y0) for x0, y0, x1, y1 in boxes)


def _lines(words: Sequence[Rect]) -> list[Rect]:
    lines: list[Rect] = []
    for word in words:
        last = lines[-1] if lines else None
        if last and abs(last[1] - word[1]) < (last[3] - last[1]) / 2 and word[0] >= last[0]:
            lines[-1] = (last[0], min(last[1], word[1]), max(last[2], word[2]), max(last[3], word[3]))
        else:
            lines.append(word)
    return lines


_BOX = 2
"""The column from which on a system has to tell places."""


def score(case: Case, answer: Answer) -> tuple[bool | None, ...]:
    """Return whether page, verdict, boxes and all of them are right; None where there is nothing to be
    right.
    """
    right = verdict_is_right(case, answer)
    if case.place is None or case.expected == "not printed":
        return None, right, None, None
    page = answer.page == case.place.page
    box = box_is_right(case, answer)
    return page, right, box, right and page and box


def measure(
    system: System, papers: dict[str, Paper], cases: Sequence[Case], show: str
) -> tuple[list[list[str]], float]:
    """Return a row for each kind of case, and the median time of a call in milliseconds."""
    times, answers = [], {}
    for case in cases:  # paper by paper
        began = time.perf_counter()
        answers[case] = system.ask(papers[case.key], case)
        times.append(1000 * (time.perf_counter() - began))
    tells = any(answer.boxes for answer in answers.values())
    rows = []
    for kind, some in by_kind(cases):
        if not some:
            continue
        scores = [score(case, answers[case]) for case in some]
        for case, one in zip(some, scores, strict=True):
            if kind == show and False in one:
                answer = answers[case]
                print(
                    f"{case.key}: {answer.verdict}, page {answer.page}, expected {case.expected}: "
                    f"{case.words}"
                )
        rows.append(
            [
                kind,
                str(len(some)),
                *(_share([one[i] for one in scores]) if tells or i < _BOX else "-" for i in range(4)),
            ]
        )
    return rows, median(times)


def _share(values: Sequence[bool | None]) -> str:
    known = [value for value in values if value is not None]
    return f"{sum(known) / len(known):.3f}" if known else "-"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("papers", type=Path)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--each", type=int, default=_CASES_EACH, help="cases of each kind for each paper")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", default="", help="ask this system alone: PageCite")
    parser.add_argument(
        "--kinds", nargs="+", choices=KINDS, default=[*KINDS], help="make cases of these alone"
    )
    parser.add_argument("--show", default="", help="print the cases of this kind that PageQuote gets wrong")
    options = parser.parse_args()
    folders = sorted(one.parent for one in options.papers.glob("*/truth.xml"))
    papers = [read_paper(one.name, one / "paper.pdf", one / "truth.xml") for one in folders]
    cases = make_cases(papers, options.each, options.seed, options.kinds)
    by_key = {paper.key: paper for paper in papers}
    head = ["system", "kind", "cases", "page", "verdict", "box", "all right"]
    print(f"{len(papers)} papers, {len(cases)} cases, seed {options.seed}; {measured_on()}\n")
    rows: list[list[str]] = []
    speeds: list[str] = []
    for system in systems(options.corpus, options.only):
        found, speed = measure(system, by_key, cases, options.show if not rows else "")
        rows += [[system.name, *row] for row in found]
        speeds.append(f"{system.name}: {speed:.1f} ms")
    print(markdown_table(head, rows))
    print(f"\nMedian of a call: {'; '.join(speeds)}")


if __name__ == "__main__":
    main()

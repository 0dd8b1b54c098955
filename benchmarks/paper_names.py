"""Whether papers are found by the names that people and models give them, over a corpus of your own.

    python benchmarks/paper_names.py CORPUS [PAPERS]

Makes up to 15 names of each of the first PAPERS papers (default: all) from its authors, year, title and DOI,
and counts the names that mean that paper, those that mean several with it among them, none, and another one:
the last must be 0. A name without a title or DOI may truly mean several.
"""

import sys
import time
from collections import Counter
from collections.abc import Iterator

import lookup
from lookup.results.papers import PaperSummary


def names(paper: PaperSummary) -> Iterator[tuple[str, str]]:
    """Yield ways to name a paper, each with what it is made of."""
    if paper.title and len(paper.title.split()) > 3:
        yield "title", paper.title
        yield "title", paper.title.casefold()
        yield "part of the title", " ".join(paper.title.split()[:-1])
    if paper.doi:
        yield "DOI", paper.doi
        yield "DOI", f"https://doi.org/{paper.doi.upper()}"
    yield "key", paper.key.upper()
    yield "key", f"@{paper.key}"
    families = [author.partition(",")[0] for author in paper.authors]
    if not families:
        return
    yield "author", f"{families[0]} et al."
    if paper.year:
        for name in ("{} {}", "{} ({})", "{} et al., {}", "({} et al. {})"):
            yield "author and year", name.format(families[0], paper.year)
        if len(families) > 1:
            yield "authors and year", f"{families[0]} & {families[1]} ({paper.year})"
        if paper.title:
            yield "reference", f"{paper.authors[0]} et al. ({paper.year}). {paper.title}. A Journal 12, 3."


def main() -> None:
    """Print a row for each way of naming."""
    corpus = lookup.open(sys.argv[1])
    papers = corpus.papers(limit=int(sys.argv[2]) if len(sys.argv) > 2 else None)
    counts: dict[str, Counter[str]] = {}
    began = time.perf_counter()
    for paper in papers:
        for way, name in names(paper):
            found = [one.key for one in corpus.resolve(name)]
            meant = "none" if not found else "several" if len(found) > 1 else "wrong"
            meant = "right" if found == [paper.key] else meant
            counts.setdefault(way, Counter())[meant] += 1
            if meant == "wrong" or (meant == "none" and "-v" in sys.argv):
                print(f"{meant}: {name!r} -> {found}, not {paper.key}")
    took = time.perf_counter() - began
    total = sum(counts.values(), Counter())
    print("| named by | names | right | several | none | wrong |\n| --- | --- | --- | --- | --- | --- |")
    for way, one in {**counts, "all": total}.items():
        print(
            f"| {way} | {one.total()} | "
            f"{' | '.join(str(one[m]) for m in ('right', 'several', 'none', 'wrong'))} |"
        )
    print(f"\n{1000 * took / max(1, total.total()):.1f} ms a name")


if __name__ == "__main__":
    main()

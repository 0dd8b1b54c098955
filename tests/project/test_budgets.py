"""Budgets that no clock decides: what a quote loads and does, what reading a page calls, how large it all is.

They hold what was won. Counts stand in `benchmarks/floors.toml`, with how much more each may be (some 2 %);
lines of packages stand here, with the same slack: they are looked at once, at the end of a round of work.
"""

import sys

import pytest

from tests.support.project import ROOT

sys.path.append(str(ROOT / "benchmarks"))

from footprint import calls_per_page, installed_bytes, quote_footprint
from gate_floors import compared, read_floors

SLACK = 1.02
"""What a package may have, to its number of lines here: 2 % more."""

PIPELINE_LINES = 27_000
"""Lines of `pipeline`; 24,718 before small modules went into their users, 24,400 before what several glyphs
print together was read once in all scripts, which MuPDF gives twice; 24,480 before options in the margin of
manuals, terms explained in a few words, and lines of text around fractions, sums and roots were told; 25,000
before side headings, notes with arrows back, clauses, dense scripts and spaces of narrow gaps were read;
25,450 before lines that are drawn in parts were read by place; 25,650 before lines and
paragraphs had labels; 26,430 before each pattern of the layout was a feature under a name; 26,750
before notes in margins, parts, long running heads and text below small print were told apart."""

PAGEQUOTE_LINES = 18_300
LOOKUP_LINES = 18_970
CORE_LINES = 12_530
"""Lines of `pagequote`; of `lookup`; and without search, embedding, snippets and object storage: the core of
quotes.

12,430 before supplements were cited by their part.

Of `pagequote` 18,000 before documents were shown and mended on the draft page, 16,700
before manuscripts in PDF were read, a check had a report to send and tracked changes,
and lock files held what is not judged.

16,000 and 10,500 before the kernel compared ends of sentences, numbers, compounds and
denials; 16,450 and 10,750 before it held said superscripts and ß to the print, and long questions were
answered; 16,550 and 10,850 before it held points and digits of other scripts to the print, and
compared straight primes and clauses; 16,660 and 10,970 before lookups could open no other file, and
the words of a lock file were judged alone; 16,730 and 11,040 before words were
weighed by a sparse model, a paper compared with the others, headings had fields of their own, and
values were grounded; 17,160 and 11,200 before small modules went into their users; 11,120 before the
index of stems was part of the core: by it a paper is compared with the others; 11,300 before nothing
was said against a page that cannot be read; 16,900 and 11,300 before the contract's columns were tables of
text, and small modules and wrappers with one caller went into their users; 16,670 and 11,160 before marks
beside values, isotopes, charges and powers were held to the print by checks over letters; 17,310 and 11,570
before characters that are alike were one, and differences showed the print and said what kind they are;
17,640 and 11,870 before comparisons, shares, ranges and who did it were held to the print in 40 languages.
"""

BESIDE_THE_CORE = {"embedding", "keywords", "search", "snippet", "storage"}


def _over(figures):
    """The counts that are higher than the floors of the gate allow."""
    floors = read_floors(ROOT / "benchmarks" / "floors.toml")["whole"]["footprint"]
    return [row for row in compared(floors, figures, may_lack_classes=True) if row.undercut]


def _lines(paths):
    return sum(path.read_text(encoding="utf-8").count("\n") for path in paths)


@pytest.mark.system
def test_a_verbatim_quote_loads_and_does_little(corpus_path):
    counts, modules = quote_footprint(corpus_path)
    unasked = ("lookup.embedding", "lookup.search", "lookup.results.annotation")
    assert not [name for name in modules if name.startswith(unasked)]
    assert not _over({"a quote": counts})


def test_packages_can_be_read():
    every = list((ROOT / "lookup").rglob("*.py"))
    core = [path for path in every if not BESIDE_THE_CORE & set(path.relative_to(ROOT / "lookup").parts)]
    assert _lines((ROOT / "pipeline").rglob("*.py")) <= PIPELINE_LINES * SLACK
    assert _lines((ROOT / "pagequote").rglob("*.py")) <= PAGEQUOTE_LINES * SLACK
    assert _lines(every) <= LOOKUP_LINES * SLACK
    assert _lines(core) <= CORE_LINES * SLACK


def test_reading_a_page_calls_few_functions(samples):
    assert not _over({"a page": {"calls": calls_per_page(sorted(samples.glob("*.pdf")))}})


@pytest.mark.system
def test_the_base_install_is_small():
    assert not _over({"all": {"bytes": installed_bytes()}})

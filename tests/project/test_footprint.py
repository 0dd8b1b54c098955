"""What a quote loads and does, what reading a page calls, how large an installation is: counts, no clock.

They stand in `benchmarks/floors.toml`, each with how much more it may be.
"""

import sys

import pytest

from tests.support.project import ROOT

sys.path.append(str(ROOT / "benchmarks"))

from footprint import calls_per_page, installed_bytes, quote_footprint
from gate_floors import compared, read_floors


def _over(figures):
    """The counts that are higher than the floors of the gate allow."""
    floors = read_floors(ROOT / "benchmarks" / "floors.toml")["whole"]["footprint"]
    return [row for row in compared(floors, figures, may_lack_classes=True) if row.undercut]


@pytest.mark.system
def test_a_verbatim_quote_loads_and_does_little(corpus_path):
    counts, modules = quote_footprint(corpus_path)
    unasked = ("retrieval", "lookup.results.quoted_form")
    assert not [name for name in modules if name.startswith(unasked)]
    assert not _over({"a quote": counts})


@pytest.mark.long
def test_reading_a_page_calls_few_functions(samples):
    assert not _over({"a page": {"calls": calls_per_page(sorted(samples.glob("*.pdf")))}})


@pytest.mark.system
def test_the_base_install_is_small():
    assert not _over({"all": {"bytes": installed_bytes()}})

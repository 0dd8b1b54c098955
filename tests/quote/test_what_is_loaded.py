"""What an answer and a build load and do, and how large an installation is: counts, no clock.

The counts stand in `benchmarks/floors.toml`, each with how much more it may be.
"""

import subprocess
import sys
import textwrap

import pytest

from tests.support.project import ROOT

sys.path.append(str(ROOT / "benchmarks"))

from footprint import calls_per_page, installed_bytes, quote_footprint
from gate_floors import compared, read_floors

PIPELINE = {
    "pymupdf",
    "fitz",
    "polars",
    "pyarrow",
    "onnxruntime",
    "tokenizers",
    "numpy",
    "pandas",
    "pipeline",
}
OTHERS = {"tantivy", "obstore", "fsspec"}
ASKED = """
import lookup
found = lookup.open(sys.argv[1]).quote("lindqvist2019", {words!r})
assert [one.verdict for one in found.matches[:1]] == {verdicts!r}
found.to_json()
"""
COMMAND = """
from pagequote.cli import main
sys.argv[1:] = [{name!r}, *sys.argv[1:]]
main()
"""
ANSWERS = {
    "a quote as printed": (ASKED.format(words="people prefer to work by day", verdicts=["verbatim"]), set()),
    "a misread one": (ASKED.format(words="people prefxer to work by day", verdicts=["near"]), set()),
    # Which other papers print it, the index says.
    "one that nobody prints": (ASKED.format(words="turnips at noon", verdicts=[]), {"tantivy"}),
}
BUILDS = {
    "a build": COMMAND.format(name="build"),
    "what reads PDFs": """
import os
from pathlib import Path
from pipeline.engines.workers import _prepare
from pipeline.work.outcomes import Limits
_prepare(os.getppid(), Limits())
from pipeline.extract import extract
extract(Path(sys.argv[1]).read_bytes())
""",
    "what writes shards": """
import os
from pipeline.engines.workers import _prepare_task
_prepare_task(os.getppid())
import pyarrow
pyarrow.array([1])
""",
}


def loaded(program, *arguments, cwd=ROOT):
    """The modules that a program has loaded when it ends, and what it said."""
    told = "print(*(name for name, module in sys.modules.items() if module))"
    program = f"import sys\ntry:\n{textwrap.indent(program, ' ')}\nfinally:\n {told}"
    call = [sys.executable, "-c", program, *arguments]
    ran = subprocess.run(call, cwd=cwd, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return set(ran.stdout.splitlines()[-1].split()), ran.stderr


def _over(figures):
    """The counts that are higher than the floors of the gate allow."""
    floors = read_floors(ROOT / "benchmarks" / "floors.toml")["whole"]["footprint"]
    return [row for row in compared(floors, figures, may_lack_classes=True) if row.undercut]


@pytest.mark.system
@pytest.mark.parametrize(("program", "also"), ANSWERS.values(), ids=ANSWERS)
def test_an_answer_of_tiers_1_and_2_loads_no_pipeline_and_no_model(corpus_path, program, also):
    modules, _ = loaded(program, corpus_path)
    assert modules & (PIPELINE | OTHERS) == also


@pytest.mark.system
def test_the_command_line_loads_no_pipeline_to_find_a_quote(corpus_path):
    modules, _ = loaded(COMMAND.format(name="quote"), "okafor2021", "ice", "--corpus", corpus_path)
    assert not modules & ((PIPELINE | OTHERS) - {"pipeline"})
    assert all(name.startswith("pipeline.processes") for name in modules if name.startswith("pipeline."))


@pytest.mark.system
def test_a_verbatim_quote_loads_and_does_little(corpus_path):
    counts, modules = quote_footprint(corpus_path)
    unasked = ("retrieval", "pagequote.quoted_form")
    assert not [name for name in modules if name.startswith(unasked)]
    assert not _over({"a quote": counts})


@pytest.mark.system
@pytest.mark.long
@pytest.mark.parametrize("program", BUILDS.values(), ids=BUILDS)
def test_processes_of_a_build_load_nothing_that_they_do_not_use(samples, tmp_path, program):
    modules, _ = loaded(program, samples / "okafor2021.pdf", cwd=tmp_path)
    assert "pyarrow" in modules
    assert modules.isdisjoint({"pandas", "polars", "pymupdf.layout", "pymupdf4llm"})


@pytest.mark.system
@pytest.mark.long
def test_a_night_with_nothing_new_loads_neither_readers_nor_templates(samples, tmp_path):
    for _ in range(2):
        modules, said = loaded(BUILDS["a build"], samples / "okafor2021.pdf", cwd=tmp_path)
    assert "unchanged" in said
    assert modules.isdisjoint({"pymupdf", "tqdm", "bibtexparser", "jinja2"})


@pytest.mark.long
def test_reading_a_page_calls_few_functions(samples):
    assert not _over({"a page": {"calls": calls_per_page(sorted(samples.glob("*.pdf")))}})


@pytest.mark.system
def test_the_base_install_is_small():
    assert not _over({"all": {"bytes": installed_bytes()}})

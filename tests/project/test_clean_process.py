"""What an answer loads, and what it must not."""

import subprocess
import sys
import textwrap

import pytest

pytestmark = pytest.mark.system

FORBIDDEN = (
    "pymupdf",
    "fitz",
    "polars",
    "pyarrow",
    "onnxruntime",
    "tokenizers",
    "numpy",
    "pandas",
    "tantivy",
    "pipeline",
    "obstore",
    "fsspec",
)

ASK = """
import sys
import lookup
corpus = lookup.open(sys.argv[1])
key, words = corpus.sql(
    "SELECT key, regexp_extract(text, '^(\\\\S+ ){8}') FROM paragraphs "
    "WHERE kind = 'body' AND length(text) > 200 ORDER BY key, paragraph LIMIT 1"
).fetchone()
answer = corpus.quote(key, words)
assert answer.matches[0].verdict == "verbatim"
misread = corpus.quote(key, words[:20] + "x" + words[20:]).matches[0]
assert (misread.verdict, misread.tier) == ("near", 2)
answer.to_json()
print(" ".join(sorted({name.split(".")[0] for name in sys.modules})))
answer = corpus.quote(*corpus.sql(
    "SELECT key, text[1:60] FROM paragraphs "
    "WHERE kind = 'body' AND length(text) > 100 ORDER BY key, paragraph LIMIT 1"
).fetchone()[:1], "words that nobody prints in a paper")
assert answer.hint and not [match for match in answer.matches if match.tier < 3]
print(" ".join(sorted({name.split(".")[0] for name in sys.modules})))
"""


def test_an_answer_of_tiers_1_and_2_loads_no_pipeline_and_no_model(corpus_path):
    ran = subprocess.run(
        [sys.executable, "-c", ASK, str(corpus_path)], capture_output=True, text=True, check=False
    )
    assert ran.returncode == 0, ran.stderr
    loaded, after_a_miss = (set(line.split()) for line in ran.stdout.splitlines())
    assert {"lookup", "duckdb"} <= loaded
    assert not loaded & set(FORBIDDEN)
    assert after_a_miss & set(FORBIDDEN) == {"tantivy"}  # which other papers print it, the index says


_BUILDS = {
    "a build": """
from pagequote.cli import main
sys.argv[1:] = ["build", *sys.argv[1:]]
main()
""",
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


@pytest.mark.long
@pytest.mark.parametrize("program", _BUILDS.values(), ids=_BUILDS)
def test_processes_of_a_build_load_nothing_that_they_do_not_use(samples, tmp_path, program):
    told = "print(*(name for name, module in sys.modules.items() if module))"
    program = f"import sys\ntry:\n{textwrap.indent(program, ' ')}\nfinally:\n {told}"
    ran = subprocess.run(
        [sys.executable, "-c", program, samples / "okafor2021.pdf"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    loaded = set(ran.stdout.split())
    assert "pyarrow" in loaded
    assert loaded.isdisjoint({"pandas", "polars", "pymupdf.layout", "pymupdf4llm"})


@pytest.mark.long
def test_a_night_with_nothing_new_loads_neither_readers_nor_templates(samples, tmp_path):
    build = [sys.executable, "-c", f"import sys\n{_BUILDS['a build']}", samples / "okafor2021.pdf"]
    subprocess.run(build, cwd=tmp_path, capture_output=True, check=True)
    build[2] = f"import sys\ntry:\n{textwrap.indent(_BUILDS['a build'], ' ')}\nfinally:\n print(*sys.modules)"
    night = subprocess.run(build, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "unchanged" in night.stderr
    assert set(night.stdout.split()).isdisjoint({"pymupdf", "tqdm", "bibtexparser", "jinja2"})


def test_the_command_line_loads_no_pipeline_to_find_a_quote(corpus_path):
    ask = (
        "import sys\nfrom pagequote.cli import main\ntry:\n    main()\nfinally:\n    print(*{n.split('.')[0] "
        "for n in sys.modules if not n.startswith('pipeline.processes') and n != 'pipeline'})"
    )
    ran = subprocess.run(
        [sys.executable, "-c", ask, "quote", "okafor2021", "ice", "--corpus", str(corpus_path)],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ran.returncode == 0, ran.stderr
    assert not set(ran.stdout.splitlines()[-1].split()) & set(FORBIDDEN)

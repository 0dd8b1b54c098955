"""What a quote loads and does, what reading a page calls, and how large an installation is: counts that no
clock decides. `tests/quote/test_what_is_loaded.py` and the gate hold them to the floors of `floors.toml`.
"""

import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from importlib.metadata import distribution, requires
from pathlib import Path
from types import FrameType

from pipeline.extract import extract

ROOT = Path(__file__).resolve().parent.parent

_QUOTE = """
import json, sys
import lookup
from lookup.release.database import Database
corpus = lookup.open(sys.argv[1])
lines, statements = set(), 0

def trace(frame, event, arg):
    if not frame.f_code.co_filename.startswith(sys.argv[2]):
        return None
    if event == "line":
        lines.add((frame.f_code.co_filename, frame.f_lineno))
    return trace

def profile(frame, event, arg):
    global statements
    statements += event == "call" and frame.f_code is Database._fetched.__code__  # it executes one

sys.settrace(trace)
sys.setprofile(profile)
answer = corpus.quote("lindqvist2019", "people prefer to work by day")
sys.settrace(None)
sys.setprofile(None)
assert answer.matches[0].verdict == "verbatim"
packages = ("lookup", "objectstore", "retrieval")
ours = {name: module for name, module in sys.modules.items() if name.startswith(packages)}
files = {name: module.__file__ for name, module in ours.items()}
print(json.dumps([files, len(lines), statements]))
"""


def quote_footprint(corpus: Path) -> tuple[dict[str, float], list[str]]:
    """Of the first, verbatim quote of a paper of the samples, in a process of its own.

    Returns how many `modules` of `lookup` it loads, with how many `lines`; how many different lines are
    `executed`; the `statements` that DuckDB gets; and the modules' names.
    """
    call = [sys.executable, "-c", _QUOTE, str(corpus), str(ROOT / "lookup")]
    printed = subprocess.run(call, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    files, executed, statements = json.loads(printed)
    lines = sum(Path(file).read_text(encoding="utf-8").count("\n") for file in files.values())
    counts = {"modules": len(files), "lines": lines, "executed": executed, "statements": statements}
    return counts, list(files)


def calls_per_page(pdfs: Sequence[Path]) -> float:
    """Calls of functions of `pipeline` and `lookup` for each page of the PDFs while it is read.

    Lambdas and comprehensions are left out: Python versions count them differently.
    """
    calls = pages = 0
    ours = (str(ROOT / "lookup"), str(ROOT / "pipeline"))

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal calls
        code = frame.f_code
        calls += event == "call" and code.co_filename.startswith(ours) and not code.co_name.startswith("<")

    for pdf in pdfs:
        data = pdf.read_bytes()
        extract(data)  # what is read once for all papers, such as lists of words
        sys.setprofile(count)
        try:
            pages += len(extract(data)["pages"][0])
        finally:
            sys.setprofile(None)
    return calls / pages


def installed_bytes() -> int:
    """What `pip install pagequote` brings besides the package itself, without extras."""
    needed = [re.split("[<>=]", line)[0] for line in requires("pagequote") or () if "extra ==" not in line]
    paths = [Path(str(file.locate())) for name in needed for file in distribution(name).files or ()]
    return sum(path.stat().st_size for path in paths if path.suffix != ".pyc" and path.exists())


def _figures(folder: Path) -> dict[str, dict[str, float]]:
    """All counts, of the sample papers, which are typeset and built in the folder."""
    here = (sys.executable, str(ROOT / "data/samples/typeset.py"), "--out", str(folder / "pdfs"))
    subprocess.run(here, check=True, capture_output=True)
    where = ("--corpus", str(folder / "corpus"), "--model", "none", "--quiet")
    build = (sys.executable, "-m", "pagequote", "build", str(folder / "pdfs"), *where)
    subprocess.run(build, check=True, capture_output=True)
    counts, _ = quote_footprint(folder / "corpus")
    calls = calls_per_page(sorted((folder / "pdfs").glob("*.pdf")))
    return {"a quote": counts, "a page": {"calls": round(calls)}, "all": {"bytes": installed_bytes()}}


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as temporary:
        print(json.dumps(_figures(Path(temporary))))

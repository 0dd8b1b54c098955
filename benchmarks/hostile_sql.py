"""What do hostile statements reach through `pagequote sql --safe`?

    python benchmarks/hostile_sql.py CORPUS

The command is asked each statement of tests/releases/test_safe_sql.py that must be refused, of a copy of the
corpus: was a file written, changed or read, how long did it take, how much memory had a process of it?
"""

import argparse
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tables import markdown_table, measured_on  # noqa: E402

from tests.releases.test_safe_sql import GREEDY, OTHER_WAYS, READING, SLOW, TELLING, WRITING  # noqa: E402

SECRET = "swordfish"


def _files(folder: Path) -> dict[str, str]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def _ask(query: str, corpus: Path) -> tuple[int, str, float, int]:
    """Return exit status, what was said, seconds, and the largest memory of a process in KiB."""
    began = time.monotonic()
    command = [sys.executable, "-m", "pagequote", "sql", "--safe", "--corpus", str(corpus), "--", query]
    with tempfile.TemporaryFile() as said:
        child = subprocess.Popen(command, cwd=ROOT, stdout=said, stderr=said)
        _, status, used = os.wait4(child.pid, 0)  # the sum of it and of the processes that it waited for
        child.returncode = os.waitstatus_to_exitcode(status)
        said.seek(0)
        text = said.read().decode("utf-8", "replace")
    return child.returncode, text, time.monotonic() - began, used.ru_maxrss


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    given = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        corpus, secret = Path(folder, "corpus"), Path(folder, "secret.csv")
        shutil.copytree(given.corpus, corpus, symlinks=True)
        secret.write_text(f"a,b\n1,{SECRET}\n", encoding="utf-8")
        database = (corpus / "current").resolve() / "corpus.duckdb"
        targets = (secret, secret.with_name("new.csv"), database, Path(f"{database}.wal"))
        groups = {
            "writing": [query.format(target=target) for query in WRITING for target in targets],
            "reading files": [query.format(file=secret, folder=folder) for query in READING],
            "other statements": OTHER_WAYS,
            "telling of the machine": TELLING,
            "greedy for memory": GREEDY,
            "greedy for time": SLOW,
        }
        for name, queries in groups.items():
            before = _files(Path(folder))
            answers = [_ask(query, corpus) for query in queries]
            answered = sum(status == 0 for status, *_ in answers)
            told = sum(SECRET in text or folder in text for _, text, *_ in answers)
            seconds = max(one[2] for one in answers)
            memory = max(one[3] for one in answers) / 1024
            changed = len(set(_files(Path(folder)).items()) ^ set(before.items()))
            counts = (len(queries), answered, changed, told)
            rows.append([name, *map(str, counts), f"{seconds:.1f}", f"{memory:.0f}"])
    head = (
        "statements",
        "asked",
        "answered",
        "files changed",
        "read or told",
        "longest, s",
        "most memory, MiB",
    )
    print(markdown_table(head, rows))
    print(f"\n{measured_on()}")


if __name__ == "__main__":
    main()

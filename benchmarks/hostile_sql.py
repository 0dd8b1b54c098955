"""What do hostile statements reach through `pagequote sql --safe`, by the function that it calls?

    python benchmarks/hostile_sql.py CORPUS

Each statement of tests/releases/test_safe_sql.py that must be refused is asked of a copy of the corpus: was a
file written, changed or read, how long did it take, how much memory had the largest process?
"""

import argparse
import hashlib
import resource
import shutil
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tables import markdown_table, measured_on  # noqa: E402

import lookup  # noqa: E402
from pagequote.stranger_sql import safe_sql  # noqa: E402
from tests.releases.test_safe_sql import GREEDY, OTHER_WAYS, READING, SLOW, TELLING, WRITING  # noqa: E402

SECRET = "swordfish"


def _files(folder: Path) -> dict[str, str]:
    files = [path for path in folder.rglob("*") if path.is_file()]
    return {str(path): hashlib.sha256(path.read_bytes()).hexdigest() for path in files}


def _ask(query: str, corpus: lookup.Corpus) -> tuple[bool, str, float]:
    """Return whether it was answered, what was said, and seconds."""
    began = time.monotonic()
    try:
        answered, said = True, str(safe_sql(corpus, query).rows)
    except lookup.QueryError as error:
        answered, said = False, str(error)
    return answered, said, time.monotonic() - began


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    given = parser.parse_args()
    rows, faults = [], 0
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
        opened = lookup.open(corpus)
        for name, queries in groups.items():
            before = _files(Path(folder))
            answers = [_ask(query, opened) for query in queries]
            answered = sum(one[0] for one in answers)
            told = sum(SECRET in text or str(database.parent) in text for _, text, _ in answers)
            seconds = max(one[2] for one in answers)
            memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024  # of all so far
            changed = len(set(_files(Path(folder)).items()) ^ set(before.items()))
            counts = (len(queries), answered, changed, told)
            rows.append([name, *map(str, counts), f"{seconds:.1f}", f"{memory:.0f}"])
            faults += answered + changed + told
            print(*rows[-1], sep="; ", file=sys.stderr, flush=True)
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
    sys.exit(bool(faults))


if __name__ == "__main__":
    main()

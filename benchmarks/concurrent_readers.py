"""Do readers see anything but whole releases while releases are published?
`python benchmarks/concurrent_readers.py [--publishes 40] [--shards 1]`.

100 readers, threads of several processes, half of them opening the corpus anew for each look, half following
it with `refresh`. Each release states in several places which one it is (tests/support/readers.py).
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tables import markdown_table, measured_on

from pipeline.builds.stages import build
from pipeline.builds.survey import BuildSettings
from pipeline.engines.local import Local
from tests.support.pdfs import pdf
from tests.support.readers import PAPERS, STATES, sentence

_PROCESSES, _THREADS = 5, 20


def measure(root: Path, publishes: int, shards: int) -> list[list[str]]:
    """Publish so often under so many readers; a row of the table."""
    (root / "pdfs").mkdir()
    pdfs = [pdf("Front", "Matter", sentence(state)) for state in STATES]

    def publish(number: int) -> bool:
        for key in PAPERS:
            (root / "pdfs" / f"{key}.pdf").write_bytes(pdfs[number % len(pdfs)])
        settings = BuildSettings([root / "pdfs"], [], root / "work", shards=shards)
        return build(settings, root / "corpus", Local(1))[1].new

    for number in range(len(STATES)):  # so that what follows is read from the work folder
        publish(number)
    command = [
        sys.executable,
        "-m",
        "tests.support.readers",
        str(root / "corpus"),
        str(_THREADS),
        str(root / "stop"),
    ]
    readers = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(_PROCESSES)]
    for reader in readers:
        assert reader.stdout
        reader.stdout.readline()
    began = time.monotonic()
    published = sum(publish(number) for number in range(publishes))
    seconds = time.monotonic() - began
    time.sleep(1)
    (root / "stop").touch()
    said = [json.loads(reader.communicate(timeout=120)[0]) for reader in readers]
    wrong = [one for each in said for one in each["wrong"]]
    for one in wrong:
        print(one, file=sys.stderr)
    reads = sum(each["reads"] for each in said)
    seen = {release for each in said for release in each["releases"]}
    return [
        [
            str(_PROCESSES * _THREADS),
            str(shards),
            str(published),
            f"{seconds:.0f}",
            str(reads),
            str(len(seen)),
            str(len(wrong)),
        ]
    ]


def main() -> None:
    parser = argparse.ArgumentParser(description="Read a corpus while it is published.")
    parser.add_argument("--publishes", type=int, default=40)
    parser.add_argument("--shards", type=int, default=1, help="of the corpus; 1 is in one piece")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        rows = measure(Path(temporary), asked.publishes, asked.shards)
    print(
        markdown_table(
            [
                "readers",
                "shards",
                "releases published",
                "in seconds",
                "reads",
                "releases seen",
                "errors or mixed releases",
            ],
            rows,
        )
    )
    print(f"\n{measured_on()}")
    sys.exit(rows[0][-1] != "0")


if __name__ == "__main__":
    main()

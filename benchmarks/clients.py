"""Which programs open a release, and do they answer as the newest one does?

Each client is installed by pip or npm in a folder of its own and asked four things: to open the tables, to
count paragraphs, to find a sentence in its paper, and to name the three paragraphs nearest to one by vectors.

    python benchmarks/clients.py CORPUS --folder CLIENTS
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import duckdb
from tables import markdown_table, measured_on

PYTHON = ("1.2.0", "1.3.2", "1.4.5", "1.5.6", "2.0.1")
"""Releases of the Python package: the oldest that opens a release, and the newest of each line since."""
SHELL, NODE = "1.5.6", "1.5.6-r.1"

COUNT = "SELECT count(*) FROM paragraphs"
FIND = "SELECT key, page FROM find_quote('{key}', '{words}')"
NEAREST = """
SELECT other.key, other.paragraph FROM paragraph_vectors one, paragraph_vectors other
WHERE one.key = '{key}' AND one.paragraph = {paragraph} AND other.key <> one.key
ORDER BY array_cosine_similarity(one.vector, other.vector) DESC LIMIT 3
"""

BY_PYTHON = """
import duckdb, json, sys
with duckdb.connect(sys.argv[1] + "/corpus.duckdb", read_only=True) as connection:
    for query in sys.argv[2:]:
        print(json.dumps(connection.execute(query).fetchall()), flush=True)
"""
BY_NODE = """
const { DuckDBInstance } = require('@duckdb/node-api');
(async () => {
  const path = process.argv[2] + '/corpus.duckdb';
  const connection = await (await DuckDBInstance.create(path, { access_mode: 'READ_ONLY' })).connect();
  for (const query of process.argv.slice(3)) {
    const rows = (await connection.runAndReadAll(query)).getRows();
    console.log(JSON.stringify(rows, (_, value) => (typeof value === 'bigint' ? Number(value) : value)));
  }
})();
"""
PARQUET = """
import json, sys
import numpy as np
folder, key, words, paragraph = sys.argv[1:4] + [int(sys.argv[4])]
{read}
print(json.dumps([[len(keys)]]), flush=True)
held = [i for i, text in enumerate(texts) if keys[i] == key and words in text and not hidden[i]]
print(json.dumps([[keys[i], int(pages[i])] for i in held]), flush=True)
has = [i for i, value in enumerate(scales) if value is not None and value == value and not hidden[i]]
one = next(i for i in has if keys[i] == key and numbers[i] == paragraph)
matrix = np.stack([np.asarray(vectors[i], np.float32) * scales[i] for i in has])
cosines = matrix @ (np.asarray(vectors[one], np.float32) * scales[one]) / np.linalg.norm(matrix, axis=1)
order = [has[i] for i in np.argsort(-cosines, kind="stable")]
print(json.dumps([[keys[i], int(numbers[i])] for i in order if keys[i] != key][:3]))
"""
COLUMNS = (
    'columns = ["key", "page", "paragraph", "text_norm", "hidden", "embedding", "embedding_scale"]\n'
    "{frame}\n"
    "keys, pages, numbers, texts, hidden, vectors, scales = (list(frame[name]{values}) for name in columns)"
)
READERS = {
    "polars": (
        "import polars as pl\nframe = pl.read_parquet(f'{folder}/paragraphs/*.parquet', columns=columns)",
        "",
    ),
    "pandas": ("import pandas as pd\nframe = pd.read_parquet(f'{folder}/paragraphs', columns=columns)", ""),
    "pyarrow": (
        "import pyarrow.parquet as pq\nframe = pq.read_table(f'{folder}/paragraphs', columns=columns)",
        ".to_pylist()",
    ),
}
NEEDED = {"polars": ["polars", "numpy"], "pandas": ["pandas", "pyarrow"], "pyarrow": ["pyarrow", "numpy"]}


def _pip(folder: Path, *packages: str) -> Path:
    if not folder.is_dir():
        command = [
            sys.executable,
            "-m",
            "pip",
            "install",
            "--quiet",
            "--no-compile",
            "--only-binary",
            ":all:",
        ]
        subprocess.run([*command, "--target", folder, *packages], check=True)
    return folder


def _version(folder: Path, package: str) -> str:
    (found,) = folder.glob(f"{package}-*.dist-info")
    return found.name.removesuffix(".dist-info").split("-")[1]


def _python(folder: Path, program: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(folder)}
    command = [sys.executable, "-S", "-c", program, *arguments]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def _answers(done: "subprocess.CompletedProcess[str]") -> list[Any]:
    lines = done.stdout.splitlines()
    return [json.loads(line) for line in lines if line.startswith("[")]


def _answers_of_python(folder: Path, program: str, *arguments: str) -> list[Any]:
    return _answers(_python(folder, program, *arguments))


def _clients(
    folder: Path, release: str, queries: list[str], plain: list[str]
) -> dict[str, Callable[[], list[Any]]]:
    """Each client by name: a call that returns its answers to the three queries, as far as it has any."""
    clients: dict[str, Callable[[], list[Any]]] = {}
    for version in PYTHON:
        at = _pip(folder / f"py{version}", f"duckdb=={version}")
        name = f"`duckdb` {version} (Python)"
        clients[name] = partial(_answers_of_python, at, BY_PYTHON, release, *queries)
    shell = _pip(folder / "shell", f"duckdb-cli=={SHELL}")

    def by_shell() -> list[Any]:
        start = "import sys; from duckdb_cli.__main__ import main; sys.exit(main())"
        asked = ("-readonly", "-json", f"{release}/corpus.duckdb")
        said = [_python(shell, start, *asked, query).stdout for query in queries]
        return [[list(row.values()) for row in json.loads(text)] for text in said if text.startswith("[")]

    clients[f"`duckdb-cli` {SHELL}"] = by_shell
    if shutil.which("npm"):
        node = folder / "node"
        if not node.is_dir():
            node.mkdir()
            subprocess.run(
                ["npm", "install", "--silent", "--prefix", node, f"@duckdb/node-api@{NODE}"], check=True
            )

        def by_node() -> list[Any]:
            (node / "ask.js").write_text(BY_NODE, encoding="utf-8")
            command = ["node", str(node / "ask.js"), release, *queries]
            return _answers(subprocess.run(command, capture_output=True, text=True, check=False))

        clients[f"`@duckdb/node-api` {NODE} (Node)"] = by_node
    for name, (frame, values) in READERS.items():
        at = _pip(folder / name, *NEEDED[name])
        program = PARQUET.format(read=COLUMNS.format(frame=frame, values=values))
        shown = f"`{name}` {_version(at, name)}, Parquet alone"
        clients[shown] = partial(_answers_of_python, at, program, release, *plain)
    return clients


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--folder", type=Path, required=True, help="where the clients are installed")
    given = parser.parse_args()
    release = (given.corpus / "current").resolve()
    with duckdb.connect(str(release / "corpus.duckdb"), read_only=True) as connection:
        picked = connection.execute(
            "SELECT s.key, s.text, fold_words(s.text), s.paragraph FROM sentence_texts s "
            "JOIN paragraph_vectors USING (key, paragraph) "
            "WHERE s.kind = 'body' AND length(s.text) BETWEEN 80 AND 120 AND NOT contains(s.text, '''') "
            "ORDER BY s.id LIMIT 1"
        ).fetchone()
        assert picked is not None, "no sentence of the corpus has a vector: build it with a model"
        key, words, folded, paragraph = picked
        queries = [COUNT, FIND.format(key=key, words=words), NEAREST.format(key=key, paragraph=paragraph)]
        expected = [[list(row) for row in connection.execute(query).fetchall()] for query in queries]
    assert all(expected)
    rows = []
    given.folder.mkdir(parents=True, exist_ok=True)
    for name, ask in _clients(given.folder, str(release), queries, [key, folded, str(paragraph)]).items():
        answers = ask()
        cells = ["yes" if answers else "no"]
        for number, right in enumerate(expected):
            cells.append("no" if number >= len(answers) else "yes" if answers[number] == right else "differs")
        rows.append([name, *cells])
    print(markdown_table(("program", "opens", "counts", "finds a sentence", "nearest paragraphs"), rows))
    print(f"\n{measured_on()}; a corpus of {expected[0][0][0]:,} paragraphs.")


if __name__ == "__main__":
    main()

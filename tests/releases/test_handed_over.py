"""A release that a stranger hands over, as files in a zip: it is read or refused, and leads nowhere else."""

import json
import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import duckdb
import numpy as np
import pytest

from tests.support.project import ROOT
from tests.support.waiting import PATIENCE

pytestmark = pytest.mark.system

SECRET = "the words of a key"

# Unpacks the zip, asks the release all kinds of questions; prints what was opened elsewhere, and written.
_ASK = """
import json, os, shutil, sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
import lookup, lookup.corpus
from lookup.errors import PageQuoteError
packed, folder, secret = map(Path, sys.argv[2:5])
shutil.unpack_archive(packed, folder)
for link, target in json.loads(sys.argv[5]).items():
    (folder / link).unlink(missing_ok=True)
    (folder / link).symlink_to(target)
opened, said = [], []
def hook(event, args):
    path = str(args[0]) if event == "open" else ""
    if str(secret.parent) in os.path.abspath(path) and not os.path.abspath(path).startswith(str(folder)):
        opened.append(path)
    if event == "open" and isinstance(args[2], int) and args[2] & (os.O_WRONLY | os.O_RDWR):
        opened.append(f"written: {path}") if path.startswith(str(folder)) else None
    if event in ("subprocess.Popen", "socket.connect", "pickle.find_class"):
        said.append(event)
sys.addaudithook(hook)
key, words = "lindqvist2019", "people prefer to work by day"
calls = [
    lambda corpus: corpus.quote(key, words),
    lambda corpus: corpus.verify(words, key),
    lambda corpus: corpus.grep("by day"),
    lambda corpus: corpus.search("greenhouse", mode="lexical"),
    lambda corpus: corpus.sentences("greenhouse gas"),
    lambda corpus: corpus.search_context(["day"]),
    lambda corpus: corpus.page(key, 1),
    lambda corpus: corpus.papers(),
    lambda corpus: corpus.original(key),
    lambda corpus: corpus.sql("SELECT title FROM papers").fetchall(),
]
for call in calls:
    try:
        with lookup.open(folder / "corpus") as corpus:
            said.append(repr(call(corpus)))
    except PageQuoteError as error:
        said.append(str(error))
print(json.dumps([opened, said]))
"""


def _manifest(**changed):
    def change(release):
        path = release / "manifest.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | changed))

    return change


def _pickled(release):
    np.save(release / "vectors.npy", np.array([os.system], dtype=object), allow_pickle=True)


def _huge(release):
    head = b"{'descr': '<f4', 'fortran_order': False, 'shape': (1000000000000, 384), }"
    padded = head.ljust(117) + b"\n"
    (release / "vectors.npy").write_bytes(b"\x93NUMPY\x01\x00" + len(padded).to_bytes(2, "little") + padded)


def _sql(*statements):
    def change(release):
        with duckdb.connect(str(release / "corpus.duckdb")) as database:
            for statement in statements:
                database.execute(statement)

    return change


def _sums(line):
    def change(release):
        with (release / "SHA256SUMS").open("a") as file:
            file.write(line)

    return change


def _nothing(_):
    """Change nothing."""


HANDED = {
    "as it is": (_nothing, {}),
    "parts elsewhere": (_manifest(parts=["../../../../secret.txt", "/etc/passwd"]), {}),
    "shards without end": (_manifest(shards=[{"papers": 1}] * 100_000), {}),
    "rows that are no numbers": (_manifest(rows={"papers": "many", "paragraphs": None}), {}),
    "a model elsewhere": (_manifest(model="../../../../secret.txt"), {}),
    "a library elsewhere": (_manifest(library="/"), {}),
    "a search that is none": (_manifest(search={"version": "x", "documents": "y"}), {}),
    "a manifest that is a list": (lambda release: (release / "manifest.json").write_text("[1]"), {}),
    "brackets without end": (lambda release: (release / "manifest.json").write_text("[" * 100_000), {}),
    "pickled vectors": (_pickled, {}),
    "vectors of a terabyte": (_huge, {}),
    "sums of files elsewhere": (_sums(f"{'0' * 64}  ../../../secret.txt\n"), {}),
    "a view that reads files": (_sql("CREATE VIEW more AS FROM read_text('/etc/passwd')"), {}),
    "a paper elsewhere": (_sql("UPDATE papers SET path = '../../../secret.txt'"), {}),
    "lines that are no lines": (_sql("UPDATE paragraphs SET superscripts = [9999999, -5], page = -1"), {}),
    "pages without end": (_sql("UPDATE papers SET pages = 2147483647"), {}),
    "a link as database": (_nothing, {"corpus/releases/NAME/corpus.duckdb": "SECRET"}),
    "a link as manifest": (_nothing, {"corpus/releases/NAME/manifest.json": "SECRET"}),
    "a link as index": (_nothing, {"corpus/releases/NAME/search/meta.json": "SECRET"}),
    "current elsewhere": (_nothing, {"corpus/current": "SECRET"}),
}


@pytest.mark.long
@pytest.mark.parametrize(("change", "links"), HANDED.values(), ids=HANDED)
def test_a_release_in_a_zip_is_read_or_refused_and_leads_nowhere_else(corpus_path, tmp_path, change, links):
    release = (corpus_path / "current").resolve()
    made = tmp_path / "made/corpus/releases" / release.name
    shutil.copytree(release, made)
    change(made)
    (tmp_path / "made/corpus/current").write_text(f"releases/{release.name}\n")
    with zipfile.ZipFile(tmp_path / "corpus.zip", "w") as packed:
        for path in (tmp_path / "made").rglob("*"):
            packed.write(path, path.relative_to(tmp_path / "made"))
    shutil.rmtree(tmp_path / "made")
    secret = tmp_path / "secret.txt"
    secret.write_text(SECRET)
    named = {
        link.replace("NAME", release.name): target.replace("SECRET", str(secret))
        for link, target in links.items()
    }
    (tmp_path / "unpacked").mkdir()
    given = (ROOT, tmp_path / "corpus.zip", tmp_path / "unpacked", secret, json.dumps(named))
    ran = subprocess.run(
        [sys.executable, "-c", _ASK, *map(str, given)],
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE,
        cwd=Path("/"),
    )
    assert ran.returncode == 0, ran.stderr[-2000:]
    opened, said = json.loads(ran.stdout)
    assert not [one for one in opened if "written: " in one]
    assert SECRET not in str(said)
    assert not {"subprocess.Popen", "socket.connect", "pickle.find_class"} & set(said)
    if change is _nothing and not links:
        assert "verbatim" in said[0]
        assert opened == []

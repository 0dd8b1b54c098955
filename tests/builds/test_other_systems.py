"""What a desk needs works where POSIX is not: without `fcntl`, `resource`, links, timers, `os.fork`.

It is taken away from real processes, the workers of a build too (tests/support/without_posix). Nothing here
runs Windows itself: docs/guides/installing.md says what was run.
"""

import json
import os
import shutil
import subprocess
import sys
from contextlib import closing

import pytest

import lookup
from pagequote.web.folder_room import FolderReading
from pipeline.files.atomic import LOCK
from pipeline.files.original_file import is_unchanged
from pipeline.processes import operating_system
from pipeline.processes.operating_system import file_name, process_runs, take_lock
from pipeline.releases.history import list_releases, make_current, rollback
from tests.support.builds import Library
from tests.support.pdfs import pdf
from tests.support.project import ROOT

WITHOUT = ROOT / "tests" / "support" / "without_posix"
WORDS = "the herring came into the harbour two weeks later"


def run(folder, *arguments, **environment):
    path = os.pathsep.join(map(str, (WITHOUT, ROOT)))
    known = {**os.environ, "PYTHONPATH": path, "HOME": str(folder), **environment}
    return subprocess.run(
        [sys.executable, "-m", "pagequote", *map(str, arguments)],
        cwd=folder,
        env=known,
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )


@pytest.fixture
def library(tmp_path):
    made = Library(tmp_path / "library")
    made.add("ant", "A paper about one ant. Nobody minded.")
    made.build()
    return made


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    folder = tmp_path_factory.mktemp("desk")
    (folder / "Papers").mkdir()
    for name, words in (("ode2020", WORDS), ("lund1999", "nothing of the kind was seen in the north")):
        text = f"In this year {words} than before. " * 4
        (folder / "Papers" / f"{name}.pdf").write_bytes(pdf(text))
    (folder / "text.md").write_text(f'As said, "{WORDS}" [@ode2020, p. 1].\r\n', encoding="utf-8")
    built = run(folder, "build", "Papers", "--corpus", "corpus", "--workers", 2)
    assert built.returncode == 0, built.stderr
    return folder


@pytest.mark.system
@pytest.mark.long
def test_a_corpus_is_built_by_two_workers_and_answers(desk):
    assert (desk / "corpus" / "current").read_text().startswith("releases/r000001-")
    said = run(desk, "quote", "ode2020", WORDS, "--corpus", "corpus", "--json")
    assert said.returncode == 0, said.stderr
    assert json.loads(said.stdout)["matches"][0]["verdict"] == "verbatim"


@pytest.mark.system
@pytest.mark.long
@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "text.md"),
        ("search", "herring harbour"),
        ("show", "ode2020", WORDS, "--html", "--out", "proof.html"),
        ("highlight", "ode2020", WORDS, "--out", "marked.pdf"),
        ("status",),
        ("releases",),
        ("papers",),
    ],
    ids=lambda arguments: arguments[0],
)
def test_each_command_of_a_desk_works(desk, arguments):
    said = run(desk, *arguments, PAGEQUOTE_CORPUS="corpus")
    assert said.returncode == 0, (said.stdout, said.stderr)
    assert "Traceback" not in said.stderr


@pytest.mark.system
@pytest.mark.long
def test_sql_of_strangers_is_refused_where_nothing_bounds_it(desk):
    said = run(desk, "sql", "--safe", "SELECT 1", PAGEQUOTE_CORPUS="corpus")
    assert said.returncode == 2
    assert "needs a system that bounds what a process may do" in said.stderr


@pytest.mark.system
@pytest.mark.long
def test_a_pdf_that_takes_too_long_is_a_failure_and_costs_no_other(desk, tmp_path):
    shutil.copytree(desk / "Papers", tmp_path / "Papers")
    (tmp_path / "sitecustomize.py").write_text(
        f"exec(compile(open({str(WITHOUT / 'sitecustomize.py')!r}).read(), 'site', 'exec'))\n"
        "import sys\n"
        "if any('killable_process' in part for part in sys.orig_argv):\n"
        "    import pipeline.extract as module\n"
        "    extract = module.extract\n"
        "    def slow(data, *rest):\n"
        "        while data == open('Papers/lund1999.pdf', 'rb').read(): pass\n"
        "        return extract(data, *rest)\n"
        "    module.extract = slow\n"
    )
    path = os.pathsep.join(map(str, (tmp_path, ROOT)))
    said = run(tmp_path, "build", "Papers", "--corpus", "corpus", "--deadline", 1, PYTHONPATH=path)
    assert said.returncode == 0, said.stderr
    corpus = lookup.Corpus(tmp_path / "corpus")
    assert corpus.sql("SELECT key, reason FROM failures").fetchall() == [("lund1999", "timeout")]
    assert [paper.key for paper in corpus.papers()] == ["ode2020"]


def test_a_corpus_of_one_system_is_read_on_another(library):
    library.add("bee", "A paper about one bee.")
    library.build()
    names = [listed.name for listed in list_releases(library.corpus)]
    assert (library.corpus / "current").is_symlink()
    (library.corpus / "current").unlink()
    (library.corpus / "current").write_text(f"releases/{names[0]}\r\n")
    assert lookup.Corpus(library.corpus).release.name == names[0]
    assert [listed.name for listed in list_releases(library.corpus) if listed.current] == [names[0]]
    make_current(library.corpus, names[1])
    assert lookup.Corpus(library.corpus).release.name == names[1]
    assert rollback(library.corpus).name == names[0]


@pytest.mark.system
def test_locks_and_processes_are_told_on_this_system(tmp_path):
    path = tmp_path / LOCK
    descriptors = [os.open(path, os.O_RDWR | os.O_CREAT) for _ in range(2)]
    assert [take_lock(one) for one in descriptors] == [True, False]
    for one in descriptors:
        os.close(one)
    assert process_runs(os.getpid())
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    assert not process_runs(ended.pid)
    assert not operating_system.WINDOWS


@pytest.mark.system
@pytest.mark.long
@pytest.mark.parametrize("code_page", ["cp1252", "cp437", "cp932"])
def test_what_a_code_page_has_not_is_printed_as_an_escape(desk, code_page):
    words = f"{WORDS} \U0001d400"
    said = run(desk, "verify", "ode2020", words, "--corpus", "corpus", PYTHONIOENCODING=code_page)
    assert said.returncode == 1, said.stderr
    assert not said.stderr
    assert r"\U0001d400" in said.stdout


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("aux", "aux_"),
        ("Con.1990", "Con_.1990"),
        ("nul", "nul_"),
        ("auxin2020", "auxin2020"),
        ("a/b", "a_b"),
        ("x.", "x"),
        ("..", "_"),
    ],
)
def test_names_that_a_system_keeps_for_itself_are_none_of_a_file(key, name):
    assert file_name(key) == name


def test_a_pdf_that_is_dropped_takes_no_name_that_differs_by_case_alone(tmp_path):
    (tmp_path / "Ant.pdf").write_bytes(pdf("A paper about one ant."))
    with closing(FolderReading(tmp_path, tmp_path / "corpus")) as reading:
        assert reading.add("ANT.PDF", pdf("A paper about many ants.")) == "ANT-2.pdf"


_SHORT = 260  # Characters of a path on Windows, where long ones are not allowed.


@pytest.mark.system
def test_paths_of_over_260_characters_are_read_and_those_of_a_corpus_are_short(tmp_path):
    made = Library(tmp_path / "library")
    deep = made.pdfs / "/".join(["a folder of a title that is long " + "x" * 60] * 3)
    deep.mkdir(parents=True)
    path = deep / f"{'of a name that is long ' * 4}.pdf"
    path.write_bytes(pdf("A paper about one ant. Nobody minded."))
    assert len(str(path)) > _SHORT
    made.build()
    corpus = lookup.Corpus(made.corpus)
    (paper,) = corpus.papers()
    assert corpus.quote(paper.key, "Nobody minded").matches[0].verdict == "verbatim"
    assert is_unchanged(corpus.original(paper.key))
    root = made.corpus.parent
    longest = max(len(str(one.relative_to(root))) for one in root.rglob("*") if made.pdfs not in one.parents)
    assert longest <= _SHORT / 2  # so that it lies in a folder of 130 characters


@pytest.mark.system
@pytest.mark.long
def test_who_holds_the_lock_is_named_without_posix_too(desk):
    hold = f"import sys; sys.path[:0] = [{str(ROOT)!r}]\n" + HOLD
    command = [sys.executable, "-c", hold, str(desk / "corpus")]
    known = {**os.environ, "PYTHONPATH": str(WITHOUT)}
    with subprocess.Popen(
        command, env=known, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as one:
        assert one.stdout is not None
        assert one.stdout.readline() == "held\n"
        said = run(desk, "build", "Papers", "--corpus", "corpus")
        one.communicate("")
    assert said.returncode == 2
    assert f"is being written by process {one.pid} on " in said.stderr


HOLD = """
from pathlib import Path
from pipeline.files.atomic import locked
with locked(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""

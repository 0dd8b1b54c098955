"""Manuscripts of others are read where it can be killed, and small texts where they are asked for."""

import signal
from pathlib import Path

import pytest

from lookup.errors import QueryError
from pagequote.check import manuscript
from pagequote.check.configuration import Configuration
from pagequote.check.latex_macros import Vocabulary
from pagequote.check.manuscript import read_in_sandbox, read_manuscript
from pagequote.lsp.draft import draft
from pagequote.sandbox import run_in_sandbox
from pipeline.processes.killable_process import MODULE
from tests.support.apart_work import Unknown, greedy, wrong
from tests.support.command import pagequote
from tests.support.documents import docx, odt, paragraph
from tests.support.processes import children_with
from tests.support.waiting import PATIENCE

pytestmark = pytest.mark.system

DAY = "people prefer to work by day"
QUOTED = f"Nights are long: “{DAY}” (Lindqvist, 2019, p. 1650). "
NOTES = docx(paragraph(QUOTED), footnotes={"2": paragraph(QUOTED)})
MARKDOWN = f"“{DAY}” [@lindqvist2019, p. 1650].\n\n"
LONG = MARKDOWN * (manuscript._HERE // len(MARKDOWN) + 1)
MANUSCRIPTS = {
    "a.docx": NOTES,
    "a.odt": odt(f"<text:p>{QUOTED}</text:p>"),
    "long.md": LONG.encode(),
    "long.tex": LONG.replace("[@lindqvist2019, p. 1650]", r"\cite[p.~1650]{lindqvist2019}").encode(),
}


@pytest.mark.long
@pytest.mark.parametrize("name", MANUSCRIPTS)
def test_what_is_read_apart_is_what_is_read_here(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(MANUSCRIPTS[name])
    read = read_in_sandbox(path, Vocabulary())
    assert read == read_manuscript(path, Vocabulary())
    assert read.quotations


@pytest.fixture
def in_no_time(monkeypatch):
    monkeypatch.setattr("pagequote.check.manuscript.SECONDS", 0.001)


COMMANDS = {
    "check": ("check", "a.docx"),
    "check with comments": ("check", "a.docx", "--annotate", "b.docx"),
    "check of a long text": ("check", "long.md"),
    "pin": ("pin", "a.docx"),
    "compare": ("compare", "lindqvist2019", "okafor2021", "a.odt"),
    "highlight": ("highlight", "a.docx", "--out", "marked"),
}


@pytest.mark.usefixtures("in_no_time")
@pytest.mark.parametrize("command", COMMANDS)
def test_each_command_that_reads_a_manuscript_ends_at_the_deadline_with_one_sentence(
    corpus_path, tmp_path, command
):
    for name, content in MANUSCRIPTS.items():
        (tmp_path / name).write_bytes(content)
    done = pagequote(*COMMANDS[command], "--corpus", corpus_path, cwd=tmp_path)
    assert (done.returncode, done.stdout) == (2, "")
    named = next(one for one in COMMANDS[command] if one in MANUSCRIPTS)
    assert done.stderr == f"pagequote: '{named}' took more than 0.001 s. Check it in parts.\n"
    assert {one.name for one in tmp_path.iterdir()} == set(MANUSCRIPTS)


@pytest.mark.long
@pytest.mark.usefixtures("in_no_time")
def test_an_editor_is_told_of_a_text_that_takes_too_long_and_waits_for_no_process_at_a_keystroke(corpus):
    path, settings = Path("long.md"), Configuration()
    before = draft(path, LONG[: manuscript._HERE // 2], corpus, settings)
    after = draft(path, before.manuscript.source + MARKDOWN, corpus, settings, before)
    assert len(after.findings) == len(before.findings) + 1
    with pytest.raises(QueryError, match=r"^'long.md' took more than 0.001 s. Check it in parts.$"):
        draft(path, LONG * 2, corpus, settings, after)


def test_work_that_never_ends_is_killed_with_its_process():
    with pytest.raises(QueryError, match=r"^It took more than 0.7 s. Ask for less.$"):
        run_in_sandbox(signal.pause, label="It", seconds=0.7)
    assert children_with(MODULE) == set()


@pytest.mark.parametrize(
    ("work", "said"),
    [
        (greedy, "It takes too much memory. Ask for less."),
        (signal.raise_signal, "It ended its process: it takes too much memory. Ask for less."),
        (wrong, "It failed: ZeroDivisionError. Please report it."),
        (Unknown, "It ended its process: it takes too much memory. Ask for less."),
    ],
)
def test_what_ends_a_process_or_comes_from_it_is_told_in_one_sentence(work, said):
    given = [signal.SIGSEGV] if work is signal.raise_signal else []
    with pytest.raises(QueryError) as raised:
        run_in_sandbox(work, *given, label="It", seconds=PATIENCE, memory=128 << 20)
    assert str(raised.value) == said

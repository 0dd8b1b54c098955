"""Where the machine fails, each command says so in a sentence, never by a traceback."""

import errno
import os
import re
import signal
import subprocess
import sys
from pathlib import Path
from unittest.mock import Mock

import pytest

from pipeline.publish import search_index
from tests.support.models import tiny_model
from tests.support.project import PAGEQUOTE, ROOT


@pytest.mark.system
@pytest.mark.parametrize(
    "call", [("papers",), ("papers", "--json"), ("quote", "people prefer to work by day"), ("--help",)]
)
def test_standard_output_that_is_full_gets_a_sentence(corpus_path, call):
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [PAGEQUOTE, *call],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
            env=os.environ | {"PAGEQUOTE_CORPUS": str(corpus_path)},
        )
    assert done.returncode == 2
    assert re.fullmatch(r"pagequote: .*andard output.* cannot be .*No space left on device.*\n", done.stderr)


@pytest.mark.long
@pytest.mark.system
@pytest.mark.parametrize(
    ("closed", "call"),
    [
        (0, ("read", "-", "--page", "1")),
        (0, ("lsp",)),
        (1, ("sql", "FROM papers")),
        (1, ("mcp",)),
        (1, ("lsp",)),
    ],
)
def test_a_stream_that_is_closed_leads_nowhere(corpus_path, closed, call):
    done = subprocess.run(
        [PAGEQUOTE, *call],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PAGEQUOTE_CORPUS": str(corpus_path)},
        preexec_fn=lambda: os.close(closed),
    )
    assert done.returncode in (0, 2)
    assert "Traceback" not in done.stderr


def test_a_folder_that_cannot_be_written_gets_a_sentence(run, tmp_path):
    (tmp_path / "file").touch()
    tiny_model(tmp_path / "model")
    done = run("model", "get", tmp_path / "model", "--models", tmp_path / "file/models")
    assert done.returncode == 2
    assert re.fullmatch(r"pagequote: '.*file.*' cannot be used: Not a directory\. Allow it.*\n", done.stderr)


@pytest.mark.parametrize("call", [("releases", "gc"), ("releases", "use", "1")])
def test_a_lock_on_a_disk_that_is_read_only_gets_a_sentence(call, run, monkeypatch):
    opened = os.open

    def read_only(path, flags, *mode, **more):
        if flags & os.O_CREAT and str(path).endswith("build.lock"):
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), str(path))
        return opened(path, flags, *mode, **more)

    monkeypatch.setattr(os, "open", read_only)
    done = run(*call)
    assert done.returncode == 2
    assert "build.lock' cannot be used: Read-only file system. Allow" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize(
    "error",
    [
        MemoryError(),
        RuntimeError("can't start new thread"),
        BaseException("OS can't spawn worker thread"),
        BaseException("could not spawn threads: ThreadPoolBuildError"),
        Exception("Unknown error: Failed to launch worker thread: Resource temporarily unavailable"),
        ImportError("libarrow.so: failed to map segment from shared object"),
    ],
)
def test_memory_and_threads_that_are_out_get_a_sentence(error, run, monkeypatch):
    monkeypatch.setattr("lookup.corpus.Corpus.papers", Mock(side_effect=error))
    done = run("papers")
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert "There is not enough memory" in done.stderr


@pytest.mark.system
@pytest.mark.parametrize(
    ("end", "status", "says"),
    [
        ("os.kill(os.getpid(), signal.SIGSEGV)", 2, r"\(SIGSEGV\): it may map \d+ MiB\. Raise the limit"),
        ("os.abort()", 2, r"\(SIGABRT\)"),
        ("os._exit(127)", 2, r"\(exit status 127\)"),
        ("sys.exit(1)", 1, ""),
        ("os.kill(os.getppid(), signal.SIGTERM) or signal.pause()", -signal.SIGTERM, ""),
    ],
)
def test_a_library_that_ends_the_command_for_lack_of_memory_leaves_a_sentence(end, status, says):
    code = f"""
import os, resource, signal, sys
resource.setrlimit(resource.RLIMIT_AS, (2 << 30, 2 << 30))
resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
sys.modules["pagequote.cli.commands"] = commands = type(sys)("commands")
commands.run = lambda: {end}
from pagequote.cli import main
main()
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr.count("\n")) == (status, bool(says))
    assert re.search(says, done.stderr)


def test_no_line_of_an_error_is_a_command_for_ci(run):
    done = run("sql", "SELECT error('boom' || chr(10) || '::error::owned' || chr(10) || '  ::warning::a')")
    assert done.returncode == 2
    assert "::error::owned" in done.stderr
    assert not [line for line in done.stderr.splitlines() if line.lstrip().startswith("::")]


def test_an_index_that_gets_no_thread_is_a_trouble_of_the_machine(tmp_path):
    index = Mock(writer=Mock(side_effect=ValueError("Failed to spawn segment merging thread")))
    with pytest.raises(OSError, match="index of words: Failed to spawn"):
        search_index._write(index, tmp_path, (), (), None)


def test_memory_that_is_out_while_modules_load_gets_a_sentence(run, monkeypatch):
    monkeypatch.setattr("pagequote.cli.commands.run", Mock(side_effect=MemoryError))
    done = run("papers")
    assert (done.returncode, done.stderr) == (2, "pagequote: There is not enough memory. Raise the limit.\n")

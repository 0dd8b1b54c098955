"""What do a stranger's files and requests do to a user? `python benchmarks/strangers_files.py [--only D2]`.

Each row hands the commands what was once a door or a loss (docs/security.md), from outside, and says what
became of it. With `--pagequote`, another version's command is asked. Connections that owe a body are
strangers.py's.
"""

import argparse
import ctypes
import json
import os
import shutil
import socket
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import duckdb
from ruamel.yaml import YAML
from tables import markdown_table, measured_on

from pipeline.models.install import install_model
from tests.support.models import tiny_model
from tests.support.pdfs import pdf
from tests.support.zotero import Zotero

_SECONDS = 90
_TRUE, _FALSE = "people prefer to work by day", "the treatment cured every patient"
_CLOSED = 16  # IN_CLOSE_NOWRITE


class Home:
    """A user's folder with two papers, and the command of the version that is asked."""

    def __init__(self, folder: Path, command: Path) -> None:
        self.folder, self.command = folder, command
        (folder / "papers").mkdir(parents=True)
        for name in ("feng2022", "recipe"):
            (folder / f"papers/{name}.pdf").write_bytes(pdf(f"A paper, {name}, in which {_TRUE}."))

    def run(self, *given: str | Path, cwd: str = "", **named: str) -> tuple[int | None, str]:
        """Return the status of a command, None where it does not end, and what it says."""
        own = {"HOME": str(self.folder), "PAGEQUOTE_CACHE": str(self.folder / "cache"), **named}
        try:
            done = subprocess.run(
                [self.command, *given],
                cwd=self.folder / cwd,
                env=os.environ | own,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=_SECONDS,
                check=False,
            )
        except subprocess.TimeoutExpired:
            return None, "does not end"
        said = done.stdout + done.stderr
        return done.returncode, f"traceback: {said.splitlines()[-1]}" if "Traceback" in said else said.strip()

    def build(self, *given: str | Path, cwd: str = "", model: str = "none") -> tuple[int | None, str]:
        """Build the papers, or what is given."""
        return self.run("build", *(given or ("papers",)), "--model", model, "--quiet", cwd=cwd)

    def mine(self, name: str) -> Path:
        """A file of the user's own."""
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("mine")
        return path


def _kept(*files: Path) -> str:
    lost = [one.name for one in files if not one.exists() or not one.stat().st_size]
    return f"LOST {', '.join(lost)}" if lost else "kept"


def linked_releases(home: Home) -> str:
    mine = [home.mine(f"{name}/mine") for name in ("recipes", "reports", "research", "resume", "reading")]
    home.build()
    clone = home.folder / "clone"
    shutil.copytree(home.folder / "papers", clone / "papers")
    shutil.copytree(home.folder / "data", clone / "data", symlinks=True)
    shutil.rmtree(clone / "data/corpus/releases")
    (clone / "data/corpus/releases").symlink_to("../../..")
    status, _ = home.build(cwd="clone")
    return f"status {status}, {_kept(*mine)}"


def linked_work(home: Home) -> str:
    mine = home.mine("Documents/thesis/mine")
    home.build()
    shutil.rmtree(home.folder / "data/work/extracted")
    (home.folder / "data/work/extracted").symlink_to(home.folder / "Documents")
    status, _ = home.run("releases", "gc")
    return f"status {status}, {_kept(mine)}"


def linked_lock(home: Home) -> str:
    mine = home.mine(".ssh/authorized_keys")
    home.build()
    (home.folder / "data/corpus/build.lock").unlink(missing_ok=True)
    (home.folder / "data/corpus/build.lock").symlink_to("../../.ssh/authorized_keys")
    status, _ = home.run("releases", "use", "1")
    return f"status {status}, {_kept(mine)}"


def added_path(home: Home) -> str:
    mine = home.folder / "private.pdf"
    mine.write_bytes(pdf("A thesis of which there is one copy."))
    home.build()
    item = {"id": "y", "citation-key": "y", "type": "article", "file": str(mine), "title": "P"}
    (home.folder / "data/work/added").mkdir()
    (home.folder / "data/work/added/library.json").write_text(json.dumps([item]))
    home.build()
    status, _ = home.run("add", "--remove", "y")
    return f"status {status}, {_kept(mine)}"


def swapped_pdf(home: Home) -> str:
    genuine, shared = home.folder / "papers/feng2022.pdf", home.folder / "shared.pdf"
    shutil.copy(genuine, shared)
    (home.folder / "forged.pdf").write_bytes(pdf(f"A paper in which {_FALSE}."))
    libc = ctypes.CDLL(None)
    watched = libc.inotify_init()
    libc.inotify_add_watch(watched, os.fsencode(shared), _CLOSED)

    def swap() -> None:
        os.read(watched, 4096)
        (home.folder / "forged.pdf").replace(shared)

    threading.Thread(target=swap, daemon=True).start()
    home.run("verify", "shared.pdf", _TRUE)
    status, _ = home.run("verify", "papers/feng2022.pdf", _FALSE)
    return f"the forged quotation in the genuine PDF: {'VERBATIM' if status == 0 else 'not found'}"


def options_of_the_hook(home: Home) -> str:
    readme = home.mine("README.md")
    home.build()
    home.mine("ok.md")
    (hook, *_) = YAML(typ="safe").load(home.command.parents[2] / ".pre-commit-hooks.yaml")
    home.run(*hook["entry"].split()[1:], *hook.get("args", ()), "--report=README.md", "ok.md")
    return "kept" if readme.read_text() == "mine" else "OVERWRITTEN"


def reading_view(home: Home) -> str:
    secret = home.folder / "config.csv"
    secret.write_text("secret\n1\n")
    home.build()
    (database,) = (home.folder / "data/corpus/releases").glob("*/corpus.duckdb")
    with duckdb.connect(str(database)) as connection:
        connection.execute(f"CREATE OR REPLACE VIEW sentence_texts AS SELECT s.* FROM papers, '{secret}' s")
    status, said = home.run("sql", "FROM sentence_texts LIMIT 1")
    return f"status {status}, {'PRINTED' if 'secret' in said else 'refused'}"


def stranger_model(home: Home) -> str:
    source = home.folder / "source"
    model = install_model(tiny_model(source), home.folder / "data/models/evil")
    home.build(model=str(model.folder))
    status, _ = home.run("search", "--meaning", "people who work", "--threshold", "-1")
    return f"status {status}, {'refused' if status == 2 else 'RUN'}"


def command_in_the_log(home: Home) -> str:
    home.build()
    (home.folder / "ok.md").write_text("“##[error]owned by nobody here” [@feng2022]")
    _, said = home.run("check", "ok.md", GITHUB_ACTIONS="true", CI="true")
    return "PRINTED" if "##[" in said else "marked"


def blank_key(home: Home) -> str:
    library: Any = Zotero(home.folder / "zotero")
    for key, title in (("AAAA", "One"), ("BBBB", "Two")):
        item = library.item(key, title=title, citationKey="  " if key == "AAAA" else "two2020")
        library.attach(item, f"F{key}", "a.pdf", pdf(f"A paper called {title}."))
    status, said = home.build(library.folder)
    return f"status {status}: {said[-90:]}"


def null_in_a_name(home: Home) -> str:
    items = [
        {"id": "ok", "type": "article", "file": "papers/feng2022.pdf"},
        {"id": "e", "type": "article", "file": "a\0.pdf"},
    ]
    (home.folder / "l.json").write_text(json.dumps(items))
    status, said = home.build("l.json")
    return f"status {status}: {said[-90:]}"


def bzip2_document(home: Home) -> str:
    home.build()
    space = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    text = f'<?xml version="1.0"?><w:document xmlns:w="{space}"><w:body/></w:document>'
    with zipfile.ZipFile(home.folder / "b.docx", "w", zipfile.ZIP_BZIP2) as document:
        document.writestr("word/document.xml", text + " " * (1 << 30))
    code = (
        "import resource, subprocess, sys; subprocess.run(sys.argv[1:], check=False); "
        "print('peak', resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss >> 10)"
    )
    home.command, asked = Path(sys.executable), home.command
    _, said = home.run("-c", code, asked, "check", "b.docx")
    return next(f"{line} MB" for line in said.splitlines() if line.startswith("peak"))


def slow_start(home: Home) -> str:
    home.build()
    (home.folder / "papers/third.pdf").write_bytes(pdf("A third paper, which is sound."))
    for module in ("pipeline.processes.killable_process", "lookup.storage.killable_process"):
        if (home.command.parents[2] / f"{module.replace('.', '/')}.py").exists():
            code = f"import {module} as k; k._START_SECONDS = 0.05; from pagequote.cli import main; main()"
            break
    command, home.command = home.command, home.command.with_name("python")
    for _ in range(2):
        home.run("-c", code, "build", "papers", "--model", "none", "--quiet")
    home.command = command
    status, _ = home.build()
    _, said = home.run("sql", "SELECT count(*) FROM papers", "--format", "csv")
    return f"status {status}, papers in the release: {said.split()[-1]} of 3"


@contextmanager
def _serving(home: Home) -> Iterator[tuple[int, subprocess.Popen[str]]]:
    """The port of a reading room with a token, and its process; it writes what it logs to `home/log`."""
    home.build()
    (home.folder / "token").write_text("of-the-reader-0123456789abcdef")
    command = [str(home.command), "serve", "--port", "0", "--token-file", "token"]
    with (home.folder / "log").open("w") as log:
        server = subprocess.Popen(command, cwd=home.folder, stdout=subprocess.PIPE, stderr=log, text=True)
        assert server.stdout
        try:
            yield int(server.stdout.readline().rstrip("/\n").rpartition(":")[2].partition("/")[0]), server
        finally:
            server.terminate()
            server.wait(_SECONDS)


def _posted(port: int, path: str, body: bytes, length: int = 0) -> bytes:
    """Send a form with the token, return the answer; one that is said to have a `length` stays unfinished."""
    head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nContent-Length: {length or len(body)}\r\n"
    head += "Content-Type: application/x-www-form-urlencoded\r\nConnection: close\r\n"
    head += "Authorization: Bearer of-the-reader-0123456789abcdef\r\n" * (not length)
    answer = b""
    with socket.create_connection(("127.0.0.1", port), _SECONDS) as connection:
        connection.sendall(head.encode() + b"\r\n" + body)
        if length:
            time.sleep(0.05)
            return answer
        with suppress(OSError):
            while more := connection.recv(1 << 16):
                answer += more
    return answer


def signed_request(home: Home) -> str:
    home.build()
    (database,) = (home.folder / "data/corpus/releases").glob("*/corpus.duckdb")
    with duckdb.connect(str(database)) as connection:
        connection.execute("UPDATE papers SET path = 's3://bucket-of-a-stranger/beacon.pdf'")
    with socket.create_server(("127.0.0.1", 0)) as listener:
        listener.settimeout(10)
        keys = {"AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_REGION": "eu-1"}
        address = f"http://127.0.0.1:{listener.getsockname()[1]}"
        asked = threading.Thread(
            target=home.run,
            args=("show", "feng2022", _TRUE),
            kwargs=keys | {"AWS_ENDPOINT_URL": address, "AWS_ALLOW_HTTP": "true"},
            daemon=True,
        )
        asked.start()
        try:
            listener.accept()[0].close()
        except TimeoutError:
            return "nothing was asked of the bucket"
    return "ASKED, signed"


def long_form(home: Home) -> str:
    def processor() -> float:
        times = Path(f"/proc/{server.pid}/stat").read_text().rpartition(")")[2].split()[11:13]
        return sum(map(int, times)) / os.sysconf("SC_CLK_TCK")

    with _serving(home) as (port, server):
        before = processor()
        first = _posted(port, "/draft", b"&" * (11 << 20)).partition(b"\r\n")[0].decode()
        return f"{first or 'closed'}, {processor() - before:.1f} s of processor"


def aborted_forms(home: Home) -> str:
    with _serving(home) as (port, _):
        for _each in range(20):
            _posted(port, "/sign-in", b"token=", length=15000)
        time.sleep(1)
    log = (home.folder / "log").read_text()
    return f"{len(log)} bytes in the log, {log.count('Traceback')} tracebacks"


def endless_column(home: Home) -> str:
    library: Any = Zotero(home.folder / "zotero")
    item = library.item("AAAA", title="One", citationKey="one2020")
    library.attach(item, "FAAAA", "a.pdf", pdf("A paper called One."))
    with sqlite3.connect(library.folder / "zotero.sqlite") as database:
        database.executescript(
            "ALTER TABLE itemDataValues RENAME TO old; CREATE TABLE itemDataValues (valueID INTEGER PRIMARY "
            "KEY, x TEXT, value TEXT GENERATED ALWAYS AS (x) VIRTUAL);"
            "INSERT INTO itemDataValues (valueID, x) SELECT valueID, value FROM old; DROP TABLE old;"
            "PRAGMA writable_schema = ON; UPDATE sqlite_master SET sql = replace(sql, 'AS (x)', "
            "'AS (instr(zeroblob(30000000), CAST(zeroblob(15000000)||''1'' AS BLOB)))')"
        )
    status, said = home.build(library.folder)
    return f"status {status}: {said[-90:]}"


def _editor(home: Home, *messages: dict[str, Any]) -> tuple[str, int]:
    """Send messages to a language server; return its answer to the last one, and its MiB after 15 seconds."""
    server = subprocess.Popen(
        [home.command, "lsp"],
        cwd=home.folder,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert server.stdin
    assert server.stdout
    first: dict[str, Any] = {
        "id": 1,
        "method": "initialize",
        "params": {"processId": None, "rootUri": None, "capabilities": {}},
    }
    for message in (first, {"method": "initialized", "params": {}}, *messages):
        text = json.dumps({"jsonrpc": "2.0", **message}).encode()
        server.stdin.write(b"Content-Length: %d\r\n\r\n" % len(text) + text)
        server.stdin.flush()
    found: list[str] = []

    def read() -> None:
        assert server.stdout
        size = 0
        while line := server.stdout.readline():
            if line.lower().startswith(b"content-length:"):
                size = int(line.split(b":")[1])
            if line.strip():
                continue
            said = json.loads(server.stdout.read(size))
            if said.get("id") == 99:
                found.append(str(said.get("error", {}).get("code", "a result")))
                return

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    reader.join(15)
    pages = int(Path(f"/proc/{server.pid}/statm").read_text().split()[1])
    server.kill()
    server.communicate()
    return found[0] if found else "NO ANSWER", pages * os.sysconf("SC_PAGE_SIZE") >> 20


def saved_unopened(home: Home) -> str:
    home.build()
    said = []
    for name in ("queue.md", "zero.md"):
        path = home.folder / name
        os.mkfifo(path) if name == "queue.md" else path.symlink_to("/dev/zero")
        document: dict[str, Any] = {"textDocument": {"uri": path.as_uri()}}
        ask = {
            "method": "textDocument/completion",
            "params": document | {"position": {"line": 0, "character": 0}},
        }
        answer, size = _editor(
            home, {"method": "textDocument/didSave", "params": document}, {"id": 99, **ask}
        )
        said.append(f"{name}: {answer}, {size} MiB")
    return "; ".join(said)


def wrong_positions(home: Home) -> str:
    home.build()
    document = {"textDocument": {"uri": (home.folder / "a.md").as_uri()}}
    said = []
    for line in (-1, 1 << 31, 10**400):
        params = document | {"position": {"line": line, "character": 0}}
        said.append(_editor(home, {"id": 99, "method": "textDocument/hover", "params": params})[0])
    return ", ".join(said)


TRIALS: dict[str, tuple[str, Callable[[Home], str]]] = {
    "D1a": ("`releases` links to the home folder; build", linked_releases),
    "D1b": ("`work/extracted` links to Documents; gc", linked_work),
    "D2": ("`build.lock` links to a file; use", linked_lock),
    "D3": ("the library of added papers names a file; add --remove", added_path),
    "D4": ("a PDF is replaced while `verify` reads it", swapped_pdf),
    "D7": ("a file named --report=README.md; the hook", options_of_the_hook),
    "D8": ("a view that reads a file; sql", reading_view),
    "D9": ("a path in object storage in `papers`; show", signed_request),
    "D10": ("a model beside the corpus; search", stranger_model),
    "D11": ("a form of 11 MB; serve", long_form),
    "D12": ("20 forms that are not sent to their end; serve", aborted_forms),
    "D13": ("##[error] in a draft; check in CI", command_in_the_log),
    "E1": ("a blank citation key in Zotero; build", blank_key),
    "E2": ("a NUL in a file name of CSL JSON; build", null_in_a_name),
    "E3": ("a generated column in Zotero's database; build", endless_column),
    "E4": ("a queue and a device that were never opened; lsp", saved_unopened),
    "E5": ("lines -1, 2^31 and 10^400; lsp", wrong_positions),
    "E6": ("a bzip2 .docx of 7 kB; check", bzip2_document),
    "L1": ("workers that start slowly, two nights; build", slow_start),
}


def main() -> None:
    """Run the trials, and print what became of them."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--pagequote", type=Path, default=Path(sys.executable).with_name("pagequote"))
    parser.add_argument("--only", choices=list(TRIALS))
    asked = parser.parse_args()
    rows = []
    for name in [asked.only] if asked.only else TRIALS:
        what, trial = TRIALS[name]
        with tempfile.TemporaryDirectory() as folder:
            rows.append([name, what, trial(Home(Path(folder) / "home", asked.pagequote.absolute()))])
        print(*rows[-1], sep=" | ", file=sys.stderr, flush=True)
    print(markdown_table(["", "what is handed in", "outcome"], rows))
    print(f"\n{measured_on()}")


if __name__ == "__main__":
    main()

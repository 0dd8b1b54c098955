"""Which findings of attackers hold in a checkout? `python benchmarks/findings.py [CHECKOUT] [--only S1 F6]`.

Each is tried from outside, by commands, servers and public names alone, so that code of any day can be asked:
`git worktree add FOLDER c95f6be` has the code that they had, where all give way. One row a finding: what was
seen, and whether it holds. F7 needs root, for a small disk; F11 asks whether there is what would tell.
"""

import argparse
import json
import logging
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from threading import Thread
from typing import Any

import duckdb

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tables import markdown_table, measured_on  # noqa: E402

from pipeline.models.install import install_model  # noqa: E402
from tests.support.documents import docx, paragraph  # noqa: E402
from tests.support.models import tiny_model  # noqa: E402
from tests.support.pdfs import pdf  # noqa: E402

WORDS = "The marsh was measured at night, and the flux was small in each of the plots that we had."
TOKEN = "a-token-that-nobody-guesses"  # of the servers here alone
SECRET = "swordfish"


@dataclass(frozen=True)
class Ran:
    """How a command ended (None: it was killed at its time), what it said, seconds, and MiB at most."""

    status: int | None
    said: str
    seconds: float
    mebibytes: float


@dataclass(frozen=True)
class Place:
    """A folder to try in, and the checkout whose code is tried."""

    root: Path
    code: Path
    environment: dict[str, str] = field(default_factory=dict)

    def start(
        self, *command: object, stdin: int = subprocess.DEVNULL, stdout: Any = subprocess.PIPE
    ) -> "subprocess.Popen[bytes]":
        """Begin `python COMMAND` in the folder, with the code of the checkout, as the head of a group."""
        return subprocess.Popen(
            [sys.executable, *map(str, command)],
            cwd=self.root,
            env={**os.environ, "PYTHONPATH": str(self.code), "HOME": str(self.root), **self.environment},
            stdin=stdin, stdout=stdout, stderr=subprocess.STDOUT, start_new_session=True,
        )  # fmt: skip

    def run(self, *command: object, seconds: float = 120.0) -> Ran:
        """Return how `python COMMAND` ended, with all that it started."""
        began, written = time.monotonic(), self.root / ".said"
        with written.open("wb") as out:
            process = self.start(*command, stdout=out)
            done, status, usage = 0, 0, None
            while not done and time.monotonic() - began < seconds:
                done, status, usage = os.wait4(process.pid, os.WNOHANG)
                time.sleep(0.02)
            if not done:
                os.killpg(process.pid, signal.SIGKILL)
                _, status, usage = os.wait4(process.pid, 0)
            process.returncode = status
        assert usage
        said = written.read_text(errors="replace")
        ended = os.waitstatus_to_exitcode(status) if done else None
        return Ran(ended, said, time.monotonic() - began, usage.ru_maxrss / 1024)

    def pagequote(self, *command: object, seconds: float = 120.0) -> Ran:
        return self.run("-m", "pagequote", *command, seconds=seconds)

    def built(self, *options: object) -> Path:
        """The corpus of one paper, "marsh"."""
        (self.root / "papers").mkdir(exist_ok=True)
        (self.root / "papers/marsh.pdf").write_bytes(pdf("Front", "Matter", WORDS.replace("flux", "flux\n")))
        return self.build("papers", *options)

    def build(self, *given: object) -> Path:
        ran = self.pagequote("build", *given, "--workers", "1", "--corpus", "corpus", "--work", "work")
        assert ran.status == 0, ran.said
        return self.root / "corpus"

    def value(self, query: str) -> str:
        """The one value of the query's answer."""
        said = self.pagequote("sql", query, "--format", "csv", "--corpus", "corpus").said
        return said.splitlines()[1].strip('"')

    def stored(self, address: str) -> "Place":
        """The same place, where object storage is at this address."""
        aws = {"AWS_ENDPOINT_URL": address, "AWS_REGION": "us-east-1", "AWS_ALLOW_HTTP": "true"}
        mine = {"AWS_ACCESS_KEY_ID": "a-key-id", "AWS_SECRET_ACCESS_KEY": "a-key"}
        return Place(self.root, self.code, aws | mine)

    @contextmanager
    def served(self, corpus: Path) -> Iterator[Callable[[str, str], int]]:
        """A server with a token. Yield what tells the status of a path that a token asks for."""
        (self.root / "token").write_text(TOKEN)
        call = ("-m", "pagequote", "serve", "--port", 0, "--token-file", "token", "--corpus", corpus)
        server = self.start(*call)
        assert server.stdout
        port = int(server.stdout.readline().rstrip(b"/\n").rpartition(b":")[2].partition(b"/")[0])

        def ask(path: str, token: str) -> int:
            if not path:
                return port
            headers = {"Authorization": f"Bearer {token}"}
            request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers=headers)
            try:
                with urllib.request.urlopen(request, timeout=10) as answer:
                    return int(answer.status)
            except urllib.error.HTTPError as error:
                return error.code
            except OSError:
                return 0

        try:
            yield ask
        finally:
            os.killpg(server.pid, signal.SIGKILL)
            server.wait()


Seen = tuple[bool, str]
"""Whether it holds, and what was seen."""


def last_line(ran: Ran) -> str:
    lines = ran.said.strip().splitlines() or [""]
    return f"exit status {ran.status}: {lines[-1][:150]}"


def b1(place: Place) -> Seen:
    """sql --safe writes over the corpus."""
    corpus = place.built()
    database = (corpus / "current").resolve() / "corpus.duckdb"
    before = sha256(database.read_bytes()).digest()
    query = f"COPY (SELECT 1 AS pwned) TO '{database}' (FORMAT csv, USE_TMP_FILE false)"
    ran = place.pagequote("sql", "--safe", query, "--corpus", corpus)
    kept = sha256(database.read_bytes()).digest() == before
    return kept, f"{last_line(ran)}; corpus.duckdb has {database.stat().st_size} bytes"


def b2(place: Place) -> Seen:
    """sql --safe takes more memory than its bound."""
    query = "SELECT len(range(0, 200000000))"
    ran = place.pagequote("sql", "--safe", query, "--corpus", place.built())
    return ran.mebibytes < 700, f"{ran.mebibytes:.0f} MiB, {ran.seconds:.0f} s; {last_line(ran)}"


def s1(place: Place) -> Seen:
    """600 silent connections shut a server for who has the token."""
    with place.served(place.built()) as ask, ExitStack() as held:
        port = ask("", "")
        for _ in range(600):
            with suppress(OSError):
                held.enter_context(socket.create_connection(("127.0.0.1", port), timeout=5))
        statuses = [ask("/api/papers", TOKEN) for _ in range(3)]
    return statuses == [200] * 3, f"answers beside them: {statuses}"


def s2(place: Place) -> Seen:
    """A queue as path of a PDF."""
    os.mkfifo(place.root / "a.pdf")
    ran = place.run("-c", "import pagequote; pagequote.verify_pdf('a.pdf', 'words')", seconds=15)
    return ran.status == 1, last_line(ran) if ran.status is not None else "no answer within 15 s"


def s3(place: Place) -> Seen:
    """One paragraph of 8 million characters in a .docx of a few kB."""
    (place.root / "a.docx").write_bytes(docx(paragraph("word " * 1_600_000)))
    size = (place.root / "a.docx").stat().st_size
    ran = place.pagequote("check", "a.docx", "--corpus", place.built())
    return ran.mebibytes < 700, f"{size / 1000:.0f} kB take {ran.mebibytes:.0f} MiB; {last_line(ran)}"


def _pinned(place: Place, quote: str) -> None:
    """A lock file of one pin, whose quotation was changed to `quote`, and a draft with it."""
    draft = place.root / "a.md"
    draft.write_text(f'It says "{WORDS}" [@marsh].\n')
    assert place.pagequote("pin", "a.md", "--corpus", place.built()).status == 0
    lock = place.root / "pagequote.lock"
    content = json.loads(lock.read_text())
    content["pins"][0]["quote"] = quote
    lock.write_text(json.dumps(content))
    draft.write_text(f'It says "{quote}" [@marsh].\n')


def s4(place: Place) -> Seen:
    """A pin whose quotation was forged is "verbatim" without a corpus."""
    _pinned(place, "P equals NP is proven in this paper beyond all doubt that a reader may have")
    shutil.move(place.root / "corpus", place.root / "elsewhere")
    ran = place.pagequote("check", "a.md", "--locked", "--all")
    return ran.status == 1 and "ok: verbatim" not in ran.said, f"exit status {ran.status}: {ran.said[:90]!r}"


def s5(place: Place) -> Seen:
    """Settings beside a document ask a storage, write over a file; a view reads one."""
    corpus, sent = place.built(), place.root / "sent"
    sent.mkdir()
    (sent / "a.md").write_text(f'It says "{WORDS}" [@marsh].\n')
    asked = []
    with socket.create_server(("127.0.0.1", 0)) as sink:

        def listen() -> None:
            with suppress(OSError):
                while True:
                    connection, _ = sink.accept()
                    asked.append(connection.recv(65536))
                    connection.sendall(b"HTTP/1.0 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
                    connection.close()

        Thread(target=listen, daemon=True).start()
        stored = place.stored(f"http://127.0.0.1:{sink.getsockname()[1]}")
        (sent / "pagequote.toml").write_text('[check]\ncorpus = "s3://attacker/corpus"\n')
        stored.pagequote("check", "sent/a.md", seconds=30)
    (place.root / "other.json").write_text("keep")
    (sent / "pagequote.toml").write_text('[check]\nbaseline = "../other.json"\n')
    place.pagequote("check", "sent/a.md", "--update-baseline", "--corpus", corpus)
    kept = (place.root / "other.json").read_text() == "keep"
    (place.root / "secret").write_text(SECRET)
    with duckdb.connect(str(corpus / "current/corpus.duckdb")) as connection:
        connection.execute("CREATE TABLE kept AS FROM papers")
        connection.execute("DROP TABLE papers")
        read = f"(SELECT content FROM read_text('{place.root}/secret'))"
        connection.execute(f"CREATE VIEW papers AS SELECT * REPLACE ({read} AS title) FROM kept")
    told = SECRET in place.pagequote("papers", "--corpus", corpus).said
    signed = sum(b"a-key-id" in one for one in asked)
    seen = f"signed requests to a stranger: {signed}; other.json kept: {kept}"
    return kept and not asked and not told, f"{seen}; file read by a view: {told}"


def f1(place: Place) -> Seen:
    """Ten wrong tokens, then the right one."""
    with place.served(place.built()) as ask:
        wrong = [ask("/api/papers", "wrong") for _ in range(11)]
        right = ask("/api/papers", TOKEN)
    return right == 200, f"wrong ones {sorted(set(wrong))}, then the right one {right}"


def f2(place: Place) -> Seen:
    """JSON nested without end as a lock file."""
    _pinned(place, WORDS)
    (place.root / "pagequote.lock").write_text("[" * 200_000)
    ran = place.pagequote("check", "a.md", "--locked", "--corpus", "corpus")
    return "Traceback" not in ran.said and "Error" not in last_line(ran), last_line(ran)


def f3(place: Place) -> Seen:
    """A frame of the language server whose length is no number."""
    server = place.start("-m", "pagequote", "lsp", stdin=subprocess.PIPE)
    asked = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"capabilities": {}}})
    assert server.stdin
    assert server.stdout
    frame = f"Content-Length: {len(asked)}\r\n\r\n{asked}"
    server.stdin.write(f"Content-Length: abc\r\n\r\n{asked}{frame}".encode())
    server.stdin.flush()  # and it stays open, as an editor keeps it
    try:
        server.wait(20)
    except subprocess.TimeoutExpired:
        os.killpg(server.pid, signal.SIGKILL)
        server.wait()
    said = server.stdout.read().decode().splitlines()
    ended = "neither an answer nor an end within 20 s" if server.returncode < 0 else said[-1][:150]
    return server.returncode == 2, ended


def f4(place: Place) -> Seen:
    """Comments in a .docx without relations."""
    corpus, made = place.built(), place.root / "a.docx"
    made.write_bytes(docx(paragraph(f"It says “{WORDS}” (Marsh, 2020).")))
    with zipfile.ZipFile(made) as whole, zipfile.ZipFile(place.root / "b.docx", "w") as copy:
        for name in whole.namelist():
            if name != "word/_rels/document.xml.rels":
                copy.writestr(name, whole.read(name))
    ran = place.pagequote("check", "b.docx", "--annotate", "c.docx", "--corpus", corpus)
    return (place.root / "c.docx").exists(), last_line(ran)


_CLOSING = """
import sys, threading, lookup
kinds = set()
for _ in range(10):
    corpus, begun = lookup.open(sys.argv[1]), threading.Barrier(9)
    def ask(corpus=corpus, begun=begun):
        begun.wait()
        for turn in range(40):
            try:
                corpus.quote("marsh", f"The marsh was measured at night {turn}")
                corpus.sql("SELECT count(*) FROM papers").fetchall()
            except Exception as error:
                kinds.add(type(error).__name__)
    threads = [threading.Thread(target=ask) for _ in range(8)]
    [one.start() for one in threads]
    begun.wait()
    corpus.close()
    [one.join() for one in threads]
print(*sorted(kinds))
"""


def f5(place: Place) -> Seen:
    """Errors of calls while the corpus is closed."""
    ran = place.run("-c", _CLOSING, place.built())
    return ran.status == 0 and set(ran.said.split()) <= {"ClosedCorpusError"}, last_line(ran)


def f6(place: Place) -> Seen:
    """`add` to a storage that says yes to each PUT and keeps nothing."""
    from moto.moto_server.werkzeug_app import DomainDispatcherApplication, create_backend_app
    from werkzeug.serving import make_server

    honest, lies = DomainDispatcherApplication(create_backend_app), list[bool]()
    logging.getLogger("werkzeug").setLevel(logging.ERROR)

    def storage(environ: Any, start: Any) -> Any:
        if lies and environ["REQUEST_METHOD"] == "PUT" and environ["PATH_INFO"].startswith("/bucket/"):
            environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
            start("200 OK", [("ETag", '"0"'), ("Content-Length", "0")])
            return [b""]
        return honest(environ, start)

    server = make_server("127.0.0.1", 0, storage, threaded=True)
    Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}"
    stored = place.stored(address)
    urllib.request.urlopen(urllib.request.Request(f"{address}/bucket", method="PUT")).close()
    stored.built()  # the paper
    given = ("--corpus", "s3://bucket/corpus", "--work", "work-stored")
    ran = stored.pagequote("build", "papers", "--workers", 1, *given)
    assert ran.status == 0, ran.said
    (place.root / "tide.pdf").write_bytes(pdf("The tide was low on that day, and nobody saw the ship."))
    lies.append(True)
    ran = stored.pagequote("add", "tide.pdf", *given)
    server.shutdown()
    return ran.status != 0, last_line(ran)


def f7(place: Place) -> Seen:
    """A disk that fills in `add`."""
    disk = place.root / "disk"
    disk.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=48m", "tmpfs", disk], check=True)
    try:
        on_disk = Place(disk, place.code)
        on_disk.built()
        (disk / "tide.pdf").write_bytes(pdf("The tide was low on that day, and nobody saw the ship."))
        free = os.statvfs(disk)
        (disk / "ballast").write_bytes(bytes(free.f_bavail * free.f_frsize - 400_000))
        ran = on_disk.pagequote("add", "tide.pdf", "--corpus", "corpus", "--work", "work")
        kept = [*(disk / "work").rglob("tide*.pdf")]
    finally:
        subprocess.run(["umount", "--lazy", disk], check=True)
    told = ran.status == 2 and ("'tide' is kept" in ran.said or not kept)
    return told, f"copy kept: {bool(kept)}; {last_line(ran)}"


def _failure(place: Place, *given: object) -> tuple[str, float]:
    """Why a.html is no paper, and how long a build took with it and the others."""
    place.built()
    began = time.monotonic()
    place.build("papers", "a.html", *given)
    took = time.monotonic() - began
    return place.value("SELECT string_agg(reason) FROM failures"), took


def f8(place: Place) -> Seen:
    """300,000 attributes of one element."""
    attributes = " ".join(f"a{number}='1'" for number in range(300_000))
    (place.root / "a.html").write_text(f"<html><body><p {attributes}>words of it</p></body></html>")
    reason, took = _failure(place, "--deadline", 30)
    return reason == "damaged", f"{reason or 'a paper'} after {took:.0f} s"


def f9(place: Place) -> Seen:
    """A page in ISO-2022-JP, and one of 500,000 paragraphs."""
    page = "<html><head><meta charset=iso-2022-jp></head><body><p>氷 ice, 流氷 and tide</p></body></html>"
    (place.root / "ice.html").write_bytes(page.encode("iso-2022-jp"))
    (place.root / "a.html").write_text("<html><body>" + "<p>words</p>" * 500_000 + "</body></html>")
    reason, _ = _failure(place, "ice.html")
    read = place.pagequote("document", "ice", "--corpus", "corpus").said.strip().splitlines()[-1]
    right = "氷 ice, 流氷 and tide" in read
    return right and bool(reason), f"{read[:60]!r}; 500,000 paragraphs: {reason or 'a paper'}"


def f10(place: Place) -> Seen:
    """Words that are no text, from Python."""
    code = "import sys, lookup; lookup.open(sys.argv[1]).verify(eval(sys.argv[2]))"
    corpus = place.built()
    said = [place.run("-c", code, corpus, words).said for words in ("None", "b'x'", "['a']")]
    ends = [one.strip().splitlines()[-1].partition(":")[0] for one in said]
    kinds = sorted({one.rpartition(".")[2] for one in ends})
    return kinds == ["QueryError"], ", ".join(kinds)


def f11(place: Place) -> Seen:
    """Whether anything tells that a parser is pinned late."""
    there = (place.code / "tools/newest.py").exists()
    return there, "tools/newest.py tells" if there else "nothing tells"


def w3(place: Place) -> Seen:
    """A build without --model after one with it."""
    models = place.root / "models"
    install_model(tiny_model(place.root / "source"), models / "tiny")
    with_model = Place(place.root, place.code, {"PAGEQUOTE_MODELS": str(models)})
    with_model.built("--model", models / "tiny")
    before = with_model.value("SELECT count(*) FROM vectors")
    shutil.rmtree(models)
    with_model.build("papers")
    after = with_model.value("SELECT count(*) FROM vectors")
    return before == after != "0", f"{before} vectors before, {after} after"


def w6(place: Place) -> Seen:
    """A copy that `highlight` marked beside its original."""
    corpus = place.built()
    place.pagequote("highlight", "marsh", WORDS, "--out", "a", "--corpus", corpus)
    (copy,) = (place.root / "a").rglob("*.pdf")
    copy.rename(place.root / "a/marsh.pdf")
    place.build("a", "papers")
    path = "/".join(Path(place.value("SELECT path FROM papers")).parts[-2:])
    return path == "papers/marsh.pdf", f"the paper is {path}"


FINDINGS = (b1, b2, s1, s2, s3, s4, s5, f1, f2, f3, f4, f5, f6, f7, f8, f9, f10, f11, w3, w6)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("checkout", type=Path, nargs="?", default=ROOT)
    parser.add_argument("--only", nargs="*", default=[one.__name__ for one in FINDINGS], help="some of them")
    given = parser.parse_args()
    rows = []
    for one in FINDINGS:
        name = one.__name__.upper()
        if name not in [some.upper() for some in given.only]:
            continue
        with tempfile.TemporaryDirectory() as folder:
            holds, seen = one(Place(Path(folder), given.checkout.resolve()))
        told = seen.replace("|", "\\|").replace(folder, "FOLDER")
        rows.append([name, str(one.__doc__).rstrip("."), told, "holds" if holds else "gives way"])
        print(*rows[-1], sep="; ", file=sys.stderr, flush=True)
    print(markdown_table(["finding", "tried", "seen", "it"], rows))
    print(f"\n{measured_on()}")
    sys.exit(any(row[3] != "holds" for row in rows))


if __name__ == "__main__":
    main()

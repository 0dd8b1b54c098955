"""Serving beyond this machine: the token, proxies, limits and the audit log of both servers."""

import json
import re
import socket
import threading
import urllib.error
import urllib.request
from datetime import datetime
from functools import partial
from html import unescape
from socket import gaierror

import anyio
import pytest
from starlette.applications import Starlette
from starlette.responses import HTMLResponse, JSONResponse, PlainTextResponse
from starlette.routing import Route
from starlette.testclient import TestClient

from pagequote.serving.access import TICKET_SECONDS, TokenAuth
from pagequote.serving.audit import AuditLog
from pagequote.serving.clients import OPEN_REQUESTS, FairQueue, counted_as, plain_refusals, rate_limited
from pagequote.serving.server_settings import ServerSettings
from pagequote.web.app import SIGN_IN, reading_room
from tests.support.command import pagequote
from tests.support.mcp_clients import http_server
from tests.support.rooms import Visitor, served
from tests.support.waiting import PATIENCE

TOKEN = "correct horse battery staple"
BEARER = {"Authorization": f"Bearer {TOKEN}"}
KEY, WORDS = "lindqvist2019", "a temperature response that was fitted to daytime data"
HTML = {"accept": "text/html"}


class Clock:
    def __init__(self):
        self.time = 1_000_000.0

    def __call__(self):
        return self.time


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture
def locked(corpus, clock):
    """A reading room with a token, behind a proxy with TLS."""
    return Visitor(corpus, keeper=TokenAuth(TOKEN, clock), address="https://127.0.0.1:8377")


def found(pattern, answer):
    """What the group of a pattern is in a page."""
    match = re.search(pattern, answer.text)
    assert match is not None
    return unescape(match[1])


def sign_in(room, token=TOKEN, opened="/papers", **headers):
    form = {"token": token, "opened": opened}
    return room.post(SIGN_IN, data=form, headers=headers, follow_redirects=False)


ADDRESSES = [
    "/",
    f"/quote?key={KEY}&query=night",
    "/search?query=night",
    "/papers",
    f"/paper?key={KEY}",
    f"/page?key={KEY}&page=1",
    f"/image?key={KEY}&page=1",
    "/draft",
    "/report",
    "/api",
    "/api/papers",
    f"/api/papers/{KEY}",
    "/api/openapi.json",
    "/static/../papers",
    "/turnips",
    "/static/turnips",
]


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("method", ["GET", "HEAD", "POST", "PUT", "OPTIONS"])
def test_a_stranger_reads_nothing_of_the_corpus(locked, corpus, address, method):
    for accepted in ({}, HTML):
        answer = locked.send(method, address, headers=accepted)
        assert answer.status_code in (401, 404, 405)
        for paper in corpus.papers():
            assert paper.key not in answer.text.replace(unescape(address), "").replace(KEY, "", 2)
        assert corpus.release.name not in answer.text


def test_a_stranger_is_asked_for_the_token_by_a_page_that_leads_on(locked):
    answer = locked.send("GET", f"/quote?key={KEY}&query=night%20%26%20day", headers=HTML)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"] == "Bearer"
    opened = found('name="opened" value="([^"]*)"', answer)
    assert opened == f"/quote?key={KEY}&query=night%20%26%20day"
    assert locked.get(found('href="(/static/[^"]+css[^"]*)"', answer)).status_code == 200
    signed = sign_in(locked, opened=opened)
    assert (signed.status_code, signed.headers["location"]) == (303, opened)
    assert "verdict" in locked.get(signed.headers["location"]).text


def test_the_cookie_is_for_this_server_alone_and_holds_no_token(locked):
    cookie = sign_in(locked).headers["set-cookie"]
    assert cookie.startswith("__Host-pagequote=")
    attributes = {part.strip().lower() for part in cookie.split(";")[1:]}
    assert {"httponly", "samesite=strict", "secure", "path=/", f"max-age={TICKET_SECONDS}"} <= attributes
    assert TOKEN not in cookie


def test_a_ticket_ends_after_a_day_and_with_its_token(clock):
    keeper = TokenAuth(TOKEN, clock)
    ticket = keeper.ticket()
    assert keeper.admits(ticket)
    assert not TokenAuth(TOKEN + "!", clock).admits(ticket)
    until, _, signature = ticket.partition(".")
    for forged in (
        "",
        ".",
        f"{int(until) + 1}.{signature}",
        f"{until}.",
        f"{until}.{signature}0",
        "é.é",
        f".{signature}",
    ):
        assert not keeper.admits(forged)
    clock.time += TICKET_SECONDS
    assert not keeper.admits(ticket)


def test_whoever_guesses_tokens_has_to_wait_but_others_do_not(corpus, clock):
    room = Visitor(corpus, keeper=TokenAuth(TOKEN, clock))
    signed_in = Visitor(corpus, keeper=TokenAuth(TOKEN, clock))
    sign_in(signed_in)
    for _ in range(10):
        assert sign_in(room, "wrong").status_code == 401
    assert sign_in(room, "wrong").status_code == 429
    assert room.send("GET", "/api/papers", headers={"Authorization": "Bearer no"}).status_code == 429
    assert signed_in.get("/papers").status_code == 200
    assert room.send("GET", "/api/papers", headers=BEARER).status_code == 200
    assert sign_in(room).status_code == 303  # behind the same proxy as whoever guesses
    assert sign_in(room, "wrong").status_code == 429
    clock.time += 60
    assert sign_in(room, "wrong").status_code == 401


@pytest.mark.parametrize(
    "opened",
    [
        "https://evil.example/",
        "//evil.example",
        "/\\evil.example",
        "/\t/evil.example",
        "javascript:alert(1)",
        "",
        "x",
        SIGN_IN,
        "/\n/e",
        "/é",
    ],
)
def test_signing_in_leads_nowhere_else(locked, opened):
    assert sign_in(locked, opened=opened).headers["location"] == "/"


def test_another_site_cannot_sign_anybody_in(locked):
    assert sign_in(locked, origin="https://evil.example").status_code == 403


@pytest.mark.parametrize(
    ("host", "counted"),
    [
        ("203.0.113.5", "203.0.113.5"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1::/56"),
        ("::ffff:203.0.113.5", "::ffff:203.0.113.5"),
        ("", ""),
        ("x\n", "x\n"),
    ],
)
def test_an_ipv6_network_is_one_client(host, counted):
    assert counted_as(host) == counted


def limited(clock, rate, client, handler=lambda _: PlainTextResponse("ok")):
    app = rate_limited(Starlette(routes=[Route("/", handler)]), rate, clock)
    return TestClient(app, client=(client, 50_000)), app


def test_a_client_has_so_many_requests_open_at_once(clock):
    answers: list[int] = []

    def asking_again(_):
        if len(answers) < OPEN_REQUESTS + 1:
            answers.append(client.get("/").status_code)
        return PlainTextResponse("ok")

    client, _ = limited(clock, 10_000, "203.0.113.5", asking_again)
    client.get("/")
    assert answers.count(429) >= 1
    before = answers.copy()
    answers.clear()
    client.get("/")  # all of them are closed, so that as many fit again
    assert answers == before


SERVERS = [("serve",), ("mcp", "--http")]


@pytest.mark.parametrize("command", SERVERS)
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--host", "0.0.0.0"), "--token-file"),
        (("--host", "::"), "--token-file"),
        (("--host", "0.0.0.0", "--token-file", "token"), "--allowed-host"),
        (("--token-file", "short"), "has 5 characters; it needs at least 16"),
        (("--token-file", "missing"), "The token cannot be read"),
        (("--audit-log", "missing/log"), "The log"),
    ],
)
def test_a_door_that_stands_open_or_cannot_be_shut_is_refused(corpus_path, tmp_path, command, options, said):
    (tmp_path / "token").write_text(TOKEN)
    (tmp_path / "short").write_text("short\n")
    done = pagequote(*command, "--port", 0, "--corpus", corpus_path, *options, cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr
    assert TOKEN not in done.stderr


NO_ADDRESSES: dict[str, tuple[str, OSError | None, str]] = {
    "of another machine": ("192.0.2.1", None, "Cannot assign requested address"),
    "that is busy": ("127.0.0.1", None, "Address already in use"),
    "without a right to the port": ("::1", PermissionError(13, "Permission denied"), "Permission denied"),
    "that no name server knows": ("nowhere.example", gaierror(-2, "Name unknown"), "Name unknown"),
    "that can be no name": ("é" * 80, None, "encoding"),
}


@pytest.mark.parametrize("command", SERVERS)
@pytest.mark.parametrize(("host", "error", "said"), NO_ADDRESSES.values(), ids=NO_ADDRESSES)
def test_an_address_that_is_not_to_be_had_is_told_in_one_sentence(
    corpus_path, monkeypatch, command, host, error, said
):
    with socket.create_server(("127.0.0.1", 0)) as busy:
        port = busy.getsockname()[1]
        if error is not None:
            monkeypatch.setattr("pagequote.serving.listening._Listening", _refusing(error))
        done = pagequote(*command, "--host", host, "--port", port, "--corpus", corpus_path)
    assert (done.returncode, done.stdout) == (2, "")
    (line,) = done.stderr.splitlines()
    assert line.startswith(f"pagequote: Cannot listen on {host} port {port} (")
    assert said in line
    assert line.endswith("). Choose another with --port or --host.")


def _refusing(error):
    class Refusing(socket.socket):
        def bind(self, address):
            del address
            raise error

    return Refusing


@pytest.mark.parametrize(
    ("door", "called", "not_called"),
    [
        (
            ServerSettings("127.0.0.1"),
            ["127.0.0.1", "localhost", "[::1]"],
            ["evil.example", "0.0.0.0", "127.0.0.2"],
        ),
        (
            ServerSettings("::1"),
            ["127.0.0.1", "localhost", "[::1]"],
            ["evil.example", "[::2]", "::1.evil.example"],
        ),
        (
            ServerSettings("0.0.0.0", allowed_hosts=("lab",)),
            ["lab", "localhost"],
            ["lab.evil.example", "192.0.2.7"],
        ),
        (ServerSettings("192.0.2.7"), ["192.0.2.7"], ["localhost", "127.0.0.1", "192.0.2.70"]),
    ],
)
def test_a_server_answers_by_the_names_of_its_address_alone(corpus, door, called, not_called):
    room = TestClient(reading_room(corpus, lambda *_, **__: b"", door.names))
    for host in called:
        for named in (host, f"{host}:8377"):
            assert room.get("/health", headers={"Host": named}).status_code == 200
    for host in not_called:
        assert room.get("/health", headers={"Host": host}).status_code == 400


def test_the_log_is_for_its_owner_and_one_that_cannot_be_written_stops_nobody(tmp_path, capsys):
    log = AuditLog(tmp_path / "log")
    assert (tmp_path / "log").stat().st_mode & 0o777 == 0o600
    log.write({"client": "\x1b]0;x\x07\n::error::\u202e"})
    (line,) = (tmp_path / "log").read_text().splitlines()
    assert line.isascii()
    assert line.isprintable()
    (tmp_path / "log").rename(tmp_path / "older")
    log.write({"client": "after logrotate"})
    assert "after logrotate" in (tmp_path / "log").read_text()
    (tmp_path / "log").unlink()
    (tmp_path / "log").mkdir()
    log.write({})
    log.write({})
    assert capsys.readouterr().err.count("cannot be written") == 1


# The commands


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A token in a file."""
    folder = tmp_path_factory.mktemp("door")
    (folder / "token").write_text(f"{TOKEN}\n")
    return folder


class Stay(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_):
        return None


def ask(address, headers, body=None):
    """Status, headers and text of an answer."""
    opener = urllib.request.build_opener(Stay())
    try:
        answer = opener.open(urllib.request.Request(address, body, headers), timeout=PATIENCE)
    except urllib.error.HTTPError as error:
        answer = error
    with answer:
        return answer.status, answer.headers, answer.read().decode()


def logged(file):
    return [json.loads(line) for line in file.read_text().splitlines()]


@pytest.mark.long
@pytest.mark.system
def test_the_reading_room_is_opened_to_others_by_token_and_notes_who_asked(corpus_path, files, tmp_path):
    log = tmp_path / "audit.jsonl"
    options = (
        "--host",
        "0.0.0.0",
        "--allowed-host",
        "library.example",
        "--token-file",
        files / "token",
    )
    with served(corpus_path, *options, "--audit-log", log) as (announced, _):
        assert announced.startswith("http://0.0.0.0:")
        address = announced.replace("0.0.0.0", "127.0.0.1")
        asked = f"{address}quote?key={KEY}&query={WORDS.replace(' ', '+')}"
        status, _, page = ask(asked, HTML)
        assert (status, WORDS in page.replace("+", " ").split("<form")[0]) == (401, False)
        _, headers, _ = ask(f"{address}sign-in", {}, f"token={TOKEN.replace(' ', '+')}&opened=/".encode())
        assert headers["location"] == "/"
        cookie = {"Cookie": headers["set-cookie"].split(";")[0]}
        assert "verbatim" in ask(asked, {**HTML, **cookie, "Host": "library.example"})[2]
        assert ask(f"{address}api/papers/{KEY}", BEARER)[0] == 200
        assert ask(f"{address}papers", {**cookie, "Host": "evil.example"})[0] == 400
    lines = logged(log)
    assert [(one["call"], one["status"]) for one in lines] == [
        ("GET /{rest}", 401),
        ("POST /sign-in", 303),
        ("GET /quote", 200),
        ("GET /api/papers/{key}", 200),
        ("GET -", 400),
    ]
    assert {(one["face"], one["client"]) for one in lines} == {("web", "127.0.0.1")}
    assert all(datetime.fromisoformat(one["time"]) and isinstance(one["ms"], int) for one in lines)
    assert not re.search(f"{KEY}|{TOKEN}|temperature", log.read_text())


@pytest.mark.long
@pytest.mark.system
def test_agents_show_the_token_and_the_log_names_their_tools(corpus_path, files, tmp_path):
    log = tmp_path / "audit.jsonl"
    with http_server(corpus_path, "--token-file", files / "token", "--audit-log", log) as (address, _):
        told = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
        calls = [
            {"name": "get_quote", "arguments": {"key": KEY, "query": WORDS}},
            {"name": "turnips", "arguments": {}},
        ]
        bodies = [
            json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": one}).encode()
            for one in calls
        ]
        assert ask(address, told, body=bodies[0])[0] == 401
        assert ask(address, {**told, "Authorization": "Bearer wrong"}, body=bodies[0])[0] == 401
        assert "verbatim" in ask(address, {**told, **BEARER}, body=bodies[0])[2]
        ask(address, {**told, **BEARER}, body=bodies[1])
    assert [(one["face"], one["call"], one["status"]) for one in logged(log)] == [
        ("mcp", "POST -", 401),
        ("mcp", "POST -", 401),
        ("mcp", "POST /mcp get_quote", 200),
        ("mcp", "POST /mcp", 200),
    ]


@pytest.mark.long
@pytest.mark.system
def test_behind_a_proxy_its_clients_are_told_apart_and_its_tls_counts(corpus_path, files, tmp_path):
    log = tmp_path / "audit.jsonl"
    options = (
        "--allowed-host",
        "library.example",
        "--token-file",
        files / "token",
        "--trusted-proxy",
        "127.0.0.1",
        "--rate",
        3,
        "--audit-log",
        log,
    )
    with served(corpus_path, *options) as (address, _):

        def come(client, body=None, path="papers", **headers):
            passed = {
                "Host": "library.example",
                "X-Forwarded-Proto": "https",
                "X-Forwarded-For": f"127.0.0.1, {client}",
                **BEARER,
            }
            return ask(address + path, {**passed, **headers}, body=body)

        assert [come("203.0.113.5")[0] for _ in range(4)] == [200, 200, 200, 429]
        form = f"token={TOKEN.replace(' ', '+')}&opened=/".encode()
        _, headers, _ = come("203.0.113.6", form, "sign-in", Origin="https://library.example")
        assert headers["set-cookie"].startswith("__Host-pagequote=")
        assert "secure" in headers["set-cookie"].lower()
    assert [one["client"] for one in logged(log)] == ["203.0.113.5"] * 4 + ["203.0.113.6"]


def test_each_client_that_waits_has_its_turn():
    """One client has asked for five things before two others ask: they come second and third."""
    done, at_work, go_on = [], threading.Event(), threading.Event()

    def first():
        at_work.set()
        assert go_on.wait(PATIENCE)
        done.append("many 0")

    async def asked():
        turns = FairQueue(1)
        async with anyio.create_task_group() as group:
            group.start_soon(turns.do, "many", first)
            while not at_work.is_set():
                await anyio.lowlevel.checkpoint()
            for number in range(1, 5):
                group.start_soon(turns.do, "many", partial(done.append, f"many {number}"))
            for name in ("one", "other"):
                group.start_soon(turns.do, name, partial(done.append, name))
            await anyio.wait_all_tasks_blocked()
            taken_back = anyio.CancelScope()

            async def gives_up():
                with taken_back:
                    await turns.do("gone", partial(done.append, "gone"))

            group.start_soon(gives_up)
            await anyio.wait_all_tasks_blocked()
            taken_back.cancel()
            go_on.set()
        return await turns.do("one", lambda: "free again")

    assert anyio.run(asked) == "free again"
    assert done == ["many 0", "many 1", "one", "other", "many 2", "many 3", "many 4"]


@pytest.mark.parametrize(
    ("status", "told"),
    [(400, "--allowed-host"), (404, "/mcp"), (405, ""), (413, "smaller"), (503, "Wait")],
)
def test_plain_refusals_are_told_in_json_with_what_to_do(status, told):
    plain = PlainTextResponse("No.", status, {"Allow": "POST"})
    answer = TestClient(plain_refusals(plain, "/mcp")).get("/")
    assert (answer.status_code, answer.headers["allow"]) == (status, "POST")
    assert told in answer.json()["error"]["message"]
    for kept in (HTMLResponse("No.", 404), JSONResponse({"error": {}}, 404), PlainTextResponse("Yes.")):
        answer = TestClient(plain_refusals(kept, "/mcp")).get("/")
        assert answer.content == kept.body

"""Work that takes long is killed, and requests that are never sent to their end are given up."""

import asyncio
import math
import os
import socket
from contextlib import ExitStack, asynccontextmanager
from functools import partial
from unittest.mock import MagicMock, patch

import pytest
import uvicorn
from uvicorn.server import ServerState

from lookup.errors import BusyError, UnknownKeyError
from pagequote.calls.killable import Killable, TooLongError
from pagequote.calls.registry import CALLS
from pagequote.serving.listening import HurriedProtocol
from pagequote.web.judged_draft import examined
from pipeline.processes import killable_process
from tests.support.samples import sample_papers
from tests.support.waiting import PATIENCE

KEY = sample_papers()[0].key
ENDLESS = "This was stopped after 1 seconds. Ask for less at once."


def hang(_corpus):
    while True:
        pass


def crash(_corpus):
    os._exit(3)


def unknown(corpus):
    return corpus.quote("nobody2020", "words of nobody")


@pytest.mark.long
@pytest.mark.system
def test_long_work_is_killed_and_what_comes_after_it_is_done(corpus, monkeypatch):
    killable = Killable(processes=1, seconds=PATIENCE)
    try:
        killable.warm(corpus)
        draft = partial(examined, name="draft.md", content=f"“Nobody wrote these words” [@{KEY}].".encode())
        assert [one.verdict for one in killable(draft, corpus).findings] == ["not found"]
        with monkeypatch.context() as patch:
            patch.setattr(killable, "_seconds", 1.0)
            patch.setattr(killable_process, "processor_seconds", lambda _pid: math.nan)  # it had its time
            with pytest.raises(TooLongError, match=ENDLESS):
                killable(hang, corpus)
            patch.setattr(killable_process, "processor_seconds", lambda _pid: 0.0)
            with pytest.raises(BusyError, match="in 6 seconds: the machine is busy"):
                killable(hang, corpus)
        with pytest.raises(TooLongError, match="ended the process"):
            killable(crash, corpus)
        with pytest.raises(UnknownKeyError) as raised:
            killable(unknown, corpus)
        assert raised.value.key == "nobody2020"
        assert killable(draft, corpus).findings
    finally:
        killable.close()


@pytest.mark.parametrize(
    ("quotes", "long"),
    [
        ([{"key": KEY, "quote": "people prefer to work by day", "page": 1}], False),
        ([{"key": KEY, "quote": "people prefer to work by day"}] * 5, False),
        ([{"key": KEY, "quote": "people prefer to work by day"}] * 6, True),
        ([{"key": KEY, "quote": "people prefer " * 150}], True),
    ],
)
def test_few_quotations_are_judged_at_once_and_many_where_they_can_be_killed(corpus, quotes, long):
    handed = []

    def doing(work, corpus):
        handed.append(work)
        return work(corpus)

    (call,) = (one for one in CALLS if one.name == "check_quotes")
    reply = call.answer(corpus, 8_000, {"quotes": quotes}, lenient=True, long=doing)
    assert vars(reply)["results"]
    assert bool(handed) is long


class Impatient(HurriedProtocol):
    seconds = header_seconds = 1.0


async def answer(_scope, receive, send):
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


@asynccontextmanager
async def listening(app, protocol=HurriedProtocol):
    """The address of a server in this loop."""
    config = uvicorn.Config(
        app, http=protocol, log_config=None, ws="none", forwarded_allow_ips=[], timeout_keep_alive=10_000
    )
    config.load()
    made = partial(protocol, config, ServerState(), {})
    async with await asyncio.get_running_loop().create_server(made, "127.0.0.1", 0) as server:
        yield server.sockets[0].getsockname()


async def said(*sent: bytes, protocol=Impatient) -> bytes:
    """All that the server says to a client that sends this, and then nothing more, until the server hangs
    up.
    """
    async with listening(answer, protocol) as place:
        reader, writer = await asyncio.open_connection(*place)
        answers = b""
        for part in sent:
            writer.write(part)
            answers += await reader.readuntil(b"ok") if part.endswith(b"\r\n\r\n") and b"GET" in part else b""
        answers += await asyncio.wait_for(reader.read(), PATIENCE)
        writer.close()
    return answers


GET = b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
POST = b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nhalf"


@pytest.mark.parametrize(
    ("sent", "answers"),
    [
        ((b"",), 0),
        ((b"GET / HTTP/1.1\r\nHo",), 0),
        ((POST,), 0),
        ((GET, GET), 2),
        ((GET, b"GET / HT"), 1),
        ((GET, POST), 1),
    ],
    ids=["nothing", "half a head", "half a body", "two requests", "then half a head", "then half a body"],
)
def test_a_connection_that_waits_for_the_rest_of_a_request_is_closed(sent, answers):
    assert asyncio.run(said(*sent)).count(b" 200 ") == answers


async def answered_beside(silent: int) -> bytes:
    """What a client is told that asks beside so many connections that say nothing, or half a head."""
    async with listening(answer) as place:
        asking, asks = await asyncio.open_connection(*place)
        asks.write(POST)  # it waits for the rest of a body: that is no silence
        held = [await asyncio.open_connection(*place) for _ in range(silent)]
        for _, writer in held[::2]:
            writer.write(b"GET / HT")
        reader, writer = await asyncio.open_connection(*place)
        writer.write(GET)
        said = await asyncio.wait_for(reader.readuntil(b"ok"), PATIENCE)
        asks.write(b"-bytes")
        said += await asyncio.wait_for(asking.readuntil(b"ok"), PATIENCE)
        for one in (writer, asks, *(writer for _, writer in held)):
            one.close()
    return said


async def answered_before(silent: int) -> bytes:
    """What a client is told that has asked before so many others connect, and none was read yet."""
    async with listening(answer) as place:
        with ExitStack() as held:
            asks = held.enter_context(socket.create_connection(place))
            asks.sendall(GET)
            for _ in range(silent):
                held.enter_context(socket.create_connection(place))
            reader, writer = await asyncio.open_connection(sock=asks)
            said = await asyncio.wait_for(reader.readuntil(b"ok"), PATIENCE)
            writer.close()
    return said


def test_who_has_asked_does_not_give_way_to_a_flood(monkeypatch):
    monkeypatch.setattr("pagequote.serving.listening.MOST_CONNECTIONS", 8)
    assert b" 200 " in asyncio.run(answered_before(30))


class Owing(HurriedProtocol):
    owing_seconds = 0.0


async def answered_beside_owing(owing: int, app, protocol) -> bytes:
    """What a client is told that asks beside so many connections that owe a body, all of them read."""
    async with listening(app, protocol) as place:
        held = []
        for _ in range(owing):
            reader, writer = await asyncio.open_connection(*place)
            writer.write(POST.replace(b"Host: a", b"Host: a\r\nExpect: 100-continue"))
            await asyncio.wait_for(reader.read(1), PATIENCE)  # its head was read, or there was no room
            held.append(writer)
        reader, writer = await asyncio.open_connection(*place)
        writer.write(GET)
        said = await asyncio.wait_for(reader.read(12), PATIENCE)
        for one in (writer, *held):
            one.close()
    return said


@pytest.mark.parametrize(("most", "of_one"), [(8, 100), (100, 8)], ids=["in all", "of an address"])
def test_connections_that_owe_a_body_give_way_to_who_asks(monkeypatch, most, of_one):
    monkeypatch.setattr("pagequote.serving.listening.MOST_CONNECTIONS", most)
    monkeypatch.setattr("pagequote.serving.listening.MOST_OF_ONE", of_one)
    monkeypatch.setattr("pagequote.serving.listening.is_loopback", lambda _: most < of_one)
    assert asyncio.run(answered_beside_owing(30, answer, Owing)) == b"HTTP/1.1 200"


async def kept(clients: list[str]) -> int:
    """How many connections of clients with these addresses stay open."""
    config = uvicorn.Config(answer, http=HurriedProtocol, log_config=None)
    config.load()
    state = ServerState()
    made: list[MagicMock] = []
    for client in clients:
        one, transport = HurriedProtocol(config, state, {}), MagicMock(spec=asyncio.Transport)
        transport.is_closing.return_value = False
        transport.abort.side_effect = lambda closed=transport.is_closing: setattr(
            closed, "return_value", True
        )
        about = {"peername": (client, 1), "sockname": ("::", 1), "sslcontext": None}
        transport.get_extra_info.side_effect = lambda name, about=about: about.get(name)
        with patch("pagequote.serving.listening._has_unread", return_value=False):
            one.connection_made(transport)
        made.append(transport)
    for there in list(state.connections):
        there.connection_lost(None)
    return sum(not transport.is_closing() for transport in made)


@pytest.mark.parametrize(
    ("network", "stay"),
    [("2001:db8::{:x}", 8), ("2001:db8:0:{:x}::1", 8), ("2001:db8:{:x}::1", 24)],
    ids=["of one /64", "of one /56", "of others"],
)
def test_addresses_of_one_ipv6_network_are_counted_together(monkeypatch, network, stay):
    monkeypatch.setattr("pagequote.serving.listening.MOST_OF_ONE", 8)
    assert asyncio.run(kept([network.format(number + 1) for number in range(24)])) == stay


@pytest.mark.parametrize(("most", "of_one"), [(8, 100), (100, 8)], ids=["in all", "of an address"])
def test_connections_that_say_nothing_give_way_to_who_asks(monkeypatch, most, of_one):
    monkeypatch.setattr("pagequote.serving.listening.MOST_CONNECTIONS", most)
    monkeypatch.setattr("pagequote.serving.listening.MOST_OF_ONE", of_one)
    monkeypatch.setattr("pagequote.serving.listening.is_loopback", lambda _: most < of_one)
    assert asyncio.run(answered_beside(30)).count(b" 200 ") == 2

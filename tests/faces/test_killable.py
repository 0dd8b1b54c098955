"""Work that takes long is killed, and requests that are never sent to their end are given up."""

import asyncio
import json
import os
import pickle
import socket
from contextlib import ExitStack
from functools import partial

import pytest
import uvicorn
from uvicorn.server import ServerState

from lookup.errors import UnknownKeyError
from pagequote.calls.killable import Killable, TooLongError
from pagequote.calls.registry import CALLS
from pagequote.serving.listening import HurriedProtocol
from pagequote.web.draft_page import examined
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


@pytest.mark.system
def test_long_work_is_killed_and_what_comes_after_it_is_done(corpus, monkeypatch):
    killable = Killable(processes=1, seconds=PATIENCE)
    try:
        killable.warm(corpus)
        draft = partial(examined, name="draft.md", content=f"“Nobody wrote these words” [@{KEY}].".encode())
        assert [one.verdict for one in killable(draft, corpus).findings] == ["not found"]
        with monkeypatch.context() as patch:
            patch.setattr(killable, "_seconds", 1.0)
            with pytest.raises(TooLongError, match=ENDLESS):
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


def test_errors_come_out_of_a_process_as_they_were(corpus):
    with pytest.raises(UnknownKeyError) as raised:
        unknown(corpus)
    other = pickle.loads(pickle.dumps(raised.value))
    assert (type(other), str(other), vars(other)) == (UnknownKeyError, str(raised.value), vars(raised.value))


class Impatient(HurriedProtocol):
    seconds = header_seconds = 0.05


async def answer(_scope, receive, send):
    while (await receive()).get("more_body"):
        pass
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


async def said(*sent: bytes) -> bytes:
    """All that the server says to a client that sends this, and then nothing more, until the server hangs
    up.
    """
    config = uvicorn.Config(answer, http=Impatient, log_config=None)
    config.load()
    made = partial(Impatient, config, ServerState(), {})
    async with await asyncio.get_running_loop().create_server(made, "127.0.0.1", 0) as server:
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        answers = b""
        for part in sent:
            writer.write(part)
            answers += await reader.readuntil(b"ok") if part.endswith(b"\r\n\r\n") and b"GET" in part else b""
        answers += await asyncio.wait_for(reader.read(), 30)
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
    config = uvicorn.Config(answer, http=HurriedProtocol, log_config=None)
    config.load()
    made = partial(HurriedProtocol, config, ServerState(), {})
    async with await asyncio.get_running_loop().create_server(made, "127.0.0.1", 0) as server:
        place = server.sockets[0].getsockname()
        asking, asks = await asyncio.open_connection(*place)
        asks.write(POST)  # it waits for the rest of a body: that is no silence
        held = [await asyncio.open_connection(*place) for _ in range(silent)]
        for _, writer in held[::2]:
            writer.write(b"GET / HT")
        reader, writer = await asyncio.open_connection(*place)
        writer.write(GET)
        said = await asyncio.wait_for(reader.readuntil(b"ok"), 30)
        asks.write(b"-bytes")
        said += await asyncio.wait_for(asking.readuntil(b"ok"), 30)
        for one in (writer, asks, *(writer for _, writer in held)):
            one.close()
    return said


async def answered_before(silent: int) -> bytes:
    """What a client is told that has asked before so many others connect, and none was read yet."""
    config = uvicorn.Config(answer, http=HurriedProtocol, log_config=None)
    config.load()
    made = partial(HurriedProtocol, config, ServerState(), {})
    async with await asyncio.get_running_loop().create_server(made, "127.0.0.1", 0) as server:
        place = server.sockets[0].getsockname()
        with ExitStack() as held:
            asks = held.enter_context(socket.create_connection(place))
            asks.sendall(GET)
            for _ in range(silent):
                held.enter_context(socket.create_connection(place))
            reader, writer = await asyncio.open_connection(sock=asks)
            said = await asyncio.wait_for(reader.readuntil(b"ok"), 30)
            writer.close()
    return said


def test_who_has_asked_does_not_give_way_to_a_flood(monkeypatch):
    monkeypatch.setattr("pagequote.serving.listening.MOST_CONNECTIONS", 8)
    assert b" 200 " in asyncio.run(answered_before(30))


def test_what_is_no_http_is_refused_in_json():
    told = asyncio.run(said(b"GARBAGE\r\n\r\n"))
    assert b" 400 " in told
    assert json.loads(told.partition(b"\r\n\r\n")[2])["error"]["type"] == "NoHTTP"


@pytest.mark.parametrize(("most", "of_one"), [(8, 100), (100, 8)], ids=["in all", "of an address"])
def test_connections_that_say_nothing_give_way_to_who_asks(monkeypatch, most, of_one):
    monkeypatch.setattr("pagequote.serving.listening.MOST_CONNECTIONS", most)
    monkeypatch.setattr("pagequote.serving.listening.MOST_OF_ONE", of_one)
    monkeypatch.setattr("pagequote.serving.listening.is_loopback", lambda _: most < of_one)
    assert asyncio.run(answered_beside(30)).count(b" 200 ") == 2

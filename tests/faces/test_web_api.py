"""The JSON API: addresses, methods and bodies; tests/faces/test_faces.py has what it answers and refuses."""

from collections.abc import Iterator
from typing import Any

import pytest
from starlette.applications import Starlette
from starlette.routing import Mount
from starlette.testclient import TestClient

import lookup
from pagequote.serving.clients import plain_refusals
from pagequote.web.api import api_routes

KEY = "lindqvist2019"


@pytest.fixture(scope="module")
def app(corpus: lookup.Corpus) -> Starlette:
    """An application that has the API where the reading room has it."""
    return Starlette(routes=[Mount("/api", routes=api_routes(lambda: corpus))])


@pytest.fixture(scope="module")
def api(app: Starlette) -> Iterator[TestClient]:
    """A client of it, as a server serves it."""
    with TestClient(plain_refusals(app, "/api"), base_url="http://localhost/api") as client:
        yield client


def _answer(api: TestClient, address: str, **values: Any) -> Any:
    response = api.get(address, params=values)
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "application/json"
    return response.json()


def test_sentences_and_similar_paragraphs_are_found_by_meaning(meaningful):
    app = Starlette(routes=[Mount("/api", routes=api_routes(lambda: meaningful))])
    with TestClient(app, base_url="http://localhost/api") as api:
        query = "At night more carbon dioxide is released than by day."
        expected = meaningful.sentences(query, 4)
        answer = _answer(api, "sentences", query=query, limit=3)
        assert answer["sentences"] == [one.to_dict() for one in expected[:3]]
        assert answer["next_offset"] == (3 if len(expected) > 3 else None)
        short = _answer(api, "sentences", query=query, limit=3, detail="short")["sentences"]
        assert [one["text"] for one in short] == [one.text for one in expected[:3]]
        place = expected[0]
        answer = _answer(api, "search", like=f"{place.key}:{place.paragraph}", n=2)
        assert answer["hits"] == [
            one.to_dict() for one in meaningful.similar(place.key, place.paragraph, 2).hits
        ]
        assert place.key not in {one["key"] for one in answer["hits"]}


@pytest.mark.parametrize(
    ("method", "address", "body", "status", "kind"),
    [
        ("GET", f"quote?key={KEY}&key={KEY}&query=day", None, 400, "ArgumentError"),
        ("GET", f"papers/{KEY}/pages/1?page=2", None, 400, "ArgumentError"),
        ("GET", "papers/..%2F..%2Fetc/pages/1", None, 404, "UnknownKeyError"),
        ("GET", "grep?phrase=day&limit=100000000000000000000", None, 400, "ArgumentError"),
        ("GET", "nothing", None, 404, "NotFound"),
        ("GET", "verify", None, 405, "MethodNotAllowed"),
        ("POST", "quote", b"{}", 405, "MethodNotAllowed"),
        ("DELETE", f"papers/{KEY}", None, 405, "MethodNotAllowed"),
        ("POST", "verify", b"", 400, "ArgumentError"),
        ("POST", "verify", b"[1]", 400, "ArgumentError"),
        ("POST", "verify", b'{"quotes": NaN}', 400, "ArgumentError"),
        ("POST", "verify", b'{"quotes": [{"key": "a", "quote": "\\ud83d"}]}', 400, "ArgumentError"),
        ("POST", "verify", b'{"quotes": [{"key": "a", "quote": "b", "page": []}]}', 400, "ArgumentError"),
        ("POST", "verify", b"\xff\xfe", 400, "ArgumentError"),
        ("POST", "verify", b"[" * 100_000, 400, "ArgumentError"),
        ("POST", "verify", b" " * 300_000, 413, "TooLarge"),
    ],
)
def test_what_is_no_request_of_the_api_is_refused_in_json(api, method, address, body, status, kind):
    response = api.request(method, address, content=body)
    assert response.status_code == status, response.text
    error = response.json()["error"]
    assert error["type"] == kind
    assert error["message"].endswith((".", "?"))
    assert len(error["message"]) < 500
    if status == 405:
        assert response.headers["allow"] in ("GET, HEAD", "POST")


def test_keys_with_slashes_have_addresses(tmp_path):
    from tests.support.builds import build
    from tests.support.pdfs import pdf

    (tmp_path / "a.pdf").write_bytes(pdf("A paper whose key is a path, as some libraries have them."))
    (tmp_path / "a.bib").write_text("@article{10.1000/pages/7, file = {a.pdf}}", encoding="utf-8")
    build([tmp_path / "a.bib"], tmp_path)
    with lookup.open(tmp_path / "corpus") as opened:
        app = Starlette(routes=api_routes(lambda: opened))
        with TestClient(app) as client:
            assert (
                client.get("/papers/10.1000%2Fpages%2F7/pages/1")
                .json()["text"]
                .startswith("A paper whose key")
            )
            assert client.get("/openapi.json").json()["servers"] == [{"url": "/"}]


def test_a_corpus_that_is_not_there_is_told_without_its_folder():
    def missing() -> lookup.Corpus:
        return lookup.open("srv/nowhere/corpus")

    with TestClient(Starlette(routes=api_routes(missing))) as client:
        response = client.get("/papers")
    assert response.status_code == 503
    assert response.json()["error"]["type"] == "CorpusNotFoundError"
    assert "nowhere" not in response.text

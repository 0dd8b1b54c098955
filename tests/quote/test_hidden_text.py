"""What no reader sees is in the tables, and in no answer of any face."""

import re
from pathlib import Path

import pytest

import lookup
from lookup.release.schema import OF_PAGE, PUT_ON
from pagequote.calls.registry import CALLS
from tests.support.builds import corpus_of
from tests.support.command import pagequote
from tests.support.hidden_text import AFTER, BY, COVERED, HIDDEN, SECRET, pdf_with_secret
from tests.support.project import ROOT
from tests.support.rooms import Visitor

KEYS = {how: how.replace(" ", "-") for how in HIDDEN}
WORDS = "recommends the paper at once"
MARK = "says no more"
"""The end of SECRET, which no query has."""

STATEMENT = re.compile(r"(?<!SELECT key, row_number )\b(?:FROM|JOIN) paragraphs\b(?! WHERE row_number IN)")


@pytest.fixture(scope="module")
def hiding(tmp_path_factory):
    """A corpus of one paper for each way to hide a line."""
    files = {f"{key}.pdf": pdf_with_secret(HIDDEN[how]) for how, key in KEYS.items()}
    with corpus_of(tmp_path_factory.mktemp("hiding"), files) as corpus:
        yield corpus


@pytest.mark.parametrize("key", KEYS.values())
def test_hidden_words_are_not_found_and_the_note_says_why(hiding, key):
    for words in (SECRET, WORDS, f"{AFTER} {SECRET}"):
        answer = hiding.quote(key, words)
        assert not any(match.verdict in ("verbatim", "abridged", "near") for match in answer.matches)
    answer = hiding.quote(key, WORDS, page=1)
    assert not answer.matches
    assert "in the file, on page 1, but no reader sees them" in answer.hint
    judged = hiding.verify(WORDS, key)
    assert (judged.verdict, judged.hint, bool(judged)) == ("not found", answer.hint, False)


def test_no_search_and_no_text_of_a_paper_has_hidden_words(hiding):
    assert not hiding.grep(WORDS)
    assert MARK not in repr(hiding.search(SECRET, limit=50, per_paper=50, mode="lexical").to_dict()["hits"])
    assert not hiding.sql("FROM find_quote(?, ?)", [KEYS["white"], WORDS]).fetchall()
    assert not hiding.sql("FROM search_words('whoever once')").fetchall()
    for search in (hiding.search_context, hiding.search_exact_phrase, hiding.search_boolean_and):
        assert MARK not in repr(search(["whoever", "recommends"]))
    for key in KEYS.values():
        end = len(hiding.document(key))
        shown = (
            hiding.document(key),
            hiding.page(key, 1),
            hiding.context(key, end),
            hiding.excerpt(key, SECRET),
        )
        assert not any(MARK in text for text in shown)
        with pytest.raises(lookup.PageQuoteError, match="there is no paragraph"):
            hiding.similar(key, hiding.sql("SELECT max(paragraph) FROM paragraphs").fetchone()[0])


BY_VECTORS = ("search_sentences", "similar")
"""Calls that read vectors, of which hidden text has none."""


@pytest.mark.parametrize(
    "call", [call for call in CALLS if call.name not in BY_VECTORS], ids=lambda call: call.name
)
def test_no_call_of_agents_or_programs_shows_hidden_words(hiding, call):
    key = KEYS["white"]
    words = dict.fromkeys(("query", "quote", "text"), WORDS)
    given = words | {"key": key, "page": 1, "cursor": 0, "quotes": [{"key": key, "quote": WORDS}]}
    taken = {name: value for name, value in given.items() if name in {one.name for one in call.arguments}}
    reply = repr(call.answer(hiding, 9999, taken, lenient=False))
    assert MARK not in reply
    assert "verbatim" not in reply


@pytest.mark.parametrize("key", KEYS.values())
def test_no_page_of_the_reading_room_shows_hidden_words(hiding, key):
    room = Visitor(hiding)
    answer = room.get("/quote", key=key, query=WORDS)
    assert "not found" in answer.text
    assert "in the file, on page 1, but no reader sees them" in answer.text
    assert "verbatim" not in re.sub(r"<footer.*", "", answer.text, flags=re.DOTALL)
    asked = {"key": key, "query": WORDS, "page": 1}
    for path in ("/page", "/paper", "/search", "/papers"):
        assert MARK not in room.get(path, **asked).text
    assert MARK not in room.get("/search", query=WORDS, how="topic").text
    draft = room.post("/draft", data={"text": f'"{WORDS}" [@{key}, p. 1].', "markup": "markdown"})
    assert "not printed there" in draft.text
    assert "verbatim" not in draft.text
    assert MARK not in draft.text


def test_commands_refuse_hidden_words(hiding, tmp_path):
    (tmp_path / "notes.md").write_text(f'Smith says "{WORDS}" [@white, p. 1].\n')
    root = Path(hiding.release.folder).parents[1]
    for call in (["quote", "white", WORDS], ["verify", "white", WORDS], ["check", tmp_path / "notes.md"]):
        said = pagequote(*call, "--corpus", root)
        assert said.returncode
        assert "verbatim" not in said.stdout


def test_answers_read_no_statement_that_would_find_hidden_words():
    """Rows by number are those of paragraphs that were found before; the numbers alone tell no words."""
    wrong = [
        (path.name, line)
        for path in (ROOT / "lookup").rglob("*.py")
        for line in path.read_text().splitlines()
        if STATEMENT.search(line) and "hidden" not in line
    ]
    assert not wrong


@pytest.mark.parametrize("how", HIDDEN)
def test_the_hint_says_what_of_the_page_hides_words(hiding, how):
    key, why = KEYS[how], OF_PAGE[BY[how]]
    rows = hiding.sql("SELECT DISTINCT hidden_by FROM paragraphs WHERE key = ? ORDER BY ALL", [key])
    assert rows.fetchall() == [(BY[how],), (None,)]
    assert hiding.verify(WORDS, key).hint.endswith(f"but no reader sees them: they are {why}.")


@pytest.fixture(scope="module")
def covering(tmp_path_factory):
    """A corpus of one paper for each way to put something over a line."""
    files = {f"c{number}.pdf": pdf_with_secret(cover) for number, (_, cover) in enumerate(COVERED.values())}
    with corpus_of(tmp_path_factory.mktemp("covering"), files) as corpus:
        yield corpus


@pytest.mark.parametrize(("number", "how"), list(enumerate(COVERED)))
def test_each_answer_says_by_what_words_are_covered(covering, number, how, tmp_path):
    key, by = f"c{number}", COVERED[how][0]
    said = f"on page 1, but they are covered by {PUT_ON[by]} that was put on the page later."
    assert covering.verify(AFTER, key)
    judged = covering.verify(SECRET, key)
    assert judged.verdict == "not found"
    assert said in judged.hint
    assert said in covering.quote(key, WORDS).hint
    row = covering.sql(
        "SELECT kind, hidden_by, text FROM paragraphs WHERE key = ? AND kind = 'covered'", [key]
    )
    assert row.fetchall() == [("covered", by, SECRET)]
    for name in ("check_quotes", "get_quote"):
        given = {"key": key, "quote": SECRET, "quotes": [{"key": key, "quote": SECRET}]}
        call = next(one for one in CALLS if one.name == name)
        taken = {one.name: given[one.name] for one in call.arguments if one.name in given}
        assert said in repr(call.answer(covering, 9999, taken, lenient=False))
    (tmp_path / "notes.md").write_text(f'A witness says "{SECRET}" [@{key}, p. 1].\n')
    root = Path(covering.release.folder).parents[1]
    checked = pagequote("check", tmp_path / "notes.md", "--corpus", root).stdout
    assert PUT_ON[by] in " ".join(checked.split())

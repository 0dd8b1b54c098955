"""Snippets of prose: what they hold, and what they never do."""

import html
import subprocess
import sys
from typing import Any

import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st

from lookup import QueryError, SnippetExtractor, extract_snippet
from retrieval.snippets.code import LANGUAGES

MARSH = """Night-time release from tidal marshes

Tidal marshes hold carbon for centuries. Dykes (built to win farmland) drained many of them. Where a dyke is \
opened again, the sea returns \
twice a day, and with it the salt.

We measured the release of carbon dioxide at night with opaque chambers. The chambers stood for ten minutes \
on each plot. Rain stopped the \
measurements on four nights, which we repeated in the week after.

The release fell with salinity: plots at the mouth of the creek released 1.2 g per night, those at its head \
three times that. Temperature explained \
less than we had expected (a third of the variance, see Fig. 4), and the tide explained nothing at all.

Restored marshes may therefore release less carbon than drained ones. Whether they do so in summer, when \
nights are short, is not known.
"""

PARTNERS = dict(zip(")]}）」", "([{（「", strict=True))


def fragments(snippet, separator=" ... "):
    return snippet.split(separator)


@pytest.mark.parametrize(
    ("query", "answer"),
    [
        ("What did the release depend on?", "The release fell with salinity"),
        ("how long did a chamber stand on a plot", "The chambers stood for ten minutes on each plot."),
        ("why were dykes built", "Dykes (built to win farmland) drained many of them."),
        ("SALINITY of the CREEKS", "plots at the mouth of the creek"),
        ("is it known for summers?", "when nights are short, is not known."),
    ],
)
def test_a_snippet_holds_the_sentence_that_answers(query, answer):
    snippet = extract_snippet(MARSH, query, max_length=200)
    assert answer in snippet
    assert len(snippet) <= 200


def test_sentences_are_whole_and_stand_in_reading_order():
    snippet = extract_snippet(MARSH, "chambers minutes dykes farmland", max_length=120, context_chars=0)
    parts = fragments(snippet)
    assert len(parts) > 1
    places = [MARSH.index(part) for part in parts]
    assert places == sorted(places)
    assert all(part[0].isupper() and part[-1] == "." for part in parts)


def test_a_gap_is_shown_as_the_separator_and_nothing_else_is():
    query = "chambers minutes dykes farmland"
    snippet = extract_snippet(MARSH, query, max_length=120, separator=" [...] ", context_chars=0)
    assert snippet.count(" [...] ") == 1
    assert all(part in MARSH for part in fragments(snippet, " [...] "))
    assert " ... " not in extract_snippet(MARSH, "chambers stood minutes", max_length=100)


def test_what_stands_beside_the_best_comes_with_it_as_far_as_context_chars():
    alone = extract_snippet(MARSH, "minutes", max_length=190, context_chars=0)
    assert alone == "The chambers stood for ten minutes on each plot."
    around = extract_snippet(MARSH, "minutes", max_length=190, context_chars=150)
    assert around.startswith("We measured the release")
    assert alone in around


def test_a_rare_word_counts_more_than_a_common_one():
    text = (
        "The marsh is wet. The marsh is flat. The marsh is old. A heron stood there. The marsh is green. "
        "The marsh is salt."
    )
    assert "heron" in extract_snippet(text, "marsh heron", max_length=30)


def test_more_room_shows_no_fewer_of_the_words_that_are_asked():
    weather = "The weather was fine and the market was open. " * 10
    content = f"Intro about auth. {weather}JWT tokens. {weather}Token expiration."
    shown = []
    for room in (40, 60, 80, 100, 120, 160, 200, 250):
        snippet = extract_snippet(content, "auth JWT token expiration", room)
        shown.append(sum(word in snippet for word in ("auth", "JWT", "expiration")))
    assert shown == [2, 3, 3, 3, 3, 3, 3, 3]


@pytest.mark.parametrize("query", [None, "", "   ", "the of and", "zeppelin", "?!"])
def test_without_words_to_find_it_is_the_beginning_in_whole_sentences(query):
    snippet = extract_snippet(MARSH, query, max_length=200)
    assert MARSH.startswith(snippet)
    assert snippet.endswith("drained many of them.")


def test_a_sentence_that_is_too_long_is_cut_around_what_is_asked():
    text = (
        "It was found, "
        + "as one might have thought before, " * 12
        + "that herons fish at night, "
        + "as one might, " * 20
        + "or not."
    )
    snippet = extract_snippet(text, "herons fish", max_length=80)
    assert "that herons fish at night" in snippet
    assert all(f" {part} " in f" {text} " for part in fragments(snippet))


@pytest.mark.parametrize("content", ["", " ", "\n\n \n", "\u200b"])
def test_content_without_words_has_a_snippet_that_is_no_longer_than_itself(content):
    assert len(extract_snippet(content, "tide")) <= len(content.strip())


@pytest.mark.parametrize(
    ("content", "query", "shown"),
    [
        (
            "Das Café am Re\u0301sume\u0301-Platz. Ein Haus. Noch ein Haus.",
            "cafe resume",
            "Re\u0301sume\u0301",
        ),
        ("Ein Haus. Die Straße ist nass. Noch ein Haus am Ende.", "STRASSE Straße", "Straße"),
        ("Nothing here. A heron 🦩🏽 👩‍👩‍👧. Nothing at all.", "heron", "🦩🏽 👩‍👩‍👧."),
        ("我们测量了夜间的二氧化碳。 湿地储存碳。 盐度降低了释放量。 结束。", "盐度", "盐度降低了释放量。"),
        ("यह पहला है। नदी गहरी है। यह अंत है।", "नदी", "नदी"),
    ],
)
def test_words_are_found_whatever_their_script_case_and_accents(content, query, shown):
    assert shown in extract_snippet(content, query, max_length=28)


def test_marks_are_put_on_whole_words_of_the_query():
    text = "Salt <b>tides</b> & tidal salts."
    assert extract_snippet(text, "salt tide") == text
    assert (
        extract_snippet(text, "salt tide", highlight="markdown")
        == "**Salt** <b>**tides**</b> & tidal **salts**."
    )
    assert extract_snippet(text, "salt tide", highlight="html") == (
        "<mark>Salt</mark> &lt;b&gt;<mark>tides</mark>&lt;/b&gt; &amp; tidal <mark>salts</mark>."
    )
    assert extract_snippet("盐度降低", "盐度", highlight="html") == "<mark>盐度</mark>降低"
    assert extract_snippet("re\u0301sume\u0301s", "resume", highlight="markdown") == "**re\u0301sume\u0301s**"


@pytest.mark.parametrize(
    "settings",
    [
        {"highlight": "bold"},
        {"language": "cobol"},
        {"max_length": -1},
        {"context_chars": -1},
        {"min_segment_length": -1},
        {"separator_gap": -1},
    ],
)
def test_settings_that_make_no_sense_are_refused(settings):
    with pytest.raises(QueryError, match=r".+"):
        extract_snippet(MARSH, "tide", **settings)


def test_an_extractor_gives_what_the_function_does():
    settings: dict[str, Any] = {
        "max_length": 90,
        "context_chars": 20,
        "min_segment_length": 10,
        "separator": " | ",
        "separator_gap": 3,
        "code_bonus": 0.1,
        "position_penalty": 0.0,
        "k1": 0.9,
        "b": 0.4,
    }
    extractor = SnippetExtractor(**settings)
    for query in (None, "salinity", "carbon nights"):
        assert extractor.extract(MARSH, query) == extract_snippet(MARSH, query, **settings)


@pytest.mark.system
def test_importing_lookup_loads_no_snippets_and_these_no_numpy():
    code = (
        "import sys, lookup; before = set(sys.modules); lookup.extract_snippet('Low tide. ' * 90, 'tide');"
        "print(any(n.startswith('retrieval.snippets') for n in before), 'numpy' in sys.modules)"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ran.stdout == "False False\n"


PIECES = st.sampled_from(
    [
        *"()[]{}（）「」",
        "(see [1])",
        "f(x) {",
        "}",
        "word ",
        "another ",
        "A sentence ends. ",
        "\n",
        "\n\n",
        "\r\n",
        "é",
        "\u0301",
        "👩‍👩‍👧",
        "🇩🇪",
        "👍🏽",
        "क्षि",
        "漢字",
        "<b>",
        "&",
        "`",
        "```python\n",
        "```\n",
        "def f(x):\n    ",
        "class A {\n",
        "# heading\n",
        ", ",
        "; ",
        "x" * 30,
    ]
)
CONTENT = st.one_of(st.lists(PIECES, max_size=60).map("".join), st.text(max_size=120))
QUERIES = st.one_of(
    st.none(), st.text(max_size=20), st.sampled_from(["word", "another sentence", "the", "def f", "漢字 é"])
)
LENGTHS = st.one_of(st.integers(0, 12), st.integers(13, 400))


@given(
    content=CONTENT,
    query=QUERIES,
    max_length=LENGTHS,
    highlight=st.sampled_from(["plain", "markdown", "html"]),
    separator=st.sampled_from([" ... ", "", " | ", " [...] "]),
)
def test_a_snippet_is_never_longer_than_asked(content, query, max_length, highlight, separator):
    snippet = extract_snippet(content, query, max_length, highlight=highlight, separator=separator)
    assert len(snippet) <= max_length


@given(
    content=CONTENT,
    query=QUERIES,
    max_length=LENGTHS,
    shortest=st.sampled_from([0, 10, 40]),
    language=st.one_of(st.none(), st.sampled_from(LANGUAGES)),
)
@example("（(）", None, 1, 0, "python")  # each wide bracket is an error of its own to the grammar
@example("（(）", None, 1, 0, "javascript")  # each is a name
@example("class A {\n(}", None, 9, 0, None)  # a block that ends with a bracket is not whole
@example("[\n\n(]", None, 1, 0, "c")
def test_no_bracket_and_no_character_is_cut(content, query, max_length, shortest, language):
    snippet = extract_snippet(
        content, query, max_length, separator="\0", min_segment_length=shortest, language=language
    )
    partners = _partners(content)
    borders = {match.start() for match in regex.finditer(r"\X", content)} | {len(content)}
    at = 0
    for part in filter(None, snippet.replace("\0\0", "\0").split("\0") if "\0" not in content else ()):
        spans = [(i, i + len(part)) for i in range(at, len(content)) if content.startswith(part, i)]
        whole = [
            (start, end)
            for start, end in spans
            if {start, end} <= borders
            and all(start <= partners[i] < end for i in range(start, end) if i in partners)
        ]
        assert whole
        at = whole[0][0]


@given(content=CONTENT, query=QUERIES, max_length=st.integers(30, 200))
def test_html_holds_what_the_content_holds_and_nothing_else(content, query, max_length):
    snippet = extract_snippet(content, query, max_length, highlight="html", separator="\0")
    bare = html.unescape(regex.sub("</?mark>", "", snippet))
    assert "\0" in content or all(part in content for part in bare.split("\0"))


def _partners(text):
    """The textbook way: a stack for each kind of bracket."""
    waiting: dict[str, list[int]] = {opening: [] for opening in PARTNERS.values()}
    partners: dict[int, int] = {}
    for at, char in enumerate(text):
        if char in waiting:
            waiting[char].append(at)
        elif char in PARTNERS and waiting[PARTNERS[char]]:
            start = waiting[PARTNERS[char]].pop()
            partners |= {start: at, at: start}
    return partners


def test_a_short_paragraph_that_is_a_sentence_is_shown_without_the_words_after_it():
    filler = "Words that say nothing of it, and go on for so long that no snippet has room for them all."
    told = ("Intro about auth.", "Middle part on auth tokens.", "The end is about auth errors.")
    text = f"\n\n{filler}\n\n".join(told)
    assert extract_snippet(text, "auth", 120) == " ... ".join(told)
    headed = f"Auth\n\nIt begins with a login.\n\n{filler}\n\n{filler}"
    assert extract_snippet(headed, "auth", 60).startswith("Auth\n\nIt begins")


def test_a_snippet_shows_what_answers_and_not_all_that_has_a_word_of_the_query():
    answer = "Eelgrass meadows store twice as much carbon as salt marshes of the same size do."
    before = "The plots were surveyed by boat in the spring of each year.\n\n" * 6
    after = "\n\nThe boats were lent by the harbour, and the crews were paid." * 6
    text = f"{before}Meadows of eelgrass are green.\n\n{answer}{after}"
    assert extract_snippet(text, "carbon store of eelgrass meadows and salt marshes", 180) == answer

"""Every face says where words stand that no page prints: their section and anchor, and no page 0."""

import json
import re

import pytest

import lookup
from pagequote.quoted_form import TEMPLATES, QuotedForm
from tests.support.builds import build
from tests.support.command import pagequote
from tests.support.rooms import Visitor

WORDS = "the lamps of the harbour burn with a blue flame in the first week of frost"
WRONG = "the lamps of the harbour burn with a green flame in the first week of frost"
ARTICLE = f"""<article><front><article-meta><title-group><article-title>Lamps</article-title></title-group>
<contrib-group><contrib><name><surname>Marrow</surname><given-names>Ida</given-names></name></contrib></contrib-group>
<pub-date><year>1931</year></pub-date></article-meta></front><body><sec id="s1"><title>Harbours</title>
<p>In the north {WORDS}, as every captain knows who has wintered there.</p></sec></body></article>"""


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    root = tmp_path_factory.mktemp("pageless")
    (root / "marrow1931.xml").write_text(ARTICLE)
    build([root / "marrow1931.xml"], root)
    return root


@pytest.fixture(scope="module")
def corpus(built):
    with lookup.open(built / "corpus") as opened:
        yield opened


def test_the_verdicts_are_those_of_pages(corpus):
    match = corpus.quote("marrow1931", WORDS).matches[0]
    assert (match.verdict, match.page, match.anchor, match.boxes) == ("verbatim", 0, "s1/2", ())
    assert (match.section_title, match.text_raw) == ("Harbours", match.text)
    assert corpus.verify(WRONG, "marrow1931").verdict == "near"
    assert corpus.paper("marrow1931").covered
    assert corpus.quote("marrow1931", "captains of the south prefer oil of whales to gas").hint


CITED = {
    "mciteboxp": r"\mciteboxp{marrow1931}{}{WORDS}",
    "biblatex": r"\enquote{WORDS} \autocite{marrow1931}",
    "footcite": r"\enquote{WORDS}\footcite{marrow1931}",
    "natbib": r"``WORDS'' \citep{marrow1931}",
    "plain": r"``WORDS'' \cite{marrow1931}",
}


@pytest.mark.parametrize("template", TEMPLATES)
def test_a_citation_has_no_page(corpus, template):
    match = corpus.quote("marrow1931", WORDS).matches[0]
    assert QuotedForm(match).latex(template) == CITED[template].replace("WORDS", WORDS)


COMMANDS = {
    "quote": (["quote", "marrow1931", WORDS], "marrow1931, at #s1/2, Harbours, body"),
    "verify": (["verify", "marrow1931", WORDS], "marrow1931, at #s1/2: verbatim"),
    "search": (["search", "--exact", WORDS], "marrow1931:#s1/2: "),
    "read": (["read", "marrow1931", "--outline"], "Harbours\n"),
    "papers": (["papers"], "Marrow"),
}


@pytest.mark.parametrize(("arguments", "said"), COMMANDS.values(), ids=COMMANDS)
def test_commands_name_the_anchor(built, arguments, said):
    done = pagequote(*arguments, "--corpus", built / "corpus")
    assert done.returncode == 0, done.stderr
    assert said in done.stdout
    assert not re.search(r"\b(?:page|p\.) ?0\b|:0:", done.stdout)


@pytest.mark.system
def test_a_file_of_markup_is_verified_without_a_corpus(built, tmp_path):
    done = pagequote(
        "verify", built / "marrow1931.xml", WORDS, cwd=tmp_path, PAGEQUOTE_CACHE=str(tmp_path / "cache")
    )
    assert (done.returncode, "at #s1/2: verbatim" in done.stdout) == (0, True), done


DRAFT = f'"{WORDS}" [@marrow1931, p. 3]\n\n"{WORDS}" [@marrow1931]\n'


def test_check_takes_a_page_for_no_error(built, tmp_path):
    (tmp_path / "draft.md").write_text(DRAFT)
    done = pagequote(
        "check", tmp_path / "draft.md", "--corpus", built / "corpus", "--format", "json", "--all"
    )
    findings = json.loads(done.stdout)
    assert (done.returncode, [(one["verdict"], one["page"], one["page_is_right"]) for one in findings]) == (
        0,
        [("verbatim", None, None)] * 2,
    )
    shown = pagequote("check", tmp_path / "draft.md", "--corpus", built / "corpus", "--all").stdout
    assert "given page 3" in shown
    assert "page 0" not in shown


ROOM = {
    "/quote": ({"key": "marrow1931", "query": WORDS}, "on no page"),
    "/paper": ({"key": "marrow1931"}, "without pages"),
    "/papers": ({}, "without pages"),
    "/search": ({"query": WORDS}, "on no page"),
}


@pytest.mark.parametrize(("path", "asked", "said"), [(path, *rest) for path, rest in ROOM.items()], ids=ROOM)
def test_the_reading_room_says_that_there_is_no_page(corpus, path, asked, said):
    answer = Visitor(corpus).get(path, **asked)
    assert answer.status_code == 200
    assert said in answer.text
    assert "page=0" not in answer.text
    assert "page 0" not in answer.text.lower()

"""grep, verify, batches, annotations and pictures over the sample papers."""

import json
import re
from concurrent.futures import ThreadPoolExecutor

import pymupdf
import pytest

import lookup
from lookup.papers.library import Library
from lookup.text.folding import fold
from tests.support.builds import build
from tests.support.command import pagequote
from tests.support.runs import middle_run

NIGHT = "lindqvist2019"
WORDS = "fitted to daytime data"


def bodies(corpus, length=10):
    """Words from the middle of long body paragraphs, with the paper that prints them."""
    rows = corpus.sql(
        "SELECT key, text FROM paragraphs WHERE kind = 'body' AND length(text) > 300 ORDER BY key, paragraph"
    ).fetchall()
    for key, text in rows:
        yield key, middle_run(text, length)


def test_grep_finds_what_a_walk_through_all_paragraphs_finds(corpus):
    for phrase in ("salinity", "the opaque chamber", "Light", "data"):
        folded = fold(phrase)
        expected = []
        rows = corpus.sql(
            "SELECT key, paragraph, text_norm FROM paragraphs ORDER BY key, paragraph"
        ).fetchall()
        for key, paragraph, text in rows:
            words = f" {text} "
            for at in range(len(words) - len(folded)):
                before, after = words[at - 1 : at], words[at + len(folded) : at + len(folded) + 1]
                if words.startswith(folded, at) and not before.isalnum() and not after.isalnum():
                    expected.append((key, paragraph))
        found = corpus.grep(phrase, limit=1000)
        assert [(match.key, match.paragraph) for match in found] == expected
        assert all(fold(match.quote) == folded for match in found)


@pytest.mark.long
def test_a_quote_without_a_key_is_found_in_its_paper_even_if_a_word_is_misread(corpus):
    for key, words in bodies(corpus):
        found = corpus.verify(words)
        assert found.verdict in ("verbatim", "abridged"), words
        assert key in (found.key, *(other.key for other in found.elsewhere))
        asked = words.split()
        asked[4] = asked[4][::-1] + "x"
        misread = corpus.verify(" ".join(asked))
        assert misread.verdict != "verbatim"
        assert misread.key in (key, ""), words
        assert (misread.key == "") == (corpus.verify(" ".join(asked), key).verdict == "not found")


def test_grep_reads_no_paragraph_that_has_the_words_without_their_signs(corpus, monkeypatch):
    read: list[object] = []

    def noted(self, columns, *more):
        rows = numbered(self, columns, *more)
        read.extend(rows)
        return rows

    numbered = Library.numbered
    monkeypatch.setattr(Library, "numbered", noted)
    assert corpus.grep("(the", limit=1000) == ()
    assert corpus.grep(")the", page=2) == ()
    assert read == []
    assert corpus.grep("the")
    assert read


def test_grep_keeps_to_keys_a_page_a_limit_and_the_characters_around(corpus):
    everywhere = corpus.grep("the", limit=1000)
    assert {match.key for match in everywhere} == {
        key for (key,) in corpus.sql("SELECT key FROM papers").fetchall()
    }
    assert {match.key for match in corpus.grep("the", keys=[NIGHT], limit=1000)} == {NIGHT}
    on_page = corpus.grep("the", keys=[NIGHT], page=2, limit=1000)
    assert on_page
    assert all(2 in {match.page, *(box.page for box in match.boxes)} for match in on_page)
    assert corpus.grep("the", limit=7) == everywhere[:7]
    assert all(len(match.text) <= len(match.quote) + 40 for match in corpus.grep("the", context_chars=20))
    assert corpus.grep("words that nobody prints in a paper") == ()
    with pytest.raises(lookup.UnknownKeyError):
        corpus.grep("the", keys=["nobody1900"])
    with pytest.raises(lookup.QueryError):
        corpus.grep("...")


def test_verify_tells_the_page_the_differences_and_who_prints_it(corpus):
    match = corpus.quote(NIGHT, WORDS).matches[0]
    right = corpus.verify(WORDS, NIGHT, match.page)
    assert right
    assert (right.verdict, right.page_is_right, right.pages) == ("verbatim", True, (match.page,))

    wrong = corpus.verify(WORDS, NIGHT, match.page + 1)
    assert not wrong
    assert (wrong.verdict, wrong.page_is_right) == ("verbatim", False)
    assert f"page {match.page}" in wrong.hint

    printed_label = corpus.verify(WORDS, NIGHT, int(match.page_label))
    assert printed_label
    assert printed_label.page == int(match.page_label)
    assert "printed number" in printed_label.hint
    assert corpus.verify_all([(WORDS, NIGHT, int(match.page_label))])[0]

    changed = corpus.verify("a temperature response that was not fitted to daytime data", NIGHT, match.page)
    assert not changed
    assert changed.verdict == "near"
    assert changed.match.differences[0].kind == "negation"


def test_a_page_is_that_of_the_pdf_or_the_printed_one_in_every_call(corpus):
    match = corpus.quote(NIGHT, WORDS).matches[0]
    printed = int(match.page_label)
    assert corpus.page_number(NIGHT, printed) == match.page
    assert corpus.quote(NIGHT, WORDS, printed).matches == (match,)
    assert corpus.quote(NIGHT, WORDS, printed + 1).matches != (match,)
    assert corpus.page(NIGHT, printed) == corpus.page(NIGHT, match.page)
    assert corpus.grep("the", [NIGHT], printed) == corpus.grep("the", [NIGHT], match.page) != ()
    for call in (corpus.page, lambda key, page: corpus.quote(key, WORDS, page)):
        with pytest.raises(lookup.PageNotFoundError, match=f"printed {printed} to "):
            call(NIGHT, 99)


def test_a_batch_answers_as_one_call_each_does(corpus):
    asked = [
        *bodies(corpus),
        (NIGHT, "words that nobody prints in a paper"),
        (NIGHT, WORDS, 1),
        (NIGHT, WORDS, 3),
    ]
    answers = corpus.quotes(asked)
    assert list(answers) == [corpus.quote(*one) for one in asked]
    bad, unknown, good = corpus.quotes([(NIGHT, "..."), ("nobody1900", WORDS), (NIGHT, WORDS)])
    assert not bad
    assert "holds no letter" in bad.hint
    assert "nobody1900" in unknown.hint
    assert good.matches


@pytest.mark.long
def test_many_threads_may_ask_in_every_way(corpus_path):
    with lookup.open(corpus_path) as corpus:
        runs = list(bodies(corpus))
        misread = [(key, words.replace("e", "c", 1)) for key, words in runs]
        expected = [corpus.quote(*one) for one in (*runs, *misread)]
        places = corpus.grep("the", limit=20)
    with lookup.open(corpus_path) as corpus, ThreadPoolExecutor(8) as pool:
        jobs = [pool.submit(corpus.quote, *one) for _ in range(4) for one in (*runs, *misread)]
        greps = [pool.submit(corpus.grep, "the", limit=20) for _ in range(8)]
        verified = [pool.submit(corpus.verify, words, key) for key, words in runs]
        assert [job.result() for job in jobs] == expected * 4
        assert all(job.result() == places for job in greps)
        assert all(job.result().verdict == "verbatim" for job in verified)


def test_a_match_is_a_web_annotation_with_its_place(corpus):
    match = corpus.quote(NIGHT, WORDS).matches[0]
    made = match.to_annotation()
    assert made == json.loads(json.dumps(made))
    assert (made["type"], made["target"]["source"]) == ("Annotation", NIGHT)
    quote, position, *areas = made["target"]["selector"]
    assert quote["exact"] == match.quote
    document = corpus.document(NIGHT)
    assert document[position["start"] : position["end"]] == match.quote
    assert quote["prefix"] + quote["exact"] + quote["suffix"] in document
    assert len(areas) == len(match.boxes)
    assert areas[0]["value"] == f"page={match.page}"
    x, y, width, height = map(float, areas[0]["refinedBy"]["value"].removeprefix("xywh=").split(","))
    box = match.boxes[0]
    assert (x, y, x + width, y + height) == pytest.approx((box.x0, box.y0, box.x1, box.y1), abs=0.1)


@pytest.mark.system
def test_show_writes_a_proof_that_any_page_can_hold(corpus_path, tmp_path):
    out = tmp_path / "proof.html"
    words = "people prefer to work by day"
    done = pagequote("show", NIGHT, words, "--html", "--out", out, "--corpus", corpus_path)
    assert done.returncode == 0, done.stderr
    written = out.read_text(encoding="utf-8")
    assert written.startswith('<page-quote lang="en"><template shadowrootmode="open"><style>')
    assert "Lindqvist et al., 2019, page 1650" in written
    assert 'src="data:image/png;base64,' in written
    assert set(re.findall(r'(?:src|href)="(\w+):', written)) <= {"data", "https"}
    (held,) = re.findall(r'<script type="application/json">(.*)</script>', written)
    assert lookup.open(corpus_path).quote(NIGHT, words).matches[0].to_dict() == json.loads(held)


@pytest.mark.long
def test_show_marks_the_quote_on_its_page(corpus_path, tmp_path):
    out = tmp_path / "proof.png"
    words = "people prefer to work by day"
    done = pagequote("show", NIGHT, words, "--out", out, "--corpus", corpus_path)
    assert done.returncode == 0, done.stderr
    assert "page 1: verbatim" in done.stdout
    picture = pymupdf.Pixmap(str(out))
    with lookup.open(corpus_path) as corpus:
        match = corpus.quote(NIGHT, words).matches[0]
        path, width = corpus.original(NIGHT).path, corpus.pages(NIGHT)[0].width
    zoom = picture.width / width
    with pymupdf.open(path) as pdf:
        bare = pdf[0].get_pixmap(matrix=pymupdf.Matrix(zoom, zoom), alpha=False)
    changed = set()
    for x in range(0, min(picture.width, bare.width), 3):
        for y in range(0, bare.height, 3):
            if max(picture.pixel(x, y)) - min(picture.pixel(x, y)) > 15 and bare.pixel(x, y) != picture.pixel(
                x, y
            ):
                changed.add((x / zoom, y / zoom))
    assert changed
    for box in match.boxes:
        assert any(box.x0 < x < box.x1 and box.y0 < y < box.y1 for x, y in changed)
    assert all(
        any(box.x0 - 8 < x < box.x1 + 8 and box.y0 - 8 < y < box.y1 + 8 for box in match.boxes)
        for x, y in changed
    )


@pytest.mark.parametrize(
    ("arguments", "status", "said"),
    [
        (["search", "--exact", WORDS], 0, "lindqvist2019:1 (1650): "),
        (["search", "--exact", "words that nobody prints in a paper"], 1, "No paper prints"),
        (["verify", WORDS], 0, "lindqvist2019, page 1 (printed 1650): verbatim"),
        (["verify", "words that nobody prints in a paper"], 1, "any paper: not found"),
        (["verify", NIGHT, "fitted to night-time data", "--page", "1"], 1, "->"),
        (["verify", NIGHT, WORDS, "--page", "2"], 1, "Not on page 2, but on page 1"),
        (["quote", NIGHT, WORDS, "--format", "annotation"], 0, "TextQuoteSelector"),
    ],
)
def test_commands_say_what_the_calls_answer(corpus_path, arguments, status, said):
    done = pagequote(*arguments, "--corpus", corpus_path)
    assert done.returncode == status, done.stderr
    assert said in done.stdout + done.stderr


@pytest.mark.parametrize("kind", ["caption", "table", "footnote", "front"])
def test_words_beside_the_text_are_said_to_be_there(corpus, kind):
    rows = corpus.sql(f"SELECT key, text FROM paragraphs WHERE kind = '{kind}' ORDER BY key").fetchall()
    hints = [corpus.verify(text.split("\n")[0], key).hint for key, text in rows if len(text) > 40]
    named = "the front matter" if kind == "front" else f"a {kind}"
    assert any(hint.startswith(f"Printed in {named}") for hint in hints), hints


SHARED = "The jars of the keeper were emptied at dawn and weighed twice before the frost"
OWN = "while a lamp of {} burned beside the northern door until the guests had left"


@pytest.fixture(scope="module")
def alike(tmp_path_factory):
    """30 papers of 60 paragraphs that share a sentence, each with one of its own."""
    root = tmp_path_factory.mktemp("alike")
    (root / "papers").mkdir()
    filler = [
        f"Line {n} of the ledger names the {n * 7} barrels that stood in cellar {n}." for n in range(60)
    ]
    for number in range(30):
        lines = [*filler[:30], f"{SHARED}, {OWN.format(f'oil{number}x')}.", *filler[30:]]
        body = "".join(f"<p>{line}</p>" for line in lines)
        (root / "papers" / f"keeper{number}.xml").write_text(
            f"<article><front><article-meta><title-group><article-title>Ledger {number}</article-title>"
            f"</title-group></article-meta></front><body><sec><title>Jars</title>{body}</sec></body></article>"
        )
    build([*(root / "papers").iterdir()], root)
    return root / "corpus"


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        (f"{SHARED}, {OWN.format('oil9x')}", "verbatim"),
        (
            f"{SHARED.replace('weighed', 'wieghed')}, {OWN.format('oil9x').replace('guests', 'gusets')}",
            "near",
        ),
        (f"{SHARED[:40]} burned beside the northern door in cellar nineteen", "not found"),
    ],
)
def test_a_quote_without_a_key_reads_what_stands_around_its_words_alone(alike, monkeypatch, words, verdict):
    """It read each of 20 papers whole, twice, where many print parts of a quote."""
    whole: list[str] = []
    parts: list[int] = []
    papers: list[int] = []
    read, part = Library._read, Library.parts

    def noted(self, keys):
        whole.extend(keys)
        return read(self, keys)

    monkeypatch.setattr(Library, "_read", noted)

    def counted(self, wanted):
        found = part(self, wanted)
        papers.append(len(wanted))
        parts.extend(len(one.paragraphs) for one in found)
        return found

    monkeypatch.setattr(Library, "parts", counted)
    with lookup.open(alike) as corpus:
        found = corpus.verify(words)
    assert found.verdict == verdict
    assert found.key in ("", "keeper9")
    assert len(whole) <= 4, "papers that are read whole"
    assert parts
    assert max(parts) <= 30, "paragraphs of a part"
    assert papers[0] == 1, "the likeliest paper is read by itself"
    assert len(papers) <= 6, "statements that read parts"

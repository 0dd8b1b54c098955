"""Sentences near a query in meaning, with their neighbours, from Python, asyncio, SQL and the command
line.
"""

import json
from dataclasses import replace

import numpy as np
import pytest

import lookup
from pagequote.mcp.tools import ToolServer
from tests.support.command import pagequote

QUERY = "At night more carbon dioxide is released than by day."


def stored(corpus):
    """Every sentence that has a vector: its place, text and vector multiplied out."""
    rows = corpus.sql(
        'SELECT key, paragraph, sentence, text[s.start + 1 : s."end"], vector, scale FROM vectors '
        "JOIN sentences s USING (key, paragraph, sentence) JOIN paragraphs USING (key, paragraph) ORDER BY "
        "ALL"
    ).fetchall()
    return [(row[:3], row[3], np.array(row[4]) * row[5]) for row in rows]


def test_the_sentences_found_are_those_of_a_walk_through_all_vectors(meaningful):
    query = np.array(meaningful.vector(QUERY))
    expected = sorted(
        ((vector @ query, place, text) for place, text, vector in stored(meaningful)), reverse=True
    )
    found = meaningful.sentences(QUERY, limit=20, match_threshold=-1)
    assert [(one.key, one.paragraph, one.sentence) for one in found] == [
        place for _, place, _ in expected[:20]
    ]
    assert [one.text for one in found] == [text for *_, text in expected[:20]]
    assert np.allclose(
        [one.score for one in found], [similarity for similarity, *_ in expected[:20]], atol=1e-5
    )
    least = expected[4][0]
    assert len(meaningful.sentences(QUERY, match_threshold=least - 1e-6)) == 5
    assert meaningful.sentences(QUERY, match_threshold=1) == ()


def test_a_match_names_the_page_on_which_its_sentence_begins(meaningful):
    found = meaningful.sentences(QUERY, limit=1000, match_threshold=-1)
    rows = meaningful.sql("SELECT key, paragraph, page, cursor, lines FROM paragraphs").fetchall()
    paragraphs = {(key, paragraph): rest for key, paragraph, *rest in rows}
    labels = {
        (key, page): label
        for key, page, label in meaningful.sql("SELECT key, page, page_label FROM pages").fetchall()
    }
    later = 0
    for one in found:
        page, cursor, lines = paragraphs[one.key, one.paragraph]
        printed = [line["page"] for line in lines if line["start"] <= one.cursor - cursor]
        assert (one.page, one.page_label) == (printed[-1], labels[one.key, printed[-1]])
        later += one.page > page
    assert later


def test_neighbours_are_of_the_same_section_and_empty_at_its_borders(meaningful):
    found = meaningful.sentences(QUERY, limit=1000, match_threshold=-1)
    prose = {
        (key, title): [
            text
            for (text,) in meaningful.sql(
                'SELECT text[s.start + 1 : s."end"] FROM sentences s JOIN paragraphs USING (key, paragraph) '
                "WHERE key = ? AND section_title IS NOT DISTINCT FROM ? AND kind IN ('body', 'list') "
                "ORDER BY paragraph, sentence",
                [key, title],
            ).fetchall()
        ]
        for key, title in {(one.key, one.section_title) for one in found}
    }
    borders = 0
    for one in found:
        if one.kind in ("body", "list"):
            texts = ["", *prose[one.key, one.section_title], ""]
            triples = list(zip(texts, texts[1:], texts[2:], strict=False))
            assert (one.previous, one.text, one.next) in triples
            borders += not one.previous or not one.next
        else:
            assert (one.previous, one.next) == ("", "") or one.kind in ("caption", "footnote")
    assert borders > 10


def test_keys_section_and_title_narrow_the_search(meaningful):
    keys = ["lindqvist2019", "okafor2021"]
    found = meaningful.sentences(QUERY, limit=300, match_threshold=-1, keys=keys)
    assert {one.key for one in found} == set(keys)
    within = meaningful.sentences(QUERY, limit=300, match_threshold=-1, keys=keys, section="INTRODUCTION")
    expected = [one for one in found if "introduction" in (one.section_title or "").lower()]
    assert [replace(one, score=0) for one in within] == [replace(one, score=0) for one in expected]
    assert within
    titled = meaningful.sentences(
        "It fell with salinity.", match_threshold=-1, title="Release from tidal marshes"
    )
    joined = meaningful.sentences("Release from tidal marshes It fell with salinity.", match_threshold=-1)
    assert titled == joined != meaningful.sentences("It fell with salinity.", match_threshold=-1)


def test_sql_finds_the_same_sentences(meaningful):
    found = meaningful.sentences(QUERY, limit=7, match_threshold=0.3)
    rows = meaningful.sql(
        "SELECT key, paragraph, sentence, text FROM match_sentences(?, 0.3, 7)", [meaningful.vector(QUERY)]
    ).fetchall()
    assert rows == [(one.key, one.paragraph, one.sentence, one.text) for one in found]
    both = [f"FROM {name}(?, 0.3, 7)" for name in ("match_sentences", "match_documents")]
    by_name, by_other_name = (meaningful.sql(query, [meaningful.vector(QUERY)]).fetchall() for query in both)
    assert by_name == by_other_name


def test_a_paragraph_s_embedding_is_the_sum_of_its_sentences_of_length_1(meaningful):
    sums: dict[tuple[str, int], np.ndarray] = {}
    for (key, paragraph, _), _, vector in stored(meaningful):
        sums[key, paragraph] = sums.get((key, paragraph), np.zeros(384)) + vector
    rows = meaningful.sql(
        "SELECT key, paragraph, embedding, embedding_scale FROM paragraphs WHERE embedding IS NOT NULL"
    ).fetchall()
    embeddings = {(key, paragraph): np.array(whole) * scale for key, paragraph, whole, scale in rows}
    assert embeddings.keys() == sums.keys()
    for place, total in sums.items():
        assert np.allclose(embeddings[place], total / np.linalg.norm(total), atol=0.01)
    query = np.array(meaningful.vector(QUERY))
    nearest = sorted(embeddings, key=lambda place: -(embeddings[place] @ query))[:5]
    found = meaningful.sql(
        "SELECT key, paragraph FROM match_paragraphs(?, 5)", [meaningful.vector(QUERY)]
    ).fetchall()
    assert found == nearest


def test_a_sentence_is_found_by_its_id_with_what_is_around_it(meaningful):
    (one,) = meaningful.sentences(QUERY, limit=1)
    assert one.id == f"{one.key}:{one.paragraph}:{one.sentence}"
    row = meaningful.sql(
        "SELECT text, paper_sentence, section_sentence, page FROM sentence_texts WHERE id = ?", [one.id]
    ).fetchall()
    assert row == [(one.text, one.paper_sentence, one.section_sentence, one.page)]
    here = meaningful.neighbours(one.id)
    assert (here.previous, here.text, here.next) == (one.previous, one.text, one.next)
    assert meaningful.neighbours(one.id, 1).text == one.next
    assert meaningful.neighbours(one.id, -1).text == one.previous
    (similar,) = meaningful.sql(
        "SELECT id FROM match_sentences(?, -1, 1)", [meaningful.vector(one.text)]
    ).fetchall()
    assert similar == (one.id,)
    for wrong in ("nobody1900:0:0", f"{one.key}:0", f"{one.key}:100000:0", "x"):
        with pytest.raises(lookup.QueryError, match="no sentence"):
            meaningful.neighbours(wrong)


def test_reading_on_by_id_ends_where_the_section_does(meaningful):
    first = meaningful.sentences(QUERY, limit=1)[0]
    while (before := meaningful.neighbours(first.id, -1)) is not None:
        first = before
    read = [first]
    while (after := meaningful.neighbours(read[-1].id, 1)) is not None:
        read.append(after)
    assert [one.section_sentence - first.section_sentence for one in read] == list(range(len(read)))
    assert (read[0].previous, read[-1].next) == ("", "")
    assert meaningful.neighbours(first.id, len(read)) is None
    server = ToolServer(lambda: meaningful, 8_000)

    def beside(steps):
        asked = {"beside": first.id, "steps": steps}
        answer = server.call("search_sentences", asked).structured_content
        return [one["id"] for one in answer["sentences"]], answer.get("hint", "")

    assert beside(1) == ([read[1].id], "")
    assert beside(len(read)) == ([], "The section has no sentence there: it begins or ends before.")


def test_the_command_shows_them(meaningful, default_model, monkeypatch):
    monkeypatch.setenv("PAGEQUOTE_MODELS", str(default_model.folder.parent))
    path = meaningful.release.folder.parents[1]
    command = ["search", "--meaning", QUERY, "-n", "3", "--threshold", "0.2", "--corpus", path]
    shown = pagequote(*command, "--format", "json")
    assert json.loads(shown.stdout) == [
        one.to_dict() for one in meaningful.sentences(QUERY, limit=3, match_threshold=0.2)
    ]
    text = pagequote(*command).stdout
    assert meaningful.sentences(QUERY, limit=1)[0].text in text
    nothing = pagequote(*command, "--threshold", "0.999")
    assert (nothing.returncode, nothing.stdout) == (1, "")
    assert "Lower --threshold" in nothing.stderr

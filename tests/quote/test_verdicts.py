"""What is called verbatim, and what never is."""

from dataclasses import replace
from itertools import product

import pytest

from lookup.papers.paper import Paper, Paragraph
from lookup.quote.bounds import LEFT_OUT_IN_ALL, MOST_LEFT_OUT
from lookup.quote.cascade import by_words
from lookup.quote.exact import ExactSearch
from lookup.quote.query import parse
from lookup.results.difference import PRINTED, Difference
from lookup.text.folding import fold
from tests.support.cases import cases
from tests.support.printed import asked, omitted, paper

RULES = cases("quote/verdicts.toml")


def blessed(words: str, *texts: str, kinds=()) -> bool:
    return any(one.verdict in PRINTED for one in asked(words, *texts, kinds=kinds))


@pytest.mark.parametrize(
    ("rule", "case"),
    [(rule, case) for rule, its in RULES.items() if "verdict" in its for case in its["cases"]],
)
def test_a_quote_gets_the_verdict_of_its_rule(rule, case):
    words, printed, *named = case
    its = RULES[rule]
    for within, beside in product(its.get("within", ["{}"]), its.get("beside", [()])):
        found = asked(words, within.format(printed), *beside)
        if its["verdict"] == "not printed":
            assert not any(one.verdict in PRINTED for one in found)
            continue
        assert found[0].verdict == its["verdict"]
        kinds = [one.kind for one in found[0].differences]
        assert kinds or its["verdict"] != "near"
        for kind in [*named, *([its["kind"]] if "kind" in its else [])]:
            assert kind in (kinds[:1] if "first" in its else kinds)
        assert "alone" not in its or kinds == named
        assert found[0].score < its.get("score below", 2)


@pytest.mark.parametrize(("words", "printed", "denied"), RULES["a negation beside a quote"]["cases"])
def test_a_quote_does_not_cut_off_the_negation_beside_it(words, printed, denied):
    found = asked(words, printed)[0]
    assert found.verdict == "near"
    assert found.differences == (Difference("negation", "", denied),)


@pytest.mark.parametrize(
    ("words", "printed", "left_out"),
    RULES["citation marks may be left out"]["cases"],
)
def test_citation_marks_may_be_left_out(words, printed, left_out):
    made = paper(printed)
    found = asked(words, printed)[0]
    assert found.verdict == "verbatim"
    assert not found.differences
    assert omitted(found, made) == left_out


@pytest.mark.parametrize(
    ("reference", "verdict"),
    [
        ("Berg, A. (2010). On salt. Retracted.", "verbatim"),
        ("3. Berg A, Hill B. On salt. Sea 3:4, 2010.", "verbatim"),
        ("Berg, A. (2011). On salt.", "near"),
        ("Hill, B. (2010). The paper of Berg is wrong.", "near"),
    ],
)
def test_a_name_and_a_year_are_a_citation_where_the_references_have_them(reference, verdict):
    printed = "the pores of the salt (Berg, 2010) were wide"
    found = asked("the pores of the salt were wide", printed, reference, kinds=("body", "reference"))
    assert found[0].verdict == verdict


def test_a_number_in_round_brackets_is_a_value_where_the_paper_cites_in_square_ones():
    texts = ["It was known [1]. It was shown [2, 3].", "the upper (4) and the lower (27) plots were wet"]
    found = asked("the upper and the lower plots were wet", *texts)[0]
    assert found.verdict == "near"
    assert found.differences[0].kind == "number"


@pytest.mark.parametrize("ellipsis", ["...", "…", "[...]", "[…]", "(...)", ". . .", "[. . .]"])
def test_words_under_an_ellipsis_are_omitted(ellipsis):
    printed = "In all of the plants that we saw the roots were thick and the leaves were thin."
    made = paper(printed)
    found = asked(f"the plants that we saw {ellipsis} the leaves were thin", printed)[0]
    assert found.verdict == "abridged"
    assert 0.95 <= found.score < 1.0
    assert not found.differences
    assert omitted(found, made) == ["the roots were thick and"]


def test_pieces_of_passages_far_apart_are_not_abridged():
    between = [f"Paragraph {i} speaks of other things." for i in range(4)]
    texts = ["The roots were thick and long.", *between, "The leaves were thin and green."]
    words = "roots were thick and long. ... The leaves were thin"
    assert not blessed(words, *texts)
    assert not blessed(words, texts[0], between[0], texts[-1])
    assert blessed(words, texts[0], texts[-1])
    kinds = ["body", "caption", "caption", "table", "table"]
    assert blessed(words, texts[0], *between, texts[-1], kinds=kinds)
    others = (texts[0], "2.3 Leaves", f"We saw that {texts[-1]}")
    assert blessed(words, others[0], others[2])
    assert not blessed(words, *others, kinds=["body", "heading"])


def test_an_ellipsis_leaves_out_so_many_words_and_no_more():
    for count, right in ((MOST_LEFT_OUT, True), (MOST_LEFT_OUT + 1, False)):
        between = " ".join(["leaf"] * count)
        printed = f"We saw the thick roots {between} of all the old plants."
        assert blessed("We saw the thick roots ... of all the old plants", printed) is right
    part = " ".join(["leaf"] * (LEFT_OUT_IN_ALL // 4))
    for more, right in (("", True), (" leaf", False)):
        printed = (
            f"We saw a root {part} of all old {part} plants on hills {part} in the dark {part}{more} "
            f"or the light."
        )
        words = "We saw a root ... of all old ... plants on hills ... in the dark ... or the light"
        assert blessed(words, printed) is right


@pytest.mark.parametrize(
    ("words", "printed", "word"), RULES["an ellipsis never goes over a word that weakens or turns"]["cases"]
)
def test_an_ellipsis_never_goes_over_a_word_that_weakens_or_turns(words, printed, word):
    found = asked(words, printed)[0]
    assert found.verdict == "near"
    assert ("hedge", word) in [(one.kind, one.printed) for one in found.differences]


@pytest.mark.parametrize(
    ("words", "printed", "kind", "verdict"),
    RULES["a raised label is no part of the word after it"]["cases"],
)
def test_a_raised_label_is_no_part_of_the_word_after_it(words, printed, kind, verdict):
    assert asked(words, printed, kinds=[kind])[0].verdict == verdict


def test_all_places_are_found_where_more_are_wanted():
    texts = [
        "self-assembled films were seen",
        "self assembled films were seen",
        "self-assembled films [3] were seen",
    ]
    found = asked("self-assembled films were seen", *texts, wanted=9)
    assert [(one.span.first, one.verdict) for one in found] == [
        (0, "verbatim"),
        (1, "verbatim"),
        (2, "verbatim"),
    ]


def test_a_quote_reads_on_past_headings_and_may_hold_them():
    texts = ["We chose these three sites", "2.3 Cells", "Cells were all grown there."]
    kinds = ["body", "heading", "body"]
    past = asked("these three sites. Cells were all grown", *texts, kinds=kinds)[0]
    with_it = asked("these three sites. 2.3 Cells Cells were all grown", *texts, kinds=kinds)[0]
    assert (past.verdict, past.through) == ("abridged", (0, 2))
    assert (with_it.verdict, with_it.through) == ("abridged", (0, 1, 2))
    assert omitted(past, paper(*texts, kinds=kinds)) == ["2.3 cells"]
    assert not with_it.omitted


def test_an_unmarked_heading_between_two_paragraphs_is_passed_over_and_omitted():
    words = "these three sites. Cells were all grown"
    texts = [
        "We chose these three sites.",
        "Growing of cells",
        "A map of the sites",
        "Cells were all grown there.",
    ]
    kinds = ["body", "body", "caption", "body"]
    found = asked(words, *texts, kinds=kinds)[0]
    assert (found.verdict, omitted(found, paper(*texts, kinds=kinds))) == ("abridged", ["growing of cells"])
    for other in ("It was not our wish.", "It was not", "No growth of cells", "Growing of cel-"):
        assert not blessed(words, texts[0], other, *texts[2:], kinds=kinds)


@pytest.mark.parametrize(
    ("one", "other", "verdict"),
    [
        ("body", "caption", "abridged"),
        ("body", "footnote", "abridged"),
        ("body", "reference", "abridged"),
        ("caption", "table", "abridged"),
        ("table", "table", "abridged"),
        ("body", "list", "verbatim"),
        ("body", "formula", "verbatim"),
    ],
)
def test_a_border_of_kinds_is_named(one, other, verdict):
    found = asked(
        "thick and grey mud of the shore",
        "it was thick and grey",
        "mud of the shore it was",
        kinds=[one, other],
    )
    assert found[0].verdict == verdict
    named = [each.printed for each in found[0].differences if each.kind == "border"]
    assert named == ([f"{one}, {other}"] if verdict == "abridged" else [])


ROWS = "Linalool 9.62 3.04 Gini index of the soil 1.54 2.17"


def rows_and(*more, kind="table"):
    """A paper with these two rows in a paragraph; the label of the second goes on below itself."""
    places = [
        (50, 100),
        (150, 100),
        (200, 100),
        (50, 112),
        (72, 112),
        (50, 124),
        (60, 124),
        (75, 124),
        (150, 112),
        (200, 112),
    ]
    numbers = []
    at = 0
    for word, (x, y) in zip(ROWS.split(), places, strict=True):
        numbers += [at, at + len(word), *(10 * one for one in (x, y, x + 4 * len(word), y + 9))]
        at += len(word) + 1
    lines = [{"page": 1, "words": numbers}]
    return replace(
        paper(ROWS, *more, kinds=[kind] * (1 + len(more))),
        read_lines=lambda one: [] if one.paragraph else lines,
    )


@pytest.mark.parametrize(
    ("words", "verdict"),
    [
        ("Linalool 9.62 3.04", "verbatim"),
        ("Linalool 9.62", "verbatim"),
        ("Gini index of the soil 1.54", "verbatim"),
        ("3.04 Gini index of the soil", "abridged"),
        ("Linalool 9.62 3.04 Gini index", "abridged"),
        (ROWS, "verbatim"),
    ],
)
def test_the_end_of_a_row_within_a_paragraph_is_a_border(words, verdict):
    for kind in ("table", "body"):
        (found,) = by_words(ExactSearch(rows_and(kind=kind)), parse(words))
        assert found.verdict == (verdict if kind == "table" else "verbatim")
        borders = [one.printed for one in found.differences]
        assert borders == (["table, table"] if found.verdict == "abridged" else [])


@pytest.mark.parametrize(
    ("words", "printed", "difference"),
    RULES["a difference shows the print and says what kind it is"]["cases"],
)
def test_a_difference_shows_the_print_and_says_what_kind_it_is(words, printed, difference):
    (found,) = asked(words, f"We saw it. {printed}. Then we slept.")[0].differences
    assert f"{found.kind}: {found.asked} -> {found.printed}" == difference


@pytest.mark.parametrize(
    ("words", "kinds"),
    [
        ("Thegreymudoftheoldshorewasthickandallofusweresick", {"merged"}),
        ("T h e g r e y m u d o f t h e o l d s h o r e w a s t h i c k", {"split"}),
        ("Thegr eymu doft heol dsho rewa sthi ckan dall", {"merged", "split"}),
    ],
)
def test_the_same_letters_with_other_spaces_are_near(words, kinds):
    found = asked(words, "We know. The grey mud of the old shore was thick and all of us were sick.")[0]
    assert found.verdict == "near"
    assert {one.kind for one in found.differences} == kinds


@pytest.mark.parametrize(
    ("put_in", "verdict"),
    [
        ("", "verbatim"),
        ("12", "abridged"),
        ("Journal of Mud", "abridged"),
        ("12 Journal of Mud", "abridged"),
        ("Journal of Mud 12", "abridged"),
        ("13", "near"),
        ("12 12", "near"),
        ("Journal of Sand", "near"),
        ("12 Journal of not Mud", "not found"),
    ],
)
def test_the_number_and_head_of_a_page_may_stand_where_a_quote_runs_over_it(put_in, verdict):
    text = "We saw that the grey mud of the shore was thick in all of the winters that we have seen."
    over = text.index("thick")
    rows = (
        Paragraph(0, 4, 5, "body", fold(text), (), 0),
        Paragraph(1, 4, 4, "furniture", "12", (), 1),
        Paragraph(2, 5, 5, "furniture", "journal of mud", (), 2),
        Paragraph(3, 6, 6, "furniture", "13", (), 3),
    )
    lines = ({"page": 4, "start": 0, "end": over - 1}, {"page": 5, "start": over, "end": len(text)})
    made = Paper(
        "k",
        rows,
        read=lambda one: (text, text) if one is rows[0] else (one.text_norm, one.text_norm),
        read_lines=lambda one: lines if one is rows[0] else (),
    )

    def found(before, after):
        words = f"the grey mud of {before} {put_in} {after} in all of the winters"
        return by_words(ExactSearch(made), parse(words))

    here = found("the shore was", "thick")
    assert (here[0].verdict if here else "not found") == verdict
    assert put_in == "" or not any(one.verdict in PRINTED for one in found("the", "shore was thick"))
    if verdict == "abridged":
        assert [(one.kind, one.asked, one.printed) for one in here[0].differences] == [
            ("border", fold(put_in), "furniture")
        ]


@pytest.mark.parametrize("word", ["hard[ly]", "on[e]", "eve[n]"])
def test_letters_in_brackets_make_no_other_word(word):
    kept = word.partition("[")[0]
    assert not blessed(f"it was {word} time for the plants", f"it was {kept} time for the plants")

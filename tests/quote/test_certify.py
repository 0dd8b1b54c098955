"""The kernel: verdicts are given in one place, and whatever a searcher proposes is compared with the print.

`benchmarks/kernel_mutants.py` shows that each check of it is held by a test.
"""

import ast
import tomllib
from functools import cache

import pytest

from lookup.compare import checks
from lookup.compare.letters import read
from lookup.papers.paper import PassageSpan
from lookup.quote import certify as kernel
from lookup.quote.cascade import by_words
from lookup.quote.certify import Proposal, certify, examine
from lookup.quote.exact import ExactSearch
from lookup.quote.query import parse
from lookup.results.difference import PRINTED
from tests.support.cases import cases
from tests.support.printed import asked, paper
from tests.support.project import ROOT

CASES = cases("quote/certify.toml")

KERNEL = "lookup/quote/certify.py"
MADE_IN = {
    "Examined": {KERNEL},
    "Candidate": {KERNEL, "retrieval/passages/passage_ranking.py"},
    "Match": {"lookup/quote/match.py"},
    "Verification": {"lookup/quote/verify.py"},
}
"""The classes that carry a verdict, or stand for printed words, and the files that make them."""

TYPES = {"lookup/results/difference.py", "lookup/results/quote_answer.py"}
"""The files with the types of verdicts."""


@cache
def files():
    """Return the nodes of the code of each file."""
    return {
        str(path.relative_to(ROOT)): list(ast.walk(ast.parse(path.read_text(encoding="utf-8"))))
        for tree in ("lookup", "objectstore", "pagequote", "pipeline", "retrieval")
        for path in sorted((ROOT / tree).rglob("*.py"))
    }


def _blessing(node):
    return isinstance(node, ast.Constant) and node.value in PRINTED


@pytest.mark.long
def test_what_carries_a_verdict_is_made_in_few_places():
    found: dict[str, set[str]] = {name: set() for name in MADE_IN}
    for file, nodes in files().items():
        for node in nodes:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in found:
                found[node.func.id].add(file)
    assert found == MADE_IN


@pytest.mark.long
def test_no_other_file_says_that_words_are_printed():
    """In `lookup` a word may be the key of a table, which is how it is shown; elsewhere what is asked for."""
    for file, nodes in files().items():
        keys = {id(key) for node in nodes if isinstance(node, ast.Dict) for key in node.keys}
        said = any(_blessing(node) and id(node) not in keys for node in nodes)
        if file.startswith(("lookup/", "pipeline/", "retrieval/")):
            assert said == (file in {KERNEL, *TYPES}), file
        given = [one for node in nodes if isinstance(node, ast.Call) for one in node.keywords]
        assert not [one for one in given if one.arg == "verdict" and _blessing(one.value)], file


def proposed(words, printed, span=None, omitted=()):
    """What the kernel says of a searcher that proposes this place, all of the first paragraph by default."""
    made, query = paper(*([printed] if isinstance(printed, str) else printed)), parse(words)
    span = span or PassageSpan(0, 0, 0, len(made.paragraphs[0].text_norm))
    examined = examine(made, query.whole, Proposal(span, made.flows[0], tuple(omitted)))
    return examined.differences, certify(made, query.readings[0], [examined])


@pytest.mark.parametrize(
    ("words", "printed", "kinds"),
    [
        ("quite other words", "the mud of the shore", "changed dropped"),
        ("the mud of the", "the mud of the shore", "dropped"),
        ("the mud of the shore and more", "the mud of the shore", "added comparison"),
        ("the mud of 103 shores", "the mud of 10^{3} shores", "number"),
        ("the mud of the who", "the mud of the WHO", "case"),
    ],
)
def test_a_lying_searcher_is_not_believed(words, printed, kinds):
    differences, candidate = proposed(words.replace("who", "Who"), printed)
    assert {one.kind for one in differences} == {*kinds.split()}
    assert candidate.verdict == "near"
    assert {*candidate.differences} == {*differences}


@pytest.mark.parametrize(
    ("words", "printed", "whole"),
    [
        ("significant change", "an insignificant change", "insignificant change"),
        ("significant change", "an insignificant change as is known [3]", "insignificant change"),
        ("a signific", "a significant change, as is known [3]", "a significant"),
    ],
)
def test_what_is_cut_is_a_cut_word(words, printed, whole):
    at = printed.index(words)
    differences, _ = proposed(words, printed, PassageSpan(0, at, 0, at + len(words)))
    assert [(one.kind, one.printed) for one in differences] == [("cut word", whole)]


@pytest.mark.parametrize(
    ("words", "printed", "pair"),
    [
        ("the mud of 103 shores", "the mud of 10^{3} shores", ("103", "10^3")),
        ("10³ shores and 105 muds", "10^{3} shores and 10^{5} muds", ("105", "10^5")),
        ("on 10³ shores and 105 muds", "on 10^{3} shores and 10^{5} muds", ("105", "10^5")),
        ("1² m and 105 muds", "1^{2} m and 10^{5} muds", ("105", "10^5")),
        ("a 12 m shore", "a 1^{2} m shore", ("12", "1^2")),
        ("a 10⁻³ m shore", "a 10-3 m shore", ("10^-3", "10-3")),
    ],
)
def test_of_the_numbers_of_a_quote_that_with_another_exponent_is_told(words, printed, pair):
    differences, _ = proposed(words, printed)
    assert [(one.kind, one.asked, one.printed) for one in differences] == [("number", *pair)]


@pytest.mark.parametrize(
    ("words", "printed", "difference"),
    [
        ("smokers", ["smokers-only rooms were seen"], ("cut word", "smokers", "smokers-only")),
        ("it was 5 of 10", ["it was", "5 of 10 mg deep"], ("number", "10", "10 mg")),
        (
            "12 muds of the shore were seen",
            ["one hundred and 12 muds of the shore", "were seen by all of us"],
            ("number", "12", "hundred and 12"),
        ),
        ("[The] mud of the shore was seen", ["All mud of the shore was seen"], ("inserted", "the", "")),
        ("the code ٣B of the shore", ["the code 3B of the shore"], ("form", "code ٣b", "code 3b")),
        ("the code (٣B) of the shore", ["the code (3B) of the shore"], ("form", "(٣b)", "(3b)")),
    ],
)
def test_what_differs_is_told_by_the_words_that_have_it(words, printed, difference):
    (found,) = asked(words, *printed)[0].differences
    assert (found.kind, found.asked, found.printed) == difference


@pytest.mark.parametrize(
    ("printed", "omitted", "kind"),
    [
        ("the mud (cold) of the shore", (8, 15), "dropped"),
        ("the mud (cold) of the shore", (0, 7), "dropped"),
        ("the mud [3] cold of the shore", (8, 16), "number"),
        ("as in Eq. (12) of the shore", (10, 15), "number"),
    ],
)
def test_only_citation_marks_may_be_left_out(printed, omitted, kind):
    kept = (printed[: omitted[0]] + printed[omitted[1] :]).strip()
    differences, candidate = proposed(kept, printed, omitted=[PassageSpan(0, omitted[0], 0, omitted[1])])
    assert candidate.verdict == "near"
    assert differences[0].kind == kind


@pytest.mark.parametrize(
    ("left_out", "score"),
    [
        ("", 1.0),
        ("and sand", 0.9892),  # 0.99 at most, less by two words of those that may be left out
        ("not", 0.855),  # 0.95 at most, by nine words asked to one that is different
    ],
)
def test_the_score_falls_with_what_is_left_out_and_changed(left_out, score):
    printed = f"the thick mud {left_out} of the old shore was seen"
    words = printed.replace(left_out, "...") if left_out else printed
    assert asked(words, printed)[0].score == score


@pytest.mark.parametrize(
    ("texts", "kinds", "verdict"),
    CASES["what parts two texts is told where a quote runs over it"],
)
def test_what_parts_two_texts_is_told_where_a_quote_runs_over_it(texts, kinds, verdict):
    found = asked(f"{texts[0]} {texts[-1]}", *texts, kinds=kinds.split())[0]
    assert found.verdict == verdict
    assert bool(found.omitted) == (verdict == "abridged")


@pytest.mark.parametrize(
    ("beside", "verdict"),
    [
        (("there was no", ""), "verbatim"),
        (("they found no a", ""), "verbatim"),
        (("there was not any", ""), "verbatim"),
        (("Nobody can say no.", ""), "near"),
        (("No,", ""), "near"),
        (("whether or no", ""), "near"),
        (("", "no less"), "near"),
        (("there is no doubt:", ""), "near"),
        (("no one denies that there was", ""), "near"),
        (("", "no"), "verbatim"),
        (("", "a b no"), "near"),
        (("", ""), "near"),
    ],
)
def test_a_denial_is_repeated_only_right_beside_the_quotation(beside, verdict):
    made, query = (
        paper("no evidence of a benefit was seen"),
        parse("evidence of a benefit was seen", beside=beside),
    )
    assert by_words(ExactSearch(made), query)[0].verdict == verdict


@pytest.mark.parametrize(
    ("printed", "words", "beside", "verdict"),
    CASES["a denial is repeated with its article and is no month"],
)
def test_a_denial_is_repeated_with_its_article_and_is_no_month(printed, words, beside, verdict):
    query = parse(words, beside=(beside, ""))
    assert by_words(ExactSearch(paper(printed)), query)[0].verdict == verdict


KERNEL_ITSELF, PAPER = "lookup.quote.certify.", "lookup.papers.paper.Paper."


def test_letters_of_a_paragraph_are_read_once_however_many_places_it_has(monkeypatch):
    counted = []

    def counting(*given, **named):
        counted.append(1)
        return read(*given, **named)

    monkeypatch.setattr("lookup.compare.letters.read", counting)
    assert asked("m² " * 40, "m^{2} " * 40)[0].verdict == "verbatim"
    assert len(counted) == 2  # that of the query, and the paragraph


def test_no_unknown_character_is_told_to_be_printed_where_the_print_has_a_known_one():
    (found,) = asked("we saw the mu\ufffds of it", "we saw the muds of it")
    assert found.verdict == "near"
    assert "\ufffd" not in "".join(one.printed for one in found.differences)


@pytest.mark.parametrize(
    ("kinds", "border"),
    [("body body caption", "body, caption"), ("body list caption", "list, caption")],
)
def test_each_border_that_a_quote_runs_over_is_told_and_no_other(kinds, border):
    words, texts = "grey mud of the old shore of the", ["thick grey mud", "of the old", "shore of the sea"]
    (found,) = asked(words, *texts, kinds=kinds.split())
    assert (found.verdict, [one.printed for one in found.differences]) == ("abridged", [border])


TABLES = {
    "gaps": (checks, "GAPS"),
    "letters": (checks, "CHECKS"),
    "places": (kernel, "PLACES"),
    "quotes": (kernel, "QUOTES"),
}
PAIRS = tomllib.loads((ROOT / "tests/quote/kinds/checks.toml").read_text(encoding="utf-8"))
EVERY_CHECK = [(kind, check.__name__) for kind, place in TABLES.items() for check in getattr(*place)]


def judged(kind, check):
    """Whether each pair of a check should be called printed, is, and is where it is proposed as a whole."""
    frame = {"gaps": "we saw {} here", "letters": "we saw {}"}.get(kind, "{}")
    for name, wanted in (("differ", False), ("agree", True)):
        for pair in PAIRS[kind][check].get(name, ()):
            words, printed = (frame.format(one) for one in pair)
            found = by_words(ExactSearch(paper(printed.replace("\n", " "), raw=[printed])), parse(words))
            _, candidate = proposed(words, printed)
            yield pair, wanted, any(one.verdict in PRINTED for one in found), candidate and candidate.verdict


@pytest.mark.parametrize(("kind", "check"), EVERY_CHECK)
def test_each_check_has_pairs_that_it_alone_decides(kind, check, monkeypatch):
    every = list(judged(kind, check))
    assert [pair for pair, wanted, said, _ in every if said != wanted] == []
    module, table = TABLES[kind]
    others = tuple(one for one in getattr(module, table) if one.__name__ != check)
    monkeypatch.setattr(module, table, others)
    assert list(judged(kind, check)) != every


@pytest.mark.parametrize(
    ("words", "printed", "others", "parted"),
    CASES["a word is parted where both parts are words of the paper"],
)
def test_a_word_is_parted_where_both_parts_are_words_of_the_paper(words, printed, others, parted):
    flat = printed.replace("-\n", "")
    made = paper(flat, f"There is {others}.", raw=[printed, f"There is {others}."])
    verdicts = {one.verdict for one in by_words(ExactSearch(made), parse(words))}
    assert bool(verdicts & {*PRINTED}) != parted

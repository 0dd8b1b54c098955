"""What is called verbatim, and what never is."""

from dataclasses import replace

import pytest

from lookup.papers.paper import Paper, Paragraph
from lookup.quote.bounds import LEFT_OUT_IN_ALL, MOST_LEFT_OUT
from lookup.quote.by_words import by_words
from lookup.quote.exact import ExactSearch
from lookup.quote.query import parse
from lookup.results.difference import PRINTED, Difference
from lookup.text.folding import fold
from tests.support.printed import asked, omitted, paper


def blessed(words: str, *texts: str, kinds=()) -> bool:
    return any(one.verdict in PRINTED for one in asked(words, *texts, kinds=kinds))


CHANGED = [
    # letters typed for signs
    ("a dose of 5 ug was given to all", "a dose of 5 µg was given to all", "sign"),
    ("a field of 2 x 4 mm was seen in it", "a field of 2 × 4 mm was seen in it", "sign"),
    ("the cells had ß carotene in all of them", "the cells had β carotene in all of them", "sign"),
    # numbers
    # letters and digits that fold alike
    ("it was kept for ٣ days in the dark", "it was kept for 3 days in the dark", "form"),
    ("הָרַג את האיש הזה אתמול בערב", "הֹרַג את האיש הזה אתמול בערב", "form"),
    ("the dose was 11/2 tablets each day", "the dose was 1½ tablets each day", "number"),
    ("a yield of 15 mg was reached", "a yield of 1.5 mg was reached", "number"),
    ("a yield of 1.5 mg was reached", "a yield of 15 mg was reached", "number"),
    ("a yield of 1.5 mg was reached", "a yield of 1,5 mg was reached", "number"),
    ("a dose of 1,000 cells was given", "a dose of 1.000 cells was given", "number"),
    ("a dose of 1000 cells was given", "a dose of 100 cells was given", "number"),
    ("three of them died within a year", "four of them died within a year", "number"),
    ("three of them died within a year", "3 of them died within a year", "number"),
    ("half of them died within a year", "all of them died within a year", "number"),
    ("between 3-5 patients were seen", "between 35 patients were seen", "number"),
    ("a total of 103 cells were counted", "a total of 10^{3} cells were counted", "number"),
    ("a total of 10^3 cells were counted", "a total of 103 cells were counted", "number"),
    ("a total of 10³ cells were counted", "a total of 103 cells were counted", "number"),
    ("a total of 10^{4} cells were counted", "a total of 10^{3} cells were counted", "number"),
    ("it was 5 × 10^0 cells that we counted", "it was 5 × 100 cells that we counted", "number"),
    ("it was 5 × 10⁰ cells that we counted", "it was 5 × 100 cells that we counted", "number"),
    ("it was 5 × 100 cells that we counted", "it was 5 × 10^{0} cells that we counted", "number"),
    ("it was 5 × 10^2 cells that we counted", "it was 5 × 102 cells that we counted", "number"),
    ("it was 10^-15 of the cells we counted", "it was 10-15 of the cells we counted", "number"),
    ("it was 10⁻¹⁵ of the cells we counted", "it was 10–15 of the cells we counted", "number"),
    ("measured in 2012 in the north sea", "measured in 2021 in the north sea", "number"),
    ("IL-6 was raised in all patients", "IL-8 was raised in all patients", "number"),
    ("the CO2 release was measured", "the CO release was measured", "number"),
    ("a ratio of 1:2 was used for it", "a ratio of 12 was used for it", "number"),
    ("1/2 of the mice were treated", "12 of the mice were treated", "number"),
    # signs
    ("cooled down to 5 °C over night", "cooled down to −5 °C over night", "sign"),
    ("cooled down to -5 °C over night", "cooled down to 5 °C over night", "sign"),
    ("a change of +5 % was observed", "a change of −5 % was observed", "sign"),
    ("a rate of 10 cm s1 was measured there", "a rate of 10 cm s^{−1} was measured there", "number"),
    ("a value of 25 g L1 was measured there", "a value of 25 g L-1 was measured there", "number"),
    ("it was 10 ± 2 mm in the mean of all", "it was 10 + 2 mm in the mean of all", "sign"),
    ("cooled down to − 5 °C over night", "cooled down to 5 °C over night", "sign"),
    ("cooled down to 5 °C over night", "cooled down to − 5 °C over night", "sign"),
    ("it was kept in box - 3 for a week", "it was kept in box 3 for a week", "sign"),
    ("the salt of Cl anions was all seen", "the salt of Cl^{−} anions was all seen", "form"),
    ("the salt of Cl^{−} anions was seen", "the salt of Cl anions was seen", "added"),
    ("a mean of 2ΔΔCt was used for all", "a mean of 2^{−ΔΔCt} was used for all", "number"),
    ("it gave 140 mAhg1 after the cycles", "it gave 140 mAhg−1 after the cycles", "number"),
    ("the marsh was known to us [6 8] before", "the marsh was known to us [6–8] before", "sign"),
    ("a rate that all had seen (at last)19 here", "a rate that all had seen (at last).^{19} here", "form"),
    ("a probability of P < 05 was chosen", "a probability of P < .05 was chosen", "form"),
    ("group 1.5 rats were kept in the dark", "group 1. 5 rats were kept in the dark", "number"),
    # comparisons
    ("it was different with p < 0.05", "it was different with p > 0.05", "comparison"),
    ("it was different with p < 0.05", "it was different with p ≤ 0.05", "comparison"),
    ("it was different with p = 0.05", "it was different with p < 0.05", "comparison"),
    ("the higher dose was well tolerated", "the lower dose was well tolerated", "comparison"),
    ("growth increased with the dose", "growth decreased with the dose", "comparison"),
    ("it was more than in the controls", "it was less than in the controls", "comparison"),
    # negations
    ("the difference was significant", "the difference was not significant", "negation"),
    ("the difference was not significant", "the difference was significant", "negation"),
    ("a significant difference was seen", "an insignificant difference was seen", "negation"),
    ("a significant difference was seen", "a non-significant difference was seen", "negation"),
    ("this is permitted in all of them", "this is unpermitted in all of them", "negation"),
    ("they can be seen with the naked eye", "they cannot be seen with the naked eye", "negation"),
    ("they did find it in the samples", "they didn't find it in the samples", "negation"),
    ("with treatment they all survived", "without treatment they all survived", "negation"),
    ("no effect was seen in any of them", "an effect was seen in any of them", "negation"),
    # units
    ("a share of 10 % was measured there", "a share of 10 ‰ was measured there", "unit"),
    ("a dose of 10 mg was given to them", "a dose of 10 µg was given to them", "unit"),
    ("a dose of 10 mg was given to them", "a dose of 10 g was given to them", "unit"),
    ("a dose of 10mg was given to them", "a dose of 10µg was given to them", "number"),
    ("it was kept for 10 min at the most", "it was kept for 10 h at the most", "unit"),
    ("it was heated to 90 °C for a while", "it was heated to 90 K for a while", "unit"),
    ("it cost 100 € in every year of it", "it cost 100 $ in every year of it", "unit"),
    # case
    ("a salt of 5 mM was given to the cells", "a salt of 5 mm was given to the cells", "case"),
    ("a salt of 5mM was given to the cells", "a salt of 5mm was given to the cells", "case"),
    ("it lasted for 5 Ms in all the cells", "it lasted for 5 ms in all the cells", "case"),
    ("a field of 5 mV was put on the cells", "a field of 5 MV was put on the cells", "case"),
    ("a dose of 5 mg/Ml was given to the cells", "a dose of 5 mg/mL was given to the cells", "case"),
    ("the release of no was measured in Kiel", "the release of NO was measured in Kiel", "case"),
    ("the release of NO was measured there", "the release of no was measured there", "case"),
    ("The layers of Co were thin and even", "The layers of CO were thin and even", "case"),
    ("a change of δ was seen in all samples", "a change of Δ was seen in all samples", "case"),
    ("the level of P53 was raised in all", "the level of p53 was raised in all", "case"),
    ("We fed N = 6 animals for a whole week", "We fed n = 6 animals for a whole week", "case"),
    ("We fed them n-butane for a whole week", "We fed them N-butane for a whole week", "case"),
    # brackets of values
    ("seen in two main groups: 1 young ones", "seen in two main groups: (1) young ones", "form"),
    ("seen in the groups 25 of patients all", "seen in the groups (25) of patients all", "form"),
    ("the interval (1,2] was seen in all of it", "the interval [1,2) was seen in all of it", "form"),
    ("f(x)+1 was seen in all of the cases", "f(x+1) was seen in all of the cases", "form"),
    # signs that show digits in another order
    ("it fell by \u202e52\u202c points in all of them", "it fell by 52 points in all of them", "added"),
    ("it fell by \u200f10–\u200f20 points in all", "it fell by 10–20 points in all", "sign"),
    ("Β-catenin was seen in all the samples", "β-catenin was seen in all the samples", "case"),
]


@pytest.mark.parametrize(("words", "printed", "kind"), CHANGED)
def test_a_changed_fact_is_never_verbatim_and_named_first(words, printed, kind):
    for before, after in (("", ""), ("We report that ", ", as was said before.")):
        found = asked(words, f"{before}{printed}{after}")
        assert found, "the passage is found"
        assert found[0].verdict == "near"
        assert found[0].differences[0].kind == kind


CHANGED_WORDS = [
    ("# the mud of the old shore was grey", "the mud of the old shore was grey"),
    ("the mud of the old @ shore was grey", "the mud of the old shore was grey"),
    ("the mud of the old shore & was grey", "the mud of the old shore was grey"),
    ("Man riet ihm, Alkohol in Massen zu trinken", "Man riet ihm, Alkohol in Maßen zu trinken"),
    ("Er ging zur Buße in die stille Kirche", "Er ging zur Busse in die stille Kirche"),
    ("Channels let CO² pass through the outer membrane", "Channels let CO2 pass through the outer membrane"),
    ("a field of nine cm₂ was seen in the eye", "a field of nine cm^{2} was seen in the eye"),
    ("the work of Smith and Jones was used", "the work of Jones and Smith was used"),
    ("the drug reduces the pain of patients", "the pain reduces the drug of patients"),
    ("the cells were kept at rest in the dark", "the cells were left at rest in the dark"),
    ("they had to resign at the end of it", "they had to re-sign at the end of it"),
    ("it is now here in the long text of it", "it is nowhere in the long text of it"),
    ("there are no table results in it", "there are notable results in it"),
    ("it was public knowledge in those days", "it was pubic knowledge in those days"),
    ("Müller and his team measured it twice", "Muller and his team measured it twice"),
    ("it was measured at the north pole only", "it was measured at the north pole"),
    ("was kept at 80 °C until the analysis", "was kept at \x0280 °C until the analysis"),
    ("it was kept at 20 m2 for a while", "it was kept at 20 m3 for a while"),
    ("they found a rise of α in the cells", "they found a rise of β in the cells"),
]


@pytest.mark.parametrize(("words", "printed"), CHANGED_WORDS)
def test_a_changed_word_is_never_verbatim(words, printed):
    found = asked(words, printed)
    assert found
    assert found[0].verdict == "near"
    assert found[0].differences


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        ("the who report on this was read by all", "The WHO report on this was read by all"),
        ("the roots of all plants were thick", "The Roots of all plants were thick"),
        ("Roots of all plants were thick", "the roots of all plants were thick"),
        ("Materials and methods of our trial", "MATERIALS AND METHODS of our trial"),
        ("Conclusions: the roots were thick", "CONCLUSIONS: the roots were thick"),
        ("THE ROOTS OF ALL PLANTS", "The roots of all plants were thick"),
        ("a dose of 5 ml was given to Them", "a dose of 5 mL was given to Them"),
        ("it was kept for 5 Days in the Dark", "it was kept for 5 days in the dark"),
        ("the leaves of NaCl plants were thick", "the leaves of NaCl plants were thick"),
    ],
)
def test_case_that_means_nothing_may_differ(words, printed):
    assert asked(words, printed)[0].verdict == "verbatim"


DENIED_BESIDE = [
    ("as far as we know this is", "As far as we know this is not permitted.", "not"),
    ("effective in all of the patients", "It was not effective in all of the patients.", "not"),
    ("effective in some of the patients", "It was never effective in some of the patients.", "never"),
]


@pytest.mark.parametrize(("words", "printed", "denied"), DENIED_BESIDE)
def test_a_quote_does_not_cut_off_the_negation_beside_it(words, printed, denied):
    found = asked(words, printed)[0]
    assert found.verdict == "near"
    assert found.differences == (Difference("negation", "", denied),)


@pytest.mark.parametrize(
    ("words", "printed", "left_out"),
    [
        ("in the mud. Where it stays", "in the mud [12]. Where it stays", ["[12]"]),
        ("in the mud. Where it stays", "in the mud [3-5, 7]. Where it stays", ["[3-5, 7]"]),
        ("the pores were wide and deep", "the pores (4) were wide and deep", ["(4)"]),
        (
            "the pores were wide and deep",
            "the pores (Smith et al., 2010; Jones & Wu 2011) were wide and deep",
            ["(smith et al., 2010; jones & wu 2011)"],
        ),
        ("the pores were wide and deep", "the pores^{12} were wide and deep", ["12"]),
        ("the pores were wide and deep", "the pores^{12,13} were wide^{4–6} and deep", ["12,13", "4-6"]),
        ("the pores were wide. They are deep", "the pores were wide.^{12} They are deep", ["12"]),
        ("the pores were wide. They are deep", "the pores were wide. ^{12} They are deep", ["12"]),
        ("in 52.8 % of the cells they are deep", "in 52.8 %^{18} of the cells they are deep", ["18"]),
        ("known since 2004 and used ever since", "known since 2004^{15} and used ever since", ["15"]),
        ("Smith showed that pores are deep", "Smith (2010) showed that pores are deep", ["(2010)"]),
        ("the pores [1] were wide and deep", "the pores [1] were wide [2] and deep", ["[2]"]),
        ("the pores of the AIDS virus are deep", "the pores of the AIDS^{12} virus are deep", ["12"]),
        ("the pores were all wide and deep.", "the pores were all wide and deep [12].", ["[12]"]),
        (
            "the pores were all wide and deep.",
            "the pores were all wide and deep (Council of Europe, 1997).",
            ["(council of europe, 1997)"],
        ),
        (
            "the pores were all wide and deep.",
            ("the pores were all wide and deep (Perrini et al., 2006; Wu; Harris; Aitken, 2009)."),
            ["(perrini et al., 2006; wu; harris; aitken, 2009)"],
        ),
        (
            "the pores were all wide and deep.",
            "the pores were all wide and deep (Smith and colleagues, 2010).",
            ["(smith and colleagues, 2010)"],
        ),
        (
            "“the pores were all wide and deep.”",
            "“the pores were all wide and deep (Wu & Li, 2010).”",
            ["(wu & li, 2010)"],
        ),
        (
            "it was done in three steps by all of them",
            "it was done in three steps [8, 9] by all of them",
            ["[8, 9]"],
        ),
        (
            "the pores were deep (see for all of the methods)",
            ("the pores were deep (see Wu et al., 2007 for all of the methods)"),
            ["wu et al., 2007"],
        ),
        (
            "the pores (Wu & Li ) were wide and deep (Li & Xu; Wu and Xu ).",
            ("the pores (Wu & Li 1997) were wide and deep (Li & Xu 2001; Wu and Xu 2004)."),
            ["1997", "2001"],
        ),
    ],
)
def test_citation_marks_may_be_left_out(words, printed, left_out):
    made = paper(printed)
    found = asked(words, printed)[0]
    assert found.verdict == "verbatim"
    assert not found.differences
    assert omitted(found, made) == left_out


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        ("the area was 10 m wide and deep", "the area was 10 m^{2} wide and deep"),
        ("the area was 10 km wide and deep", "the area was 10 km^{2} wide and deep"),
        ("a total of 10 cells were counted", "a total of 10^{3} cells were counted"),
        ("the release of CO was measured", "the release of CO2 was measured"),
        ("the release of IL was measured", "the release of IL6 was measured"),
        ("the fit had an R of 0.9 in all", "the fit had an R^{2} of 0.9 in all"),
        ("the 95 % CI was wide in all", "the 95 % CI [12, 15] was wide in all"),
        ("the pores (, 1999) were wide and deep", "the pores (James Upton, 1999) were wide and deep"),
        ("the pores [6 8] were wide and deep", "the pores [6–8] were wide and deep"),
        ("the pores [6] were wide and deep", "the pores [6, 8] were wide and deep"),
        ("it follows from equation that", "it follows from equation (4) that"),
        ("it was done in all three steps of it", "it was done in all three steps (4) of it"),
        ("in 12 of all patients it was seen", "in 12 (4) of all patients it was seen"),
        ("the pores (4) were wide and deep", "the pores (5) were wide and deep"),
        ("the pores [4] were wide and deep", "the pores were wide [4] and deep"),
        ("the pores^4 were wide and deep", "the pores^{5} were wide and deep"),
        ("the pores78 were all wide and deep", "the pores^{7–8} were all wide and deep"),
        ("in plots 78 of all they were deep", "in plots 7,8 of all they were deep"),
        ("a dose was given to all of them", "a dose (5 mg) was given to all of them"),
        ("a dose was given to all of them", "a dose (in 2010) was given to all of them"),
        ("a dose was given to all of them", "a dose (not shown) was given to all of them"),
        ("the points in the interval are", "the points in the interval [0, 1] are"),
        ("the pores (Wu, 197) were wide and deep", "the pores (Wu, 1977) were wide and deep"),
        (
            "the pores were deep (see 2007 for all of the methods)",
            "the pores were deep (see Wu et al., 2007 for all of the methods)",
        ),
        (
            "the pores were deep (since for all of the years)",
            "the pores were deep (since May 2007 for all of the years)",
        ),
        ("the pores (Wu, 19) were wide and deep", "the pores (Wu, 1977) were wide and deep"),
        ("the pores were all wide and deep", "the pores (of 2010) were all wide and deep"),
    ],
)
def test_what_may_be_a_value_is_no_citation_mark(words, printed):
    found = asked(words, printed)
    assert found[0].verdict == "near"
    assert found[0].differences


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


DENIED_BETWEEN = [
    ("this is ... permitted", "We know that this is not permitted."),
    ("this is ... permitted", "We know that this is, under no circumstances, permitted."),
    (
        "the drug was … effective in all of them",
        ("the drug was, as far as we know from the trials of others, never effective in all of them"),
    ),
    (
        "the drug was [...] effective in all of them",
        ("the drug was hardly ever really effective in all of them"),
    ),
    ("we could [...] show this for all of them", "we couldn't at the time show this for all of them"),
    ("the drug [was] effective in all of them", "the drug was not effective in all of them"),
    (
        "das Mittel war [...] wirksam in allen Fällen",
        ("das Mittel war leider nicht sehr wirksam in allen Fällen"),
    ),
]


@pytest.mark.parametrize(("words", "printed"), DENIED_BETWEEN)
def test_an_ellipsis_never_goes_over_a_negation(words, printed):
    found = asked(words, printed)[0]
    assert found.verdict == "near"
    assert "negation" in {one.kind for one in found.differences}


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
    "name", ["Old Drugs Co., Ltd., Wuhan,", "Terminalia bellirica (Gaertn.) Roxb. and others"]
)
def test_a_comma_and_a_bracketed_abbreviation_end_no_sentence(name):
    assert blessed(
        "we saw that needles ... were used in all of them",
        f"we saw that needles made by {name} were used in all of them",
    )


TURNED_BETWEEN = [
    ("the new drug ... the growth of cells", "the new drug may inhibit the growth of cells", "may"),
    ("the new drug ... to heal the wounds", "the new drug failed to heal the wounds", "failed"),
    ("the new drug ... heal the old wounds", "the new drug is unlikely to heal the old wounds", "unlikely"),
    ("we used water ... the new drug", "we used water rather than the new drug", "rather than"),
    (
        "we asked if we ... that roots are thick",
        ("we asked if we could show to all of the others in the room whether that roots are thick"),
        "whether",
    ),
    (
        "it was shown in ... all of the plants",
        ("it was shown in a trial of ten years, in which others took part, that only all of the plants"),
        "only",
    ),
    (
        "das neue Mittel ... die alten Wunden heilen",
        "das neue Mittel könnte die alten Wunden heilen",
        "könnte",
    ),
]


@pytest.mark.parametrize(("words", "printed", "word"), TURNED_BETWEEN)
def test_an_ellipsis_never_goes_over_a_word_that_weakens_or_turns(words, printed, word):
    found = asked(words, printed)[0]
    assert found.verdict == "near"
    assert ("hedge", word) in [(one.kind, one.printed) for one in found.differences]


@pytest.mark.parametrize(
    "between",
    [
        "of ten old plants, which may not be old, and of which only a few had any leaves,",
        "of the plants, since the soil did not lack any water in the whole of this year,",
    ],
)
def test_a_denial_in_a_clause_of_its_own_may_be_left_out(between):
    assert blessed("we saw the roots ... were thick in all", f"we saw the roots {between} were thick in all")


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        ("[t]he roots of all plants were thick", "In fact, the roots of all plants were thick."),
        ("[T]he roots of all plants were thick", "In fact, the roots of all plants were thick."),
        ("[the authors] found that the roots were thick", "They found that the roots were thick."),
        ("[This old drug] healed the wounds of all", "This drug healed the wounds of all patients."),
        ("they [the nurses] healed the wounds of all", "they healed the wounds of all"),
        ("the wounds were healed by [the nurses]", "the wounds were healed by them."),
        ("growth [increases] in all of the plants", "growth increased in all of the plants"),
        ("growth in all plants [is] the same", "growth in all plants was the same"),
        ("the roots were thick [emphasis added]", "the roots were thick in all"),
        ("increas[es] in all of the plants were seen", "increas in all of the plants were seen"),
        ("Then [the authors] found that roots were thick", "Then they found that roots were thick."),
        ("the roots was [sic] thick in all the plants", "the roots was thick in all the plants"),
        ("the root[s] of all plants were thick", "the roots of all plants were thick"),
        ("the root[s] of all plants were thick", "the root of all plants were thick"),
        ("increas[ing] in all of the plants they grew", "they increased in all of the plants they grew"),
        ("all of the plants were grow[s] in the dark", "all of the plants were growing in the dark"),
    ],
)
def test_brackets_are_the_writers(words, printed):
    found = asked(words, printed)[0]
    assert found.verdict == "abridged"
    assert all(one.kind == "inserted" for one in found.differences)


PUT_IN = [
    ("[Aspirin] healed the wounds of all", "This drug healed the wounds of all.", "inserted"),
    ("[The control plants] healed in a week", "These trees healed in a week", "inserted"),
    ("growth was [reduced] in all plants", "growth was increased in all plants", "comparison"),
    ("growth was [lower] in all plants", "growth was higher in all plants", "comparison"),
    ("growth in all plants was [lower]", "growth in all plants was higher", "comparison"),
    ("growth in all plants was [lower].", "growth in all plants was higher than before.", "comparison"),
    ("[Fewer] plants had the thick roots", "Many plants had the thick roots", "number"),
    ("we counted [many] plants with roots", "we counted 12 plants with roots", "number"),
    ("the drug was [not] effective in all", "the drug was effective in all", "negation"),
    ("the drug was [without] effect in all", "the drug was with effect in all", "negation"),
    ("the drug [may] heal the wounds in all", "the drug will heal the wounds in all", "hedge"),
    ("the drug [failed to] heal wounds in all", "the drug heal wounds in all", "hedge"),
    ("the drug has [falsely] healed wounds", "the drug has healed wounds", "hedge"),
    ("they [allegedly] healed all the wounds", "they healed all the wounds", "hedge"),
    ("we saw the [un] effective drug in all", "we saw the effective drug in all", "inserted"),
    ("all of this [the nurses] work was done", "all of this work was done", "inserted"),
    ("they [quietly] healed all the wounds", "they healed all the wounds", "inserted"),
    ("it healed wounds [in mice only] and pain", "it healed wounds and pain", "hedge"),
    ("it healed wounds [in mice] and all pain", "it healed wounds and all pain", "inserted"),
    ("they all saw [the opposite of] an effect", "they all saw an effect", "hedge"),
    ("it [the reverse] was seen in all of them", "it was seen in all of them", "hedge"),
    ("the drug [aspirin] healed all the wounds", "the drug healed all the wounds", "inserted"),
    ("[the nurses] saw that the roots were thick", "The doctors saw that the roots were thick", "inserted"),
    ("a dose of 10 [mL] was given to them", "a dose of 10 µL was given to them", "unit"),
    ("a dose that they gave was 10 [mL]", "a dose that they gave was 10 µL", "unit"),
    ("a dose that they gave was 10 [mL]", "a dose that they gave was 10 [µL] at most", "unit"),
    ("the effect[less] drug was given to them", "the effect drug was given to them", "inserted"),
    ("they decreas[ed] in all of the old plants", "they increased in all of the old plants", "comparison"),
    ("it was 5 m[M] of the acid in water", "it was 5 m of the acid in water", "inserted"),
]


@pytest.mark.parametrize(("words", "printed", "kind"), PUT_IN)
def test_brackets_that_say_otherwise_are_near(words, printed, kind):
    found = asked(words, printed)[0]
    assert found.verdict == "near"
    assert found.score < 0.95
    assert kind in [one.kind for one in found.differences]


@pytest.mark.parametrize(
    ("words", "printed", "kind", "verdict"),
    [
        (
            "See the text for all of the values",
            "^{b}See the text for all of the values",
            "footnote",
            "verbatim",
        ),
        (
            "These authors have done the same work",
            "^{5}These authors have done the same work",
            "front",
            "verbatim",
        ),
        (
            "See the text of all years",
            "^{a}Data of years. ^{b}See the text of all years",
            "footnote",
            "verbatim",
        ),
        ("C-labelled sugar was given to them", "^{13}C-labelled sugar was given to them", "footnote", "near"),
        ("These authors have done the same work", "5These authors have done the same work", "front", "near"),
    ],
)
def test_a_raised_label_is_no_part_of_the_word_after_it(words, printed, kind, verdict):
    assert asked(words, printed, kinds=[kind])[0].verdict == verdict


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        ("it was 10³ cells that we counted", "it was 10^{3} cells that we counted"),
        ("it was 10^3 cells that we counted", "it was 10^{3} cells that we counted"),
        ("it was 10^{3} cells that we counted", "it was 10^{3} cells that we counted"),
        ("it was 2 × 103 cells that we counted", "it was 2 × 10^{3} cells that we counted"),
        ("it was 2 × 10^0 cells that we counted", "it was 2 × 10^{0} cells that we counted"),
        ("it was 2 × 10-5 of the cells counted", "it was 2 × 10^{−5} of the cells counted"),
        ("it was 2 × 10⁻⁵ of the cells counted", "it was 2 × 10−5 of the cells counted"),
        ("it was 5 × 100 cells that we counted", "it was 5 × 100 cells that we counted"),
        ("it was 10−3 of the cells we counted", "it was 10^{−3} of the cells we counted"),
        ("it was 10^-3 of the cells we counted", "it was 10^{−3} of the cells we counted"),
        ("the area was 10 m2 in all the plots", "the area was 10 m^{2} in all the plots"),
        ("it was heated to 90°C for a while", "it was heated to 90 ˚C for a while"),
        ("it was heated to 90 °C for a while", "it was heated to 90 ℃ for a while"),
        ("it was heated to 90 °C for a while", "it was heated to 90 ºC for a while"),
        ("a window of ~3 V was estimated there", "a window of ∼3 V was estimated there"),
        ("a share of ≤3 % was estimated there", "a share of ⩽3 % was estimated there"),
        ("73.8–82.7%.", "with 73.8–82.7%.^{39}"),
        ("the bands78 were all thin and even", "the bands^{7,8} were all thin and even"),
        ("the bands7 , 8 were thin and even", "the bands^{7,8} were thin and even"),
        ("it was even (in all).12 There it lay", "it was even (in all).[12] There it lay"),
        ("a share of 44.41%±2.3% was seen", "a share of 44.41% ± 2.3% was seen"),
        ("a share of 44.41 ± 2.3 was seen", "a share of 44.41±2.3 was seen"),
        ("it was 5<6 in all of the cells", "it was 5 < 6 in all of the cells"),
        ("the salt of Cl− anions was seen", "the salt of Cl^{–} anions was seen"),
        ("it was kept at − 5 °C over night", "it was kept at −5 °C over night"),
        ("− 5 °C is where they were all kept", "−5 °C is where they were all kept"),
        (".05 was the level that was chosen", "and .05 was the level that was chosen"),
        ("the damage was induced by Fe2+", "the damage was induced by Fe2+."),
        ("the diagnosis was right in 82.7%.", "the diagnosis was right in 82.7%.^{39}"),
        ("we used Tween 20 from Sigma for it", "we used Tween™ 20 from Sigma® for it"),
        ("the dose was 1 ½ tablets on each day", "the dose was 1½ tablets on each day"),
        ("the dose was 1 1/2 tablets on each day", "the dose was 1½ tablets on each day"),
        ("הרג את האיש הזה אתמול בערב", "הֹרַג את האיש הזה אתמול בערב"),
        ("هَٰذَا ٱلْكِتَابُ في القرن ١٢", "هذا ٱلكتاب في القرن 12"),
        ("مدت 125 روز در سال گذشته بود", "مدت ۱۲۵ روز در سال گذشته بود"),
        ("ทุกคนมี สิทธิในการดำรงชีวิต", "ทุกคนมีสิทธิ ในการดำรงชีวิต"),
        ("我们使用“某种”方法和一组CDs", "我们使用 “某种” 方法和一组 CDs"),
    ],
)
def test_other_ways_to_write_the_same_are_verbatim(words, printed):
    assert asked(words, printed)[0].verdict == "verbatim"


@pytest.mark.parametrize(
    ("words", "printed", "kinds"),
    [
        ("the qick brown fox jumps over it", "the quick brown fox jumps over it", ["spelling"]),
        ("the quick bro wn fox jumps over it", "the quick brown fox jumps over it", ["split"]),
        ("the quickbrown fox jumps over it", "the quick brown fox jumps over it", ["merged"]),
        ("the quick fox jumps over it all", "the quick brown fox jumps over it all", ["dropped"]),
        ("the quick brown fox really jumps over it", "the quick brown fox jumps over it", ["added"]),
        ("the quick brown fox leaps over it", "the quick brown fox jumps over it", ["changed"]),
        ("the brown quick fox jumps over it", "the quick brown fox jumps over it", ["moved"]),
    ],
)
def test_differences_are_named_word_by_word(words, printed, kinds):
    found = asked(words, f"It was said before. {printed}. It was said again.")[0]
    assert found.verdict == "near"
    assert [one.kind for one in found.differences] == kinds


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


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        ("they were given a dose of 10 mg", "they were given a dose of 10 mg/kg in the morning"),
        ("they were all kept at 20 °.", "they were all kept at 20 °C."),
        ("they were seen in 3 of the wards", "they were seen in 3/5 of the wards"),
        ("5 of the wards had seen them all", "3/5 of the wards had seen them all"),
        ("a mixture that was stirred at 1", "a mixture that was stirred at 1:2"),
        ("the number that was counted was 5", "the number that was counted was 5 × 10^{3}"),
        ("they appear at 2241 and 2210 cm", "they appear at 2241 and 2210 cm^{−1} in all"),
        ("they were given a dose of 10 mg", "they were given a dose of 10 mg kg−1 in the morning"),
        ("they were given a dose of 10 mg/kg", "they were given a dose of 10 mg/kg/day for a week"),
        ("they were scanned at 1000 s/mm", "they were scanned at 1000 s/mm^{2} in all"),
        ("the damage was induced by Fe2", "the damage was induced by Fe2+ in all cells"),
        ("the damage was induced by Cl", "the damage was induced by Cl− in all cells"),
        ("20 °C is where they were all kept", "− 20 °C is where they were all kept"),
        ("20 °C is where they were all kept", "at − 20 °C is where they were all kept"),
        ("05 was the level that was chosen", "with .05 was the level that was chosen"),
    ],
)
def test_a_value_is_not_cut_at_the_end_of_a_quote(words, printed):
    assert not blessed(words, printed)


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


CUT = [
    ("the programme cost 5", "the programme cost 5 million in all", "number"),
    ("the rate increased 2", "the rate increased 2-fold in all", "number"),
    ("they were given a dose of 100", "they were given a dose of 100 mg per day", "number"),
    ("we saw that five patients died", "we saw that twenty-five patients died", "number"),
    ("five patients of ours had died", "one hundred and five patients of ours had died", "number"),
    ("5 degrees were measured at night", "minus 5 degrees were measured at night", "number"),
    ("we counted twenty", "we counted twenty-five of them", "number"),
    ("the answer of all was yes or", "the answer of all was yes or no.", "negation"),
    ("smokers had a lower risk than all", "ex-smokers had a lower risk than all", "cut word"),
    ("हम सब ने कल उस को देख", "हम सब ने कल उस को देखा", "cut word"),
    ("catechin had a lower risk than all", "(−)-catechin had a lower risk than all", "cut word"),
    ("they were put on a diet of gluten", "they were put on a diet of gluten-free bread", "cut word"),
    ("evidence of a benefit was seen", "no evidence of a benefit was seen", "negation"),
    ("respond to the treatment in time", "they failed to respond to the treatment in time", "negation"),
    ("toxic to the cells of the liver", "it isn't toxic to the cells of the liver", "negation"),
    ("The drug works in the old", "The drug works in the old only if they rest", "negation"),
    ("The drug works in the old", "The drug works in the old unless they smoke", "negation"),
    ("Das Mittel wirkt bei den Alten", "Das Mittel wirkt bei den Alten nicht", "negation"),
    ("снижает риск у всех больных", "не снижает риск у всех больных", "negation"),
    ("réduit le risque de la maladie", "il ne réduit le risque de la maladie", "negation"),
    ("ปลอดภัยสำหรับทุกคน", "ไม่ปลอดภัยสำหรับทุกคน", "negation"),
]


@pytest.mark.parametrize(("words", "printed", "kind"), CUT)
def test_a_quote_that_cuts_a_number_a_compound_or_a_denial_is_near(words, printed, kind):
    found = asked(words, printed)
    assert found[0].verdict == "near", found
    assert kind in [one.kind for one in found[0].differences]


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        ("It was seen in 2012", "It was seen in 2012 and later."),
        ("a few years before the war", "It began a few years before the war."),
        ("the drug works in the old.", "So the drug works in the old. Only the young are sick."),
        ("response of all the cells", "We saw the dose–response of all the cells"),
        ("which we saw in all the cells", "the cells—which we saw in all the cells—were small"),
    ],
)
def test_a_quote_may_end_beside_what_it_does_not_cut(words, printed):
    assert asked(words, printed)[0].verdict == "verbatim"


SENTENCES = [
    (
        "The drug reduced pain in mice. The effect was absent",
        "The drug reduced pain. In mice the effect was absent",
    ),
    (
        "The drug reduced pain in mice the effect was absent",
        "The drug reduced pain. In mice the effect was absent",
    ),
    ("No. Patient died in the trial of it", "No patient died in the trial of it"),
    ("Does it help all of the patients.", "Does it help all of the patients? We saw."),
    ("It helps all of the patients?", "It helps all of the patients. We saw."),
    ("It helps all of them. 27 We saw it", "It helps all of them! 27 We saw it"),
]


@pytest.mark.parametrize(("words", "printed"), SENTENCES)
def test_an_end_of_a_sentence_that_moves_comes_or_goes_is_near(words, printed):
    found = asked(words, printed)[0]
    assert found.verdict == "near"
    assert found.differences[0].asked != found.differences[0].printed


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        ("at 56° 11' 30\" north of the old line", "at 56° 11′ 30″ north of the old line"),
        ("it was 10 +/- 2 mm in all of the samples", "it was 10 ± 2 mm in all of the samples"),
        ("it was 'less than 3' in 'all' of them", "it was “less than 3” in “all” of them"),
        ("it was less than 3 in all of them then", "it was “less than 3” in all of them then"),
        ("values >= 5 were seen in all of them", "values ≥ 5 were seen in all of them"),
        ("the cells---all of them---were small", "the cells—all of them—were small"),
        ("a range of 5--10 was seen in all", "a range of 5–10 was seen in all"),
        ("one of the isolates--2A of all--was small", "one of the isolates—2A of all—was small"),
        (r"a share of 10\% was seen by A \& B", "a share of 10% was seen by A & B"),
        ("We saw d-limonene and L-alanine in it", "We saw D-limonene and l-alanine in it"),  # small capitals
        ("they deter\u00ad mined all of the samples", "they determined all of the samples"),
    ],
)
def test_what_a_keyboard_has_instead_of_signs_is_verbatim(words, printed):
    assert asked(words, printed)[0].verdict == "verbatim"


@pytest.mark.parametrize(
    "words",
    [
        "the roots were thick [..] were small and green",
        "the roots were thick ‥ were small and green",
        "the roots were thick [—] were small and green",
        "the roots were thick [---] were small and green",
        "the roots were thick /.../ were small and green",
        "the roots were thick <...> were small and green",
        "the roots were thick ··· were small and green",
        "the roots were thick &hellip; were small and green",
        "the roots were thick \\ldots{} were small and green",
        "the roots were thick \\dots were small and green",
        "the roots were (sic) thick and the leaves were small and green",
        "the roots were thick and the leaves were small (emphasis added)",
    ],
)
def test_writers_leave_out_and_remark_in_many_ways(words):
    assert asked(words, "the roots were thick and the leaves were small and green")[0].verdict == "abridged"


@pytest.mark.parametrize(
    ("words", "printed", "verdict"),
    [
        ("the roots were\\nthick and small", "the roots were thick and small", "verbatim"),
        ("the flux of CO$_2$ was small", "the flux of CO₂ was small", "verbatim"),
        ("the flux of CO$_{2}$ was small", "the flux of CO2 was small", "verbatim"),
        ("a count of 10$^{5}$ mice there", "a count of 10⁵ mice there", "verbatim"),
        ("a count of 10$^{5}$ mice there", "a count of 105 mice there", "near"),
        ("the flux of Ca$^{2+}$ was small", "the flux of Ca²⁺ was small", "verbatim"),
        ("a frequency \\nu of the wave", "a frequency u of the wave", "near"),
        ("a cost of $ 5 and 6 $ there", "a cost of $ 5 and 6 $ there", "verbatim"),
    ],
)
def test_what_json_and_tex_write_is_read(words, printed, verdict):
    assert asked(words, printed)[0].verdict == verdict


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


JOINED = [
    ("the new drug ... heals all of the wounds", "the new drug, if given early, heals all of the wounds"),
    ("the new drug ... to heal all of the wounds", "the new drug appears to heal all of the wounds"),
    ("it healed in ... 20 of the old patients", "it healed in at most 20 of the old patients"),
    (
        "group one had shown ... of the weight",
        "group one had shown a rise, whereas two had a loss of the weight",
    ),
    (
        "group one had shown ... of the weight",
        "group one had shown a rise, while the other had a loss of the weight",
    ),
    (
        "group one had shown ... of the weight",
        "group one had shown a rise, but most others had a loss of the weight",
    ),
    (
        "group one had shown ... of the weight",
        "group one had shown a rise; however, two had a loss of the weight",
    ),
    (
        "the new drug ... heals all of the wounds",
        "the new drug, provided it is fresh, heals all of the wounds",
    ),
    (
        "values had been ... 7 in the two groups",
        "values had been 5 and 7 in the two groups, respectively",
    ),
]


@pytest.mark.parametrize(("words", "printed"), JOINED)
def test_conditions_hedges_and_lists_are_not_left_out(words, printed):
    assert asked(words, printed)[0].verdict == "near"


SIGNS = [
    ("it lasted for 14″ weeks in all of the mice", "it lasted for 14 weeks in all of the mice"),
    ("it lasted for 14' weeks in all of the mice", "it lasted for 14 weeks in all of the mice"),
    ("it was seen in 5! clinics of the old town", "it was seen in 5 clinics of the old town"),
    ("a size of 2.5** petabytes was seen there", "a size of 2.5 petabytes was seen there"),
    ("a size of 2.5 petabytes was seen there", "a size of 2.5^{*} petabytes was seen there"),
    ("a total of ^45 patients were seen there", "a total of 45 patients were seen there"),
    ("a total of 20† patients were seen there", "a total of 20 patients were seen there"),
    ("the groups A′ and B were seen there then", "the groups A and B were seen there then"),
    ("a value of 0.45 and one of 0.12* in all", "a value of 0.45* and one of 0.12 in all"),
    ("as it says in 12 of the old civil code", "as it says in § 12 of the old civil code"),
    ("as it says in § 12 and § 7 of the code", "as it says in § 12 and ¶ 7 of the code"),
    ("the term of P(A, B) was seen in all of it", "the term of P(A|B) was seen in all of it"),
    ("the term of P(A B) was seen in all of it", "the term of P(A|B) was seen in all of it"),
    ("the term of P(A:B) was seen in all of it", "the term of P(A|B) was seen in all of it"),
    ("the term of P(rain, sun) was seen in it", "the term of P(rain|sun) was seen in it"),
    ("the terms A, B and the rest were seen", "the terms A*B and the rest were seen"),
    ("the ratio of C D and the rest was seen", "the ratio of C:D and the rest was seen"),
    ("the value of f'' was seen in all of them", "the value of f' was seen in all of them"),
    ("the 5 and 3 ends were seen in the cells", "the 5' and 3' ends were seen in the cells"),
    ("values of x, y, z were seen in all of it", "values of x, y, ..., z were seen in all of it"),
    ("the values of a − b were seen in all of it", "the values of a b were seen in all of it"),
    ("the values of c d were seen in all of it", "the values of c – d were seen in all of it"),
    ("the mud of the shore, all of it, was grey", "the mud of the shore—all of it, was grey"),
    ("the mud of the shore all of it was grey", "the mud of the shore – all of it – was grey"),
    ("the values a b + c d were seen in all", "the values a (b + c) d were seen in all"),
    ("the values A B were seen in all the sets", "the values A \\ B were seen in all the sets"),
    ("the values 2k were seen in all the sets", "the values 2^{k} were seen in all the sets"),
    ("the values 2^k were seen in all the sets", "the values 2k were seen in all the sets"),
    ("the values 2ⁿ were seen in all the sets", "the values 2n were seen in all the sets"),
    ("il disait « tout est bon ? » et il partait", "il disait « tout est bon ! » et il partait"),
    ("they asked “is it safe.” and then they went", "they asked “is it safe?” and then they went"),
    ("they asked “is it safe” and then they went", "they asked “is it safe?” and then they went"),
    ("after-4 h they were all seen in the dark", "after 4 h they were all seen in the dark"),
    ("the group B 12 patients were seen there", "the group B12 patients were seen there"),
    ("the group B12 patients were seen there", "the group B 12 patients were seen there"),
    ("it was done in step 4a of the protocol", "it was done in step 4 a of the protocol"),
    ("it was seen that x = --5 in all of them", "it was seen that x = −5 in all of them"),
    ("10¹2 cells of them were seen in all", "10^{12} cells of them were seen in all"),
]


@pytest.mark.parametrize(("words", "printed"), SIGNS)
def test_marks_beside_digits_and_single_letters_are_signs(words, printed):
    for before, after in (("", ""), ("We report that ", ", as was said.")):
        found = asked(words, f"{before}{printed}{after}")[0]
        assert found.verdict == "near"
        assert found.differences


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        ("a dose of *5 mg* was given to all of them", "a dose of 5 mg was given to all of them"),
        ("a dose of **5** mg was given to all of them", "a dose of 5 mg was given to all of them"),
        ("it was “less than 3” in all of the cases", "it was 'less than 3' in all of the cases"),
        ("vitamin C intake was seen in all of them", "vitamin “C” intake was seen in all of them"),
        ("they said [.] that all of it is to be seen", "they said that all of it is to be seen"),
        ("the patients of the north were all seen", "the patients^{†} of the north were all seen"),
        ("the patients of A were all seen in it", "the patients of A^{†} were all seen in it"),
        ("the mud—all of it—was grey and thick", "the mud – all of it – was grey and thick"),
        ("the mud -- all of it -- was grey", "the mud—all of it—was grey"),
        ("the dose–response of all was seen", "the dose-response of all was seen"),
        ("the f' of l'eau was seen in the 1970's", "the f′ of l’eau was seen in the 1970’s"),
        ("he said that safe, grey mud was there", "he said that ‘safe’, grey mud was there"),
    ],
)
def test_marks_of_prose_may_differ(words, printed):
    assert asked(words, printed)[0].verdict == "verbatim"


PARTS_OF_NAMES = [
    ("thymidine was given to all of the mice", "[3H]thymidine was given to all of the mice"),
    ("we saw that thymidine was given to all", "we saw that [3H]thymidine was given to all"),
    ("we saw that glucose was given to all", "we saw that [14C]-glucose was given to all"),
    ("butanediol was given to all of the mice", "(2S,3R)-butanediol was given to all of the mice"),
    ("we saw that butanediol was given to all", "we saw that (2S,3R)-butanediol was given to all"),
    ("we saw that the salt was given to all", "we saw that the salt (1g) was given to all"),
    ("we saw that the salt was given to all", "we saw that the salt [14C] was given to all"),
    ("the salts of iron were given to all", "the salts of iron(3) were given to all"),
    ("the value of f was seen in all of it", "the value of f(2) was seen in all of it"),
    ("it takes a time of log n in all of them", "it takes a time of log^{2} n in all of them"),
    ("it takes a time of sin x in all of them", "it takes a time of sin^{2} x in all of them"),
    ("it has an area of 25 pixel in all of them", "it has an area of 25 pixel^{2} in all of them"),
    ("it has an area of 12 miles in all of them", "it has an area of 12 miles^{2} in all of them"),
    ("it has a chi value of 12 in all of them", "it has a chi^{2} value of 12 in all of them"),
    ("it binds ATP⁻ in all of the cases we saw", "it binds ATP^{4−} in all of the cases we saw"),
    ("it binds ATP in all of the cases we saw", "it binds ATP^{4−} in all of the cases we saw"),
    ("it binds citrate− in all of the cases", "it binds citrate^{3−} in all of the cases"),
    ("we saw a rate per week in all of the mice", "we saw a rate per week^{−1} in all of the mice"),
    ("the norm of the matrix was seen in it", "the norm of the matrix^{2} was seen in it"),
]


@pytest.mark.parametrize(("words", "printed"), PARTS_OF_NAMES)
def test_isotopes_descriptors_charges_and_powers_are_no_citation_marks(words, printed):
    others = "It was known [1]. It was shown [2, 3]."
    for texts in ((printed,), (printed, others)):
        found = asked(words, *texts)[0]
        assert found.verdict == "near"
        assert found.differences


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        ("the pores¹⁸ were wide and deep in all", "the pores [18] were wide and deep in all"),
        ("the pores [18] were wide and deep in all", "the pores^{18} were wide and deep in all"),
        ("the pores (18) were wide and deep in all", "the pores^{18} were wide and deep in all"),
        ("the pores were wide.[18] They were deep", "the pores were wide.^{18} They were deep"),
        ("the pores were wide [18]. They were deep", "the pores were wide.^{18} They were deep"),
        ("the pores of 2010.[5] They were deep", "the pores of 2010 [5]. They were deep"),
        ("the pores of 2010 [5]. They were deep", "the pores of 2010.^{5} They were deep"),
        ("the pores [4,5] were wide and deep", "the pores^{4,5} were wide and deep"),
        ("the pores [4,5,6] were wide and deep", "the pores [4–6] were wide and deep"),
        ("the pores [4, 5, 6] were wide and deep", "the pores [4–6] were wide and deep"),
        ("the pores [1,3,4,5,8] were wide and deep", "the pores [1,3–5,8] were wide and deep"),
    ],
)
def test_a_citation_mark_in_another_form_is_the_mark(words, printed):
    assert asked(words, printed)[0].verdict == "verbatim"


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        ("they said ‹it is all safe› in those days", "they said ‘it is all safe’ in those days"),
        ("「我们使用某种方法」来研究这个问题", "“我们使用某种方法”来研究这个问题"),
        ("『我们使用某种方法』来研究这个问题", "“我们使用某种方法”来研究这个问题"),
        ("הוא גר בתל אביב שנים ברחוב צה״ל", 'הוא גר בתל אביב שנים ברחוב צה"ל'),
        ("הוא גר בתל־אביב שנים רבות מאוד", "הוא גר בתל-אביב שנים רבות מאוד"),
        ("он еще не пришел домой с работы", "он ещё не пришёл домой с работы"),
        ("orașul acesta și țara sunt frumoase", "oraşul acesta şi ţara sunt frumoase"),
        ("كتابي كه در اين شهر نوشته شد", "کتابی که در این شهر نوشته شد"),
        ("او می رود به شهر بزرگ خودش", "او می\u200cرود به شهر بزرگ خودش"),
        ("the people of Hawai‘i and all of O'ahu", "the people of Hawaiʻi and all of Oʻahu"),
        ("İstanbul is the name of it in all", "Istanbul is the name of it in all"),
        ("Είπαν ότι η πόλη ήταν πολύ μεγάλη", "Είπαν ότι Η πόλη ήταν πολύ μεγάλη"),
        ("उसने कहा कि १२ लोग घर में थे", "उसने कहा कि 12 लोग घर में थे"),
        ("उसने कहा कि 12 लोग घर में थे", "उसने कहा कि १२ लोग घर में थे"),
        ("⺠主在家里等着我们大家回来吃饭", "民主在家里等着我们大家回来吃饭"),
        ("民主在家里等着我们大家回来吃饭", "⺠主在家里等着我们大家回来吃饭"),
        ("民主在家里", "⺠主在家里等着我们大家回来吃饭"),
    ],
)
def test_characters_that_are_alike_in_their_script_are_one(words, printed):
    assert asked(words, printed)[0].verdict == "verbatim"


@pytest.mark.parametrize(
    ("words", "printed"),
    [
        ("it was kept for १२ days in the dark", "it was kept for 12 days in the dark"),
        ("the gene Pax6 was seen in all of them", "the gene pax6 was seen in all of them"),
        ("the gene Shh was seen in all of them", "the gene shh was seen in all of them"),
        ("it was turned by 5 Mrad in all of them", "it was turned by 5 mrad in all of them"),
        ("they were given 3 Meq of it in all", "they were given 3 meq of it in all"),
        ("it was seen 5 myr ago in the old rocks", "it was seen 5 Myr ago in the old rocks"),
    ],
)
def test_digits_genes_and_rare_units_are_held_to_the_print(words, printed):
    found = asked(f"We saw it: {words}", f"We saw it: {printed}")[0]
    assert found.verdict == "near"


@pytest.mark.parametrize(
    ("words", "printed", "difference"),
    [
        ("the colour of the mud was seen", "the color of the mud was seen", "spelling: colour -> color"),
        (
            "the mud was vpon all of the shore",
            "the mud was upon all of the shore",
            "historical: vpon -> upon",
        ),
        (
            "the mud was iust grey in all of it",
            "the mud was just grey in all of it",
            "historical: iust -> just",
        ),
        ("the æther of it was all seen", "the aether of it was all seen", "historical: æther -> aether"),
        ("the mud was seem in all of it", "the mud was seen in all of it", "spelling: seem -> seen"),
        ("the cõmon mud was all seen", "the common mud was all seen", "historical: cõmon -> common"),
        (
            "these directdevelopers were all seen",
            "these direct-developers were all seen",
            "merged: directdevelopers -> direct-developers",
        ),
        ("the mud thick of it was grey", "the thick mud of it was grey", "moved: thick -> the thick mud"),
        ("all of the mud was seen", "some of the mud was seen", "changed: all -> some"),
        ("the share was 61·4 of all", "the share was 61.4 of all", "form: 61·4 -> 61.4"),
    ],
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


NUMBERS = [
    ("doses of 80,100 and 200 were given", "doses of 80, 100 and 200 were given"),
    ("as was seen before [11,12] in all of us", "as was seen before [11, 12] in all of us"),
    ("the part of the cell (8, 553) was enriched", "the part of the cell (8,553) was enriched"),
    ("it was spun at 12, 000 rpm for a while", "it was spun at 12,000 rpm for a while"),
    ("at 56° 11″ 30′ north of the old line", "at 56° 11′ 30″ north of the old line"),
    ("the studies 12 showed it in all of us", "the studies^{12} showed it in all of us"),
    ("at 51°17\" longitude and 21° 2' north", "at 51°17' longitude and 21° 2' north"),
    ('a share of 5,5"-ditiobis was seen in it', "a share of 5,5'-ditiobis was seen in it"),
]


@pytest.mark.parametrize(("words", "printed"), NUMBERS)
def test_numbers_in_lists_primes_and_raised_citations_are_held_to_the_print(words, printed):
    assert not blessed(words, printed)

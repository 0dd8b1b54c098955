"""Ellipses that part a comparison, cuts at numbers and denials, and honest ones beside them."""

import pytest

from lookup.results.difference import PRINTED
from tests.support.printed import asked


def blessed(words: str, printed: str) -> bool:
    return any(one.verdict in PRINTED for one in asked(words, printed))


TURNED = [
    (
        "the dose would be higher in ... the treated group of patients",
        "the dose would be higher in the control group than in the treated group of patients",
    ),
    ("total weight was greater ... the other animals", "total weight was greater than in the other animals"),
    (
        "the mean was raised in rats ... the animals without treatment",
        "the mean was raised in rats compared with the animals without treatment",
    ),
    (
        "the risk was low in women ... the men of the same age",
        "the risk was low in women relative to the men of the same age",
    ),
    (
        "the gray columns show the aging ... cells of the rats",
        "the gray columns show the aging untreated cells of the rats",
    ),
    (
        "in pure form it is very ... and oxidizes quickly",
        "in pure form it is very unstable and oxidizes quickly",
    ),
    ("all models performed ... in explaining the data", "all models performed poorly in explaining the data"),
    (
        "the dose was thought ... high for all patients",
        "the dose was thought to be too high for all patients",
    ),
    (
        "the teeth of all ranged from ... 25 mm in length",
        "the teeth of all ranged from 21 to 25 mm in length",
    ),
    ("the rats were given 50, ... 200 mg of the drug", "the rats were given 50, 100 and 200 mg of the drug"),
    ("as plantas foram secas ... forno da casa", "as plantas foram secas no forno da casa"),
    ("las plantas ... fueron secadas al sol", "las plantas no fueron secadas al sol"),
    ("the intruder was ... the old king himself", "the intruder was later killed by the old king himself"),
    (
        "el peso fue más alto en ... en las ratas del grupo tratado",
        "el peso fue más alto en los ratones viejos que en las ratas del grupo tratado",
    ),
    (
        "we measured the effects of ... placebo on pain",
        "we measured the effects of the drug versus placebo on pain",
    ),
    (
        "the cells of the rats are ... and grow quickly",
        "the cells of the rats are unsafe and grow quickly, and none is safe",
    ),
    ("هذا الدواء الجديد ... يشفي المرضى في المدينة", "هذا الدواء الجديد ما يشفي المرضى في المدينة"),
]


@pytest.mark.parametrize(("words", "printed"), TURNED)
def test_an_ellipsis_parts_no_comparison_degree_or_row_of_numbers(words, printed):
    assert not blessed(words, printed)


LEFT_OUT = [
    (
        "the dose was higher in the treated group ... after two weeks of treatment",
        "the dose was higher in the treated group, which they chose by lot, after two weeks of treatment",
    ),
    (
        "all of the important plants ... were counted in the summer",
        "all of the important plants of the individual islands were counted in the summer",
    ),
    (
        "we counted the nests of 25 birds ... 30 weeks after the flood",
        "we counted the nests of 25 birds on the northern dunes 30 weeks after the flood",
    ),
    (
        "the drug was ... our own analysis of the data",
        "the drug was sold in those years all over the country, as suggested by our own analysis of the data",
    ),
    (
        "the size of the grains was ... using a laser",
        "the size of the grains was measured in each of these seasons by using a laser",
    ),
    (
        "los amigos de la comarca son ... se publique todos los días",
        "los amigos de la comarca son cada día más conscientes, con el fin de que se publique todos los días",
    ),
    (
        "the changes of the rhythm show ... heart failure and sudden death",
        "the changes of the rhythm show a conduction disorder heart failure and sudden death in this order",
    ),
    (
        "the results were compared between the ... seen in both hospitals",
        "the results were compared between the two surgeons and the nurses seen in both hospitals",
    ),
    (
        "the safety of the method ... improving the life of patients",
        "the safety of the method at home versus rest in improving the life of patients",
    ),
    (
        "it was identified by comparison with ... , and with the others",
        "it was identified by comparison with the spectra of the library, and with the others",
    ),
    (
        "الدواء الجديد في المستشفى ... المرضى في المدينة",
        "الدواء الجديد في المستشفى يوزع وكل ما يحتاج إليه المرضى في المدينة",
    ),
]


@pytest.mark.parametrize(("words", "printed"), LEFT_OUT)
def test_an_honest_ellipsis_is_abridged(words, printed):
    assert blessed(words, printed)


CUT = [
    ("5 patients died in the first week", "less than 5 patients died in the first week"),
    ("5 patients died in the first week", "up to 5 patients died in the first week"),
    ("20 patients died in the first week", "5 of 20 patients died in the first week"),
    ("200 people fell ill in that winter", "one in 200 people fell ill in that winter"),
    ("all the rats were given 5 mg", "all the rats were given 5 mg per kg each day"),
    ("this was seen in those of 65 years", "this was seen in those of 65 years or older"),
    ("a column of 150 mm was used, of 150", "a column of 150 mm was used, of 150 × 4.6 mm"),
    ("the ratio was always more than 5", "the ratio was always more than 5 : 1 in summer"),
    ("the water was heated up to 37", "the water was heated up to 37 degrees for an hour"),
    ("The new drug can", "The new drug can't heal the wounds"),
    ("treated mice survived the first week", "None of the treated mice survived the first week"),
    ("the drug works", "the drug works in none of them"),
    ("θεραπεία βοήθησε τους ασθενείς", "η νέα δεν θεραπεία βοήθησε τους ασθενείς"),
    ("bu ilaç bütün hastalarda etkili", "bu ilaç bütün hastalarda etkili değildir"),
    ("có hiệu quả ở mọi bệnh nhân", "thuốc này không có hiệu quả ở mọi bệnh nhân"),
    ("يشفي المرضى في كل مكان", "هذا الدواء ولا يشفي المرضى في كل مكان"),
    ("区分这两种不同的疾病类型", "目前难以区分这两种不同的疾病类型"),
]


@pytest.mark.parametrize(("words", "printed"), CUT)
def test_a_quote_cuts_off_no_bound_rest_of_a_number_or_denial(words, printed):
    assert not blessed(words, printed)


WHOLE = [
    ("82 patients were seen in the clinic", "By May 82 patients were seen in the clinic"),
    ("2019 to November 2019 was the season", "From the first of May 2019 to November 2019 was the season"),
    ("the trees were cut in the autumn", "In May the trees were cut in the autumn"),
    ("the trees were 5 m high in that year", "In the garden the trees were 5 m high in that year"),
    ("25 patients were treated with the drug", "In all, 25 patients were treated with the drug"),
]


@pytest.mark.parametrize(("words", "printed"), WHOLE)
def test_what_begins_or_ends_beside_no_number_or_denial_is_verbatim(words, printed):
    assert blessed(words, printed)


@pytest.mark.parametrize("word", ["hard[ly]", "on[e]", "eve[n]"])
def test_letters_in_brackets_make_no_other_word(word):
    kept = word.partition("[")[0]
    assert not blessed(f"it was {word} time for the plants", f"it was {kept} time for the plants")

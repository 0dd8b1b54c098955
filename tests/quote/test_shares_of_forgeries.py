"""How many forgeries of a kind are blessed, of all that its signs, words and sentences make together."""

from itertools import product

import pytest

from lookup.quote.by_words import by_words
from lookup.quote.exact import ExactSearch
from lookup.quote.query import parse
from lookup.results.difference import PRINTED
from tests.support.printed import paper

IN_TEXT = "We have seen that {} in most of the ponds that were open in the winter of that year."
IN_QUOTE = "that {} in most of the ponds"


def blessed(cases):
    """The quotes, of those with their prints and the writer's words before them, that are called printed."""
    found = []
    for quote, printed, *beside in cases:
        query = parse(quote, beside=(*beside, "", "")[:2])
        if any(one.verdict in PRINTED for one in by_words(ExactSearch(paper(*printed)), query)):
            found.append((quote, printed))
    return found


def changed(pairs):
    """Cases of words in a sentence, for pairs of what is asked and what is printed."""
    return [(IN_QUOTE.format(asked), (IN_TEXT.format(printed),)) for asked, printed in pairs]


SIGNS = ("″", "′", "!", "**", "†", "‡", "*", "^", "§", "¶")
SIGNED = (
    "it took 14{} weeks",
    "we had 5{} nets",
    "it was 2.5{} ml wide",
    "we saw 45{} eels",
    "we fed 20{} mice",
    "we know 3{} of them",
    "it had 7{} legs",
    "we took 1.8{} g of it",
    "the group A{} was seen",
    "vitamin C{} was seen",
    "the factor x{} was seen",
    "in 1999{} they were seen",
    "some 300{} were seen",
    "they had 0.45{} of it",
    "we tried plan B{} with it",
    "the value k{} was large",
    "only 12{} sick eels lived",
    "at 37{} degrees it was seen",
    "some 8{} to ten were seen",
    "a line of 60{} was seen",
)

PARTS = (
    ("thymidine was seen", "[3H]thymidine was seen"),
    ("glucose was seen", "[14C]glucose was seen"),
    ("the log n was seen", "the log^{2} n was seen"),
    ("the sin x was seen", "the sin^{2} x was seen"),
    ("25 pixel were seen", "25 pixel^{2} were seen"),
    ("12 mile were seen", "12 mile^{2} were seen"),
    ("the chi value was seen", "the chi^{2} value was seen"),
    ("the ATP− was seen", "the ATP^{4−} was seen"),
    ("the citrate− was seen", "the citrate^{3−} was seen"),
    ("butanediol was seen", "(2S,3R)-butanediol was seen"),
    ("the iron ion was seen", "the iron(3) ion was seen"),
    ("methionine was seen", "[35S]methionine was seen"),
    ("the Ca was seen", "the Ca^{2+} was seen"),
    ("the cos x was seen", "the cos^{2} x was seen"),
    ("the var(X) was seen", "the var(X)^{2} was seen"),
    ("leucine was seen", "[3H]-leucine was seen"),
    ("a yard of it was seen", "a yard^{2} of it was seen"),
    ("the exp x was seen", "the exp^{3} x was seen"),
)

ADJECTIVES = ("higher", "lower", "larger", "more common", "less severe", "better", "older", "safer")
JOINTS = (
    "than in",
    "than among",
    "than that of",
    "compared with",
    "relative to",
    "compared to",
    "as opposed to",
)
GROUPS = ("control group", "untreated rats", "IRI group", "second year of it", "placebo arm")

DENIALS = ("no evidence of", "no sign of", "not", "never", "without", "neither seen nor")
OTHER_DENIALS = (
    "There is no doubt:",
    "It is not disputed:",
    "He never said it so:",
    "We are not without hope:",
    "No one was surprised at this,",
    "Not all of us agree, but",
)

PARTED = (
    "no table",
    "now here",
    "the rapist",
    "no where",
    "can not",
    "in action",
    "a part",
    "all ways",
    "every one",
    "man slaughter",
    "to get her",
    "under stand",
    "be have",
    "for ever",
)

BOUNDS = (
    "less than",
    "more than",
    "fewer than",
    "up to",
    "at least",
    "at most",
    "under",
    "over",
    "above",
    "below",
    "greater than",
    "higher than",
    "lower than",
    "older than",
    "one in",
    "one of",
    "5 of",
    "3 out of",
    "between 2 and",
    "2 to",
    "minus",
    "twenty-",
    "two hundred and",
    "×",
    "±",
    "<",
    ">",
    "≥",
    "$",
    "£",
    "−",
)
AFTER = (
    " mg",
    " min",
    " nm",
    " months",
    " cm",
    " mm",
    " h",
    " hours",
    " × 4.6 mm",
    " ± 2",
    " per kg",
    " per cent",
    " : 1",
    "%",
    " %",
    " years or older",
    " metres",
    " degrees",
    " million",
    "-fold",
    " times",
    " °C",
    " kg",
    " mg/kg",
    " µg",
    " days",
    " or more",
    " litres",
    " of 20 patients",
    " to 8",
)
NUMBERS = ("5", "12", "30", "150")


def signs():
    pairs = [(one.format(sign), one.format("")) for one, sign in product(SIGNED, SIGNS)]
    return changed([*pairs, *((printed, asked) for asked, printed in pairs)])


def parts_of_names():
    return changed(PARTS)


def comparisons():
    for adjective, joint, group in product(ADJECTIVES, JOINTS, GROUPS):
        printed = (
            f"The doses were {adjective} in the {group} {joint} the OX group of all the rats that we had."
        )
        quote = f"The doses were {adjective} in ... the OX group of all the rats"
        yield (
            quote if joint.startswith(("than", "as")) else quote.replace("in ...", f"in the {group} ..."),
            (printed,),
        )


def words_of_the_writer():
    for denial, words in product(DENIALS, OTHER_DENIALS):
        yield (
            "a benefit in the treated group",
            (f"There was {denial} a benefit in the treated group.",),
            words,
        )


def unseen_hyphens():
    for parts in PARTED:
        one, other = parts.split(" ", 1)
        words = f"We saw {one}{other.replace(' ', '')} of it, and {one} and {other} as well, in that year."
        yield f"We saw {one}\u00ad {other} of it", (words,)


def brackets():
    nouns = ("formulations", "plants", "compounds", "patients", "drugs")
    names = ("the placebo", "Placebo pills", "The control rats", "Their competitors", "Other authors")
    for noun, name in product(nouns, names):
        yield (
            f"[{name}] may alter the growth of the cells",
            (f"These {noun} may alter the growth of the cells.",),
        )
    for word in ("hard[ly]", "rare[ly]", "most[ly]", "short[ly]", "on[e]", "eve[n]", "ful[ly]"):
        stem = word.partition("[")[0]
        yield f"we had {word} time for the plants", (f"we had {stem} time for the plants in that year",)


def cuts():
    for bound, number in product(BOUNDS, NUMBERS):
        space = "" if bound in ("twenty-", "$", "£", "−", "<", ">", "≥", "±") else " "
        yield (
            f"{number} patients died in the first week",
            (f"In all {bound}{space}{number} patients died in the first week.",),
        )
    for rest, number in product(AFTER, NUMBERS):
        yield (
            f"all of the rats were given {number}",
            (f"So all of the rats were given {number}{rest} in the first week.",),
        )


KINDS = {
    "signs at numbers and letters": (signs, 400, 0),
    "parts of names left out": (parts_of_names, 18, 0),
    "comparisons that turn": (comparisons, 280, 0.1),
    "words of the writer": (words_of_the_writer, 36, 0),
    "unseen hyphens": (unseen_hyphens, 14, 0),
    "brackets": (brackets, 32, 0),
    "cuts at numbers": (cuts, 244, 0.02),
}
"""What makes the quotes of a kind, how many these are, and the share of them that may be blessed."""


@pytest.mark.parametrize("kind", KINDS)
def test_hardly_any_forgery_of_a_kind_is_blessed(kind):
    made, number, share = KINDS[kind]
    cases = list(made())
    assert len(cases) == number
    assert len(blessed(cases)) <= share * number, blessed(cases)

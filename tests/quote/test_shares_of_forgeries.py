"""How many forgeries of a kind are blessed, of all that its signs, words and sentences make together."""

from itertools import product

import pytest

from lookup.quote.cascade import by_words
from lookup.quote.exact import ExactSearch
from lookup.quote.query import parse
from lookup.results.difference import PRINTED
from tests.support.cases import cases
from tests.support.printed import paper

CASES = cases("quote/shares_of_forgeries.toml")

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


SIGNS = CASES["signs"]
SIGNED = CASES["signed"]

PARTS = CASES["parts"]

ADJECTIVES = CASES["adjectives"]
JOINTS = CASES["joints"]
GROUPS = CASES["groups"]

DENIALS = CASES["denials"]
OTHER_DENIALS = CASES["other_denials"]

PARTED = CASES["parted"]

BOUNDS = CASES["bounds"]
AFTER = CASES["after"]
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

"""Arguments that several calls take, and the bounds of all that comes from outside."""

from typing import Annotated

from lookup.calls.arguments import About

LONGEST_KEY = 300
"""Characters of a key."""

LONGEST_QUERY = 5_000
"""Characters of the words of a quote."""

_LONGEST_KEYWORDS = 300
"""Characters. In 57 papers so many take up to 3 s, 900 take 6 s; a passage is what quotes are for."""

LAST_PAGE = 100_000
"""The greatest page number that is looked up."""

LAST_CURSOR = 1_000_000_000
"""The greatest cursor, and the greatest offset in a text or list that is read at once."""

FURTHEST = 200
"""The greatest offset in a list that is computed anew up to there."""

Key = Annotated[
    str,
    About(
        "A paper: its key, e.g. smith2020, or a DOI, a title, or Smith et al. 2020.",
        least=1,
        most=LONGEST_KEY,
    ),
]
Words = Annotated[
    str,
    About(
        "The words as you believe they are printed; '...' for words left out.", least=1, most=LONGEST_QUERY
    ),
]
Phrase = Annotated[str, About("The words to look for.", least=1, most=1_000)]
Topic = Annotated[str, About("A question or topic, in your own words.", least=1, most=1_000)]
KeywordText = Annotated[
    str,
    About(
        "Words to look for, e.g. flux night; several in double quotes are one keyword.",
        least=1,
        most=_LONGEST_KEYWORDS,
    ),
]
OnlyKeys = Annotated[
    tuple[Key, ...], About("Look in the papers with these keys only; empty for all papers.", most=50)
]
PageHint = Annotated[
    int,
    About(
        "Look on this page only: of the PDF, counted from 1, or printed; 0 for all pages.",
        least=0,
        most=LAST_PAGE,
    ),
]
Offset = Annotated[
    int, About("How many to skip: `next_offset` of the answer before.", least=0, most=FURTHEST)
]

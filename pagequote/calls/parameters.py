"""Arguments that several calls take, and the bounds of all that comes from outside."""

from typing import Annotated, Literal

from pagequote.calls.arguments import About

LONGEST_KEY = 300  # Characters of a key.
LONGEST_QUERY = 5_000  # Characters of the words of a quote.

LONGEST_KEYWORDS = 300
"""Characters, of all together. In 57 papers so many take up to 3 s, 900 take 6 s; passages are for
quotes."""

LAST_PAGE = 100_000  # The greatest page number that is looked up.

LAST_CURSOR = 1_000_000_000
"""The greatest cursor, and the greatest offset in a text or list that is read at once."""

FURTHEST = 200  # The greatest offset in a list that is computed anew up to there.

Key = Annotated[
    str,
    About(
        "A paper: its key, e.g. smith2020, or a DOI, a title, or Smith et al. 2020.",
        least=1,
        most=LONGEST_KEY,
    ),
]
KeyOrAny = Annotated[str, About("A paper, as above; empty where you do not know it.", most=LONGEST_KEY)]
Words = Annotated[
    str,
    About(
        "The words as you believe they are printed; '...' for words left out.", least=1, most=LONGEST_QUERY
    ),
]
Phrase = Annotated[str, About("The printed words to look for.", least=1, most=1_000)]
Sentence = Annotated[str, About("A sentence or claim, in your own words.", most=1_000)]
_Topic = Annotated[str, About(least=1, most=1_000)]
Topics = Annotated[
    _Topic | Annotated[tuple[_Topic, ...], About(least=1, most=5)],
    About("A question or topic, in your own words; a list has several phrasings of it."),
]
_Keyword = Annotated[str, About(least=1, most=LONGEST_KEYWORDS)]
KeywordTexts = Annotated[
    _Keyword | Annotated[tuple[_Keyword, ...], About(least=1, most=50)],
    About("Words to look for; several in double quotes, or an item of a list, are one keyword."),
]
Detail = Annotated[Literal["short", "full"], About("full: raw text, boxes and scores too.")]
Limit = Annotated[int, About("How many to give.", least=1, most=50)]
OnlyKeys = Annotated[
    tuple[Annotated[str, About(least=1, most=LONGEST_KEY)], ...],
    About("Look in these papers only; empty for all.", most=50),
]
Excluded = Annotated[
    tuple[Annotated[str, About(least=1, most=LONGEST_KEY)], ...], About("Not in these papers.", most=50)
]
PrintedPage = Annotated[str, About(least=1, most=20)]
"""What is printed on a page as its number, where that is no whole number."""

PageOrNone = Annotated[int, About(least=0, most=LAST_PAGE)] | PrintedPage
PageHint = Annotated[
    PageOrNone, About("This page only: of the PDF, counted from 1, or as printed (iv); 0 for all.")
]
Offset = Annotated[int, About("`next_offset` of the answer before.", least=0, most=FURTHEST)]

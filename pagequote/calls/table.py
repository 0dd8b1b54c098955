"""The table of calls: what each takes, by which names and types, within which bounds, and what is said of it.

Options of commands, schemas for agents and of the JSON API, and pages of the reference are made of it. Agents
read the text of a record: what its call does, when to use it, an example. It loads next to nothing, so that a
command has it at once.
"""

from typing import Annotated, Any, Literal, NamedTuple, TypeVar

T = TypeVar("T")

LONGEST_KEY = 300  # Characters of a key.
LONGEST_QUERY = 5_000  # Characters of the words of a quote.

LONGEST_KEYWORDS = 300
"""Characters, of all together. In 57 papers so many take up to 3 s, 900 take 6 s; passages are for
quotes."""

LAST_PAGE = 100_000  # The greatest page number that is looked up.

LAST_CURSOR = 1_000_000_000
"""The greatest cursor, and the greatest offset in a text or list that is read at once."""

FURTHEST = 200  # The greatest offset in a list that is computed anew up to there.

_QUOTES = 50  # Quotations checked by one call: some 5 ms each, more where they are not printed.


class About(NamedTuple):
    """A description of a value, and its bounds: of a number, of the length of a text or a list.

    `items` are the records of which the items of a list may be.
    """

    description: str = ""
    least: int | None = None
    most: int | None = None
    items: tuple[type, ...] = ()


Key = Annotated[
    str, About("A paper: its key, e.g. smith2020, or a DOI, a title, or Smith et al. 2020.", 1, LONGEST_KEY)
]
KeyOrAny = Annotated[str, About("A paper, as above; empty where you do not know it.", most=LONGEST_KEY)]
Words = Annotated[
    str, About("The words as you believe they are printed; '...' for words left out.", 1, LONGEST_QUERY)
]
_Topic = Annotated[str, About(least=1, most=1_000)]
_Keyword = Annotated[str, About(least=1, most=LONGEST_KEYWORDS)]
Detail = Annotated[Literal["short", "full"], About("full: raw text, boxes and scores too.")]
Limit = Annotated[int, About("How many to give.", 1, 50)]
_EachKey = Annotated[str, About(least=1, most=LONGEST_KEY)]
OnlyKeys = Annotated[tuple[_EachKey, ...], About("Only in these papers.", most=50)]
Excluded = Annotated[tuple[_EachKey, ...], About("Not in these papers.", most=50)]
Section = Annotated[str, About("In sections whose title holds this.", most=200)]
_PrintedPage = Annotated[str, About(least=1, most=20)]
"""What is printed on a page as its number, where that is no whole number."""

_PageOrNone = Annotated[int, About(least=0, most=LAST_PAGE)] | _PrintedPage
PageHint = Annotated[
    _PageOrNone, About("This page only: of the PDF, counted from 1, or as printed (iv); 0 for all.")
]
Offset = Annotated[int, About("`next_offset` of the answer before.", 0, FURTHEST)]


class Request:
    """The arguments of a call, as attributes."""

    limit: int
    offset: int

    def __init__(self, **given: Any) -> None:
        vars(self).update(given)

    @property
    def wanted(self) -> int:
        """How many places to ask for: one more than are shown tells whether there are others."""
        return self.offset + self.limit + 1

    def shown(self, found: tuple[T, ...]) -> tuple[T, ...]:
        """Return those of what was found that the answer has."""
        return found[self.offset : self.offset + self.limit]


def of_request(request: type[Request]) -> dict[str, Any]:
    """Return the annotation of each argument of a call, by name; its default is that attribute."""
    return dict(request.__annotations__)


class GetQuote(Request):
    """Find where one paper prints these words: the exact printed words, their page, and a verdict.

    Use it before you quote a paper. Copy `quote` of a match, never your own words, and cite its `page`.
    Do not quote what is only "related". Without a match, see `hint`, `next_step` and `elsewhere`.
    Example: {"key": "smith2020", "quote": "the flux at night was small"}
    """

    key: Key
    quote: Words
    page: PageHint = 0
    limit: Annotated[int, About("Places to give.", 1, 20)] = 1
    context: Annotated[Literal["paragraph", "sentence", "chars"], About("What to show around the words.")] = (
        "paragraph"
    )
    context_chars: Annotated[int, About("Characters on either side, with context 'chars'.", 0, 5_000)] = 400
    paragraphs: Annotated[int, About("Paragraphs to show, with context 'paragraph'.", 1, 20)] = 1
    template: Annotated[
        str,
        About(
            "For `latex` of a match: mciteboxp, biblatex, natbib, plain, or a text with {key}, {page}, "
            "{printed_page} and {quote}.",
            most=1_000,
        ),
    ] = ""
    detail: Detail = "full"


class GrepRaw(Request):
    """Find every place in all papers that prints exactly this phrase, in order of key and page.

    Use it to see which papers print something, and in how many paragraphs its words stand.
    Example: {"quote": "carbon dioxide flux", "keys": ["smith2020"]}
    """

    quote: Annotated[str, About("The printed words to look for.", 1, 1_000)]
    keys: OnlyKeys = ()
    page: PageHint = 0
    limit: Annotated[int, About("Places to give.", 1, 100)] = 20
    context_chars: Annotated[int, About("Characters on either side.", 0, 2_000)] = 80
    offset: Offset = 0
    detail: Detail = "full"


class ShowPage(Request):
    """Look at a page: its picture, with words marked. For figures, tables, formulas, and to see a quote.

    Example: {"key": "smith2020", "quote": "the flux at night was small"}
    """

    key: Key
    page: Annotated[
        _PageOrNone,
        About(
            "The page of the PDF, counted from 1, or as printed; 0 for the page of the words, or the first."
        ),
    ] = 0
    quote: Annotated[str, About("Words to mark on it; empty for none.", most=LONGEST_QUERY)] = ""


class QuoteToCheck(Request):
    """A quotation, and its given source."""

    quote: Words
    key: KeyOrAny = ""
    page: Annotated[_PageOrNone, About("The page that is cited; 0 if none is.")] = 0
    kind: Annotated[
        Literal["quote", "value"], About("value: a number with its unit; all its places are given.")
    ] = "quote"


class CheckQuotes(Request):
    """Check many quotations at once: whether each is printed word for word in its paper, and on that page.

    Use it on a text that you wrote, before you hand it in. Correct all that is not "verbatim" or "abridged".
    With an empty key it tells which paper prints the words.
    Example: {"quotes": [{"key": "smith2020", "quote": "the flux at night was small", "page": 3}]}
    """

    quotes: Annotated[tuple[QuoteToCheck, ...], About("The quotations.", 1, _QUOTES)]


class ListPapers(Request):
    """List the papers, or find the key of a paper by author, year or words of its title.

    Example: {"query": "smith 2020"}
    """

    query: Annotated[
        str, About("Words of key, title, authors, year, DOI or venue; empty for all papers.", most=500)
    ] = ""
    limit: Annotated[int, About("Papers to give.", 1, 100)] = 20
    offset: Annotated[int, About("How many to skip: `next_offset` of the answer before.", 0, LAST_CURSOR)] = 0
    detail: Detail = "full"


class GetPaper(Request):
    """Describe a paper, and list its headings with their pages and cursors."""

    key: Key
    offset: Annotated[
        int, About("How many headings to skip: `next_offset` of the answer before.", 0, LAST_PAGE)
    ] = 0


class GetPage(Request):
    """Read one page of a paper.

    A long page comes in parts: give `next_offset` as offset for the next part.
    Example: {"key": "smith2020", "page": 3}
    """

    key: Key
    page: Annotated[
        Annotated[int, About(least=1, most=LAST_PAGE)] | _PrintedPage,
        About("The page of the PDF, counted from 1, or else as printed."),
    ]
    offset: Annotated[
        int, About("Where on the page to begin: `next_offset` of the answer before.", 0, LAST_CURSOR)
    ] = 0


class GetContextAtCursor(Request):
    """Read the text of a paper around a `cursor` that another answer gave.

    To read on, call it again with `end` as cursor and 0 as chars_before.
    Example: {"key": "smith2020", "cursor": 5234}
    """

    key: Key
    cursor: Annotated[int, About("A cursor that another answer gave for this paper.", 0, LAST_CURSOR)]
    chars_before: Annotated[int, About("Characters before it.", 0, 20_000)] = 1000
    chars_after: Annotated[int, About("Characters after it.", 0, 20_000)] = 1000


class Search(Request):
    """Find the paragraphs of all papers that answer a question or are about a topic.

    Use it when you do not know the printed words. Then quote with get_quote.
    Example: {"query": "how is stray light corrected?", "limit": 5}
    """

    query: Annotated[
        _Topic | Annotated[tuple[_Topic, ...], About(least=1, most=5)],
        About("A question or topic, in your own words; a list has several phrasings of it."),
    ] = ""
    limit: Limit = 5
    mode: Annotated[
        Literal["hybrid", "lexical", "semantic"], About("By words and meaning, by words, or by meaning.")
    ] = "hybrid"
    keys: OnlyKeys = ()
    author: Annotated[str, About("By this author (or part of a name) only.", most=200)] = ""
    year_from: Annotated[int, About("Of this year or later; 0 for any.", 0, 9999)] = 0
    year_to: Annotated[int, About("Of this year or earlier; 0 for any.", 0, 9999)] = 0
    section: Section = ""
    exclude: Excluded = ()
    like: Annotated[
        str,
        About("Instead of words: near in meaning to this paragraph, KEY:PARAGRAPH of a hit.", most=320),
    ] = ""
    offset: Offset = 0
    detail: Detail = "full"


class SearchSentences(Request):
    """Find sentences that mean the same as yours, each with those before and after it.

    Use it for who said something, in which words. Then quote with get_quote.
    Example: {"query": "Marshes release carbon at night."}
    """

    query: Annotated[str, About("A sentence or claim, in your own words.", most=1_000)] = ""
    limit: Limit = 5
    keys: OnlyKeys = ()
    section: Section = ""
    exclude: Excluded = ()
    beside: Annotated[str, About("Instead of `query`: the `id` of a sentence.", most=320)] = ""
    steps: Annotated[
        int, About("With `beside`: how many sentences further on; back, if negative.", -LAST_PAGE, LAST_PAGE)
    ] = 1
    offset: Offset = 0
    detail: Detail = "full"


class Find(Request):
    """Find places for keywords or a phrase, in one paper, several or all; similar words where none fit.

    Each place has a `cursor`: get_context_at_cursor shows more. `paragraphs` counts all that have the words.
    Example: {"query": "stray light", "mode": "phrase", "keys": ["smith2020"]}
    """

    query: Annotated[
        _Keyword | Annotated[tuple[_Keyword, ...], About(least=1, most=50)],
        About("Words to look for; several in double quotes, or an item of a list, are one keyword."),
    ]
    mode: Annotated[
        Literal["context", "phrase", "all", "fuzzy"],
        About("context: the best places; phrase: side by side; all: close together; fuzzy: also misspelt."),
    ] = "context"
    keys: OnlyKeys = ()
    limit: Limit = 10
    context_chars: Annotated[int, About("Characters of a place.", 50, 5_000)] = 300
    offset: Offset = 0
    detail: Detail = "full"

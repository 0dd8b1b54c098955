"""What a quote query answers: frozen results and the forms they take on paper."""

import json
import re
from dataclasses import asdict, dataclass
from typing import Any, Literal

from lookup.next_step import NextStep
from lookup.results.annotation import annotation
from lookup.results.showing import short, whereabouts

Verdict = Literal["verbatim", "near", "related"]


@dataclass(frozen=True)
class Box:
    """A rectangle on a page, in PDF points from the upper left corner of the page as it is shown."""

    page: int
    x0: float
    y0: float
    x1: float
    y1: float


@dataclass(frozen=True)
class Difference:
    """A place where the words asked for and the printed ones part: `asked` or `printed` is '' where one side has nothing."""

    kind: str
    asked: str
    printed: str


@dataclass(frozen=True, repr=False)
class Match:
    """One place that answers a query.

    `page` is where the matched words begin, `text[span[0]:span[1]]` are the printed words that matched, `cursor` is
    where they begin in the paper's document text, and `boxes` hug them, one box a printed line.
    """

    key: str
    page: int
    page_label: str | None
    paragraph: int
    section_number: str | None
    section_title: str | None
    kind: str
    score: float
    tier: int
    verdict: Verdict
    text: str
    text_raw: str
    span: tuple[int, int]
    boxes: tuple[Box, ...]
    cursor: int
    differences: tuple[Difference, ...] = ()
    omitted: tuple[str, ...] = ()

    @property
    def quote(self) -> str:
        """The printed words that matched."""
        return self.text[self.span[0] : self.span[1]]

    def to_dict(self) -> dict[str, Any]:
        """All fields, as JSON has them."""
        fields: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return fields

    def to_annotation(self) -> dict[str, Any]:
        """A W3C Web Annotation, as JSON has it: see `lookup.results.annotation`."""
        return annotation(self)

    def to_latex(self) -> str:
        r"""`\mciteboxp{key}{page}{quote}`, with the characters that LaTeX reserves escaped in the quote."""
        return rf"\mciteboxp{{{self.key}}}{{{self.page}}}{{{escape_latex(self.quote)}}}"

    def to_markdown(self) -> str:
        """A block quote with a Pandoc citation."""
        return (
            f"> {escape_markdown(self.quote)} [@{_pandoc_key(self.key)}, p. {self.page_label or self.page}]"
        )

    def __repr__(self) -> str:
        place = whereabouts(self.key, self.page, self.page_label)
        return f"<Match {place}, {self.verdict}: {short(self.quote)!r}>"

    def _repr_html_(self) -> str:
        from lookup.results.html import match_html  # only notebooks ask for it  # noqa: PLC0415

        return match_html(self)


@dataclass(frozen=True)
class Elsewhere:
    """Another paper of the corpus that prints the words asked for."""

    key: str
    page: int
    page_label: str | None


@dataclass(frozen=True, repr=False)
class QuoteAnswer:
    """The places that answer a query, best first; where there is none, `hint` says what to do, and `next_step` the same as data.

    `elsewhere` are other papers that print the words: a misattributed quote is not a fabricated one. `covered` is false
    where the paper has no text to judge by: then nothing follows from `matches` being empty.
    """

    key: str
    query: str
    matches: tuple[Match, ...] = ()
    hint: str = ""
    elsewhere: tuple[Elsewhere, ...] = ()
    covered: bool = True
    next_step: NextStep | None = None

    def __bool__(self) -> bool:
        return bool(self.matches)

    def to_dict(self) -> dict[str, Any]:
        """All fields, as JSON has them."""
        fields: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return fields

    def to_json(self, indent: int | None = None) -> str:
        """`to_dict` as JSON; text stays readable, not escaped to ASCII."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=indent)

    def __repr__(self) -> str:
        more = f" and {len(self.matches) - 1} more" if len(self.matches) > 1 else ""
        found = f"{self.matches[0]!r}{more}" if self.matches else self.hint
        return f"<QuoteAnswer {short(self.query)!r} in {self.key!r}: {found}>"

    def _repr_html_(self) -> str:
        from lookup.results.html import quote_html  # only notebooks ask for it  # noqa: PLC0415

        return quote_html(self)


@dataclass(frozen=True, repr=False)
class Verification:
    """Whether a paper prints a quote, where it is said to.

    `verdict` is that of the best match, "not found" where there is none, or "not covered" where the paper has no text to
    judge by. `page` is the one that was given (0 for none) and `page_is_right` whether the match begins or goes on there;
    None where there is nothing to say about it. `pages` are all that print the quote so.
    """

    key: str
    quote: str
    page: int
    verdict: Literal["verbatim", "near", "related", "not found", "not covered"]
    page_is_right: bool | None
    pages: tuple[int, ...]
    match: Match | None
    elsewhere: tuple[Elsewhere, ...]
    hint: str
    next_step: NextStep | None = None

    def __bool__(self) -> bool:
        """Whether the quote is printed as given, and on the page that was given."""
        return self.verdict == "verbatim" and self.page_is_right is not False

    def to_dict(self) -> dict[str, Any]:
        """All fields, as JSON has them."""
        fields: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return fields

    def to_json(self, indent: int | None = None) -> str:
        """`to_dict` as JSON; text stays readable, not escaped to ASCII."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=indent)

    def __repr__(self) -> str:
        pages = f", page {self.match.page}" if self.match else ""
        return f"<Verification {self.key}{pages}, {self.verdict}: {short(self.quote)!r}>"

    def _repr_html_(self) -> str:
        from lookup.results.html import verification_html  # only notebooks ask for it  # noqa: PLC0415

        return verification_html(self)


_LATEX = {
    "\\": r"\textbackslash{}", "{": r"\{", "}": r"\}", "$": r"\$", "&": r"\&", "#": r"\#", "%": r"\%", "_": r"\_",
    "^": r"\textasciicircum{}", "~": r"\textasciitilde{}",
}  # fmt: skip
_MARKDOWN = re.compile(r"([\\`*_\[\]<>#|~^$@])")


def escape_latex(text: str) -> str:
    """`text` with each of LaTeX's ten reserved characters written so that it prints itself."""
    return "".join(_LATEX.get(char, char) for char in text)


def escape_markdown(text: str) -> str:
    """`text` with the characters that Markdown (or Pandoc's) would read as markup escaped."""
    return _MARKDOWN.sub(r"\\\1", text)


def _pandoc_key(key: str) -> str:
    """A key as Pandoc's citation syntax has it: in braces unless it is plain."""
    return key if re.fullmatch(r"\w+(?:[:.#$%&\-+?<>~/]\w+)*", key) else f"{{{key}}}"

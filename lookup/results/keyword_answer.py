"""What a search answers: frozen results and their form as JSON."""

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal

from lookup.results.showing import whereabouts

AnsweredBy = Literal["ranking", "boolean", "phrase", "proximity", "fuzzy"]


@dataclass(frozen=True, repr=False)
class SearchResult:
    """A place that holds keywords.

    `cursor` is the centre of the match, an offset in the document text like those of all answers, and `start` that of the first character
    of `text`; `spans` are the matched words in `text`, and `matched` the keywords that they stand for, as they were asked. The
    place is where the first of them is printed; in a plain text it is None, and so is the key.
    """

    score: float
    cursor: int
    matched: tuple[str, ...]
    text: str
    start: int
    spans: tuple[tuple[int, int], ...]
    key: str | None
    page: int | None
    page_label: str | None
    section_number: str | None
    section_title: str | None
    kind: str | None

    def __repr__(self) -> str:
        place = whereabouts(self.key, self.page, self.page_label, f"cursor {self.cursor}")
        return f"<SearchResult {place}: {', '.join(self.matched)}>"

    def _repr_html_(self) -> str:
        from lookup.results.html import result_html  # only notebooks ask for it  # noqa: PLC0415

        return result_html(self)


@dataclass(frozen=True, repr=False)
class SearchAnswer:
    """The places that answer a search, best first, and by which search: None where there is none.

    `sql` are the statements that ran, ready for a DuckDB client, where they were asked for.
    """

    results: tuple[SearchResult, ...]
    answered_by: AnsweredBy | None
    sql: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.results)

    def __len__(self) -> int:
        return len(self.results)

    def __iter__(self) -> Iterator[SearchResult]:
        return iter(self.results)

    def __getitem__(self, number: int) -> SearchResult:
        return self.results[number]

    def with_sql(self, sql: tuple[str, ...]) -> "SearchAnswer":
        """The same answer, with the statements that ran."""
        return replace(self, sql=sql)

    def to_dict(self) -> dict[str, Any]:
        """All fields, as JSON has them."""
        fields: dict[str, Any] = json.loads(json.dumps(asdict(self)))
        return fields

    def to_json(self, indent: int | None = None) -> str:
        """`to_dict` as JSON; text stays readable, not escaped to ASCII."""
        return json.dumps(self.to_dict(), ensure_ascii=False, indent=indent)

    def __repr__(self) -> str:
        by = f" by {self.answered_by}" if self.answered_by else ""
        return f"<SearchAnswer: {len(self)} place{'' if len(self) == 1 else 's'}{by}>"

    def _repr_html_(self) -> str:
        from lookup.results.html import search_html  # only notebooks ask for it  # noqa: PLC0415

        return search_html(self)

"""The SQL of a keyword search: it chooses which papers to search, in one walk through their folded text.

Statements run with parameters, and are shown with their values in place.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from lookup.keywords.parse import Keyword
from lookup.keywords.patterns import near_pattern, words_pattern
from lookup.papers.library import Library


@dataclass(frozen=True)
class SqlStatement:
    """SQL whose question marks stand for `values`, texts and numbers."""

    sql: str
    values: tuple[str | int, ...] = ()

    def __str__(self) -> str:
        """Return the SQL as a client runs it, with the values in place."""
        values = iter(self.values)
        return re.sub(r"\?", lambda _: _literal(next(values)), self.sql)


@dataclass(frozen=True)
class StatementLog:
    """Runs statements over a release and keeps them."""

    library: Library
    ran: list[SqlStatement] = field(default_factory=list)

    def run(self, statement: SqlStatement) -> Sequence[tuple[Any, ...]]:
        """Return all rows of the statement."""
        self.ran.append(statement)
        return self.library.select(statement.sql, statement.values)


def papers_holding(
    keywords: Sequence[Keyword], keys: Sequence[str] | None, chars: int, limit: int, *, together: bool
) -> SqlStatement:
    """Select the `limit` papers with the best stretches of `chars` characters, by TF-IDF of the keywords.

    Of `keys`, or of all papers (None). If `together`, papers that hold all keywords, those with most of them
    in one stretch first. A row holds the key, the number of paragraphs, and for each keyword the number of
    paragraphs that hold it.
    """
    numbers = range(len(keywords))
    columns = ",\n           ".join(
        f"count(*) FILTER (regexp_matches(text_norm, ?)) AS w{i}" for i in numbers
    )
    frequencies = ", ".join(f"sum(w{i})::BIGINT AS d{i}" for i in numbers)
    scores = " + ".join(
        f"(w{i} > 0)::INTEGER"
        if together
        else f"CASE WHEN w{i} > 0 THEN (1 + ln(w{i})) * ln(1 + n / d{i}) ELSE 0 END"
        for i in numbers
    )
    qualify = "".join(f" AND sum(w{i}) OVER (PARTITION BY key) > 0" for i in numbers) if together else ""
    where, values = _of_keys(keys)
    of_papers = where.replace(" AND", " WHERE")
    sql = f"""WITH held AS (
    SELECT key, cursor // ? AS stretch, kind IN ('reference', 'furniture') AS last,
           {columns}
    FROM printed_paragraphs
    WHERE regexp_matches(text_norm, ?){where}
    GROUP BY ALL
), counted AS (
    SELECT (SELECT coalesce(sum(paragraphs), 0)::BIGINT FROM papers{of_papers}) AS n, {frequencies}
    FROM held
), best AS (
    SELECT key, last, {scores} AS score
    FROM held, counted
    QUALIFY row_number() OVER (PARTITION BY key ORDER BY last, score DESC) = 1{qualify}
)
SELECT key, n, {", ".join(f"d{i}" for i in numbers)}
FROM best, counted
ORDER BY last, score DESC, key
LIMIT ?"""
    patterns = [words_pattern([keyword]) for keyword in keywords]
    return SqlStatement(sql, (max(1, chars), *patterns, words_pattern(keywords), *values, *values, limit))


def words_holding(pieces: Sequence[str], keys: Sequence[str] | None) -> SqlStatement:
    """Select the words of papers that hold one of the pieces, with what hyphens join to them."""
    where, values = _of_keys(keys)
    pattern = near_pattern(pieces)
    sql = f"""SELECT DISTINCT unnest(regexp_extract_all(text_norm, ?)) AS word
FROM printed_paragraphs
WHERE regexp_matches(text_norm, ?){where}
ORDER BY word"""
    return SqlStatement(sql, (pattern, pattern, *values))


def _of_keys(keys: Sequence[str] | None) -> tuple[str, tuple[str, ...]]:
    return ("", ()) if keys is None else (f" AND key IN ({', '.join('?' * len(keys))})", tuple(keys))


def _literal(value: str | int) -> str:
    return str(value) if isinstance(value, int) else "'" + value.replace("'", "''") + "'"

"""The SQL of a keyword search: it reads the paragraphs around those that the index of words names.

Statements run with parameters, and are shown with their values in place.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from lookup.papers.library import Library

_COLUMNS = "key, cursor, page, page_end, page_label, section_number, section_title, kind, paragraph, text"


@dataclass(frozen=True)
class SqlStatement:
    """SQL whose question marks stand for `values`."""

    sql: str
    values: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the SQL as a client runs it, with the values in place."""
        values = iter(self.values)
        return re.sub(r"\?", lambda _: "'" + next(values).replace("'", "''") + "'", self.sql)


@dataclass(frozen=True)
class StatementLog:
    """Runs statements over a release and keeps them."""

    library: Library
    ran: list[SqlStatement] = field(default_factory=list)

    def run(self, statement: SqlStatement) -> Sequence[tuple[Any, ...]]:
        """Return all rows of the statement."""
        self.ran.append(statement)
        return self.library.select(statement.sql, statement.values)


def counted(keys: Sequence[str] | None) -> SqlStatement:
    """Select the number of paragraphs of the papers with these keys, or of all (None)."""
    where = "" if keys is None else f"\nWHERE key IN ({', '.join('?' * len(keys))})"
    return SqlStatement(f"SELECT coalesce(sum(paragraphs), 0)::BIGINT\nFROM papers{where}", tuple(keys or ()))


def whole_papers(keys: Sequence[str]) -> SqlStatement:
    """Select the paragraphs of the papers with these keys."""
    which = "= ?" if len(keys) == 1 else f"IN ({', '.join('?' * len(keys))})"
    return SqlStatement(
        f"SELECT {_COLUMNS}\nFROM printed_paragraphs\nWHERE key {which}\nORDER BY key, paragraph", tuple(keys)
    )


def numbered_rows(numbers: Sequence[int]) -> SqlStatement:
    """Select the paragraphs with these row numbers, each after its number."""
    listed = ", ".join(map(str, numbers))  # literals: DuckDB uses its index for these
    return SqlStatement(
        f"SELECT row_number, {_COLUMNS}\nFROM printed_paragraphs\nWHERE row_number IN ({listed})"
    )

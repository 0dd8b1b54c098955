"""The SQL of a search: run with parameters, and shown with their values in place."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from lookup.papers.library import Library


@dataclass(frozen=True)
class Statement:
    """SQL whose question marks stand for `values`, texts and numbers."""

    sql: str
    values: tuple[str | int, ...] = ()

    def __str__(self) -> str:
        """The SQL as a client runs it, the values in place."""
        values = iter(self.values)
        return re.sub(r"\?", lambda _: _literal(next(values)), self.sql)


@dataclass(frozen=True)
class Statements:
    """Runs statements over a release and keeps them."""

    library: Library
    ran: list[Statement] = field(default_factory=list)

    def run(self, statement: Statement) -> Sequence[tuple[Any, ...]]:
        """All rows of the statement."""
        self.ran.append(statement)
        return self.library.select(statement.sql, statement.values)


def _literal(value: str | int) -> str:
    return str(value) if isinstance(value, int) else "'" + value.replace("'", "''") + "'"

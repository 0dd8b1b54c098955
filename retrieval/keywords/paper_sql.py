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
class Statements:
    """Runs statements over a release and keeps them, as a client runs them."""

    library: Library
    ran: list[str] = field(default_factory=list)

    def counted(self, keys: Sequence[str] | None) -> int:
        """Return the number of paragraphs of the papers with these keys, or of all (None)."""
        where = "" if keys is None else f"\nWHERE key IN ({', '.join('?' * len(keys))})"
        ((count,),) = self._run(
            f"SELECT coalesce(sum(paragraphs), 0)::BIGINT\nFROM papers{where}", *(keys or ())
        )
        return int(count)

    def whole_paper(self, key: str) -> Sequence[tuple[Any, ...]]:
        """Return the paragraphs of the paper with this key."""
        return self._run(
            f"SELECT {_COLUMNS}\nFROM printed_paragraphs\nWHERE key = ?\nORDER BY key, paragraph", key
        )

    def numbered_rows(self, numbers: Sequence[int]) -> Sequence[tuple[Any, ...]]:
        """Return the paragraphs with these row numbers, each after its number."""
        listed = ", ".join(map(str, numbers))  # literals: DuckDB uses its index for these
        return self._run(
            f"SELECT row_number, {_COLUMNS}\nFROM printed_paragraphs\nWHERE row_number IN ({listed})"
        )

    def _run(self, sql: str, *values: str) -> Sequence[tuple[Any, ...]]:
        left = iter(values)
        self.ran.append(re.sub(r"\?", lambda _: "'" + next(left).replace("'", "''") + "'", sql))
        return self.library.select(sql, values)

"""The settings of a folder of manuscripts, in pagequote.toml."""

import tomllib
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, get_args

from lookup.errors import QueryError
from lookup.storage.object_path import ObjectPath, place
from pagequote.check.judge import Accepted
from pagequote.check.latex_definitions import Definition
from pagequote.check.latex_macros import Vocabulary

NAME = "pagequote.toml"
LOCK = "pagequote.lock"


@dataclass(frozen=True)
class Configuration:
    """The table [check] of a pagequote.toml; paths in it are taken from the folder of the file.

    `latex` is the template of [quote] for quotations.
    """

    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    min_verdict: Accepted | None = None
    baseline: Path | None = None
    corpus: Path | None = None
    latex: str = ""
    lock: Path | None = None

    def lock_of(self, manuscript: Path) -> Path:
        """Return the lock file of a manuscript: the one that is set, else the one beside it."""
        return self.lock or manuscript.parent / LOCK


def read_configuration(path: Path | None, beside: Path) -> Configuration:
    """Return the configuration at `path`, else the nearest one above `beside`. Raise QueryError."""
    if path is None:
        folder = beside.resolve().parent
        path = next((one / NAME for one in (folder, *folder.parents) if (one / NAME).is_file()), None)
        if path is None:
            return Configuration()
    try:
        content = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise QueryError(f"The configuration {str(path)!r} cannot be read: {error}.") from error
    table = content.get("check", {})
    if unknown := sorted(
        set(table) - {"macros", "environments", "text", "min-verdict", "baseline", "corpus", "lock"}
    ):
        raise QueryError(f"{str(path)!r}: unknown in [check]: {', '.join(unknown)}.")
    verdict = table.get("min-verdict")
    if verdict is not None and verdict not in get_args(Accepted):
        raise QueryError(
            f"{str(path)!r}: min-verdict must be verbatim, abridged, near or related, got {verdict!r}."
        )
    latex = content.get("quote", {}).get("latex", "")
    if not isinstance(latex, str):
        raise QueryError(f"{str(path)!r}: [quote] latex must be the name of a template or a template.")
    vocabulary = Vocabulary().with_own(
        _arguments(table, "macros", path), _arguments(table, "environments", path)
    )
    defined = {name: Definition(text) for name, text in _arguments(table, "text", path).items()}
    return Configuration(
        replace(vocabulary, defined=defined),
        verdict,
        _path(table, "baseline", path),
        _path(table, "corpus", path),
        latex,
        _path(table, "lock", path),
    )


def _arguments(table: dict[str, Any], name: str, path: Path) -> dict[str, str]:
    given = table.get(name, {})
    if not isinstance(given, dict) or not all(isinstance(one, str) for one in given.values()):
        raise QueryError(
            f"{str(path)!r}: [check.{name}] takes names of macros, each with a text: "
            f"mine = {_EXAMPLES[name]!r}."
        )
    return {macro.lstrip("\\"): arguments for macro, arguments in given.items()}


_EXAMPLES = {"macros": "key page quote", "environments": "[page] key", "text": "never"}


def _path(table: dict[str, Any], name: str, path: Path) -> Path | None:
    if name not in table:
        return None
    given = place(str(table[name]))
    return given if isinstance(given, ObjectPath) else path.parent / given

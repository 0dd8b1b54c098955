"""The settings of a folder of manuscripts, in pagequote.toml."""

import os
import re
import tomllib
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import chain
from pathlib import Path
from typing import Any, get_args

from lookup.errors import QueryError
from lookup.results.difference import Verdict
from lookup.storage import untrusted_files
from lookup.storage.object_path import ObjectPath, Stranger, place
from pagequote.check.latex_macros import Definition, Vocabulary
from pagequote.check.manuscript import LATEX, Manuscript, decode
from pagequote.nearest_settings import nearest_settings

_LARGEST = 1 << 20  # Bytes of a configuration.

LOCK = "pagequote.lock"

SETTINGS_OF_CHECK = {
    "min-verdict": "the lowest verdict that is right: verbatim, abridged, near or related",
    "baseline": "the file of findings that are known",
    "lock": "the lock file of `pin`",
    "corpus": "the corpus, where it is not named at the top",
    "macros": 'your macros that quote or cite, each with its arguments: `mine = "key page quote"`',
    "environments": 'your environments that quote: `mine = "[page] key"`',
    "text": 'what your macros print: `nev = "never"`',
    "fields": 'the fields of structured records: `quote = "snippet"`, `key = "reference"`, `page = "page"`',
}
"""The settings of [check], and what they say."""


@dataclass(frozen=True)
class Configuration:
    """The table [check] of a pagequote.toml; paths in it are taken from the folder of the file.

    `latex` is the template of [quote] for quotations, `page_word` what stands before their pages. `own` are
    the names of macros and environments that it tells, `folder` is where the file stands.
    """

    vocabulary: Vocabulary = field(default_factory=Vocabulary)
    min_verdict: Verdict = "abridged"
    baseline: Path | None = None
    corpus: Path | None = None
    latex: str = ""
    page_word: str | None = None
    lock: Path | None = None
    own: frozenset[str] = frozenset()
    folder: Path | None = None

    def refuse_unused(self, manuscripts: Iterable[Manuscript]) -> None:
        """Raise QueryError for own macros of which neither the manuscripts use any nor a file of the folder.

        Manuscripts in other languages than LaTeX say nothing of macros.
        """
        sources = [one.source for one in manuscripts if one.markup == LATEX]
        if not sources or not self.own or self.folder is None:
            return
        if any(self.own.intersection(_NAMED.findall(source)) for source in sources):
            return
        for file in chain(self.folder.glob("*.tex"), self.folder.glob("*/*.tex")):
            with suppress(QueryError, OSError):
                if self.own.intersection(_NAMED.findall(decode(untrusted_files.content(file, _LARGEST)))):
                    return
        raise QueryError(
            f"No manuscript uses {', '.join(sorted(self.own))}, which pagequote.toml names under [check]. "
            "Mend the names there, or take them out."
        )

    def lock_of(self, manuscript: Path) -> Path:
        """Return the lock file of a manuscript: the one that is set, else the one beside it."""
        return self.lock or manuscript.parent / LOCK


def read_configuration(path: Path | None, beside: Path, trusted: Iterable[Path] = ()) -> Configuration:
    """Return the configuration at `path`, else the nearest one above `beside`. Raise QueryError.

    The search ends at a repository's root and at the home folder. A file that is found may come with a
    document from anybody: what it names must be in its own folder or below. That at `path`, or in one of the
    `trusted` folders, may name anything.
    """
    named = path is not None
    path = path or nearest_settings(Path(os.path.realpath(beside)).parent)
    if path is None:
        return Configuration()
    named = named or any(path.resolve().is_relative_to(one.resolve()) for one in trusted)
    try:
        content = tomllib.loads(untrusted_files.content(path, _LARGEST).decode())
    except (ValueError, RecursionError) as error:
        raise QueryError(f"The configuration {str(path)!r} cannot be read: {error}.") from error
    table, quote = content.get("check", {}), content.get("quote", {})
    if not isinstance(table, dict) or not isinstance(quote, dict):
        raise QueryError(f"{str(path)!r}: [check] and [quote] must be tables, once each.")
    fields = _arguments(table, "fields", path)
    for where, given, known in (
        ("at the top", content, ("check", "corpus", "quote")),
        ("in [check]", table, SETTINGS_OF_CHECK),
        ("in [quote]", quote, ("latex", "page-word")),
        ("in [check.fields]", fields, ("quote", "key", "page")),
    ):
        if unknown := sorted(set(given) - set(known)):
            raise QueryError(
                f"{str(path)!r}: unknown {where}: {', '.join(unknown)}. Known: {', '.join(known)}."
            )
    verdict = table.get("min-verdict", Configuration.min_verdict)
    if verdict not in get_args(Verdict):
        raise QueryError(
            f"{str(path)!r}: min-verdict must be verbatim, abridged, near or related, got {verdict!r}."
        )
    latex, page_word = quote.get("latex", ""), quote.get("page-word")
    if not isinstance(latex, str) or not isinstance(page_word, str | None):
        raise QueryError(f"{str(path)!r}: [quote] latex (a template, or its name) and page-word are texts.")
    vocabulary = Vocabulary().with_own(
        _arguments(table, "macros", path), _arguments(table, "environments", path)
    )
    defined = {name: Definition(text) for name, text in _arguments(table, "text", path).items()}
    return Configuration(
        replace(vocabulary, defined=defined, fields=fields),
        verdict,
        _path(table, "baseline", path, anywhere=named),
        _path(content if "corpus" in content else table, "corpus", path, anywhere=named),
        latex,
        page_word,
        _path(table, "lock", path, anywhere=named),
        frozenset(name for one in ("macros", "environments", "text") for name in table.get(one, {})),
        path.parent,
    )


_NAMED = re.compile(r"(?:\\|\{)([A-Za-z@]+\*?)")
"""Names of macros and environments in a source, among others."""


def _arguments(table: dict[str, Any], name: str, path: Path) -> dict[str, str]:
    given = table.get(name, {})
    if not isinstance(given, dict) or not all(isinstance(one, str) for one in given.values()):
        raise QueryError(
            f"{str(path)!r}: [check.{name}] takes names of macros, each with a text: "
            f"mine = {_EXAMPLES[name]!r}."
        )
    return {macro.lstrip("\\"): arguments for macro, arguments in given.items()}


_EXAMPLES = {"macros": "key page quote", "environments": "[page] key", "text": "never", "fields": "snippet"}


def _path(table: dict[str, Any], name: str, path: Path, *, anywhere: bool) -> Path | None:
    if name not in table:
        return None
    given = place(str(table[name]).replace("\0", ""))  # no name has one
    if anywhere or Stranger.SETTINGS.may_reach(given, path.parent):
        return given if isinstance(given, ObjectPath) else path.parent / given
    raise QueryError(
        f"{str(path)!r} names {table[name]!r} as {name}, which is not in its folder. A file that is found "
        "beside a document may not reach further: give it by --config, or name the place by an option."
    )

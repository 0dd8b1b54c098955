"""Names of papers, as every face reads them: a key, a DOI, a title, authors and year."""

from collections.abc import Mapping
from typing import Any

from lookup.corpus import Corpus
from lookup.errors import QueryError
from pagequote.calls.table import QuoteToCheck


def key_meant(corpus: Corpus, name: str, *, by_key: bool = False) -> tuple[str, str]:
    """Return the key of the one paper that a name means, and a sentence that says so where it is no key.

    The name itself where it means several, "" where it means none. `by_key` is for models: see
    `PaperSummary.named`.
    """
    found = corpus.resolve(name)
    if len(found) != 1:
        return name if found else "", ""
    paper = found[0]
    return paper.key, "" if paper.key == name else paper.named(name, by_key=by_key)


def paragraph_meant(name: str) -> tuple[str, int]:
    """Return the key and the number of a paragraph, of KEY:PARAGRAPH. Raise QueryError."""
    key, _, number = name.rpartition(":")
    if not number.isdecimal() or len(number) > 9:
        raise QueryError(f"like takes KEY:PARAGRAPH, such as smith2020:17, not {name!r}.")
    return key, int(number)


def with_keys(corpus: Corpus, values: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """Return the arguments of a call with keys for names that mean one paper, and a sentence about these."""
    said: dict[str, str] = {}

    def key_of(name: str) -> str:
        key, said[name] = key_meant(corpus, name, by_key=True) if name else ("", "")
        return key or name

    changed = dict(values)
    if values.get("key"):
        changed["key"] = key_of(values["key"])
    if values.get("keys"):
        changed["keys"] = tuple(map(key_of, values["keys"]))
    if values.get("quotes"):
        changed["quotes"] = tuple(
            QuoteToCheck(**{**vars(one), "key": key_of(one.key)}) for one in values["quotes"]
        )
    return changed, " ".join(filter(None, said.values()))

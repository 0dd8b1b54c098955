"""Papers that a caller names otherwise than by their keys."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from lookup.corpus import Corpus


def by_key(corpus: Corpus, values: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """Return the arguments with keys for names that mean one paper, and a sentence about these names."""
    taken: dict[str, str] = {}

    def key_of(name: str) -> str:
        found = corpus.resolve(name)
        if len(found) != 1 or found[0].key == name:
            return name
        taken[name] = found[0].named(name)
        return found[0].key

    changed = dict(values)
    if values.get("key"):
        changed["key"] = key_of(values["key"])
    if values.get("keys"):
        changed["keys"] = tuple(map(key_of, values["keys"]))
    if values.get("quotes"):
        changed["quotes"] = tuple(replace(one, key=key_of(one.key)) for one in values["quotes"])
    return changed, " ".join(taken.values())

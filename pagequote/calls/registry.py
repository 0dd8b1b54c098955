"""The calls that the faces offer, with their names, arguments and replies."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, get_type_hints

from lookup.corpus import Corpus
from pagequote.calls.arguments import Argument, arguments_of, read_arguments
from pagequote.calls.killable import Runner, run_inline
from pagequote.calls.paper_calls import get_context_at_cursor, get_page, list_papers
from pagequote.calls.quote_calls import check_quotes, get_quote, grep_raw, show_page, takes_long
from pagequote.calls.replies import Reply
from pagequote.calls.search_calls import find, search, search_sentences


@dataclass(frozen=True)
class Call:
    """A call as the faces offer it."""

    function: Callable[..., Reply]
    usual: Mapping[str, Any] = field(default_factory=dict)
    """What this face gives for arguments that are not given, where it is not what the function has."""
    fixed: Mapping[str, Any] = field(default_factory=dict)
    """Arguments that this face gives itself, and does not offer."""
    long: Callable[[Mapping[str, Any]], bool] = lambda _: False
    """Whether it may take seconds with what it is given, so that servers do it where it can be killed."""

    @property
    def name(self) -> str:
        """Return its name."""
        return self.function.__name__

    @property
    def description(self) -> str:
        """Return what it does, when to use it, and an example."""
        return inspect.cleandoc(self.function.__doc__ or "")

    @cached_property
    def arguments(self) -> tuple[Argument, ...]:
        """Return its arguments other than the corpus and the number of characters."""
        hints = get_type_hints(self.function, include_extras=True)
        every = list(inspect.signature(self.function).parameters.items())[2:]
        taken = {name: one for name, one in every if name not in self.fixed}
        empty = inspect.Parameter.empty
        defaults = {name: one.default for name, one in taken.items() if one.default is not empty}
        known = {name: value for name, value in self.usual.items() if name in taken}
        return arguments_of({name: hints[name] for name in taken}, defaults | known)

    @property
    def reply(self) -> type[Reply]:
        """Return the class of its reply."""
        kind: type[Reply] = get_type_hints(self.function)["return"]
        return kind

    def answer(
        self,
        corpus: Corpus,
        chars: int,
        given: Mapping[str, Any],
        *,
        lenient: bool,
        long: Runner = run_inline,
    ) -> Reply:
        """Return the reply to these arguments; `long` does what may take long. Raise PageQuoteError."""
        values = read_arguments(self.arguments, given, lenient=lenient)
        values, named = by_key(corpus, values)
        work = partial(self.function, chars=chars - len(named), **self.fixed, **values)
        reply: Reply = long(work, corpus) if self.long(given) else work(corpus)
        return replace(reply, named=named) if named else reply


_SHORT = {"detail": "short"}
"""A model pays for each word of an answer: a quote of 63 characters came with 4,324 before this."""

CALLS: Sequence[Call] = (
    Call(get_quote, {**_SHORT, "context": "sentence"}),
    Call(check_quotes, long=takes_long),
    Call(list_papers, fixed=_SHORT),
    Call(search, fixed=_SHORT),
    Call(find, {"limit": 5}, fixed=_SHORT),
    Call(search_sentences, fixed=_SHORT),
    Call(get_page),
    Call(get_context_at_cursor),
    Call(show_page),
)
"""The calls that agents have, the most wanted first."""

NEED_VECTORS = frozenset({"search_sentences"})  # Those that are not offered where a release has no vectors.

ALIASES: Mapping[str, Call] = {
    "search_context": Call(find, fixed={**_SHORT, "mode": "context"}),
    "search_exact_phrase": Call(find, {"context_chars": 600}, {**_SHORT, "mode": "phrase"}),
    "search_boolean_and": Call(find, {"context_chars": 600}, {**_SHORT, "mode": "all"}),
    "grep_raw": Call(grep_raw, _SHORT),
}
"""Calls by names that agents know from other tools: they are answered, and not listed."""


def by_key(corpus: Corpus, values: Mapping[str, Any]) -> tuple[dict[str, Any], str]:
    """Return the arguments with keys for names that mean one paper, and a sentence about these names."""
    taken: dict[str, str] = {}

    def key_of(name: str) -> str:
        found = corpus.resolve(name)
        if len(found) != 1 or found[0].key == name:
            return name
        taken[name] = found[0].named(name, by_key=True)
        return found[0].key

    changed = dict(values)
    if values.get("key"):
        changed["key"] = key_of(values["key"])
    if values.get("keys"):
        changed["keys"] = tuple(map(key_of, values["keys"]))
    if values.get("quotes"):
        changed["quotes"] = tuple(replace(one, key=key_of(one.key)) for one in values["quotes"])
    return changed, " ".join(taken.values())

"""The calls that the faces offer: what answers each record of the table, and with which reply."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Any, get_type_hints

from lookup.corpus import Corpus
from pagequote.calls import quote_calls, search_calls
from pagequote.calls.arguments import Argument, fields_of, read_arguments
from pagequote.calls.killable import Runner, run_inline
from pagequote.calls.names import with_keys
from pagequote.calls.replies import Reply
from pagequote.calls.table import Request


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

    @cached_property
    def request(self) -> type[Request]:
        """Return the record of what it takes."""
        kind: type[Request] = get_type_hints(self.function)["asked"]
        return kind

    @property
    def description(self) -> str:
        """Return what it does, when to use it, and an example."""
        return inspect.cleandoc(self.request.__doc__ or "")

    @cached_property
    def arguments(self) -> tuple[Argument, ...]:
        """Return its arguments as this face offers them."""
        taken = (one for one in fields_of(self.request) if one.name not in self.fixed)
        usual = self.usual
        return tuple(one._replace(default=usual.get(one.name, one.default)) for one in taken)

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
        values, named = with_keys(corpus, values)
        asked = self.request(**self.fixed, **values)
        work = partial(self.function, chars=chars - len(named), asked=asked)
        reply: Reply = long(work, corpus) if self.long(given) else work(corpus)
        return replace(reply, named=named) if named else reply


_SHORT = {"detail": "short"}
"""A model pays for each word of an answer: a quote of 63 characters came with 4,324 before this."""

CALLS: Sequence[Call] = (
    Call(quote_calls.get_quote, {**_SHORT, "context": "sentence"}),
    Call(quote_calls.check_quotes, long=quote_calls.takes_long),
    Call(search_calls.list_papers, fixed=_SHORT),
    Call(search_calls.search, fixed=_SHORT),
    Call(search_calls.find, {"limit": 5}, fixed=_SHORT),
    Call(search_calls.search_sentences, fixed=_SHORT),
    Call(search_calls.get_page),
    Call(search_calls.get_context_at_cursor),
    Call(quote_calls.show_page),
)
"""The calls that agents have, the most wanted first."""

NEED_VECTORS = frozenset({"search_sentences"})  # Those that are not offered where a release has no vectors.

ALIASES: Mapping[str, Call] = {
    "search_context": Call(search_calls.find, fixed={**_SHORT, "mode": "context"}),
    "search_exact_phrase": Call(search_calls.find, {"context_chars": 600}, {**_SHORT, "mode": "phrase"}),
    "search_boolean_and": Call(search_calls.find, {"context_chars": 600}, {**_SHORT, "mode": "all"}),
    "grep_raw": Call(quote_calls.grep_raw, _SHORT),
}
"""Calls by names that agents know from other tools: they are answered, and not listed."""

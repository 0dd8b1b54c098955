"""The calls that the faces offer: what answers each record of the table, with which reply; as JSON Schema."""

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from lookup.corpus import Corpus
from pagequote.calls import answers
from pagequote.calls.arguments import UNIONS, Argument, fields_of, is_record, read_arguments, with_keys
from pagequote.calls.killable import Runner, run_inline
from pagequote.calls.replies import Reply
from pagequote.calls.table import About, Request


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
    Call(answers.get_quote, {**_SHORT, "context": "sentence"}),
    Call(answers.check_quotes, long=answers.takes_long),
    Call(answers.list_papers, fixed=_SHORT),
    Call(answers.search, fixed=_SHORT),
    Call(answers.find, {"limit": 5}, fixed=_SHORT),
    Call(answers.search_sentences, fixed=_SHORT),
    Call(answers.get_page),
    Call(answers.get_context_at_cursor),
    Call(answers.show_page),
)
"""The calls that agents have, the most wanted first."""

NEED_VECTORS = frozenset({"search_sentences"})  # Those that are not offered where a release has no vectors.

ALIASES: Mapping[str, Call] = {
    "search_context": Call(answers.find, fixed={**_SHORT, "mode": "context"}),
    "search_exact_phrase": Call(answers.find, {"context_chars": 600}, {**_SHORT, "mode": "phrase"}),
    "search_boolean_and": Call(answers.find, {"context_chars": 600}, {**_SHORT, "mode": "all"}),
    "grep_raw": Call(answers.grep_raw, _SHORT),
}
"""Calls by names that agents know from other tools: they are answered, and not listed."""


Schema = dict[str, Any]

_TYPES = {str: "string", int: "integer", float: "number", bool: "boolean", type(None): "null"}
_BOUNDS = {
    "string": ("minLength", "maxLength"),
    "integer": ("minimum", "maximum"),
    "array": ("minItems", "maxItems"),
}


def schema_of(annotation: Any, *, closed: bool = False) -> Schema:
    """Return the schema of a value. Dataclasses are inlined, since some clients do not follow references.

    `closed` is for arguments, open for replies: see `object_schema`.
    """
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated and parts[1].items:
        each = [schema_of(kind, closed=closed) for kind in parts[1].items]
        listed = {"type": "array", "items": {"anyOf": each} if len(each) > 1 else each[0]}
        return _described(listed, parts[1])
    if origin is Annotated:
        return _described(schema_of(parts[0], closed=closed), parts[1])
    if origin in UNIONS:
        return {"anyOf": [schema_of(part, closed=closed) for part in parts]}
    if origin is Literal:
        return {"type": "string", "enum": list(parts)}
    if origin is tuple:
        found = {"type": "array", "items": schema_of(parts[0], closed=closed)}
        return found if parts[-1] is Ellipsis else {**found, "minItems": len(parts), "maxItems": len(parts)}
    if is_record(annotation):
        return object_schema(fields_of(annotation), closed=closed)
    return {"type": _TYPES[annotation]}


def object_schema(arguments: tuple[Argument, ...], *, closed: bool) -> Schema:
    """Return the schema of an object with these fields.

    `closed` is for arguments: no other fields, and those with a default may be missing. Open is for replies:
    all fields, and those that a later version adds.
    """
    properties = {}
    for one in arguments:
        properties[one.name] = schema_of(one.annotation, closed=closed)
        if closed and not one.required:
            default = list(one.default) if isinstance(one.default, tuple) else one.default
            properties[one.name]["default"] = default
    required = [one.name for one in arguments if one.required or not closed]
    found: Schema = {"type": "object", "properties": properties}
    if required:
        found["required"] = required
    return found | {"additionalProperties": False} if closed else found


def _described(schema: Schema, about: About) -> Schema:
    described = {**schema, "description": about.description} if about.description else {**schema}
    if names := _BOUNDS.get(schema.get("type", "")):
        bounds = zip(names, (about.least, about.most), strict=True)
        described |= {name: bound for name, bound in bounds if bound is not None}
    return described

"""Arguments from outside the process: their descriptions and bounds, their checked values, papers by name."""

import json
import re
import types
from collections.abc import Mapping
from dataclasses import MISSING, fields, is_dataclass
from typing import Annotated, Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from lookup.corpus import Corpus
from lookup.errors import QueryError
from pagequote.calls.table import About, QuoteToCheck, Request, of_request

UNIONS = (Union, types.UnionType)  # What `A | B` is, with and without annotations.

_WHOLE_NUMBER = re.compile(r"-?[0-9]{1,18}")
_HALF_A_CHARACTER = re.compile("[\ud800-\udfff]")


class Argument(NamedTuple):
    """An argument of a call: its annotation, and its default."""

    name: str
    annotation: Any
    required: bool
    default: Any = None


class ArgumentError(QueryError):
    """An argument is missing, unknown, of another type, or out of bounds."""


_ALIASES = {
    "n": "limit",
    "n_results": "limit",
    "max_results": "limit",
    "words": "query",
    "keywords": "query",
    "phrase": "quote",
    "query": "quote",
    "quote": "query",
    "key": "keys",
}
"""Names by which other tools know these arguments, and those that are easily confused: taken, not listed."""


def name_now(arguments: tuple[Argument, ...], name: str) -> str:
    """Return the name of the argument that a caller means by `name`; `name` where it means none."""
    names = {one.name for one in arguments}
    now = _ALIASES.get(name, name)
    return now if name not in names and now in names else name


def read_arguments(
    arguments: tuple[Argument, ...], given: Mapping[str, Any], *, lenient: bool, within: str = ""
) -> dict[str, Any]:
    """Return the values of a call's arguments. Raise ArgumentError, which says what the argument must be.

    `lenient` accepts what models and query strings write: numbers in quotation marks, one item for a list of
    one, lists as JSON, null for an argument that is not given; the fields of a record for a list of one, and
    a text for a record that needs a text alone. `within` names the object that has them.
    """
    names = [one.name for one in arguments]
    if lenient and _are_of_a_record(arguments, given):
        given = {names[0]: [given]}
    meant = {name: name_now(arguments, name) for name in given}
    given = {name if now in given else now: given[name] for name, now in meant.items()}
    for name in given:
        if name not in names:
            raise ArgumentError(f"Unknown argument {_shown(name)}{within}. Available: {', '.join(names)}.")
    values = {}
    for one in arguments:
        if one.name not in given or (lenient and given[one.name] is None and not one.required):
            if one.required:
                about = next((part for part in get_args(one.annotation) if isinstance(part, About)), None)
                needed = about.description.rstrip(".") if about else "it is required"
                raise ArgumentError(f"{one.name} is missing{within}: {needed}.")
            values[one.name] = one.default
        else:
            values[one.name] = read_value(
                one.annotation, given[one.name], f"{one.name}{within}", lenient=lenient
            )
    return values


def _are_of_a_record(arguments: tuple[Argument, ...], given: Mapping[str, Any]) -> bool:
    """Return whether the one argument is a list of records, and the fields of one are given in its place."""
    forms = forms_of(arguments[0].annotation) if len(arguments) == 1 else []
    record = next((get_args(form)[0] for form in forms if get_origin(form) is tuple), None)
    if not is_record(record) or not given or arguments[0].name in given:
        return False
    wanted = fields_of(record)
    return all(name_now(wanted, name) in {one.name for one in wanted} for name in given)


def arguments_of(hints: Mapping[str, Any], defaults: Mapping[str, Any]) -> tuple[Argument, ...]:
    """Return the arguments with these annotations; those without a default are required."""
    return tuple(
        Argument(name, hint, name not in defaults, defaults.get(name)) for name, hint in hints.items()
    )


def is_record(kind: Any) -> bool:
    """Return whether a type has fields: a dataclass, or a record of the table of calls."""
    return is_dataclass(kind) or (isinstance(kind, type) and issubclass(kind, Request))


def fields_of(kind: Any) -> tuple[Argument, ...]:
    """Return the fields of a record as arguments."""
    if issubclass(kind, Request):
        return arguments_of(of_request(kind), vars(kind))
    defaults = {one.name: one.default for one in fields(kind) if one.default is not MISSING}
    return arguments_of(get_type_hints(kind, include_extras=True), defaults)


def read_value(
    annotation: Any, given: Any, name: str, *, lenient: bool = True, about: About | None = None
) -> Any:
    """Return the value that is given for `name`. Raise ArgumentError."""
    origin, parts = get_origin(annotation), get_args(annotation)
    if origin is Annotated:
        return read_value(parts[0], given, name, lenient=lenient, about=parts[1])
    if origin is Literal:
        if given not in parts or not isinstance(given, str):
            raise ArgumentError(f"{name} must be {' or '.join(map(repr, parts))}, got {_shown(given)}.")
        return given
    if origin in UNIONS and int in forms_of(parts[0]):  # a number, or a text
        number, text = parts
        try:
            return read_value(number, given, name, lenient=lenient)
        except ArgumentError:
            if not isinstance(given, str):
                raise
        return read_value(text, given, name, lenient=lenient)  # of no such page: a text that none prints
    if origin in UNIONS:  # a text, or a list of texts
        text, several = parts
        listed = isinstance(_parsed(given) if lenient else given, list)
        return read_value(several if listed else text, given, name, lenient=lenient)
    if origin is tuple:
        return _several(parts[0], given, name, about, lenient=lenient)
    if is_record(annotation):
        return _record(annotation, given, name, lenient=lenient)
    return _number(given, name, about, lenient=lenient) if annotation is int else _text(given, name, about)


def forms_of(annotation: Any) -> list[Any]:
    """Return the types that a value may have, without what is said of them."""
    if get_origin(annotation) is Annotated:
        return forms_of(get_args(annotation)[0])
    if get_origin(annotation) in UNIONS:
        return [form for part in get_args(annotation) for form in forms_of(part)]
    return [annotation]


def _several(
    annotation: Any, given: Any, name: str, about: About | None, *, lenient: bool
) -> tuple[Any, ...]:
    if lenient and isinstance(given, str | dict):
        parsed = _parsed(given)
        given = parsed if isinstance(parsed, list) else [given]
    if not isinstance(given, list):
        raise ArgumentError(f"{name} must be a list, got {_shown(given)}.")
    _check(len(given), name, about, "item")
    return tuple(
        read_value(annotation, one, f"item {number} of {name}", lenient=lenient)
        for number, one in enumerate(given, start=1)
    )


def _record(annotation: Any, given: Any, name: str, *, lenient: bool) -> Any:
    wanted = fields_of(annotation)
    if lenient and isinstance(given, str):
        given = _parsed(given)
        needed = [one.name for one in wanted if one.required]
        given = {needed[0]: given} if isinstance(given, str) and len(needed) == 1 else given
    if not isinstance(given, dict):
        names = ", ".join(one.name for one in wanted)
        raise ArgumentError(f"{name} must be an object with {names}, got {_shown(given)}.")
    return annotation(**read_arguments(wanted, given, lenient=lenient, within=f" in {name}"))


def _number(given: Any, name: str, about: About | None, *, lenient: bool) -> int:
    if lenient and isinstance(given, str) and _WHOLE_NUMBER.fullmatch(given):
        given = int(given)
    elif isinstance(given, float) and given.is_integer():
        given = int(given)  # for JSON, 1.0 is a whole number
    if not isinstance(given, int) or isinstance(given, bool):
        raise ArgumentError(f"{name} must be a whole number, got {_shown(given)}.")
    _check(given, name, about)
    return given


def _text(given: Any, name: str, about: About | None) -> str:
    if not isinstance(given, str):
        raise ArgumentError(f"{name} must be a text, got {_shown(given)}.")
    if _HALF_A_CHARACTER.search(given):
        raise ArgumentError(
            f"{name} holds half of a character (a surrogate without its pair). Send whole characters."
        )
    _check(len(given), name, about, "character")
    return given


def _check(size: int, name: str, about: About | None, unit: str = "") -> None:
    least, most = (about.least, about.most) if about else (None, None)
    if least is not None and size < least:
        bound, number = "at least", least
    elif most is not None and size > most:
        bound, number = "at most", most
    else:
        return
    units = f" {unit}{'' if number == 1 else 's'}" if unit else ""
    raise ArgumentError(
        f"{name} must {'have' if unit else 'be'} {bound} {number}{units}, got {_shown(size)}."
    )


def _parsed(text: Any) -> Any:
    try:
        return json.loads(text) if isinstance(text, str) else text
    except (ValueError, RecursionError):
        return text


_LONGEST_SHOWN = 40


def _shown(value: Any) -> str:
    """Return a value as an error message shows it, shortened."""
    if isinstance(value, str):
        start = value if len(value) <= _LONGEST_SHOWN else f"{value[:_LONGEST_SHOWN]}..."
        return repr(_HALF_A_CHARACTER.sub("\N{REPLACEMENT CHARACTER}", start))
    if isinstance(value, bool) or value is None:
        return json.dumps(value)
    if isinstance(value, int | float):
        return str(value) if abs(value) < 10**18 else "a number of that size"
    return "a list" if isinstance(value, list) else "an object"


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

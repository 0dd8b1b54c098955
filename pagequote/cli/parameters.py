"""What a command takes: each of its parameters has, as its default, the option or argument that fills it."""

from collections.abc import Callable
from dataclasses import fields, is_dataclass
from functools import wraps
from pathlib import Path
from typing import Any, Literal, get_args, get_origin

import click

Command = Callable[..., Any]
Adds = Callable[[str, dict[str, Any]], Callable[[Command], Command]]
"""Of the name of a parameter and what its type says: adds it to a command."""

PATH = click.Path(path_type=Path)


def option(about: str, names: str = "", **more: Any) -> Any:
    """Return an option with this help; `names`, separated by spaces, where the parameter's is not its own.

    A default that says something is shown.
    """

    def add(name: str, settings: dict[str, Any]) -> Callable[[Command], Command]:
        own = names.split() or [f"--{name.replace('_', '-')}"]
        shown = {"show_default": bool(more.get("default"))}
        return click.option(*own, name, help=about, **settings | shown | more)

    return add


def argument(**more: Any) -> Any:
    """Return an argument, which is told by its place; where the parameter may be None it may be left out."""

    def add(name: str, settings: dict[str, Any]) -> Callable[[Command], Command]:
        several = {"nargs": -1} if settings.pop("multiple", False) else {}
        return click.argument(name, **settings | several | more)

    return add


def formats(*forms: str) -> Any:
    """Return `--format` with these forms, the first being the default; `--json` and `--csv` name theirs."""
    short = [form for form in ("csv", "json") if form in forms]

    def add(name: str, _: dict[str, Any]) -> Callable[[Command], Command]:
        def with_forms(command: Command) -> Command:
            for one in short:
                command = click.option(f"--{one}", name, flag_value=one, help=f"Short for --format {one}.")(
                    command
                )
            choice = click.Choice(forms)
            return click.option("--format", name, type=choice, default=forms[0], show_default=True)(command)

        return with_forms

    return add


RECORD: Any = None  # In place of the option of a parameter that is a record: its fields have them.


def taking(function: Command) -> Command:
    """Add to a command an option or argument for each of its parameters, in their order.

    A parameter whose type is a dataclass has one for each field, and the command gets the record.
    """
    records: dict[str, Any] = {}
    adds: list[Callable[[Command], Command]] = []

    def add(name: str, kind: Any, given: Any) -> None:
        if is_dataclass(kind):
            records[name] = kind
            for field in fields(kind):
                add(field.name, field.type, field.default)
        else:
            adds.append(given(name, _settings(kind)))

    hints = [(name, kind) for name, kind in function.__annotations__.items() if name not in _NOT_GIVEN]
    for (name, kind), given in zip(hints, function.__defaults__ or (), strict=True):
        add(name, kind, given)

    @wraps(function)
    def filled(*context: Any, **given: Any) -> Any:
        for name, record in records.items():
            given[name] = record(**{one.name: given.pop(one.name) for one in fields(record)})
        return function(*context, **given)

    command: Command = filled
    for one in reversed(adds):
        command = one(command)
    return command


_NOT_GIVEN = ("ctx", "return")


def _settings(kind: Any) -> dict[str, Any]:
    """Return what click is told of a parameter with this type."""
    parts = [one for one in get_args(kind) if one not in (type(None), ...)]
    if get_origin(kind) is tuple:
        return {**_settings(parts[0]), "multiple": True}
    if get_origin(kind) is Literal:
        return {"type": click.Choice(parts)}
    if parts:  # one of them or None
        return {**_settings(parts[0]), "required": False}
    return {"is_flag": True} if kind is bool else {"type": PATH if kind is Path else kind}

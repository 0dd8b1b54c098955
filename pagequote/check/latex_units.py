r"""What siunitx and mhchem print: `\qty{37}{\degreeCelsius}` is "37 °C", `\ce{Ca^{2+}}` is "Ca²⁺".

Numbers are not grouped: "12345", where siunitx puts a thin space between thousands.
"""

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from pathlib import Path

from lookup.quote.typed import moved

MACROS = tomllib.loads(Path(__file__).with_name("macros.toml").read_text(encoding="utf-8"))
"""What macros print, as `macros.toml` has it, by table and name."""


@cache
def names(markup: str) -> Mapping[str, frozenset[str]]:
    """Return the names of a markup, as `macros.toml` has them, by what its reader does with them."""
    return {kind: frozenset(listed.split()) for kind, listed in MACROS["names"][markup].items()}


UNIT_MACROS = MACROS["unit_arguments"]
"""The macros that are read here, with their arguments as pylatexenc writes them."""

_PREFIXES = MACROS["prefixes"]
_UNITS = MACROS["units"]
_BEFORE = {"per": "-", "square": "2", "cubic": "3"}
_AFTER = {"squared": "2", "cubed": "3"}
_PART = re.compile(
    r"\\(?P<macro>[A-Za-z]+)\s*(?:\{(?P<power>[^{}]*+)\})?|\^\{?(?P<raised>[-−+]?\d+)\}?"
    r"|(?P<other>.)",
    re.DOTALL,
)
_NUMBER = re.compile(r"(?P<before>[^eEdD]*)[eEdD](?P<power>[-+]?\d+)")
_SIGNS = {"+-": "±", "\\pm": "±", "-": "−", "<=": "≤", ">=": "≥", "<<": "≪", ">>": "≫"}
_SIGN = re.compile(r"\+-|\\pm|<=|>=|<<|>>|-")


def quantity(macro: str, arguments: list[str]) -> str | None:
    """Return what a macro of UNIT_MACROS prints, given its braced arguments; None for what is not known."""
    if macro in ("ce", "cf"):
        return _formula(arguments[0])
    if macro == "ang":
        parts = [part.strip() for part in arguments[0].split(";")]
        return "".join(f"{_number(part)}{sign}" for part, sign in zip(parts, "°′″", strict=False) if part)
    if macro == "numlist":
        *first, last = [_number(part.strip()) for part in arguments[0].split(";")]
        return f"{', '.join(first)} and {last}" if first else last
    count = {"num": 1, "si": 0, "unit": 0, "numrange": 2, "SIrange": 2, "qtyrange": 2}.get(macro, 1)
    unit = _unit(arguments[count]) if len(arguments) > count else ""
    if unit is None or len(arguments) < count:
        return None
    tail = unit if unit.startswith(("°", "′", "″")) and "C" not in unit else f" {unit}" if unit else ""
    return (" to ".join(f"{_number(one)}{tail}" for one in arguments[:count]) if count else unit).strip()


def _number(text: str) -> str:
    text = re.sub(r"\s+", "", text)
    power = _NUMBER.fullmatch(text)
    mantissa = _SIGN.sub(lambda sign: _SIGNS[sign[0]], power["before"] if power else text)
    if power is None:
        return mantissa
    raised = moved(power["power"].removeprefix("+"), "^")
    return f"{mantissa} × 10{raised}" if mantissa else f"10{raised}"


def _unit(text: str) -> str | None:
    r"""Return the symbols of `\milli\gram\per\kilo\gram`, "mg kg⁻¹", or of a unit that is written out."""
    found: list[list[str]] = []  # symbols, each with its power
    prefix = power = ""  # what is said of the next one
    for part in _PART.finditer(text):
        name, char = part["macro"], part["other"]
        if name in _PREFIXES:
            prefix = _PREFIXES[name]
        elif name in _BEFORE:
            power += _BEFORE[name]
        elif name in _UNITS:
            found.append([prefix + _UNITS[name], power])
            prefix = power = ""
        elif name in _AFTER or name == "tothe" or part["raised"]:
            if found:
                found[-1][1] += _AFTER.get(name) or part["raised"] or part["power"] or ""
        elif name:
            return None
        elif not char.isspace():  # of a unit that is written out: "mg/kg", "m.s^{-1}"
            if char in ".~" or not found or found[-1][1]:
                found.append(["", ""])
            found[-1][0] += char if char not in ".~" else ""
    raised = ((symbol, "-1" if power == "-" else power) for symbol, power in found if symbol)
    return " ".join(symbol + moved(power, "^") for symbol, power in raised)


_CHEMISTRY = re.compile(
    r"\^\{(?P<group>[^{}]*+)\}|\^(?P<bare>\d*[+-]?)|_\{?(?P<lowered>[^{}\s]+?)\}?(?=\W|$)"
    r"|(?P<arrow><?=?-+>|<=>|<->)|(?P<charge>(?<=[A-Za-z0-9)\]])[+-](?=[\s)\]]|$))"
    r"|(?P<macro>\\[A-Za-z]+|\$)|(?P<other>.)",
    re.DOTALL,
)
_ARROWS = {"->": "→", "<-": "←", "<->": "↔", "<=>": "⇌"}


def _formula(text: str) -> str | None:
    """Return a formula of mhchem with its charges raised; lowered numbers are plain ones."""
    printed = ""
    for part in _CHEMISTRY.finditer(text):
        if part["macro"]:
            return None
        raised = part["group"] or part["bare"] or part["charge"]
        if raised:
            printed += moved(raised, "^")
        elif part["arrow"]:
            printed += _ARROWS.get(part["arrow"], "→")
        else:
            printed += part["lowered"] or part["other"] or ""
    return printed

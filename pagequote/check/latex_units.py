r"""What siunitx and mhchem print: `\qty{37}{\degreeCelsius}` is "37 °C", `\ce{Ca^{2+}}` is "Ca²⁺".

Numbers are not grouped: "12345", where siunitx puts a thin space between thousands.
"""

import re
from dataclasses import dataclass, field

from pagequote.check.running_text import moved

UNIT_MACROS = {
    "num": "[{", "si": "[{", "unit": "[{", "SI": "[{[{", "qty": "[{{", "numrange": "[{{", "SIrange": "[{{{",
    "qtyrange": "[{{{", "numlist": "[{", "ang": "[{", "ce": "{", "cf": "{",
}  # fmt: skip
"""The macros that are read here, with their arguments as pylatexenc writes them."""

_PREFIXES = {
    "yocto": "y", "zepto": "z", "atto": "a", "femto": "f", "pico": "p", "nano": "n", "micro": "µ",
    "milli": "m", "centi": "c", "deci": "d", "deca": "da", "hecto": "h", "kilo": "k", "mega": "M",
    "giga": "G", "tera": "T", "peta": "P",
}  # fmt: skip
_UNITS = {
    "ampere": "A", "candela": "cd", "kelvin": "K", "kilogram": "kg", "gram": "g", "metre": "m", "meter": "m",
    "mole": "mol", "second": "s", "becquerel": "Bq", "celsius": "°C", "degreeCelsius": "°C", "coulomb": "C",
    "farad": "F", "gray": "Gy", "hertz": "Hz", "henry": "H", "joule": "J", "katal": "kat", "lumen": "lm",
    "lux": "lx", "newton": "N", "ohm": "Ω", "pascal": "Pa", "radian": "rad", "siemens": "S", "sievert": "Sv",
    "tesla": "T", "volt": "V", "watt": "W", "weber": "Wb", "day": "d", "hour": "h", "minute": "min",
    "degree": "°", "arcminute": "′", "arcsecond": "″", "hectare": "ha", "litre": "L", "liter": "L",
    "tonne": "t", "dalton": "Da", "electronvolt": "eV", "bar": "bar", "mmHg": "mmHg", "molar": "M",
    "percent": "%", "decibel": "dB", "angstrom": "Å", "cm": "cm", "mm": "mm", "um": "µm", "nm": "nm",
    "km": "km", "m": "m", "kg": "kg", "g": "g", "mg": "mg", "ug": "µg", "ng": "ng", "mol": "mol", "mM": "mM",
    "uM": "µM", "nM": "nM", "l": "l", "L": "L", "ml": "ml", "mL": "mL", "ul": "µl", "uL": "µL", "s": "s",
    "ms": "ms", "h": "h", "K": "K", "Hz": "Hz", "kHz": "kHz", "MHz": "MHz", "GHz": "GHz", "V": "V",
    "mV": "mV",
    "kV": "kV", "A": "A", "mA": "mA", "W": "W", "kW": "kW", "J": "J", "kJ": "kJ", "Pa": "Pa", "kPa": "kPa",
    "MPa": "MPa", "eV": "eV", "keV": "keV", "N": "N",
}  # fmt: skip
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
    unit = _Unit()
    for part in _PART.finditer(text):
        if part["macro"]:
            if not unit.macro(part["macro"], part["power"] or ""):
                return None
        elif part["raised"]:
            unit.raise_last(part["raised"])
        else:
            unit.write(part["other"])
    found = ((symbol, "-1" if power == "-" else power) for symbol, power in unit.found if symbol)
    return " ".join(symbol + moved(power, "^") for symbol, power in found)


@dataclass
class _Unit:
    """A unit as it is read: its symbols so far, each with its power, and what is said of the next one."""

    found: list[tuple[str, str]] = field(default_factory=list)
    prefix: str = ""
    power: str = ""

    def macro(self, name: str, power: str) -> bool:
        """Take a macro. Return whether it is known."""
        if name in _PREFIXES:
            self.prefix = _PREFIXES[name]
        elif name in _BEFORE:
            self.power += _BEFORE[name]
        elif name in _AFTER:
            self.raise_last(_AFTER[name])
        elif name == "tothe":
            self.raise_last(power)
        elif name in _UNITS:
            self.found.append((self.prefix + _UNITS[name], self.power))
            self.prefix = self.power = ""
        return name in _UNITS or name in _PREFIXES or name in _BEFORE or name in _AFTER or name == "tothe"

    def raise_last(self, power: str) -> None:
        """Give the last symbol a power."""
        if self.found:
            symbol, before = self.found[-1]
            self.found[-1] = symbol, before + power

    def write(self, char: str) -> None:
        """Take a character of a unit that is written out: "mg/kg", "m.s^{-1}"."""
        if char in ".~":
            self.found.append(("", ""))
        elif not char.isspace():
            if not self.found or self.found[-1][1]:
                self.found.append(("", ""))
            self.found[-1] = self.found[-1][0] + char, ""


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

"""Floors: the figures that are kept in `floors.toml`, how new figures compare with them, and how they are
raised. Nothing here measures anything.

A section is a measure: a digest of each thing that its figures are of, the commit at which it was set, and a
line a class of figures. A figure in LESS_IS_BETTER is a ceiling, any other a floor.
"""

import json
import math
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

Figures = Mapping[str, Mapping[str, float]]
"""Class of figures -> figure -> value. The figure "n" counts cases, and has no floor."""

LESS_IS_BETTER = {
    *("blessed", "answered of another paper", "faults"),
    *("modules", "lines", "executed", "statements", "calls", "bytes", "tokens"),
}

_NO_FIGURES = ("tolerance", "because")
"""What a line may hold besides floors."""

_ROUNDING = 1e-9

_HEAD = """\
# The floors of `make gate` ("Nothing falls unseen" in README.md), written by `make gate GATE=--update`.
#
# A section is a measure, a line a class. `of` has digests of what was measured, `commit` is the code that set
# it. `tolerance` is how much worse a figure may be before the gate is red: of each figure of the section, or
# of one line whose cases are drawn anew when a corpus changes (two standard errors); 0 where there is none.
# Less is better of: {ceilings}.
"""


@dataclass(frozen=True)
class Section:
    """The floors of one measure."""

    of: Mapping[str, str] = field(default_factory=dict)
    commit: str = ""
    because: str = ""
    tolerance: Mapping[str, float] = field(default_factory=dict)
    classes: Mapping[str, Mapping[str, float | str]] = field(default_factory=dict)

    def other_than(self, of: Mapping[str, str]) -> list[str]:
        """What the floors are of in another version than `of` has, or only one of both has."""
        return sorted(name for name in {*of, *self.of} if of.get(name) != self.of.get(name))


@dataclass(frozen=True)
class Comparison:
    """A figure next to its floor; None where one of both is not there."""

    name: str
    figure: str
    floor: float | None
    now: float | None
    tolerance: float = 0.0

    @property
    def gain(self) -> float:
        """How much better it is than the floor; below zero if it is worse."""
        if self.floor is None or self.now is None:
            return 0.0
        return self.floor - self.now if self.figure in LESS_IS_BETTER else self.now - self.floor

    @property
    def undercut(self) -> bool:
        """Whether it is worse than the floor allows, or was not measured."""
        return self.floor is not None and (self.now is None or self.gain < -self.tolerance - _ROUNDING)

    @property
    def rose(self) -> bool:
        """Whether it is better than the floor, or new."""
        return self.now is not None and (self.floor is None or self.gain > _ROUNDING)

    @property
    def state(self) -> str:
        """In a word: how it stands next to its floor."""
        if self.now is None:
            return "NOT MEASURED"
        if self.floor is None:
            return "new"
        within = "within tolerance" if self.gain < -_ROUNDING else "held"
        return "UNDERCUT" if self.undercut else "rose" if self.rose else within


def compared(section: Section, figures: Figures, *, may_lack_classes: bool = False) -> list[Comparison]:
    """Each floor with what was measured, then what has no floor yet.

    A class without figures is undercut, unless `may_lack_classes`: not every machine can measure each.
    """
    rows = []
    for name, line in section.classes.items():
        if may_lack_classes and name not in figures:
            continue
        for figure, floor in _floors(line):
            tolerance = float(line.get("tolerance", section.tolerance.get(figure, 0.0)))
            rows.append(Comparison(name, figure, floor, figures.get(name, {}).get(figure), tolerance))
    known = {(row.name, row.figure) for row in rows}
    for name, measured in figures.items():
        for figure, now in measured.items():
            if figure != "n" and (name, figure) not in known:
                rows.append(Comparison(name, figure, None, now))
    return rows


@dataclass(frozen=True)
class Judgement:
    """What became of a measure: its floors as they are now, each figure next to its floor, a message."""

    section: Section
    rows: Sequence[Comparison] = ()
    message: str = ""
    status: int = 0
    """0 all is well, 1 a floor is undercut, 2 the floors are of something else."""


def judged(
    section: Section,
    of: Mapping[str, str],
    figures: Figures,
    commit: str,
    *,
    update: bool = False,
    because: str = "",
    may_lack_classes: bool = False,
) -> Judgement:
    """Compare the figures with the section's floors; `update` raises these, `because` lowers them too.

    Floors of another corpus are not compared; they are replaced by `update` with `because`.
    """
    if not section.classes:
        new = _raised(replace(section, of=of), figures, compared(section, figures), commit)
        return Judgement(new, (), "set") if update else Judgement(section, (), "no floors yet: --update", 2)
    if other := section.other_than(of):
        if update and because:
            empty = replace(section, of=of, because=because, classes={})
            return Judgement(_raised(empty, figures, compared(empty, figures), commit), (), "set anew")
        message = f"floors are of another {' and '.join(other)}: not compared"
        return Judgement(section, (), message + "; they are replaced by --update --because WHY" * update, 2)
    rows = compared(section, figures, may_lack_classes=may_lack_classes)
    new = _raised(section, figures, rows, commit, because) if update else section
    left = [row for row in rows if row.undercut and (row.now is None or not (update and because))]
    if left and update and not because:
        return Judgement(new, rows, "a floor is lowered only by --because WHY", 1)
    lowered = update and because and any(row.undercut for row in rows)
    return Judgement(new, rows, f"lowered: {because}" if lowered else "", int(bool(left)))


def _raised(
    section: Section, figures: Figures, rows: Sequence[Comparison], commit: str, because: str = ""
) -> Section:
    """The section with each floor that has risen; and, with a reason, which is written next to it, each that
    is undercut. What was not measured keeps its floor.
    """
    classes = {name: dict(line) for name, line in section.classes.items()}
    lowered: dict[str, list[str]] = {}
    changed = False
    for row in rows:
        if row.now is None or not (row.rose or (row.undercut and because)):
            continue
        line = classes.setdefault(row.name, _new_line(section, figures[row.name]))
        line[row.figure] = row.now
        changed = True
        if row.undercut:
            lowered.setdefault(row.name, []).append(f"{row.figure} was {shown(row.floor)}")
    for name, figures_before in lowered.items():
        note = f"{commit}: {', '.join(figures_before)}: {because}"
        classes[name]["because"] = "; ".join(filter(None, [str(classes[name].get("because", "")), note]))
    return replace(section, classes=classes, commit=commit) if changed else section


def _new_line(section: Section, measured: Mapping[str, float]) -> dict[str, float | str]:
    """A line for cases that are drawn anew, which say how many they are, has a tolerance of its own."""
    if "n" not in measured or section.tolerance:
        return {}
    tolerance = max(_two_standard_errors(figure, measured) for figure in measured if figure != "n")
    return {"tolerance": tolerance} if tolerance else {}


def _two_standard_errors(figure: str, measured: Mapping[str, float]) -> float:
    """For a count of `n` cases, or a share of them; nothing for a count of 0, which must stay."""
    n, value = measured["n"], measured[figure]
    if figure in LESS_IS_BETTER:
        return round(2 * math.sqrt(value * (1 - value / n)))
    likely = (value * n + 1) / (n + 2)  # so that a share of 1 in a few cases is not taken for certain
    return round(2 * math.sqrt(likely * (1 - likely) / n), 4)


def _floors(line: Mapping[str, float | str]) -> Iterator[tuple[str, float]]:
    return ((figure, float(floor)) for figure, floor in line.items() if figure not in _NO_FIGURES)


def read_floors(path: Path) -> dict[str, dict[str, Section]]:
    """Part ("whole" or "tenth") -> measure -> its section; nothing where there is no file."""
    if not path.exists():
        return {}
    parts = tomllib.loads(path.read_text(encoding="utf-8"))
    return {
        part: {measure: Section(**section) for measure, section in sections.items()}
        for part, sections in parts.items()
    }


def written_floors(parts: Mapping[str, Mapping[str, Section]]) -> str:
    """The file's text, which `read_floors` reads."""
    lines = [_HEAD.format(ceilings=", ".join(sorted(LESS_IS_BETTER)))]
    for part, sections in parts.items():
        for measure, section in sections.items():
            lines.append(f"[{part}.{_key(measure)}]")
            lines += [f"of = {_table(section.of)}", f"commit = {json.dumps(section.commit)}"]
            lines += [f"because = {json.dumps(section.because)}"] if section.because else []
            lines += [f"tolerance = {_table(section.tolerance)}"] if section.tolerance else []
            lines += [f"\n[{part}.{_key(measure)}.classes]"]
            lines += [f"{_key(name)} = {_table(line)}" for name, line in section.classes.items()]
            lines.append("")
    return "\n".join(lines)


def _table(values: Mapping[str, Any]) -> str:
    cells = [
        f"{_key(name)} = {json.dumps(value, ensure_ascii=False) if isinstance(value, str) else shown(value)}"
        for name, value in values.items()
    ]
    return "{ " + ", ".join(cells) + " }" if cells else "{}"


def _key(name: str) -> str:
    plain = name.isascii() and name.replace("-", "").replace("_", "").isalnum()
    return name if plain else json.dumps(name, ensure_ascii=False)


def shown(value: float | None) -> str:
    return "-" if value is None else f"{value:.4f}".rstrip("0").rstrip(".")

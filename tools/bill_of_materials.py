"""Writes what PageQuote runs with: the bill of materials of the wheel (CycloneDX), and the page of licences.

`make bill` runs it after `make lock`. It reads this environment, which has the locked versions, and nothing
else; the same environment gives the same bytes.
"""

import json
import re
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import Any

from packaging.licenses import InvalidLicenseExpression, canonicalize_license_expression
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

_ROOT = Path(__file__).resolve().parents[1]
_PROJECT = tomllib.loads((_ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

BILL = _ROOT / "tools" / "pagequote.cdx.json"
PAGE = _ROOT / "docs" / "reference" / "licences.md"

_EXTRAS = ("pipeline", "serve", "mcp", "s3", "explore")
"""The extras that people install; `all` and `dev` are made of them, and of what tests need."""

_SPDX = {"MIT License": "MIT", "Apache Software License": "Apache-2.0"}
"""The identifiers of licences that packages name by a classifier alone."""

_LONGEST_NAME = 70
"""Characters of a licence's name: some packages have its whole text there."""


@dataclass(frozen=True)
class Package:
    """An installed package, with the extras of it that are asked for."""

    name: str
    extras: frozenset[str]

    @cached_property
    def _installed(self) -> Distribution:
        return distribution(self.name)

    @property
    def version(self) -> str:
        """Return its version."""
        return self._installed.version

    @cached_property
    def licence(self) -> str:
        """Return the licence that the package states, as an SPDX expression where it is one."""
        stated = self._installed.metadata
        named = next((one for one in ("License-Expression", "License") if one in stated), "")
        field = stated[named].partition("\n")[0] if named else ""
        classifier = next(
            (one.rpartition(" :: ")[2] for one in stated.get_all("Classifier", []) if "License ::" in one), ""
        )
        try:
            return canonicalize_license_expression(field)
        except InvalidLicenseExpression:
            return _SPDX.get(classifier, classifier) or field[:_LONGEST_NAME] or "not stated"

    def needed(self) -> Iterator["Package"]:
        """Yield the packages that it needs in this environment."""
        yield from _packages(self._installed.requires or (), self.extras)


def _packages(requirements: Any, extras: frozenset[str]) -> Iterator[Package]:
    for requirement in map(Requirement, requirements):
        marker = requirement.marker
        if marker is None or any(marker.evaluate({"extra": extra}) for extra in extras | {""}):
            yield Package(canonicalize_name(requirement.name), frozenset(requirement.extras))


def closure(requirements: list[str]) -> dict[str, set[Package]]:
    """Return all packages that these need, by name, each once for each choice of its extras."""
    found: dict[str, set[Package]] = {}
    waiting = list(_packages(requirements, frozenset()))
    while waiting:
        package = waiting.pop()
        if package.name == "pagequote" or package in found.setdefault(package.name, set()):
            continue
        found[package.name].add(package)
        waiting += package.needed()
    return dict(sorted(found.items()))


def _by_extra() -> dict[str, dict[str, set[Package]]]:
    """Return the packages of the project alone, "", and of each extra; extras of ours within extras count."""
    optional = _PROJECT["optional-dependencies"]

    def opened(extra: str) -> list[str]:
        own = [
            name.strip()
            for one in optional[extra]
            if (inner := re.fullmatch(r"pagequote\[(.*)\]", one))
            for name in inner[1].split(",")
        ]
        return [one for one in optional[extra] if not one.startswith("pagequote[")] + [
            one for name in own for one in opened(name)
        ]

    return {"": closure(_PROJECT["dependencies"])} | {extra: closure(opened(extra)) for extra in _EXTRAS}


def bill() -> str:
    """Return the bill of materials, CycloneDX 1.6, without a time or a number of its own."""
    packages: dict[str, set[Package]] = {}
    for found in _by_extra().values():
        for name, ones in found.items():
            packages.setdefault(name, set()).update(ones)
    purls = {name: f"pkg:pypi/{name}@{min(ones, key=str).version}" for name, ones in packages.items()}
    own = f"pkg:pypi/{_PROJECT['name']}@{_PROJECT['version']}"
    needs = {
        purls[name]: sorted(
            {purls[one.name] for package in ones for one in package.needed() if one.name in purls}
        )
        for name, ones in packages.items()
    }
    direct = sorted({purls[name] for name in packages if any(name in roots for roots in _direct())})
    document = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "component": {
                "type": "application",
                "bom-ref": own,
                "name": _PROJECT["name"],
                "version": _PROJECT["version"],
                "purl": own,
                "licenses": [{"license": {"id": _PROJECT["license"]}}],
            }
        },
        "components": [
            {
                "type": "library",
                "bom-ref": purls[name],
                "name": name,
                "version": min(ones, key=str).version,
                "purl": purls[name],
                **_licences(min(ones, key=str).licence),
            }
            for name, ones in sorted(packages.items())
        ],
        "dependencies": [
            {"ref": ref, "dependsOn": needed} for ref, needed in sorted({own: direct, **needs}.items())
        ],
    }
    return json.dumps(document, indent=1, ensure_ascii=False) + "\n"


def _direct() -> Iterator[set[str]]:
    """Yield the names that the project itself asks for, by extra."""
    for requirements in (
        _PROJECT["dependencies"],
        *(_PROJECT["optional-dependencies"][one] for one in _EXTRAS),
    ):
        yield {package.name for package in _packages(requirements, frozenset())}


def _licences(stated: str) -> dict[str, Any]:
    if stated == "not stated":
        return {}
    try:
        return {"licenses": [{"expression": canonicalize_license_expression(stated)}]}
    except InvalidLicenseExpression:
        return {"licenses": [{"license": {"name": stated}}]}


def page() -> str:
    """Return the page of licences."""
    by_extra = _by_extra()
    names = sorted({name for found in by_extra.values() for name in found})
    rows = []
    for name in names:
        ones = [min(found[name], key=str) for found in by_extra.values() if name in found]
        inside = "all" if name in by_extra[""] else ", ".join(one for one in _EXTRAS if name in by_extra[one])
        rows.append(f"| {name} | {ones[0].version} | {ones[0].licence} | {inside} |")
    return "\n".join([_HEAD, *rows, ""])


_HEAD = """\
# Licences

PageQuote is under the Apache License 2.0, and its wheel holds no code of others. This is what `pip` installs
beside it: each package in the version that the tests run with, the licence that the package states, and the
extras that bring it ("all": every install has it). [Licences](../explanation/licences.md) says what the AGPL
of PyMuPDF means for you. The same list is in the wheel, as CycloneDX:
`pagequote-*.dist-info/sboms/pagequote.cdx.json`. `make bill` writes both; a test holds them to what is
installed on Linux with Python 3.11.

| package | version | licence | extras |
| --- | --- | --- | --- |"""


def main() -> None:
    """Write both files."""
    BILL.write_text(bill(), encoding="utf-8")
    PAGE.write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()

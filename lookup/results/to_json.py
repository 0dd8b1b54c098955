"""Answers as JSON."""

import json
from dataclasses import asdict
from typing import Any, cast

from lookup.text.printable import json_text


class AsDict:
    """A frozen dataclass that can be written as JSON."""

    def to_dict(self) -> dict[str, Any]:
        """Return all fields, as JSON has them."""
        fields: dict[str, Any] = json.loads(json.dumps(asdict(cast("Any", self))))
        return fields


class AsJson(AsDict):
    """The same, for an answer that is often written by itself."""

    def to_json(self, indent: int | None = None) -> str:
        """Return `to_dict` as JSON; text stays readable, and what could act on a terminal is escaped."""
        return json_text(self.to_dict(), indent)

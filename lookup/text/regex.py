"""Regular expressions that are compiled when they are first used: of some ninety a quote needs fifteen."""

import re
from typing import Any, cast


def regex(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Return what behaves as the compiled pattern, which it becomes method by method."""
    return cast("re.Pattern[str]", _Regex(pattern, flags))


class _Regex:
    def __init__(self, pattern: str, flags: int) -> None:
        self._given = pattern, flags

    def __getattr__(self, name: str) -> Any:
        method = getattr(re.compile(*self._given), name)
        setattr(self, name, method)  # found without this method from now on
        return method

"""Text that can be printed anywhere: it moves no cursor, starts no command, turns no words round."""

import json
from collections.abc import Callable
from typing import Any

from lookup.text.regex import regex

_TURNS = "\u202a-\u202e\u2066-\u2069"
"""The signs that turn the direction of text round, in which a name can hide what it is ("Trojan Source")."""

_ACTS = regex(f"[{_TURNS}]|(\r(?!\n)|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff])")
"""What acts, rather than being shown; in the group what is replaced and not only left out."""


_COMMAND = regex(r"##(?=(?:vso)?\[)")  # GitHub's "##[error]", Azure's "##vso[task...]"


def printable(text: str) -> str:
    """Return `text` without what acts on a terminal, a log or a page: each sign becomes U+FFFD, or nothing.

    Those are control characters (escape sequences begin with one) but for tabs and ends of lines, the signs
    that turn text round, line separators, and halves of characters.
    """
    return _ACTS.sub(lambda found: "\ufffd" if found[1] else "", text)


def in_a_log(text: str) -> str:
    """Return `printable` text in which "##[" is "# #[": runners of CI take that for a command in any line."""
    return _COMMAND.sub("# #", printable(text))


def on_one_line(text: str) -> str:
    """Return `printable` text on one line: no part of it can begin a line of its own."""
    return " ".join(printable(text).splitlines())


def harmless(value: Any) -> Any:
    """Return what a template shows: text as `printable` gives it, and anything else as it is."""
    return printable(value) if type(value) is str else value  # markup is a str of another type


def json_text(value: Any, indent: int | None = None, default: Callable[[Any], Any] | None = None) -> str:
    """Return `value` as JSON in which all text is readable, and what acts is escaped: nothing is lost."""
    written = json.dumps(value, ensure_ascii=False, indent=indent, default=default)
    written = _ACTS.sub(lambda found: f"\\u{ord(found[0]):04x}", written)
    return _COMMAND.sub(r"#\\u0023", written)  # it can stand in a string alone

"""Many quotes at once, from a file or standard input."""

import json
from pathlib import Path
from typing import Any, NamedTuple

import click

from lookup.errors import QueryError
from lookup.limits import PageName
from pagequote.cli import options

batch_option = options.option(
    "--batch",
    "Many quotes instead of KEY and WORDS, one a line: KEY, tab, WORDS, and optionally tab, page; "
    'or JSON lines. "-" is standard input.',
    click.Path(path_type=Path, allow_dash=True),
    metavar="FILE",
)


class Quote(NamedTuple):
    """A key, words, and the page that is cited for them, counted or as printed; 0 for none."""

    key: str
    words: str
    page: PageName


def read_batch(source: Path) -> list[Quote]:
    """Return the quotes of `source`. Raise QueryError with the line that cannot be read."""
    if str(source) == "-":
        text = options.standard_input()
    else:
        try:
            text = source.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise QueryError(f"The batch {str(source)!r} cannot be read: {error}.") from error
    quotes = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                quotes.append(_from_json(line) if line.lstrip().startswith("{") else _from_tabs(line))
            except ValueError as error:
                raise QueryError(
                    f"Line {number} of the batch is neither KEY, tab, WORDS (and tab, page) nor "
                    f'{{"key": ..., "words": ..., "page": ...}}: {error}.'
                ) from error
    return quotes


def key_or_words(key: str | None, words: str | None, batch: Path | None) -> tuple[str | None, str | None]:
    """Return KEY and WORDS; "" and WORDS where these alone are given: a key has no spaces.

    Raise UsageError unless either they or a batch is given.
    """
    if batch is not None and key is not None:
        raise click.UsageError("--batch takes the place of KEY and WORDS.")
    if batch is None and (key is None or (words is None and " " not in key and key.isascii())):
        raise click.UsageError(f"Missing argument '{'KEY' if key is None else 'WORDS'}'.")
    return (key, words) if words is not None or batch is not None else ("", options.words_given(key or ""))


def _from_tabs(line: str) -> Quote:
    fields = [field.strip() for field in line.rstrip("\r").split("\t")]
    if not 2 <= len(fields) <= 3:
        raise ValueError(f"it has {len(fields)} field{'' if len(fields) == 1 else 's'}")
    return Quote(fields[0], fields[1], options.page_name(fields[2]) if fields[2:] and fields[2] else 0)


def _from_json(line: str) -> Quote:
    fields: Any = json.loads(line)
    if unknown := sorted(set(fields) - {"key", "words", "page"}):
        raise ValueError(f"it has {', '.join(unknown)}")
    quote = Quote(fields.get("key"), fields.get("words"), fields.get("page") or 0)
    if not all(map(isinstance, quote, (str, str, int | str))):
        raise ValueError("key and words are text, page is a number or what is printed on the page")
    return quote

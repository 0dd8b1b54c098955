"""The errors of PageQuote: each message says what is wrong, with which input, and what to do."""

import copyreg
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

StepKind = Literal[
    "get_page", "list_papers", "search", "build", "build_with_model", "get_model", "get_other_model"
]


@dataclass(frozen=True)
class NextStep:
    """The step after an answer or an error: read `page` of the paper `key`, build the corpus at `path`, ...

    "get_page", "list_papers" and "search" are names of calls (`pagequote.calls`). `also` is the kind of a
    second step.
    """

    kind: StepKind
    key: str = ""
    page: int = 0
    path: str = ""
    also: StepKind | None = None


class PageQuoteError(Exception):
    """Any error of PageQuote. Its text names no command: each face words `next_step` in its own terms."""

    next_step: NextStep | None = None

    def __init__(self, *args: object, next_step: NextStep | None = None) -> None:
        super().__init__(*args)
        self.next_step = next_step

    def __reduce__(self) -> tuple[Any, ...]:
        """Pickle it as it is: its class may take other arguments than the text."""
        return copyreg.__newobj__, (type(self), *self.args), vars(self)  # type: ignore[attr-defined]


class CorpusNotFoundError(PageQuoteError):
    """The path holds no published corpus."""


class ClosedCorpusError(PageQuoteError):
    """The corpus was closed, perhaps by another thread."""


class CorpusVersionError(PageQuoteError):
    """The release was written for another folding or layout than this code reads."""


class UnknownKeyError(PageQuoteError):
    """No paper of the corpus has this key."""

    def __init__(self, key: str, closest: Iterable[str] = (), detail: str = "") -> None:
        self.key = key
        self.closest = tuple(closest)
        meant = " or ".join(repr(other) for other in self.closest)
        step = f"Did you mean {meant}?" if meant else "List the papers to see their keys."
        super().__init__(
            " ".join(filter(None, [f"No paper has the key {key!r}.", detail, step])),
            next_step=None if meant else NextStep("list_papers"),
        )


class PageNotFoundError(PageQuoteError):
    """The paper has no such page."""


class QueryError(PageQuoteError):
    """A query, or an argument of a call, makes no sense."""


class SourceError(PageQuoteError):
    """A source cannot be used."""


class ModelError(PageQuoteError):
    """A model is missing, damaged, or not the one that made the vectors."""


class SearchError(PageQuoteError):
    """The release has no index of words, or the package that reads it is not installed."""


class DamagedError(PageQuoteError):
    """A file of the release is not what was published, or cannot be read."""


class StorageError(PageQuoteError):
    """Object storage cannot be used, or not for this."""


class BusyError(PageQuoteError):
    """The machine had too little processor time for it: the same call may be answered in a moment."""


class BuildError(PageQuoteError):
    """A build stopped before anything was published; the current release is untouched."""


class LockedError(BuildError):
    """Another process is building the same corpus."""

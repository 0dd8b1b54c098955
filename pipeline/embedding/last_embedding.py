"""Remembers the model of the last embedding in a work folder: the next release holds its vectors."""

from dataclasses import asdict, dataclass
from pathlib import Path

from lookup.errors import BuildError
from lookup.storage.untrusted_files import MOST_JSON, read_file, read_json
from pipeline.embedding.vector_cache import VectorCache
from pipeline.files.atomic import write_json

_FILE = "vectors.json"


@dataclass(frozen=True)
class Embedding:
    """The work of the embedding stage: sentences with vectors, new texts among them, tokens of these.

    Without a model there are no vectors.
    """

    model: str | None = None
    sentences: int = 0
    new: int = 0
    tokens: int = 0
    seconds: float = 0.0
    lacking: int = 0
    """Different texts without a vector, since the model was not there."""


@dataclass(frozen=True)
class LastModel:
    """The model whose vectors the next release holds, by its id; without one it holds none.

    `terms` is the id of the sparse model whose words are in its index, and `vectors` the number of sentences
    that had vectors. `lacking` is a hash of the texts that have none, '' where all have.
    """

    model: str | None
    dimensions: int | None = None
    terms: str | None = None
    vectors: int = 0
    lacking: str = ""

    def keep(self, work: Path) -> None:
        """Have the next release of `work` hold this."""
        write_json(work / _FILE, asdict(self), work)

    def cache(self, work: Path) -> VectorCache | None:
        """Return the vectors of the model; None without one."""
        if not (self.model and self.dimensions):
            return None
        return VectorCache(work, self.model, self.dimensions, mend=False)


def last_model(work: Path) -> LastModel:
    """Return what the last embedding in `work` kept. Raise BuildError where that is damaged.

    A release without vectors would be the silent alternative.
    """
    try:
        last = LastModel(**read_json(read_file(work / _FILE, MOST_JSON)))
    except FileNotFoundError:
        return LastModel(None)
    except (OSError, ValueError, TypeError) as error:
        raise _damaged(work, str(error)) from error
    if not isinstance(last.model, str | None):
        raise _damaged(work, "it names no model")
    if last.model and not isinstance(last.dimensions, int):
        raise _damaged(work, "it has no dimensions")
    return last if last.model else LastModel(None)


def _damaged(work: Path, why: str) -> BuildError:
    return BuildError(
        f"{str(work / _FILE)!r} is none that `pagequote embed` wrote ({why}). Remove it, and build again: "
        "vectors that are there are not made again."
    )

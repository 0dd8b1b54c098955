"""Pools the vectors of a text's tokens to one vector of length 1, inside the ONNX graph."""

import onnx
from onnx import TensorProto, helper

POOLINGS = ("mean", "cls")
"""Mean of the tokens, or the first token. (Reimers and Gurevych, "Sentence-BERT", EMNLP 2019, section 3.)"""

VECTORS = "sentence_embedding"
"""The only output of a graph that pools."""


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

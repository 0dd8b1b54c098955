"""Installs a model: its files, and its ONNX graph.

`install` takes it from `model_sources`, reads how `sentence_transformers` uses it, and makes its `bert_graph`
with `pooling`.
"""

"""Installs a model: its files, and its ONNX graph.

`install` takes it from `model_sources`, reads its use by `sentence_transformers`, and makes its `bert_graph`.
"""

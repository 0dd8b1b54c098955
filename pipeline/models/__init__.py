"""Getting a model: its files, and its ONNX graph."""

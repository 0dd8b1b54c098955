"""The extra of the package that installs a missing module."""

_EXTRAS = {
    "check": ("markdown_it", "pylatexenc"),
    "highlight": ("pikepdf",),
    "lsp": ("lsprotocol", "markdown_it", "pygls", "pylatexenc"),
    "mcp": ("anyio", "mcp", "pebble"),
    "search": ("tantivy",),
    "semantic": ("numpy", "onnxruntime", "tokenizers"),
    "s3": ("fsspec", "obstore"),
    "ray": ("ray",),
    "model": ("numpy", "onnx", "safetensors"),
    "code": ("tree_sitter",),
    "pipeline": (
        "bibtexparser", "jinja2", "lxml", "numpy", "pebble", "pipeline", "pyarrow", "pymupdf",
        "spellchecker", "tantivy", "tqdm",
    ),
    "explore": ("polars", "pyarrow"),
    "web": ("jinja2", "multipart", "pebble", "pymupdf", "python_multipart", "starlette", "uvicorn"),
}  # fmt: skip
"""The modules of each extra, by the names under which they are imported."""


def extra_of(module: str, likely: str = "") -> str:
    """Return the extra that installs `module` (`likely` if several do), or ''."""
    top = module.partition(".")[0]
    having = [
        extra
        for extra, modules in _EXTRAS.items()
        if any(top == one or top.startswith(f"{one}_") for one in modules)
    ]
    return likely if likely in having else next(iter(having), "")

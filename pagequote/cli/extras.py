"""How to install a missing module, in the way in which this command was installed."""

import os
import re
import sys
from importlib.util import find_spec
from pathlib import Path

_OF_ONE_WAY_IN = {"anyio": "mcp", "mcp": "mcp", "fsspec": "s3", "obstore": "s3"}
"""The modules of the extras for one purpose, by the names under which they are imported."""

_OF_SERVERS = frozenset({
    "jinja2", "markdown_it", "multipart", "numpy", "onnxruntime", "pebble", "pylatexenc", "pymupdf",
    "python_multipart", "starlette", "tokenizers", "uvicorn",
})  # fmt: skip
"""Those of the extra `serve`, all of which `pipeline` brings as well."""

_OF_DESKS = frozenset({
    "bibtexparser", "lsprotocol", "lxml", "onnx", "pikepdf", "pipeline", "pyarrow", "pygls", "safetensors",
    "spellchecker", "tqdm", "tree_sitter",
})  # fmt: skip

_HINT = re.compile(r"pip install '(?=pagequote\[)")


def extra_of(module: str, likely: str = "") -> str:
    """Return the extra that installs `module` (`likely` if several do), or ''."""
    top = module.partition(".")[0]
    if top in _OF_ONE_WAY_IN or (top == "pebble" and likely == "mcp"):
        return _OF_ONE_WAY_IN.get(top, likely)
    if top in _OF_SERVERS:
        return likely if likely == "serve" else "pipeline"
    return "pipeline" if top in _OF_DESKS or top.startswith("tree_sitter_") else ""


def fitted(text: str) -> str:
    """Return a message in which hints of what to install fit pipx, uv, or an environment without pip."""
    prefix = Path(sys.prefix)
    if (prefix / "pipx_metadata.json").exists():
        way = "pipx install --force '"
    elif (prefix / "uv-receipt.toml").exists():
        way = "uv tool install '"
    elif find_spec("pip") is None:
        way = f"uv pip install --python {sys.executable} '"
    elif os.environ.get("VIRTUAL_ENV") == sys.prefix:
        way = "pip install '"
    else:  # `pip` alone may be another one's
        way = f"{sys.executable} -m pip install '"
    return _HINT.sub(lambda _: way, text)

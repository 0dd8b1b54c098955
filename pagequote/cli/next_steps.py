"""The next step of an answer or an error as a command."""

import json
import os
import re
import sys
from importlib.metadata import distribution
from importlib.util import find_spec
from pathlib import Path
from shlex import quote
from urllib.parse import unquote, urlsplit

from lookup.errors import NextStep, PageQuoteError
from pagequote.cli.printing import one_message

_COMMANDS = {
    "get_page": "pagequote read {key} --page {page}",
    "list_papers": "pagequote papers",
    "search": "pagequote search 'WORDS'",
    "build": "pagequote build FOLDER-OF-PDFS --corpus {path}",
    "build_with_model": "pagequote model get --if-missing && pagequote build SOURCES",
    "get_model": "pagequote model get",
    "get_other_model": "pagequote model get SOURCE",
}


def with_command(text: str, step: NextStep | None, named: str = "") -> str:
    """`text`, and the commands that take the step, for the paper as the user `named` it: by its PDF, say.

    A PDF on standard input ("-") is read once: no command can read it again.
    """
    if step is None or named == "-":
        return text
    fields = {"key": quote(named or step.key), "page": step.page, "path": quote(step.path)}
    commands = (f"`{_COMMANDS[kind].format_map(fields)}`" for kind in (step.kind, step.also) if kind)
    return f"{text} Run {', or '.join(commands)}."


def error_text(error: PageQuoteError) -> str:
    """Return what a terminal shows of an error."""
    return with_install_command(f"pagequote: {with_command(one_message(str(error)), error.next_step)}")


_MODULES_OF_EXTRA = {
    "mcp": "anyio mcp",
    "s3": "fsspec obstore",
    "serve": "jinja2 markdown_it multipart numpy onnxruntime pylatexenc pymupdf python_multipart"
    " starlette tokenizers uvicorn",
    "explore": "polars pyarrow",
    "pipeline": "bibtexparser lsprotocol lxml onnx pipeline pygls safetensors spellchecker tqdm",
}
"""The modules of each extra, by the names under which they are imported; `pipeline` brings the last three."""

_EXTRA_OF = {module: extra for extra, modules in _MODULES_OF_EXTRA.items() for module in modules.split()}

_HINT = re.compile(r"pip install 'pagequote(\[\w+\])'")


def extra_of(module: str, likely: str = "") -> str:
    """Return the extra that installs `module` (`likely` if several do), or ''."""
    found = _EXTRA_OF.get(module.partition(".")[0], "")
    return found if found in ("", "mcp", "s3", likely) else "pipeline"


def with_install_command(text: str) -> str:
    """Return a message in which hints of what to install fit how this was installed, and from where."""
    prefix = Path(sys.prefix)
    if (prefix / "pipx_metadata.json").exists():
        way = "pipx install --force"
    elif (prefix / "uv-receipt.toml").exists():
        way = "uv tool install"
    elif find_spec("pip") is None:
        way = f"uv pip install --python {sys.executable}"
    elif os.environ.get("VIRTUAL_ENV") == sys.prefix:
        way = "pip install"
    else:  # `pip` alone may be another one's
        way = f"{sys.executable} -m pip install"
    # Both of these replace what is there, with its extras.
    kept = way.startswith(("pipx", "uv tool")) and find_spec("pyarrow") is not None
    return _HINT.sub(lambda hint: f"{way} {installed_from('[all]' if kept else hint[1])}", text)


def installed_from(extras: str) -> str:
    """Return the package with extras, by the folder or wheel that it is from: no index may have it."""
    said = json.loads(distribution("pagequote").read_text("direct_url.json") or "{}")
    address = urlsplit(said.get("url", ""))
    place = unquote(address.path) if address.scheme == "file" else ""
    if not Path(place or "gone").exists():
        return quote(f"pagequote{extras}")
    return ("--editable " if said.get("dir_info", {}).get("editable") else "") + quote(f"{place}{extras}")

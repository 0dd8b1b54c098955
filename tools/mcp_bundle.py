"""Writes the MCP bundle (.mcpb), which desktop clients install by a click: dist/pagequote.mcpb.

It holds this project as source; the client's own uv installs what it needs, and runs it.
"""

import json
import tomllib
import zipfile
from pathlib import Path
from typing import Any

from pagequote.mcp.server import PROMPTS
from pagequote.mcp.tools import TOOLS

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

_EXTRAS = ("mcp", "pipeline")
"""What agents need: the SDK, and what searches and draws pages."""

_HELD = ("lookup", "objectstore", "pagequote", "pipeline", "retrieval")
_FILES = ("pyproject.toml", "README.md", "LICENSE", "tools/pagequote.cdx.json")

_BORN = (1980, 1, 1, 0, 0, 0)
"""The time of each file, so that the same tree gives the same bundle: the first that a zip can hold."""


def manifest() -> dict[str, Any]:
    """Return the manifest, in version 0.4 of its specification."""
    extras = [part for extra in _EXTRAS for part in ("--extra", extra)]
    return {
        "manifest_version": "0.4",
        "name": PROJECT["name"],
        "display_name": "PageQuote",
        "version": PROJECT["version"],
        "description": PROJECT["description"],
        "author": {"name": PROJECT["authors"][0]["name"]},
        "license": PROJECT["license"],
        "server": {
            "type": "uv",
            "entry_point": "pagequote/__main__.py",
            "mcp_config": {
                "command": "uv",
                "args": [
                    "run",
                    "--no-dev",
                    "--directory",
                    "${__dirname}",
                    *extras,
                    "pagequote",
                    "mcp",
                    "--corpus",
                    "${user_config.corpus}",
                ],
            },
        },
        "user_config": {
            "corpus": {
                "type": "directory",
                "title": "Corpus",
                "description": "The folder that `pagequote build` made of your PDFs.",
                "required": True,
            }
        },
        "compatibility": {
            "platforms": ["darwin", "linux"],
            "runtimes": {"python": PROJECT["requires-python"]},
        },
        "tools": [{"name": tool.name, "description": tool.title} for tool in TOOLS],
        "prompts_generated": bool(PROMPTS),
    }


def write(bundle: Path) -> None:
    """Write the bundle. The same tree gives the same bytes."""
    bundle.parent.mkdir(parents=True, exist_ok=True)
    sources = [path for folder in _HELD for path in (ROOT / folder).rglob("*") if path.suffix != ".pyc"]
    files = sorted(path for path in [*sources, *(ROOT / name for name in _FILES)] if path.is_file())
    with zipfile.ZipFile(bundle, "w") as opened:
        _add(opened, "manifest.json", json.dumps(manifest(), indent=2).encode())
        for path in files:
            _add(opened, path.relative_to(ROOT).as_posix(), path.read_bytes())


def _add(bundle: zipfile.ZipFile, name: str, content: bytes) -> None:
    bundle.writestr(zipfile.ZipInfo(name, _BORN), content, zipfile.ZIP_DEFLATED)


if __name__ == "__main__":
    write(ROOT / "dist" / "pagequote.mcpb")

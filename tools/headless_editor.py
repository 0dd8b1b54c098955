"""Installs VS Code's own server from npm, without a window, to try the extension in.

Usage: python tools/headless_editor.py FOLDER. It takes a minute, npm, a C++ compiler and 500 MB.
"""

import json
import subprocess
import sys
from pathlib import Path

VERSION = "4.96.4"
"""Of code-server, which is VS Code 1.96 for browsers; the last of which Node 20 is enough."""

_LEFT_OUT = ("@vscode/windows-process-tree", "@vscode/windows-registry", "kerberos")
"""Packages that no test needs, and that npm would fetch from elsewhere."""

_NATIVE = ("node-pty", "@vscode/spdlog", "native-watchdog", "@parcel/watcher")


def install(folder: Path) -> Path:
    """Install it in a folder, unless it is there; return the program that node runs."""
    server = folder / "node_modules" / "code-server"
    done = server / ".installed"
    if not done.exists():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "package.json").write_text("{}")
        _npm(folder, "install", f"code-server@{VERSION}", "--ignore-scripts")
        _npm(server, "install", "--ignore-scripts", "--omit=dev")
        _npm(server, "rebuild", "argon2")
        editor = server / "lib" / "vscode"
        (editor / "npm-shrinkwrap.json").unlink(missing_ok=True)
        about = json.loads((editor / "package.json").read_bytes())
        wanted = {name: version for name, version in about["dependencies"].items() if name not in _LEFT_OUT}
        (editor / "package.json").write_text(json.dumps({"dependencies": wanted}))
        _npm(editor, "install", "--ignore-scripts", "--omit=dev", "--legacy-peer-deps")
        (editor / "package.json").write_text(json.dumps({**about, "dependencies": wanted}))
        _npm(editor, "rebuild", *_NATIVE)
        done.touch()
    return server / "out" / "node" / "entry.js"


def _npm(folder: Path, *arguments: str) -> None:
    quiet = ("--no-audit", "--no-fund", "--loglevel=error")
    subprocess.run(["npm", *arguments, *quiet], cwd=folder, check=True)  # noqa: S603, S607  # npm of this machine


if __name__ == "__main__":
    try:
        sys.stdout.write(f"{install(Path(sys.argv[1]).absolute())}\n")
    except (OSError, subprocess.CalledProcessError) as error:
        sys.exit(f"The editor cannot be installed: {error}. It needs npm and the registry of npm.")

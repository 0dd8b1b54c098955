"""Programs that show a PDF, and their arguments for a page."""

import os
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from lookup.errors import QueryError, SourceError, StorageError
from lookup.results.papers import Original
from lookup.storage.object_path import ObjectPath
from lookup.text.printable import on_one_line

VARIABLE = "PAGEQUOTE_VIEWER"
"""The environment variable with the viewer: a known program, or a command with {path} and {page}."""

_PAGES: Mapping[str, tuple[str, ...]] = {
    "evince": ("--page-index={page}", "{path}"),
    "papers": ("--page-index={page}", "{path}"),
    "atril": ("--page-index={page}", "{path}"),
    "xreader": ("--page-index={page}", "{path}"),
    "okular": ("--page", "{page}", "{path}"),
    "zathura": ("--page={page}", "{path}"),
    "sioyek": ("--page", "{page}", "{path}"),
    "mupdf": ("{path}", "{page}"),
    "qpdfview": ("{path}#{page}",),
    "SumatraPDF": ("-page", "{page}", "{path}"),
    "chromium": ("{uri}#page={page}",),
    "google-chrome": ("{uri}#page={page}",),
    "firefox": ("{uri}#page={page}",),
}
"""Arguments of the viewers that can open a page, those of desktops first."""


def viewing(path: Path, page: int) -> list[str]:
    """Return the command that shows `page`: that of $PAGEQUOTE_VIEWER, else the first installed viewer.

    On macOS that is Preview, which ignores the page. Without a known viewer, it is the system's default for
    PDFs. Raise QueryError if there is none.
    """
    if named := os.environ.get(VARIABLE):
        return _named(named, path, page)
    if sys.platform == "darwin":
        return ["open", str(path)]
    for name, arguments in _PAGES.items():
        if found := shutil.which(name):
            return [found, *_filled(arguments, path, page)]
    if sys.platform == "win32":
        return ["cmd", "/c", "start", "", str(path)]
    if opener := shutil.which("xdg-open") or shutil.which("gio"):
        return [opener, *(["open"] if opener.endswith("gio") else []), str(path)]
    raise QueryError(f"No PDF viewer is installed. Name one, such as {VARIABLE}='evince', or use --print.")


def on_this_machine(pdf: Original) -> Path:
    """Return where a paper's PDF is. Raise StorageError if no viewer can open it there."""
    if isinstance(pdf.place, ObjectPath):
        raise StorageError(
            f"The PDF of {pdf.key!r} is in object storage, at {pdf.path!r}. Fetch it, and open the copy."
        )
    return pdf.place


def run_apart(command: list[str]) -> None:
    """Run a viewer in the background, without output; it outlives this process. Raise SourceError."""
    try:
        if not hasattr(os, "posix_spawnp"):  # Windows
            nothing = subprocess.DEVNULL
            subprocess.Popen(command, stdin=nothing, stdout=nothing, stderr=nothing)  # noqa: S603  # the viewer
            return
        streams = [(os.POSIX_SPAWN_OPEN, number, os.devnull, os.O_RDWR, 0) for number in range(3)]
        os.posix_spawnp(command[0], command, os.environ, file_actions=streams, setpgroup=0)
    except OSError as error:
        raise SourceError(
            f"{command[0]!r} cannot be run ({error.strerror}). Set {VARIABLE} to another program."
        ) from error


def in_shell(argument: str) -> str:
    """Return an argument as a shell reads it, on one line: what would act where it is printed is escaped.

    A name with a line break is written as $'...', which bash, zsh and the POSIX of 2024 read.
    """
    if on_one_line(argument) == argument:
        return shlex.quote(argument)
    escaped = ""
    for char in argument:
        plain = char.isprintable() and char not in "\\'"
        coded = (f"\\x{byte:02x}" for byte in char.encode("utf-8", "surrogateescape"))
        escaped += char if plain else "".join(coded)
    return f"$'{escaped}'"


def check_display(platform: str = sys.platform) -> None:
    """Raise QueryError where no viewer can show anything: one that needs no display must be named."""
    if platform == "linux" and not any(map(os.environ.get, (VARIABLE, "DISPLAY", "WAYLAND_DISPLAY"))):
        raise QueryError(
            "There is no display here to show a PDF on. Read the page with `pagequote read`, draw it with "
            f"`pagequote show`, or name a viewer that needs no display in {VARIABLE}."
        )


def _named(command: str, path: Path, page: int) -> list[str]:
    try:
        program, *arguments = shlex.split(command)
    except ValueError as error:
        raise QueryError(f"{VARIABLE}={command!r} is not a command ({error}).") from error
    if any("{" in argument for argument in arguments):
        return [program, *_filled(arguments, path, page)]
    known = _PAGES.get(Path(program).name, ("{path}",))
    return [program, *arguments, *_filled(known, path, page)]


def _filled(arguments: Iterable[str], path: Path, page: int) -> list[str]:
    uri = path.as_uri()
    return [
        one.replace("{path}", str(path)).replace("{page}", str(page)).replace("{uri}", uri)
        for one in arguments
    ]

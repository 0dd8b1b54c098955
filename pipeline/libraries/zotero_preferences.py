"""What Zotero's preferences say of a data folder: where linked files are."""

import json
import re
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_PROFILES = (
    ".zotero/zotero",
    "Library/Application Support/Zotero/Profiles",
    "AppData/Roaming/Zotero/Zotero/Profiles",
    "snap/zotero-snap/common/.zotero/zotero",
    ".var/app/org.zotero.Zotero/data/zotero",
)
"""Below the home folder, where the profiles are on Linux, macOS and Windows, and of packaged Zoteros."""

_PREFERENCE = re.compile(
    r'^user_pref\("extensions\.zotero\.(baseAttachmentPath|dataDir)",\s*("(?:\\.|[^"\\])*")\);'
)


def linked_files_base(folder: Path) -> Path | None:
    """The "Linked Attachment Base Directory" of the profile that uses the data folder, or of the only one that names such a directory.

    A profile inside the folder, or beside it, counts as well: copies are kept so. None where no profile tells.
    """
    bases = []
    for file in _preferences(folder):
        said = _said(file)
        base = said.get("baseAttachmentPath")
        if base and _is_same(said.get("dataDir"), folder):
            return Path(base)
        if base:
            bases.append(base)
    return Path(bases[0]) if len(set(bases)) == 1 else None


def _preferences(folder: Path) -> Iterator[Path]:
    for beside in (folder, folder.parent):
        yield from (file for file in [beside / "prefs.js"] if file.is_file())
    for profiles in _PROFILES:
        yield from sorted((Path.home() / profiles).glob("*/prefs.js"))


def _said(file: Path) -> dict[str, str]:
    try:
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return {}
    said: dict[str, str] = {}
    for match in filter(None, map(_PREFERENCE.match, lines)):
        with suppress(ValueError):  # an escape that JavaScript has, and JSON has not
            said[match[1]] = json.loads(match[2], strict=False)
    return said


def _is_same(named: str | None, folder: Path) -> bool:
    return named is not None and Path(named).resolve() == folder.resolve()

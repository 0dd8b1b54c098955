"""Reads from Zotero's preferences where the linked files of a data folder are."""

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
"""The folders of profiles below the home folder: Linux, macOS, Windows, and packaged Zoteros."""

_PREFERENCE = re.compile(
    r'^user_pref\("extensions\.zotero\.(baseAttachmentPath|dataDir)",\s*("(?:\\.|[^"\\])*")\);'
)


def linked_files_base(folder: Path) -> Path | None:
    """Return the "Linked Attachment Base Directory" of the profile of the data folder; None without one.

    Else it is that of the only profile that names such a directory. Profiles inside the folder or beside it
    count: a copy of a library may have them there.
    """
    bases = []
    for file in _preferences(folder):
        preferences = _read(file)
        base = preferences.get("baseAttachmentPath")
        if base and _is_same(preferences.get("dataDir"), folder):
            return Path(base)
        if base:
            bases.append(base)
    return Path(bases[0]) if len(set(bases)) == 1 else None


def _preferences(folder: Path) -> Iterator[Path]:
    for beside in (folder, folder.parent):
        yield from (file for file in [beside / "prefs.js"] if file.is_file())
    for profiles in _PROFILES:
        yield from sorted((Path.home() / profiles).glob("*/prefs.js"))


def _read(file: Path) -> dict[str, str]:
    try:
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return {}
    found: dict[str, str] = {}
    for match in filter(None, map(_PREFERENCE.match, lines)):
        with suppress(ValueError):  # an escape of JavaScript that JSON lacks
            found[match[1]] = json.loads(match[2], strict=False)
    return found


def _is_same(named: str | None, folder: Path) -> bool:
    return named is not None and Path(named).resolve() == folder.resolve()

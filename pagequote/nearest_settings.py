"""Where the settings of a folder are: loaded by each command, and so alone here."""

from pathlib import Path

NAME = "pagequote.toml"


def nearest_settings(folder: Path) -> Path | None:
    """Return the pagequote.toml in this folder or above it, within its repository and the home folder."""
    for one in (folder, *folder.parents):
        if (one / NAME).is_file():
            return one / NAME
        if (one / ".git").exists() or one == Path.home():
            return None
    return None

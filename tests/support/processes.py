"""The processes of this machine."""

from pathlib import Path


def with_word(word):
    """The processes whose command has `word` in it."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if word.encode() in path.read_bytes():
                found.append(path.parent.name)
        except OSError:
            continue
    return found

"""Copies the pages of this repository to build/pages, and the settings of the site beside them."""

import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]

_PAGES = ("*.md", "docs", "benchmarks/*.md", "benchmarks/results", "data/samples/*.md")
"""What is read on the site; links between them hold, as each keeps its place."""

_LINKED = ("LICENSE", "Dockerfile", "action.yml", "dvc.yaml", "params.yaml")
"""Other files that pages link to."""


def copy_pages(folder: Path) -> None:
    """Copy the pages, and what they link to, into an empty folder."""
    shutil.rmtree(folder, ignore_errors=True)
    for source in (path for pattern in (*_PAGES, *_LINKED) for path in ROOT.glob(pattern)):
        target = folder / source.relative_to(ROOT)
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target)
        else:
            shutil.copyfile(source, target)


if __name__ == "__main__":
    copy_pages(ROOT / "build" / "pages")
    shutil.copyfile(ROOT / "tools" / "site.toml", ROOT / "build" / "zensical.toml")

"""Makes docs/pictures/quote.png, the first picture of README.md, from the sample papers: `make pictures`.

It is what `pagequote show` draws, without the head of the page.
"""

import subprocess
import sys
from pathlib import Path

import pymupdf

ROOT = Path(__file__).resolve().parents[1]
_WORDS = "a temperature response that was fitted to daytime data"
_ABOVE, _BELOW = 0.39, 0.955
"""The shares of the picture's height between which it is kept: the columns and the number of the page."""


def main() -> None:
    """Draw the page and keep its lower part."""
    out = ROOT / "docs" / "pictures" / "quote.png"
    command = [sys.executable, "-m", "pagequote", "show", "lindqvist2019", _WORDS, "--out", str(out)]
    subprocess.run(command, check=True, cwd=ROOT)  # noqa: S603  # our own command
    with pymupdf.open(out) as picture:
        page = picture[0]
        part = pymupdf.Rect(0, _ABOVE * page.rect.height, page.rect.width, _BELOW * page.rect.height)
        kept = page.get_pixmap(clip=part)
    kept.save(out)


if __name__ == "__main__":
    main()

"""Is the proof on the first screen, and what does a first view cost on a slow line?
`python benchmarks/first_view.py CORPUS` (it needs Chromium).

Twenty quotes of as many papers, as printed and with a word changed, are opened at the sizes of a desk and of
a telephone: the marks in the strip of print have to be within the window, unscrolled. Then pages are opened
over a line of 400 ms and 50 kB/s, by a browser that has seen none of them; the server has drawn the pictures
before.
"""

import argparse
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from cases import Case, draw_cases
from playwright.sync_api import Browser, ViewportSize, sync_playwright
from tables import markdown_table, measured_on

_SIZES: dict[str, ViewportSize] = {
    "desk": {"width": 1280, "height": 900},
    "telephone": {"width": 390, "height": 844},
}
_QUOTES = 20
_CHANGED = "turnips"
_LINE = {"offline": False, "latency": 400, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
_QUIET_MS = 1500  # Without a request for so long, a page has all that it wants.

_INSIDE = """
() => {
  const place = document.querySelector(".strip path")?.getBoundingClientRect();
  return Boolean(place) && place.top >= 0 && place.bottom <= innerHeight;
}
"""
_SEEN = """
() => {
  const inside = (one) => {
    const place = one.getBoundingClientRect();
    return place.top < innerHeight && place.bottom > 0;
  };
  const shown = new Set([...document.images].filter(inside).map((one) => one.currentSrc));
  for (const one of document.querySelectorAll("image")) if (inside(one)) shown.add(one.href.baseVal);
  const sent = performance.getEntriesByType("resource");
  const pictures = sent.filter((one) => [...shown].some((address) => one.name.endsWith(address)));
  const large = pictures.filter((one) => !one.name.includes("size=small"));
  return {
    words: performance.getEntriesByName("first-contentful-paint")[0].startTime,
    picture: Math.max(0, ...large.map((one) => one.responseEnd)),
    bytes: performance.getEntriesByType("navigation")[0].transferSize
      + sent.reduce((sum, one) => sum + one.transferSize, 0),
  };
}
"""


@contextmanager
def served(corpus: Path) -> Iterator[str]:
    """Yield the address of a reading room of the corpus."""
    command = [str(Path(sys.executable).with_name("pagequote")), "serve", "--port", "0"]
    server = subprocess.Popen([*command, "--corpus", str(corpus)], stdout=subprocess.PIPE, text=True)
    assert server.stdout
    try:
        yield server.stdout.readline().split()[-1].rstrip("/")
    finally:
        server.terminate()
        server.wait()


def first_screens(browser: Browser, address: str, cases: list[Case]) -> list[list[str]]:
    """Return a row for each size: how many quotes have their marks within the window."""
    rows = []
    for name, size in _SIZES.items():
        page = browser.new_page(base_url=address, viewport=size)
        found = []
        for changed in (False, True):
            held = 0
            for case in cases:
                words = case.words.split()
                words[2] = _CHANGED if changed else words[2]
                page.goto("/quote?" + urlencode({"key": case.key, "query": " ".join(words)}))
                held += page.evaluate(_INSIDE)
            found.append(f"{held} of {len(cases)}")
        rows.append([name, f"{size['width']} x {size['height']}", *found])
        page.close()
    return rows


def first_views(browser: Browser, address: str, case: Case) -> list[list[str]]:
    """Return a row for each page and size: when its words and its picture are there, and what was sent."""
    asked = {
        "start": "/",
        "quote": "/quote?" + urlencode({"key": case.key, "query": case.words}),
        "whole paper (`/read`)": "/read?" + urlencode({"key": case.key}),
        "paper": "/paper?" + urlencode({"key": case.key}),
        "papers": "/papers",
        "search": "/search?query=data",
    }
    rows = []
    for size, window in _SIZES.items():
        for name, path in asked.items():
            _seen(browser, address, window, path, slow=False)
            seen = _seen(browser, address, window, path, slow=True)
            picture = f"{seen['picture'] / 1000:.1f}" if seen["picture"] else ""
            rows.append([size, name, f"{seen['words'] / 1000:.1f}", picture, f"{seen['bytes'] / 1000:.0f}"])
    return rows


def _seen(browser: Browser, address: str, window: Any, path: str, *, slow: bool) -> dict[str, float]:
    context = browser.new_context(base_url=address, viewport=window)
    page = context.new_page()
    if slow:
        session = context.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Network.emulateNetworkConditions", _LINE)
    page.goto(path, wait_until="networkidle", timeout=120_000)
    page.wait_for_timeout(_QUIET_MS)
    seen: dict[str, float] = page.evaluate(_SEEN)
    context.close()
    return seen


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus", type=Path)
    corpus = parser.parse_args().corpus
    by_paper: dict[str, Case] = {}
    for case in draw_cases(corpus, 15 * _QUOTES, seed=7):
        by_paper.setdefault(case.key, case)
    cases = list(by_paper.values())[:_QUOTES]
    arguments = ["--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking"]
    with served(corpus) as address, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=arguments)
        head = ["window", "pixels", "marks on the first screen, as printed", "with a word changed"]
        print(markdown_table(head, first_screens(browser, address, cases)) + "\n")
        head = ["window", "page", "words, s", "picture, s", "sent until it is quiet, kB"]
        print(markdown_table(head, first_views(browser, address, cases[0])))
        browser.close()
    print(f"\n{measured_on()}; {cases[0].key} is shown.")


if __name__ == "__main__":
    main()

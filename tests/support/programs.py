"""Programs that draw pages, and that most machines do not have: a test that calls one says `@needs(...)`."""

import subprocess
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from tests.support.waiting import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Playwright


def chromium_print(html: str, *, head: bool = True) -> bytes:
    """Return the PDF that Chromium prints of a web page, with its own head and foot or without."""
    options = [] if head else ["--no-pdf-header-footer"]
    with tempfile.TemporaryDirectory() as folder:
        call = ["chromium", "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder}/home"]
        return _converted([*call, *options, "--print-to-pdf=page.pdf"], html, folder)


def launched_chromium(playwright: "Playwright", arguments: list[str]) -> "Browser":
    """Return the browser of this machine, started for Playwright, which wants a path and not a name."""
    with tempfile.TemporaryDirectory() as folder:
        named = Path(folder, "chromium")
        named.write_text('#!/bin/sh\nexec chromium "$@"\n', encoding="utf-8")
        named.chmod(0o700)
        return playwright.chromium.launch(executable_path=named, args=arguments)


def libreoffice_print(html: str) -> bytes:
    """Return the PDF that LibreOffice's writer exports of a web page."""
    with tempfile.TemporaryDirectory() as folder:
        call = ["soffice", f"-env:UserInstallation=file://{folder}/home", "--headless", "--writer"]
        return _converted([*call, "--convert-to", "pdf:writer_web_pdf_Export"], html, folder)


def _converted(call: list[str], html: str, folder: str) -> bytes:
    Path(folder, "page.html").write_text(html, encoding="utf-8")
    subprocess.run([*call, "page.html"], cwd=folder, capture_output=True, check=True, timeout=PATIENCE)
    return Path(folder, "page.pdf").read_bytes()


def groff_print(source: str) -> bytes:
    """Return the PDF that groff makes of a text with the macros of -ms, its fonts embedded by Ghostscript."""
    drawn = _piped(["groff", "-k", "-Kutf8", "-Tps", "-ms"], source.encode())
    return _piped(["gs", "-q", "-sDEVICE=pdfwrite", "-dNOPAUSE", "-dBATCH", "-sOutputFile=-", "-"], drawn)


def _piped(call: list[str], given: bytes) -> bytes:
    return subprocess.run(call, input=given, capture_output=True, check=True, timeout=PATIENCE).stdout


def latex_print(source: str) -> bytes:
    """Return the PDF that XeLaTeX makes of a document."""
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "page.tex").write_text(source, encoding="utf-8")
        call = ["xelatex", "-interaction=batchmode", "-halt-on-error", "page.tex"]
        subprocess.run(call, cwd=folder, capture_output=True, check=True, timeout=PATIENCE)
        return Path(folder, "page.pdf").read_bytes()

"""The extension for VS Code, in VS Code itself: its server without a window, seen by a browser.

`make editor` installs both; where they are not, the tests in them are skipped.
"""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.needs import needs, require
from tests.support.programs import launched_chromium
from tests.support.project import ROOT
from tests.support.waiting import PATIENCE

pytestmark = [pytest.mark.system, pytest.mark.long]

EDITOR = Path(sys.prefix) / "editor" / "node_modules" / "code-server"
EXTENSION = ROOT / "tools" / "vscode" / "pagequote.vsix"
WORDS = "people prefer to work by day"
MILLISECONDS = 1000 * PATIENCE


@pytest.fixture(scope="module")
def editor(tmp_path_factory, corpus_path):
    """The address of an editor with the extension, in a folder with one draft."""
    require("a headless editor")
    require("Chromium")
    home = tmp_path_factory.mktemp("editor")
    draft = home / "draft"
    draft.mkdir()
    (draft / "text.md").write_text(
        f'One says "{WORDS}" [@lindqvist2019, p. 1650].\n\n'
        '"People prefer to work by night" [@lindqvist2019, p. 1650].\n'
    )
    (home / "data" / "User").mkdir(parents=True)
    settings = {
        "pagequote.command": str(Path(sys.executable).with_name("pagequote")),
        "pagequote.corpus": str(corpus_path),
        "workbench.startupEditor": "none",
        "telemetry.telemetryLevel": "off",
    }
    (home / "data" / "User" / "settings.json").write_text(json.dumps(settings))
    (home / "config.yaml").write_text("auth: none\nbind-addr: 127.0.0.1:0\ncert: false\n")
    command = [
        *("node", EDITOR / "out" / "node" / "entry.js", "--config", home / "config.yaml"),
        *("--user-data-dir", home / "data", "--extensions-dir", home / "extensions"),
    ]
    subprocess.run([*command, "--install-extension", EXTENSION], check=True, capture_output=True)
    quiet = ("--disable-telemetry", "--disable-update-check", "--disable-workspace-trust")
    with subprocess.Popen(
        [*command, *quiet], stdout=subprocess.PIPE, text=True, start_new_session=True
    ) as server:
        assert server.stdout is not None
        listening = next(filter(None, (re.search(r"http://[\d.:]+", line) for line in server.stdout)))
        try:
            yield f"{listening[0]}/?folder={draft}"
        finally:
            os.killpg(server.pid, signal.SIGTERM)
            server.stdout.close()


@pytest.fixture
def page(editor):
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        browser = launched_chromium(playwright, ["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.set_default_timeout(MILLISECONDS)
        page.goto(editor, timeout=MILLISECONDS)
        page.dblclick("text=text.md")
        yield page
        browser.close()


@needs("npm")
def test_its_own_tests_pass_by_npm():
    folder = ROOT / "tools" / "vscode"
    ran = subprocess.run(["npm", "test", "--silent"], check=False, cwd=folder, capture_output=True, text=True)
    assert ran.returncode == 0, ran.stdout
    assert "pass 4" in ran.stdout


def test_a_wrong_quotation_is_underlined_and_a_right_one_shows_its_strip_of_print(page):
    page.wait_for_selector(".squiggly-error", state="attached")
    assert page.locator(".squiggly-error").count() == 1
    page.hover("text=work by day")
    strip = page.wait_for_selector(".monaco-hover img", state="attached")
    page.wait_for_function("document.querySelector('.monaco-hover img').naturalHeight > 0")
    width, height = strip.evaluate("one => [one.naturalWidth, one.naturalHeight]")
    assert width > 2 * height
    assert "page 1650, right" in page.locator(".monaco-hover:has(img)").inner_text()


def test_the_printed_words_are_put_in_place_of_wrong_ones(page):
    page.wait_for_selector(".squiggly-error", state="attached")
    page.click("text=work by night")
    page.keyboard.press("Control+Period")
    page.wait_for_selector("text=Use the printed words")
    page.keyboard.press("Enter")
    page.wait_for_selector(".squiggly-error", state="detached")
    assert "work by day" in page.locator(".view-line").nth(2).inner_text().replace("\u00a0", " ")

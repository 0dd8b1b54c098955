"""A quote is checked in a PDF with nothing built."""

import shutil
from pathlib import Path

import pytest

import lookup
import pagequote
from pipeline.builds import one_pdf
from tests.support.command import pagequote as command

NIGHT = "lindqvist2019"
WORDS = "people prefer to work by day"

pytestmark = pytest.mark.system


@pytest.mark.long
def test_a_quote_is_checked_in_a_pdf_with_nothing_built(samples, tmp_path, monkeypatch):
    monkeypatch.setenv("PAGEQUOTE_CACHE", str(tmp_path / "cache" / "pagequote"))
    monkeypatch.delenv("PAGEQUOTE_CORPUS", raising=False)
    pdf = tmp_path / "my paper.pdf"
    shutil.copy(samples / f"{NIGHT}.pdf", pdf)
    first = command("verify", pdf, WORDS, "--page", "1650")
    assert (first.returncode, "page 1 (printed 1650): verbatim" in first.stdout) == (0, True), first.stderr
    again = command("verify", pdf, WORDS, "--page", "1650")
    assert again.stdout == first.stdout
    assert "extract" not in again.stderr
    kept = tmp_path / "cache/pagequote/pdfs"
    assert {path.stat().st_mode & 0o777 for path in (kept, *kept.rglob("*"))} == {0o700, 0o600}
    assert command("verify", pdf, "people prefer to work by night").returncode == 1
    assert WORDS in command("read", pdf, "--page", "1").stdout
    assert command("read", pdf, "--outline").returncode == 0

    moved = pdf.rename(tmp_path / "moved.pdf")
    found = command("verify", moved, WORDS, "--page", "1650")
    assert (found.stdout, "extract" in found.stderr) == (first.stdout, False)
    assert command("show", moved, WORDS, "--out", tmp_path / "shown.png").returncode == 0
    assert command("verify", "-", WORDS, given=moved.read_bytes()).returncode == 0

    shutil.copy(samples / "okafor2021.pdf", pdf)
    assert command("verify", pdf, WORDS).returncode == 1  # another content under the same name

    pdf.write_bytes(b"no PDF")
    assert command("verify", pdf, WORDS).returncode == 2


@pytest.mark.long
def test_python_checks_and_finds_a_quote_in_a_pdf_with_nothing_built(samples, tmp_path, monkeypatch):
    monkeypatch.setenv("PAGEQUOTE_CACHE", str(tmp_path / "cache" / "pagequote"))
    pdf = samples / f"{NIGHT}.pdf"
    found = pagequote.verify_pdf(pdf, WORDS, page=1650)
    assert (found.key, found.verdict, found.pages) == (NIGHT, "verbatim", (1,))
    (match,) = pagequote.quote_pdf(str(pdf), WORDS, context="sentence").matches
    assert (match.key, match.quote, match.page_label) == (NIGHT, WORDS, "1650")


@pytest.mark.long
@pytest.mark.parametrize("file", ["paper.pdf", "paper.xml"])
def test_a_file_that_is_replaced_after_its_hash_is_kept_under_none(samples, tmp_path, monkeypatch, file):
    monkeypatch.setenv("PAGEQUOTE_CACHE", str(tmp_path / "cache" / "pagequote"))
    shared, text = tmp_path / "paper.pdf", tmp_path / "paper.xml"
    shutil.copy(samples / f"{NIGHT}.pdf", shared)
    text.write_text(ARTICLE.format("The words of one."))
    hashed = one_pdf._hash
    found = {}

    def replaced_then(path, within):
        found[path.name] = hashed(path, within)
        if len(found) == 2:
            if file == "paper.pdf":
                shutil.copy(samples / "okafor2021.pdf", shared)
            else:
                text.write_text(ARTICLE.format("The words of another."))
        return found[path.name]

    with monkeypatch.context() as patch:
        patch.setattr(one_pdf, "_hash", replaced_then)
        with pytest.raises(lookup.SourceError, match="changed while it was read"):
            pagequote.verify_pdf(shared, WORDS)
    text.unlink()
    shutil.copy(samples / f"{NIGHT}.pdf", shared)
    assert pagequote.verify_pdf(shared, WORDS).verdict == "verbatim"


def test_no_link_leads_out_of_the_folders_that_are_allowed_after_the_look(samples, tmp_path, monkeypatch):
    monkeypatch.setenv("PAGEQUOTE_CACHE", str(tmp_path / "cache" / "pagequote"))
    (tmp_path / "mine").mkdir()
    shutil.copy(samples / f"{NIGHT}.pdf", tmp_path / "mine/paper.pdf")
    resolve = Path.resolve

    def then_linked(path, *given, **options):
        found = resolve(path, *given, **options)
        if path.name == "paper.pdf" and not path.is_symlink():
            path.unlink()
            path.symlink_to(samples / "okafor2021.pdf")
        return found

    monkeypatch.setattr(Path, "resolve", then_linked)
    with pytest.raises(lookup.SourceError, match="cannot be read"):
        one_pdf.corpus_of_pdf(tmp_path / "mine/paper.pdf", [tmp_path / "mine"])


ARTICLE = """<article xmlns:xlink="http://www.w3.org/1999/xlink"><front><article-meta><title-group>
<article-title>Nights</article-title></title-group></article-meta></front><body><p>{}</p></body></article>"""


@pytest.mark.parametrize(
    "arguments",
    [
        ("quote", WORDS),
        ("quote", WORDS, "--format", "latex"),
        ("quote", WORDS, "--format", "markdown"),
        ("quote", WORDS, "--format", "citation"),
        ("quote", WORDS, "--format", "link"),
        ("verify", WORDS),
        ("ground", f"day={WORDS}"),
        ("show", WORDS, "--out", "shown.png"),
        ("read",),
        ("highlight", WORDS, "--out", "marked"),
        ("compare", "paper.pdf"),
    ],
    ids=" ".join,
)
def test_each_command_that_takes_a_key_takes_a_pdf_in_a_folder_without_a_corpus(
    samples, tmp_path, monkeypatch, arguments
):
    monkeypatch.setenv("PAGEQUOTE_CACHE", str(samples.parent / "cache of one pdf"))
    monkeypatch.delenv("PAGEQUOTE_CORPUS", raising=False)
    monkeypatch.chdir(tmp_path)
    shutil.copy(samples / f"{NIGHT}.pdf", "paper.pdf")
    called, *others = arguments
    ran = command(called, "paper.pdf", *others)
    assert (ran.returncode, "No corpus" in ran.stderr) == (0, False), ran.stderr

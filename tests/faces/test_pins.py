"""Quotations pinned to their PDFs, and versions of a paper compared."""

import json
import shutil
from datetime import UTC, datetime

import pytest

from tests.support.builds import build
from tests.support.command import pagequote
from tests.support.pdfs import pdf

OLD = "The marsh was measured at night, and the flux was small in each of the plots that we had."
NEW = "The marsh was measured at night, and the flux was large in each of the plots that we had."
KEPT = "It rained all day long, so that nobody went out to read the instruments."
DRAFT = f'First: "{OLD}" [@marsh, p. 1].\n\nThen: "{KEPT}" [@marsh].\n'


def built(folder, body):
    folder.mkdir(exist_ok=True)
    (folder / "marsh.pdf").write_bytes(pdf(body))
    build([folder / "marsh.pdf"], folder, keys="file")
    return folder / "corpus"


@pytest.fixture(scope="module")
def versions(tmp_path_factory):
    """Corpora of a preprint and of the article, under the same key."""
    folder = tmp_path_factory.mktemp("versions")
    return [built(folder / name, f"{words}\n{KEPT}") for name, words in (("preprint", OLD), ("article", NEW))]


@pytest.fixture
def draft(tmp_path):
    (tmp_path / "draft.md").write_text(DRAFT)
    return tmp_path / "draft.md"


def test_a_lock_file_has_the_pdf_the_place_and_the_words_and_keeps_its_dates(versions, draft):
    done = pagequote("pin", draft, "--corpus", versions[0])
    assert (done.returncode, done.stdout) == (0, "")
    assert done.stderr == "2 pinned in pagequote.lock, 0 not right\n"
    lock = draft.with_name("pagequote.lock")
    kept, first = json.loads(lock.read_text())["pins"]
    assert (first["key"], first["page"], first["page_given"], first["verdict"]) == (
        "marsh",
        1,
        "1",
        "verbatim",
    )
    assert first["quote"] == first["printed"] == OLD
    assert len(first["sha256"]) == 64
    assert first["boxes"]
    assert first["date"] == datetime.now(UTC).date().isoformat()
    lock.write_text(lock.read_text().replace(first["date"], "2001-01-01"))
    pagequote("pin", draft, "--corpus", versions[0])
    assert {one["date"] for one in json.loads(lock.read_text())["pins"]} == {"2001-01-01"}
    assert kept["quote"] == KEPT


def test_without_the_corpus_what_is_pinned_is_right_and_what_has_changed_is_not(versions, draft, tmp_path):
    pagequote("pin", draft, "--corpus", versions[0])
    nowhere = {"PAGEQUOTE_CORPUS": str(tmp_path / "none")}
    done = pagequote("check", draft, "--locked", "--all", **nowhere)
    assert done.returncode == 0
    today = datetime.now(UTC).date().isoformat()
    assert (
        f"draft.md:1:8: ok: pinned as verbatim on {today}, not looked up, marsh, given page 1" in done.stdout
    )
    assert "the lock file alone" in done.stderr
    draft.write_text("A new sentence.\n\n" + DRAFT.replace("p. 1", "p. 2"))
    done = pagequote("check", draft, "--locked", **nowhere)
    assert done.returncode == 1
    assert "draft.md:3:8: error: not judged, marsh, given page 2" in done.stdout
    assert "Not pinned" in done.stdout
    assert "2 quotations: 1 right, 1 wrong" in done.stderr
    assert pagequote("check", draft, "--locked", "--corpus", tmp_path / "none").returncode == 2


def test_with_the_corpus_a_changed_source_is_told_and_whether_the_quotation_still_stands(versions, draft):
    pagequote("pin", draft, "--corpus", versions[0])
    assert pagequote("check", draft, "--locked", "--corpus", versions[0]).stdout == ""
    done = pagequote("check", draft, "--locked", "--corpus", versions[1])
    assert done.returncode == 1
    gone, stands = done.stdout.split("draft.md:3:")
    assert "error: near" in gone
    assert "The source has changed, and the quotation does not stand any more: on " in gone
    assert "it was verbatim on page 1" in gone
    assert "ok: verbatim" in stands
    assert "The source has changed, and the quotation still stands" in stands


def test_what_is_not_right_is_not_pinned_and_a_lock_file_that_is_none_is_refused(versions, draft):
    draft.write_text(DRAFT.replace("small", "green"))
    done = pagequote("pin", draft, "--corpus", versions[0])
    assert done.returncode == 1
    assert "error: near, marsh" in done.stdout
    assert "1 pinned in pagequote.lock, 1 not right" in done.stderr
    done = pagequote("check", draft, "--locked", "--corpus", versions[0])
    assert "Not pinned" in done.stdout
    lock = draft.with_name("pagequote.lock")
    (good,) = json.loads(lock.read_text())["pins"]
    for content in (
        "",
        "{}",
        '{"version": 2}',
        '{"version": 1, "pins": [{}]}',
        '{"version": 1, "pins": [7]}',
        "[" * 200_000,
        *(json.dumps({"version": 1, "pins": [good | {name: bad}]}) for name, bad in FORGED_FIELDS),
    ):
        lock.write_text(content)
        done = pagequote("check", draft, "--locked", "--corpus", versions[0])
        assert done.returncode == 2
        assert "The lock file" in done.stderr


FORGED_FIELDS: list[tuple[str, object]] = [
    ("key", 7),
    ("quote", None),
    ("printed", ["a"]),
    ("page_given", 1),
    ("page_label", 1),
    ("verdict", "right"),
    ("verdict", {"a": 1}),
    ("sha256", "0" * 63),
    ("sha256", "\n" * 64),
    ("sha256", ""),
    ("cited", 7),
    ("remark", None),
    ("date", "today"),
    ("page", "seven"),
    ("page", -1),
    ("page", 1.5),
    ("page", True),
    ("boxes", [{}]),
    ("boxes", 5),
    ("boxes", [{"page": 1, "x0": "a", "y0": 0, "x1": 1, "y1": 1}]),
]


@pytest.mark.parametrize(
    ("of_quote", "of_printed"),
    [("small", "small"), ("large", "small"), ("large", "large, and a quarter of it was not")],
)
def test_a_lock_file_that_was_edited_contradicts_itself(versions, draft, tmp_path, of_quote, of_printed):
    """A forger has to forge the printed words, too: then a look into the corpus tells."""
    pagequote("pin", draft, "--corpus", versions[0])
    lock = draft.with_name("pagequote.lock")
    content = json.loads(lock.read_text())
    for pin in content["pins"]:
        pin["quote"] = pin["quote"].replace("small", of_quote)
        pin["printed"] = pin["printed"].replace("flux was small in", f"flux was {of_printed} in")
    lock.write_text(json.dumps(content))
    draft.write_text(DRAFT.replace("small", of_quote))
    done = pagequote("check", draft, "--locked", "--all", PAGEQUOTE_CORPUS=str(tmp_path / "none"))
    assert done.returncode == int(of_quote != "small")
    assert "ok: verbatim" not in done.stdout
    assert ("contradicts itself" in done.stdout) == (of_quote != "small")


@pytest.mark.parametrize(
    ("pinned", "typed"), [("10 mM", "10 mm"), ("10⁻³ M", "10-3 M"), ("NO was", "no was")]
)
def test_a_lock_file_knows_quotations_by_their_letters(versions, draft, tmp_path, pinned, typed):
    pagequote("pin", draft, "--corpus", versions[0])
    lock = draft.with_name("pagequote.lock")
    lock.write_text(lock.read_text().replace("small", pinned))
    draft.write_text(DRAFT.replace("small", pinned))
    nowhere = {"PAGEQUOTE_CORPUS": str(tmp_path / "none")}
    assert pagequote("check", draft, "--locked", **nowhere).returncode == 0
    draft.write_text(DRAFT.replace("small", typed))
    done = pagequote("check", draft, "--locked", **nowhere)
    assert (done.returncode, "Not pinned" in done.stdout) == (1, True)


def test_the_lock_file_that_is_set_is_used(versions, draft):
    draft.with_name("pagequote.toml").write_text('[check]\nlock = "pins.json"\n')
    pagequote("pin", draft, "--corpus", versions[0])
    assert draft.with_name("pins.json").exists()
    assert not draft.with_name("pagequote.lock").exists()


def test_versions_of_a_paper_are_compared_by_paragraph_and_by_quotation(versions, draft, tmp_path):
    article = tmp_path / "marsh2.pdf"
    shutil.copy(versions[1].parent / "marsh.pdf", article)
    folder = tmp_path / "both"
    folder.mkdir()
    shutil.copy(versions[0].parent / "marsh.pdf", folder)
    shutil.copy(article, folder)
    build([folder], folder, keys="file")
    corpus = folder / "corpus"
    assert pagequote("compare", "marsh", "marsh", "--corpus", corpus).returncode == 0
    done = pagequote("compare", "marsh", "marsh2", "--corpus", corpus)
    assert done.returncode == 1
    assert "page 1: near, page 1" in done.stdout
    assert "[-small-]{+large+}" in done.stdout
    done = pagequote("compare", "marsh", "marsh2", draft, "--json", "--all", "--corpus", corpus)
    changed, kept = json.loads(done.stdout)
    assert (changed["verdict"], kept["verdict"], kept["page"]) == ("near", "verbatim", 1)
    assert changed["place"].endswith("draft.md:1:8")
    assert done.stderr == "2 compared: 1 near, 1 verbatim\n"


NAMED = f"""Okafor writes "{KEPT}" and no more.

Then: "{OLD}" (Marsh 2019, 1).
A book says "Nobody has ever scanned the words of this book" [@darwin1859, p. 7].
"""


@pytest.fixture(scope="module")
def named(tmp_path_factory):
    """The corpus of a paper whose author and year are known."""
    folder = tmp_path_factory.mktemp("named")
    (folder / "marsh.pdf").write_bytes(pdf(f"{OLD}\n{KEPT}"))
    entry = "@article{marsh2019, author = {Marsh, Ann}, title = {Fluxes}, year = 2019, file = {marsh.pdf}}"
    (folder / "library.bib").write_text(entry)
    build([folder / "library.bib"], folder)
    return folder / "corpus"


def test_what_cannot_be_judged_is_pinned_as_that_and_names_as_they_are_written(named, draft, tmp_path):
    draft.write_text(NAMED)
    done = pagequote("pin", draft, "--corpus", named)
    assert (done.returncode, done.stderr) == (
        0,
        "3 pinned in pagequote.lock (2 as not judged), 0 not right\n",
    )
    pins = {one["quote"]: one for one in json.loads(draft.with_name("pagequote.lock").read_text())["pins"]}
    assert (pins[OLD]["key"], pins[OLD]["cited"], pins[OLD]["verdict"]) == (
        "marsh2019",
        "Marsh 2019",
        "verbatim",
    )
    nowhere = {"PAGEQUOTE_CORPUS": str(tmp_path / "none")}
    for where in (nowhere, {"PAGEQUOTE_CORPUS": str(named)}):
        done = pagequote("check", draft, "--locked", **where)
        assert (done.returncode, done.stdout.count("warning: pinned as not judged on")) == (0, 2), done.stdout
        assert "3 quotations: 1 right, 0 wrong, 2 not judged" in done.stderr
    for old, new in (
        ("Marsh 2019, 1", "Marsh 2019, 2"),
        ("Marsh 2019, 1", "March 2019, 1"),
        ("darwin1859", "darwin1860"),
        ("ever scanned", "yet scanned"),
        ("p. 7", "p. 8"),
        (KEPT, KEPT.replace("long", "short")),
    ):
        draft.write_text(NAMED.replace(old, new))
        done = pagequote("check", draft, "--locked", **nowhere)
        assert (done.returncode, done.stdout.count("Not pinned")) == (1, 1), (old, new)


def test_a_title_between_marks_is_pinned_as_no_quotation(named, draft, tmp_path):
    draft.write_text(
        DRAFT.replace("@marsh", "@marsh2019") + '\nShe wrote "The Origin of All Species Again".\n'
    )
    assert pagequote("pin", draft, "--corpus", named).stderr == "2 pinned in pagequote.lock, 0 not right\n"
    nowhere = {"PAGEQUOTE_CORPUS": str(tmp_path / "none")}
    done = pagequote("check", draft, "--locked", **nowhere)
    assert (done.returncode, done.stderr.count("2 quotations: 2 right")) == (0, 1)
    draft.write_text(draft.read_text().replace("All Species", "No Species"))
    assert pagequote("check", draft, "--locked", **nowhere).returncode == 1

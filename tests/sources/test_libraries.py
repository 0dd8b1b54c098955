"""Libraries that people keep: what is read of a Zotero data folder, of CSL JSON, and of the `file` fields of
other programs.
"""

import json
import sqlite3
import threading
import tracemalloc
from contextlib import closing, suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lookup.errors import SourceError
from pipeline.libraries import read_library as read_library_module
from pipeline.libraries.bibtex import read_bibliography
from pipeline.libraries.csl_json import read_csl_json
from pipeline.libraries.entries import LibraryEntry, Metadata
from pipeline.libraries.read_library import read_library
from pipeline.libraries.zotero import copied, read_zotero
from pipeline.sources.find_sources import find_sources
from pipeline.sources.source import Source
from pipeline.work.state import state_of, write_state
from tests.support.command import pagequote
from tests.support.pdfs import pdf
from tests.support.zotero import IMPORTED_URL, LINKED, LINKED_URL, Zotero, better_bibtex

MARSH = "The marsh gives back at night what it took by day."


@pytest.fixture
def zotero(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    return Zotero(tmp_path / "Zotero")


def entries(zotero):
    """The entries of the library, with which nothing is wrong, by key."""
    found = read_zotero(zotero.folder)
    assert found.problems == ()
    return {entry.key: entry for entry in found.entries}


def keys_of(folder, *bibliographies):
    sources, _ = find_sources([folder], bibliographies)
    return [source.key for source in sources]


def test_an_item_gives_key_file_and_metadata(zotero):
    item = zotero.item(
        "AAAA1111",
        title="Release of CO<sub>2</sub> from <i>Spartina</i> &amp; reeds",
        DOI="https://doi.org/10.1000/ABC.5",
        date="2019-03-00 March 2019",
        publicationTitle="J. Marsh Sci.",
        abstractNote="At night.\n  More.",
        citationKey="okafor2019",
        authors=[
            ("Okafor", "Ngozi"),
            ("van der Berg", "Anna"),
            ("Marsh Consortium", ""),
            ("Red", "Ed", "editor"),
        ],
    )
    file = zotero.attach(item, "FFFF1111", "Okafor - 2019.pdf", pdf(MARSH))
    assert entries(zotero) == {
        "okafor2019": LibraryEntry(
            "okafor2019",
            (file,),
            Metadata(
                title="Release of CO2 from Spartina & reeds",
                authors=("Okafor, Ngozi", "van der Berg, Anna", "Marsh Consortium"),
                year=2019,
                doi="10.1000/abc.5",
                venue="J. Marsh Sci.",
                abstract="At night. More.",
            ),
        )
    }


_ENDLESS = """
DROP TABLE itemData;
CREATE VIEW itemData AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)
SELECT 1 AS itemID, 1 AS fieldID, x AS valueID FROM c
"""


_LENGTHS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {}) "

_JOINED = f"""
DROP TABLE items; DROP TABLE itemData; DROP TABLE itemDataValues;
CREATE TABLE items (itemID INT, itemTypeID INT, libraryID INT, key TEXT, dateAdded TEXT);
INSERT INTO items {_LENGTHS.format(40_000)} SELECT 1, {{kind}}, 1, NULL, NULL FROM n;
CREATE TABLE itemData AS {_LENGTHS.format(40_000)} SELECT 1 AS itemID, 1 AS fieldID, i AS valueID FROM n;
CREATE TABLE itemDataValues AS {_LENGTHS.format(40_000)} SELECT {{value}} AS valueID, NULL AS value FROM n;
"""
"""Rows that are joined to 1,600,000,000, or to none after as many steps."""

_LONG_FIELDS = f"""
UPDATE itemDataValues SET value = {{}};
INSERT INTO itemData {_LENGTHS.format(5_000)} SELECT 1, i + 10, 1 FROM n;
INSERT INTO fieldsCombined {_LENGTHS.format(5_000)} SELECT i + 10, 'f' || i, NULL, NULL, 0 FROM n;
"""
"""One value that is that of 5,000 fields."""

_COMPUTED = """
DROP TABLE creators;
CREATE TABLE creators (creatorID INTEGER PRIMARY KEY, firstName TEXT,
lastName TEXT GENERATED ALWAYS AS (printf('%.*c', 6000000, 'x')) VIRTUAL, fieldMode INT);
INSERT INTO creators (creatorID, firstName) VALUES (1, 'a');
INSERT INTO itemCreators VALUES (1, 1, 1, 1);
"""


@pytest.mark.long
@pytest.mark.parametrize(
    ("change", "why"),
    [
        (_JOINED.format(kind=2, value="-i"), "more rows together"),
        (_JOINED.format(kind=3, value="i"), "more than 4 times its length"),
        (_LONG_FIELDS.format("printf('%.*c', 1000000, 'x')"), "more than 4 times its length"),
        (_COMPUTED, "has columns that are computed"),
    ],
    ids=["joined in vain", "joined", "named by many fields", "computed"],
)
def test_a_database_whose_tables_stand_for_far_more_is_refused(zotero, change, why):
    zotero.item("AAAA1111", title="A title")
    with closing(sqlite3.connect(zotero.database)) as database:
        database.executescript(change)
    tracemalloc.start()
    with pytest.raises(SourceError, match=why):
        read_zotero(zotero.folder)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 64 << 20


@pytest.mark.system
def test_a_library_that_takes_too_long_is_left_with_its_process(zotero, monkeypatch):
    zotero.item("AAAA1111", title="A title")
    monkeypatch.setattr(read_library_module, "_read_here", take_long)
    monkeypatch.setattr(read_library_module, "_SECONDS", 0.01)
    with pytest.raises(SourceError, match=r"took over 0\.01 seconds\. Open it with its program"):
        read_library(zotero.folder)


def take_long(_):
    threading.Event().wait()


@pytest.mark.parametrize(
    "change",
    [
        "UPDATE items SET key = x'ff00' WHERE itemID = 1",
        "UPDATE itemAttachments SET path = x'ff00'",
        "UPDATE itemAttachments SET path = 7",
        "UPDATE itemDataValues SET value = zeroblob(100000000)",
        _ENDLESS,
    ],
)
def test_a_database_that_was_made_to_deceive_is_read_or_refused(zotero, change):
    zotero.attach(zotero.item("AAAA1111", title="A title"), "FFFF1111", "a.pdf")
    with closing(sqlite3.connect(zotero.database)) as database:
        database.executescript(change)
    with suppress(SourceError):
        read_zotero(zotero.folder)


def test_keys_of_better_bibtex_that_are_no_text_are_read_as_text(zotero):
    zotero.item("AAAA1111", title="A title")
    better_bibtex(zotero.folder, [(1, "AAAA1111", 2019)])
    assert [*entries(zotero)] == ["2019"]


@pytest.mark.parametrize(
    ("date", "year"),
    [
        ("2019-03-12 12.3.2019", 2019),
        ("0000-00-00 c. 1998", 1998),
        ("0000-00-00 in press", None),
        ("2021-00-00 2021/2022", 2021),
        ("1999", 1999),
    ],
)
def test_the_year_is_that_of_the_date_as_zotero_keeps_it(zotero, date, year):
    zotero.item("AAAA1111", date=date, citationKey="a")
    assert entries(zotero)["a"].metadata.year == year


def test_a_citation_key_is_zotero_s_own_else_pinned_else_better_bibtex_s_else_the_item_s(zotero):
    zotero.item("AAAA1111", citationKey="native", extra="Citation Key: pinned")
    zotero.item("BBBB2222", extra="PMID: 1\ncitation key : pinned\nDOI: 10.1000/x.7")
    zotero.item("CCCC3333", extra="bibtex: older")
    zotero.item("DDDD4444", extra="biblatexcitekey[oldest]")
    zotero.item("EEEE5555")
    zotero.item("FFFF6666")
    better_bibtex(
        zotero.folder,
        [(1, "AAAA1111", "no"), (1, "BBBB2222", "no"), (1, "EEEE5555", "made"), (2, "FFFF6666", "no")],
    )
    found = entries(zotero)
    assert list(found) == ["native", "pinned", "older", "oldest", "made", "FFFF6666"]
    assert found["pinned"].metadata.doi == "10.1000/x.7"


@pytest.mark.parametrize("field", ["citationKey", "better-bibtex"])
def test_a_blank_citation_key_costs_nothing(zotero, field):
    item = zotero.item("AAAA", title="Reeds", **({field: "  "} if field == "citationKey" else {}))
    zotero.item("BBBB", title="Mud", citationKey="mud2020")
    if field == "better-bibtex":
        better_bibtex(zotero.folder, [(1, "AAAA", "  ")])
    assert item
    assert [entry.key for entry in read_library(zotero.folder).entries] == ["AAAA", "mud2020"]


@pytest.mark.parametrize(
    "document",
    ["[[[[", "[1]", "5", '{"data": [1, 2]}', '{"data": null}', "[" * 100_000, '{"data": [{}]}', None],
)
def test_a_table_of_better_bibtex_of_another_form_is_a_problem(zotero, document):
    zotero.item("AAAA", title="Reeds")
    with closing(sqlite3.connect(zotero.folder / "better-bibtex.sqlite")) as db:
        db.execute('CREATE TABLE "better-bibtex" (name, data)')
        db.execute("""INSERT INTO "better-bibtex" VALUES ('better-bibtex.citekey', ?)""", [document])
        db.commit()
    found = read_library(zotero.folder)
    assert [entry.key for entry in found.entries] == ["AAAA"]
    assert len(found.problems) == 1


def test_attachments_are_imported_or_linked_pdfs_and_nothing_else(zotero, tmp_path):
    elsewhere = tmp_path / "elsewhere.pdf"
    elsewhere.write_bytes(pdf(MARSH))
    item = zotero.item("AAAA1111", citationKey="a")
    snapshot = zotero.attach(item, "KEY00001", "page.html", b"<html>", mode=IMPORTED_URL, kind="text/html")
    first = zotero.attach(item, "KEY00002", "first.pdf", pdf("One."), mode=IMPORTED_URL)
    zotero.attach(item, "KEY00003", str(elsewhere), mode=LINKED)
    zotero.attach(item, "KEY00004", "https://example.org/a.pdf", mode=LINKED_URL)
    zotero.attach(item, "KEY00005", "trash.pdf", pdf("Two."), deleted=True)
    assert snapshot.exists()
    assert entries(zotero)["a"].files == (first, elsewhere)


@pytest.mark.parametrize(
    "where", [".zotero/zotero/abc.default", "Library/Application Support/Zotero/Profiles/abc.default"]
)
def test_files_below_the_base_directory_are_found_by_the_preferences_of_the_profile(zotero, tmp_path, where):
    base = tmp_path / 'base "1"'
    profile = tmp_path / "home" / where
    other = tmp_path / "home/.zotero/zotero/zzz.other"
    for folder, data, named in ((profile, zotero.folder, base), (other, tmp_path / "Other", tmp_path / "no")):
        folder.mkdir(parents=True)
        folder.joinpath("prefs.js").write_text(
            'user_pref("extensions.zotero.automaticSnapshots", false);\n'
            f'user_pref("extensions.zotero.dataDir", {json.dumps(str(data))});\n'
            f'user_pref("extensions.zotero.baseAttachmentPath", {json.dumps(str(named))});\n'
        )
    zotero.attach(
        zotero.item("AAAA1111", citationKey="a"), "KEY00001", "attachments:sub/paper.pdf", mode=LINKED
    )
    assert entries(zotero)["a"].files == (base / "sub/paper.pdf",)


@pytest.mark.parametrize("mode", ["DELETE", "WAL"])
def test_it_is_read_while_zotero_holds_it_locked_and_nothing_of_it_is_touched(zotero, mode):
    zotero.item("AAAA1111", citationKey="before")
    with closing(sqlite3.connect(zotero.database, isolation_level=None)) as db:
        db.execute("PRAGMA locking_mode = EXCLUSIVE")
        db.execute(f"PRAGMA journal_mode = {mode}")
        db.execute("BEGIN EXCLUSIVE")
        db.execute("INSERT INTO items (itemTypeID, libraryID, key) VALUES (3, 1, 'BBBB2222')")
        db.execute("COMMIT")
        db.execute("BEGIN EXCLUSIVE")
        db.execute("INSERT INTO items (itemTypeID, libraryID, key) VALUES (3, 1, 'CCCC3333')")
        with (
            closing(sqlite3.connect(f"file:{zotero.database}?mode=ro", uri=True, timeout=0)) as other,
            pytest.raises(sqlite3.OperationalError, match="locked"),
        ):
            other.execute("SELECT 1 FROM items").fetchall()
        files = {
            file.name: (file.stat().st_mtime_ns, file.stat().st_size) for file in zotero.folder.iterdir()
        }
        assert list(entries(zotero)) == ["before", "BBBB2222"]
        assert files == {
            file.name: (file.stat().st_mtime_ns, file.stat().st_size) for file in zotero.folder.iterdir()
        }
        db.execute("COMMIT")
    assert list(entries(zotero)) == ["before", "BBBB2222", "CCCC3333"]


def test_a_half_written_change_is_taken_back_in_the_copy(zotero):
    """A change larger than the cache is on the disk before it is committed, with a journal beside it."""
    zotero.item("AAAA1111", citationKey="before")
    with closing(sqlite3.connect(zotero.database, isolation_level=None)) as db:
        db.execute("PRAGMA cache_size = 2")
        db.execute("BEGIN EXCLUSIVE")
        db.executemany(
            "INSERT INTO itemDataValues (value) VALUES (?)", [(f"{i:05} " * 300,) for i in range(300)]
        )
        assert zotero.database.with_name("zotero.sqlite-journal").stat().st_size > 0
        with copied(zotero.database) as copy:
            assert copy.execute("SELECT count(*) FROM itemDataValues").fetchone() == (1,)
            assert copy.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_copies_of_a_database_that_is_written_meanwhile_are_whole(zotero, monkeypatch):
    monkeypatch.setattr("pipeline.libraries.zotero._PAUSE", 0.01)
    monkeypatch.setattr("pipeline.libraries.zotero._ATTEMPTS", 1000)
    with closing(sqlite3.connect(zotero.database)) as db:
        db.execute("CREATE TABLE pairs (a INT, b INT)")
        db.executemany("INSERT INTO pairs VALUES (0, 0)", [()] * 2000)
        db.commit()
    stop = threading.Event()

    def write():
        with closing(sqlite3.connect(zotero.database)) as db:
            for i in range(100_000):
                if stop.wait(0.02):
                    return
                db.execute("UPDATE pairs SET a = ?, b = ?", (i, i))
                db.commit()

    writer = threading.Thread(target=write)
    writer.start()
    try:
        for _ in range(10):
            with copied(zotero.database) as copy:
                assert copy.execute("SELECT count(DISTINCT a), sum(a <> b) FROM pairs").fetchone() == (1, 0)
                assert copy.execute("PRAGMA quick_check").fetchone() == ("ok",)
    finally:
        stop.set()
        writer.join()


@pytest.mark.parametrize("content", [b"", b"encrypted" * 1000, b"SQLite format 3\0" + b"\xff" * 4000])
def test_what_is_no_database_of_zotero_is_refused_with_a_next_step(tmp_path, content):
    tmp_path.joinpath("zotero.sqlite").write_bytes(content)
    with pytest.raises(
        SourceError, match=r"cannot be read as a Zotero database.*export the library as \.bib"
    ):
        read_library(tmp_path)


def test_the_command_builds_a_data_folder_and_refuses_a_folder_that_is_none(zotero, tmp_path):
    zotero.attach(zotero.item("AAAA1111", citationKey="okafor2019"), "KEY00001", "a.pdf", pdf(MARSH))

    def run(*arguments):
        return pagequote(*arguments, "--corpus", tmp_path / "corpus")

    plan = run("build", "--zotero", zotero.folder, "--plan")
    assert "okafor2019: new" in plan.stdout, plan.stderr
    refused = run("build", "--zotero", tmp_path, "--plan")
    assert refused.returncode == 2
    assert "holds no zotero.sqlite" in refused.stderr
    nothing = run("build")
    assert (nothing.returncode, "Missing argument 'SOURCES...'" in nothing.stderr) == (2, True)


def csl(folder, items):
    path = folder / "library.json"
    path.write_text(items if isinstance(items, str) else json.dumps(items), encoding="utf-8")
    return read_csl_json(path)


def test_csl_json_gives_key_files_and_metadata(tmp_path):
    item = {
        "id": 17,
        "citation-key": "okafor2019",
        "type": "article-journal",
        "title": 'CO<sub>2</sub> <span class="nocase">at</span> night',
        "author": [
            {"family": "Okafor", "given": "Ngozi"},
            {"family": "Berg", "given": "Anna", "non-dropping-particle": "van der"},
            {"literal": "Marsh Consortium"},
            {"family": "King", "given": "Martin", "suffix": "Jr."},
        ],
        "issued": {"date-parts": [["2019", 3]]},
        "DOI": "10.1000/ABC.5",
        "container-title": "J. Marsh Sci.",
        "publisher": "Reed Press",
        "abstract": "At night.",
        "file": "papers/a.pdf",
        "custom": {"file": "/lib/b.pdf"},
        "attachments": [{"path": "notes.html"}, {"path": "c d.pdf"}, "file:///lib/e%20f.pdf"],
    }
    found = csl(tmp_path, [item])
    assert found.problems == ()
    assert found.entries == (
        LibraryEntry(
            "okafor2019",
            (tmp_path / "papers/a.pdf", tmp_path / "c d.pdf", Path("/lib/e f.pdf"), Path("/lib/b.pdf")),
            Metadata(
                title="CO2 at night",
                authors=("Okafor, Ngozi", "van der Berg, Anna", "Marsh Consortium", "King, Martin, Jr."),
                year=2019,
                doi="10.1000/abc.5",
                venue="J. Marsh Sci.",
                abstract="At night.",
            ),
        ),
    )


@pytest.mark.parametrize(
    ("item", "key"),
    [
        ({"id": "doe2020"}, "doe2020"),
        ({"id": "http://zotero.org/users/1/items/ABCD2345"}, "ABCD2345"),
        ({"id": "x", "citation-key": "mu\u0308ller"}, "m\u00fcller"),
        ({"id": 5}, "5"),
    ],
)
def test_a_key_of_csl_json_is_its_citation_key_or_id(tmp_path, item, key):
    assert [entry.key for entry in csl(tmp_path, [item]).entries] == [key]


@pytest.mark.parametrize(
    ("issued", "year"),
    [
        ({"date-parts": [[2019]]}, 2019),
        ({"date-parts": [[]]}, None),
        ({"raw": "c. 1998"}, 1998),
        ({"literal": "in press"}, None),
        ("2019", None),
    ],
)
def test_the_year_of_csl_json(tmp_path, issued, year):
    assert csl(tmp_path, [{"id": "a", "issued": issued}]).entries[0].metadata.year == year


def test_items_of_csl_json_that_are_broken_cost_themselves_alone(tmp_path):
    found = csl(
        tmp_path,
        {
            "items": [
                {"id": "a"},
                {"type": "book"},
                {"id": "a"},
                "text",
                {"id": "b", "author": "X", "title": 5},
            ]
        },
    )
    assert [entry.key for entry in found.entries] == ["a", "b"]
    assert [problem.rpartition("library.json, ")[2].partition(":")[0] for problem in found.problems] == [
        "item 2",
        "item 3, 'a'",
        "item 4",
    ]


@pytest.mark.parametrize(
    "content",
    [
        "",
        "{",
        '"text"',
        '{"config": {}, "items": [{"itemType": "book", "itemID": 1}]}',
        "[1, 2]",
        '{"a": 1}',
        "[" * 100_000,
    ],
)
def test_json_that_is_no_csl_is_refused_with_a_next_step(tmp_path, content):
    with pytest.raises(SourceError, match="CSL JSON"):
        csl(tmp_path, content)


ANYTHING = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters()),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
NAMES = (
    "id",
    "citation-key",
    "title",
    "author",
    "issued",
    "DOI",
    "container-title",
    "abstract",
    "file",
    "attachments",
    "custom",
)


@given(st.lists(st.dictionaries(st.sampled_from(NAMES), ANYTHING), max_size=4))
def test_whatever_an_item_holds_is_read_or_left_out(tmp_path, items):
    items.append({"id": "whole", "issued": {"date-parts": [[2019]]}})
    found = csl(tmp_path, items)
    assert found.entries[-1] == LibraryEntry("whole", (), Metadata(year=2019))
    sources = [
        Source(entry.key, path, "0" * 64, 1, entry.metadata)
        for entry in found.entries
        for path in entry.files
    ]
    write_state(tmp_path / "work", state_of(sources, {}, []))


MENDELEY = r"a{\_}b {\&} caf{\'{e}}.pdf"


@pytest.mark.parametrize(
    ("field", "name"),
    [
        (rf":FOLDER/{MENDELEY}:pdf", "a_b & café.pdf"),
        (rf"FOLDER/{MENDELEY}", "a_b & café.pdf"),
        (r"FOLDER/x\_y\%.pdf", "x_y%.pdf"),
        (r"Full Text:FOLDER/x\:y\;z.pdf:application/pdf;Snapshot:FOLDER/p.html:text/html", "x:y;z.pdf"),
        (r"FOLDER/p.html;FOLDER/only this.pdf", "only this.pdf"),
    ],
)
@pytest.mark.parametrize("slash", ["/", ""])
def test_file_fields_of_other_programs_lead_to_the_files(tmp_path, field, name, slash):
    tmp_path.joinpath(name).write_bytes(pdf(MARSH))
    folder = f"{slash}{str(tmp_path).lstrip('/')}"
    bib = tmp_path / "sub/refs.bib"
    bib.parent.mkdir()
    bib.write_text(f"@article{{key, file = {{{field.replace('FOLDER', folder)}}}}}", encoding="utf-8")
    assert read_bibliography(bib).entries[0].files == (tmp_path / name,)
    assert keys_of(bib) == ["key"]


def test_an_entry_that_breaks_the_contract_costs_itself_alone(tmp_path):
    (tmp_path / "ok.pdf").write_bytes(pdf("A sound paper."))
    items = [
        {"id": "ok", "type": "article", "file": "ok.pdf"},
        {"id": "e", "type": "article", "file": "a\0.pdf"},
    ]
    (tmp_path / "l.json").write_text(json.dumps(items))
    sources, rejected = find_sources([tmp_path / "l.json"])
    assert [source.key for source in sources] == ["ok"]
    assert any("'e': the name of a file has a null character" in one.detail for one in rejected)

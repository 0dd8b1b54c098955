"""PDFs and .bib files in object storage, as sources."""

import pytest

import lookup
from lookup.storage.object_path import ObjectPath
from objectstore.objects import read_pieces, write_object
from pipeline.sources.find_sources import find_sources
from pipeline.storage import object_sources
from tests.support.builds import build as build_all
from tests.support.pdfs import pdf
from tests.support.traffic import asked_for

BIB = """
@article{named2020, title = {A title from the bibliography}, year = {2020}, file = {papers/bee.pdf}}
@article{else2021, title = {Another}, file = {gone.pdf}}
@article{far2022, title = {Elsewhere}, file = {s3://BUCKET/other/far.pdf}}
"""


@pytest.fixture
def library(bucket):
    """A bucket with PDFs, as its address."""
    top = ObjectPath(f"s3://{bucket}")
    for name in (
        "papers/ant.pdf",
        "papers/bee.pdf",
        "papers/deep/er/cat.PDF",
        "papers/.hidden/no.pdf",
        "other/far.pdf",
    ):
        write_object(top / name, pdf(f"A paper about {name}.", "Its second page."))
    write_object(top / "papers/notes.txt", b"no PDF")
    write_object(top / "papers-2/dog.pdf", pdf("A paper about one dog."))
    write_object(top / "library.bib", BIB.replace("BUCKET", bucket).encode())
    return top


def build(tmp_path, *named, bibliographies=()):
    return build_all([str(name) for name in named], tmp_path, bibliographies)


def found(*named):
    sources, rejected = find_sources([str(name) for name in named])
    return {str(source.path).split("/", 3)[3] for source in sources}, rejected


@pytest.mark.parametrize(
    ("named", "expected"),
    [
        ("papers", {"papers/ant.pdf", "papers/bee.pdf", "papers/deep/er/cat.PDF"}),
        ("papers/", {"papers/ant.pdf", "papers/bee.pdf", "papers/deep/er/cat.PDF"}),
        ("papers/ant.pdf", {"papers/ant.pdf"}),
        ("papers/*.pdf", {"papers/ant.pdf", "papers/bee.pdf"}),
        ("papers/**/*.PDF", {"papers/deep/er/cat.PDF"}),
        ("papers/**", {"papers/ant.pdf", "papers/bee.pdf", "papers/deep/er/cat.PDF"}),
        ("papers*/[a-d]??.pdf", {"papers/ant.pdf", "papers/bee.pdf", "papers-2/dog.pdf"}),
        ("papers/.hidden/*.pdf", {"papers/.hidden/no.pdf"}),
    ],
)
def test_an_address_leads_to_an_object_those_below_it_or_those_that_fit_it(library, named, expected):
    assert found(f"{library}/{named}") == (expected, [])


def test_patterns_mean_in_a_bucket_what_they_mean_in_a_folder(library, tmp_path, monkeypatch):
    for name in (
        "papers/ant.pdf",
        "papers/bee.pdf",
        "papers/deep/er/cat.PDF",
        "papers/.hidden/no.pdf",
        "papers-2/dog.pdf",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(name.encode())
    for pattern in ("papers/*", "papers/**", "*/*", "**/*.pdf", "papers/*/*/*", "papers/**/er/*", "p*/.h*/*"):
        here, _ = find_sources([tmp_path / pattern])
        paths = {str(source.path.relative_to(tmp_path)) for source in here}
        there, _ = found(f"{library}/{pattern}")
        assert there - {"other/far.pdf"} == paths, pattern


def test_a_corpus_of_objects_is_that_of_the_same_files(library, tmp_path):
    extraction, _ = build(tmp_path, library / "papers")
    assert (extraction.read, dict(extraction.failures)) == (3, {})
    files = tmp_path / "files"
    for name in ("ant.pdf", "bee.pdf", "deep/er/cat.PDF"):
        (files / name).parent.mkdir(parents=True, exist_ok=True)
        (files / name).write_bytes((library / "papers" / name).read_bytes())
    build_all([files], tmp_path / "2")
    query = "SELECT * FROM paragraphs ORDER BY row_number"
    with lookup.open(tmp_path / "corpus") as objects, lookup.open(tmp_path / "2/corpus") as local:
        assert objects.sql(query).fetchall() == local.sql(query).fetchall()
        paths = [path for (path,) in objects.sql("SELECT path FROM papers ORDER BY key").fetchall()]
    assert paths == [f"{library}/papers/{name}" for name in ("ant.pdf", "bee.pdf", "deep/er/cat.PDF")]


def test_a_bibliography_in_object_storage_names_objects(library):
    sources, rejected = find_sources([f"{library}/library.bib", f"{library}/papers"])
    assert {source.key: source.metadata.title for source in sources} == {
        "ant": None,
        "cat": None,
        "far2022": "Elsewhere",
        "named2020": "A title from the bibliography",
    }
    assert [(one.key, one.reason, str(one.path)) for one in rejected] == [
        ("else2021", "missing file", f"{library}/gone.pdf")
    ]


def test_objects_that_have_not_changed_are_not_fetched(library, tmp_path):
    build(tmp_path, library / "papers")
    asked, (extraction, published) = asked_for(lambda: build(tmp_path, library / "papers"))
    assert (asked.fetched, extraction.read, published.new) == (0, 0, False)


def test_an_object_that_changed_is_read_and_no_other(library, tmp_path):
    build(tmp_path, library / "papers")
    new = pdf("A paper about a changed ant.")
    write_object(library / "papers/ant.pdf", new)
    asked, (extraction, _) = asked_for(lambda: build(tmp_path, library / "papers"))
    assert extraction.read == 1
    assert asked.fetched == 2 * len(new)  # once to know its content, once to read it
    with lookup.open(tmp_path / "corpus") as corpus:
        assert corpus.quote("ant", "A paper about a changed ant").matches[0].verdict == "verbatim"


def test_an_object_that_cannot_be_fetched_costs_itself_alone_and_is_tried_again(
    library, tmp_path, monkeypatch
):
    whole = read_pieces

    def failing(path, size):
        if path.name == "bee.pdf":
            raise OSError(5, "the connection was lost")
        return whole(path, size)

    with monkeypatch.context() as broken:
        broken.setattr(object_sources, "read_pieces", failing)
        extraction, _ = build(tmp_path, library / "papers")
    assert (extraction.read, dict(extraction.failures)) == (2, {"unreadable": 1})
    with lookup.open(tmp_path / "corpus") as corpus:
        ((path, detail),) = corpus.sql("SELECT path, detail FROM failures").fetchall()
    assert path == f"{library}/papers/bee.pdf"
    assert "the connection was lost" in detail
    extraction, _ = build(tmp_path, library / "papers")
    assert (extraction.read, dict(extraction.failures)) == (1, {})

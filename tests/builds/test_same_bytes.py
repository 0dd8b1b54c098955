"""The same input gives the same bytes in the tables, whatever the number of workers and the order of the
files.
"""

import hashlib

import pytest

from pipeline.engines.local import Local
from tests.support.builds import build

pytestmark = [pytest.mark.system, pytest.mark.usefixtures("reports")]

UNTIMED = ("papers", "pages", "paragraphs", "sentences", "vectors")


def tables(folder, sources, bibliography, model, workers=0, of=UNTIMED):
    """By name, the hashes of the Parquet files of a corpus that so many workers or none have built."""
    build(sources, folder, [bibliography], model, engine=Local(workers) if workers else None)
    release = (folder / "corpus" / "current").resolve()
    files = [
        path for name in of for path in [*release.glob(f"{name}.parquet"), *release.glob(f"{name}/*.parquet")]
    ]
    assert {path.relative_to(release).parts[0].removesuffix(".parquet") for path in files} == set(of)
    return {
        str(path.relative_to(release)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(files)
    }


@pytest.mark.long
def test_workers_and_order_change_no_byte(samples, model, tmp_path, monkeypatch):
    monkeypatch.setattr("pipeline.publish.parts.PAPERS_A_PART", 2)
    bibliography = samples / "samples.bib"
    pdfs = sorted(samples.rglob("*.pdf"))
    once = tables(tmp_path / "one", [samples], bibliography, model, workers=1)
    again = tables(tmp_path / "many", [pdfs[-1], samples, pdfs[0]], bibliography, model, workers=3)
    assert once == again
    assert len(once) > len(UNTIMED)


@pytest.mark.long
def test_a_corpus_that_grew_has_the_bytes_of_one_built_at_once(samples, model, tmp_path, monkeypatch):
    monkeypatch.setattr("pipeline.publish.parts.PAPERS_A_PART", 2)
    bibliography = samples / "samples.bib"
    pdfs = sorted(samples.rglob("*.pdf"))
    tables(tmp_path / "grown", pdfs[::2], bibliography, None)
    grown = tables(tmp_path / "grown", pdfs, bibliography, model)
    assert grown == tables(tmp_path / "at once", pdfs, bibliography, model)

"""What a row of `papers` needs of each extraction, in one file: a small build opens few extractions."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from lookup.release.schema import PAGES
from pipeline.publish.kept_records import read_kept
from pipeline.publish.paper_versions import LINKING, arxiv_stamp, identities, linked
from pipeline.records import METADATA, table_of
from pipeline.sources.article_texts import TEXT
from pipeline.work.extraction_cache import read_record, record_digest, records_folder, write_record

_FILE = "summaries.arrow"

_SUMMARY = pa.struct(
    [
        pa.field("metadata", METADATA),
        pa.field("pages", pa.int32()),
        pa.field("empty_pages", pa.int32()),
        pa.field("paragraphs", pa.int32()),
        pa.field("extractor", pa.string()),
        pa.field("arxiv", pa.string()),
    ]
)

_KEPT = pa.schema(
    [pa.field("digest", pa.string()), pa.field("summary", _SUMMARY)],
    metadata={"linking": str(LINKING)},  # the version of the rules for arXiv's stamp
)


@dataclass(frozen=True)
class Summary:
    """The document's own metadata, its size, and the identifier in arXiv's stamp."""

    metadata: Mapping[str, Any]
    pages: int
    empty_pages: int
    paragraphs: int
    extractor: str
    arxiv: str | None


def summary_of(record: pa.RecordBatch) -> Summary:
    """Return the summary of an extraction."""
    page_sources = table_of(record, PAGES)["source"].to_pylist()
    return Summary(
        metadata=record.column("metadata")[0].as_py(),
        pages=len(page_sources),
        empty_pages=page_sources.count("empty"),
        paragraphs=len(record.column("paragraphs")[0]),
        extractor=record.column("extractor")[0].as_py(),
        arxiv=arxiv_stamp(record),
    )


class Summaries:
    """The summaries of the extractions in `work` by this extractor, by the digest of each extraction."""

    def __init__(self, work: Path, extractor: str) -> None:
        self._work = work
        self._folder = records_folder(work, extractor)
        self._before = _read(self._folder / _FILE)
        self._now: dict[str, Mapping[str, Any]] = {}

    def known(self, name: str) -> Summary | None:
        """Return the summary of the extraction with this name; None where the extraction has to be opened."""
        digest = record_digest(self._folder / name)
        if digest is None or digest not in self._before:
            return None
        self._now[digest] = self._before[digest]
        return Summary(**self._before[digest])

    def add(self, name: str, record: pa.RecordBatch) -> Summary:
        """Add and return the summary of an extraction that was opened."""
        summary = summary_of(record)
        if (digest := record_digest(self._folder / name)) is not None:
            self._now[digest] = vars(summary)
        return summary

    def keep(self) -> None:
        """Write the summaries that were used, for the next build."""
        if self._now.keys() == self._before.keys():
            return
        rows = [{"digest": digest, "summary": dict(self._now[digest])} for digest in sorted(self._now)]
        write_record(self._folder / _FILE, pa.RecordBatch.from_pylist(rows, _KEPT), self._work)


def _read(path: Path) -> dict[str, Mapping[str, Any]]:
    """Return the summaries by digest; none where the file is missing, or made by other rules."""
    kept = read_record(path)
    if kept is None or kept.schema.metadata != _KEPT.metadata:
        return {}
    return {row["digest"]: row["summary"] for row in kept.to_pylist()}


def paper_rows(sources: Sequence[dict[str, Any]], work: Path, extractor: str) -> list[dict[str, Any]]:
    """Return the rows of `papers` for these rows of the state. Raise DamagedCacheError."""
    summaries = Summaries(work, extractor)
    papers: list[dict[str, Any]] = []
    works: dict[str, frozenset[str]] = {}
    for source in sources:
        name = source["record"]
        summary = summaries.known(name)
        if summary is None:
            summary = summaries.add(name, read_kept(work, extractor, name))
        papers.append(_paper(source, summary))
        works[source["key"]] = identities(papers[-1], summary.arxiv)
    summaries.keep()
    versions = linked(works)
    return [paper | {"versions": versions[paper["key"]]} for paper in papers]


def _paper(source: dict[str, Any], summary: Summary) -> dict[str, Any]:
    """Return a row of `papers`: the library's metadata first, then the document's own."""
    marked = not summary.pages or TEXT in summary.extractor
    return {
        **summary.metadata,
        **{name: value for name, value in source.items() if value},
        "pages": summary.pages,
        "empty_pages": summary.empty_pages,
        "paragraphs": summary.paragraphs,
        "status": "covered" if summary.empty_pages < summary.pages or marked else "not covered",
        "extractor": summary.extractor,
    }

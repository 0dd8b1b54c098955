"""What a row of `papers` needs of each extraction, kept with that row: a small build opens few extractions.

There is a file for each shard, one for a release in one piece.
"""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa

from lookup.release.current import LAYOUT, WITHOUT_TEXT
from lookup.release.schema import PAGES, PAPERS
from pipeline.publish.paper_versions import LINKING, arxiv_stamp
from pipeline.records import METADATA, arrow_schema, table_of
from pipeline.work.extraction_cache import read_record, records_folder

_FILES = "papers-*.arrow"

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

VERSIONS = "versions"  # The column of `papers` that is about other papers, too.
_ROWS = 1  # Version of what is kept; raised when the same sources give other rows.

_RULES = {b"rules": f"{_ROWS} {LINKING} {LAYOUT}".encode()}

KEPT = pa.schema(
    [
        pa.field("key", pa.string()),
        pa.field("digest", pa.string()),  # of the extraction
        pa.field("source", pa.string()),  # hash of the row of the state
        pa.field("summary", _SUMMARY),
        pa.field("paper", pa.struct([one for one in arrow_schema(PAPERS) if one.name != VERSIONS])),
        pa.field("identities", pa.list_(pa.uint64())),  # as `paper_versions` hashes them
    ],
    metadata=_RULES,
)

_MADE_OF = b"rows"  # The metadata that has the hash of the rows of the state that all of it was made of.


def summary_of(record: pa.RecordBatch) -> dict[str, Any]:
    """Return the document's own metadata, its size, and the identifier in arXiv's stamp, as in KEPT."""
    page_sources = table_of(record, PAGES)["source"].to_pylist()
    return {
        "metadata": record.column("metadata")[0].as_py(),
        "pages": len(page_sources),
        "empty_pages": sum(map(page_sources.count, WITHOUT_TEXT)),
        "paragraphs": len(record.column("paragraphs")[0]),
        "extractor": record.column("extractor")[0].as_py(),
        "arxiv": arxiv_stamp(record),
    }


def known_summaries(work: Path, extractor: str) -> dict[str, dict[str, Any]]:
    """Return summaries by the digest of their extraction, as the last releases left them."""
    known: dict[str, dict[str, Any]] = {}
    for path in kept_papers_files(work, extractor):
        if (kept := read_kept_papers(path)) is not None:
            known |= zip(kept["digest"].to_pylist(), kept["summary"].to_pylist(), strict=True)
    return known


def kept_papers_files(work: Path, extractor: str) -> list[Path]:
    """Return the paths of all that is KEPT."""
    return sorted(records_folder(work, extractor).glob(_FILES))


def kept_papers_file(work: Path, extractor: str, shard: int) -> Path:
    """Return the path of what is KEPT of the papers of a shard."""
    return records_folder(work, extractor) / _FILES.replace("*", f"{shard:03d}")


def read_kept_papers(
    path: Path, rows: str | None = None, columns: Sequence[str] = KEPT.names
) -> pa.RecordBatch | None:
    """Return these columns of what is KEPT at `path`, sorted by key.

    None where it is missing, damaged or made by other rules, or of rows of the state with another hash than
    `rows`.
    """
    kept = read_record(path, [KEPT.names.index(name) for name in columns])
    wanted = pa.schema([KEPT.field(name) for name in columns])
    if (
        kept is None
        or not kept.schema.equals(wanted)
        or (kept.schema.metadata or {}).items() < _RULES.items()
    ):
        return None
    return kept if rows in (None, kept.schema.metadata[_MADE_OF].decode()) else None


def made_of(rows: str, papers: pa.RecordBatch) -> pa.RecordBatch:
    """Return KEPT `papers` as those of the rows of the state with this hash."""
    return papers.replace_schema_metadata(_RULES | {_MADE_OF: rows.encode()})

"""What a row of `papers` needs of an extraction, kept in the state: a small build opens few extractions."""

import json
import re
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from lookup.release.current import WITHOUT_TEXT
from lookup.release.schema import PAGES, PARAGRAPHS
from pipeline.extractor import EXTRACTOR
from pipeline.libraries.entries import ARXIV
from pipeline.records import table_of

_FORM = 1  # Version of what is kept; raised when the same extraction gives another summary.

SUMMARISED = f"{EXTRACTOR} {_FORM}"
"""The versions of what a summary is made by."""


def summary_of(record: pa.RecordBatch) -> str:
    """Return the document's own metadata, its size, and the identifier in arXiv's stamp, as JSON."""
    page_sources = table_of(record, PAGES)["source"].to_pylist()
    return json.dumps(
        {
            "metadata": record.column("metadata")[0].as_py(),
            "pages": len(page_sources),
            "empty_pages": sum(map(page_sources.count, WITHOUT_TEXT)),
            "paragraphs": len(record.column("paragraphs")[0]),
            "extractor": record.column("extractor")[0].as_py(),
            "arxiv": _arxiv_stamp(record),
        },
        ensure_ascii=False,
    )


def kept_summary(row: dict[str, Any]) -> str | None:
    """Return the summary in a row of the state; None without one that was made by these versions."""
    summary: str | None = row["summary"] if row.get("summarised") == SUMMARISED else None
    return summary


_STAMP = re.compile(rf"arXiv:{ARXIV}\s*\[")


def _arxiv_stamp(record: pa.RecordBatch) -> str | None:
    """Return the identifier in arXiv's stamp, a paragraph of its own in the margin of the first page."""
    rows = table_of(record, PARAGRAPHS).select(["page", "hidden", "text"])
    printed = pc.and_(pc.equal(rows["page"], 1), pc.invert(rows["hidden"]))
    rows = rows.filter(pc.and_(printed, pc.starts_with(rows["text"], "arXiv:")))
    found = (_STAMP.match(text) for text in rows["text"].to_pylist())
    return next((match[1] for match in found if match), None)

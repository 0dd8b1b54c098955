"""What the PDFs that were read print of themselves, from the work folder."""

from collections.abc import Mapping
from pathlib import Path

from lookup.release.schema import PARAGRAPHS
from lookup.text.folding import blind
from pipeline.extractor import EXTRACTOR
from pipeline.publish.summaries import Summaries, summary_of
from pipeline.records import table_of
from pipeline.sources.added import metadata_of
from pipeline.sources.match_entries import Printed
from pipeline.work.extraction_cache import read_record, records_folder

_FRONT_PAGES = 2  # Pages on which a title stands: the first, or the one after a publisher's cover.


def printed_in(work: Path, records: Mapping[str, str]) -> dict[str, Printed]:
    """Return what the extractions print of their papers, both by SHA-256; damaged ones are left out.

    `records` are names of extractions.
    """
    if not records:
        return {}
    summaries = Summaries(work, EXTRACTOR)
    folder = records_folder(work, EXTRACTOR)
    printed = {}
    for sha256, name in records.items():
        summary = summaries.known(name)
        whole = summary is not None and summary.metadata["title"] and summary.metadata["authors"]
        record = None if whole else read_record(folder / name)
        if summary is None and record is not None:
            summary = summary_of(record)
        if summary is None:
            continue
        metadata = metadata_of(dict(summary.metadata))
        front = ""
        if record is not None and not (metadata.title and metadata.authors):
            rows = table_of(record, PARAGRAPHS).select(["page", "text_norm"]).to_pylist()
            front = "".join(blind(row["text_norm"]) for row in rows if row["page"] <= _FRONT_PAGES)
        printed[sha256] = Printed(metadata, summary.arxiv, summary.pages, front)
    return printed

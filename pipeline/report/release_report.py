"""The report of a release: its content, failures, costs and growth, as JSON.

The file is in the release's folder, beside the tables: it holds measured times, which differ from build to
build.
"""

from collections.abc import Mapping, Sequence
from contextlib import closing
from pathlib import Path
from typing import Any

from lookup.errors import PageQuoteError
from lookup.release.current import Release
from lookup.release.database import Database
from lookup.text.printable import json_text
from pipeline.files.atomic import write_new
from pipeline.releases.release_diff import compare_releases
from pipeline.work.journal import JournalEntry
from pipeline.work.state import SOURCES_FILE

REPORT = "report.json"

_LISTED = 50  # Papers that a list of the report names, at most; `count` is the number of all.

_LISTS = {
    "pages_without_text": """
        SELECT {key: key, empty_pages: empty_pages, pages: pages, status: status} AS one
        FROM papers WHERE empty_pages > 0 ORDER BY empty_pages DESC, key""",
    "pages_hard_to_read": """
        SELECT {source: source, key: key, pages: list(page ORDER BY page)} AS one
        FROM pages WHERE source IN ('lines', 'unreadable') GROUP BY source, key ORDER BY source, key""",
    "same_bytes": """
        SELECT list(key ORDER BY key) AS one FROM papers GROUP BY sha256 HAVING count(*) > 1 ORDER BY one""",
    "versions": """
        SELECT list_prepend(key, versions) AS one FROM papers WHERE key < list_min(versions) ORDER BY key""",
}
"""The lists of papers of a report, each in the order in which the first are named."""

_COUNTED = f"""
    SELECT (SELECT count(*) FROM them) AS count,
        (SELECT coalesce(list(one), []) FROM (SELECT one FROM them LIMIT {_LISTED})) AS first"""

_FAILURES = f"""
    SELECT stage, reason, count(*) AS count, first(detail ORDER BY path, key) AS what_to_do,
        list({{path: path, key: key, detail: detail}} ORDER BY path, key)[:{_LISTED}] AS first
    FROM failures GROUP BY stage, reason ORDER BY count DESC, stage, reason"""
"""The failures by stage and reason, the most frequent first, with examples; of the first, what to do."""

_SLOWEST = """
    SELECT path, min(key) AS key, round(max(seconds), 2) AS seconds
    FROM (SELECT papers.path, key, read.seconds FROM read_parquet(?) read JOIN papers USING (key)
        UNION ALL SELECT path, NULL, seconds FROM failures WHERE seconds > 0)
    WHERE seconds IS NOT NULL GROUP BY path ORDER BY max(seconds) DESC, path LIMIT 10"""
"""The PDFs that took longest, whenever they were read or failed."""

_GROWTH = 400  # Releases over which growth is shown: a year of nights.

_BUILDS = 30


def write_report(
    folder: Path,
    manifest: Mapping[str, Any],
    work: Path,
    stages: Mapping[str, Mapping[str, Any]],
    previous: Release | None,
    builds: Sequence[JournalEntry],
    *,
    damaged: bool = False,
) -> None:
    """Write the report into the `folder` of a release; if `damaged`, the previous release is not opened.

    `work` has the state, `stages` the figures of each stage, `builds` the builds before this one. The
    database makes the lists of papers: only what is shown of them is held here.
    """
    with closing(Database(Release(folder, dict(manifest)))) as database:

        def rows(query: str, params: Sequence[Any] = ()) -> list[dict[str, Any]]:
            found = database.sql(query, params)
            return [dict(zip(found.columns, row, strict=True)) for row in found]

        pages = rows("SELECT source, count(*) AS count FROM pages GROUP BY ALL ORDER BY source NULLS FIRST")
        covered = rows("SELECT count_if(status = 'not covered') AS lacking FROM papers")
        report = {
            "release": manifest["release"],
            "created": manifest["created"],
            "previous": previous.name if previous else None,
            "extractor": manifest["extractor"],
            "model": manifest["model"],
            "sparse_model": (manifest.get("search") or {}).get("terms"),
            "rows": manifest["rows"],
            "not_covered": covered[0]["lacking"],
            "pages_by_source": {row["source"]: row["count"] for row in pages},
            **{name: rows(f"WITH them AS ({query}) {_COUNTED}")[0] for name, query in _LISTS.items()},
            "failures": rows(_FAILURES),
            "slowest": rows(_SLOWEST, [str(work / SOURCES_FILE)]),
        }
    report["changes"] = (
        {"unknown": f"It cannot be compared with {previous.name!r}, files of which are damaged."}
        if previous and damaged
        else _changes(previous, folder)
    )
    report["stages"] = {stage: dict(figures) for stage, figures in stages.items()}
    report["seconds"] = round(sum(figures.get("seconds", 0.0) for figures in stages.values()), 2)
    published = [one for one in builds if one.outcome == "published"]
    report["growth"] = [
        *(_point(one.release, one.began, one.rows, one.seconds) for one in published[1 - _GROWTH :]),
        _point(manifest["release"], manifest["created"], manifest["rows"], report["seconds"]),
    ]
    report["builds"] = [
        {"began": one.began, "outcome": one.outcome, "seconds": one.seconds, "message": one.message}
        for one in builds[-_BUILDS:]
    ]
    write_new(folder / REPORT, json_text(report, indent=1) + "\n")


def _listed(items: Sequence[Any]) -> dict[str, Any]:
    return {"count": len(items), "first": list(items[:_LISTED])}


def _changes(previous: Release | None, folder: Path) -> dict[str, Any] | None:
    if previous is None:
        return None
    try:
        difference = compare_releases(previous.folder, folder)
    except PageQuoteError as error:
        return {"unknown": str(error)}  # a damaged release must not stop those after it
    return {
        "added": _listed(difference.added),
        "changed": _listed([one.key for one in difference.changed]),
        "gone": _listed(difference.gone),
        "renamed": _listed([list(pair) for pair in difference.renamed]),
        "paragraphs_added": sum(one.paragraphs_added for one in difference.changed),
        "paragraphs_gone": sum(one.paragraphs_gone for one in difference.changed),
    }


def _point(release: str | None, when: str, rows: Mapping[str, int], seconds: float) -> dict[str, Any]:
    counted = {name: rows.get(name, 0) for name in ("papers", "pages", "paragraphs", "vectors", "failures")}
    return {"release": release, "created": when, **counted, "seconds": seconds}

"""The report of a release as one page: no script, nothing fetched, light or dark as its reader's screen is.

Whatever comes from PDFs, .bib files or file names is escaped, and the page's own policy forbids it to do anything.
"""

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

from pipeline.report.charts import Series, bar_chart, line_chart, number

_STYLE = """
:root { color-scheme: light dark; --ink: #1c1e21; --soft: #62676d; --paper: #fff; --card: #f4f5f7; --rule: #d9dce0;
  --c1: #2563a8; --c2: #b4561c; --bad: #b3261e; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e7e9; --soft: #9aa0a6; --paper: #16181b; --card: #202327;
  --rule: #383c42; --c1: #7db2ec; --c2: #eba06c; --bad: #f2867e; } }
body { margin: 2rem auto; max-width: 60rem; padding: 0 1rem; background: var(--paper); color: var(--ink);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.4rem; margin-bottom: 0; } h2 { font-size: 1.1rem; margin-top: 2.2rem; }
p.sub, .legend, caption, details summary { color: var(--soft); }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(8rem, 1fr)); gap: .7rem; padding: 0; list-style: none; }
.tiles li { background: var(--card); border-radius: .5rem; padding: .6rem .8rem; }
.tiles b { display: block; font-size: 1.35rem; font-variant-numeric: tabular-nums; } .tiles .bad b { color: var(--bad); }
table { border-collapse: collapse; width: 100%; } td, th { text-align: left; padding: .3rem .6rem .3rem 0; vertical-align: top;
  border-bottom: 1px solid var(--rule); overflow-wrap: anywhere; } td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; }
svg { width: 100%; height: auto; max-width: 44rem; } svg text { fill: var(--soft); font-size: 12px; }
svg .end { text-anchor: end; } svg .middle { text-anchor: middle; } svg .grid { stroke: var(--rule); }
polyline { fill: none; stroke-width: 2; } polyline.c1 { stroke: var(--c1); } polyline.c2 { stroke: var(--c2); }
rect.c1, circle.c1 { fill: var(--c1); } circle.c2 { fill: var(--c2); }
.legend span { margin-right: 1.2rem; } .legend .c1 { color: var(--c1); } .legend .c2 { color: var(--c2); }
"""

_BAD = ' class="bad"'
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def report_page(report: Mapping[str, Any]) -> str:
    """The page for what `release_report.gather` found."""
    name = escape(report["release"])
    sections = [
        _tiles(report),
        _section("Since the release before", _changes(report["changes"], report["previous"])),
        _section("What could not be read", _failures(report["failures"])),
        _section("Pages without text", _without_text(report)),
        _section("Growth", _growth(report["growth"])),
        _section("Seconds of this build, by stage", _stages(report["stages"])),
        _section("Slowest PDFs, whenever they were read", _slowest(report["slowest"])),
        _section(
            "Versions of one work", _groups(report["versions"], "Linked in papers.versions, not merged.")
        ),
        _section("The same file under several keys", _groups(report["same_bytes"], "Read once.")),
        _section("Builds before this one", _builds(report["builds"])),
    ]
    return (
        f'<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>PageQuote: {name}</title>\n<style>{_STYLE}</style>\n</head>\n<body>\n"
        f'<h1>Release {name}</h1>\n<p class="sub">{_subtitle(report)}</p>\n'
        + "\n".join(filter(None, sections))
        + "\n</body>\n</html>\n"
    )


def _subtitle(report: Mapping[str, Any]) -> str:
    model = f"vectors of {report['model']}" if report["model"] else "no vectors"
    return escape(f"Published {report['created']}, extractor {report['extractor']}, {model}.")


def _tiles(report: Mapping[str, Any]) -> str:
    rows, failures = report["rows"], sum(one["count"] for one in report["failures"])
    tiles = [
        (name, rows[name], False)
        for name in ("papers", "pages", "paragraphs", "sentences", "vectors")
        if name != "vectors" or report["model"]
    ]
    tiles += [
        ("pages by OCR", report["pages_by_source"].get("ocr", 0), False),
        ("papers without text", report["not_covered"], True),
        ("failures", failures, True),
    ]
    items = (
        f"<li{_BAD if bad and count else ''}><b>{number(count)}</b>{name}</li>" for name, count, bad in tiles
    )
    return f'<ul class="tiles">{"".join(items)}</ul>'


def _changes(changes: Mapping[str, Any] | None, previous: str | None) -> str:
    if changes is None:
        return "<p>It is the first of this corpus that can be compared.</p>"
    if "unknown" in changes:
        return f"<p>{escape(changes['unknown'])}</p>"
    rows = [
        (word, changes[word]["count"], ", ".join(map(_shown, changes[word]["first"])))
        for word in ("added", "changed", "gone", "renamed")
    ]
    more, fewer = number(changes["paragraphs_added"]), number(changes["paragraphs_gone"])
    text = f"Compared with {previous}. In the changed papers {more} paragraphs are new, {fewer} are gone."
    return f"<p>{escape(text)}</p>" + _table(("papers", "#", "keys"), rows)


def _failures(failures: Sequence[Mapping[str, Any]]) -> str:
    if not failures:
        return "<p>Nothing: all sources are papers.</p>"
    rows = [(one["reason"], one["count"], one["stage"], one["what_to_do"]) for one in failures]
    chart = bar_chart("Failures by reason", [(one["reason"], one["count"]) for one in failures])
    details = "".join(
        f"<details><summary>{escape(one['reason'])}: {_first(one['first'], one['count'])}</summary>"
        + _table(
            ("key", "file", "what happened"),
            [(row["key"], row["path"], row["detail"]) for row in one["first"]],
        )
        + "</details>"
        for one in failures
    )
    return chart + _table(("reason", "#", "stage", "what to do"), rows) + details


def _without_text(report: Mapping[str, Any]) -> str:
    found = report["pages_without_text"]
    if not found["count"]:
        return "<p>None.</p>"
    rows = [(row["key"], row["empty_pages"], f"of {row['pages']}", row["status"]) for row in found["first"]]
    text = (
        "Nothing can be quoted from them: they are blank, or scans. Scans are read where Tesseract is installed "
        f"(and --ocr is not off). {_first(found['first'], found['count'])}."
    )
    return f"<p>{escape(text)}</p>" + _table(("key", "#", "pages", "status"), rows)


def _growth(growth: Sequence[Mapping[str, Any]]) -> str:
    places = [point["created"][:10] for point in growth]
    papers = [Series(name, [point[name] for point in growth]) for name in ("papers", "failures")]
    seconds = [Series("seconds a build", [point["seconds"] for point in growth])]
    return line_chart("Papers and failures by release", places, papers) + line_chart(
        "Seconds a build took, by release", places, seconds
    )


def _stages(stages: Mapping[str, Mapping[str, Any]]) -> str:
    bars = [(stage, float(figures.get("seconds", 0.0))) for stage, figures in stages.items()]
    return bar_chart("Seconds by stage", bars, "s")


def _slowest(slowest: Sequence[Mapping[str, Any]]) -> str:
    if not slowest:
        return "<p>Nothing was timed yet.</p>"
    bars = [("…/" + "/".join(one["path"].split("/")[-2:]), one["seconds"]) for one in slowest]
    rows = [(one["path"], one["seconds"]) for one in slowest]
    return bar_chart("Seconds that the slowest PDFs took", bars, "s") + _table(("file", "#"), rows)


def _groups(found: Mapping[str, Any], text: str) -> str:
    if not found["count"]:
        return ""
    items = "".join(f"<li>{escape(', '.join(keys))}</li>" for keys in found["first"])
    return f"<p>{escape(text)} {_first(found['first'], found['count'])}.</p><ul>{items}</ul>"


def _builds(builds: Sequence[Mapping[str, Any]]) -> str:
    rows = [(one["began"], one["seconds"], one["outcome"], one["message"]) for one in reversed(builds)]
    return _table(("began", "#", "ended", "why"), rows) if rows else ""


def _section(title: str, content: str) -> str:
    return f"<h2>{escape(title)}</h2>\n{content}" if content else ""


def _first(shown: Sequence[Any], count: int) -> str:
    return f"{number(count)}" if len(shown) == count else f"the first {len(shown)} of {number(count)}"


def _shown(item: Any) -> str:
    return item if isinstance(item, str) else " → ".join(item)


def _table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """A table; numbers are set to the right."""
    numeric = [bool(rows) and not isinstance(cell, str) for cell in (rows[0] if rows else head)]
    marks = [' class="n"' if one else "" for one in numeric]
    top = "".join(f"<th{mark}>{escape(cell)}</th>" for cell, mark in zip(head, marks, strict=True))
    body = "".join(
        "<tr>"
        + "".join(
            f"<td{mark}>{escape(cell) if isinstance(cell, str) else number(cell)}</td>"
            for cell, mark in zip(row, marks, strict=True)
        )
        + "</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{top}</tr></thead><tbody>{body}</tbody></table>"

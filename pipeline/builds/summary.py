"""The report of a build at its end, for people and for programs."""

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import Any

from lookup.results.answer import counted
from pipeline.builds.embed_sentences import figures as embedding_figures
from pipeline.builds.extract_sources import Extraction
from pipeline.builds.extract_sources import figures as extraction_figures
from pipeline.embedding.last_embedding import Embedding
from pipeline.publish.publish import Published


def metrics(extraction: Extraction | None, published: Published, seconds: float) -> dict[str, Any]:
    """Return the figures of a build, for JSON."""
    figures: dict[str, Any] = {
        "release": published.release.name,
        "new": published.new,
        "rows": published.rows,
        "seconds": round(seconds, 2),
    }
    if extraction is not None:
        figures["extracted"] = extraction_figures(extraction)
    embedding = published.embedding
    if embedding is not None and embedding.model is not None:
        figures["embedded"] = embedding_figures(embedding)
    return figures


def summary(extraction: Extraction, published: Published, seconds: float, why: str = "") -> str:
    """Return the same as a few lines of text; `why` says why there is no model."""
    rows = published.rows
    lines = [
        ", ".join(
            counted(rows[table], table[:-1]) for table in ("papers", "pages", "paragraphs", "sentences")
        ),
        _extracted(extraction),
    ]
    if published.embedding is not None:
        lines.append(embedded(published.embedding, why))
    if extraction.unread_papers:
        pages = f" ({counted(extraction.unread, 'page')} of those just read)" if extraction.unread else ""
        papers = counted(extraction.unread_papers, "paper")
        need = f"{papers} with scanned pages that only OCR can read{pages}"
        lines.append(f"not covered in whole: {need}. {extraction.remedy}")
    if extraction.in_lines:
        pages = counted(extraction.in_lines, "page")
        which = "pagequote sql \"FROM pages WHERE source = 'lines'\""
        lines.append(f"kept as lines, not as paragraphs: {pages} ({which})")
    for detail, count in extraction.wrong_language.items():
        lines.append(f"{counted(count, 'paper')} in a wrong language: {detail}")
    if extraction.failures:
        reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(extraction.failures.items()))
        failures = counted(sum(extraction.failures.values()), "failure")
        lines.append(f'{failures}: {reasons} (pagequote sql "FROM failures")')
    named = extraction.named
    if entries := named.with_pdf + len(named.without_pdf):
        line = f"{named.with_pdf} of {entries} entries have a PDF"
        if named.without_pdf:
            line += f"; without: {_some(named.without_pdf)}"
        if named.without_entry:
            which = 'pagequote sql "FROM papers WHERE library IS NULL"'
            unknown = counted(len(named.without_entry), "PDF")
            line += f"; {unknown} no entry knows: {_some(named.without_entry)} ({which})"
        lines.append(line)
    if rekeyed := extraction.changes["rekeyed"]:
        papers = counted(rekeyed, "paper")
        lines.append(f"{papers} with another key than before; the same libraries (--bib) keep the keys")
    lines += [f"the same file under several keys: {', '.join(keys)}" for keys in extraction.same_bytes]
    state = published.state if published.new else f"{published.state}, still current:"
    lines.append(f"{state} {published.release.name} in {seconds:.1f} s")
    return "\n".join(lines)


def one_line(extraction: Extraction, published: Published, seconds: float, ended: datetime) -> str:
    """Return the same as one line, which begins with when it `ended`, for the log of nightly builds."""
    rows, changes = published.rows, extraction.changes
    what = published.state if published.new else f"{published.state},"
    counts = [
        f"{changes[change]} {change}"
        for change in ("new", "changed", "renamed", "moved", "rekeyed", "metadata", "gone")
        if changes[change]
    ]
    failed = sum(extraction.failures.values())
    changed = f" ({', '.join(counts)})" if counts else ""
    tried = f" ({extraction.new_failures} tried now)" if failed else ""
    embedding = published.embedding
    lacking = f" ({embedding.lacking} lacking)" if embedding and embedding.lacking else ""
    parts = [
        f"{counted(rows['papers'], 'paper')}{changed}",
        *([f"{rows['vectors'] or 'no'} vectors{lacking}"] if rows["vectors"] or published.new else []),
        f"{extraction.read} read",
        f"{counted(failed, 'failure')}{tried}",
        f"{seconds:.1f} s",
    ]
    time = ended.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    return f"{time} pagequote: {what} {published.release.name}: {', '.join(parts)}"


def embedded(embedding: Embedding, why: str = "") -> str:
    """Return a line on the second stage; `why` says why it has no model."""
    if embedding.model is None:
        return why or "no vectors, as --model none says"
    if why:
        return f"{why} {counted(embedding.lacking, 'sentence')} without a vector."
    if not embedding.new:
        return f"nothing new to embed ({embedding.model})"
    seconds = embedding.seconds
    rate = f"{embedding.new / seconds:.0f} sentences and {embedding.tokens / seconds:.0f} tokens a second"
    return f"embedded {counted(embedding.new, 'sentence')} in {seconds:.1f} s ({rate}, {embedding.model})"


def _extracted(extraction: Extraction) -> str:
    if not extraction.read:
        return "nothing new to read"
    if not extraction.pages:  # of markup alone
        return f"read {counted(extraction.read, 'source')} without pages in {extraction.seconds:.1f} s"
    rate = extraction.pages / extraction.seconds
    speed = f"{rate:.0f} pages a second" if rate >= 2 else f"{1 / rate:.1f} s a page"
    read = f"{counted(extraction.read, 'PDF')}, {counted(extraction.pages, 'page')}"
    by_ocr = f", {extraction.by_ocr} of them by OCR," if extraction.by_ocr else ""
    return f"read {read}{by_ocr} in {extraction.seconds:.1f} s ({speed})"


_NAMED = 5  # Keys that a line names.


def _some(keys: Sequence[str]) -> str:
    more = f" and {len(keys) - _NAMED} more" if len(keys) > _NAMED else ""
    return ", ".join(keys[:_NAMED]) + more

"""The closing words of a build, for people and for programs."""

from typing import Any

from pipeline.build import Extraction
from pipeline.embed import Embedding
from pipeline.publish import Published


def metrics(extraction: Extraction | None, published: Published, seconds: float) -> dict[str, Any]:
    """What a build did, as JSON has it."""
    figures: dict[str, Any] = {
        "release": published.release.name,
        "new": published.new,
        "rows": published.rows,
        "seconds": round(seconds, 2),
    }
    if extraction is not None:
        figures["extracted"] = {
            "papers": extraction.read,
            "pages": extraction.pages,
            "seconds": round(extraction.seconds, 2),
            "pages_a_second": round(extraction.pages / extraction.seconds, 1) if extraction.pages else None,
            "pages_by_ocr": extraction.by_ocr,
            "pages_for_ocr": extraction.by_ocr + extraction.unread,
            "failures": dict(sorted(extraction.failures.items())),
            "same_bytes": [list(keys) for keys in extraction.same_bytes],
        }
    embedding = published.embedding
    if embedding is not None and embedding.model is not None:
        figures["embedded"] = {
            "model": embedding.model,
            "sentences": embedding.sentences,
            "new": embedding.new,
            "tokens": embedding.tokens,
            "seconds": round(embedding.seconds, 2),
        }
    return figures


def summary(extraction: Extraction, published: Published, seconds: float) -> str:
    """The same in a few lines."""
    rows = published.rows
    lines = [
        ", ".join(
            _counted(rows[table], table[:-1]) for table in ("papers", "pages", "paragraphs", "sentences")
        ),
        _extracted(extraction),
    ]
    if published.embedding is not None:
        lines.append(embedded(published.embedding))
    if extraction.unread_papers:
        lines.append(_unread(extraction))
    if extraction.failures:
        reasons = ", ".join(f"{count} {reason}" for reason, count in sorted(extraction.failures.items()))
        failures = _counted(sum(extraction.failures.values()), "failure")
        lines.append(f'{failures}: {reasons} (pagequote sql "FROM failures")')
    lines += [f"the same file under several keys: {', '.join(keys)}" for keys in extraction.same_bytes]
    state = "published" if published.new else "unchanged, still current:"
    lines.append(f"{state} {published.release.name} in {seconds:.1f} s")
    return "\n".join(lines)


def embedded(embedding: Embedding) -> str:
    """What the second stage did."""
    if embedding.model is None:
        return "no model was named (--model): the vectors table stays empty"
    if not embedding.new:
        return f"nothing new to embed ({embedding.model})"
    rate = f"{embedding.new / embedding.seconds:.0f} sentences and {embedding.tokens / embedding.seconds:.0f} tokens a second"
    return f"embedded {_counted(embedding.new, 'sentence')} in {embedding.seconds:.1f} s ({rate}, {embedding.model})"


def _extracted(extraction: Extraction) -> str:
    if not extraction.read:
        return "nothing new to read"
    rate = extraction.pages / extraction.seconds
    read = f"{_counted(extraction.read, 'PDF')}, {_counted(extraction.pages, 'page')}"
    by_ocr = f", {extraction.by_ocr} of them by OCR," if extraction.by_ocr else ""
    return f"read {read}{by_ocr} in {extraction.seconds:.1f} s ({rate:.0f} pages a second)"


def _unread(extraction: Extraction) -> str:
    pages = f" ({_counted(extraction.unread, 'page')} of those just read)" if extraction.unread else ""
    papers = _counted(extraction.unread_papers, "paper")
    return f"not covered in whole: {papers} with scanned pages that only OCR can read{pages}. {extraction.remedy}"


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"

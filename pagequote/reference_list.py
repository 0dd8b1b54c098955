"""The papers of a corpus as a library that reference managers read: BibTeX and CSL JSON."""

from collections.abc import Iterable, Sequence
from typing import Any

from lookup.results.papers import PaperSummary
from pagequote.quoted_form import escape_latex


def bibtex(papers: Iterable[PaperSummary]) -> str:
    """Return an entry for each paper, in UTF-8; the key is as the corpus has it."""
    return "\n".join(map(_entry, papers))


def csl_json(papers: Iterable[PaperSummary]) -> list[dict[str, Any]]:
    """Return an item for each paper, as JSON has it (citationstyles.org)."""
    return [_item(paper) for paper in papers]


def _entry(paper: PaperSummary) -> str:
    fields = {
        "title": f"{{{escape_latex(paper.title)}}}" if paper.title else "",
        "author": " and ".join(map(_author, paper.authors)),
        "year": str(paper.year or ""),
        "journal": escape_latex(paper.venue or ""),
        "doi": paper.doi or "",
    }
    lines = [f"  {name} = {{{value}}},\n" for name, value in fields.items() if value]
    return f"@{'article' if paper.venue else 'misc'}{{{paper.key},\n{''.join(lines)}}}\n"


def _author(name: str) -> str:
    """Return a name for BibTeX, which has the suffix in the middle; one without a comma is in braces."""
    family, *others = (escape_latex(part.strip()) for part in name.split(","))
    if not others:
        return f"{{{family}}}"
    return ", ".join([family, *others[1:], others[0]])


def _item(paper: PaperSummary) -> dict[str, Any]:
    item = {
        "id": paper.key,
        "type": "article-journal" if paper.venue else "article",
        "title": paper.title,
        "author": [_name([part.strip() for part in name.split(",")]) for name in paper.authors],
        "issued": {"date-parts": [[paper.year]]} if paper.year else None,
        "container-title": paper.venue,
        "DOI": paper.doi,
    }
    return {name: value for name, value in item.items() if value}


def _name(parts: Sequence[str]) -> dict[str, str]:
    if len(parts) == 1:
        return {"literal": parts[0]}
    return dict(zip(("family", "given", "suffix"), parts, strict=False))

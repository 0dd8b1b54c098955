"""The papers of a corpus as a library that reference managers read: BibTeX and CSL JSON."""

from collections.abc import Iterable
from typing import Any

from lookup.results.papers import PaperSummary
from pagequote.quoted_form import escape_latex


def bibtex(papers: Iterable[PaperSummary]) -> str:
    """Return an entry for each paper, in UTF-8; the key is as the corpus has it."""
    entries = []
    for paper in papers:
        fields = {
            "title": f"{{{escape_latex(paper.title)}}}" if paper.title else "",
            "author": " and ".join(map(_author, paper.authors)),
            "year": str(paper.year or ""),
            "journal": escape_latex(paper.venue or ""),
            "doi": paper.doi or "",
        }
        lines = [f"  {name} = {{{value}}},\n" for name, value in fields.items() if value]
        entries.append(f"@{'article' if paper.venue else 'misc'}{{{paper.key},\n{''.join(lines)}}}\n")
    return "\n".join(entries)


def _author(name: str) -> str:
    """Return a name for BibTeX, which has the suffix in the middle; one without a comma is in braces."""
    family, *others = (escape_latex(part.strip()) for part in name.split(","))
    return ", ".join([family, *others[1:], others[0]]) if others else f"{{{family}}}"


def csl_json(papers: Iterable[PaperSummary]) -> list[dict[str, Any]]:
    """Return an item for each paper, as JSON has it (citationstyles.org)."""
    items = []
    for paper in papers:
        names = [[part.strip() for part in name.split(",")] for name in paper.authors]
        item = {
            "id": paper.key,
            "type": "article-journal" if paper.venue else "article",
            "title": paper.title,
            "author": [
                dict(zip(("family", "given", "suffix") if name[1:] else ("literal",), name, strict=False))
                for name in names
            ],
            "issued": {"date-parts": [[paper.year]]} if paper.year else None,
            "container-title": paper.venue,
            "DOI": paper.doi,
        }
        items.append({name: value for name, value in item.items() if value})
    return items

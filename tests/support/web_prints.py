"""Web pages as Chromium prints them: made of the blocks of a sample document."""

from html import escape
from itertools import groupby

_TAGS = {"title": "h1", "heading": "h2", "body": "p", "quote": "blockquote", "code": "pre"}
_STYLE = "table { border-collapse: collapse } th, td { border: 1px solid #bbb; padding: 4px 8px }"


def web_page(document) -> str:
    """Return a document as HTML; an entry of a list has its number in its text, or none."""
    out = []
    for part, blocks in groupby(document.blocks, key=_part):
        texts = [escape(block.source, quote=False) for block in blocks]
        if part in {"ol", "ul"}:
            items = [text.partition(". ")[2] if part == "ol" else text for text in texts]
            out.append(f"<{part}>{''.join(f'<li>{text}</li>' for text in items)}</{part}>")
        elif part == "table":
            rows = [[f"<td>{cell}</td>" for cell in row.split(" | ")] for row in texts[0].splitlines()]
            out.append("<table>" + "".join(f"<tr>{''.join(row)}</tr>" for row in rows) + "</table>")
        else:
            out += [f"<{part}>{text}</{part}>" for text in texts]
    return (
        f'<!doctype html><html lang="en"><meta charset="utf-8"><title>The Winter Ferry</title>'
        f"<style>{_STYLE}</style><body>{''.join(out)}"
    )


def _part(block) -> str:
    if block.kind == "list":
        return "ol" if block.source[:1].isdigit() else "ul"
    return str(_TAGS.get(block.kind, block.kind))

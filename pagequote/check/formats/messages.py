"""A finding in words."""

from pagequote.check.judge import Finding


def message(finding: Finding) -> str:
    """Return the finding on one line: the verdict, the key, the given and the true page."""
    parts = [finding.pinned or finding.verdict, finding.key, _pages(finding)]
    if finding.elsewhere:
        found = [
            f"{one.key}, page {shown_page(one.page, one.page_label)}" if one.page else one.key
            for one in finding.elsewhere
        ]
        parts.append("printed by " + "; ".join(found))
    said = ", ".join(filter(None, parts))
    return f"{said} (in the manuscript: {finding.where})" if finding.where else said


def details(finding: Finding) -> list[str]:
    """Return the finding in words: on one line, then the word diff, what is left out, and what to do."""
    return [*filter(None, (message(finding), finding.diff, left_out(finding), finding.hint))]


def left_out(finding: Finding) -> str:
    """Return what an abridged quotation leaves out and puts in; '' for others."""
    if finding.verdict != "abridged":
        return ""
    put_in = [f"{one.asked} (printed: {one.printed or 'nothing'})" for one in finding.differences]
    parts = [f"left out: {' | '.join(finding.omitted)}"] if finding.omitted else []
    return "; ".join([*parts, *([f"put in: {', '.join(put_in)}"] if put_in else [])])


def shown_page(page: int, label: str | None) -> str:
    """Return a page, with its printed number if that differs."""
    return f"{page} (printed {label})" if label and label != str(page) else str(page)


def _pages(finding: Finding) -> str:
    if finding.page is None:
        return f"given page {finding.page_given}" if finding.page_given else ""
    true = shown_page(finding.page, finding.page_label)
    if len(finding.pages) > 1:
        true += f" to {shown_page(*finding.pages[-1])}"
    if finding.page_given is None:
        return f"page {true}"
    if finding.page_is_right is None:
        return f"given page {finding.page_given}, nearest passage on page {true}"
    if not finding.page_is_right:
        return f"given page {finding.page_given}, but on page {true}"
    counted = {
        "printed": "the printed number",
        "physical": "counted from the first",
        "both": "printed and counted",
    }
    return f"given page {finding.page_given}, right ({counted[finding.counted or 'both']})"

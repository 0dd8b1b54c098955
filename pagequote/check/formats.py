"""Findings in lines, in sentences, and as CI has them: JSON, SARIF, JUnit's XML, GitHub's commands."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from functools import cache
from pathlib import Path
from typing import Any
from xml.sax.saxutils import quoteattr

import lookup
from lookup.corpus import Corpus
from lookup.papers.library import ANOTHER_PDF
from lookup.quote.unprinted import IN_THE_FILE
from lookup.results.answer import counted, cuts, short
from lookup.results.difference import PRINTED
from lookup.text.printable import json_text, on_one_line, printable
from pagequote.check.judge import Finding
from pagequote.check.without_paper import NO_CITATION, named
from pagequote.check.word_diff import diff_pieces
from pagequote.quoted_form import cited_work


def message(finding: Finding) -> str:
    """Return the finding on one line: the verdict, the key, the given and the true page."""
    parts = [
        finding.pinned or finding.verdict,
        finding.key,
        _pages(finding),
        *cuts(finding.around),
        left_out(finding),
    ]
    if finding.elsewhere:
        found = [
            f"{one.key}, page {shown_page(one.page, one.page_label)}" if one.page else one.key
            for one in finding.elsewhere
        ]
        parts.append("printed by " + "; ".join(found))
    said = ", ".join(filter(None, parts))
    return f"{said} (in the manuscript: {finding.where})" if finding.where else said


def details(finding: Finding) -> list[str]:
    """Return the finding in words: on one line, then the word diff, the sentence, and what to do.

    A quotation that cuts a sentence has that whole, with what is not quoted in {+ +}.
    """
    more = (finding.diff, finding.around, finding.remark, finding.hint)
    return [message(finding), *filter(None, more)]


def left_out(finding: Finding) -> str:
    """Return what a quotation that is printed leaves out and puts in; '' for a mark of a citation."""
    if finding.verdict not in PRINTED or not (finding.around or finding.verdict == "abridged"):
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
        nearest = "also on page" if finding.verdict in PRINTED else "nearest passage on page"
        return f"given page {finding.page_given}, {nearest} {true}"
    if not finding.page_is_right:
        return f"given page {finding.page_given}, but on page {true}"
    counted = {
        "printed": "the printed number",
        "physical": "counted from the first",
        "both": "printed and counted",
    }
    return f"given page {finding.page_given}, right ({counted[finding.counted or 'both']})"


_TEMPLATES = {"github": "github.txt", "junit": "junit.xml", "sarif": "sarif.json"}


def formatted(findings: Sequence[Finding], form: str) -> str:
    """Return findings as "text", "json" (an object each), or as CI has them: "github", "junit", "sarif"."""
    if form == "text":
        return as_text(findings)
    if form == "json":
        return json_text([_fields(one) for one in findings], indent=2, default=asdict) + "\n"
    about = {"version": lookup.__version__, "rule": rule, "details": details}
    return rendered(_TEMPLATES[form], findings=findings, **about)


_FIELDS = """
    file line column where level form key quote verdict page_given page_is_right counted page page_label
    pages printed diff differences omitted around elsewhere hint
""".split()
"""The fields of a finding in JSON, in their order; `pinned` and `boxes` (of a PDF) follow, if any."""


def _fields(finding: Finding) -> dict[str, Any]:
    """Return the fields of a finding, as JSON has them."""
    made = {
        "file": finding.manuscript.path.as_posix(),
        "form": finding.quotation.form,
        "quote": finding.quoted,
        "pages": [page for page, _ in finding.pages],
    }
    said = {name: made[name] if name in made else getattr(finding, name) for name in _FIELDS}
    more = {"pinned": finding.pinned, "boxes": finding.boxes}
    return said | {name: value for name, value in more.items() if value}


def as_text(findings: Sequence[Finding]) -> str:
    """Return a line for each finding, then its word diff, the nearest words, and what to do, indented."""
    lines = []
    for finding in findings:
        place = f"{finding.manuscript.path.as_posix()}:{finding.line}:{finding.column}"
        first, *others = comment_lines(finding)
        lines += [f"{place}: {first}", *(f"    {line}" for line in others)]
    return "".join(f"{on_one_line(line)}\n" for line in lines)


def comment_lines(finding: Finding) -> list[str]:
    """Return a finding as lines beside its words: the verdict, and what tells more."""
    words = [finding.diff]
    if finding.diff is None and finding.level != "ok" and finding.quoted:
        nearest = short(finding.printed or "", _SHOWN) if finding.verdict == "related" else ""
        words = [f"quoted: {short(finding.quoted, _SHOWN)}", nearest and f"nearest: {nearest}"]
    more = filter(None, (*words, finding.around, finding.remark, finding.hint))
    return [f"{finding.level}: {message(finding)}", *more]


_SHOWN = 160  # Characters of a quotation that are shown.


_SENTENCE = 300  # Characters of printed words that a sentence has.


def sources_of(corpus: Corpus, findings: Sequence[Finding]) -> Mapping[str, str]:
    """Return authors and year of all papers that findings are about, by their keys."""
    keys = {one.key for one in findings} | {other.key for one in findings for other in one.elsewhere}
    rows = corpus.sql("SELECT key FROM papers WHERE list_contains(?, key)", [sorted(keys)])
    return {key: named(corpus.paper(key)) for (key,) in rows}


def in_words(finding: Finding, named: Mapping[str, str]) -> str:
    """Return what a finding says, in one or two sentences; `named` has authors and year by keys."""
    pieces = diff_pieces(finding.quoted, finding.printed or "", finding.omitted, finding.differences)
    source = named.get(finding.key, "")
    said = rendered(
        "in_words.txt",
        one=finding,
        is_printed=finding.verdict in PRINTED,
        source=source,
        place=_place(finding.key, source, finding.page, finding.page_label),
        page=page_in_words(finding.key, finding.page, finding.page_label) if finding.page else "",
        more="; ".join(filter(None, (", ".join(cuts(finding.around)), left_out(finding)))),
        printed=" ".join(one.text for one in pieces if one.kind != "quoted") or finding.printed or "",
        cited=finding.quotation.cited_as,
        others=" and ".join(
            _place(one.key, named.get(one.key, one.key), one.page, one.page_label)
            for one in finding.elsewhere
        ),
        why=NO_CITATION if finding.elsewhere else finding.hint,
        short=lambda words: short(words, _SENTENCE),
        in_its_file=finding.hint.partition(IN_THE_FILE)[1:],
        in_another_pdf=finding.hint.partition(ANOTHER_PDF)[1:],
    )
    said = re.sub(r"\n+", " ", said).strip()
    return f"{said} {finding.remark}".strip() if finding.remark not in said else said


def _place(key: str, source: str, page: int | None, label: str | None) -> str:
    """Return a source with the page, as the subject of a sentence."""
    return f"{source}, {page_in_words(key, page, label)}," if page else source


def page_in_words(key: str, page: int | None, label: str | None) -> str:
    """Return "p. 347", the printed number, or "p. 3 of the PDF"; "p. S1:3" of a supplement."""
    part = cited_work(key)[1]
    return f"p. {part}{label or page}" if part or label else f"p. {page} of the PDF"


def rule(finding: Finding) -> str:
    """Return the rule that a finding breaks: the page if the words are right, else the verdict."""
    if finding.verdict in PRINTED and finding.page_is_right is False:
        return "wrong-page"
    return finding.verdict.replace(" ", "-")


def summary(findings: Iterable[Finding], known: int = 0) -> str:
    """Return how many quotations are right, wrong, printed with a remark, and not judged, `known` ones apart.

    Those with no citation that can be read are not judged.
    """
    every = list(findings)
    unjudged = [one for one in every if not one.judged and one.level == "warning"]
    uncited = sum(not one.quotation.keys for one in unjudged)
    levels = Counter(one.level for one in every)
    parts = [f"{levels['ok']} right", f"{levels['error']} wrong"]
    if remarks := levels["warning"] - len(unjudged):
        parts.append(f"{remarks} with a remark")
    if unjudged:
        some = "" if uncited == len(unjudged) else f"{uncited} with "
        why = f" ({some}no citation that can be read)" if uncited else ""
        parts.append(f"{len(unjudged)} not judged{why}")
    parts += [f"{known} known"] if known else []
    many = len(every) + known
    return f"{counted(many, 'quotation')}: {', '.join(parts)}" if many else "0 quotations"


def all_is_well(findings: Sequence[Finding]) -> bool:
    """Return whether nothing is wrong, and in each file that quotes something was judged, or is pinned.

    A file that cites and quotes nothing is well beside others in which something was judged.
    """
    quoting = {one.manuscript.path for one in findings if one.quoted}
    judged = {one.manuscript.path for one in findings if one.judged or one.pinned}
    return (
        quoting == judged
        and bool(judged or not findings)
        and not any(one.level == "error" for one in findings)
    )


_NOT_XML = re.compile("[\ufffe\uffff]")  # What XML may not hold, of what can be printed.


def rendered(name: str, **values: object) -> str:
    """Return what a template says of these values, without what acts on a terminal, a log or a page."""
    return _NOT_XML.sub("\ufffd", printable(_template(name).render(**values)))


@cache
def _template(name: str) -> Any:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined  # noqa: PLC0415
    from markupsafe import Markup  # noqa: PLC0415

    templates = Environment(
        loader=FileSystemLoader(Path(__file__).with_name("templates")),
        autoescape=name.endswith((".html", ".xml")),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        keep_trailing_newline=True,
    )
    templates.filters |= {
        "json": json_text,
        "data": _data,
        "property": lambda text: _data(text).replace(":", "%3A").replace(",", "%2C"),
        "attribute": lambda text: Markup(quoteattr(printable(text))),  # noqa: S704  # quoteattr has escaped it
    }
    return templates.get_template(name)


def _data(text: str) -> str:
    """Return the text of a command of GitHub Actions; a property has no colons and commas, either."""
    return printable(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")

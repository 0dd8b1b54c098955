"""What do characters print whose fonts name another one? `python benchmarks/fonts.py FOLDER [--show]`.

FOLDER holds papers as KEY/paper.pdf with the publisher's XML as KEY/truth.xml. Each character that is read as
another than its code is looked for in the XML by the characters around it on its page, a letter also by the
letters of its word. It is right if the XML has the same sign there, unknown if it is U+FFFD, wrong if the XML
has another one in each place found; the rest is in no text of the XML, as figures are, or the text around it
differs. `--show` prints those that are wrong or not found.
"""

import argparse
import re
import unicodedata
from collections import Counter
from collections.abc import Iterator
from html import unescape
from pathlib import Path

from tables import markdown_table, measured_on

from lookup.text.cleaning import LIGATURES
from lookup.text.folding import UNKNOWN, fold
from pipeline.pdf.glyphs import GONE
from pipeline.pdf.reading import PdfPage, read_pdf

_AROUND = 7
"""Characters on either side by which a place is found, spaces not counted; and least ones of both sides."""

_OF_WORD = 4
"""Least letters beside a letter by which its word is found."""

_LONGEST = 3
"""Characters of the XML that one sign may stand for: a ligature, or a sign with its variation."""


def judged(pdf: Path, truth: Path) -> Iterator[tuple[str, str, str]]:
    """Yield for each character that prints another than its code: the outcome, the text around it, what the
    XML has.
    """
    xml = unescape(re.sub(r"<[^>]*>", "", truth.read_text(encoding="utf-8")))
    xml = "".join(unicodedata.normalize("NFKC", xml).split())
    for page in read_pdf(pdf.read_bytes()).pages:
        for before, sign, after in _changed(page):
            there = _there(xml, before, sign, after)
            around = f"{before}[{sign}]{after}"
            if not there:
                yield "not found there", around, ""
            elif sign == UNKNOWN:
                yield "U+FFFD", around, there[0]
            else:
                same = any(fold(LIGATURES.get(sign, sign)) == fold(one) for one in there)
                yield ("right" if same else "wrong"), around, there[0]


def _changed(page: PdfPage) -> Iterator[tuple[str, str, str]]:
    """Yield what characters of the page print that are coded otherwise, with the text before and after."""
    words = [word for line in page.lines for word in line.words]
    coded = "".join([word.text for word in words])
    printed = "".join([word.printed or word.text for word in words])
    for at, (code, sign) in enumerate(zip(coded, printed, strict=True)):
        if sign not in (code, GONE):
            around = printed[max(0, at - 2 * _AROUND) : at], printed[at + 1 : at + 1 + 2 * _AROUND]
            before, after = (unicodedata.normalize("NFKC", text.replace(GONE, "")) for text in around)
            yield before.rpartition(UNKNOWN)[2][-_AROUND:], sign, after.partition(UNKNOWN)[0][:_AROUND]


def _there(xml: str, before: str, sign: str, after: str) -> list[str]:
    """Return what the XML has in the places between the texts, [] where it has none."""
    found: list[str] = []
    if before and after and len(before) + len(after) >= _AROUND:
        found = re.findall(f"{re.escape(before)}(.{{1,{_LONGEST}}}?){re.escape(after)}", xml)
    if not found and sign.isalpha():
        begin, end = re.search(r"[^\W\d_]*$", before), re.match(r"[^\W\d_]*", after)
        if begin and end and len(begin[0]) + len(end[0]) >= _OF_WORD:
            found = re.findall(f"{begin[0]}({'.' * len(LIGATURES.get(sign, sign))}){end[0]}", xml)
    return found


def main() -> None:
    """Print how many characters are right, unknown, wrong and not found."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--show", action="store_true")
    asked = parser.parse_args()
    counted: Counter[str] = Counter()
    for truth in sorted(asked.folder.glob("*/truth.xml")):
        for outcome, around, there in judged(truth.with_name("paper.pdf"), truth):
            counted[outcome] += 1
            if asked.show and outcome in ("wrong", "not found there"):
                print(f"{truth.parent.name}: {around!r}, in the XML {there!r}: {outcome}")
    names = ("right", "U+FFFD", "wrong", "not found there")
    print(
        markdown_table(
            ["characters", *names], [[str(sum(counted.values())), *(str(counted[n]) for n in names)]]
        )
    )
    print(measured_on())


if __name__ == "__main__":
    main()

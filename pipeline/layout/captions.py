"""How captions begin ("Fig. 2", "Table S1.", "Extended Data Figure 4"), in several languages."""

import re

from pipeline.layout.headings import any_of
from pipeline.layout.line_features import of_line
from pipeline.pdf.reading import Line

CAPTION = re.compile(
    r"[<〈\[【［]?(?:(?:supplementary|supplemental|extended data|appendix|online) )?"
    rf"(?:(?P<table>{any_of('tables')})|(?P<code>{any_of('listings')})|{any_of('figures')})"
    r"\.?\s*+[-–]?\s*+(?:[A-Z]?\d++(?>(?:[.‑-]\d++)*)[A-Za-z]?+|[IVX]++)"  # its number
    r"(?=$|[\s.:;,|)(–—>〉\]】］：．、。-])",
    re.IGNORECASE,
)
"""The label that a caption begins with; a group `table` or `code` matches in that of a table or of code."""

_SENTENCE = re.compile(
    rf"\s*(?:{any_of('says_at_once')}"
    rf"|(?:,\s*)?(?:and |to |[a-h]\b|[(][a-h])?.{{0,12}}?\b{any_of('says_of_figures')}\b)"
)
_SEVERAL = re.compile(r"(?>(?:,?\s*(?:,|and|&|[-–]|to)\s*[A-Z]?\d++[A-Za-z]?+)+)(?!\s?[.:|\d])")
"""More numbers after the first, with no stop behind them: "Figures 2, 5 and 6 show ..." is a sentence."""

_AFTER_LABEL = ".:|–—- >〉]】］：．"  # What may stand between a label and its title.

_VERB_WITHIN = 40  # flat
"""Characters after the label in which the verb of a sentence about a figure stands."""


@of_line("caption")
def begins_caption(line: Line) -> re.Match[str] | None:
    """Return the label of a caption that a line begins with, be it in a sentence; None if there is none."""
    return CAPTION.match(line.text)


@of_line("label")
def is_label(line: Line) -> bool:
    """Whether a line is the label of a caption alone: "Fig. 4.", "TABLE II"."""
    able = not line.text[0].islower() and begins_caption(line) is not None
    return able and CAPTION.fullmatch(line.text.rstrip(_AFTER_LABEL)) is not None


@of_line("title of caption")
def caption_mark(line: Line) -> str:
    """Return the label of the caption whose first line this is, else ''."""
    label = begins_caption(line)
    return label[0] if label and is_caption(line.text) else ""


def is_caption(text: str) -> bool:
    """Whether a paragraph begins as a caption, not as a sentence about a table ("Table 1 summarizes ...")."""
    label = None if text[:1].islower() else CAPTION.match(text)
    if label is None:
        return False
    several = _SEVERAL.match(text, label.end()) and label[0].split()[0].endswith("s")
    return not several and not _SENTENCE.match(text[label.end() : label.end() + _VERB_WITHIN])

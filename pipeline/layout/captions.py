"""How captions begin ("Fig. 2", "Table S1.", "Extended Data Figure 4"), in several languages."""

import re

from pipeline.layout.features_of_line import of_line
from pipeline.pdf.reading import Line

CAPTION = re.compile(
    r"""(?:supplementary\ |supplemental\ |extended\ data\ |appendix\ |online\ )?
    (?:
        (?P<table>t\ ?a\ ?b\ ?l\ ?e(?:au)?s?|tablas?|tabelas?|tabellen?|cuadro|quadro|tab\.)
        |f\ ?i\ ?g(?:\ ?u\ ?r\ ?e|ura|\.)?s?|abb(?:ildung|\.)|scheme|chart|box|plate
        |(?P<code>algorithm|listing)
        |additional\ file|gr[aá]fico|esquema|schema|ilustraci[oó]n|imagen|ph?oto
    )
    \.?\s*+[-–]?\s*+
    (?:[A-Z]?\d+(?:[.-]\d+)?[A-Za-z]?|[IVX]+)  # its number
    (?=$|[\s.:;,|)(–—-])""",
    re.IGNORECASE | re.VERBOSE,
)
"""The label that a caption begins with; a group `table` or `code` matches in that of a table or of code."""

_SENTENCE = re.compile(
    r"""\s*(?:,\s*)?(?:and\ |to\ |[a-h]\b|[(][a-h])?.{0,12}?
    \b(?:
        shows?|showed|summari[sz]es?|lists?|presents?|depicts?|illustrates?|displays?|gives?|provides?|reports?
        |compares?|indicates?|contains?|demonstrates?|describes?|represents?|exhibits?|proves?|confirms?
        |reveals?|suggests?|includes?|outlines?|highlights?|plots?|refers?
        |is|are|was|were|has|have
    )\b""",
    re.VERBOSE,
)
_SEVERAL = re.compile(r"(?>(?:,?\s*(?:,|and|&|[-–]|to)\s*[A-Z]?\d++[A-Za-z]?+)+)(?!\s?[.:|\d])")
"""More numbers after the first, with no stop behind them: "Figures 2, 5 and 6 show ..." is a sentence."""

_AFTER_LABEL = ".:|–—- "  # What may stand between a label and its title.

_VERB_WITHIN = 40  # flat
"""Characters after the label in which the verb of a sentence about a figure stands."""


def is_label(text: str) -> bool:
    """Whether a text is the label of a caption alone: "Fig. 4.", "TABLE II"."""
    return text[:1].isupper() and CAPTION.fullmatch(text.rstrip(_AFTER_LABEL)) is not None


@of_line("caption")
def begins_caption(line: Line) -> re.Match[str] | None:
    """Return the label of a caption that a line begins with, be it in a sentence; None if there is none."""
    return CAPTION.match(line.text)


@of_line("title of caption")
def is_title_of_caption(line: Line) -> bool:
    """Whether a line is the first of a caption."""
    return is_caption(line.text)


def is_caption(text: str) -> bool:
    """Whether a paragraph begins as a caption, not as a sentence about a table ("Table 1 summarizes ...")."""
    label = CAPTION.match(text) if text[:1].isupper() else None
    if label is None:
        return False
    several = _SEVERAL.match(text, label.end()) and label[0].split()[0].endswith("s")
    return not several and not _SENTENCE.match(text[label.end() : label.end() + _VERB_WITHIN])

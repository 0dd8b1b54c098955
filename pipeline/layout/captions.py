"""How captions begin: "Fig. 2", "Table S1.", "Extended Data Figure 4", in the languages that papers are written in."""

import re

CAPTION = re.compile(
    r"(?:supplementary |supplemental |extended data |appendix |online )?"
    r"(?:(?P<table>t ?a ?b ?l ?e(?:au)?s?|tablas?|tabelas?|tabellen?|cuadro|quadro|tab\.)|"
    r"f ?i ?g(?: ?u ?r ?e|ura|\.)?s?|abb(?:ildung|\.)|scheme|chart|box|plate|gr[aá]fico|esquema|schema|ilustraci[oó]n|imagen|foto)"
    r"\.?\s*[-–]?\s*(?:[A-Z]?\d+(?:[.-]\d+)?[A-Za-z]?|[IVX]+)(?=$|[\s.:;,|)(–—-])",
    re.IGNORECASE,
)
"""The label that a caption begins with; the group `table` is there where it is one of a table."""

_SENTENCE = re.compile(
    r"\s*(?:,\s*)?(?:and |to |[a-h]\b|[(][a-h])?.{0,12}?\b(?:shows?|showed|summari[sz]es?|lists?|presents?|depicts?|illustrates?|displays?|"
    r"gives?|provides?|reports?|compares?|indicates?|contains?|demonstrates?|describes?|represents?|exhibits?|is|are|was|were|has|have)\b"
)


def is_caption(text: str) -> bool:
    """Whether a paragraph begins as a caption does, not as a sentence about a table ("Table 1 summarizes ...")."""
    label = CAPTION.match(text)
    return (
        label is not None and text[0].isupper() and not _SENTENCE.match(text[label.end() : label.end() + 40])
    )

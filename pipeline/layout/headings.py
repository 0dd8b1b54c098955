"""Headings that papers have in common, as tables of patterns by language."""

import re
from collections.abc import Mapping

Headings = Mapping[str, tuple[str, ...]]
"""Regular expressions of headings, in lower case, by language (ISO 639-1)."""

_ABSTRACTS: Headings = {
    "en": (r"a ?b ?s ?t ?r ?a ?c ?t", r"summary"),
    "es": (r"resumen",),
    "pt": (r"resumo",),
    "fr": (r"r[eé]sum[eé]",),
    "de": (r"zusammenfassung",),
}

_REFERENCES: Headings = {
    "en": (
        r"references?", r"bibliography", r"literature(?: cited)?", r"cited literature", r"works cited",
        r"references and notes", r"notes and references", r"references cited",
    ),
    "es": (
        r"literatura(?: citada| consultada)?", r"referencias(?: citadas| bibliográficas)?",
        r"bibliograf[ií]a",
    ),
    "pt": (r"referências(?: bibliográficas)?",),
    "fr": (r"références", r"r[eé]f[eé]rences bibliographiques", r"bibliographie"),
    "de": (r"literaturverzeichnis",),
}  # fmt: skip

_NOTES: Headings = {
    "en": (r"(?:end)?notes", r"end notes", r"notes to (?:the )?\w+"),
    "es": (r"notas(?: finales)?",),
    "pt": (r"notas(?: finais)?",),
    "fr": (r"notes(?: de fin)?",),
    "de": (r"anmerkungen", r"endnoten"),
}

_BACK_MATTER: Headings = {
    "en": (
        r"acknowledge?ments?", r"funding(?: (?:information|sources?|statement))?",
        r"financial (?:support|disclosure)(?: statement)?", r"disclosures?", r"declarations?",
        r"(?:authors?['’]?|author) contributions?",
        r"(?:declaration of |potential )?(?:competing|conflicts? of|conflicting) interests?(?: statement)?",
        r"data (?:and materials? )?availability(?: statement)?", r"ethics (?:statement|approval)",
        r"ethical approval", r"abbreviations", r"author information", r"associated content",
    ),
}  # fmt: skip

_PARTS: Headings = {
    "en": (
        r"introduction", r"background", r"methods?", r"materials? and methods?", r"methods? and materials?",
        r"patients and methods?", r"subjects and methods?", r"methodology",
        r"experimental(?: section| procedures?)?", r"results?", r"results and discussions?", r"findings",
        r"discussions?", r"conclusions?(?: and (?:outlook|perspectives?|future (?:work|directions)))?",
        r"concluding remarks", r"highlights", r"references",
        r"(?:authors?['’]?|author) contributions? statement", r"contributors",
        r"patient and public involvement", r"credit author(?:ship)? (?:contribution )?statement",
        r"availability of data and materials?", r"code availability", r"additional information",
        r"(?:supplementary|supplemental|supporting) (?:materials?|information|data)", r"nomenclature",
        r"appendix", r"limitations", r"strengths and limitations", r"case (?:report|presentation)",
        r"ethics (?:statement|approval) and consent to participate",
        r"consent (?:for publication|to participate)", r"informed consent", r"statistical analys[ie]s",
        r"objectives?", r"aims?",
    ),
    "es": (
        r"introducci[oó]n", r"m[eé]todos?", r"material(?:es)? y m[eé]todos", r"metodolog[ií]a",
        r"resultados?(?: y discusi[oó]n)?", r"discusi[oó]n", r"conclusi[oó]n(?:es)?", r"agradecimientos",
        r"financiaci[oó]n", r"conflicto de intereses",
    ),
    "pt": (
        r"introdu[cç][aã]o", r"materia(?:l|is) e m[eé]todos", r"resultados? e discuss[aã]o", r"discuss[aã]o",
        r"conclus(?:[aã]o|[oõ]es)", r"considera[cç][oõ]es finais", r"agradecimentos", r"financiamento",
        r"conflitos? de interesses?",
    ),
    "fr": (
        r"m[eé]thodes", r"mat[eé]riels? et m[eé]thodes", r"r[eé]sultats(?: et discussion)?", r"remerciements",
    ),
    "de": (
        r"einleitung", r"methoden", r"material und methoden", r"ergebnisse", r"diskussion",
        r"schlussfolgerung(?:en)?", r"danksagung",
    ),
}  # fmt: skip

ABSTRACT_PARTS: Headings = {
    "en": (
        r"aims?", r"background", r"case (?:presentation|report)", r"conclusions?", r"context",
        r"data sources", r"design", r"discussion", r"ethics and dissemination", r"findings", r"funding",
        r"importance",
        r"interpretation", r"interventions?", r"introduction", r"limitations",
        r"main outcome(?:s| measures?)", r"materials? and methods?", r"measurements", r"methods?",
        r"methods and (?:analysis|results)", r"objectives?", r"outcomes?", r"participants",
        r"patients and methods?", r"purpose", r"results?", r"setting", r"significance", r"study design",
        r"trial registration(?: number)?",
    ),
}  # fmt: skip
"""The labels of a structured abstract's parts."""

_STATEMENTS: Headings = {
    "en": (
        r"theorems?", r"lemmas?", r"propositions?", r"corollar(?:y|ies)", r"conjectures?", r"claims?",
        r"definitions?", r"remarks?", r"examples?", r"exercises?", r"proof",
    ),
    "es": (r"teorema", r"lema", r"proposici[oó]n", r"corolario", r"definici[oó]n", r"demostraci[oó]n"),
    "pt": (r"proposi[cç][aã]o", r"corol[aá]rio", r"defini[cç][aã]o", r"demonstra[cç][aã]o"),
    "fr": (r"th[eé]or[eè]me", r"lemme", r"corollaire", r"d[eé]finition", r"remarque", r"preuve"),
    "de": (r"satz", r"hilfssatz", r"korollar", r"bemerkung", r"beispiel", r"beweis"),
}  # fmt: skip
"""What statements of mathematics are called."""


def any_of(*tables: Headings) -> str:
    """Return the pattern of any heading of the tables."""
    return (
        f"(?:{'|'.join(heading for table in tables for language in table.values() for heading in language)})"
    )


_MARK = r"(?:[■●▪◆□]\s*)?"  # What some publishers set before a heading.

REFERENCES = re.compile(rf"{_MARK}(?:\d+\.?\s*)?{any_of(_REFERENCES)}\s*:?", re.IGNORECASE)
"""The heading of a list of references."""

NOTES = re.compile(rf"{_MARK}(?:\d+\.?\s*)?{any_of(_NOTES)}\s*:?", re.IGNORECASE)
"""The heading of the notes at the end."""

KNOWN = re.compile(
    rf"{_MARK}(?:(?:\d+|[IVX]+)\.?\s*(?:\|\s*)?)?{any_of(_ABSTRACTS, _PARTS, _BACK_MATTER)}\s*[.:]?",
    re.IGNORECASE,
)
"""The usual headings of a paper's parts."""

BACK_MATTER = re.compile(rf"{any_of(_BACK_MATTER)}\s*[.:]?", re.IGNORECASE)
"""Those of them that stand at the end of a paper, or beside its title."""

_NUMBER = r"(?:\d+|[A-Z])(?:\.\d+)*"
_STATEMENT = rf"(?:{_NUMBER}\.?\s+)?{any_of(_STATEMENTS)}(?:\s+{_NUMBER})?(?:\s*\(.*\))?"
STATEMENT = re.compile(rf"{_STATEMENT}\s*[.:]?", re.IGNORECASE)
"""The label of a theorem, a definition, a proof: "Theorem 2.1 (Cauchy).", "3.2. Lemma.", "Proof."."""

BEGINS_STATEMENT = re.compile(rf"(?i:{_STATEMENT})(?:\s?[.:]|(?<=\)))(?:\s[^\Wa-z]|$)|Proof of .{{3,40}}\.\s")
"""How a statement begins: "Theorem 2.1 implies" does not."""

ABSTRACT = re.compile(rf"(?:\d+\.?\s*)?{any_of(_ABSTRACTS)}\W*", re.IGNORECASE)
"""The heading of an abstract."""

"""Headings that papers have in common."""

import re

REFERENCES = re.compile(
    r"(?:\d+\.?\s*)?(?:references?|bibliography|literature cited|cited literature|works cited|references and notes|notes and references|literature|references cited|"
    r"literatura(?: citada| consultada)?|referencias citadas|r[eé]f[eé]rences bibliographiques|"
    r"referencias(?: bibliográficas)?|referências(?: bibliográficas)?|références|bibliograf[ií]a|bibliographie|literaturverzeichnis)\s*:?",
    re.IGNORECASE,
)
"""The heading of a list of references, in the languages that papers are written in."""

KNOWN = re.compile(
    r"(?:(?:\d+|[IVX]+)\.?\s*(?:\|\s*)?)?(?:a ?b ?s ?t ?r ?a ?c ?t|introduction|background|methods?|materials? and methods?|methods? and materials?|"
    r"patients and methods?|subjects and methods?|methodology|experimental(?: section| procedures?)?|results?|results and discussions?|findings|"
    r"discussions?|conclusions?(?: and (?:outlook|perspectives?|future (?:work|directions)))?|concluding remarks|summary|highlights|"
    r"acknowledge?ments?|funding(?: (?:information|sources?|statement))?|financial (?:support|disclosure)(?: statement)?|references|"
    r"(?:authors?['’]?|author) contributions?(?: statement)?|contributors|patient and public involvement|credit author(?:ship)? (?:contribution )?statement|"
    r"(?:declaration of |potential )?(?:competing|conflicts? of|conflicting) interests?(?: statement)?|disclosures?|declarations?|"
    r"data (?:and materials? )?availability(?: statement)?|availability of data and materials?|code availability|additional information|"
    r"(?:supplementary|supplemental|supporting) (?:materials?|information|data)|abbreviations|nomenclature|appendix|limitations|"
    r"strengths and limitations|case (?:report|presentation)|ethics (?:statement|approval)(?: and consent to participate)?|ethical approval|"
    r"consent (?:for publication|to participate)|informed consent|statistical analys[ie]s|objectives?|aims?|"
    r"resumen|introducci[oó]n|m[eé]todos?|material(?:es)? y m[eé]todos|metodolog[ií]a|resultados?(?: y discusi[oó]n| e discuss[aã]o)?|discusi[oó]n|"
    r"conclusi[oó]n(?:es)?|agradecimientos|financiaci[oó]n|conflicto de intereses|"
    r"resumo|introdu[cç][aã]o|materia(?:l|is) e m[eé]todos|discuss[aã]o|conclus(?:[aã]o|[oõ]es)|considera[cç][oõ]es finais|agradecimentos|"
    r"financiamento|conflitos? de interesses?|r[eé]sum[eé]|m[eé]thodes|mat[eé]riels? et m[eé]thodes|r[eé]sultats(?: et discussion)?|remerciements|"
    r"zusammenfassung|einleitung|methoden|material und methoden|ergebnisse|diskussion|schlussfolgerung(?:en)?|danksagung)\s*[.:]?",
    re.IGNORECASE,
)  # fmt: skip
"""The usual headings of a paper's parts."""

BACK_MATTER = re.compile(
    r"(?:acknowledge?ments?|funding(?: (?:information|sources?|statement))?|financial (?:support|disclosure)(?: statement)?|disclosures?|declarations?|"
    r"(?:authors?['’]?|author) contributions?|(?:declaration of |potential )?(?:competing|conflicts? of|conflicting) interests?(?: statement)?|"
    r"data (?:and materials? )?availability(?: statement)?|ethics (?:statement|approval)|ethical approval|abbreviations)\s*[.:]?",
    re.IGNORECASE,
)
"""Those of them that stand at the end of a paper, or beside its title."""

ABSTRACT = re.compile(
    r"(?:\d+\.?\s*)?(?:a ?b ?s ?t ?r ?a ?c ?t|summary|resumen|resumo|r[eé]sum[eé]|zusammenfassung)\W*",
    re.IGNORECASE,
)
"""The heading of an abstract."""

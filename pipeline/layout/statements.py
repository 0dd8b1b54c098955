"""Statements that every paper prints and nobody quotes: keywords, licences, dates, addresses; and notes below tables."""

import re

_BEGINS = re.compile(
    r"\W*(?:key ?-?words?(?: and phrases)?|index terms|palabras clave|palavras[ -]chaves?|descriptores|descritores|mots[ -]cl[eé]s|"
    r"schl[uü]sselw[oö]rter|(?:article )?(?:citation|history|info)|(?:please )?(?:how to )?cite (?:this|as)|to cite this|recommended citation|"
    r"c[oó]mo citar|como citar|published(?: online)?\s*:|(?:\d{4}\s+)?the authors?\. |received|submitted|revised|accepted|recibido|aceptado|recebido|aceito|academic editors?|handling editor|edited by|"
    r"reviewed by|editor|open access|©|copyright|all rights reserved|licen[cs]e statement|this (?:is an open|work is licensed|article is licensed|"
    r"open access)|(?:\w+ )?published by|publisher['’]?s note|springer nature remains|(?:\*|†|‡|§|¹|\d|[a-c] )?\s*(?:address )?"
    r"(?:for )?correspond(?:ence|ing authors?)|to whom correspondence|(?:\*\s*)?e-?mail|orcid|doi|issn|e-?issn|https?://|www\.)\b",
    re.IGNORECASE,
)
_KEYWORDS = re.compile(
    r"(?:key ?-?words?(?: and phrases)?|index terms|palabras clave|palavras[ -]chaves?|descriptores|descritores|mots[ -]cl[eé]s|"
    r"schl[uü]sselw[oö]rter)\s?(?:[:.—–-]|$)",
    re.IGNORECASE,
)
_LICENCE = re.compile(
    r"creative commons|open[ -]access article|licensee|exclusive licen[cs]e|all rights reserved|distributed under the terms|"
    r"jurisdictional claims|permits unrestricted",
    re.IGNORECASE,
)
_PLACE = re.compile(
    r"\b(?:universi|department|institut|facult|hospital|school of|college|laborat|division of|centre|center|centro|academy|escola|escuela|[eé]cole|departamento|"
    r"d[eé]partement|abteilung|klinik)",
    re.IGNORECASE,
)
_NOTE = re.compile(
    r"\W*(?:[Nn]otes?\s*[.:]|[Aa]bbreviations?\b|(?:All )?(?:[Vv]alues?|[Dd]ata|[Rr]esults) (?:are|were|represent|is|as|shown|express)|[Ss]ource\s*:|[Ll]egend\s*:|[*†‡§¶#]|"
    r"[a-h]\s?[A-Z][a-z]|[A-Z][A-Z0-9]+[a-z]?\s?[=:,]|[A-Z]\s?=)",
)


_NOTES = re.compile(r"(?:abbreviations?|notes?)\s*:", re.IGNORECASE)


def is_front(text: str) -> bool:
    """Whether a paragraph is about the publication, not of it: keywords, how to cite it, its licence, its dates, its authors' addresses."""
    return _BEGINS.match(text) is not None or _LICENCE.search(text[:300]) is not None or _is_address(text)


def is_label(text: str) -> bool:
    """Whether a paragraph is the label of keywords that follow."""
    label = _KEYWORDS.match(text)
    return label is not None and len(text) - label.end() <= 1


def begins_keywords(text: str) -> bool:
    """Whether a line begins the list of a paper's keywords."""
    return _KEYWORDS.match(text) is not None


def begins_notes(text: str) -> bool:
    """Whether a line begins the notes below a caption or a table, by its first word."""
    return _NOTES.match(text) is not None


def is_note(text: str) -> bool:
    """Whether a paragraph begins as the notes below a table do."""
    return _NOTE.match(text) is not None


def _is_address(text: str) -> bool:
    """Whether the text names institutions and is mostly names."""
    words = [word for word in re.split(r"[\s,;.]+", text) if word[:1].isalpha() or word[:1].isdigit()]
    if len(words) < 4 or not _PLACE.search(text[:80]):
        return False
    lower = sum(word[:1].islower() and word.lower() not in _SMALL for word in words)
    return lower <= 0.2 * len(words) and text.count(",") >= 2


_SMALL = frozenset("of and the for de la del des di da dos e et y a en in an at und für".split())  # noqa: SIM905

"""The abstract of a paper."""

import re
from collections.abc import Iterator, Sequence

from pipeline.layout.headings import any_of
from pipeline.metadata.names import plain
from pipeline.metadata.title import ParagraphText

_ABSTRACT = r"(?:abstract|summary|resumen|resumo|résumé|zusammenfassung|a b s t r a c t|s u m m a r y)"
_HEADING = re.compile(rf"\W*{_ABSTRACT}\W*", re.IGNORECASE)
_RUN_IN = re.compile(rf"{_ABSTRACT}\s*(?:[:.—–]|[-|]\s)\s*(?=\S)", re.IGNORECASE)
_LABEL = any_of("abstract_parts", "more_abstract_parts")
_PART = re.compile(rf"{_LABEL}\s*[.:]?", re.IGNORECASE)
_END = re.compile(
    r"""\W*(?:
        key\s?-?words?|palabras[ -]clave|palavras[ -]chave|mots[ -]clés|schlüsselwörter|index\ terms
        |k\ e\ y\ w\ o\ r\ d\ s|abbreviations?|1[.\s|]+\s*introduc\w+|introduc\w+\W*$|resumen|resumo|abstract
        |copyright|©|received|(?:\*\ ?)?correspond|citation|how\ to\ cite|trial\ registration
    )""",
    re.IGNORECASE | re.VERBOSE,
)
_ASIDE = re.compile(
    r"(?:competing|conflicts?\b|funding|data availability|acknowledg|author contributions)", re.IGNORECASE
)
_KEYWORDS = re.compile(
    r"\s+(?:key\s?-?words?|palabras[ -]clave|palavras[ -]chave|mots[ -]clés)\s?[:.—–-].*$",
    re.IGNORECASE | re.DOTALL,
)
"""Keywords in one paragraph with the abstract."""

_WHOLE = re.compile(r"[\W\d]*[A-ZÀ-ÞΑ-Ω].*[.!?)\]”\"][\d\s]*", re.DOTALL)
"""An abstract that begins and ends as sentences do, in Latin or Greek script."""

_LATIN = re.compile(r"[A-Za-z]{2}")
_TEXT = ("body", "list", "footnote", "front", "table")
_LENGTH = (150, 6000)
"""Characters of an abstract: shorter text is its beginning, longer text holds more than it."""


def abstract(title: str, near: Sequence[ParagraphText]) -> str | None:
    """Return the abstract; None if its beginning and end are not sure.

    It stands under a heading, or after a run-in heading, among the paragraphs of the first pages (`near`). Of
    abstracts in several languages it is the one with most of the title's words.
    """
    wanted = set(title.lower().split())
    texts = [_KEYWORDS.sub("", text) for text in _of_paragraphs(near)]
    texts = [text for text in texts if _LENGTH[0] <= len(text) <= _LENGTH[1] and _WHOLE.fullmatch(text)]
    return max(texts, key=lambda text: len(wanted & set(text.lower().split())), default=None)


def _of_paragraphs(near: Sequence[ParagraphText]) -> Iterator[str]:
    """Return texts under a heading, or after a run-in heading."""
    for place, one in enumerate(near):
        if _HEADING.fullmatch(one.text):
            yield "\n\n".join(_parts(near[place + 1 :]))
        elif match := _RUN_IN.match(one.text):
            yield one.text[match.end() :]


def _parts(rest: Sequence[ParagraphText]) -> list[str]:
    """Return the paragraphs below the heading, with their labels, up to the usual end."""
    found: list[str] = []
    label = ""
    seen: set[str] = set()
    for one in rest:
        text = one.text.strip()
        if one.kind in ("furniture", "title") or not _LATIN.search(text):
            continue
        if _PART.fullmatch(text):
            name = plain(text)
            if name in seen or (found and not seen):
                break  # the text's own 'Background', or the heading after an abstract without parts
            seen.add(name)
            label = text
        elif _END.match(text):
            break
        elif one.kind == "heading" and _ASIDE.match(text):
            return []  # a side bar, of which what came before may hold pieces
        elif one.kind not in _TEXT or (not seen and found and one.kind not in ("body", "list")):
            break
        else:
            found.append(f"{label} {text}".strip())
            label = ""
    return found

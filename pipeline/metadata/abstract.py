"""The abstract of a paper."""

import re
from collections.abc import Iterator, Sequence

from lookup.text.hyphenation import vocabulary
from pipeline.layout.headings import any_of
from pipeline.metadata.blocks import ParagraphText, TextBlock
from pipeline.metadata.names import plain

_ABSTRACT = r"(?:abstract|summary|resumen|resumo|résumé|zusammenfassung|a b s t r a c t|s u m m a r y)"
_HEADING = re.compile(rf"\W*{_ABSTRACT}\W*", re.IGNORECASE)
_RUN_IN = re.compile(rf"{_ABSTRACT}\s*(?:[:.—–]|[-|]\s)\s*(?=\S)", re.IGNORECASE)
_LED = re.compile(rf"\W*(?i:{_ABSTRACT})\W+(?=[A-ZÀ-Þ(])")
_LABEL = any_of("abstract_parts", "more_abstract_parts")
_PART = re.compile(rf"{_LABEL}\s*[.:]?", re.IGNORECASE)
_FIRST_PART = re.compile(
    r"(?:aims?|background|context|importance|introduction|objective(?:s|\(s\))?|purpose)\s?[.:]\s\S",
    re.IGNORECASE,
)
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
_NOTICE = re.compile(
    r"creative commons|licen[cs]e|universit|department|copyright|©|@|received", re.IGNORECASE
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

_UNLABELLED = 400  # Characters, at least, of an abstract without a heading.

_IN_COLUMN = 0.7
"""Share of the narrower one's width that two blocks of one column have in common, more than which."""


def abstract(title: str, below: Sequence[TextBlock], near: Sequence[ParagraphText]) -> str | None:
    """Return the abstract; None if its beginning and end are not sure.

    It stands under a heading, after a run-in heading, or without heading between the authors and the
    keywords: among the paragraphs of the first pages (`near`), else among the blocks below the title. Of
    abstracts in several languages it is the one with most of the title's words.
    """
    wanted = set(title.lower().split())
    for found in (_of_paragraphs(near), _of_blocks(below)):
        texts = [_KEYWORDS.sub("", text) for text in found]
        texts = [text for text in texts if _LENGTH[0] <= len(text) <= _LENGTH[1] and _WHOLE.fullmatch(text)]
        if texts:
            return max(texts, key=lambda text: len(wanted & set(text.lower().split())))
    return None


def _of_blocks(below: Sequence[TextBlock]) -> Iterator[str]:
    words = vocabulary(row for block in below for row in block.rows)
    for block in below:
        if _LED.match(block.text):
            yield _LED.sub("", block.unbroken(words), count=1)
    for place, block in enumerate(below):
        if len(block.text) >= _UNLABELLED and not _NOTICE.search(block.text):
            after = next((b for b in below[place + 1 :] if _in_column(b, block)), None)
            if (after and _END.match(after.text)) or _FIRST_PART.match(block.text):
                yield block.unbroken(words)
            return


def _in_column(block: TextBlock, first: TextBlock) -> bool:
    shared = min(block.x1, first.x1) - max(block.x0, first.x0)
    return shared > _IN_COLUMN * min(block.x1 - block.x0, first.x1 - first.x0)


def _of_paragraphs(near: Sequence[ParagraphText]) -> Iterator[str]:
    """Return texts under a heading, after a run-in heading, as the layout says, or in labelled parts."""
    titles = [place for place, one in enumerate(near) if one.kind == "title"]
    start = titles[-1] + 1 if titles else 0
    for place, one in enumerate(near):
        if _HEADING.fullmatch(one.text):
            yield "\n\n".join(_parts(near[place + 1 :])[0])
        elif match := _RUN_IN.match(one.text):
            yield one.text[match.end() :]
    if titles:
        yield "\n\n".join(
            one.text for one in near[start:] if one.kind == "body" and _HEADING.fullmatch(one.section)
        )
        first = next((place for place in range(start, len(near)) if near[place].kind == "heading"), None)
        if first is not None and _FIRST_PART.match(near[first].text.rstrip(".: ") + ": x"):
            found, ended = _parts(near[first:])
            if ended and len(found) > 1:
                yield "\n\n".join(found)


def _parts(rest: Sequence[ParagraphText]) -> tuple[list[str], bool]:
    """Return the paragraphs below the heading, with their labels, and whether the usual end follows them."""
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
            return found, True
        elif one.kind == "heading" and _ASIDE.match(text):
            return [], False  # a side bar, of which what came before may hold pieces
        elif one.kind not in _TEXT or (not seen and found and one.kind not in ("body", "list")):
            break
        else:
            found.append(f"{label} {text}".strip())
            label = ""
    return found, False

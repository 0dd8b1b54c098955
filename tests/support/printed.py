"""Papers of a few paragraphs, for tests of matching: `^{12}` in a text is a superscript."""

import re
from itertools import chain

from lookup.papers.paper import Paper, Paragraph
from lookup.quote.cascade import by_words
from lookup.quote.certify import Candidate
from lookup.quote.exact import ExactSearch
from lookup.quote.query import parse
from lookup.text.folding import fold

_RAISED = re.compile(r"\^\{([^}]*)\}")


def paper(*marked: str, kinds=(), raw=None) -> Paper:
    """A paper with one paragraph for each text, all on page 1."""
    texts, raised = zip(*map(_without_markup, marked), strict=True)
    kinds = [*kinds, *["body"] * (len(texts) - len(kinds))]
    paragraphs = tuple(Paragraph(i, 1, 1, kinds[i], fold(text), raised[i], i) for i, text in enumerate(texts))
    raws = raw or texts
    return Paper("k", paragraphs, read=lambda one: (texts[one.paragraph], raws[one.paragraph]))


def _without_markup(marked: str) -> tuple[str, list[int]]:
    text, at, raised = "", 0, []
    for match in _RAISED.finditer(marked):
        text += marked[at : match.start()]
        raised.append((len(text), len(text) + len(match[1])))
        text += match[1]
        at = match.end()
    return text + marked[at:], list(chain.from_iterable(raised))


def asked(words: str, *marked: str, kinds=(), wanted=1) -> list[Candidate]:
    """What tiers 1 and 2 find of `words` in a paper of these paragraphs, best first."""
    return by_words(ExactSearch(paper(*marked, kinds=kinds)), parse(words), wanted=wanted)


def omitted(found: Candidate, made: Paper) -> list[str]:
    """The folded words that a candidate says the query leaves out."""
    return [
        " ".join(
            made.paragraphs[i].text_norm[
                part.start if i == part.first else 0 : part.end if i == part.last else None
            ]
            for i in range(part.first, part.last + 1)
        ).strip()
        for part in found.omitted
    ]

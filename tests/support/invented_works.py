"""Invented works in three languages, which manuscripts of tests quote: their sentences, and their PDFs."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

import typst

from tests.support.cases import cases

PAGES = 4
SENTENCES_OF_A_PAGE = 9

TEXTS = cases("support/invented_works.toml")
NEGATION = {"en": "never ", "de": "nie ", "fr": "jamais "}
"""What stands in `{}` of the verb where a fault denies the sentence (French as in speech, without "ne")."""


@dataclass(frozen=True)
class Sentence:
    """A printed sentence: its four parts, and the page that its work prints it on."""

    subject: str
    verb: str
    object: str
    clause: str
    page: int

    def words(self, negation: str = "") -> str:
        """Return the sentence without its full stop, its verb denied by `negation`."""
        verb = self.verb.format(negation) if negation else " ".join(self.verb.format("").split())
        said = f"{self.subject} {verb.strip()} {self.object}, {self.clause}"
        return said[0].upper() + said[1:]


@dataclass(frozen=True)
class Work:
    """A work: whom and what a note names, and how its pages count."""

    key: str
    given: str
    family: str
    title: str
    short: str
    year: int
    first_page: int
    place: str = ""
    publisher: str = ""
    journal: str = ""
    language: str = "en"

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences that it prints, and no other work."""
        return _printed()[self.key]

    def on(self, page: int) -> list[Sentence]:
        """Return the sentences of the page that prints this number."""
        return [one for one in self.sentences if one.page == page]


WORKS = tuple(Work(**one) for one in TEXTS["works"])
BY_KEY = {one.key: one for one in WORKS}


@cache
def _printed() -> dict[str, tuple[Sentence, ...]]:
    """Return the sentences of each work by its key: each stands in one work, on one page."""
    made: dict[str, tuple[Sentence, ...]] = {}
    for language in TEXTS["subjects"]:
        works = [one for one in WORKS if one.language == language]
        drawn = list(product(*(TEXTS[part][language] for part in ("subjects", "deeds", "clauses"))))
        random.Random(language).shuffle(drawn)
        several = iter(drawn)
        for work in works:
            made[work.key] = tuple(_set(work, several))
    return made


def _set(work: Work, drawn: Iterator[tuple[str, tuple[str, str], str]]) -> Iterator[Sentence]:
    for page in range(work.first_page, work.first_page + PAGES):
        for _ in range(SENTENCES_OF_A_PAGE):
            subject, (verb, thing), clause = next(drawn)
            yield Sentence(subject, verb, thing, clause, page)


def pdf_of_work(work: Work) -> bytes:
    """Return the PDF of a work: its pages are labelled as they are numbered, from `first_page`."""
    pages = []
    for page in range(work.first_page, work.first_page + PAGES):
        said = [f"{one.words()}." for one in work.on(page)]
        pages.append("\n\n".join(" ".join(said[at : at + 3]) for at in range(0, len(said), 3)))
    heading = f"= {work.title}\n\n{work.given} {work.family}\n\n"
    made: bytes = typst.compile(
        (
            f'#set page(width: 150mm, height: 220mm, numbering: "1")\n'
            f'#set text(size: 10pt, lang: "{work.language}")\n'
            f"#counter(page).update({work.first_page})\n{heading}" + "\n\n#pagebreak()\n".join(pages)
        ).encode()
    )
    return made


def write_library(folder: Path) -> Path:
    """Write the PDF of each work into `folder`, and a bibliography. Return the bibliography's path."""
    folder.mkdir(parents=True, exist_ok=True)
    entries = []
    for work in WORKS:
        (folder / f"{work.key}.pdf").write_bytes(pdf_of_work(work))
        printed_in = (
            f"journal = {{{work.journal}}}"
            if work.journal
            else f"publisher = {{{work.publisher}}}, address = {{{work.place}}}"
        )
        kind = "article" if work.journal else "book"
        entries.append(
            f"@{kind}{{{work.key}, author = {{{work.family}, {work.given}}}, title = {{{work.title}}}, "
            f"year = {{{work.year}}}, {printed_in}, file = {{{work.key}.pdf}}}}\n"
        )
    bibliography = folder / "library.bib"
    bibliography.write_text("".join(entries), "utf-8")
    return bibliography

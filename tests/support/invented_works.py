"""Invented works in three languages, which manuscripts of tests quote: their sentences, and their PDFs."""

import random
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path

import typst

PAGES = 4
SENTENCES_OF_A_PAGE = 9

_ENGLISH = (
    (
        "the salt merchants of Varnholm",
        "the aldermen of the lower harbour",
        "the widow of the glover Hask",
        "the clerks who kept the toll ledgers",
        "the ferrymen under the old charter",
        "two brothers from the tannery",
        "the abbess and her steward",
        "the guild of the rope makers",
        "the bailiff of the northern gate",
        "the envoys whom the duke had sent",
        "the masters of the dyers' hall",
        "the pilots of the outer shoals",
    ),
    (
        ("{}refused", "the levy on dried herring"),
        ("{}repaid", "the loan for the second granary"),
        ("{}carried", "the sealed weights to the chapel"),
        ("{}recorded", "the price of rye in silver pence"),
        ("{}petitioned", "the council about the broken sluice"),
        ("{}guarded", "the chest with the three keys"),
        ("{}exchanged", "the worn coins at the bridge"),
        ("{}copied", "the ordinance into the red book"),
        ("{}measured", "the cloth by the bronze ell"),
        ("{}surrendered", "the lease of the windmill"),
    ),
    (
        "because forty barrels had spoiled in the thaw",
        "although the winter fair was already closed",
        "before the magistrate could open his court",
        "while seventeen ships lay idle at the quay",
        "since nobody trusted the new assayer",
        "after the flood of the previous spring",
        "whenever the bishop's men rode through the town",
        "until the debts of ninety marks were settled",
        "though the statute allowed them no delay",
        "as soon as the bells had announced the truce",
    ),
)
_GERMAN = (
    (
        "die Salzhändler der unteren Stadt",
        "die Ratsherren am alten Hafen",
        "die Witwe des Gerbers Ansorge",
        "die Schreiber der Zollstube",
        "die Fährleute nach altem Recht",
        "zwei Brüder aus dem Gerberviertel",
        "die Äbtissin und ihr Verwalter",
        "die Zunft der Seiler",
    ),
    (
        ("verweigerten {}", "die Abgabe auf den Hering"),
        ("trugen {}", "die versiegelten Gewichte in die Kapelle"),
        ("verzeichneten {}", "den Preis des Roggens in Pfennigen"),
        ("bewachten {}", "die Truhe mit den drei Schlüsseln"),
        ("tauschten {}", "die abgegriffenen Münzen an der Brücke"),
        ("maßen {}", "das Tuch mit der bronzenen Elle"),
    ),
    (
        "weil vierzig Fässer im Tauwetter verdorben waren",
        "obwohl der Wintermarkt längst geschlossen war",
        "ehe der Vogt sein Gericht eröffnen konnte",
        "während siebzehn Schiffe müßig am Kai lagen",
        "da niemand dem neuen Münzprüfer traute",
        "nach der großen Flut des vorigen Frühjahrs",
    ),
)
_FRENCH = (
    (
        "les marchands de sel du bas quartier",
        "les échevins du vieux port",
        "la veuve et les fils du tanneur",
        "les clercs qui tenaient les registres",
        "les passeurs de la rive gauche",
        "deux frères venus de la tannerie",
        "les sœurs et leur intendant",
        "les cordiers de la confrérie",
    ),
    (
        ("{}refusèrent", "la taxe sur le hareng séché"),
        ("{}portèrent", "les poids scellés à la chapelle"),
        ("{}notèrent", "le prix du seigle en deniers"),
        ("{}gardèrent", "le coffre aux trois serrures"),
        ("{}changèrent", "les pièces usées près du pont"),
        ("{}mesurèrent", "le drap avec une aune de bronze"),
    ),
    (
        "parce que quarante tonneaux avaient gâté au dégel",
        "bien que la foire d'hiver fût déjà close",
        "avant que le prévôt pût ouvrir son tribunal",
        "tandis que dix-sept navires dormaient à quai",
        "puisque personne ne croyait le nouvel essayeur",
        "après la grande crue du printemps précédent",
    ),
)
_SENTENCES = {"en": _ENGLISH, "de": _GERMAN, "fr": _FRENCH}
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
    place: str
    publisher: str
    journal: str = ""
    language: str = "en"

    @property
    def sentences(self) -> tuple[Sentence, ...]:
        """The sentences that it prints, and no other work."""
        return _printed()[self.key]

    def on(self, page: int) -> list[Sentence]:
        """Return the sentences of the page that prints this number."""
        return [one for one in self.sentences if one.page == page]


WORKS = (
    Work(
        "merle1931",
        "Johanna",
        "Merle",
        "The Salt Road of Varnholm",
        "Salt Road",
        1931,
        211,
        "London",
        "Harbour Press",
    ),
    Work(
        "hask1948",
        "Peter",
        "Hask",
        "The Weights of the Council",
        "Weights",
        1948,
        33,
        "",
        "",
        "Journal of Harbour History",
    ),
    Work(
        "oakes2004",
        "Miriam",
        "Oakes",
        "Ledgers and Tolls in a Northern Port",
        "Ledgers and Tolls",
        2004,
        1,
        "Oxford",
        "Bridge Street",
    ),
    Work(
        "tanner1977",
        "Lewis",
        "Tanner",
        "Granaries of the Coast",
        "Granaries",
        1977,
        88,
        "Cambridge",
        "Fenland Books",
    ),
    Work(
        "adeyemi2015",
        "Sade",
        "Adeyemi",
        "A Charter and Its Readers",
        "Charter",
        2015,
        140,
        "",
        "",
        "Past Harbours",
    ),
    Work(
        "ritter1912",
        "Albrecht",
        "Ritter",
        "Die Waage zu Aldenburg",
        "Die Waage",
        1912,
        31,
        "Leipzig",
        "Hafenverlag",
        language="de",
    ),
    Work(
        "kehl1988",
        "Ilse",
        "Kehl",
        "Zoll und Zunft am Strom",
        "Zoll und Zunft",
        1988,
        402,
        "Berlin",
        "Stromverlag",
        language="de",
    ),
    Work(
        "dumont1952",
        "Claire",
        "Dumont",
        "Les Registres du port",
        "Registres",
        1952,
        41,
        "Paris",
        "Éditions du Quai",
        language="fr",
    ),
)
BY_KEY = {one.key: one for one in WORKS}


@cache
def _printed() -> dict[str, tuple[Sentence, ...]]:
    """Return the sentences of each work by its key: each stands in one work, on one page."""
    made: dict[str, tuple[Sentence, ...]] = {}
    for language, parts in _SENTENCES.items():
        works = [one for one in WORKS if one.language == language]
        drawn = list(product(*parts))
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

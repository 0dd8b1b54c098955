"""Every public call of a corpus, with arguments over papers about animals: corpora are compared by them."""

from typing import Any

from lookup.release.schema import TABLES
from pipeline.models.install import install_model
from tests.support.builds import Library
from tests.support.models import tiny_model

ANIMALS = ("ant", "bee", "cat", "dog", "elk", "fox", "gnu", "hen", "ibis", "jay")


def text(animal):
    """Return what the paper about an animal prints."""
    return (
        f"The {animal} slept. Nobody minded the sleeping {animal} in its small wooden house.\n"
        "It was a quiet day, and well-known birds were singing in the old trees nearby."
    )


def library_of_animals(root):
    """Return a library of these papers and a broken one in `root`, built in one piece, and its model."""
    library = Library(root)
    model = install_model(tiny_model(root / "source"), root / "models" / "tiny")
    for animal in ANIMALS:
        library.add(animal, text(animal))
    (library.pdfs / "broken.pdf").write_bytes(b"%PDF-1.4 and nothing else")
    library.build(model=model)
    return library, model


def vector(corpus):
    """Return the arguments of a query that compares vectors."""
    return [corpus.vector("sleeping animals")]


QUOTED = "Nobody minded the sleeping gnu"

CALLS: dict[str, list[tuple[Any, ...]]] = {
    "quote": [
        ("gnu", QUOTED),
        ("gnu", QUOTED, 3),
        ("gnu", "Nobody mined the slepping gnu in its smal house"),
        ("gnu", "rest of animals during the day"),
        ("ant", QUOTED),
    ],
    "quotes": [([("gnu", QUOTED), ("ant", QUOTED), ("cat", "The cat slept.", 3), ("yak", "No such paper")],)],
    "verify": [(QUOTED,), (QUOTED, "gnu"), (QUOTED, "ant", 3), ("Nobody minded the sleeping gnus",)],
    "verify_all": [
        ([(QUOTED, "gnu"), ("The hen slept.", ""), ("The hen slept.", "yak"), ("No.", "ant", [1, 3])],)
    ],
    "grep": [
        ("nobody minded",),
        ("small wooden house", ["gnu", "ant"]),
        ("the", None, 3, 5),
        ("the", None, 0, 7),
    ],
    "count": [("nobody minded",), ("house", ["gnu", "ant"])],
    "papers": [(), ("gnu",), ("", 3, 4)],
    "resolve": [("GNU",), ("gnu.pdf",), ("nothing of the kind",)],
    "paper": [("hen",)],
    "pages": [("hen",)],
    "outline": [("hen",)],
    "original": [("hen",)],
    "ground": [("gnu", {"day": "quiet day", "weight": "9 kg"})],
    "abstract": [("hen",)],
    "page_number": [("hen", 3)],
    "page": [("hen", 3)],
    "page_parts": [("hen", 3)],
    "document": [("hen",)],
    "context": [("hen", 20, 30, 30)],
    "excerpt": [("hen", "singing birds", 60)],
    "search": [
        (mode_query, 10, mode, *rest)
        for mode in ("lexical", "semantic", "hybrid")
        for mode_query, rest in (
            ("sleeping gnu", ()),
            ("quiet day", (["gnu", "ant", "hen"],)),
            (["sleeping gnu", "wooden house of the gnu"], ()),
        )
    ],
    "similar": [("gnu", 2), ("gnu", 2, 3, ["ant", "hen"])],
    "sentences": [(QUOTED, 10, 0.0), (QUOTED, 3, 0.1, ["gnu", "fox"])],
    "neighbours": [("gnu:2:0", 1)],
    "vector": [("sleeping",)],
    "search_context": [("sleeping gnu",), ("wooden", ["gnu", "hen"])],
    "search_exact_phrase": [("sleeping gnu",)],
    "search_boolean_and": [("wooden gnu",)],
    "search_fuzzy": [("woden gnu",)],
    "sql": [
        (
            f"SELECT * EXCLUDE (row_number) FROM {name} ORDER BY ALL"
            if name == "paragraphs"
            else f"FROM {name} ORDER BY ALL",
        )
        for name in (table.name for table in TABLES)
        if name != "failures"
    ]
    + [
        ("SELECT * EXCLUDE (seconds) FROM failures",),
        ("FROM search_words('sleeping gnu')",),
        ("FROM find_quote('gnu', 'nobody minded')",),
        ("SELECT * FROM match_sentences(?, 0.1, 5)", vector),
        ("SELECT * FROM papers WHERE key = ?", ["gnu"]),
    ],
}
"""Arguments of each call; a function takes the corpus."""

MUST_FIND = {"count", "grep", "papers", "search", "sentences", "similar", "search_fuzzy", "search_context"}
"""Calls that say nothing where they find nothing."""

ALIKE = {"close", "encoder", "refresh", "release", "warm"}
"""What is about the corpus, and not about papers."""


EACH = [(call, args) for call, each in CALLS.items() for args in each]
"""Each call with each of its arguments."""


def answer(corpus, call, args):
    """Return what a call says, an SQL query its rows."""
    given = [one(corpus) if callable(one) else one for one in args]
    said = getattr(corpus, call)(*given)
    return said.fetchall() if call == "sql" else said


def of_call(value):
    """Return a short name of a call, or of its arguments."""
    return str(value)[:40]

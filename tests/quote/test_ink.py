"""What a page prints is quoted, and nothing else, whatever its tables, glyphs, gaps and covers say."""

import pytest

from tests.support.builds import corpus_of
from tests.support.ink import PRODUCERS, cases

QUICK = (
    "Typst, Libertinus",
    "Typst, Libertinus, 2 fonts",
    "PyMuPDF, Nimbus Roman, 4 fonts",
    "Helvetica, not embedded",
)
HELD = (
    "soft hyphen painted",
    "soft hyphen not painted",
    "raised by its glyph",
    "figures that are not raised",
    "words parted by kerning",
    "letters parted by tracking",
    "raised drawn later",
    "letters painted one by one",
    "hyphens of old text layers",
    "full-width letters",
    "radicals drawn by lines",
    "covered by an annotation",
    "not covered",
    "ink that is none",
    "odd ink that shows",
    "said, not printed",
    "several told, or nothing",
    "bars over letters",
    "drawn over",
    "ligature told as its letter",
    "tables that are right",
    "tables that lie",
)
UNSURE = {kind: {"verbatim", "near"} for kind in ("tables that lie", "radicals drawn by lines")}
"""What a printed quote may be where outlines do not say for sure what is printed, by kind."""


@pytest.fixture(scope="module")
def printed(tmp_path_factory):
    """A corpus of them, and the case of each key."""
    made = [one for one in cases({name: PRODUCERS[name] for name in QUICK}) if one.kind in HELD]
    keys = {f"p{number:03}": case for number, case in enumerate(made)}
    files = {f"{key}.pdf": case.pdf for key, case in keys.items()}
    with corpus_of(tmp_path_factory.mktemp("ink"), files, keys="file") as corpus:
        yield corpus, keys


@pytest.mark.long
@pytest.mark.parametrize("kind", HELD)
def test_what_is_printed_is_verbatim_and_what_is_not_is_not(printed, kind):
    corpus, keys = printed
    of_kind = [(key, case) for key, case in keys.items() if case.kind == kind]
    assert of_kind
    refused = [
        (case.name, words, verdict)
        for key, case in of_kind
        for words in case.printed
        if (verdict := corpus.verify(words, key).verdict) not in UNSURE.get(kind, {"verbatim"})
    ]
    blessed = [
        (case.name, words)
        for key, case in of_kind
        for words in case.forged
        if corpus.verify(words, key).verdict in {"verbatim", "abridged"}
    ]
    assert (refused, blessed) == ([], [])

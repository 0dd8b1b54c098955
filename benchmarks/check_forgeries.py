"""Does `check` report every forged quotation of a manuscript, and no honest one?

    python benchmarks/check_forgeries.py CORPUS [--seed N] [--show]

A manuscript in LaTeX and one in Markdown hold 100 forgeries and 200 honest quotations of the corpus, in an
order drawn at random. Both are made of sentences that the corpus calls verbatim. What is forged is printed
nowhere in the paper: where it is by chance, another is drawn. Honest ones change what a careful writer may:
the first letter, "[sic]", a part left out.
"""

import argparse
import random
import re
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from manuscripts import MANUSCRIPTS
from tables import markdown_table, measured_on

import lookup
from pagequote.check import Finding, Vocabulary, judge, read_manuscripts

_FORGED, _HONEST = 100, 200
_DRAWN = 6000
"""Sentences that are drawn, to have enough of the rare kinds."""

_OPPOSITES = dict(
    pair
    for one, other in (
        ("increased", "decreased"),
        ("increase", "decrease"),
        ("higher", "lower"),
        ("more", "less"),
        ("greater", "smaller"),
        ("positive", "negative"),
        ("before", "after"),
        ("above", "below"),
        ("high", "low"),
        ("with", "without"),
        ("longer", "shorter"),
    )
    for pair in ((one, other), (other, one))
)
_UNITS = {
    "mg": "kg",
    "kg": "mg",
    "mL": "L",
    "ml": "l",
    "mm": "cm",
    "cm": "mm",
    "nm": "mm",
    "h": "min",
    "min": "h",
    "days": "years",
    "°C": "°F",
}
_CASES = {"mm": "mM", "mM": "mm", "µM": "µm", "nM": "nm", "nm": "nM", "mg": "Mg", "MHz": "mHz", "ms": "Ms"}
_DENIAL = r"\b(?:not|no|never|without|cannot|failed to|fails to|rather than|instead of|unlikely|whether)\b"
_TURNS = re.compile(
    _DENIAL
    + r"|n't|\b(?:nor|neither|none|only|few|fewer|little|less|hardly|may|might|could|perhaps|possibl[ey]"
    r"|lack\w*|absen\w+|prevent\w*|inhibit\w*|suppress\w*|except|unless|un(?:able|clear|known)|seem\w*|hypothes\w+|suppos\w+|opposite|reverse"
    r"|s[oó]lo|sin|ni|não|sem|nem|apenas|nicht|kein\w*|nur|ohne|pas|sans|seulement)\b",
    re.IGNORECASE,
)
"""What an honest writer leaves out under no ellipsis."""


@dataclass(frozen=True)
class _Sentence:
    """A sentence of a paper, with what a forger may join to it."""

    key: str
    text: str
    page: int
    later: str
    """A paragraph of the same paper, three body paragraphs later; '' at its end."""


@dataclass(frozen=True)
class _Quotation:
    kind: str
    forged: bool
    words: str
    key: str
    page: int


def _replaced(
    pattern: str, by: str | Callable[[re.Match[str]], str]
) -> Callable[[_Sentence, random.Random], str]:
    """A change of one of the places that match, drawn at random; '' where there is none."""

    def change(sentence: _Sentence, rng: random.Random) -> str:
        found = list(re.finditer(pattern, sentence.text))
        if not found:
            return ""
        one = rng.choice(found)
        new = by(one) if callable(by) else one.expand(by)
        return sentence.text[: one.start()] + new + sentence.text[one.end() :]

    return change


def _any_of(words: Sequence[str]) -> str:
    return "|".join(sorted(map(re.escape, words), key=len, reverse=True))


def _another_digit(sentence: _Sentence, rng: random.Random) -> str:
    return _replaced(r"\d", lambda one: str((int(one.group()) + rng.randint(1, 9)) % 10))(sentence, rng)


def _without_a_word(sentence: _Sentence, rng: random.Random) -> str:
    words = sentence.text.split()
    at = rng.randrange(2, len(words) - 2)
    return " ".join(words[:at] + words[at + 1 :]) if words[at].isalpha() and len(words[at]) > 1 else ""


def _swapped(sentence: _Sentence, rng: random.Random) -> str:
    words = sentence.text.split()
    at = rng.randrange(1, len(words) - 2)
    one, other = words[at : at + 2]
    if not (one.isalpha() and other.isalpha()) or one.casefold() == other.casefold():
        return ""
    return " ".join([*words[:at], other, one, *words[at + 2 :]])


def _put_in(sentence: _Sentence, rng: random.Random) -> str:
    words = sentence.text.split()
    at = rng.randrange(3, len(words) - 3)
    doubt = rng.choice(["hardly", "in rats only", "supposedly", "never", "the contrary of", "unable to"])
    return " ".join([*words[:at], f"[{doubt}]", *words[at:]])


def _over_denial(sentence: _Sentence, rng: random.Random) -> str:
    return _replaced(rf"(?<=[a-z] )(?:{_DENIAL})(?= [a-z])", "...")(sentence, rng)


def _single_words(sentence: _Sentence, rng: random.Random) -> str:
    words = [re.findall(r"[A-Za-z]{3,}", text) for text in (sentence.text, sentence.later)]
    if min(map(len, words)) < 12:
        return ""
    return " ... ".join(rng.choice(part) for each in words for part in (each[:4], each[4:8], each[8:]))


def _distant_ends(sentence: _Sentence, rng: random.Random) -> str:
    """The beginning of a sentence, and the end of another, three paragraphs later."""
    later = sentence.later.split()
    count = rng.randint(4, 6)
    return (
        f"{' '.join(sentence.text.split()[:count])} ... {' '.join(later[-count:])}" if len(later) > 40 else ""
    )


_FORGERIES: dict[str, Callable[[_Sentence, random.Random], str]] = {
    "another digit": _another_digit,
    "point dropped": _replaced(r"(?<=\d)\.(?=\d)", ""),
    "minus put in": _replaced(r"(?<=[a-z] )(?=\d)", "−"),
    "relation turned": _replaced("[<>≤≥]", lambda one: ">" if one.group() in "<≤" else "<"),
    "another unit": _replaced(rf"(?<=\d )(?:{_any_of([*_UNITS])})\b", lambda one: _UNITS[one.group()]),
    "unit in another case": _replaced(
        rf"(?<=\d )(?:{_any_of([*_CASES])})\b", lambda one: _CASES[one.group()]
    ),
    "acronym in small letters": _replaced(
        r"\b(?:NO|WHO|AIDS|US|IT|PI|CO|PCR|DNA|RNA)\b", lambda one: one.group().lower()
    ),
    "Greek letter's case": _replaced("[βγδλσφψωΔΓΛΣΦΨΩ]", lambda one: one.group().swapcase()),
    "negation dropped": _replaced(r"\b(?:not|never|without) ", ""),
    "negation put in": _replaced(r"\b(was|were|is|are|has|have|can) ", r"\1 not "),
    "direction turned": _replaced(
        rf"(?<= )(?:{_any_of([*_OPPOSITES])})\b", lambda one: _OPPOSITES[one.group()]
    ),
    "word dropped": _without_a_word,
    "words swapped": _swapped,
    "direction in a bracket": _replaced(
        rf"(?<= )(?:{_any_of([*_OPPOSITES])})\b", lambda one: f"[{_OPPOSITES[one.group()]}]"
    ),
    "doubt in a bracket": _put_in,
    "bracket for a number": _replaced(r"(?<= )\d+(?:\.\d+)?(?= [a-z])", "[several]"),
    "ellipsis over a denial": _over_denial,
    "single words": _single_words,
    "ends of distant paragraphs": _distant_ends,
}


def _left_out(sentence: _Sentence, _: random.Random) -> str:
    words = sentence.text.split()
    middle = " ".join(words[6:-6])
    borders = [words[i][j] for i, j in ((6, -1), (-7, 0)) if len(words) > 18]
    plain = all(map(str.isalpha, borders)) and not re.search(r"[\d±×]$|^[\d±×]", f"{words[6]}")
    return (
        f"{' '.join(words[:7])} ... {' '.join(words[-7:])}"
        if borders and plain and not _TURNS.search(middle)
        else ""
    )


_HONEST_CHANGES: dict[str, Callable[[_Sentence, random.Random], str]] = {
    "as printed": lambda sentence, _: sentence.text,
    "first letter in a bracket": lambda sentence, _: f"[{sentence.text[0].lower()}]{sentence.text[1:]}",
    "[sic]": lambda sentence, _: " ".join([*sentence.text.split()[:5], "[sic]", *sentence.text.split()[5:]]),
    "part left out": _left_out,
}


def _drawn(corpus: lookup.Corpus, rng: random.Random) -> list[_Sentence]:
    """Sentences of body paragraphs that the corpus calls verbatim, in an order drawn at random."""
    paragraphs = corpus.sql(
        "SELECT key, text FROM paragraphs WHERE kind = 'body' ORDER BY key, paragraph"
    ).fetchall()
    later = {
        (key, text): after
        for (key, text), (other, after) in zip(paragraphs, paragraphs[3:], strict=False)
        if key == other
    }
    rows = corpus.sql(
        'SELECT key, text, substring(text, start + 1, "end" - start) FROM sentences JOIN paragraphs USING '
        "(key, paragraph) "
        "WHERE kind = 'body' ORDER BY key, paragraph, sentence"
    ).fetchall()
    plain = [
        (key, text, words)
        for key, text, words in rows
        if re.fullmatch(r"[A-Z][a-z]*[ ,][^\"“”\ufffd\[\]{}\\]{60,280}\.", words)
    ]
    plain = [one for one in plain if len(one[2].split()) >= 9]
    plain = rng.sample(plain, min(_DRAWN, len(plain)))
    judged = corpus.verify_all([(words, key) for key, _, words in plain])
    return [
        _Sentence(key, words, one.match.page, later.get((key, text), ""))
        for (key, text, words), one in zip(plain, judged, strict=True)
        if one.verdict == "verbatim" and one.match
    ]


def _letters(text: str) -> str:
    return "".join(
        unicodedata.normalize("NFKC", text).translate(dict.fromkeys(map(ord, "‐‑‒–−"), "-")).split()
    )


def _quotations(corpus: lookup.Corpus, rng: random.Random) -> list[_Quotation]:
    """Forged and honest quotations, each of another sentence, the kinds in turn."""
    sentences = _drawn(corpus, rng)
    printed: dict[str, str] = {}
    made: list[_Quotation] = []
    for forged, changes, count in ((True, _FORGERIES, _FORGED), (False, _HONEST_CHANGES, _HONEST)):
        open_kinds = dict(changes)
        full = len(made) + count
        while open_kinds and len(made) < full:
            for kind, change in list(open_kinds.items())[: full - len(made)]:
                for sentence in sentences:
                    words = change(sentence, rng)
                    if sentence.key not in printed:
                        printed[sentence.key] = _letters(corpus.document(sentence.key))
                    if words and (not forged or _letters(words) not in printed[sentence.key]):
                        sentences.remove(sentence)
                        made.append(_Quotation(kind, forged, words, sentence.key, sentence.page))
                        break
                else:
                    del open_kinds[kind]
    rng.shuffle(made)
    return made


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="print what was judged wrongly")
    options = parser.parse_args()
    rows = []
    with tempfile.TemporaryDirectory() as folder, lookup.open(options.corpus) as corpus:
        made = _quotations(corpus, random.Random(options.seed))
        for name, write in MANUSCRIPTS:
            path = Path(folder) / name
            path.write_text("".join(write(one.words, one.key, one.page) for one in made), encoding="utf-8")
            findings = judge(corpus, list(read_manuscripts([path], Vocabulary())))
            if len(findings) != len(made):
                raise SystemExit(f"{len(findings)} of {len(made)} quotations were found in {name}.")
            rows.append(_row(name, made, findings, show=options.show))
    print(markdown_table(["manuscript", "forged", "reported", "honest", "accepted"], rows))
    kinds = Counter(one.kind for one in made)
    print(
        f"\nSeed {options.seed}; {', '.join(f'{kind} {count}' for kind, count in sorted(kinds.items()))}; "
        f"{measured_on()}"
    )


def _row(name: str, made: Sequence[_Quotation], findings: Sequence[Finding], *, show: bool) -> list[str]:
    pairs = list(zip(made, findings, strict=True))
    forged = [finding.level != "ok" for one, finding in pairs if one.forged]
    honest = [finding.level == "ok" for one, finding in pairs if not one.forged]
    for one, finding in pairs if show else ():
        if (finding.level == "ok") == one.forged:
            print(
                f"{name}: {one.kind}: {one.key} p. {one.page}: {one.words!r} -> {finding.verdict}: "
                f"{finding.printed!r}"
            )
    return [name, *(str(count) for each in (forged, honest) for count in (len(each), sum(each)))]


if __name__ == "__main__":
    main()

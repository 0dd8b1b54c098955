"""Which kinds do paragraphs get, next to the publishers'? `kinds.py CORPUS TRUTH [--sentences 20]`.

TRUTH has KEY/truth.xml (JATS) or CLASS/KEY/truth.json (blocks with "kind" and "text"), CORPUS was built from
the PDFs beside them. A row of the table is a kind of the truth, a column the kind of the row of the corpus
that holds most of such a block; "none" where no row holds half of it.

With --sentences so many sentences of each document of TRUTH are drawn and queried as quotes: how many are
verbatim, and on the page where MuPDF's own text has their letters? How many that run over an end are
verbatim or abridged: those that no page's text has in one piece, and the last sentence of a paragraph with
the first of the next? A row of the table is a class.
"""

import argparse
import json
import os
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from random import Random

import pymupdf
from tables import markdown_table, measured_on

import lookup
from lookup.release.schema import KINDS
from lookup.text.folding import blind, fold
from lookup.text.scripts import letters
from pipeline.markup.reading import read_markup

_PIECE = 16
"""Letters of a piece of text by which a block is found."""

_NONE = "none"
_GAPS = re.compile("[\x01\x02\x03]+")
"""What stands in truth.json for formulas, citations and marks of notes."""

_PROSE = (
    "body",
    "abstract",
    "theorem",
    "quote",
    "verse",
)  # Kinds of the truth that sentences are drawn from.
_SENTENCE_ENDS = re.compile(r"(?<=[.!?…])\s+(?=[^\s\d])|(?<=[。！？؟।])")
_LETTERS = (45, 300)  # Letters of a sentence that is drawn.


def of_truth(path: Path) -> Iterator[tuple[str, str]]:
    """Yield the kind and the text of each block of a truth."""
    if path.suffix == ".json":
        for block in json.loads(path.read_text(encoding="utf-8")):
            yield block["kind"], block["text"]
        return
    for paragraph in read_markup(path.read_bytes(), "xml").paragraphs:
        yield paragraph.kind, paragraph.text


def confusion(rows: Sequence[tuple[str, str]], truth: Iterator[tuple[str, str]]) -> Counter[tuple[str, str]]:
    """Count the blocks of the truth by their kind and that of the row that holds most of each."""
    holders: dict[str, set[int]] = defaultdict(set)
    for place, (_, text) in enumerate(rows):
        letters = blind(fold(text))
        for at in range(max(1, len(letters) - _PIECE + 1)):
            holders[letters[at : at + _PIECE]].add(place)
    found: Counter[tuple[str, str]] = Counter()
    for kind, text in truth:
        parts = [blind(fold(part)) for part in _GAPS.split(text)]
        pieces = [part[at : at + _PIECE] for part in parts for at in range(0, len(part), _PIECE)]
        pieces = [piece for piece in pieces if len(piece) == _PIECE] or [part for part in parts if part]
        held = Counter(place for piece in pieces for place in holders.get(piece, ()))
        if pieces:
            place, most = max(held.items(), key=lambda one: one[1], default=(-1, 0))
            found[kind, rows[place][0] if 2 * most >= len(pieces) else _NONE] += 1
    return found


def table(found: Mapping[tuple[str, str], int]) -> str:
    """Return the matrix: kinds of the truth down, those of the corpus across, and the share that is right."""
    across = [kind for kind in (*KINDS, _NONE) if any(one == kind for _, one in found)]
    rows = []
    for kind in sorted({kind for kind, _ in found}):
        counts = [found.get((kind, one), 0) for one in across]
        right = found.get((kind, kind), 0) / sum(counts)
        rows.append([kind, *(str(count) if count else "" for count in counts), f"{right:.3f}"])
    return markdown_table(["truth", *across, "right"], rows)


def truths(root: Path) -> list[Path]:
    """Return the truths below a folder, through links: the gate links those of its documents."""
    return sorted(
        Path(folder) / name
        for folder, _, names in os.walk(root, followlinks=True)
        for name in names
        if name in {"truth.xml", "truth.json"}
    )


def sentences(path: Path, count: int) -> list[str]:
    """Return up to `count` sentences of a truth, the same each time; none has a formula or a citation."""
    least, most = _LETTERS
    able = {
        sentence.strip(): None
        for kind, text in of_truth(path)
        if kind in _PROSE
        for sentence in _SENTENCE_ENDS.split(text)
        if not _GAPS.search(sentence) and least <= letters(sentence) <= most
    }
    return Random(path.parent.name).sample([*able], min(count, len(able)))


def over_ends(path: Path, count: int) -> list[str]:
    """Return up to `count` ends of paragraphs of a truth, each with the beginning of the next one."""
    least, most = _LETTERS
    found: list[str] = []
    last = ""  # the sentence with which the paragraph before ends
    for kind, text in of_truth(path):
        parts = [part.strip() for part in _SENTENCE_ENDS.split(text)] if kind in _PROSE else [""]
        able = [least <= letters(part) <= most and not _GAPS.search(part) for part in parts]
        if last and able[0]:
            found.append(f"{last} {parts[0]}")
        last = parts[-1] if able[-1] else ""
    return Random(path.parent.name).sample(found, min(count, len(found)))


def quoted(
    corpus: lookup.Corpus, key: str, pdf: Path, asked: Sequence[str], ends: Sequence[str]
) -> Counter[str]:
    """Count the sentences that are verbatim, those whose page MuPDF's text has, and those found on it.

    Of those over `ends`, and over ends of pages, count those that are verbatim or abridged.
    """
    with pymupdf.open(pdf) as document:  # type: ignore[no-untyped-call]
        pages = [blind(fold(page.get_text())) for page in document]
    found = Counter(asked=len(asked))
    for sentence in asked:
        matches = corpus.quote(key, sentence).matches
        found["verbatim"] += bool(matches) and matches[0].verdict == "verbatim"
        bones = blind(fold(sentence))
        able = {number for number, page in enumerate(pages, start=1) if bones in page}
        if able and matches:
            found["on a page"] += 1
            found["right page"] += matches[0].page in able
        found["over"] += not able
        found["over ends"] += not able and bool(matches) and matches[0].verdict == "verbatim"
    for both in ends:
        matches = corpus.quote(key, both).matches
        found["over"] += 1
        found["over ends"] += bool(matches) and matches[0].verdict in ("verbatim", "abridged")
    return found


def sentence_table(of_classes: Mapping[str, Counter[str]]) -> str:
    """Return a row a class, and one of all: sentences, which are verbatim, on the right page, over ends."""
    rows = []
    for name, found in [*of_classes.items(), ("all", sum(of_classes.values(), Counter()))]:
        page = f"{found['right page']} of {found['on a page']}"
        over = f"{found['over ends']} of {found['over']}"
        rows.append([name, str(found["asked"]), str(found["verbatim"]), page, over])
    return markdown_table(["class", "sentences", "verbatim", "right page", "over ends"], rows)


def main() -> None:
    """Print the matrix of all documents that the corpus holds, or the table of their sentences."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("truth", type=Path)
    parser.add_argument("--sentences", type=int, default=0, help="so many of each document, as quotes")
    options = parser.parse_args()
    corpus = lookup.open(options.corpus)
    if options.sentences:
        of_classes: dict[str, Counter[str]] = defaultdict(Counter)
        for path in truths(options.truth):
            asked, ends = sentences(path, options.sentences), over_ends(path, options.sentences // 2)
            pdf = path.with_name("paper.pdf")
            name = path.parts[-3] if path.suffix == ".json" else "papers"
            of_classes[name] += quoted(corpus, path.parent.name, pdf, asked, ends)
        print(f"{measured_on()}\n\n{sentence_table(of_classes)}")
        return
    found: Counter[tuple[str, str]] = Counter()
    documents = 0
    for path in truths(options.truth):
        rows = corpus.sql(
            "SELECT kind, text FROM paragraphs WHERE key = ? AND NOT hidden ORDER BY paragraph",
            [path.parent.name],
        ).fetchall()
        documents += bool(rows)
        if rows:
            found += confusion(rows, of_truth(path))
    print(f"{documents} documents; {measured_on()}\n\n{table(found)}")


if __name__ == "__main__":
    main()

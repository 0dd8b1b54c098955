"""What is answered about PDFs that were cut? `python benchmarks/cut_short.py PAPERS ... [--papers 64]`.

PAPERS are folders with a folder for each paper, in it a `paper.pdf`. Each is read whole, and cut at .3, .6
and .9 of its bytes. Twenty sentences of the whole paper are asked of the cut one. Counted: rows `cut short`
in `failures`, files that are kept with what they have, sentences that are lost, and answers about these that
do not say that the file is cut short.
"""

import argparse
import sys
import tempfile
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path

from tables import markdown_table, measured_on

import lookup
from lookup.errors import UnknownKeyError
from pipeline.builds.stages import build
from pipeline.builds.survey import BuildSettings
from pipeline.engines.local import Local

SHARES = (0.3, 0.6, 0.9)
SENTENCES = 20
SAID = "cut short"

_SENTENCES = """
SELECT substr(p.text, s.start + 1, s."end" - s.start)
FROM sentences s JOIN paragraphs p ON p.key = s.key AND p.paragraph = s.paragraph
WHERE s.key = ? AND p.kind = 'body' AND s."end" - s.start BETWEEN 60 AND 400
ORDER BY s.paragraph, s.sentence"""


def corpus_of(pdfs: Mapping[str, bytes], folder: Path) -> Path:
    """Build a corpus of PDFs by their keys, in a new folder; return its folder."""
    sources = folder / "pdfs"
    sources.mkdir(parents=True)
    for key, data in pdfs.items():
        (sources / f"{key}.pdf").write_bytes(data)
    build(BuildSettings([sources], (), folder / "work", keys="file"), folder / "corpus", Local(workers=2))
    return folder / "corpus"


def sentences(corpus: lookup.Corpus, key: str) -> list[str]:
    """Return sentences of running text from all over a paper, in its order."""
    found = [text for (text,) in corpus.sql(_SENTENCES, [key]).fetchall()]
    return [found[at * len(found) // SENTENCES] for at in range(min(SENTENCES, len(found)))]


def counted(corpus: lookup.Corpus, keys: Sequence[str], asked: Mapping[str, Sequence[str]]) -> Counter[str]:
    """Return the counts of a share: `keys` are those of the cut papers, `asked` the sentences by key."""
    rows = dict(corpus.sql("SELECT key, reason FROM failures").fetchall())
    kept = {key for (key,) in corpus.sql("SELECT key FROM papers").fetchall()}
    counts: Counter[str] = Counter(files=len(keys), rows=0, kept=0, asked=0, lost=0, unsaid=0)
    for key in keys:
        counts["rows"] += rows.get(key) == SAID
        counts["kept"] += key in kept
        for sentence in asked[key]:
            verdict, said = _answer(corpus, sentence, key)
            counts["asked"] += 1
            counts["lost"] += verdict != "verbatim"
            if verdict != "verbatim" and SAID not in said:
                counts["unsaid"] += 1
                print(f"{key}: {verdict}: {said}: {sentence}", file=sys.stderr)
    return counts


def _answer(corpus: lookup.Corpus, sentence: str, key: str) -> tuple[str, str]:
    """Return the verdict and the hint, or what is said of a key without a paper."""
    try:
        answer = corpus.verify(sentence, key)
    except UnknownKeyError as error:
        return "unknown key", str(error)
    return answer.verdict, answer.hint


def main() -> None:
    """Print a table with a row for each share."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folders", nargs="+", type=Path, metavar="PAPERS")
    parser.add_argument("--papers", type=int, default=64, help="how many papers, of all folders")
    options = parser.parse_args()
    found = sorted(path for folder in options.folders for path in folder.glob("*/paper.pdf"))
    chosen = found[:: max(1, len(found) // options.papers)]
    chosen = sorted({*chosen, *found}, key=lambda path: (path not in chosen, path))[: options.papers]
    whole = {path.parent.name: path.read_bytes() for path in chosen}
    rows = []
    with tempfile.TemporaryDirectory() as temporary:
        with lookup.open(corpus_of(whole, Path(temporary, "whole"))) as corpus:
            asked = {key: sentences(corpus, key) for key in whole}
        for share in SHARES:
            cut = {key: data[: int(share * len(data))] for key, data in whole.items()}
            with lookup.open(corpus_of(cut, Path(temporary, str(share)))) as corpus:
                of_share = counted(corpus, list(cut), asked)
            rows.append([str(share), *map(str, of_share.values())])
            print(*rows[-1], file=sys.stderr)
    print(f"{measured_on()}\n")
    heads = ["share of the bytes", "PDFs", "rows `cut short`", "kept", "sentences", "lost", "not said so"]
    print(markdown_table(heads, rows))


if __name__ == "__main__":
    main()

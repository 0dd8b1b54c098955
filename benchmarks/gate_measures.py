"""The measures of the gate: which corpora each needs, which script takes it, and how its table is read."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

import gate_figures as read
from gate_floors import Figures


@dataclass(frozen=True)
class Corpus:
    """Documents of the shared corpora: sources below a folder of it."""

    folder: str
    sources: str
    """A pattern of their paths."""
    model: bool = False
    """Whether it is built with vectors."""
    built: bool = True


@dataclass(frozen=True)
class Measure:
    """A script, what it is run with, and how what its runs print is read.

    Runs may hold {corpus}, {sources} and {truth} of the first corpus, and {shared}, the folder of all.
    """

    corpora: tuple[str, ...]
    script: str
    runs: tuple[str, ...]
    read: Callable[[Sequence[str]], Figures]
    tenth: tuple[str, ...] = ()
    """Runs over a tenth of the corpora; none where that takes too long or needs a model."""
    tolerance: Mapping[str, float] = field(default_factory=dict)
    """Of each figure, in a section that is new; none where cases are drawn anew, by which it is reckoned."""
    call: str = ""
    """The call of `lookup` that is measured, where there may be none yet."""
    ours: bool = False
    """Whether the script is one of this folder."""
    may_lack_classes: bool = False
    """Whether not every machine can measure each class."""


CORPORA = {
    "papers": Corpus("papers", "**/paper.pdf"),
    "papers-2": Corpus("papers-2", "**/paper.pdf"),
    "others": Corpus("others", "**/paper.pdf"),
    "questions": Corpus("questions", "*.pdf", model=True),
    "passages": Corpus("passages", "sources/*", model=True),
    "cranfield": Corpus("cranfield", "pdfs/*.pdf", model=True),
    "spans": Corpus("spans", "*.jsonl", built=False),
    "hostile": Corpus("hostile", "*.pdf", built=False),
}

_SEEDS = (7, 8, 9, 10)

_ROUNDED = 0.0005
"""Tolerance of a share that is printed with three decimals: any change that is printed is larger."""

_BOUGHT = 0.003
"""Tolerance of what users buy: sentences of a class found as quotes, on their page, and over ends."""

_BY_MODEL = 0.003
"""Tolerance of a share that depends on vectors, which processors round differently."""

_WRONG_PAPERS = 0.02
"""Tolerance of what 300 questions drawn anew bring up in papers that do not answer them."""

_WAYS_IN = ("PDFs that other programs", "real papers, damaged")
"""Ways in that `attacks.py` tries in minutes."""

_OF_FOOTPRINT = {"modules": 1, "lines": 140, "executed": 9, "calls": 180, "bytes": 2_400_000}
"""Some 2 % each, so that code is written as it reads best."""

_TOKENS = {"tokens": 60}
"""Some 2 % of a list of tools, or of ten answers: these quote what is drawn from the corpus."""

_OF_INK = {"verbatim": 0.02}
"""Not every machine has Chromium and LaTeX, which make some of the PDFs of a kind."""

_TRUTH = "{corpus} --papers {truth}"


def _each(figures: str, tolerance: float) -> dict[str, float]:
    return dict.fromkeys(figures.split(), tolerance)


def _papers(corpus: str) -> Measure:
    tolerance = _each("exact precision unbroken captions sections fidelity", _ROUNDED)
    return Measure((corpus,), "paragraphs.py", (_TRUTH,), read.of_papers, (_TRUTH,), tolerance)


def _sentences(corpus: str) -> Measure:
    run = ("{corpus} {truth} --sentences 20",)
    tolerance = _each("verbatim", _BOUGHT) | {"right page": _BOUGHT, "over ends": _BOUGHT}
    return Measure((corpus,), "kinds.py", run, read.of_sentences, run, tolerance, ours=True)


def _spans(call: str, length: str = "") -> Measure:
    run = (f"--rows {{shared}}/spans/rows.jsonl --call {call}{length}",)
    tolerance = _each("precision recall f1", _ROUNDED)
    return Measure(("spans",), "spans.py", run, read.of_spans, run, tolerance, call)


MEASURES = {
    "footprint": Measure((), "footprint.py", ("",), read.of_footprint, (), _OF_FOOTPRINT, ours=True),
    "papers": _papers("papers"),
    "papers-2": _papers("papers-2"),
    "others": Measure(
        corpora=("others",),
        script="others.py",
        runs=(_TRUTH,),
        read=read.of_others,
        tenth=(_TRUTH,),
        tolerance=_each("exact gap precision unbroken cover heading footnote fidelity", _ROUNDED),
    ),
    "sentences": _sentences("others"),
    "sentences of papers": _sentences("papers"),
    "sentences of papers-2": _sentences("papers-2"),
    "quotes": Measure(
        corpora=("papers",),
        script="quotes.py",
        runs=tuple(f"{_TRUTH} --seed {seed}" for seed in _SEEDS),
        read=read.of_quotes,
        tenth=(_TRUTH,),
        tolerance=_each("found tight span verdict", _ROUNDED),
    ),
    "forgeries": Measure(
        corpora=("papers",),
        script="forgeries.py",
        runs=tuple(f"{_TRUTH} --seed {seed}" for seed in _SEEDS),
        read=read.of_forgeries,
        tenth=(f"{_TRUTH} --cap 10",),
    ),
    "forms": Measure(
        corpora=("papers",),
        script="forms.py",
        runs=(f"{_TRUTH} --show 0",),
        read=read.of_forms,
        tenth=(f"{_TRUTH} --show 0 --cap 4",),
    ),
    "snippets": _spans("extract_snippet", ":600"),
    "spans": _spans("relevant_spans"),
    "passages": Measure(
        corpora=("passages",),
        script="passages.py",
        runs=("{corpus} --passages {truth}",),
        read=read.of_passages,
        tolerance={
            **_each("shown hit@1 hit@5 mrr@10", _BY_MODEL),
            "answered of another paper": _WRONG_PAPERS,
        },
    ),
    "meaning": Measure(
        corpora=("questions",),
        script="meaning.py",
        runs=("{corpus} --questions {truth}",),
        read=read.of_meaning,
        tolerance=_each("hit@1 hit@5 mrr@10", _BY_MODEL),
    ),
    "search": Measure(
        corpora=("cranfield",),
        script="search.py",
        runs=("{corpus} --queries {truth}/queries.jsonl",),
        read=read.of_search,
        tolerance=_each("ndcg@10 recall@20", _BY_MODEL),
    ),
    "agents": Measure(("papers",), "agents.py", ("{corpus}",), read.of_agents, tolerance=_TOKENS, ours=True),
    "covers": Measure((), "covers.py", ("",), read.of_covers, ours=True, may_lack_classes=True),
    "ink": Measure((), "ink.py", ("",), read.of_ink, tolerance=_OF_INK, ours=True),
    "attacks": Measure(
        corpora=("papers", "hostile"),
        script="attacks.py",
        runs=tuple(f"{{sources}} {{shared}}/hostile {{corpus}} --only '{way}'" for way in _WAYS_IN),
        read=read.of_attacks,
        ours=True,
    ),
}

"""Does a snippet hold the answer, and how long does it take?
`python benchmarks/snippets.py CORPUS QUESTIONS`.

QUESTIONS is a file of JSON lines with `key`, `question` and `answer`; CORPUS holds the papers. The snippet of
300 characters of the paper's document text, for the question, against the first 300 characters, and against
the best of the fixed chunks of 300 characters by BM25 (the same words: stop words dropped, without endings,
and with them). It holds the answer when all of the answer's letters and digits stand in it in one run. The
settings were chosen on every second paper by its key; the others are counted apart.

Functions: those of some modules of Python's library with at most LONGEST characters, asked for in three ways,
with room for ROOM more characters: how many come whole, and in how many snippets another function is shown
without its beginning.

Latency: texts of 50,000 characters cut from all papers together; the first query over a text, and another
over the same text.
"""

import argparse
import ast
import inspect
import json
import math
import re
import time
from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from statistics import median

from tables import markdown_table, measured_on

import lookup
from lookup import SnippetExtractor
from lookup.text.folding import blind, fold
from lookup.text.words import STOP_WORDS, stem

LENGTH = 300
LONGEST = 900
ROOM = 60
MODULES = """
    bisect heapq textwrap shlex fnmatch glob keyword calendar colorsys copy csv difflib filecmp fractions
    getopt linecache operator pprint quopri random reprlib sched secrets statistics string tabnanny timeit
    tokenize trace types weakref
""".split()
PER_MODULE = 8
CONTENT = 50_000
TARGETS = (5.0, 1.0)
"""Milliseconds of a snippet of a text of CONTENT characters, at the median: the first, and the next over the
same text.
"""

Method = Callable[[str, str], str]


@dataclass(frozen=True)
class Question:
    key: str
    question: str
    answer: str


def read_questions(path: Path) -> list[Question]:
    lines = path.read_text(encoding="utf-8").splitlines()
    return [Question(*(json.loads(line)[name] for name in ("key", "question", "answer"))) for line in lines]


def fixed_chunks(text: str, question: str, *, stems: bool) -> str:
    """The best chunk of LENGTH characters by BM25 (k1 = 1.2, b = 0.75)."""
    chunks = [text[at : at + LENGTH] for at in range(0, len(text), LENGTH)]
    words = [Counter(_words(chunk, stems=stems)) for chunk in chunks]
    lengths = [count.total() for count in words]
    average = sum(lengths) / len(lengths)

    def score(number: int) -> float:
        total = 0.0
        for term in set(_words(question, stems=stems)):
            having = sum(term in count for count in words)
            found = words[number][term]
            saturation = found + 1.2 * (0.25 + 0.75 * lengths[number] / average)
            total += math.log1p((len(chunks) - having + 0.5) / (having + 0.5)) * found * 2.2 / saturation
        return total

    return chunks[max(range(len(chunks)), key=score)]


METHODS: dict[str, Method] = {
    "extract_snippet": lambda text, question: lookup.extract_snippet(text, question, LENGTH),
    "the first 300 characters": lambda text, _: text[:LENGTH],
    "the best chunk of 300, BM25": lambda text, question: fixed_chunks(text, question, stems=False),
    "the best chunk of 300, BM25, without endings": lambda text, question: fixed_chunks(
        text, question, stems=True
    ),
}


def quality(texts: dict[str, str], questions: list[Question]) -> str:
    """The table of how many answers each method's text holds."""
    chosen_on = set(sorted(texts)[::2])
    groups = {
        "chosen on": [one for one in questions if one.key in chosen_on],
        "held out": [one for one in questions if one.key not in chosen_on],
        "all": questions,
    }
    rows = []
    for name, method in METHODS.items():
        shares = [_share(method, texts, group) for group in groups.values()]
        rows.append([name, *(f"{share:.3f}" for share in shares)])
    head = ["300 characters", *(f"{name} ({len(group)})" for name, group in groups.items())]
    reachable = sum(blind(fold(one.answer)) in blind(fold(texts[one.key])) for one in questions)
    fits = sum(len(one.answer) <= LENGTH for one in questions)
    return (
        markdown_table(head, rows)
        + f"\n\nShare of the questions whose answer is held. {reachable} of {len(questions)} answers stand "
        f"in the paper's text, "
        f"{fits} have at most {LENGTH} characters."
    )


def latency(texts: dict[str, str], questions: list[Question], runs: int) -> str:
    """The table of milliseconds."""
    together = "\n\n".join(texts[key] for key in sorted(texts))
    taken: dict[str, list[tuple[float, float]]] = {
        "the first over a text": [],
        "another over the same text": [],
    }
    for run in range(runs):
        at = run * 7919 % (len(together) - CONTENT)
        content = together[at : at + CONTENT]
        asked = [questions[(2 * run + one) % len(questions)].question for one in (0, 1)]
        for times, question in zip(taken.values(), asked, strict=True):
            began, began_processor = time.perf_counter(), time.thread_time()
            lookup.extract_snippet(content, question, LENGTH)
            passed, of_processor = time.perf_counter() - began, time.thread_time() - began_processor
            times.append((1000 * passed, 1000 * of_processor))
    rows = []
    for (name, times), target in zip(taken.items(), TARGETS, strict=True):
        passed_times, processor_times = zip(*times, strict=True)
        figures = median(passed_times), min(passed_times), median(processor_times), target
        rows.append([name, *(f"{figure:.2f}" for figure in figures)])
    head = ["snippet", "median, ms", "fastest, ms", "median of processor time, ms", "target"]
    return markdown_table(head, rows) + f"\n\n{runs} texts of {CONTENT} characters; {measured_on()}"


def functions() -> str:
    """The table of how many functions come whole."""
    whole: Counter[str] = Counter()
    parted: Counter[str] = Counter()
    asked = 0
    for module in MODULES:
        source = inspect.getsource(import_module(module))
        spans = _spans_of_functions(source)
        for name, (start, end) in list(spans.items())[:PER_MODULE]:
            if end - start > LONGEST:
                continue
            asked += 1
            wanted = source[start:end]
            ways = {
                "its name": name,
                "`def` and its name": f"def {name}",
                "its first line": wanted.splitlines()[0],
            }
            for way, query in ways.items():
                snippet = lookup.extract_snippet(source, query, end - start + ROOM)
                whole[way] += wanted in snippet
                begins = [source.find(part) for part in snippet.split(SnippetExtractor.separator)]
                parted[way] += any(
                    first < at < last
                    for at in begins
                    for other, (first, last) in spans.items()
                    if other != name
                )
    rows = [[way, f"{whole[way]} of {asked}", f"{parted[way]}"] for way in whole]
    return markdown_table(["asked for by", "whole", "with a part of another"], rows)


def _spans_of_functions(source: str) -> dict[str, tuple[int, int]]:
    """Return the span of each function of a module, of the last of that name, with its decorators."""
    starts = [0, *(at for at, char in enumerate(source, 1) if char == "\n")]
    return {
        node.name: (
            starts[min([node.lineno, *(one.lineno for one in node.decorator_list)]) - 1],
            starts[(node.end_lineno or 0) - 1] + (node.end_col_offset or 0),
        )
        for node in ast.parse(source).body
        if isinstance(node, ast.FunctionDef)
    }


def _share(method: Method, texts: dict[str, str], questions: Iterable[Question]) -> float:
    held = [blind(fold(one.answer)) in blind(fold(method(texts[one.key], one.question))) for one in questions]
    return sum(held) / len(held)


def _words(text: str, *, stems: bool) -> list[str]:
    words = [word for word in re.findall(r"[^\W_]+", text.casefold()) if word not in STOP_WORDS]
    return list(map(stem, words)) if stems else words


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure snippets.")
    parser.add_argument("corpus", type=Path, metavar="CORPUS")
    parser.add_argument("questions", type=Path, metavar="QUESTIONS")
    parser.add_argument("--runs", type=int, default=200)
    asked = parser.parse_args()
    questions = read_questions(asked.questions)
    with lookup.open(asked.corpus) as corpus:
        texts = {key: corpus.document(key) for key in sorted({one.key for one in questions})}
    print("\n\n".join([quality(texts, questions), functions(), latency(texts, questions, asked.runs)]))


if __name__ == "__main__":
    main()

"""Write the JSON of many quotes, verifications and greps, to compare their bytes before and after a change.

    python benchmarks/same_answers.py CORPUS OUT.jsonl [--answers 10000] [--seed 7]

Sentences of the corpus are drawn by the seed, and asked as they are printed or changed in one way each,
honest or forged. A line of OUT is an answer: `diff` tells which ones a change of the code gave otherwise.
"""

import argparse
import random
import re
from collections.abc import Callable
from pathlib import Path

import lookup
from lookup.text.printable import json_text


def _digit(text: str, rng: random.Random) -> str:
    places = [found.start() for found in re.finditer(r"\d", text)]
    if not places:
        return _without(text, rng)
    at = rng.choice(places)
    return f"{text[:at]}{(int(text[at]) + rng.randint(1, 9)) % 10}{text[at + 1 :]}"


def _without(text: str, rng: random.Random) -> str:
    words = text.split()
    del words[rng.randrange(len(words))]
    return " ".join(words)


def _swapped(text: str, rng: random.Random) -> str:
    words = text.split()
    at = rng.randrange(len(words) - 1)
    words[at : at + 2] = reversed(words[at : at + 2])
    return " ".join(words)


def _denied(text: str, rng: random.Random) -> str:
    words = text.split()
    words.insert(rng.randrange(1, len(words)), rng.choice(["not", "never", "no", "without"]))
    return " ".join(words)


def _fragment(text: str, rng: random.Random) -> str:
    words = text.split()
    at = rng.randrange(len(words) - 6)
    return " ".join(words[at : at + 7])


def _elided(text: str, rng: random.Random) -> str:
    words = text.split()
    cut = rng.randrange(3, len(words) - 4)
    return " ".join([*words[:cut], rng.choice(["...", "[...]", "…"]), *words[cut + rng.randint(1, 2) :]])


def _misread(text: str, rng: random.Random) -> str:
    changes = {"e": "c", "l": "1", "o": "0", "m": "rn", "h": "b", "a": "o"}
    return "".join(changes.get(sign, sign) if rng.random() < 0.04 else sign for sign in text)


def _uncited(text: str, rng: random.Random) -> str:
    del rng
    return re.sub(r" ?[\[(]\d+(?:[,–-] ?\d+)*[\])]", "", text)  # an en dash


CHANGES: tuple[Callable[[str, random.Random], str], ...] = (
    lambda text, _: text,
    _fragment,
    _elided,
    _uncited,
    _misread,
    _digit,
    _without,
    _swapped,
    _denied,
    lambda text, _: text.swapcase(),
)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("corpus")
    parser.add_argument("out", type=Path)
    parser.add_argument("--answers", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=7)
    asked = parser.parse_args()
    rng = random.Random(asked.seed)
    with lookup.open(asked.corpus) as corpus, asked.out.open("w", encoding="utf-8") as out:
        rows = corpus.sql(
            'SELECT key, page, substr(p.text, start + 1, s."end" - start) AS sentence '
            "FROM sentences s JOIN paragraphs p USING (key, paragraph) "
            "WHERE kind IN ('body', 'caption', 'list') ORDER BY key, paragraph, sentence"
        ).fetchall()
        rows = [row for row in rows if 9 <= len([one for one in row[2].split() if one.isalnum()]) <= 60]
        for number in range(asked.answers // 4):
            key, page, sentence = rng.choice(rows)
            query = CHANGES[number % len(CHANGES)](sentence, rng)
            answers = [
                corpus.quote(key, query).to_json(),
                corpus.quote(key, query, page=page, limit=3, context="sentence").to_json(),
                corpus.verify(query, key if number % 3 else "", page).to_json(),
                json_text([match.to_dict() for match in corpus.grep(query, limit=5)]),
            ]
            out.writelines(f"{key}\t{query!r}\t{answer}\n" for answer in answers)


if __name__ == "__main__":
    main()

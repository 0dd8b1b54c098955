"""Snippets of source code: whole blocks."""

from collections.abc import Iterator
from typing import NamedTuple

import pytest

from lookup import extract_snippet
from retrieval.snippets.code import defined_name, regions_of
from tests.support.project import ROOT

README = """# Tides

The tides of one year, hour by hour. Read them before you go, because a table of last year is of no use at \
all to anybody.

```python
def high_water(day):
    heights = [height(day, hour) for hour in range(24)]
    return max(heights)
```

Low water is at most six hours away from it (and a little more in the creeks, where the water has to go a \
long way).

    for hour in range(24):
        print(hour, height(today, hour))

Nothing else is in the package.
"""


class Sample(NamedTuple):
    """A file, and the blocks of it that stand whole in a snippet, the one about the median first."""

    language: str
    text: str
    median: str
    others: list[str]


def samples() -> Iterator[Sample]:
    """Yield files in eight languages; `-----` parts their blocks, of which the first imports or declares."""
    text = (ROOT / "tests/search/code_samples.txt").read_text(encoding="utf-8")
    for part in text.split("===== ")[1:]:
        language, _, blocks = part.removesuffix("\n").partition("\n")
        first, median, *others = blocks.split("\n-----\n")
        yield Sample(language, "\n\n".join([first, median, *others]) + "\n", median, others)


by_language = pytest.mark.parametrize("sample", list(samples()), ids=lambda sample: sample.language)


def room(sample):
    """Enough for any one block of the sample, and not for two."""
    return max(map(len, (sample.median, *sample.others))) + 5


@by_language
def test_a_file_is_told_to_be_code(sample):
    (region,) = regions_of(sample.text)
    assert region.is_code


@by_language
def test_a_block_is_whole_with_what_stands_above_it(sample):
    snippet = extract_snippet(
        sample.text, "median depth of the probes", max_length=room(sample), context_chars=0
    )
    assert snippet == sample.median


@by_language
def test_every_block_is_found_by_its_own_words(sample):
    for block in sample.others:
        assert block in extract_snippet(sample.text, block, max_length=room(sample), context_chars=0)


@by_language
@pytest.mark.parametrize("length", [10, 40, 90])
def test_a_block_that_is_too_long_parts_no_brackets(sample, length):
    for query in ("median depth probes", "level hours", None):
        snippet = extract_snippet(sample.text, query, max_length=length, separator=" | ")
        assert 0 < len(snippet) <= length
        for opening, closing in ("()", "[]", "{}"):
            assert snippet.count(opening) == snippet.count(closing)


def test_a_table_of_many_lines_is_cut_between_them():
    lines = "\n".join(f"    ({number}, 'mark {number}')," for number in range(3000))
    snippet = extract_snippet(f"marks = [\n{lines}\n]\n", "mark 2500", max_length=60, context_chars=0)
    assert "(2500, 'mark 2500')," in snippet


def test_a_fenced_block_is_whole():
    block = README[README.index("```python") : README.index("Low water")].strip()
    assert block in extract_snippet(README, "heights of high water", max_length=160, context_chars=0)


def test_prose_with_signs_of_code_is_prose():
    text = (
        "We import goods (from abroad); for each we pay.\nIf that is so: return it.\nClass matters, as does "
        "type.\n" * 9
    )
    assert not any(region.is_code for region in regions_of(text))


TOOLS = """
def tester(): pass

def mark_of(text):
    \"\"\"Return the mark (the letter before the first ")" or "]") of a text.\"\"\"
    before = text.partition(")")[0].partition("]")[0]
    return before[-1:]

def opens(char):
    return char in "([{"

def closes(char):
    \"\"\"Say whether mark_of would stop at it: mark_of stops there, mark_of goes no further.\"\"\"
    return char in ")]}"

class Marks:
    def first(self, text):
        return mark_of(text) or self.second(text)

    def second(self, text):
        longer = text + text + text + text + text + text + text + text + text + text + text
        return longer[len(text) :]
"""
MARK_OF = TOOLS[TOOLS.index("def mark_of") : TOOLS.index("def opens")].strip()


@pytest.mark.parametrize(
    "query", ["mark_of", "def mark_of", "where is mark_of defined", "def mark_of(text):"]
)
@pytest.mark.parametrize("room", [0, 1, 30, 60])
def test_a_function_that_fits_is_whole_where_it_is_named(query, room):
    """Neither a short neighbour, nor one that says its name more often, nor a bracket in a string hinders
    it.
    """
    assert MARK_OF in extract_snippet(TOOLS, query, max_length=len(MARK_OF) + room)


@pytest.mark.parametrize(
    ("block", "name"),
    [
        ("@cache\ndef depth(x):\n    return x", "depth"),
        ("// Deep.\nfunc (g *Gauge) Level(hours []int) int {\n}", "Level"),
        ("pub fn depth<T>(x: &T) -> f64 {\n}", "depth"),
        ("const depth = (x) => x;", "depth"),
        ("  level(hours) {\n    return 1;\n  }", "level"),
        ("static int depth(int x)\n{\n}", "depth"),
        ("class Gauge(Base):\n    pass", "Gauge"),
        ("if (depth(x)) {\n}", ""),
        ("depth(x)", ""),
        ("This says depth(x) of it", ""),
        ("", ""),
    ],
)
def test_the_name_that_a_block_defines(block, name):
    assert defined_name(block) == name

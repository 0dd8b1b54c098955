"""Snippets of source code: whole blocks, by tree-sitter's grammars and without them."""

from itertools import pairwise

import pytest

from lookup import extract_snippet
from retrieval.snippets import syntax
from retrieval.snippets.blocks import defined_name
from retrieval.snippets.code import language_of, regions_of
from retrieval.snippets.extractor import _segmented
from tests.support.code_samples import CODE_SAMPLES

GAUGES = '''
class Gauge:
    """Reads the water level at one place."""

    def __init__(self, name):
        self.name = name

    @property
    def label(self):
        """What is printed on the gauge."""
        return "gauge " + self.name

    def level(self, hours):
        # The first hour is not measured.
        return sum(hours[1:]) / (len(hours) - 1)
'''

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


@pytest.fixture(params=["tree-sitter", "no grammars"])
def _with_and_without_grammars(request, monkeypatch):
    if request.param == "no grammars":
        monkeypatch.setattr(syntax, "_grammar", lambda _: None)
    _segmented.cache_clear()
    yield
    _segmented.cache_clear()


pytestmark = pytest.mark.usefixtures("_with_and_without_grammars")
by_language = pytest.mark.parametrize("sample", CODE_SAMPLES, ids=lambda sample: sample.language)


def room(sample):
    """Enough for any one block of the sample, and not for two."""
    return max(map(len, (sample.median, *sample.others))) + 5


@by_language
def test_the_language_of_a_file_is_told(sample):
    (region,) = regions_of(sample.text)
    assert (region.is_code, region.language) == (True, sample.language)
    assert language_of(sample.median) is not None


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
def test_a_file_that_fits_is_whole(sample):
    assert extract_snippet(sample.text, "median", max_length=1000) == sample.text.strip()


@by_language
@pytest.mark.parametrize("length", [10, 40, 90])
def test_a_block_that_is_too_long_parts_no_brackets(sample, length):
    for query in ("median depth probes", "level hours", None):
        snippet = extract_snippet(sample.text, query, max_length=length, separator=" | ")
        assert 0 < len(snippet) <= length
        for opening, closing in ("()", "[]", "{}"):
            assert snippet.count(opening) == snippet.count(closing)


def test_a_method_stands_for_a_class_that_is_too_long():
    snippet = extract_snippet(GAUGES, "printed label", max_length=140, context_chars=0)
    assert snippet == GAUGES[GAUGES.index("@property") : GAUGES.index("    def level")].rstrip()


def test_the_comment_within_a_method_stays_with_it():
    snippet = extract_snippet(GAUGES, "level of the first hour measured", max_length=130, context_chars=0)
    assert snippet == GAUGES[GAUGES.index("def level") :].rstrip()


def test_code_with_other_letters_than_ascii_is_cut_at_the_right_places():
    code = "\n\n".join(f"# Größe № {n} 🦩\ndef größe_{n}(länge):\n    return länge * {n}" for n in range(9))
    snippet = extract_snippet(code, "größe 7", max_length=65, context_chars=0)
    assert snippet == "# Größe № 7 🦩\ndef größe_7(länge):\n    return länge * 7"


def test_a_language_may_be_named():
    code = (
        "x <- f(1)\n\n" * 3
        + "def level(hours):\n    total = sum(hours)\n    return total\n\n"
        + "x <- f(1)\n\n" * 3
    )
    for name in ("python", None):
        assert "def level(hours):\n    total" in extract_snippet(code, "level hours", 70, language=name)


def test_a_fenced_block_is_whole():
    block = README[README.index("```python") : README.index("Low water")].strip()
    assert block in extract_snippet(README, "heights of high water", max_length=160, context_chars=0)


def test_an_indented_block_in_prose_is_whole():
    block = README[README.index("    for hour in range(24):\n") : README.index("Nothing else")].strip()
    snippet = extract_snippet(README, "print the hour today", max_length=90, context_chars=0)
    assert snippet == block


def test_a_fenced_block_that_is_too_long_is_cut_into_its_own():
    fenced = f"Two gauges of ours.\n\n```python{GAUGES}```\n\nThat is all of it."
    snippet = extract_snippet(fenced, "printed label", max_length=140, context_chars=0)
    assert snippet == GAUGES[GAUGES.index("@property") : GAUGES.index("    def level")].rstrip()


def test_prose_with_signs_of_code_is_prose():
    text = (
        "We import goods (from abroad); for each we pay.\nIf that is so: return it.\nClass matters, as does "
        "type.\n" * 9
    )
    assert not any(region.is_code for region in regions_of(text))


def test_code_is_not_marked_in_markdown():
    snippet = extract_snippet(README, "heights of high water", 160, highlight="markdown", context_chars=0)
    assert "def high_water(day):" in snippet
    assert "**" not in snippet[snippet.index("```") : snippet.rindex("```")]


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


def test_a_part_of_a_function_is_no_neighbour_of_another():
    """With room for `tail` and half of `long`, nothing of `long` is shown without its beginning."""
    body = "\n".join(f"    step_{number} = take({number})" for number in range(12))
    code = (
        f"def long(take):\n{body}\n    return step_0\n\n\ndef tail(rest):\n    return rest[1:]\n" + "\n" * 2
    )
    code += "\n\n".join(f"def other_{number}(rest):\n    return rest[{number}:]\n" for number in range(9))
    snippet = extract_snippet(code, "def tail", max_length=130)
    assert "def tail(rest):\n    return rest[1:]" in snippet
    assert "return step_0" not in snippet


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


def test_a_function_that_nearly_fits_shows_no_less_than_with_less_room():
    code = (
        "def authenticate_user(username, password):\n"
        '    """Check the user."""\n'
        "    user = db.find(username)\n"
        "    if user is None:\n"
        "        return None\n"
        "    if not verify(password, user.hash):\n"
        "        return None\n"
        "    return user\n"
    )
    rooms = range(45, len(code))
    shown = [len(extract_snippet(code, "authenticate user", n, language="python")) for n in rooms]
    assert all(after > before - 20 for before, after in pairwise(shown))
    assert shown[-1] > 2 * shown[0]

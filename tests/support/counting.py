"""The work that a call does, counted: no clock, load or machine changes the count.

Counted are the lines that run, the characters that methods of strings read from end to end, and the steps
of regular expressions. `re` counts no steps: `count_steps_of_patterns` puts a slow matcher next to it, which
walks through the parsed pattern as `re` does, and must find what `re` finds. What else runs in C is not
counted: copies of lists and strings, lxml.
"""

import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from re import _compiler, _constants, _parser  # type: ignore[attr-defined]
from typing import Any

Count = Counter[tuple[str, int | str]]
"""How often each line ran, by file and line; steps of each pattern; characters read by methods of `str`."""

_Rest = Callable[[int], bool]
_Walk = Callable[[int, _Rest], bool]
"""Match what is left of a pattern from a place on; match an item there, and what comes after it."""

_READ_ALL = {
    "casefold",
    "count",
    "encode",
    "isascii",
    "join",
    "lower",
    "replace",
    "split",
    "splitlines",
    "title",
    "translate",
    "upper",
}
_WHOLE = sys.maxsize

_counted: Count = Counter()


def counted(work: Callable[[], object]) -> Count:
    """Do `work`, and return what it took."""
    _counted.clear()
    sys.settrace(_trace)
    sys.setprofile(_profile)
    try:
        work()
    finally:
        sys.setprofile(None)
        sys.settrace(None)
    return _counted.copy()


@contextmanager
def _uncounted() -> Iterator[None]:
    tracing, profiling = sys.gettrace(), sys.getprofile()
    sys.settrace(None)
    sys.setprofile(None)
    try:
        yield
    finally:
        sys.setprofile(profiling)
        sys.settrace(tracing)


def _trace(frame: Any, event: str, argument: object) -> Any:
    if frame.f_code.co_filename == __file__:
        return None
    if event == "line":
        _counted[frame.f_code.co_filename, frame.f_lineno] += 1
    return _trace


def _profile(frame: Any, event: str, argument: Any) -> None:
    if event == "c_call" and isinstance(argument.__self__, str | bytes) and argument.__name__ in _READ_ALL:
        _counted[f"{type(argument.__self__).__name__}.{argument.__name__}", frame.f_code.co_name] += len(
            argument.__self__
        )


def count_steps_of_patterns() -> None:
    """Count the steps of each pattern that is compiled from now on; call it before they are."""
    compiled = re._compile  # type: ignore[attr-defined]
    counting = cache(lambda pattern, flags: CountingPattern(compiled(pattern, flags)))

    def compile_counting(pattern: Any, flags: int) -> Any:
        return pattern if isinstance(pattern, CountingPattern) else counting(pattern, flags)

    re._compile = compile_counting  # type: ignore[attr-defined]


class CountingPattern:
    """A compiled pattern that counts the steps of each match."""

    def __init__(self, pattern: re.Pattern[Any]) -> None:
        self._pattern = pattern
        self._walker: Walker | None = None

    def __getattr__(self, name: str) -> Any:
        return getattr(self._pattern, name)

    def _walked(self, text: Any, start: int, end: int, *, empty: bool = True) -> "Walker":
        with _uncounted():
            self._walker = self._walker or Walker(self._pattern)
        self._walker.begin(text, start, end, empty=empty)
        return self._walker

    def match(self, string: Any, pos: int = 0, endpos: int = _WHOLE) -> Any:
        return self._walked(string, pos, endpos).checked(self._pattern.match(string, pos, endpos), "match")

    def fullmatch(self, string: Any, pos: int = 0, endpos: int = _WHOLE) -> Any:
        found = self._pattern.fullmatch(string, pos, endpos)
        return self._walked(string, pos, endpos).checked(found, "fullmatch")

    def search(self, string: Any, pos: int = 0, endpos: int = _WHOLE) -> Any:
        return self._walked(string, pos, endpos).checked(self._pattern.search(string, pos, endpos), "search")

    def finditer(self, string: Any, pos: int = 0, endpos: int = _WHOLE) -> Iterator[Any]:
        empty = True
        for found in self._pattern.finditer(string, pos, endpos):
            yield self._walked(string, pos, endpos, empty=empty).checked(found, "search")
            pos, empty = found.end(), found.end() > found.start()
        self._walked(string, pos, endpos, empty=empty).checked(None, "search")

    def _all(self, string: Any, count: int = 0) -> None:
        for number, _ in enumerate(self.finditer(string), 1):
            if number == count:
                return

    def findall(self, string: Any, *places: int) -> Any:
        self._all(string)
        return self._pattern.findall(string, *places)

    def split(self, string: Any, maxsplit: int = 0) -> Any:
        self._all(string, maxsplit)
        return self._pattern.split(string, maxsplit)

    def sub(self, repl: Any, string: Any, count: int = 0) -> Any:
        self._all(string, count)
        return self._pattern.sub(repl, string, count)

    def subn(self, repl: Any, string: Any, count: int = 0) -> Any:
        self._all(string, count)
        return self._pattern.subn(repl, string, count)


class Walker:
    """Walks through a parsed pattern as `re` does, step by step."""

    def __init__(self, pattern: re.Pattern[Any]) -> None:
        flags = pattern.flags & ~re.DEBUG
        parsed = _parser.parse(pattern.pattern, flags & ~re.UNICODE)
        self._name = str(pattern.pattern)
        self._walk = self._sequence(parsed, flags)
        self._first = _first_character(parsed, flags)

    def begin(self, text: Any, start: int, end: int, *, empty: bool = True) -> None:
        """Look at `text` from here on; an empty match at `start` counts only if `empty`."""
        self._text, self._start, self._end = text, start, min(end, len(text))
        self._empty = empty
        self._groups: dict[int, tuple[int, int]] = {}
        self._steps = 0

    def checked(self, found: Any, way: str) -> Any:
        """Return what `re` found, when the steps to it are counted."""
        with _uncounted():
            span = self._search(way)
        assert span == (found and found.span()), (self._name, self._text, span, found)
        _counted[self._name, "pattern"] += self._steps
        return found

    def _search(self, way: str) -> tuple[int, int] | None:
        ends: list[int] = []

        def end(at: int) -> bool:
            if (way == "fullmatch" and at < self._end) or (not self._empty and at == self._start):
                return False
            ends.append(at)
            return True

        at = self._start
        while at <= self._end:
            if way == "search" and self._first:
                next_one = self._first.search(self._text, at, self._end)
                self._steps += (next_one.start() if next_one else self._end) - at
                if not next_one:
                    return None
                at = next_one.start()
            self._groups.clear()
            if self._walk(at, end):
                return at, ends[-1]
            if way != "search":
                return None
            at += 1
        return None

    def _sequence(self, items: Any, flags: int) -> _Walk:
        walk: _Walk = _nothing
        for kind, value in reversed(list(items)):
            walk = _one_after_the_other(self._item(kind, value, flags), walk)
        return walk

    def _item(self, kind: Any, value: Any, flags: int) -> _Walk:
        if kind in _CHARACTER:
            return self._character(_compiled(kind, value, flags))
        if kind is _constants.AT:
            place = _compiled(kind, value, flags)
            return self._if(lambda at: bool(place.match(self._text, at, self._end)))
        if kind is _constants.SUBPATTERN:
            number, more, less, items = value
            return self._group(number, self._sequence(items, (flags | more) & ~less))
        if kind is _constants.BRANCH:
            ways = [self._sequence(items, flags) for items in value[1]]
            return lambda at, rest: any(self._step() and way(at, rest) for way in ways)
        if kind is _constants.ATOMIC_GROUP:
            return self._atomic(self._sequence(value, flags))
        if kind in (_constants.ASSERT, _constants.ASSERT_NOT):
            direction, items = value
            back = items.getwidth()[0] if direction < 0 else 0
            within = self._sequence(items, flags)
            wanted = kind is _constants.ASSERT
            return self._if(lambda at: (at >= back and self._end_of(within, at - back) is not None) is wanted)
        if kind is _constants.GROUPREF:
            return self._reference(value, flags)
        if kind is _constants.GROUPREF_EXISTS:
            number, yes, no = value
            ways = [self._sequence(no or (), flags), self._sequence(yes, flags)]
            return lambda at, rest: ways[number in self._groups](at, rest)  # noqa: PLW0108  asked at each step
        return self._repeated(kind, value, flags)

    def _repeated(self, kind: Any, value: Any, flags: int) -> _Walk:
        least, most, items = value
        if len(items) == 1 and items[0][0] in _CHARACTER:
            return self._run(kind, least, _compiled(_constants.POSSESSIVE_REPEAT, (0, most, items), flags))
        return self._repeat(kind, least, most, self._sequence(items, flags))

    def _step(self) -> bool:
        self._steps += 1
        return True

    def _end_of(self, walk: _Walk, at: int) -> int | None:
        ends: list[int] = []
        return ends[0] if walk(at, lambda end: not ends.append(end)) else None  # type: ignore[func-returns-value]

    def _if(self, true: Callable[[int], bool]) -> _Walk:
        return lambda at, rest: self._step() and true(at) and rest(at)

    def _character(self, one: re.Pattern[Any]) -> _Walk:
        return lambda at, rest: (
            self._step() and one.match(self._text, at, self._end) is not None and rest(at + 1)
        )

    def _group(self, number: int | None, within: _Walk) -> _Walk:
        if number is None:
            return within

        def walk(at: int, rest: _Rest) -> bool:
            before = self._groups.get(number)

            def close(end: int) -> bool:
                self._groups[number] = (at, end)
                return rest(end)

            if within(at, close):
                return True
            self._groups.pop(number, None)
            if before:
                self._groups[number] = before
            return False

        return walk

    def _atomic(self, within: _Walk) -> _Walk:
        def walk(at: int, rest: _Rest) -> bool:
            end = self._end_of(within, at)
            return end is not None and rest(end)

        return walk

    def _reference(self, number: int, flags: int) -> _Walk:
        def walk(at: int, rest: _Rest) -> bool:
            if number not in self._groups:
                return False
            start, end = self._groups[number]
            self._steps += end - start
            there = self._text[at : min(at + end - start, self._end)], self._text[start:end]
            if flags & re.IGNORECASE:
                there = there[0].lower(), there[1].lower()
            return there[0] == there[1] and rest(at + end - start)

        return walk

    def _run(self, kind: Any, least: int, longest: re.Pattern[Any]) -> _Walk:
        """Repeat one character."""

        def walk(at: int, rest: _Rest) -> bool:
            end = longest.match(self._text, at, self._end).end()  # type: ignore[union-attr]
            if kind is _constants.POSSESSIVE_REPEAT:
                self._steps += end - at + 1
                return end - at >= least and rest(end)
            if kind is _constants.MIN_REPEAT:
                return any(self._step() and rest(one) for one in range(at + least, end + 1))
            self._steps += end - at + 1
            return any(self._step() and rest(one) for one in range(end, at + least - 1, -1))

        return walk

    def _repeat(self, kind: Any, least: int, most: int, within: _Walk) -> _Walk:
        def possessive(at: int, rest: _Rest) -> bool:
            for done in range(most):
                end = self._end_of(within, at)
                if end is None or (end == at and done >= least):
                    return done >= least and rest(at)
                at = end
            return rest(at)

        def walk(at: int, rest: _Rest, done: int = 0) -> bool:
            def again(end: int) -> bool:
                return (end > at or done < least) and walk(end, rest, done + 1)

            self._steps += 1
            if kind is _constants.MIN_REPEAT and done >= least and rest(at):
                return True
            if done < most and within(at, again):
                return True
            return kind is not _constants.MIN_REPEAT and done >= least and rest(at)

        return possessive if kind is _constants.POSSESSIVE_REPEAT else walk


_CHARACTER = {_constants.LITERAL, _constants.NOT_LITERAL, _constants.ANY, _constants.IN}


def _nothing(at: int, rest: _Rest) -> bool:
    return rest(at)


def _one_after_the_other(first: _Walk, then: _Walk) -> _Walk:
    return first if then is _nothing else lambda at, rest: first(at, lambda after: then(after, rest))


def _compiled(kind: Any, value: Any, flags: int) -> re.Pattern[Any]:
    compiled: re.Pattern[Any] = _compiler.compile(_parser.SubPattern(_parser.State(), [(kind, value)]), flags)
    return compiled


def _first_character(items: Any, flags: int) -> re.Pattern[Any] | None:
    """Return a pattern for the character that each match begins with, if there is one for all."""
    for kind, value in items:
        if kind in _CHARACTER:
            return _compiled(kind, value, flags)
        if kind is _constants.SUBPATTERN:
            return _first_character(value[3], (flags | value[1]) & ~value[2])
        if kind in _REPEATS and value[0] and value[2].getwidth()[0]:
            return _first_character(value[2], flags)
        if kind not in (_constants.AT, _constants.ASSERT, _constants.ASSERT_NOT):
            return None
    return None


_REPEATS = {_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT}

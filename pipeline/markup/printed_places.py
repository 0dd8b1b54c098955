"""Where a PDF prints the paragraphs of its article's markup, by the letters and digits of both.

The markup has the publisher's own characters, paragraphs and sections; the pages have places. Letters that
both have give each word of the markup the box of a printed word. What the pages print besides (running heads,
tables, references, authors) stays as it was read from them, and follows the paragraph that it is printed
after.
"""

from bisect import bisect_left, bisect_right, insort
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import accumulate, groupby
from operator import itemgetter

from rapidfuzz.distance import Levenshtein

from lookup.text.folding import fold_with_offsets
from pipeline.cleaning.clean import CleanLine, CleanText
from pipeline.layout.sections import NOWHERE, FinishedParagraph, SectionHeading
from pipeline.markup.markup_text import MarkupParagraph
from pipeline.pdf.lines import bounds

_OF_MARKUP = frozenset({"title", "heading", "body", "quote", "list", "caption", "footnote", "code"})
"""Kinds whose text is the markup's. Tables, formulas, references and front matter have fields there, and no
text as it is printed: theirs is the page's."""

_SEED = 12  # Letters in a row by which a stretch that both sides have is found.

_STRIDE = 6
"""Every so many letters of the page one is looked up: a stretch of _SEED + _STRIDE letters is found."""

_OFTEN = 8  # Places of the same letters on the pages that are kept: what is printed more often tells nothing.

_TELLING = 30
"""Letters of a stretch that is believed wherever it is printed; a shorter one must be near a longer one."""

_NEAR = 200  # Letters by which the page may have more or fewer than the markup between two stretches.
_GAP = 400  # Letters between two stretches, at most, that are compared letter by letter.

_WINDOW = 3000
"""Letters beside its neighbours within which a short paragraph, such as a heading, is looked for."""

_BESIDE = 60
"""Letters between a heading and its text, at most, that are believed before all else: a number, a stamp."""

_PRINTED = 0.5  # Share of a paragraph's letters that the pages have, at least, where they print it.


def align_to_pdf(
    printed: Sequence[FinishedParagraph], from_markup: Sequence[MarkupParagraph]
) -> tuple[list[FinishedParagraph], float]:
    """Return the paragraphs of an article's markup where its PDF prints them, and what else that prints.

    Also the share of the markup's letters that the pages print.

    Each printed word is in exactly one paragraph. A paragraph of the markup that no page prints has page 0.
    """
    page = _Page([one for one in printed if not one.hidden])
    wanted = [one for one in from_markup if one.kind in _OF_MARKUP]
    letters = [_Letters(one.text) for one in wanted]
    pairs = _placed_pairs(page, letters)
    owners = _owners(page, pairs)
    lines = _lines(page, wanted, letters, pairs, owners)
    after = _left_over(page, owners, [one.section for one in wanted])
    merged = list(after[-1])
    for number, one in enumerate(wanted):
        merged.append(_finished(one, tuple(lines[number])))
        merged += after[number]
    whole = sum(len(one.text) for one in letters)
    share = sum(map(len, pairs)) / whole if whole else 1.0
    return merged + [one for one in printed if one.hidden], share


def without_pages(from_markup: Sequence[MarkupParagraph]) -> list[FinishedParagraph]:
    """Return the paragraphs of markup that no PDF prints."""
    return [_finished(one, ()) for one in from_markup]


def _finished(one: MarkupParagraph, lines: tuple[CleanLine, ...]) -> FinishedParagraph:
    raw = "\n".join(each.line.text for each in lines) or one.raw or one.text
    clean = CleanText(one.text, raw, lines, one.superscripts)
    return FinishedParagraph(one.kind, hidden=False, clean=clean, section=one.section, anchor=one.anchor)


class _Letters:
    """The letters and digits of a text, folded, and the span of the text that each stands for."""

    def __init__(self, text: str) -> None:
        folded = fold_with_offsets(text)
        kept = [place for place, char in enumerate(folded.text) if char.isalnum()]
        self.text = "".join([folded.text[place] for place in kept])
        self.starts = [folded.starts[place] for place in kept]
        self.ends = [folded.ends[place] for place in kept]


@dataclass(frozen=True)
class _Word:
    """A printed word: its paragraph, its line there, its place in that, its span in the paragraph's text."""

    paragraph: int
    line: int
    place: int
    start: int
    end: int


class _Page:
    """All that the pages print: its words in reading order, and its letters with the word of each."""

    def __init__(self, paragraphs: Sequence[FinishedParagraph]) -> None:
        self.paragraphs = paragraphs
        self.words: list[_Word] = []
        self.word_of: list[int] = []
        texts = []
        for number, one in enumerate(paragraphs):
            first = len(self.words)
            self.words += [
                _Word(number, line, place, *span)
                for line, clean in enumerate(one.clean.lines)
                for place, span in enumerate(clean.words)
            ]
            letters = _Letters(one.clean.text)
            starts = [word.start for word in self.words[first:]]
            self.word_of += [first + bisect_right(starts, start) - 1 for start in letters.starts]
            texts.append(letters.text)
        self.text = "".join(texts)
        self.used = bytearray(len(self.text))
        self._seeds: defaultdict[str, list[int]] = defaultdict(list)
        for at in range(0, len(self.text) - _SEED + 1, _STRIDE):
            self._seeds[self.text[at : at + _SEED]].append(at)

    def seed(self, letters: str, expected: int) -> int | None:
        """Return where the page has these letters and they are free, nearest to where they are expected."""
        places = self._seeds.get(letters, ())
        free = [at for at in places if not self.used[at]] if len(places) <= _OFTEN else ()
        return min(free, key=lambda at: (at < expected - _NEAR, abs(at - expected)), default=None)

    def is_whole(self, start: int, end: int) -> bool:
        """Return whether letters of the page are whole words."""
        before = start == 0 or self.word_of[start - 1] != self.word_of[start]
        return before and (end == len(self.text) or self.word_of[end - 1] != self.word_of[end])


_Block = tuple[int, int, int]
"""Where a stretch begins in a paragraph's letters and in the page's, and its number of letters."""

_Spanned = tuple[int, tuple[int, int]]
"""A printed word by its number, and its span in the text of its paragraph."""

_Pairs = list[tuple[int, int]]  # Letters of a paragraph and of the page that are the same, ascending in both.


def _placed_pairs(page: _Page, letters: Sequence[_Letters]) -> list[_Pairs]:
    """Return for each paragraph its letters that the page has; none where that does not print it."""
    pairs: list[_Pairs] = []
    end = 0
    for one in letters:
        found = _pairs(page, one.text, end)
        pairs.append(found if len(found) >= _PRINTED * len(one.text) else [])
        for _, at in pairs[-1]:
            page.used[at] = 1
            end = at + 1
    _place_short(page, letters, pairs)
    return pairs


def _place_short(page: _Page, letters: Sequence[_Letters], pairs: list[_Pairs]) -> None:
    """Add the short paragraphs: headings right before their text, then the others near their neighbours."""

    def place(number: int, begin: int, end: int, *, last: bool = False) -> None:
        text = letters[number].text
        if text and (at := _whole_words(page, text, max(0, begin), min(end, len(page.text)), last=last)) >= 0:
            pairs[number] = [(step, at + step) for step in range(len(text))]
            page.used[at : at + len(text)] = b"\x01" * len(text)

    missing = [number for number, found in enumerate(pairs) if not found]
    for number in reversed(missing):
        if number + 1 < len(pairs) and pairs[number + 1]:
            start = pairs[number + 1][0][1]
            place(number, start - _BESIDE - len(letters[number].text), start, last=True)
    for number in missing:
        if not pairs[number]:
            before = pairs[number - 1][-1][1] + 1 if number and pairs[number - 1] else 0
            place(number, before, before + _WINDOW)
    for number in reversed(missing):
        if not pairs[number] and number + 1 < len(pairs) and pairs[number + 1]:
            start = pairs[number + 1][0][1]
            place(number, start - _WINDOW, start, last=True)


def _whole_words(page: _Page, text: str, begin: int, end: int, *, last: bool) -> int:
    """Return where the page has the text between two places, in free words of its own; -1 for nowhere."""
    find = page.text.rfind if last else page.text.find
    at = find(text, begin, end)
    while at >= 0:
        if page.is_whole(at, at + len(text)) and not any(page.used[at : at + len(text)]):
            return at
        begin, end = (begin, at + len(text) - 1) if last else (at + 1, end)
        at = find(text, begin, end)
    return -1


def _pairs(page: _Page, text: str, expected: int) -> _Pairs:
    met = _blocks(page, text, expected)
    blocks = _chain([one for one in met if not any(page.used[one[1] : one[1] + one[2]])])
    if not blocks:
        return []
    found: _Pairs = []
    (first, at, _), (last, last_at, count) = blocks[0], blocks[-1]
    head = min(first, at)
    found += _alike(page, text, (first - head, first), (at - head, at))
    for place, (x, p, n) in enumerate(blocks):
        if place:
            x_before, p_before, n_before = blocks[place - 1]
            found += _alike(page, text, (x_before + n_before, x), (p_before + n_before, p))
        found += [(x + step, p + step) for step in range(n)]
    tail = len(text) - last - count
    end = last_at + count
    return found + _alike(page, text, (last + count, len(text)), (end, min(end + tail, len(page.text))))


def _blocks(page: _Page, text: str, expected: int) -> Iterator[_Block]:
    """Yield stretches of the text that the page has, in the text's order and apart."""
    at = done = 0
    while at <= len(text) - _SEED:
        place = page.seed(text[at : at + _SEED], expected + at - done)
        if place is None:
            at += 1
            continue
        start, end = at, at + _SEED
        shift = place - at
        while start > done and start + shift > 0 and text[start - 1] == page.text[start + shift - 1]:
            start -= 1
        while end < len(text) and end + shift < len(page.text) and text[end] == page.text[end + shift]:
            end += 1
        yield start, start + shift, end - start
        at = done = end
        expected = end + shift


def _chain(blocks: Sequence[_Block]) -> list[_Block]:
    """Return the stretches that are in the same order on the page: longer ones are believed first."""
    chain: list[_Block] = []
    for block in sorted(blocks, key=itemgetter(2), reverse=True):
        x, p, n = block
        place = bisect_left(chain, block)
        before = chain[place - 1] if place else None
        after = chain[place] if place < len(chain) else None
        if (before and before[1] + before[2] > p) or (after and p + n > after[1]):
            continue
        near = any(abs((p - one[1]) - (x - one[0])) <= _NEAR for one in (before, after) if one)
        if near or n >= _TELLING:
            insort(chain, block)
    return chain


def _alike(page: _Page, text: str, span: tuple[int, int], there: tuple[int, int]) -> _Pairs:
    """Return the letters that two gaps have in common; none where they are long, or mostly different."""
    mine, printed = text[slice(*span)], page.text[slice(*there)]
    if not mine or not printed or max(len(mine), len(printed)) > _GAP or any(page.used[slice(*there)]):
        return []
    if Levenshtein.normalized_similarity(mine, printed) < _PRINTED:
        return []
    return [
        (span[0] + one.src_start + step, there[0] + one.dest_start + step)
        for one in Levenshtein.opcodes(mine, printed)
        if one.tag in {"equal", "replace"}
        for step in range(one.src_end - one.src_start)
    ]


def _owners(page: _Page, pairs: Sequence[_Pairs]) -> list[int | None]:
    """Return the paragraph of the markup that each printed word belongs to, None for one that is left over.

    A word without letters belongs to that of its neighbours on both sides.
    """
    owners: list[int | None] = [None] * len(page.words)
    lettered = bytearray(len(page.words))
    for word in page.word_of:
        lettered[word] = 1
    for number, found in enumerate(pairs):
        for _, at in found:
            if owners[page.word_of[at]] is None:
                owners[page.word_of[at]] = number
    before: int | None = None
    following: list[int | None] = [None] * len(owners)
    after: int | None = None
    for word in range(len(owners) - 1, -1, -1):
        following[word] = after
        after = owners[word] if lettered[word] else after
    for word, is_lettered in enumerate(lettered):
        if not is_lettered and before == following[word]:
            owners[word] = before
        before = owners[word] if is_lettered else before
    return owners


def _lines(
    page: _Page,
    from_markup: Sequence[MarkupParagraph],
    letters: Sequence[_Letters],
    pairs: Sequence[_Pairs],
    owners: Sequence[int | None],
) -> list[list[CleanLine]]:
    """Return the printed lines of each paragraph of the markup, their words with their spans in its text."""
    spans: list[dict[int, tuple[int, int]]] = [{} for _ in from_markup]
    for number, found in enumerate(pairs):
        for mine, at in found:
            word = page.word_of[at]
            if owners[word] == number:
                start, end = letters[number].starts[mine], letters[number].ends[mine]
                first, last = spans[number].get(word, (start, end))
                spans[number][word] = min(first, start), max(last, end)
    for word, owner in enumerate(owners):
        if owner is not None and word not in spans[owner]:
            spans[owner][word] = _NO_SPAN
    return [
        _of_paragraph(page, one.text, sorted(each.items()))
        for one, each in zip(from_markup, spans, strict=True)
    ]


_NO_SPAN = (-1, -1)


def _of_paragraph(page: _Page, text: str, words: Sequence[_Spanned]) -> list[CleanLine]:
    """Return the lines of a paragraph's printed words, whose spans take in the signs around their letters."""
    spans: list[tuple[int, int]] = []
    at = 0
    begins = (span[0] for _, span in reversed(words))
    nexts = list(accumulate(begins, lambda a, b: a if b < 0 else b, initial=len(text)))[-2::-1]
    for (_, span), following in zip(words, nexts, strict=True):
        start, end = _sign(text, at, following) if span == _NO_SPAN else _widened(text, span, at, following)
        start = max(start, at)
        at = max(start, end)
        spans.append((start, at))
    return _in_lines(page, [(number, span) for (number, _), span in zip(words, spans, strict=True)])


def _in_lines(page: _Page, words: Sequence[_Spanned]) -> list[CleanLine]:
    """Return the lines of words and their spans in a text; words of a line that are apart are two lines."""
    made = []
    for (paragraph, number), each in groupby(
        words, key=lambda one: (page.words[one[0]].paragraph, page.words[one[0]].line)
    ):
        of_line = list(each)
        printed = page.paragraphs[paragraph].clean.lines[number].line
        kept = tuple(printed.words[page.words[word].place] for word, _ in of_line)
        x0, y0, x1, y1 = bounds(kept)
        line = replace(printed, words=kept, x0=x0, y0=y0, x1=x1, y1=y1)
        spans = tuple(span for _, span in of_line)
        made.append(CleanLine(line, spans[0][0], spans[-1][1], spans))
    return made


def _widened(text: str, span: tuple[int, int], before: int, following: int) -> tuple[int, int]:
    """Return the span of a word with the signs before and after it, between the words beside it."""
    start, end = span
    while start > before and not text[start - 1].isspace():
        start -= 1
    while end < following and not text[end].isspace():
        end += 1
    return start, end


def _sign(text: str, start: int, end: int) -> tuple[int, int]:
    """Return the next signs of the text between two words; an empty span where there are none."""
    while start < end and text[start].isspace():
        start += 1
    return _widened(text, (start, start), start, end)


def _left_over(
    page: _Page, owners: Sequence[int | None], sections: Sequence[SectionHeading]
) -> defaultdict[int, list[FinishedParagraph]]:
    """Return what the pages print besides, by the paragraph of the markup that stands before it (-1: none).

    Words that are left of a paragraph which is mostly the markup's are furniture, each run of them by itself.
    """
    after: defaultdict[int, list[FinishedParagraph]] = defaultdict(list)
    counts: defaultdict[int, list[int]] = defaultdict(lambda: [0, 0])
    for word, owner in zip(page.words, owners, strict=True):
        counts[word.paragraph][owner is None] += word.end - word.start
    last = -1
    words = zip(page.words, owners, strict=True)
    runs = groupby(enumerate(words), key=lambda each: (each[1][1], each[1][0].paragraph))
    for (owner, number), each in runs:
        if owner is not None:
            last = owner
            continue
        mine, left = counts[number]
        one = page.paragraphs[number]
        section = NOWHERE if last < 0 or one.kind in {"title", "front"} else sections[last]
        run = [place for place, _ in each]
        after[last].append(
            _rest(page, run, section, whole=left >= mine) if mine else replace(one, section=section)
        )
    return after


def _rest(page: _Page, run: Sequence[int], section: SectionHeading, *, whole: bool) -> FinishedParagraph:
    """Return a run of printed words as a paragraph of its own."""
    first, last = page.words[run[0]], page.words[run[-1]]
    one = page.paragraphs[first.paragraph]
    begin = first.start
    text = one.clean.text[begin : last.end]
    spans = [(number, (page.words[number].start - begin, page.words[number].end - begin)) for number in run]
    lines = _in_lines(page, spans)
    flat = one.clean.superscripts
    raised = [
        place - begin
        for start, end in zip(flat[::2], flat[1::2], strict=True)
        if begin <= start and end <= last.end
        for place in (start, end)
    ]
    clean = CleanText(text, "\n".join(each.line.text for each in lines), tuple(lines), tuple(raised))
    return FinishedParagraph(one.kind if whole else "furniture", hidden=False, clean=clean, section=section)

"""The command that searches across papers."""

import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from lookup.limits import PageName
from lookup.results.answer import counted, whereabouts
from lookup.results.plain_text import place_text
from lookup.results.quote_answer import Match
from pagequote.calls.arguments import paragraph_meant
from pagequote.calls.table import GrepRaw, Search
from pagequote.cli import options, printing
from pagequote.cli.next_steps import with_command
from pagequote.cli.options import of_call
from pagequote.cli.parameters import RECORD, argument, formats, option, taking
from pagequote.cli.printing import echo
from retrieval.keywords.keyword_answer import KEYWORD_CALLS, NO_MATCH, KeywordPlace

_RANKED = ("hybrid", "lexical", "semantic")


_FILTERS = {"exclude", "kinds", "years", "authors", "section", "per_paper"}
_TAKES = {
    "": {"mode", *_FILTERS},
    "like": _FILTERS,
    "exact": {"page", "context_chars"},
    "keywords": {"mode", "context_chars", "explain"},
    "meaning": {"exclude", "section", "match_threshold", "offset", "title"},
}
"""The options that each way of searching has, beside those that all have."""


@dataclass(frozen=True)
class _Chosen:
    """Options that only some ways of searching have: None, or (), where they are not given."""

    exclude: tuple[str, ...] = of_call(Search, "exclude")
    kinds: tuple[str, ...] = option("Only this kind of paragraph; repeatable.", "--kind")
    years: str | None = option("Papers of these years: 2015, 2015-2020, 2015-.", "--year", metavar="YEARS")
    authors: tuple[str, ...] = option("Only by this author; repeatable.", "--author")
    section: str | None = of_call(Search, "section")
    page: PageName | None = of_call(GrepRaw, "page")
    context_chars: int | None = of_call(GrepRaw, "context_chars", default="")
    mode: str | None = option(
        "By words and meaning, by words, by meaning  [default: hybrid]; with --keywords: ranked, as "
        "a phrase, all together, misspelt  [default: context].",
        type=click.Choice([*_RANKED, *KEYWORD_CALLS]),
    )
    count: int | None = option(
        "Places to show.  [default: 10; with --exact 50, with --keywords 15]", "-n", type=click.IntRange(1)
    )
    per_paper: int | None = option("Paragraphs of one paper; 0: no limit.  [default: 3]")
    match_threshold: float | None = option("With --meaning: least similarity.  [default: 0.5]", "--threshold")
    offset: int | None = option(
        "With --meaning: show the sentences so many further on.", type=click.IntRange(0)
    )
    title: str | None = option("With --meaning: the topic of WORDS, encoded together with them.")
    explain: bool | None = option(
        "With --keywords: print the SQL that ran.", "--sql", is_flag=True, default=None
    )


@click.command
@taking
def search(
    words: tuple[str, ...] = argument(type=options.words_given),
    exact: bool = option("Every place that prints WORDS side by side."),
    keywords: bool = option("Places with these words, with cursors."),
    meaning: bool = option("Sentences that say the same as WORDS."),
    like: str | None = of_call(Search, "like"),
    keys: tuple[str, ...] = of_call(Search, "keys", "--key"),
    chosen: _Chosen = RECORD,
    form: str = formats("text", "json"),
    corpus: Path | None = options.CORPUS,
) -> None:
    """Find the paragraphs of all papers that answer WORDS best, by words and meaning.

    Words in one pair of quotation marks are one keyword of --keywords. References and running heads are
    searched only with --exact and --kind.

    Exit status: 0 found, 1 nothing found, 2 an error.

    \b
    Examples:
      pagequote search carbon released by marshes at night
      pagequote search light harvesting --year 2018- --author okafor --kind caption
      pagequote search --exact "light-harvesting" --key feng2022
      pagequote search --keywords membrane voltage --mode all
      pagequote search --meaning "Most of the carbon is released at night."
      pagequote search --like feng2022:14
    """
    given = {name: value for name, value in vars(chosen).items() if value not in {(), None}}
    count = given.pop("count", None)
    ways = {"like": like, "exact": exact, "keywords": keywords, "meaning": meaning}
    way, *others = [name for name, asked in ways.items() if asked] or [""]
    if others:
        raise click.UsageError(f"--{way} and --{others[0]} are two ways to search: choose one.")
    _check(way, words, given)
    if count is not None:
        given["limit"] = count
    given["keys"] = keys or None
    with options.open_corpus(corpus) as opened:
        if like:
            key, paragraph = paragraph_meant(like)
            _show(opened.similar(options.key_of(opened, key), paragraph, **given), form)
        elif way:
            {"exact": _exact, "keywords": _keywords, "meaning": _meaning}[way](opened, words, given, form)
        else:
            _show(opened.search(" ".join(words), **given), form)


def _check(way: str, words: tuple[str, ...], given: dict[str, Any]) -> None:
    """Raise UsageError unless there are words to search for, with options that this way of searching has."""
    if bool(words) == (way == "like"):
        raise click.UsageError(
            "--like takes the place of WORDS." if words else "Missing argument 'WORDS...'."
        )
    modes = _RANKED if way == "" else KEYWORD_CALLS
    wrong = sorted(set(given) - _TAKES[way])
    if wrong or given.get("mode", next(iter(modes))) not in modes:
        options_of = click.get_current_context().command.params
        named = next(
            (one.opts[0] for one in options_of if [one.name] == wrong[:1]), f"--mode {given.get('mode')}"
        )
        raise click.UsageError(f"{named} does not go with {f'--{way}' if way else 'a search by topic'}.")


def _exact(corpus: Any, words: tuple[str, ...], given: dict[str, Any], form: str) -> None:
    phrase, limit = options.one_text(words), given.get("limit", 50)
    found = corpus.grep(phrase, **given)
    options.say(found, map(_print, found), as_json=form == "json")
    if len(found) == limit:
        held = corpus.count(phrase, given["keys"])
        places = f"{counted(held.paragraphs, 'paragraph')} of {counted(held.papers, 'paper')}"
        echo(f"Shown: the first {counted(limit, 'place')}. With these words: {places}.", err=True)
    _end(found, f"No paper prints {phrase!r} within a paragraph. Try fewer words.")


def _print(match: Match) -> str:
    """Return a place as grep shows one: where it is, and its line."""
    label = f" ({match.page_label})" if match.page_label else ""
    place = f"{match.page}{label}" if match.page else f"#{match.anchor}"
    return f"{match.key}:{place}: {' '.join(printing.marked(match.text, [match.span]).split())}"


def _keywords(corpus: Any, words: tuple[str, ...], given: dict[str, Any], form: str) -> None:
    call = KEYWORD_CALLS[given.pop("mode", "context")]
    answer = getattr(corpus, call.method)(words, **given)
    sql = [";\n\n".join(answer.sql) + ";"] if "explain" in given else None
    options.say(answer, sql or map(_keyword_place, answer), as_json=form == "json")
    if answer.paragraphs > len(answer):
        echo(f"Shown: {len(answer)}. {answer.paragraphs:,} paragraphs have these words.", err=True)
    if answer and answer.answered_by != call.answered_by:
        echo(f"No exact match; these places are from {answer.answered_by} search.", err=True)
    phrases = [f"{word!r}" for word in words if " " in word]
    as_one = f" {', '.join(phrases)}: one keyword each; without quotation marks each word is one."
    _end(answer, NO_MATCH + (as_one if phrases else ""))


def _keyword_place(one: KeywordPlace) -> str:
    where = whereabouts(one.key, one.page, one.page_label, one.section_title, one.kind)
    text = printing.marked(one.text, one.spans)
    return f"{where}, cursor {one.cursor}: {', '.join(one.matched)}\n\n{text}\n"


def _meaning(corpus: Any, words: tuple[str, ...], given: dict[str, Any], form: str) -> None:
    from retrieval.corpus_searches import MATCH_THRESHOLD

    found = corpus.sentences(options.one_text(words), **given)
    places = (place_text(one.place, printing.mark) for one in found)
    options.say(found, places, as_json=form == "json")
    least = given.get("match_threshold", MATCH_THRESHOLD)
    _end(found, f"No sentence has a similarity of {least} or more. Lower --threshold.")


def _show(answer: Any, form: str) -> None:
    hits = (f"{hit.place.head}\n  {' '.join(hit.text.split())}\n" for hit in answer.hits)
    options.say(answer, hits, as_json=form == "json")
    if answer.hint:
        echo(with_command(answer.hint, answer.next_step), err=True)
    _end(answer, "")


def _end(found: Any, said: str) -> None:
    """End with status 1, having said why, where nothing was found."""
    if not found:
        echo(said, err=True, nl=bool(said))
        sys.exit(1)

"""The commands that find quotes, check them, and find values."""

import json
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Literal

import click

from lookup.errors import QueryError
from lookup.limits import PageName
from lookup.release.current import default_corpus
from lookup.results.answer import counted, short, whereabouts
from lookup.results.plain_text import place_text
from lookup.storage.object_path import ObjectPath
from lookup.text.printable import json_text
from pagequote.calls.table import GetQuote, QuoteToCheck
from pagequote.cli import options, printing
from pagequote.cli.next_steps import with_command
from pagequote.cli.options import of_call
from pagequote.cli.parameters import argument, formats, option, taking
from pagequote.cli.printing import echo

Quote = tuple[str, str, PageName]
"""A key, words, and the page that is cited for them, counted or as printed; 0 for none."""

_BATCH = option(
    "Many quotes instead of KEY and WORDS, one a line: KEY, tab, WORDS, and optionally tab, page; "
    'or JSON lines. "-" is standard input.',
    type=click.Path(path_type=Path, allow_dash=True),
    metavar="FILE",
)


@click.command
@taking
def quote(
    key: str | None = options.OPTIONAL_KEY,
    words: str | None = options.OPTIONAL_WORDS,
    count: int = option("Places to show.", "-n", type=click.IntRange(1), default=1),
    page: PageName | None = of_call(GetQuote, "page"),
    context: str | None = of_call(GetQuote, "context", default="sentence"),
    context_chars: int | None = of_call(GetQuote, "context_chars"),
    paragraphs: int | None = of_call(GetQuote, "paragraphs"),
    batch: Path | None = _BATCH,
    form: str = formats("text", "json", "latex", "typst", "markdown", "citation", "link", "annotation"),
    template: str = option(
        "With --format latex: mciteboxp (pagequote.sty), biblatex, footcite, natbib, plain, or yours with "
        "{key}, {page}, {printed_page}, {cited_page}, {quote}.  [default: $PAGEQUOTE_LATEX, else that of "
        "the nearest pagequote.toml here or above the corpus, else mciteboxp]  With --format link: "
        "pdf.js, fragment, obsidian or pdf++.  [default: pdf.js]",
        metavar="NAME",
        default="",
    ),
    corpus: Path | None = options.CORPUS,
) -> None:
    """Find where the paper KEY prints WORDS ("-" reads them from standard input), without KEY in all papers.

    Exit status: 0 found, 1 only related passages, 2 an error. With --batch: 0 all found, 1 not all.

    \b
    Examples:
      pagequote quote "electrochemically switchable states"
      pagequote quote feng2022 "electrochemically switchable states" --context paragraph
      pagequote quote feng2022 "switchable states" --page 6 --format latex
      pagequote quote feng2022 "switchable states" --format latex --template biblatex
      xsel | pagequote quote feng2022 - --json
      pagequote quote --batch quotes.tsv --json
    """
    if key and words is None and batch is None and _is_no_paper(key, corpus):
        from pagequote.cli.search import search  # a word is no quotation, but can be looked for

        listed = form if form in {"text", "json"} else "text"
        click.get_current_context().invoke(search, words=(key,), exact=True, form=listed, corpus=corpus)
        return
    key, words = _key_or_words(key, words, batch)
    if template and form not in ("latex", "link"):
        raise click.UsageError("--template goes with --format latex or link.")
    chosen = template if form in {"text", "json", "annotation"} else _template(template, corpus, form)
    implied = "chars" if context_chars is not None else "sentence" if paragraphs is None else "paragraph"
    if context not in (None, implied) and implied != "sentence":
        option = "context-chars" if implied == "chars" else "paragraphs"
        raise click.UsageError(f"--{option} does not go with --context {context}.")
    extent = (count, context or implied, 400 if context_chars is None else context_chars, paragraphs or 1)
    with options.open_corpus(corpus, key) as opened:
        if batch is not None:
            answers = opened.quotes(_read_batch(batch), *extent)
        else:
            key = options.key_of(opened, key) if key else _paper_that_prints(opened, words or "")
            answers = (opened.quote(key, words, page or 0, *extent),)
        papers = {paper.key: paper for paper in opened.papers()} if form == "citation" else {}
        keys = {match.key for answer in answers for match in answer.matches}
        pdfs = {key: opened.original(key).path for key in keys} if form == "link" else {}
    matches = [match for answer in answers for match in answer.matches]
    lines = _forms(matches, form, chosen, papers, pdfs)
    options.say(answers if batch else answers[0], lines, as_json=form == "json")
    for answer in answers:
        if answer.hint:
            hint = with_command(answer.hint, answer.next_step, "" if batch else key or "")
            echo(f"{answer.key}, {short(answer.query)!r}: {hint}" if batch else hint, err=True)
    if not all(answer and answer.matches[0].verdict != "related" for answer in answers):
        sys.exit(1)


def _is_no_paper(word: str, corpus: Path | None) -> bool:
    """Return whether one word is given that names no paper: neither a file nor one of the corpus."""
    if len(word.split()) != 1 or not word[0].isalnum() or Path(word).suffix:
        return False
    with options.open_corpus(corpus) as opened:
        return not opened.resolve(word)


def _paper_that_prints(corpus: Any, words: str) -> str:
    """Return the key of the paper that prints the words, or nearly; ends the command where none does."""
    found = corpus.verify(words)
    if not found.key or found.match is None:
        echo(with_command(found.hint, found.next_step, ""), err=True)
        sys.exit(1)
    if found.elsewhere:
        others = ", ".join(f"{one.key} (page {one.page})" for one in found.elsewhere)
        echo(f"Printed in other papers too: {others}", err=True)
    key: str = found.key
    return key


def _template(given: str, corpus: Path | None, form: str) -> str:
    """Return the template of a form; this folder, or the corpus, may configure it and the word for pages."""
    from pagequote.check.configuration import read_configuration
    from pagequote.quoted_form import PAGE_WORD, latex_template

    found_corpus = options.named_corpus(corpus) or default_corpus()  # a PDF is quoted without any
    places = [Path.cwd() / "quotes", *([] if isinstance(found_corpus, ObjectPath) else [found_corpus])]
    found = [read_configuration(None, place) for place in places]
    for word in (one.page_word for one in found if one.page_word is not None):
        os.environ.setdefault(PAGE_WORD, word)
    configured = next((one.latex for one in found if one.latex), "")
    return latex_template(given, configured) if form == "latex" else given


def _forms(
    matches: list[Any], form: str, template: str, papers: dict[str, Any], pdfs: dict[str, str]
) -> Iterator[str]:
    """Yield the matches in a form; `papers` and `pdfs` by key are those that a citation names, or a link."""
    if form == "text":
        yield from (place_text(match.place, printing.mark, printing.verdict) for match in matches)
        return
    from pagequote.quoted_form import QuotedForm

    if form == "annotation":
        yield json_text([QuotedForm(match).annotation() for match in matches], 2)
        return
    for match in matches:
        if match.verdict == "related" and form != "link":
            continue  # nobody cites what is not printed so
        given: dict[str, tuple[Any, ...]] = {
            "latex": (template,),
            "link": (pdfs.get(match.key), template),
            "citation": (papers[match.key].authors, papers[match.key].year) if papers else (),
        }
        yield getattr(QuotedForm(match), form)(*given.get(form, ()))


@click.command
@taking
def verify(
    key: str | None = options.OPTIONAL_KEY,
    words: str | None = options.OPTIONAL_WORDS,
    page: PageName | None = of_call(QuoteToCheck, "page"),
    min_verdict: Literal["verbatim", "abridged"] = option(
        "The lowest verdict that is right.", default="abridged"
    ),
    batch: Path | None = _BATCH,
    form: str = formats("text", "json"),
    corpus: Path | None = options.CORPUS,
) -> None:
    """Check whether the paper KEY prints WORDS ("-" reads them from standard input), and on which page.

    KEY may be a PDF, with nothing built. Without KEY, the paper that prints WORDS is looked for.

    Words left out under "..." and put in with [brackets] are the writer's: such a quote is abridged, and
    right unless --min-verdict is verbatim.

    Exit status: 0 printed so (and there), 1 not, 2 an error. With --batch: 0 all, 1 not all.

    \b
    Examples:
      pagequote verify feng2022 "electrochemically switchable states" --page 6
      pagequote verify "electrochemically switchable states"
      pagequote verify papers/feng2022.pdf "electrochemically switchable states"
      curl https://example.org/feng.pdf | pagequote verify - "electrochemically switchable states"
      pagequote verify --batch quotes.tsv --json
      printf 'feng2022\\tswitchable states\\t6\\n' | pagequote verify --batch -
    """
    key, words = _key_or_words(key, words, batch)
    with options.open_corpus(corpus, key) as opened:
        if batch is not None:
            found = opened.verify_all(_read_batch(batch))
        else:
            found = (opened.verify(options.key_of(opened, key) if key else "", words, page or 0),)
    lines = (line for one in found for line in _as_verdict(one, "" if batch else key or ""))
    options.say(found if batch else found[0], lines, as_json=form == "json")
    sys.exit(0 if all(one and one.verdict in (min_verdict, "verbatim") for one in found) else 1)


def _as_verdict(found: Any, named: str) -> Iterator[str]:
    head = found.key or "any paper"
    if found.match is not None:
        match = found.match
        head = whereabouts(found.key, match.page, match.page_label, anchor=match.anchor)
    yield f"{head}: {printing.verdict(found.verdict)}"
    if found.match is not None:
        if found.verdict != "verbatim":
            yield f"  printed: {found.match.quote}"
        yield from (f"  {note}" for note in found.match.place.notes)
    for other in found.elsewhere:
        yield f"  printed by {whereabouts(other.key, other.page, None)}"
    if found.hint:
        yield f"  {with_command(found.hint, found.next_step, named)}"


@click.command
@taking
def ground(
    key: str = options.KEY,
    values: tuple[str, ...] = argument(required=True, metavar="[NAME=]VALUE..."),
    count: int = option("Places to show of each value.", "-n", type=click.IntRange(1), default=20),
    form: str = formats("text", "json"),
    corpus: Path | None = options.CORPUS,
) -> None:
    """Find where the paper KEY prints each VALUE: a number with its unit, or a phrase.

    Exit status: 0 all printed, 1 not all, 2 an error.

    \b
    Examples:
      pagequote ground feng2022 "dose=10 mg" "n=4,000 participants"
      pagequote ground paper.pdf "22 %" --json
    """
    pairs = [one.partition("=") for one in values]
    named = {name: value if sign else name for name, sign, value in pairs}
    with options.open_corpus(corpus, key) as opened:
        found = opened.ground(options.key_of(opened, key), named, count)
    options.say(found, _grounded(found), as_json=form == "json")
    if not all(one.matches and one.matches[0].verdict == "verbatim" for one in found.values()):
        sys.exit(1)


def _grounded(found: dict[str, Any]) -> Iterator[str]:
    for name, answer in found.items():
        for match in answer.matches:
            place = whereabouts(match.key, match.page, match.page_label, anchor=match.anchor)
            words = short(printing.marked(match.text, [match.span]))
            yield f"{name}: {place}: {match.verdict}: {words}"
        if not answer.matches:
            yield f"{name}: not found"


def _read_batch(source: Path) -> list[Quote]:
    """Return the quotes of `source`. Raise QueryError with the line that cannot be read."""
    if str(source) == "-":
        text = options.standard_input()
    else:
        try:
            text = source.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as error:
            raise QueryError(f"The batch {str(source)!r} cannot be read: {error}.") from error
    quotes = []
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            try:
                quotes.append(_quote_of(line))
            except ValueError as error:
                raise QueryError(
                    f"Line {number} of the batch is neither KEY, tab, WORDS (and tab, page) nor "
                    f'{{"key": ..., "words": ..., "page": ...}}: {error}.'
                ) from error
    return quotes


def _key_or_words(key: str | None, words: str | None, batch: Path | None) -> tuple[str | None, str | None]:
    """Return KEY and WORDS; "" and WORDS where these alone are given: a key has no spaces.

    Raise UsageError unless either they or a batch is given.
    """
    if batch is not None and key is not None:
        raise click.UsageError("--batch takes the place of KEY and WORDS.")
    if batch is None and (key is None or (words is None and " " not in key and key.isascii())):
        raise click.UsageError(f"Missing argument '{'KEY' if key is None else 'WORDS'}'.")
    return (key, words) if words is not None or batch is not None else ("", options.words_given(key or ""))


def _quote_of(line: str) -> Quote:
    """Return the quote of a line of a batch: JSON, or fields between tabs. Raise ValueError."""
    if line.lstrip().startswith("{"):
        given: Any = json.loads(line)
        if unknown := sorted(set(given) - {"key", "words", "page"}):
            raise ValueError(f"it has {', '.join(unknown)}")
        quote = given.get("key"), given.get("words"), given.get("page") or 0
        if not all(map(isinstance, quote, (str, str, int | str))):
            raise ValueError("key and words are text, page is a number or what is printed on the page")
        return quote
    fields = [field.strip() for field in line.rstrip("\r").split("\t")]
    if not 2 <= len(fields) <= 3:
        raise ValueError(f"it has {counted(len(fields), 'field')}")
    return fields[0], fields[1], options.page_name(fields[2]) if fields[2:] and fields[2] else 0

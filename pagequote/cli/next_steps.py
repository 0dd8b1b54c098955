"""The next step of an answer or an error as a command."""

from shlex import quote

from lookup.embedding.model import DEFAULT_MODEL
from lookup.errors import PageQuoteError
from lookup.next_step import NextStep

_COMMANDS = {
    "get_page": "pagequote read {key} --page {page}",
    "list_papers": "pagequote papers",
    "search": "pagequote search 'WORDS'",
    "build": "pagequote build FOLDER-OF-PDFS --corpus {path}",
    "build_with_model": "pagequote build SOURCES --model {model}",
    "get_model": "pagequote model get",
    "get_other_model": "pagequote model get SOURCE",
}


def with_command(text: str, step: NextStep | None, named: str = "") -> str:
    """`text`, and the commands that take the step, for the paper as the user `named` it: by its PDF, say.

    A PDF on standard input ("-") is read once: no command can read it again.
    """
    if step is None or named == "-":
        return text
    fields = {"key": quote(named or step.key), "page": step.page, "path": quote(step.path)}
    fields["model"] = DEFAULT_MODEL
    commands = (f"`{_COMMANDS[kind].format_map(fields)}`" for kind in (step.kind, step.also) if kind)
    return f"{text} Run {', or '.join(commands)}."


def error_text(error: PageQuoteError) -> str:
    """Return what a terminal shows of an error."""
    from pagequote.cli.extras import fitted

    return fitted(f"pagequote: {with_command(str(error), error.next_step)}")

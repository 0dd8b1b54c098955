"""The `pagequote` command: finds the command that was called, and loads only that one."""

import sys
from importlib import import_module

import click

from lookup.errors import PageQuoteError

_COMMANDS = {
    "quote": ("lookup.cli.reading:quote", "Find where a paper prints these words."),
    "grep": ("lookup.cli.reading:grep", "Find every place that prints a phrase, in all papers."),
    "find": ("lookup.cli.searching:find", "Search papers with keywords."),
    "around": ("lookup.cli.searching:around", "Print the text around a cursor."),
    "verify": ("lookup.cli.reading:verify", "Check whether a paper prints a quote, and where."),
    "check": ("lookup.cli.checking:check", "Check every quotation of a manuscript against its source."),
    "search": ("lookup.cli.retrieval:search", "Find the paragraphs of all papers that answer a query."),
    "similar": ("lookup.cli.retrieval:similar", "Find paragraphs of other papers that say the like."),
    "sentences": ("lookup.cli.meaning:sentences", "Find sentences that say the same, in all papers."),
    "page": ("lookup.cli.reading:page", "Print a page of a paper."),
    "document": ("lookup.cli.reading:document", "Print all of a paper."),
    "sql": ("lookup.cli.reading:sql", "Ask the corpus in SQL."),
    "schema": ("lookup.cli.reading:schema", "Print what the tables of a corpus hold."),
    "build": ("pipeline.cli:build", "Turn PDFs into a corpus and make it current."),
    "extract": ("pipeline.cli:extract", "First stage of a build: read PDFs."),
    "embed": ("pipeline.cli:embed", "Second stage of a build: make vectors."),
    "model": ("pipeline.model_cli:model", "Get the model that makes vectors."),
    "publish": ("pipeline.cli:publish", "Last stage of a build: make a release."),
    "status": ("pipeline.status_cli:status", "Tell how the corpus and its builds are."),
    "releases": ("pipeline.releases_cli:releases", "List the releases of a corpus."),
    "rollback": ("pipeline.releases_cli:rollback", "Make an older release current."),
    "diff": ("pipeline.releases_cli:diff", "Tell what two releases do not have in common."),
    "gc": ("pipeline.releases_cli:gc", "Remove what nothing refers to any more."),
    "show": ("pipeline.pictures_cli:show", "Draw the page that prints a quote."),
    "inspect": ("pipeline.pictures_cli:inspect", "Draw a page with its paragraphs."),
}
"""Each command: where it is, and its line in the list, so that listing them loads none."""


class _Commands(click.Group):
    """The commands of _COMMANDS, each loaded when it is called."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        del ctx
        return list(_COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in _COMMANDS:
            return None
        module, name = _COMMANDS[cmd_name][0].split(":")
        command: click.Command = getattr(import_module(module), name)
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        with formatter.section("Commands"):
            formatter.write_dl([(name, line) for name, (_, line) in _COMMANDS.items()])


@click.command(cls=_Commands)
@click.version_option(package_name="pagequote")
def pagequote() -> None:
    """Verbatim, page-located quotes from a library of PDFs.

    \b
    Examples:
      pagequote build papers/
      pagequote quote feng2022 "electrochemically switchable states"
      pagequote sql "SELECT key, title FROM papers"
    """


def main() -> None:
    """Run the command line.

    Exit status: 0 found or done, 1 nothing found, 2 a call that cannot be answered, 3 `build --strict` where sources failed.
    """
    try:
        pagequote()
    except PageQuoteError as error:
        click.echo(f"pagequote: {error}", err=True)
        sys.exit(2)
    except ModuleNotFoundError as error:
        missing = (error.name or "").split(".")[0]
        if missing in ("lookup", ""):
            raise
        extra = "check" if missing in ("pylatexenc", "markdown_it") else "pipeline"
        click.echo(
            f"pagequote: this command needs {missing!r}, which is not installed: pip install 'pagequote[{extra}]'",
            err=True,
        )
        sys.exit(2)

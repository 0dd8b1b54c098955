"""The `pagequote` command: its list of commands, of which only the called one is loaded."""

import errno
import io
import os
import re
import sys
from importlib import import_module
from inspect import cleandoc
from typing import TYPE_CHECKING, Any

import click

from lookup.errors import PageQuoteError
from pagequote.cli.printing import OutputError, discard_output, echo, one_message, prepare_streams

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_GROUPS = {
    "Start here": {
        "build": ("build:build", "Turn PDFs into a corpus."),
        "quote": ("quote:quote", "Find where papers print these words."),
        "check": ("check:check", "Check every quotation of a manuscript against its source."),
        "search": ("search:search", "Find what papers say about something."),
        "serve": ("servers:serve", "Open the reading room: the corpus in a browser."),
    },
    "Then": {
        "verify": ("quote:verify", "Check whether a paper prints a quote, and where."),
        "show": ("show:show", "Draw or open the page that prints a quote."),
        "read": ("read:read", "Print a paper, a page of it, or its headings."),
        "papers": ("read:papers", "List the papers, also as BibTeX."),
        "highlight": ("highlight:highlight", "Mark quotes in PDFs, or list what readers have marked."),
        "add": ("add:add", "Add one paper now."),
        "status": ("releases:status", "Show the state of the corpus and its builds."),
    },
    "More": {
        "ground": ("quote:ground", "Find where a paper prints values."),
        "pin": ("manuscripts:pin", "Pin the quotations of a manuscript to their PDFs."),
        "compare": ("manuscripts:compare", "Tell what two versions of a paper print alike."),
        "filter": ("manuscripts:pandoc_filter", "Judge quotations while Pandoc or Quarto renders."),
        "model": ("model:model", "Get the model that makes vectors."),
        "releases": ("releases:releases", "List the releases; return to one, compare two, remove old ones."),
        "sql": ("sql:sql", "Run SQL over the corpus."),
        "mcp": ("servers:mcp", "Serve the corpus to agents."),
        "lsp": ("servers:lsp", "Serve an editor: quotations checked while they are written."),
    },
}
"""Each command by group: its module beside this one and its name there, and its line in the list, which so
loads no command."""

_STAGES = {
    "extract": ("build:extract", "First stage of a build: read PDFs."),
    "embed": ("build:embed", "Second stage of a build: make vectors."),
    "publish": ("build:publish", "Last stage of a build: make a release."),
}
"""What `build` does, one by one, as dvc.yaml calls it; not listed."""

_SHOWN = {name: command for group in _GROUPS.values() for name, command in group.items()}
_COMMANDS = _SHOWN | _STAGES


class _Commands(click.Group):
    """The commands of _COMMANDS, each loaded when it is called."""

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        del ctx
        if cmd_name not in _COMMANDS:
            return None
        module, name = _COMMANDS[cmd_name][0].split(":")
        command: click.Command = getattr(import_module(f"pagequote.cli.{module}"), name)
        within = command.commands.values() if isinstance(command, click.Group) else ()
        for one in (command, *within):
            if "Exit status" not in (text := cleandoc(one.help or "")):
                about, _, examples = text.partition("\b\nExamples:")
                one.help = f"{about}Exit status: 0 done, 2 an error.\n\n\b\nExamples:{examples}"
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        del ctx
        for group, commands in _GROUPS.items():
            with formatter.section(group):
                formatter.write_dl([(name.ljust(_WIDEST), line) for name, (_, line) in commands.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> "list[CompletionItem]":
        """Complete names of commands without loading any; options after a dash."""
        from click.shell_completion import CompletionItem

        if incomplete.startswith("-"):
            return super().shell_complete(ctx, incomplete)
        return [
            CompletionItem(name, help=line)
            for name, (_, line) in _SHOWN.items()
            if name.startswith(incomplete)
        ]

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            discard_output()  # its reader has gone (`| head`)
            sys.exit(_BROKEN_PIPE)


_WIDEST = max(map(len, _SHOWN))
"""Characters of the longest name, so that the lines of all groups begin in one column."""

_BROKEN_PIPE = 141  # The exit status that shells have for a process that SIGPIPE ends.


def _print_completion(ctx: click.Context, _: click.Parameter, shell: str | None) -> None:
    """Print the script that completes commands, options, keys of papers and file names, and end."""
    if shell is None:
        return
    from click.shell_completion import get_completion_class

    if found := get_completion_class(shell):
        echo(found(ctx.command, {}, "pagequote", "_PAGEQUOTE_COMPLETE").source(), nl=False)
        ctx.exit()


@click.command(
    cls=_Commands,
    commands=dict.fromkeys(_SHOWN, click.Command(None)),  # what an unknown name may have meant
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="pagequote")
@click.option(
    "--completion",
    help="Print the script that completes commands, options and keys in this shell.",
    type=click.Choice(["bash", "zsh", "fish"]),
    is_eager=True,
    expose_value=False,
    callback=_print_completion,
)
def pagequote() -> None:
    """Verbatim, page-located quotes from a library of PDFs.

    `pagequote COMMAND --help` explains a command and shows examples. Answers go to standard output,
    as JSON with --json; hints and errors go to standard error.

    Exit status: 0 found or done, 1 nothing found, 2 an error.

    \b
    Examples:
      pagequote build papers/
      pagequote quote "electrochemically switchable states"
      pagequote verify paper.pdf "electrochemically switchable states"
    """


def run() -> int:
    """Run the called command. Return its exit status. Raise KeyboardInterrupt."""
    prepare_streams()
    try:
        return int(pagequote.main(prog_name="pagequote", standalone_mode=False, color=_colours()) or 0)
    except click.Abort:
        raise KeyboardInterrupt from None
    except click.exceptions.NoArgsIsHelpError as error:
        echo(error.format_message())  # on standard output: `pagequote | less`
    except click.ClickException as error:
        said = io.StringIO()
        error.show(said)
        echo(said.getvalue(), err=True, nl=False)
    except PageQuoteError as error:
        from pagequote.cli.next_steps import error_text

        echo(error_text(error), err=True)
    except ModuleNotFoundError as error:
        echo(f"pagequote: {_missing(error)}", err=True)
    except (OSError, MemoryError, OutputError) as error:
        echo(f"pagequote: {one_message(_of_the_machine(error))}", err=True)
    except BaseException as error:  # a panic of a library in Rust is no Exception
        if not _NO_MEMORY.search(str(error)):
            raise
        echo(f"pagequote: {_of_the_machine(MemoryError())}", err=True)
    return 2


_NO_MEMORY = re.compile(
    "can't start new thread|failed to map segment|can't spawn|could not spawn|[Cc]annot allocate memory"
    "|Failed to launch worker thread"
)
"""What Python, the loader of libraries and libraries themselves say where memory or processes are limited."""


def _of_the_machine(error: Exception) -> str:
    """Return what is wrong with the machine, and what to do."""
    if isinstance(error, MemoryError):
        return (
            "There is not enough memory, or no further thread or process. Raise the limit, or ask for less."
        )
    if not isinstance(error, OSError):
        return str(error)
    if not error.filename:
        discard_output()  # what click prints itself, as help, may have failed
    what = repr(str(error.filename)) if error.filename else "A file, or standard output,"
    steps = {
        errno.ENOSPC: "Free disk space",
        errno.EDQUOT: "Free disk space",
        errno.EMFILE: "Raise the number of files that a process may open (ulimit -n)",
    }
    return f"{what} cannot be used: {error.strerror or error}. {steps.get(error.errno or 0, _ALLOW)}."


_ALLOW = "Allow it to be read and written, or name another place"


def _colours() -> bool | None:
    """Return whether to print colours (no-color.org, bixense.com/clicolors); None: only on a terminal."""
    if os.environ.get("NO_COLOR"):
        return False
    if any(os.environ.get(name, "0") not in ("", "0") for name in ("FORCE_COLOR", "CLICOLOR_FORCE")):
        return True
    return False if os.environ.get("TERM") == "dumb" else None


def _missing(error: ModuleNotFoundError) -> str:
    """Return the message for a missing module. Raise the error again if no extra has the module."""
    from pagequote.cli.next_steps import extra_of, with_install_command

    name = (error.name or "").partition(".")[0]
    command = next((argument for argument in sys.argv[1:] if argument in _COMMANDS), "")
    extra = extra_of(name, command if command in ("mcp", "serve") else "")
    if not extra:
        raise error
    return with_install_command(
        f"this command needs {name!r}, which is not installed: pip install 'pagequote[{extra}]'"
    )

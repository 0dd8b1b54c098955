"""The command that prints a shell's completion script."""

import click

from pagequote.cli.commands import pagequote
from pagequote.cli.printing import echo

VARIABLE = "_PAGEQUOTE_COMPLETE"
"""The environment variable of a completion call, as click derives it from the program's name."""


@click.command
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the script for SHELL that completes commands, options, keys of papers, and file names.

    The keys are from --corpus if it is already typed, else from the default corpus.

    \b
    Examples:
      pagequote completion bash > ~/.local/share/bash-completion/completions/pagequote
      pagequote completion zsh > ~/.zfunc/_pagequote
      pagequote completion fish > ~/.config/fish/completions/pagequote.fish
    """
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    assert found is not None
    echo(found(pagequote, {}, "pagequote", VARIABLE).source(), nl=False)

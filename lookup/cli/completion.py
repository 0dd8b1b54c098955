"""The command that prints what makes a shell complete commands, options, keys and file names."""

import click

from lookup.cli.commands import pagequote

VARIABLE = "_PAGEQUOTE_COMPLETE"
"""In the environment of a call that is to complete: what click derives from the name of the program."""


@click.command
@click.argument("shell", type=click.Choice(["bash", "zsh", "fish"]))
def completion(shell: str) -> None:
    """Print the script with which SHELL completes commands, options, keys of papers, and file names.

    Keys are those of --corpus, where that is typed already, else of the default corpus.

    \b
    Examples:
      pagequote completion bash > ~/.local/share/bash-completion/completions/pagequote
      pagequote completion zsh > ~/.zfunc/_pagequote
      pagequote completion fish > ~/.config/fish/completions/pagequote.fish
    """
    from click.shell_completion import get_completion_class

    found = get_completion_class(shell)
    assert found is not None
    click.echo(found(pagequote, {}, "pagequote", VARIABLE).source(), nl=False)

"""What `--help` tells of every command, for the page of the documentation."""

import typer
from typer.cli import get_docs_for_click

from plywire.server.cli import app
from plywire.server.cli.flags import Unparsed


def written() -> str:
    """All commands in Markdown."""
    plywire = typer.main.get_command(app)
    plywire.commands = commands = dict(plywire.commands)  # type: ignore[attr-defined]  # of a group
    for name, command in commands.items():
        if isinstance(command, Unparsed):
            context = typer.Context(command, info_name=name, resilient_parsing=True)
            commands[name] = command.second(context)
            commands[name].name = name
    context = typer.Context(plywire, info_name="plywire")
    return get_docs_for_click(obj=plywire, ctx=context, name="plywire", indent=1)

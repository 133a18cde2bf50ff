"""`plywire arena`: check the files of an arena."""

import typer

from plywire.server.arena.store.inspection import inspect

from .common import Arena, failing

app = typer.Typer(rich_markup_mode="markdown", no_args_is_help=True)


@app.callback()
def main() -> None:
    """Look after the folder of an arena."""


@app.command()
def check(arena: Arena) -> None:
    """Look for damage in an arena's files: pages, indexes, and each game's record.

    The server may run meanwhile. The status is 0 if all is whole, 1 if anything is damaged.

    Example:

        plywire arena check --arena /var/lib/plywire
    """
    with failing("arena check", OSError):
        found = inspect(arena)
    for file, faults in found.items():
        typer.echo(f"{file}: {'damaged' if faults else 'whole'}")
        for fault in faults:
            typer.echo(f"  {fault}")
    raise typer.Exit(1 if any(found.values()) else 0)

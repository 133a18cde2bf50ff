"""The commands of `python -m tools.books`."""

import typer

from .connect4 import commands as connect4
from .othello import commands as othello

app = typer.Typer(
    help="Build, extend and verify opening books.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)
app.add_typer(connect4.app, name="connect4")
app.add_typer(othello.app, name="othello")

if __name__ == "__main__":
    app(prog_name="python -m tools.books")

"""`plywire export`: players that leave the house."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .common import decimal, writing

if TYPE_CHECKING:
    from plywire.engine.connect4.rules import Connect4Position

app = typer.Typer(no_args_is_help=True)


Seconds = Annotated[
    float,
    typer.Option(
        parser=decimal(0.01, 60),
        metavar="SECONDS",
        help="How long to search for a move, in seconds.",
    ),
]


@app.callback()
def options() -> None:  # where the group's help comes from
    """Write players as files that stand alone."""


@app.command()
def kaggle(
    output: Annotated[
        Path, typer.Argument(help="The file to write, - for standard output.")
    ] = Path("submission.py"),
    plies: Annotated[
        int,
        typer.Option(
            help="Play positions of fewer stones from memory. To 12 they come from the opening "
            "book at once; those of more are solved first.",
            min=1,
            max=16,
        ),
    ] = 12,
) -> None:
    """Write an agent for Kaggle's ConnectX: one Python file that needs no library.

    It plays the opening perfectly from memory, and searches within the environment's time limits
    then. Other board sizes, and more or fewer in a row, it plays without a memory.

    Example:

        plywire export kaggle submission.py
    """
    from rich.console import Console

    from plywire.clients.exports.connectx.export import best_opening, by_book, export
    from plywire.engine.connect4.book.book import shipped_book

    book = shipped_book(7, 6)
    if book is None:
        raise typer.BadParameter("the opening book is not installed")
    solver = None
    with Console(stderr=True).status("Choosing moves") as status:

        def solved(position: Connect4Position) -> int:
            nonlocal solver
            if solver is None:
                from plywire.engine.connect4.solver.solver import Solver

                solver = Solver(7, 6, table_mb=256)
            stones = (position.own | position.other).bit_count()
            status.update(f"Solving positions of {stones} stones, of fewer than {plies}")
            return solver.best_move(position) // (position.game.height + 1)

        opening = best_opening(plies, by_book(book, solved))
    source = export(opening)
    _write(output, source.encode(), f", {len(opening.choices)} positions of the opening")


@app.command()
def botzone(
    output: Annotated[
        Path, typer.Argument(help="The archive to write, - for standard output.")
    ] = Path("bot.zip"),
    seconds: Seconds = 0.7,
) -> None:
    """Write a bot for Botzone's Reversi: a zip of Python that needs NumPy alone.

    Example:

        plywire export botzone bot.zip
    """
    from plywire.clients.exports.othello.export import botzone

    _write(output, botzone(seconds))


@app.command()
def codingame(
    output: Annotated[
        Path, typer.Argument(help="The file to write, - for standard output.")
    ] = Path("othello.py"),
    seconds: Seconds = 0.06,
) -> None:
    """Write a bot for CodinGame's Othello: one Python source that needs NumPy alone.

    Example:

        plywire export codingame othello.py
    """
    from plywire.clients.exports.othello.export import codingame

    _write(output, codingame(seconds).encode())


def _write(output: Path, content: bytes, told: str = "") -> None:
    if str(output) == "-":
        typer.echo(content, nl=False)
        return
    with writing("export", output):
        output.write_bytes(content)
    typer.echo(f"{output}: {len(content)} bytes{told}")

"""`plywire export`: players as files for other servers."""

from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from plywire.clients.exports.connectx import export as connectx
from plywire.clients.exports.othello import export as othello
from plywire.engine.connect4.book.book import shipped_book
from plywire.engine.connect4.rules import Connect4Position
from plywire.engine.connect4.solver.solver import Solver

from .common import decimal, writing

app = typer.Typer(no_args_is_help=True)


Seconds = Annotated[
    float,
    typer.Option(
        parser=decimal(0.01, 60),
        metavar="SECONDS",
        help="Time of a search for a move, in seconds.",
    ),
]


@app.callback()
def options() -> None:  # The docstring is the help of this group.
    """Write players as single files for Kaggle, Botzone and CodinGame."""


@app.command()
def kaggle(
    output: Annotated[Path, typer.Argument(help="File to write; - is standard output.")] = Path(
        "submission.py"
    ),
    plies: Annotated[
        int,
        typer.Option(
            help="Positions with fewer stones are played from memory.",
            min=1,
            max=16,
        ),
    ] = 12,
) -> None:
    """Write an agent for Kaggle's ConnectX: one Python file without libraries.

    The agent plays the opening perfectly from memory, and then searches within the time limits of
    the environment. On other board sizes, and with more or fewer in a row, it plays without memory.
    Positions of up to 12 stones come from the opening book at once. With a larger `--plies`, the
    command solves the others first.

    Example:

        plywire export kaggle submission.py
    """
    book = shipped_book(7, 6)
    if book is None:
        raise typer.BadParameter("the opening book is not installed: install Plywire again")
    solver = None
    with Console(stderr=True).status("Choosing moves") as status:

        def solved(position: Connect4Position) -> int:
            nonlocal solver
            if solver is None:
                solver = Solver(7, 6, table_mb=256)
            stones = (position.own | position.other).bit_count()
            status.update(f"Solving positions of {stones} stones, of fewer than {plies}")
            return solver.best_move(position) // (position.game.height + 1)

        opening = connectx.best_opening(plies, connectx.by_book(book, solved))
    source = connectx.export(opening)
    _write(output, source.encode(), f", {len(opening.choices)} positions of the opening")


@app.command()
def botzone(
    output: Annotated[Path, typer.Argument(help="Archive to write; - is standard output.")] = Path(
        "bot.zip"
    ),
    seconds: Seconds = 0.7,
) -> None:
    """Write a bot for Botzone's Reversi: a zip file that needs only NumPy.

    Example:

        plywire export botzone bot.zip
    """
    _write(output, othello.botzone(seconds))


@app.command()
def codingame(
    output: Annotated[Path, typer.Argument(help="File to write; - is standard output.")] = Path(
        "othello.py"
    ),
    seconds: Seconds = 0.06,
) -> None:
    """Write a bot for CodinGame's Othello: one Python file that needs only NumPy.

    Example:

        plywire export codingame othello.py
    """
    _write(output, othello.codingame(seconds).encode())


def _write(output: Path, content: bytes, told: str = "") -> None:
    if str(output) == "-":
        typer.echo(content, nl=False)
        return
    with writing("export", output):
        output.write_bytes(content)
    typer.echo(f"{output}: {len(content)} bytes{told}")

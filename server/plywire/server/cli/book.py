"""`plywire book`: build and verify opening books."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from plywire.engine.connect4.rules import Connect4

app = typer.Typer(help="Build and verify opening books.", no_args_is_help=True)

_GAME = Annotated[str, typer.Argument(help="Name of the game: connect4.")]
_SIZE = Annotated[str | None, typer.Option(help="Board size as WIDTHxHEIGHT.")]


@app.command()
def build(
    game: _GAME,
    plies: Annotated[int, typer.Option(help="Solve all positions of so many stones.", min=0)],
    size: _SIZE = None,
    output: Annotated[
        Path | None, typer.Option(help="The book; book-SIZE.npz here if not given.")
    ] = None,
    processes: Annotated[int, typer.Option(help="Processes that solve.", min=1, max=256)] = 1,
    table_mb: Annotated[
        int, typer.Option("--table", help="MB of each process's table.", min=1)
    ] = 512,
) -> None:
    """Solve all positions of a ply and write the book of it and all plies before.

    What is solved is kept in OUTPUT.partial after every few positions: killed, the command goes on
    there when it is run again, with any number of processes.

    Example:

        plywire book build connect4 --plies 8 --processes 4
    """
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    from plywire.engine.connect4.solver import booking

    rules = _connect4(game, size)
    output = output or Path(f"book-{rules.size}.npz")
    checkpoint = output.with_name(output.name + ".partial")
    columns = (
        TextColumn("solving"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    try:
        with Progress(
            *columns, console=Console(stderr=True), speed_estimate_period=600
        ) as progress:
            bar = progress.add_task("solving", total=None)
            book = booking.build(
                rules,
                plies,
                checkpoint,
                processes=processes,
                table_mb=table_mb,
                on_progress=lambda done, count: progress.update(bar, completed=done, total=count),
            )
        book.save(output)
    except (OSError, ValueError) as error:
        raise typer.BadParameter(str(error)) from None
    checkpoint.unlink()
    typer.echo(f"{output}: {len(book)} positions, {output.stat().st_size} bytes")


@app.command()
def verify(
    game: _GAME,
    size: _SIZE = None,
    file: Annotated[
        Path | None, typer.Option(help="The book; the one in the package if not given.")
    ] = None,
    count: Annotated[int, typer.Option(help="Positions to solve again.", min=1)] = 100,
    seed: Annotated[int, typer.Option(help="Which positions.")] = 1,
    table_mb: Annotated[int, typer.Option("--table", help="MB of the table.", min=1)] = 512,
) -> None:
    """Solve random positions of a book again, without it, and compare.

    Example:

        plywire book verify connect4 --count 20
    """
    from rich.console import Console
    from rich.progress import track

    from plywire.engine.connect4.solver import booking
    from plywire.engine.connect4.solver.book import Book, shipped_book
    from plywire.engine.connect4.solver.solver import Solver

    rules = _connect4(game, size)
    try:
        book = shipped_book(rules.width, rules.height) if file is None else Book.load(file)
    except (OSError, ValueError) as error:
        raise typer.BadParameter(f"cannot read the book: {error}") from None
    if book is None:
        raise typer.BadParameter(f"there is no book of {rules.size} in the package: give --file")
    if book.game != rules:
        raise typer.BadParameter(f"the book is of {book.game.size}, not {rules.size}")
    try:
        solver = Solver(rules.width, rules.height, table_mb=table_mb)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    wrong = 0
    sample = booking.sample(book, count, seed)
    for position, score in track(sample, "solving", count, console=Console(stderr=True)):
        solved = solver.score(position)
        if solved != score:
            typer.echo(f"{position.fen()}: the book says {score}, it is {solved}", err=True)
            wrong += 1
    typer.echo(f"{count} positions of {len(book)} solved again, {wrong} wrong")
    if wrong:
        raise typer.Exit(1)


def _connect4(game: str, size: str | None) -> Connect4:
    from plywire.engine.connect4.rules import Connect4
    from plywire.engine.game import RulesError, load

    try:
        rules = load(game, size)
    except RulesError as error:
        raise typer.BadParameter(str(error)) from None
    if not isinstance(rules, Connect4):
        raise typer.BadParameter(f"there are books of connect4, not of {game}")
    return rules

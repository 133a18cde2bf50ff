"""`python -m tools.books connect4`: build, extend and verify books of Connect Four."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, cast

import typer

from plywire.engine.connect4.book.book import WON, Book, shipped_book
from plywire.engine.connect4.rules import Connect4
from plywire.engine.connect4.solver.solver import Solver
from plywire.engine.game import RulesError
from plywire.engine.registry import load
from plywire.server.cli.common import Size, decimal, refusing
from tools.books.options import (
    KEPT,
    BookFile,
    Processes,
    Seed,
    building,
    opened,
    print_built,
    tracked,
)

from . import builder, extender, writing

app = typer.Typer(help="Build, extend and verify books of Connect Four.", no_args_is_help=True)

_OUTPUT = Annotated[Path | None, typer.Option(help="Book to write; by default book-SIZE.npz.")]
_TABLE_MB = Annotated[
    int, typer.Option("--table", help="Size of each process's table, in MB.", min=1)
]


@app.command(epilog=KEPT)
def build(
    plies: Annotated[int, typer.Option(help="Number of stones of the positions to solve.", min=0)],
    size: Size = None,
    output: _OUTPUT = None,
    processes: Processes = 1,
    table_mb: _TABLE_MB = 512,
) -> None:
    """Solve all positions of a ply and write the book up to it.

    Example:

        python -m tools.books connect4 build --plies 8 --processes 4
    """
    rules = _rules(size)
    output = output or Path(f"book-{rules.size}.npz")
    with building(output) as (checkpoint, on_progress):
        book = builder.build(
            rules,
            plies,
            checkpoint,
            processes=processes,
            table_mb=table_mb,
            on_progress=on_progress,
        )
        writing.save(book, output)
    print_built(output, len(book))


@app.command(epilog=KEPT)
def extend(
    size: Size = None,
    file: BookFile = None,
    output: _OUTPUT = None,
    minutes: Annotated[
        float | None,
        typer.Option(
            parser=decimal(0, 1e6),
            metavar="MINUTES",
            help="Time after which the command ends, in minutes.",
        ),
    ] = None,
    processes: Processes = 1,
    table_mb: _TABLE_MB = 512,
) -> None:
    """Find moves for the last positions of a book, and positions beyond it.

    First, the command finds moves that keep the value for positions of the book's last ply. Then it
    finds positions with one more stone that are hard to search, and moves for them. Then it does
    the same for positions with two to four more stones that the book's moves lead to. Finally, it
    finds scores of positions with one more stone that take long.

    Example:

        python -m tools.books connect4 extend --minutes 60 --processes 4
    """
    rules = _rules(size)
    book = _book(rules, file)
    output = output or Path(f"book-{rules.size}.npz")
    with building(output) as (checkpoint, on_progress):
        book = extender.extend(
            book,
            checkpoint,
            seconds=math.inf if minutes is None else 60 * minutes,
            processes=processes,
            table_mb=table_mb,
            on_progress=on_progress,
        )
        writing.save(book, output)
    print_built(output, len(book))


@app.command()
def verify(
    size: Size = None,
    file: BookFile = None,
    count: Annotated[int, typer.Option(help="Number of positions to solve again.", min=1)] = 100,
    seed: Seed = 1,
    table_mb: _TABLE_MB = 512,
) -> None:
    """Solve random positions of a book without the book, and compare.

    Example:

        python -m tools.books connect4 verify --count 20
    """
    rules = _rules(size)
    book = _book(rules, file)
    with refusing(ValueError):
        solver = Solver(rules.width, rules.height, table_mb=table_mb)
    wrong = 0
    for position, score in tracked(builder.sample(book, count, seed), count):
        is_sign = score == WON
        solved = solver.score(position, weak=is_sign)
        if solved != (1 if is_sign else score):
            told = "won" if is_sign else score
            typer.echo(f"{position.fen()}: the book says {told}, it is {solved}", err=True)
            wrong += 1
        elif (move := book.move(position)) is not None:
            after = -solver.score(position.play(move))
            if after < 0 or (after == 0) != (score == 0):
                name = rules.move_name(move)
                typer.echo(f"{position.fen()}: {name} makes {after} of {score}", err=True)
                wrong += 1
    typer.echo(f"{count} positions of {len(book)} solved again, {wrong} wrong")
    if wrong:
        raise typer.Exit(1)


def _rules(size: str | None) -> Connect4:
    with refusing(RulesError):
        return cast(Connect4, load("connect4", size))


def _book(rules: Connect4, file: Path | None) -> Book:
    """Read the book of a size from a file, or from the package."""

    def read() -> Book | None:
        return shipped_book(rules.width, rules.height) if file is None else Book.load(file)

    book = opened(read, rules.size)
    if book.game != rules:
        raise typer.BadParameter(
            f"the book is for {book.game.size}, not {rules.size}: give --size {book.game.size}"
        )
    return book

"""`python -m tools.books othello`: build and verify books of Othello, and learn from games."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from plywire.engine.othello.book.book import MARGIN, Book, shipped_book
from plywire.server.cli.common import refusing
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
from tools.options import GameFiles, othello_games

from . import builder, learning, verifier

app = typer.Typer(
    help="Build and verify books of Othello, and learn from games.", no_args_is_help=True
)

_LEAST = Annotated[int, typer.Option(min=1, help="Smallest number of games with a position.")]


@app.command(epilog=KEPT)
def build(
    games: GameFiles = None,
    least: _LEAST = 100,
    plies: Annotated[int, typer.Option(min=1, max=60, help="Length of the book, in plies.")] = 20,
    positions: Annotated[
        int, typer.Option(min=1, help="Number of positions up to which self-play adds more.")
    ] = 4000,
    depth: Annotated[int, typer.Option(min=1, max=40, help="Search depth, in plies.")] = 18,
    seed: Annotated[int, typer.Option(help="Seed of the self-play.")] = 0,
    output: Annotated[Path, typer.Option(help="Book to write.")] = Path("book.npz"),
    processes: Processes = 1,
) -> None:
    """Collect openings from games and self-play, search them and write a book.

    Equal settings give equal books, with any number of processes.

    Example:

        python -m tools.books othello build --games games.txt.xz --processes 4
    """
    with building(output) as (checkpoint, on_progress):
        book = builder.build(
            builder.Plan(least, plies, positions, depth, seed),
            checkpoint,
            games=othello_games(games or ()),
            processes=processes,
            on_progress=on_progress,
        )
        book.save(output)
    print_built(output, len(book))


@app.command(epilog=KEPT)
def learn(
    games: Annotated[
        list[Path],
        typer.Argument(
            help="Files of games in any notation, also .xz.",
            exists=True,
            dir_okay=False,
        ),
    ],
    output: Annotated[Path, typer.Option(help="Book to write.")],
    book: BookFile = None,
    lost_by: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Player whose lost games alone are used."),
    ] = None,
    least: _LEAST = 1,
    plies: Annotated[
        int, typer.Option(min=1, max=60, help="Number of first plies of the games.")
    ] = 24,
    processes: Processes = 1,
) -> None:
    """Add positions of played games to a book, and search their values.

    The games only decide which positions are added; the engine decides their values. Equal books
    and games give equal books, with any number of processes.

    Examples:

        plywire match engine "nboard:./ntest" --game othello --games 100 --out games.jsonl

        python -m tools.books othello learn games.jsonl --lost-by engine --output learnt.npz
    """
    known = _book(book)
    with refusing(OSError):
        wanted = learning.first_positions(othello_games(games, lost_by), plies, least)
    # All games contain the start, so without a single position there are fewer than `least` games.
    if not wanted:
        lost = "" if lost_by is None else f" that {lost_by} lost"
        raise typer.BadParameter(
            f"fewer than {least} games of Othello{lost} were found:"
            " lower --least, or give more games"
        )
    with building(output) as (checkpoint, on_progress):
        learnt = learning.learn(
            known, wanted, checkpoint, processes=processes, on_progress=on_progress
        )
        learnt.save(output)
    print_built(output, len(learnt))


@app.command()
def verify(
    file: BookFile = None,
    count: Annotated[int, typer.Option(help="Number of positions to search again.", min=1)] = 100,
    seed: Seed = 1,
) -> None:
    """Check a book for contradictions, and search random positions again.

    The book is wrong if it contradicts itself. It is also wrong if its values differ from the
    searched values by more than a disc on average, because it then belongs to another evaluation.

    Example:

        python -m tools.books othello verify --count 20
    """
    book = _book(file)
    wrong = 0
    for contradiction in verifier.contradictions(book):
        typer.echo(contradiction, err=True)
        wrong += 1
    differences = []
    for position, value, searched in tracked(verifier.sample(book, count, seed), count):
        differences.append(abs(searched - value))
        if searched != value:
            typer.echo(f"{position.fen()}: the book says {value}, it is {searched}", err=True)
    mean = sum(differences) / len(differences)
    typer.echo(
        f"{len(book)} positions, {wrong} contradictions; {len(differences)} searched again, "
        f"off by {mean / 100:.2f} discs on average, {max(differences) / 100:.2f} at most"
    )
    if wrong or mean > MARGIN:
        raise typer.Exit(1)


def _book(file: Path | None) -> Book:
    """Read the book from a file, or from the package."""
    return opened(lambda: shipped_book() if file is None else Book.load(file), "8x8")

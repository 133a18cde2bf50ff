"""`plywire book`: build and verify opening books, and learn from games."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar, cast

import typer

from .common import GameFiles, Size, decimal, othello_games, refusing, writing

if TYPE_CHECKING:
    from plywire.engine.connect4.book.book import Book as SolvedBook
    from plywire.engine.connect4.rules import Connect4
    from plywire.engine.othello.book.book import Book as OpeningBook

app = typer.Typer(
    help="Build and verify opening books, and learn from games.", no_args_is_help=True
)

_KEPT = (
    "\n\nThe command keeps its searches in OUTPUT.partial. If it is interrupted, run it again: it"
    " goes on there, with any number of processes."
)
build = typer.Typer(help=f"Build the opening book of a game.{_KEPT}", no_args_is_help=True)
extend = typer.Typer(help=f"Add positions to an opening book.{_KEPT}", no_args_is_help=True)
learn = typer.Typer(help=f"Add positions of played games to a book.{_KEPT}", no_args_is_help=True)
verify = typer.Typer(help="Search positions of a book again, and compare.", no_args_is_help=True)
app.add_typer(build, name="build")
app.add_typer(extend, name="extend")
app.add_typer(learn, name="learn")
app.add_typer(verify, name="verify")

_Book = TypeVar("_Book")
_Item = TypeVar("_Item")

_PROCESSES = Annotated[int, typer.Option(help="Number of search processes.", min=1, max=256)]
_FILE = Annotated[Path | None, typer.Option(help="Book; by default the one in the package.")]
_SEED = Annotated[int, typer.Option(help="Seed of the choice of positions.")]
_TABLE_MB = Annotated[
    int, typer.Option("--table", help="Size of each process's table, in MB.", min=1)
]


@build.command("connect4")
def build_connect4(
    plies: Annotated[int, typer.Option(help="Number of stones of the positions to solve.", min=0)],
    size: Size = None,
    output: Annotated[
        Path | None, typer.Option(help="Book to write; by default book-SIZE.npz.")
    ] = None,
    processes: _PROCESSES = 1,
    table_mb: _TABLE_MB = 512,
) -> None:
    """Solve all positions of a ply and write the book up to it.

    Example:

        plywire book build connect4 --plies 8 --processes 4
    """
    from plywire.engine.connect4.book_builder import builder

    rules = _connect4(size)
    output = output or Path(f"book-{rules.size}.npz")
    with _building(output) as (checkpoint, on_progress):
        book = builder.build(
            rules,
            plies,
            checkpoint,
            processes=processes,
            table_mb=table_mb,
            on_progress=on_progress,
        )
        book.save(output)
    _tell_built(output, len(book))


@build.command("othello")
def build_othello(
    games: GameFiles = None,
    least: Annotated[
        int, typer.Option(min=1, help="Smallest number of games with a position.")
    ] = 100,
    plies: Annotated[int, typer.Option(min=1, max=60, help="Length of the book, in plies.")] = 20,
    positions: Annotated[
        int, typer.Option(min=1, help="Number of positions up to which self-play adds more.")
    ] = 4000,
    depth: Annotated[int, typer.Option(min=1, max=40, help="Search depth, in plies.")] = 18,
    seed: Annotated[int, typer.Option(help="Seed of the self-play.")] = 0,
    output: Annotated[Path, typer.Option(help="Book to write.")] = Path("book.npz"),
    processes: _PROCESSES = 1,
) -> None:
    """Collect openings from games and self-play, search them and write a book.

    Equal settings give equal books, with any number of processes.

    Example:

        plywire book build othello --games games.txt.xz --processes 4
    """
    from plywire.engine.othello.book_builder.builder import Plan
    from plywire.engine.othello.book_builder.builder import build as build_book

    plan = Plan(least, plies, positions, depth, seed)
    with _building(output) as (checkpoint, on_progress):
        book = build_book(
            plan,
            checkpoint,
            games=othello_games(games or ()),
            processes=processes,
            on_progress=on_progress,
        )
        book.save(output)
    _tell_built(output, len(book))


@extend.command("connect4")
def extend_connect4(
    size: Size = None,
    file: _FILE = None,
    output: Annotated[
        Path | None, typer.Option(help="Book to write; by default book-SIZE.npz.")
    ] = None,
    minutes: Annotated[
        float | None,
        typer.Option(
            parser=decimal(0, 1e6),
            metavar="MINUTES",
            help="Time after which the command ends, in minutes.",
        ),
    ] = None,
    processes: _PROCESSES = 1,
    table_mb: _TABLE_MB = 512,
) -> None:
    """Find moves for the last positions of a book, and positions beyond it.

    First, the command finds moves that keep the value for positions of the book's last ply. Then it
    finds positions with one more stone that are hard to search, and moves for them. Then it does
    the same for positions with two to four more stones that the book's moves lead to. Finally, it
    finds scores of positions with one more stone that take long.

    Example:

        plywire book extend connect4 --minutes 60 --processes 4
    """
    from plywire.engine.connect4.book_builder.extender import extend as extend_book

    rules = _connect4(size)
    book = _solved_book(rules, file)
    output = output or Path(f"book-{rules.size}.npz")
    with _building(output) as (checkpoint, on_progress):
        book = extend_book(
            book,
            checkpoint,
            seconds=math.inf if minutes is None else 60 * minutes,
            processes=processes,
            table_mb=table_mb,
            on_progress=on_progress,
        )
        book.save(output)
    _tell_built(output, len(book))


@learn.command("othello")
def learn_othello(
    games: Annotated[
        list[Path],
        typer.Argument(
            help="Files of games in any notation, also .xz.",
            exists=True,
            dir_okay=False,
        ),
    ],
    output: Annotated[Path, typer.Option(help="Book to write.")],
    book: _FILE = None,
    lost_by: Annotated[
        str | None,
        typer.Option(metavar="NAME", help="Player whose lost games alone are used."),
    ] = None,
    least: Annotated[
        int, typer.Option(min=1, help="Smallest number of games with a position.")
    ] = 1,
    plies: Annotated[
        int, typer.Option(min=1, max=60, help="Number of first plies of the games.")
    ] = 24,
    processes: _PROCESSES = 1,
) -> None:
    """Add positions of played games to a book, and search their values.

    The games only decide which positions are added; the engine decides their values. Equal books
    and games give equal books, with any number of processes.

    Examples:

        plywire match engine "nboard:./ntest" --game othello --games 100 --out games.jsonl

        plywire book learn othello games.jsonl --lost-by engine --output learnt.npz
    """
    from plywire.engine.othello.book_builder import learning

    known = _openings(book)
    with refusing(OSError):
        wanted = learning.first_positions(othello_games(games, lost_by), plies, least)
    if not wanted:  # not even the start, in which all games begin
        lost = "" if lost_by is None else f" that {lost_by} lost"
        raise typer.BadParameter(
            f"fewer than {least} games of Othello{lost} were found:"
            " lower --least, or give more games"
        )
    with _building(output) as (checkpoint, on_progress):
        learnt = learning.learn(
            known, wanted, checkpoint, processes=processes, on_progress=on_progress
        )
        learnt.save(output)
    _tell_built(output, len(learnt))


@verify.command("connect4")
def verify_connect4(
    size: Size = None,
    file: _FILE = None,
    count: Annotated[int, typer.Option(help="Number of positions to solve again.", min=1)] = 100,
    seed: _SEED = 1,
    table_mb: _TABLE_MB = 512,
) -> None:
    """Solve random positions of a book without the book, and compare.

    Example:

        plywire book verify connect4 --count 20
    """
    from plywire.engine.connect4.book.beyond import WON
    from plywire.engine.connect4.book_builder import builder
    from plywire.engine.connect4.solver.solver import Solver

    rules = _connect4(size)
    book = _solved_book(rules, file)
    with refusing(ValueError):
        solver = Solver(rules.width, rules.height, table_mb=table_mb)
    wrong = 0
    for position, score in _track(builder.sample(book, count, seed), count):
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


@verify.command("othello")
def verify_othello(
    file: _FILE = None,
    count: Annotated[int, typer.Option(help="Number of positions to search again.", min=1)] = 100,
    seed: _SEED = 1,
) -> None:
    """Check a book for contradictions, and search random positions again.

    The book is wrong if it contradicts itself. It is also wrong if its values differ from the
    searched values by more than a disc on average, because it then belongs to another evaluation.

    Example:

        plywire book verify othello --count 20
    """
    from plywire.engine.othello.book.book import MARGIN
    from plywire.engine.othello.book_builder import verifier as verifying

    book = _openings(file)
    wrong = 0
    for contradiction in verifying.contradictions(book):
        typer.echo(contradiction, err=True)
        wrong += 1
    differences = []
    for position, value, searched in _track(verifying.sample(book, count, seed), count):
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


@contextmanager
def _building(output: Path) -> Iterator[tuple[Path, Callable[[int, int], None]]]:
    """Show how far a build is; the checkpoint is removed when it has ended well."""
    from rich.console import Console

    from plywire.clients.terminal.report import counting

    checkpoint = output.with_name(output.name + ".partial")
    shown = counting(Console(stderr=True), speed_estimate_period=600)
    with refusing(ValueError), writing("book", output), shown as progress:
        bar = progress.add_task("searching", total=None)
        yield checkpoint, lambda done, count: progress.update(bar, completed=done, total=count)
    checkpoint.unlink()


def _tell_built(output: Path, positions: int) -> None:
    typer.echo(f"{output}: {positions} positions, {output.stat().st_size} bytes")


def _opened(read: Callable[[], _Book | None], size: str) -> _Book:
    try:
        book = read()
    except (OSError, ValueError) as error:
        raise typer.BadParameter(f"cannot read the book: {error}") from None
    if book is None:
        raise typer.BadParameter(f"there is no book of {size} in the package: give --file")
    return book


def _track(sample: Iterator[_Item], count: int) -> Iterator[_Item]:
    """The items of a sample, and a bar that shows how far it is."""
    from rich.console import Console
    from rich.progress import track

    yield from track(sample, "searching", count, console=Console(stderr=True))


def _solved_book(rules: Connect4, file: Path | None) -> SolvedBook:
    """The book of a size in a file, or in the package."""
    from plywire.engine.connect4.book.book import Book, shipped_book

    def read() -> SolvedBook | None:
        return shipped_book(rules.width, rules.height) if file is None else Book.load(file)

    book = _opened(read, rules.size)
    if book.game != rules:
        raise typer.BadParameter(
            f"the book is for {book.game.size}, not {rules.size}: give --size {book.game.size}"
        )
    return book


def _openings(file: Path | None) -> OpeningBook:
    """The book of Othello in a file, or in the package."""
    from plywire.engine.othello.book.book import Book, shipped_book

    return _opened(lambda: shipped_book() if file is None else Book.load(file), "8x8")


def _connect4(size: str | None) -> Connect4:
    from plywire.engine.game import RulesError
    from plywire.engine.registry import load

    with refusing(RulesError):
        return cast("Connect4", load("connect4", size))

"""`plywire bench`: a fixed set of searches, to compare speed and behaviour."""

from dataclasses import asdict, dataclass
from json import dumps
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from plywire.clients.terminal.play import depth_text
from plywire.engine import bench
from plywire.engine.game import UnknownGameError
from plywire.engine.readiness import PreparationError
from plywire.engine.registry import backend_of, load, names
from plywire.engine.search.backend import Backend

from .common import ByBook, SolverThreads, failing, refusing, screen, table
from .completion import complete_game
from .options import expanded
from .progress import bars


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The searches to measure, and how to print the results."""

    game: Annotated[
        str | None,
        typer.Argument(help="Name of a game; by default all.", autocompletion=complete_game),
    ] = None
    json: Annotated[bool, typer.Option("--json", help="Print one line of JSON a game.")] = False
    evaluation: Annotated[
        bool,
        typer.Option("--evaluation", help="Measure evaluations a second instead; for othello."),
    ] = False
    suite: Annotated[
        Path | None,
        typer.Option(
            help="File of positions with scores to solve instead, one a line.",
            exists=True,
            dir_okay=False,
        ),
    ] = None
    first: Annotated[int, typer.Option(help="Number of the first position to solve.", min=1)] = 1
    last: Annotated[
        int | None,
        typer.Option("--last", "--limit", help="Number of the last position to solve.", min=1),
    ] = None
    threads: SolverThreads = 1
    book: ByBook = True
    table_mb: Annotated[
        int, typer.Option("--table", help="Size of the solver's table, in MB.", min=1)
    ] = 64


@expanded
def main(options: Options) -> None:
    """Search a fixed set of positions and print nodes, speed and a signature.

    The signature is the same on every machine, and changes exactly when the search changes. A
    second table shows the depth of a search of one second from the start. `21@73%` is a depth of 21
    at a confidence of 73 %.

    With `--suite`, the command solves positions with known scores, each with an empty table. For
    connect4, a line is the moves so far and the score. For othello, the file is OBF, such as the
    FFO suite.

    Examples:

        plywire bench othello

        plywire bench connect4 --suite positions.txt --limit 100 --no-book

        plywire bench othello --suite endgames.obf --first 40 --last 44
    """
    if options.evaluation:
        _measure_evaluation(options)
    elif options.suite is None:
        _search(options.game, options.json)
    else:
        _solve(options, options.suite)


def _backend(name: str | None) -> Backend | None:
    try:
        return None if name is None else backend_of(load(name))
    except UnknownGameError:
        return None


def _search(game: str | None, json: bool) -> None:
    known = bench.suites()
    if game is not None and game not in known:
        raise typer.BadParameter(f"no bench for {game!r}: there is one for {', '.join(known)}")
    benches, seconds = [], {}
    with failing("bench", PreparationError), Console(stderr=True).status("") as status:
        for name in [game] if game else known:
            status.update(f"searching {name}")
            benches.append(bench.run(name))
            seconds[name] = bench.second(name)
    if len(benches) > 1:
        benches.append(bench.total(benches))
    if json:
        for row in benches:
            columns = {**asdict(row), "nps": row.nps}
            if found := seconds.get(row.game):
                keys = ("depth", "confidence", "nodes", "nps")
                columns["second"] = {key: getattr(found, key) for key in keys}
            typer.echo(dumps(columns))
        return
    searched = table("Game", "Positions", "Nodes", "Seconds", "Nodes/s", left="Game")
    searched.add_column("Signature")
    for row in benches:
        searched.add_row(
            *(row.game, str(row.positions), f"{row.nodes:,}", f"{row.seconds:.3f}"),
            *(f"{row.nps:,}", row.signature),
        )
    heading = "In a second from the start"
    reached = table(heading, "Depth", "Nodes/s", left=heading)
    for name, found in seconds.items():
        reached.add_row(name, depth_text(found), f"{found.nps:,}")
    screen().print(searched)
    screen().print(reached)


def _solve(options: Options, file: Path) -> None:
    backend = _backend(options.game)
    suite = None if backend is None else backend.suite()
    if backend is None or suite is None:
        known = [name for name in names() if backend_of(load(name)).suite() is not None]
        raise typer.BadParameter(f"--suite is for {' and '.join(known)}: name one of them")
    try:
        problems = suite.read(backend.game, file.read_text().splitlines())
    except (OSError, ValueError) as error:
        raise typer.BadParameter(f"{file}: {error}") from None
    problems = problems[options.first - 1 : options.last]
    if not problems:
        where = f" from number {options.first} on: lower --first" if options.first > 1 else ""
        raise typer.BadParameter(f"{file} holds no positions{where}")
    with refusing(ValueError):
        solving = suite(
            backend.game, table_mb=options.table_mb, threads=options.threads, book=options.book
        )
    with bars() as progress:
        bar = progress.add_task("solving", total=len(problems))
        for report in solving.run(problems, options.first):
            if report is not None:
                typer.echo(dumps(report.values) if options.json else report.text)
            progress.advance(bar)


def _measure_evaluation(options: Options) -> None:
    backend = _backend(options.game)
    measured = {} if backend is None else backend.evaluation_speeds()
    if not measured:
        raise typer.BadParameter("--evaluation is for othello: plywire bench othello")
    for way, speed in measured.items():
        row = {"way": way, "per_second": speed}
        typer.echo(dumps(row) if options.json else f"{way:14}{speed:12,}/s")

"""`plywire bench`: a fixed set of searches, to compare speed and behaviour."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from json import dumps
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from rich.console import Console

from plywire.clients.terminal.play import depth_text
from plywire.engine import bench
from plywire.engine.connect4.book.book import shipped_book
from plywire.engine.connect4.rules import Connect4
from plywire.engine.connect4.solver import solver as connect4_solver
from plywire.engine.connect4.solver import suite as connect4_suite
from plywire.engine.othello import obf, speed
from plywire.engine.othello import solver as othello_solver
from plywire.engine.othello import suite as othello_suite
from plywire.engine.readiness import PreparationError

from .common import ByBook, SolverThreads, failing, refusing, screen, table
from .completion import complete_game
from .options import expanded
from .progress import bars

T = TypeVar("T")


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
        if options.game != "othello":
            raise typer.BadParameter("--evaluation is for othello: plywire bench othello")
        _measure_evaluation(options.json)
    elif options.suite is None:
        _search(options.game, options.json)
    elif options.game == "connect4":
        _solve_suite(options, options.suite)
    elif options.game == "othello":
        _solve_endgames(options, options.suite)
    else:
        raise typer.BadParameter("--suite is for connect4 and othello: name one of them")


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


def _positions(read: Callable[[list[str]], Sequence[T]], options: Options, file: Path) -> list[T]:
    """Read the chosen positions of a suite; end the command if there are none."""
    try:
        found = list(read(file.read_text().splitlines()))[options.first - 1 : options.last]
    except (OSError, ValueError) as error:
        raise typer.BadParameter(f"{file}: {error}") from None
    if not found:
        where = f" from number {options.first} on: lower --first" if options.first > 1 else ""
        raise typer.BadParameter(f"{file} holds no positions{where}")
    return found


def _solve_suite(options: Options, file: Path) -> None:
    game = Connect4()
    cases = _positions(partial(connect4_suite.read, game), options, file)
    book = shipped_book(game.width, game.height) if options.book else None
    with refusing(ValueError):
        solver = connect4_solver.Solver(
            table_mb=options.table_mb, threads=options.threads, book=book
        )
    with bars() as progress:
        bar = progress.add_task("solving", total=len(cases))
        result = connect4_suite.run(solver, cases, lambda: progress.advance(bar))
    if options.json:
        typer.echo(dumps(asdict(result)))
        return
    typer.echo(
        f"{result.positions} positions, CPU ms mean {result.mean_ms:.4f} max {result.max_ms:.2f}, "
        f"nodes mean {result.mean_nodes:.0f}, knodes/s {result.knps:.0f}, "
        f"mismatches {result.mismatches}"
    )


def _solve_endgames(options: Options, file: Path) -> None:
    problems = _positions(obf.read, options, file)
    with refusing(ValueError):
        solver = othello_solver.Solver(table_mb=options.table_mb, threads=options.threads)
    nodes, seconds, cpu, wrong = 0, 0.0, 0.0, 0
    for number, solved in enumerate(othello_suite.run(solver, problems), options.first):
        nodes += solved.nodes
        seconds += solved.seconds
        cpu += solved.cpu_seconds
        wrong += not solved.is_right
        if options.json:
            typer.echo(dumps({"number": number, **asdict(solved)}))
            continue
        typer.echo(
            f"#{number} {solved.empty} empty, score {solved.score:+d}"
            f"{'' if solved.is_right else ' WRONG'}, {solved.seconds:.3f} s, "
            f"CPU {solved.cpu_seconds:.3f} s, {solved.nodes:,} nodes: {solved.line}"
        )
    total = {"positions": len(problems), "wrong": wrong, "seconds": seconds, "cpu_seconds": cpu}
    if options.json:
        typer.echo(dumps({**total, "nodes": nodes}))
    else:
        typer.echo(
            f"{len(problems)} positions, {wrong} wrong, {seconds:.3f} s, CPU {cpu:.3f} s, "
            f"{nodes:,} nodes, {nodes / max(cpu, 1e-9):,.0f} nodes/s of CPU"
        )


def _measure_evaluation(json: bool) -> None:
    for measured in speed.measure():
        row = dumps(asdict(measured)) if json else f"{measured.way:14}{measured.per_second:12,}/s"
        typer.echo(row)

"""`plywire bench`: a fixed amount of searching, to compare speed and behaviour."""

from pathlib import Path
from typing import Annotated

import typer


def main(
    game: Annotated[str | None, typer.Argument(help="Name of a game; all if left out.")] = None,
    json: Annotated[bool, typer.Option("--json", help="Print one line of JSON a game.")] = False,
    evaluation: Annotated[
        bool, typer.Option("--evaluation", help="othello: measure evaluations a second instead.")
    ] = False,
    suite: Annotated[
        Path | None,
        typer.Option(
            help="connect4: solve these positions, one a line: the moves so far and the score.",
            exists=True,
            dir_okay=False,
        ),
    ] = None,
    limit: Annotated[
        int | None, typer.Option(help="Solve only the first so many positions.", min=1)
    ] = None,
    threads: Annotated[int, typer.Option(help="Threads that solve.", min=1, max=256)] = 1,
    book: Annotated[bool, typer.Option(help="Look positions up in the opening book.")] = True,
    table_mb: Annotated[int, typer.Option("--table", help="MB of the solver's table.", min=1)] = 64,
) -> None:
    """Search a fixed set of positions: nodes, nodes a second, and a signature.

    The signature is the same on every machine; it changes exactly when the search does.

    With `--suite`, solve Connect Four positions of known scores instead, each on an empty table.

    Examples:

        plywire bench othello

        plywire bench connect4 --suite positions.txt --limit 100 --no-book
    """
    if evaluation:
        if game != "othello":
            raise typer.BadParameter("--evaluation is for othello: plywire bench othello")
        _measure_evaluation(json)
        return
    if suite is not None:
        if game != "connect4":
            raise typer.BadParameter("--suite is for connect4: plywire bench connect4 --suite FILE")
        _solve_suite(suite, limit, threads, book, table_mb, json)
        return
    from dataclasses import asdict
    from json import dumps

    from rich.console import Console
    from rich.table import Table

    from plywire.engine import bench

    known = bench.suites()
    if game is not None and game not in known:
        raise typer.BadParameter(f"no bench for {game!r}: there is one for {', '.join(known)}")

    benches = []
    with Console(stderr=True).status("") as status:
        for name in [game] if game else known:
            status.update(f"searching {name}")
            benches.append(bench.run(name))
    if len(benches) > 1:
        benches.append(bench.total(benches))

    if json:
        for row in benches:
            typer.echo(dumps({**asdict(row), "nps": row.nps}))
        return
    table = Table("Game", box=None, pad_edge=False)
    for heading in ("Positions", "Nodes", "Seconds", "Nodes/s"):
        table.add_column(heading, justify="right")
    table.add_column("Signature")
    for row in benches:
        table.add_row(
            row.game,
            str(row.positions),
            f"{row.nodes:,}",
            f"{row.seconds:.3f}",
            f"{row.nps:,}",
            row.signature,
        )
    Console().print(table)


def _solve_suite(
    path: Path, limit: int | None, threads: int, with_book: bool, table_mb: int, json: bool
) -> None:
    from dataclasses import asdict
    from json import dumps

    from rich.console import Console
    from rich.progress import Progress

    from plywire.engine.connect4.rules import Connect4
    from plywire.engine.connect4.solver import suite
    from plywire.engine.connect4.solver.book import shipped_book
    from plywire.engine.connect4.solver.solver import Solver
    from plywire.engine.game import RulesError

    game = Connect4()
    try:
        cases = suite.read(game, path.read_text().splitlines())[:limit]
    except (OSError, UnicodeDecodeError, RulesError) as error:
        raise typer.BadParameter(f"{path}: {error}") from None
    if not cases:
        raise typer.BadParameter(f"{path} holds no positions")
    book = shipped_book(game.width, game.height) if with_book else None
    try:
        solver = Solver(table_mb=table_mb, threads=threads, book=book)
    except ValueError as error:
        raise typer.BadParameter(str(error)) from None
    with Progress(console=Console(stderr=True), transient=True) as progress:
        bar = progress.add_task("solving", total=len(cases))
        result = suite.run(solver, cases, lambda: progress.advance(bar))
    if json:
        typer.echo(dumps(asdict(result)))
        return
    typer.echo(
        f"{result.positions} positions, CPU ms mean {result.mean_ms:.4f} max {result.max_ms:.2f}, "
        f"nodes mean {result.mean_nodes:.0f}, knodes/s {result.knps:.0f}, "
        f"mismatches {result.mismatches}"
    )


def _measure_evaluation(json: bool) -> None:
    from dataclasses import asdict
    from json import dumps

    from plywire.engine.othello import speed

    for measured in speed.measure():
        row = dumps(asdict(measured)) if json else f"{measured.way:14}{measured.per_second:12,}/s"
        typer.echo(row)

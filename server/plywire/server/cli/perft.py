"""`plywire perft`: count the game tree, to check the rules and measure their speed."""

import time
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import track

from plywire.engine.game import RulesError
from plywire.engine.perft import Count, Subtree, split
from plywire.engine.readiness import PreparationError
from plywire.engine.registry import load

from .common import Size, failing, refusing
from .completion import complete_game


def main(
    game: Annotated[str, typer.Argument(help="Name of the game.", autocompletion=complete_game)],
    depth: Annotated[int, typer.Argument(help="Depth in plies; a pass is a ply.", min=0)],
    size: Size = None,
    position: Annotated[
        str | None, typer.Option(help="Position string at the root of the tree.", metavar="FEN")
    ] = None,
    divide: Annotated[
        bool, typer.Option("--divide", help="Show the count of each first move.")
    ] = False,
    threads: Annotated[int, typer.Option(help="Number of threads.", min=1, max=256)] = 1,
) -> None:
    """Count the leaves of the game tree at a depth."""
    with refusing(RulesError):
        rules = load(game, size)
        root = rules.start() if position is None else rules.parse(position)

    console = Console(stderr=True)
    with failing("perft", PreparationError), console.status("preparing"):
        Subtree(None, root, 0).count()

    parts = split(root, depth)
    total = Count()
    by_move: dict[int | None, Count] = {}
    start = time.perf_counter()
    with ThreadPoolExecutor(threads) as pool:
        root_moves = {pool.submit(part.count): part.root_move for part in parts}
        try:
            for future in track(
                as_completed(root_moves), "counting", len(parts), console=console, transient=True
            ):
                found, move = future.result(), root_moves[future]
                total += found
                by_move[move] = by_move.get(move, Count()) + found
        except KeyboardInterrupt:
            pool.shutdown(cancel_futures=True)
            raise
    seconds = time.perf_counter() - start

    if divide:
        for move in root.moves() if depth else ():
            typer.echo(f"{rules.move_name(move):8} {by_move[move].together}")
    typer.echo(f"leaves   {total.leaves}")
    typer.echo(f"finished {total.finished}")
    typer.echo(f"together {total.together}")
    typer.echo(f"{seconds:.3f} s, {total.together / max(seconds, 1e-9) / 1e6:.1f} Mnps")

"""`plywire warmup`: compile the kernels ahead, so that no first search has to wait."""

from typing import TYPE_CHECKING, Annotated

import typer

from .common import refusing
from .completion import complete_game

if TYPE_CHECKING:
    from plywire.engine.game import Game


def main(
    games: Annotated[
        list[str] | None,
        typer.Argument(help="Names of games; all if none is given.", autocompletion=complete_game),
    ] = None,
) -> None:
    """Compile the kernels of games for this machine and keep them on disk; once is enough."""
    import time

    from plywire.engine.game import RulesError
    from plywire.engine.registry import load, names

    with refusing(RulesError):
        chosen = [load(name) for name in games or names()]
    for game in chosen:
        began = time.perf_counter()
        _warm(game)
        typer.echo(f"{game.name} ready in {time.perf_counter() - began:.1f} s")


def _warm(game: "Game") -> None:
    from rich.console import Console
    from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    from plywire.engine.readiness import Progress as Step
    from plywire.engine.readiness import prepare

    console = Console(stderr=True)
    with Progress(
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        TimeElapsedColumn(),
        console=console,
        transient=True,
        disable=not console.is_terminal,
    ) as progress:
        task = progress.add_task(game.title)

        def show(step: "Step") -> None:
            progress.update(task, description=f"{game.title}: {step.step}")

        prepare(game, show)

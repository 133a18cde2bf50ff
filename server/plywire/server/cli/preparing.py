"""Prepare the engine before a command needs it, and show the progress."""

import time

import typer
from rich.console import Console
from rich.progress import Progress as Display
from rich.progress import SpinnerColumn, TextColumn, TimeElapsedColumn

from plywire.engine import readiness
from plywire.engine.game import Game
from plywire.engine.readiness import PreparationProgress

#: If the output is no terminal, nothing is printed about preparations shorter than this, in
#: seconds.
_SILENT_FOR = 1.0


def prepare_game(game: Game) -> None:
    """Prepare a game and show the progress; end the command with status 1 if that fails."""
    if readiness.is_ready(game):
        return
    console = Console(stderr=True)
    try:
        if console.is_terminal:
            _show(game, console)
        else:
            readiness.prepare(game, _Line(game).tell)
    except readiness.PreparationError as error:
        typer.echo(f"plywire: {game.name} cannot be prepared: {error}", err=True)
        raise typer.Exit(1) from None


def progress_text(game: Game, progress: PreparationProgress) -> str:
    """Describe the progress of a preparation, such as `Preparing Othello: 2 s left`."""
    left = progress.seconds_left
    rest = progress.step if left is None else f"{progress.step}, {max(left, 0):.0f} s left"
    return f"Preparing {game.title}: {rest}"


class _Line:
    """Prints one line about a preparation that takes long."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._began = time.monotonic()
        self._is_said = False

    def tell(self, progress: PreparationProgress) -> None:
        passed = time.monotonic() - self._began
        if not self._is_said and passed + (progress.seconds_left or 0) >= _SILENT_FOR:
            self._is_said = True
            typer.echo(progress_text(self._game, progress), err=True)


def _show(game: Game, console: Console) -> None:
    """Prepare a game, with a display in the terminal that vanishes at the end."""
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with Display(*columns, console=console, transient=True) as display:
        task = display.add_task(f"Preparing {game.title}")
        readiness.prepare(
            game,
            lambda progress: display.update(task, description=progress_text(game, progress)),
        )

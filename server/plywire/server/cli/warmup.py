"""`plywire warmup`: prepare the engine, so that no first search has to wait."""

import time
from typing import Annotated

import typer

from plywire.engine.game import RulesError
from plywire.engine.registry import load, names

from .common import refusing
from .completion import complete_game
from .preparing import prepare_game


def main(
    games: Annotated[
        list[str] | None,
        typer.Argument(help="Names of games; by default all.", autocompletion=complete_game),
    ] = None,
) -> None:
    """Prepare the engine for this machine; once is enough."""
    with refusing(RulesError):
        chosen = [load(name) for name in games or names()]
    for game in chosen:
        began = time.perf_counter()
        prepare_game(game)
        typer.echo(f"{game.name} ready in {time.perf_counter() - began:.1f} s")

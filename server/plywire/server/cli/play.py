"""`plywire play`: a human against the engine."""

from typing import Annotated

import typer

from plywire.clients.connecting.players.specs import SpecError, parse_player
from plywire.clients.play.errors import PlayerError, PlayerResignedError
from plywire.clients.terminal.play import Terminal
from plywire.engine.game import RulesError
from plywire.engine.registry import load

from .common import refusing, screen
from .completion import complete_game, complete_player
from .preparing import prepare_game


def main(
    game: Annotated[
        str, typer.Argument(help="connect4, othello or tictactoe.", autocompletion=complete_game)
    ] = "connect4",
    size: Annotated[
        str | None, typer.Option(help="Board size as WIDTHxHEIGHT; by default the usual one.")
    ] = None,
    side: Annotated[int, typer.Option(min=1, max=2, help="1 to move first, 2 to move second.")] = 1,
    level: Annotated[
        int, typer.Option(min=1, max=10, help="Strength of the opponent from 1 to 10.")
    ] = 5,
    seed: Annotated[
        int | None, typer.Option(help="Seed, to repeat the opponent's choices of an earlier game.")
    ] = None,
    against: Annotated[
        str | None,
        typer.Option(
            help="Another opponent: a player spec of `plywire match`.",
            autocompletion=complete_player,
        ),
    ] = None,
) -> None:
    """Play against the engine in the terminal, with hints and undo.

    In Connect Four, level N sees the end of the game 2*N plies ahead. In Othello, levels look 1 to
    10 plies ahead. In both games, levels 1 to 9 make mistakes as people do, and level 10 plays the
    best move that it finds. In other games, each level looks at four times as many positions as the
    level before, and plays the best move.

    Examples:

        plywire play connect4
        plywire play othello --side 2 --level 7
        plywire play connect4 --size 9x6 --against "ugi:./my-engine --fast"
    """
    console = screen()
    with refusing(SpecError, RulesError):
        opponent = parse_player(against)() if against else None
        kind = load(game, size)
        terminal = Terminal(
            kind,
            console,
            lambda prompt: console.input(prompt, markup=False),
            side=side - 1,
            level=level,
            seed=seed,
            opponent=opponent,
        )
    prepare_game(kind)  # Hints need the engine, whoever the opponent is.
    try:
        terminal.run()
    except PlayerResignedError:
        console.print("The opponent resigned: you win.")
    except PlayerError as error:
        console.print(f"The opponent failed: {error}", style="red", markup=False)
        raise typer.Exit(1) from None

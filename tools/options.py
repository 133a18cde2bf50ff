"""Options that commands of tools share, and how these commands end after an error."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

from plywire.server.cli.common import refusing, said

from .othello_games import OthelloGamesError, read_othello_games

GameFiles = Annotated[
    list[Path] | None,
    typer.Option(
        help="File of games in any notation, also .xz. Repeatable.",
        exists=True,
        dir_okay=False,
    ),
]


def othello_games(files: Sequence[Path], lost_by: str | None = None) -> Iterator[Sequence[int]]:
    """Yield the moves of the games of Othello in files of any notation.

    If a player is named, only the games that the player lost count. Standard error says how many
    games are left out, and why the first one is. Files without any game are refused.
    """
    left_out: list[str] = []
    count = 0
    with refusing(OthelloGamesError):
        for file in files:
            for game in read_othello_games(file, left_out.append):
                count += 1
                if lost_by in (None, game.loser):
                    yield game.line.moves
    if left_out:
        typer.echo(f"{len(left_out)} games were left out; the first: {left_out[0]}", err=True)
    if files and not count:
        raise typer.BadParameter(f"no game of Othello from its start: {' '.join(map(str, files))}")


@contextmanager
def writing(file: Path) -> Iterator[None]:
    """End the command with one line if a file cannot be written, as on a full disk."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or file
        typer.echo(said(error), err=True)
        raise typer.Exit(1) from None

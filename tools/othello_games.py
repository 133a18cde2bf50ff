"""Reading games of Othello from files in any notation."""

import lzma
from collections.abc import Callable, Iterator
from pathlib import Path

from plywire.clients.play.notation.reader import FoundGame, read_each
from plywire.clients.play.notation.source import MOST
from plywire.engine.othello.rules import Othello

_GAME = Othello()


class OthelloGamesError(ValueError):
    """A file of games cannot be read; the text names the line and the reason."""


def read_othello_games(
    path: Path, skipped: Callable[[str], None] = lambda why: None
) -> Iterator[FoundGame]:
    """Yield the games of a file that begin at the start of Othello; it may be packed by xz.

    Passes may be left out. If a game is unfinished, of another kind, from another position, or
    cannot be played, `skipped` is called with the reason.

    Raises OthelloGamesError, naming the line and column, if anything else is not understood; and
    OSError.
    """
    opened = lzma.open if path.suffix == ".xz" else Path.open
    try:
        with opened(path, "rb") as file:
            data = file.read(MOST + 1)
    except (lzma.LZMAError, EOFError) as error:
        raise OthelloGamesError(f"{path}: not a file of xz: {error}") from None
    for found in read_each(data, [_GAME]):
        if isinstance(found, FoundGame):
            if found.line.start != _GAME.start():
                skipped(f"{path}, line {found.row}: another position than the start")
            elif found.is_unfinished and not found.line.position.is_over:
                skipped(f"{path}, line {found.row}: unfinished")
            else:
                yield found
        elif found.can_skip or found.kind in ("game", "move"):
            skipped(f"{path}, {found}")
        elif found.kind != "empty":
            raise OthelloGamesError(f"{path}, {found}")

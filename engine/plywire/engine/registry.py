"""The available games: their rules and backends.

Other distributions add games by entry points, a pair under the name of each game::

    [project.entry-points."plywire.games"]
    gomoku = "plywire_gomoku.rules:Gomoku"

    [project.entry-points."plywire.backends"]
    gomoku = "plywire_gomoku.backend:GomokuBackend"

A game is imported only when it is requested.
"""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cache, lru_cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import cast

from .entry_points import BACKENDS, GAMES
from .game import Game, PositionError, UnknownGameError, quoted
from .search.backend import Backend, OpeningBook

#: The entry points of our own games. They are listed here, because a search of installed
#: distributions takes time.
_OURS = {
    (group, name): EntryPoint(name, f"plywire.engine.{name}.{target}", group)
    for group, name, target in (
        (GAMES, "connect4", "rules:Connect4"),
        (BACKENDS, "connect4", "backend:Connect4Backend"),
        (GAMES, "othello", "rules:Othello"),
        (BACKENDS, "othello", "backend:OthelloBackend"),
        (GAMES, "tictactoe", "rules:TicTacToe"),
        (BACKENDS, "tictactoe", "backend:TicTacToeBackend"),
    )
}

_SIZE = re.compile(r"([1-9][0-9]?)x([1-9][0-9]?)", re.IGNORECASE)


def names() -> tuple[str, ...]:
    """Return the names of all games: ours, then the others in alphabetical order."""
    ours = [name for group, name in _OURS if group == GAMES]
    return (*ours, *sorted(installed(GAMES).keys() - set(ours)))


def load(name: str, size: str | None = None) -> Game:
    """Return the game of that name, at the given size (WIDTHxHEIGHT); None is the usual size.

    Raises UnknownGameError for an unknown name, PositionError if the game lacks the size.
    """
    entry = _entry(GAMES, name)
    if entry is None:
        known = ", ".join(names())
        raise UnknownGameError(f"unknown game {quoted(name)}: the games are {known}")
    factory = cast(Callable[..., Game], entry.load())
    if size is None:
        return factory()
    if not (match := _SIZE.fullmatch(size)):
        raise PositionError(f"bad board size {quoted(size)}: write WIDTHxHEIGHT, such as 7x6")
    return factory(int(match[1]), int(match[2]))


@cache
def backend_of(game: Game) -> Backend:
    """Return the backend of a game; raise UnknownGameError if its distribution has rules alone."""
    entry = _entry(BACKENDS, game.name)
    if entry is None:
        raise UnknownGameError(f"no engine plays {game.title}: no {BACKENDS} has {game.name}")
    return cast(type[Backend], entry.load())(game)


def read_book(file: Path) -> OpeningBook:
    """Return the opening book in a file, of any game; the result is cached by file time.

    Raises OSError if the file is unreadable. Raises ValueError, with the name of the file, if it is
    no book.
    """
    stand = file.stat()
    return _read_book(file.absolute(), stand.st_mtime_ns, stand.st_size)


@lru_cache(maxsize=8)
def _read_book(file: Path, *_: int) -> OpeningBook:
    for entry in (_entry(BACKENDS, name) for name in names()):
        if entry is not None:
            with suppress(ValueError):
                return cast(type[Backend], entry.load()).read_book(file)
    raise ValueError(f"{file} is not an opening book of any game, or a damaged one")


def _entry(group: str, name: str) -> EntryPoint | None:
    """Return the entry point of a game; those of our own games cannot be replaced."""
    if (group, name) in _OURS:
        return _OURS[group, name]
    return installed(group).get(name)


@cache
def installed(group: str) -> Mapping[str, EntryPoint]:
    """Return the entry points of all installed distributions, by name.

    The search reads a file of each distribution, so the result is cached.
    """
    return {entry.name: entry for entry in entry_points(group=group)}

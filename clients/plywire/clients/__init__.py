"""Clients: a library, players of all kinds, matches between them, ratings, a terminal.

What there is::

    Board                   a game, move by move: `board.push("d3")`, `board.legal_moves`
    SimpleEngine, Engine    an engine to be asked for moves and analyses, without `await` or with
                            it: ours, one that speaks UGI, UCI, GTP or NBoard, or a server's
    Limits, Clock           how long it may think; wherever limits are asked for, it is these
    connect                 a game on a server: `async with connect("ws://…") as game`
    Player, serve_ugi       a player of your own: a class with `choose`, and as a program of its own

What else there is has modules of its own: `arena_bot` for bots in a server's arena, `matches` for
matches, referees and records, `players` for players of all kinds, `ratings` for Elo and others.

`__version__` is the version. Errors are drawn in `errors`. Importing this loads neither Numba nor
the engine's search.
"""

from importlib.metadata import version

from plywire.protocol.messages.limits import Clock, Limits

from .connecting.client import Backoff, Client, RemoteSearch, connect
from .connecting.errors import BadServerError, ClientError, CommandError, ConnectionLostError
from .connecting.ugi_engine import serve_ugi
from .engine import Engine, PlayResult, Search, SimpleEngine
from .play.board import Board
from .play.errors import (
    PlayerCrashedError,
    PlayerError,
    PlayerGarbledError,
    PlayerIllegalMoveError,
    PlayerLateError,
    PlayerResignedError,
    PlayerStalledError,
    PlayerUnfitError,
    Termination,
)
from .play.players.base import GameLine, Move, Player

__version__ = version("plywire")

__all__ = [
    "Backoff",
    "BadServerError",
    "Board",
    "Client",
    "ClientError",
    "Clock",
    "CommandError",
    "ConnectionLostError",
    "Engine",
    "GameLine",
    "Limits",
    "Move",
    "PlayResult",
    "Player",
    "PlayerCrashedError",
    "PlayerError",
    "PlayerGarbledError",
    "PlayerIllegalMoveError",
    "PlayerLateError",
    "PlayerResignedError",
    "PlayerStalledError",
    "PlayerUnfitError",
    "RemoteSearch",
    "Search",
    "SimpleEngine",
    "Termination",
    "__version__",
    "connect",
    "serve_ugi",
]

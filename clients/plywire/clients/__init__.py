"""Clients: a library, players, matches between them, ratings and a terminal.

Contents::

    Board                   a game, move by move: `board.push("d3")`, `board.legal_moves`
    SimpleEngine, Engine    an engine for moves and analyses, without `await` or with it: ours, a
                            program that speaks UGI, UCI, GTP or NBoard, or a server
    Limits, Clock           how long an engine may think
    connect                 a game on a server: `async with connect("ws://…") as game`
    Player, serve_ugi       a player of your own: a class with `choose`, and as a UGI program

Other modules: `arena_bot` has bots for a server's arena, `matches` matches, referees and records,
`players` players of all kinds, and `ratings` Elo and other ratings. `errors` lists all errors. The
import loads neither Numba nor the engine's search.
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

"""Clients: a library, players of all kinds, matches between them, ratings, a terminal.

Importing this loads neither Numba nor the engine's search.
"""

from plywire.protocol.messages.limits import Clock, Limits

from .client import Backoff, Client, RemoteSearch, connect
from .errors import (
    BadServerError,
    ClientError,
    CommandError,
    ConnectionLostError,
    PlayerCrashedError,
    PlayerError,
    PlayerGarbledError,
    PlayerIllegalMoveError,
    PlayerLateError,
    PlayerStalledError,
    Termination,
)
from .players.base import GameLine, Player
from .players.ugi_engine import serve_ugi

__all__ = [
    "Backoff",
    "BadServerError",
    "Client",
    "ClientError",
    "Clock",
    "CommandError",
    "ConnectionLostError",
    "GameLine",
    "Limits",
    "Player",
    "PlayerCrashedError",
    "PlayerError",
    "PlayerGarbledError",
    "PlayerIllegalMoveError",
    "PlayerLateError",
    "PlayerStalledError",
    "RemoteSearch",
    "Termination",
    "connect",
    "serve_ugi",
]

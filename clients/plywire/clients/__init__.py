"""Clients: a library, players of all kinds, matches between them, ratings, a terminal.

Importing this loads neither Numba nor the engine's search.
"""

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

__all__ = [
    "Backoff",
    "BadServerError",
    "Client",
    "ClientError",
    "CommandError",
    "ConnectionLostError",
    "GameLine",
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
]

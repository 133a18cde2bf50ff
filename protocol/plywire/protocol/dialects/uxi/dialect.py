"""The part that UGI and UCI share: lines between an engine and a GUI or match manager.

UGI: https://github.com/kz04px/ugi. UCI: Stefan Meyer-Kahlen's description of April 2006.

Engines do not answer most commands, and ignore unknown lines. Yet one event must close every
command:

* The answering side (`answering.py`) writes no line for `ok`, and `info string error CODE MESSAGE`
  for `error`.
* The driving side (`driving.py`) sends `isready` after every command that has no answer. The
  `readyok` then becomes `ok`, or the `error` that such an `info string` reported before.
"""

from abc import abstractmethod
from typing import ClassVar

from plywire.protocol.dialects.base import Dialect
from plywire.protocol.dialects.parsing import Words
from plywire.protocol.dialects.track import Track

#: The limits of `go` that UGI and UCI write in the same way.
LIMITS = ("movetime", "depth", "nodes")


class Uxi(Dialect):
    """The part of UGI and UCI that both sides need, and the words in which the two differ."""

    is_tolerant: ClassVar[bool] = True
    greeting: ClassVar[str]
    """The first line of a GUI, such as `uci`; the last line of its answer has `ok` after it."""
    new_game: ClassVar[str]
    game_option: ClassVar[str]
    """The name of the option that selects the game."""
    clock_words: ClassVar[tuple[str, str, str, str]]
    """The words for the times of players 1 and 2, then for their increments."""
    ignored: ClassVar[frozenset[str]]
    """Commands that need no answer."""

    @abstractmethod
    def read_game(self, value: str) -> str:
        """Return our name of a game."""

    @abstractmethod
    def write_game(self, name: str) -> str:
        """Return the dialect's name of a game."""

    @abstractmethod
    def read_position(self, track: Track) -> Track:
        """Translate a position and its moves from the dialect's notation to ours."""

    @abstractmethod
    def write_position(self, track: Track) -> Track:
        """Translate a position and its moves from our notation to the dialect's."""

    @abstractmethod
    def read_line(self, game: str, moves: Words) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return our names of moves, and their squares if known; raise PeerError if unreadable."""

    @abstractmethod
    def write_line(self, names: Words, squares: Words) -> list[str]:
        """Return the dialect's moves for our names and squares, an empty list if impossible."""

"""What UGI and UCI have in common: the line protocol between a GUI or match manager and an engine.

UGI: https://github.com/kz04px/ugi. UCI: Stefan Meyer-Kahlen's description of April 2006.

Engines answer most commands by silence, and ignore what they do not understand. So that every
command is closed by one event in these dialects too:

* Answering (`answering.py`), `ok` is silence and `error` is an `info string error CODE MESSAGE`.
* Driving (`driving.py`), `isready` follows every command that is answered by silence; its `readyok`
  is the `ok`, or the `error` that such an `info string` told of before it.

This file holds what both sides need, and says in which words the two dialects differ.
"""

from abc import abstractmethod
from typing import ClassVar

from plywire.protocol.dialects.base import Dialect
from plywire.protocol.dialects.parsing import Words
from plywire.protocol.dialects.track import Track

#: The limits of `go` that both call the same.
LIMITS = ("movetime", "depth", "nodes")


class Uxi(Dialect):
    """What UGI and UCI share."""

    is_tolerant: ClassVar[bool] = True
    greeting: ClassVar[str]
    """The first line, and with `ok` after it the end of its answer."""
    new_game: ClassVar[str]
    game_option: ClassVar[str]
    """The option that selects the game."""
    clock_words: ClassVar[tuple[str, str, str, str]]
    """First player's time and second's, first player's increment and second's."""
    ignored: ClassVar[frozenset[str]]
    """Commands that ask nothing of this engine."""

    @abstractmethod
    def read_game(self, value: str) -> str:
        """Our name of a game."""

    @abstractmethod
    def write_game(self, name: str) -> str:
        """Their name of a game."""

    @abstractmethod
    def read_position(self, track: Track) -> Track:
        """A position with its moves, from their notation to ours."""

    @abstractmethod
    def write_position(self, track: Track) -> Track:
        """A position with its moves, from our notation to theirs."""

    @abstractmethod
    def read_line(self, game: str, moves: Words) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Translate moves to our names, and to squares if those are known.

        Raises PeerError if they cannot be read.
        """

    @abstractmethod
    def write_line(self, names: Words, squares: Words) -> list[str]:
        """Translate our names and squares of moves to theirs; none if they are not known."""

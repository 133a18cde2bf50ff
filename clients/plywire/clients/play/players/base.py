"""The interface of players, and lines of play."""

from __future__ import annotations

import asyncio
import reprlib
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from operator import index
from typing import Self

from plywire.clients.play.errors import PlayerIllegalMoveError
from plywire.engine.game import Game, IllegalMoveError, Position
from plywire.engine.search.stop import Stop
from plywire.protocol.messages.limits import Limits
from plywire.protocol.messages.play import Info, Searched

#: Seconds that a player may take to prepare for a game. Some players compile code first, perhaps on
#: a busy machine.
STARTUP = 60.0


class Move(int):
    """A move: its number in the rules, with its name."""

    name: str
    """Name for people, such as `d3`."""

    def __new__(cls, number: int, name: str) -> Self:
        move = super().__new__(cls, number)
        move.name = name
        return move

    def __getnewargs__(self) -> tuple[int, str]:  # type: ignore[override]
        return int(self), self.name

    def __str__(self) -> str:
        return self.name

    def __repr__(self) -> str:
        return f"Move({int(self)}, {self.name!r})"


class Moves(tuple[Move, ...]):
    """Moves in their order; `in` accepts the number or the name of a move."""

    __slots__ = ()

    def __contains__(self, move: object) -> bool:
        """Return whether a move is there; a name may be in upper or lower case."""
        if isinstance(move, str):
            return move.lower() in (one.name.lower() for one in self)
        return super().__contains__(move)


@dataclass(frozen=True, slots=True)
class GameLine:
    """A line of play: its start, its moves, and its last position."""

    start: Position
    moves: tuple[int, ...]
    names: tuple[str, ...]
    """Names of the moves."""
    position: Position

    @classmethod
    def at(cls, start: Position) -> GameLine:
        """Return a line without moves."""
        return cls(start, (), (), start)

    @property
    def legal_moves(self) -> Moves:
        """The legal moves at the end of the line; `in` accepts names, too."""
        name = self.start.game.move_name
        return Moves(Move(move, name(move)) for move in self.position.moves())

    def play(self, move: int | str) -> GameLine:
        """Return the line with one more move (number or name), or raise IllegalMoveError."""
        position = self.position
        if (given := _number_or_name(move)) is None:
            raise IllegalMoveError(f"{_shown(move)} is not a move: {self._legal}")
        number = given if isinstance(given, int) else position.game.parse_move(position, given)
        after = position.play(number)
        name = position.game.move_name(number)
        return GameLine(self.start, (*self.moves, number), (*self.names, name), after)

    def chosen(self, move: object) -> GameLine:
        """Return the line with the move that `choose` returned; raises PlayerIllegalMoveError."""
        if (given := _number_or_name(move)) is None:
            raise PlayerIllegalMoveError(
                f"choose returned {_shown(move)}, not a move: {self._legal}"
            )
        try:
            return self.play(given)
        except IllegalMoveError as error:
            raise PlayerIllegalMoveError(str(error)) from None

    @property
    def _legal(self) -> str:
        return f"the legal moves are {' '.join(map(str, self.legal_moves)) or 'none'}"

    def play_names(self, names: Iterable[str]) -> GameLine:
        """Return the line with more moves, except passes after the end; raises IllegalMoveError."""
        line = self
        for name in names:
            if not line.position.is_late_pass(name):
                line = line.play(name)
        return line


def _number_or_name(move: object) -> int | str | None:
    if isinstance(move, str):
        return move
    try:
        return None if isinstance(move, bool) else index(move)  # type: ignore[arg-type]
    except Exception:  # a user's class may raise any exception
        return None


def _shown(value: object) -> str:
    return f"{reprlib.repr(value)} ({type(value).__name__})"


class Player(ABC):
    """Plays one game at a time, for either side.

    `start` comes before every game, and again after a failure. A player that was closed can be
    started again. Cancelling `choose` counts as a failure.
    """

    name: str
    games: tuple[str, ...] = ()
    """Names of the games that the player plays; empty is all."""
    limits: Limits | None = None
    """The player's own limits, in place of the match's; None for the match's limits."""
    resumes: bool = True
    """Whether the player can continue a game from the line alone."""
    is_elsewhere: bool = False
    """Whether the player outlives this process. Such a player sees only moves that are stored."""
    is_away: bool = False
    """Whether the player cannot answer at the moment."""
    searched: Searched | None = None
    """Report of the player's search for its latest move; the referee clears it before it asks."""
    on_info: Callable[[Info], object] | None = None
    """Called with each reported line of a search, from any thread."""
    lag: int = 0
    """Measured round-trip time in ms; the referee does not count it, up to a limit."""

    worked: float = 0.0
    """Processor time of the latest move, in seconds; the referee clears it before it asks."""

    async def start(self, game: Game) -> None:  # noqa: B027 - many need no preparation
        """Prepare for a new game, while no clock runs; raises PlayerError."""

    answered: float | None = None
    """When the latest move came, by the referee's clock; None if it came when `choose` returned."""

    @abstractmethod
    async def choose(self, line: GameLine, limits: Limits) -> int | str:
        """Return a move at the end of the line, or its name; the game is not over there.

        Raises PlayerError on failure, and GameEndedError if no move is needed any more.
        """

    def take_warnings(self) -> tuple[str, ...]:
        """Return what was odd but harmless in the answers since the last call."""
        return ()

    @property
    def last_lines(self) -> tuple[str, ...]:
        """Last lines sent (`> …`) and received (`< …`), oldest first; then errors (`! …`)."""
        return ()

    async def close(self) -> None:  # noqa: B027 - many hold nothing
        """Release processes, connections and threads."""


class LocalPlayer(Player):
    """A player in this process; two of them play a whole game in one thread."""

    def prepare(self, game: Game) -> None:
        """Work like `start`, but in the calling thread."""

    @abstractmethod
    def think(self, line: GameLine, limits: Limits, stop: Stop) -> int:
        """Work like `choose`, but in the calling thread; once the stop is set, any move will do."""

    def work(self, line: GameLine, limits: Limits, stop: Stop) -> int:
        """Work like `think`, and measure the processor time."""
        began = time.thread_time()
        try:
            return self.think(line, limits, stop)
        finally:
            self.worked = time.thread_time() - began

    async def start(self, game: Game) -> None:
        await asyncio.to_thread(self.prepare, game)

    async def choose(self, line: GameLine, limits: Limits) -> int:
        stop = Stop()
        thinking = asyncio.ensure_future(asyncio.to_thread(self.work, line, limits, stop))
        try:
            return await asyncio.shield(thinking)
        except asyncio.CancelledError:
            stop.set()
            await asyncio.gather(thinking, return_exceptions=True)
            raise

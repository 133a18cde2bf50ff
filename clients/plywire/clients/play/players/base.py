"""What a player is: something that names a move in a position."""

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

#: How long a player may take to get ready for a game, in seconds. Programs and classes may have to
#: compile, while others use the machine.
STARTUP = 60.0


class Move(int):
    """A move: its number, as the rules count them, with its name."""

    name: str
    """What people call it, such as `d3`."""

    def __new__(cls, number: int, name: str) -> Self:
        """The move of that number and name."""
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
    """Moves in their order, among which one is found by its number or its name."""

    __slots__ = ()

    def __contains__(self, move: object) -> bool:
        """Whether a move is there; a name may be in upper or lower case."""
        if isinstance(move, str):
            return move.lower() in (one.name.lower() for one in self)
        return super().__contains__(move)


@dataclass(frozen=True, slots=True)
class GameLine:
    """A line of play: where it started, the moves made, and where they lead."""

    start: Position
    moves: tuple[int, ...]
    names: tuple[str, ...]
    """The moves by name."""
    position: Position

    @classmethod
    def at(cls, start: Position) -> GameLine:
        """A line without moves yet."""
        return cls(start, (), (), start)

    @property
    def legal_moves(self) -> Moves:
        """The moves that can be made where the line ends; `in` takes names too."""
        name = self.start.game.move_name
        return Moves(Move(move, name(move)) for move in self.position.moves())

    def play(self, move: int | str) -> GameLine:
        """The line with one more move, or the move of that name.

        Raises `plywire.engine.game.IllegalMoveError` if it is not legal there, whatever it is.
        """
        position = self.position
        if (given := _number_or_name(move)) is None:
            raise IllegalMoveError(f"{_shown(move)} is not a move: {self._legal}")
        number = given if isinstance(given, int) else position.game.parse_move(position, given)
        after = position.play(number)
        name = position.game.move_name(number)
        return GameLine(self.start, (*self.moves, number), (*self.names, name), after)

    def chosen(self, move: object) -> GameLine:
        """The line with the move that a player's `choose` returned.

        Raises PlayerIllegalMoveError if that is not legal there, whatever it is.
        """
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
        """The line with more moves, by name, without passes after the end.

        Raises IllegalMoveError like `play`.
        """
        line = self
        for name in names:
            if not line.position.is_late_pass(name):
                line = line.play(name)
        return line


def _number_or_name(move: object) -> int | str | None:
    """Return a move as a number or a name; None if it is neither, or a bool."""
    if isinstance(move, str):
        return move
    try:
        return None if isinstance(move, bool) else index(move)  # type: ignore[arg-type]
    except Exception:  # a class of the user's may raise anything
        return None


def _shown(value: object) -> str:
    """Write any object for a message, with its type."""
    return f"{reprlib.repr(value)} ({type(value).__name__})"


class Player(ABC):
    """Plays one game at a time, for either side.

    `start` comes before every game, also after a failure; `close` ends everything, and a later
    `start` begins afresh. `choose` may be cancelled; then the player is as after a failure.
    """

    name: str
    games: tuple[str, ...] = ()
    """The names of the games that it plays; none is all."""
    limits: Limits | None = None
    """The limits this player thinks by in place of the match's, None to take those."""
    resumes: bool = True
    """Whether it can take up a game in the middle, from the line alone."""
    is_elsewhere: bool = False
    """Whether it lives on when this process dies: then it may not hear of a move that could still
    be lost."""
    is_away: bool = False
    """Whether it is not there to answer at the moment."""
    searched: Searched | None = None
    """What it says of its search for its latest move; a referee clears it before it asks."""
    on_info: Callable[[Info], object] | None = None
    """Told of each line that it reports of a search, from whichever thread; None is not told."""
    lag: int = 0
    """How long it takes, as measured, for a question to reach it and the answer to come back, in
    ms; a referee counts up to a bound of it as nobody's time."""

    worked: float = 0.0
    """How long its latest move kept a processor busy in this process, in seconds: it took at least
    that long, whatever else did not run meanwhile. A referee clears it before it asks."""

    async def start(self, game: Game) -> None:  # noqa: B027 - many need no preparation
        """Get ready for a new game; may take its time, no clock is running.

        Raises PlayerError if the player cannot play that game.
        """

    answered: float | None = None
    """When its latest move came, by the referee's clock, where that was before `choose` could
    return; None where it was then."""

    @abstractmethod
    async def choose(self, line: GameLine, limits: Limits) -> int | str:
        """The move to play where the line ends, or its name; the game is not over there.

        Raises PlayerError if there is none to be had, GameEndedError if none is needed any more.
        """

    def take_warnings(self) -> tuple[str, ...]:
        """What was odd in its answers since this was last asked, and did no harm."""
        return ()

    @property
    def last_lines(self) -> tuple[str, ...]:
        """Last lines sent (`> …`) and received (`< …`), oldest first.

        Then what it said of errors (`! …`), such as the traceback of a crash.
        """
        return ()

    async def close(self) -> None:  # noqa: B027 - many hold nothing
        """Let go of processes, connections and threads."""


class LocalPlayer(Player):
    """A player that lives in this process, and keeps a thread busy while it thinks.

    Two of them play a whole game in one thread, without the event loop.
    """

    def prepare(self, game: Game) -> None:
        """Do what `start` does, in the calling thread."""

    @abstractmethod
    def think(self, line: GameLine, limits: Limits, stop: Stop) -> int:
        """Do what `choose` does, in the calling thread; any move will do once the stop is set."""

    def work(self, line: GameLine, limits: Limits, stop: Stop) -> int:
        """Do what `think` does, and note how much work it was."""
        began = time.thread_time()
        try:
            return self.think(line, limits, stop)
        finally:
            self.worked = time.thread_time() - began

    async def start(self, game: Game) -> None:
        """Get ready for a new game."""
        await asyncio.to_thread(self.prepare, game)

    async def choose(self, line: GameLine, limits: Limits) -> int:
        """The move to play where the line ends."""
        stop = Stop()
        thinking = asyncio.ensure_future(asyncio.to_thread(self.work, line, limits, stop))
        try:
            return await asyncio.shield(thinking)
        except asyncio.CancelledError:
            stop.set()
            await asyncio.gather(thinking, return_exceptions=True)
            raise

"""The base class of what plays the games of a tournament, and the job of a game."""

from abc import ABC, abstractmethod
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

from plywire.clients.connecting.players.specs import parse_player
from plywire.clients.play.matches.adjudication import EarlyEnd
from plywire.clients.play.matches.records import GameRecord
from plywire.clients.play.matches.referee import MoveListener, TimeControl
from plywire.clients.play.players.base import GameLine
from plywire.engine.game import Game
from plywire.engine.registry import load
from plywire.server.arena.tournament.scheduled_game import ScheduledGame

#: Stores the record of a game, and returns it as it was stored.
EndListener = Callable[[GameRecord], Awaitable[GameRecord]]


class RunnerError(Exception):
    """A player cannot play; the text says which and why."""


@dataclass(frozen=True, slots=True)
class GameJob:
    """A game to play, with all facts that a runner needs."""

    scheduled: ScheduledGame
    specs: tuple[str, str]
    """The specs of the players; see `plywire.clients.connecting.players.specs`."""
    control: TimeControl
    adjudicate: int | None
    """Most positions to visit for a proof of the result, None to play the game out."""
    early_end: EarlyEnd = field(default_factory=EarlyEnd)
    """The rules by which the game ends early."""
    played: tuple[tuple[str, int], ...] = ()
    """Moves that were made before the game was cut off, each with the ms that it took."""

    @property
    def lines(self) -> tuple[GameLine, GameLine]:
        """The opening, and the moves played so far."""
        game = load(self.scheduled.game, self.scheduled.size)
        opening = GameLine.at(game.parse(self.scheduled.fen)).play_names(self.scheduled.opening)
        return opening, opening.play_names(name for name, _ in self.played)


class GameRunner(ABC):
    """Plays games, several at a time."""

    ahead: int = 1
    """The games that it accepts for each game that is to be played at a time."""

    @abstractmethod
    async def play(self, job: GameJob, on_move: MoveListener, on_end: EndListener) -> GameRecord:
        """Play a game to its end, and return what `on_end` makes of its record.

        Raises what the listeners raise; what players do wrong is in the record.
        """

    async def next(self, games: Sequence[ScheduledGame]) -> ScheduledGame:
        """Wait until one of these games can begin, and return it; the first ones come first."""
        return games[0]

    def resumes(self, spec: str) -> bool:
        """Whether such a player can go on with a game that was cut off."""
        return parse_player(spec)().resumes

    async def check(self, players: Mapping[str, str], games: list[Game]) -> None:  # noqa: B027
        """Try whether the players can play; raises RunnerError if one cannot."""

    def release(self) -> None:  # noqa: B027 - most games wait for nothing
        """Note that games which `next` named, but nobody plays, will not begin."""

    async def close(self) -> None:  # noqa: B027 - some hold nothing
        """Close all players."""

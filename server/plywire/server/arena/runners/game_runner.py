"""The base class of runners, which play the games of a tournament, and the job of a game."""

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

#: A function that stores the record of a game and returns the stored record.
EndListener = Callable[[GameRecord], Awaitable[GameRecord]]


class RunnerError(Exception):
    """A player cannot play; the text says which player and why."""


@dataclass(frozen=True, slots=True)
class GameJob:
    """A game to play, with all facts that a runner needs."""

    scheduled: ScheduledGame
    specs: tuple[str, str]
    """The players' specs; see `plywire.clients.connecting.players.specs`."""
    control: TimeControl
    adjudicate: int | None
    """The most positions to visit for a proof of the result; None to play the game out."""
    early_end: EarlyEnd = field(default_factory=EarlyEnd)
    played: tuple[tuple[str, int], ...] = ()
    """The moves before the game was cut off, each with its time in ms."""

    @property
    def lines(self) -> tuple[GameLine, GameLine]:
        game = load(self.scheduled.game, self.scheduled.size)
        opening = GameLine.at(game.parse(self.scheduled.fen)).play_names(self.scheduled.opening)
        return opening, opening.play_names(name for name, _ in self.played)


class GameRunner(ABC):
    """Plays games, several at a time."""

    ahead: int = 1
    """Number of games to give to the runner for each game that may be played at once."""

    @abstractmethod
    async def play(self, job: GameJob, on_move: MoveListener, on_end: EndListener) -> GameRecord:
        """Play a game to its end; return `on_end`'s record, or raise a listener's error."""

    async def next(self, games: Sequence[ScheduledGame]) -> ScheduledGame:
        """Wait until one of these games can begin, and return it; earlier games are preferred."""
        return games[0]

    def resumes(self, spec: str) -> bool:
        """Return whether players with this spec can resume a game that was cut off."""
        return parse_player(spec)().resumes

    async def check(self, players: Mapping[str, str], games: list[Game]) -> None:  # noqa: B027
        """Check that the players can play; raises RunnerError if one cannot."""

    def release(self) -> None:  # noqa: B027 - most runners need nothing here
        """Forget games that `next` returned and nobody plays."""

    async def close(self) -> None:  # noqa: B027 - some runners hold no resources
        """Close all players."""

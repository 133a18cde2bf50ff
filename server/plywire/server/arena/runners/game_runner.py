"""What plays the games of a tournament, and what a game to play is."""

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

#: Is given the record of a game and returns it once it is kept, perhaps with more in it.
EndListener = Callable[[GameRecord], Awaitable[GameRecord]]


class RunnerError(Exception):
    """A player cannot play; the text says which and why."""


@dataclass(frozen=True, slots=True)
class GameJob:
    """A game to play, with all that playing it takes."""

    scheduled: ScheduledGame
    specs: tuple[str, str]
    """What the players are, as `plywire.clients.connecting.players.specs` reads it."""
    control: TimeControl
    adjudicate: int | None
    """Positions to visit for a proof of how the game ends, None to play all games out."""
    early_end: EarlyEnd = field(default_factory=EarlyEnd)
    """When players have resigned or agreed to a draw."""
    played: tuple[tuple[str, int], ...] = ()
    """Moves that were made before the game was cut off, each with the ms that it took."""

    @property
    def lines(self) -> tuple[GameLine, GameLine]:
        """The opening, and how far the game came."""
        game = load(self.scheduled.game, self.scheduled.size)
        opening = GameLine.at(game.parse(self.scheduled.fen)).play_names(self.scheduled.opening)
        return opening, opening.play_names(name for name, _ in self.played)


class GameRunner(ABC):
    """Plays games, several at a time."""

    ahead: int = 1
    """How many games it takes, at most, for each that is to be played at a time."""

    @abstractmethod
    async def play(self, job: GameJob, on_move: MoveListener, on_end: EndListener) -> GameRecord:
        """Play a game to its end, and return what `on_end` makes of its record.

        Raises what the listeners raise; what players do wrong is in the record.
        """

    async def next(self, games: Sequence[ScheduledGame]) -> ScheduledGame:
        """The game to begin now, of several that are in order; waits while there is none."""
        return games[0]

    def resumes(self, spec: str) -> bool:
        """Whether such a player can take up a game in the middle."""
        return parse_player(spec)().resumes

    async def check(self, players: Mapping[str, str], games: list[Game]) -> None:  # noqa: B027
        """Try whether the players can play; raises RunnerError if not."""

    def release(self) -> None:  # noqa: B027 - most games wait for nothing
        """Take note that no game that `next` named and nobody plays is going to begin."""

    async def close(self) -> None:  # noqa: B027 - some hold nothing
        """Let go of all players."""

"""A match: many games between two players with alternating colours, several at a time."""

import asyncio
import random
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime

from plywire.clients.play.errors import PlayerError, PlayerUnfitError
from plywire.clients.play.players.base import GameLine, Player
from plywire.clients.play.ratings.elo import MatchTally
from plywire.clients.play.ratings.sprt import Sprt, Verdict
from plywire.engine.game import Game

from .adjudication import PLAYED_OUT, EarlyEnd
from .clock import RunningClock
from .openings import random_opening
from .outcomes import Failures, failures
from .records import GameRecord
from .referee import Referee, TimeControl

#: A function that makes a new player of the same kind. Each game in progress needs its own player.
PlayerFactory = Callable[[], Player]


class MatchError(Exception):
    """The match cannot be played; the text says why."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """Openings of the games; player A moves first in games of even number."""

    game: Game
    games: int
    openings: Sequence[GameLine] = ()
    """Openings to play in turn, each twice with swapped colours; if empty, they are random."""
    random_plies: int = 0
    """Length of random openings, in plies."""
    seed: int = 0
    """Seed of the random openings; nothing else affects them."""

    def opening(self, number: int) -> GameLine:
        """Return the opening of a game; games 2k and 2k + 1 share it."""
        pair = number // 2
        if self.openings:
            return self.openings[pair % len(self.openings)]
        source = random.Random(f"{self.seed}/{pair}")
        return random_opening(self.game, self.random_plies, source)


@dataclass(slots=True)
class MatchStanding:
    """Standing of a match, from the view of player A."""

    tally: MatchTally = field(default_factory=MatchTally)
    failures: Failures = field(default_factory=Failures)
    """Games that players lost by their own faults."""
    lines: set[int] = field(default_factory=set)
    """Hashes of the games' moves; their number is that of different games."""

    def add(self, record: GameRecord) -> None:
        """Count a game."""
        a_is = 1 + record.number % 2
        score = 0.5 if record.winner is None else float(record.winner == a_is)
        self.tally.add(record.number, score)
        self.failures.update(failures([record]))
        self.lines.add(hash((record.fen, *record.moves)))


async def play_match(
    schedule: Schedule,
    players: tuple[PlayerFactory, PlayerFactory],
    control: TimeControl,
    on_game: Callable[[GameRecord], None],
    *,
    concurrency: int = 1,
    early_end: EarlyEnd = PLAYED_OUT,
    is_decided: Callable[[], bool] = lambda: False,
) -> None:
    """Play a match, `concurrency` games at a time; `on_game` gets each game as it ends.

    No game starts after `is_decided` returns True. Raises MatchError before the first game if a
    player cannot start. Errors of `on_game` end the match.
    """
    numbers = iter(range(schedule.games))
    clock = RunningClock()

    async def play(pair: tuple[Player, Player]) -> None:
        a, b = pair
        referee = Referee(schedule.game, control, early_end=early_end, clock=clock)
        while not is_decided() and (number := next(numbers, None)) is not None:
            sides = (b, a) if number % 2 else (a, b)
            started = datetime.now(UTC)
            record = await referee.play(sides, schedule.opening(number), number)
            on_game(record.model_copy(update={"started": started}))

    async with AsyncExitStack() as stack:
        pairs = [
            (
                await start_player(stack, players[0], schedule.game),
                await start_player(stack, players[1], schedule.game),
            )
            for _ in range(min(concurrency, schedule.games))
        ]
        try:
            async with asyncio.TaskGroup() as group:
                for pair in pairs:
                    group.create_task(play(pair))
        except ExceptionGroup as failures:
            raise failures.exceptions[0] from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Match:
    """A match that a sequential test may end before its last game."""

    schedule: Schedule
    names: tuple[str, str]
    """Names of the players A and B."""
    players: tuple[PlayerFactory, PlayerFactory]
    control: TimeControl = field(default_factory=TimeControl)
    early_end: EarlyEnd = PLAYED_OUT
    test: Sprt | None = None
    concurrency: int = 1
    standing: MatchStanding = field(default_factory=MatchStanding)

    async def play(self, on_game: Callable[[GameRecord], None]) -> None:
        """Play the match like `play_match`; the standing counts a game before `on_game` gets it."""

        def finished(record: GameRecord) -> None:
            self.standing.add(record)
            on_game(record)

        await play_match(
            *(self.schedule, self.players, self.control, finished),
            concurrency=self.concurrency,
            early_end=self.early_end,
            is_decided=self._is_decided,
        )

    def _is_decided(self) -> bool:
        pairs = self.standing.tally.pentanomial
        return self.test is not None and self.test.verdict(pairs) is not Verdict.CONTINUE


async def start_player(stack: AsyncExitStack, make: PlayerFactory, game: Game) -> Player:
    """Start a player, which is closed when the stack is left; raises MatchError."""
    player = make()
    stack.push_async_callback(player.close)
    try:
        await player.start(game)
    except PlayerUnfitError as error:
        raise MatchError(f"{player.name} {error}") from error
    except PlayerError as error:
        raise MatchError(f"{player.name} cannot play {game.title}: {error}") from error
    return player

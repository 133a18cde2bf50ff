"""Where the games of a tournament are played: in this process, or by workers in others."""

from __future__ import annotations

import asyncio
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import datetime

from plywire.clients.errors import PlayerError
from plywire.clients.matches.records import GameRecord
from plywire.clients.matches.referee import MoveListener, Referee, TimeControl
from plywire.clients.players.base import Line, Player
from plywire.clients.players.specs import parse_player
from plywire.engine.game import Game, Result
from plywire.engine.registry import load
from plywire.server.arena.judging.oracle import Oracle
from plywire.server.arena.tournament.scheduled_game import ScheduledGame
from plywire.server.arena.workers import Workers

#: Is given the record of a game and returns it once it is kept, perhaps with more in it.
EndListener = Callable[[GameRecord], Awaitable[GameRecord]]


class RunnerError(Exception):
    """A player cannot take its seat; the text says which and why."""


@dataclass(frozen=True, slots=True)
class GameJob:
    """A game to play, with all that playing it takes."""

    scheduled: ScheduledGame
    specs: tuple[str, str]
    """What the players are, as `plywire.clients.players.specs` reads it."""
    control: TimeControl
    adjudicate: int | None
    """Positions to visit for a proof of how the game ends, None to play all games out."""
    played: tuple[tuple[str, int], ...] = ()
    """Moves that were made before the game was cut off, each with the ms that it took."""
    started: datetime | None = None
    """When the game began."""

    @property
    def lines(self) -> tuple[Line, Line]:
        """The opening, and how far the game came."""
        game = load(self.scheduled.game, self.scheduled.size)
        opening = Line.at(game.parse(self.scheduled.fen)).play_names(self.scheduled.opening)
        return opening, opening.play_names(name for name, _ in self.played)


class GameRunner(ABC):
    """Plays games, several at a time."""

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
        """Try whether the players can take their seats; raises RunnerError if not."""

    def release(self) -> None:  # noqa: B027 - most games wait for nothing
        """Take note that no game that `next` named and nobody plays is going to begin."""

    async def close(self) -> None:  # noqa: B027 - some hold nothing
        """Let go of all players."""


class LocalRunner(GameRunner):
    """This process: the engine searches in threads, other programs run beside.

    Every move is told before the next is asked for, so a game that is cut off can go on.
    """

    def __init__(
        self,
        now: Callable[[], float] = time.monotonic,
        timeout: Callable[[float], asyncio.Timeout] = asyncio.timeout,
    ) -> None:
        """Seat players when they are needed; they keep their seats for the games to come.

        `now` tells the time, in seconds, by which `timeout` waits.
        """
        self._now = now
        self._timeout = timeout
        self._idle: dict[tuple[str, str], list[Player]] = {}
        self._oracles: list[Oracle] = []

    async def play(self, job: GameJob, on_move: MoveListener, on_end: EndListener) -> GameRecord:
        """Play a game to its end, and return what `on_end` makes of its record."""
        first, second = zip(job.scheduled.players, job.specs, strict=True)
        async with self._seat(*first) as one, self._seat(*second) as two:
            return await on_end(await self._referee(job, (one, two), on_move))

    async def _referee(
        self, job: GameJob, players: tuple[Player, Player], on_move: MoveListener
    ) -> GameRecord:
        if job.adjudicate is None:
            return await self._conduct(job, players, None, on_move)
        oracle = self._oracles.pop() if self._oracles else Oracle(nodes=job.adjudicate)
        record = await self._conduct(job, players, oracle, on_move)
        self._oracles.append(oracle)
        return record

    async def _conduct(
        self,
        job: GameJob,
        players: tuple[Player, Player],
        oracle: Oracle | None,
        on_move: MoveListener,
    ) -> GameRecord:
        opening, line = job.lines
        moves = line.moves[len(opening.moves) :]
        times = [elapsed for _, elapsed in job.played]

        async def adjudicate(line: Line) -> Result | None:
            return None if oracle is None else await asyncio.to_thread(oracle.adjudicate, line)

        referee = Referee(
            opening.start.game,
            job.control,
            adjudicate=None if oracle is None else adjudicate,
            now=self._now,
            timeout=self._timeout,
        )
        return await referee.play(
            players,
            opening,
            job.scheduled.number,
            played=list(zip(moves, times, strict=True)),
            on_move=on_move,
        )

    async def check(self, players: Mapping[str, str], games: list[Game]) -> None:
        """Try whether the players can take their seats; raises RunnerError if not."""
        for name, spec in players.items():
            async with self._seat(name, spec) as player:
                for game in games:
                    try:
                        await player.start(game)
                    except PlayerError as error:
                        raise RunnerError(f"{name} cannot play {game.title}: {error}") from error

    async def close(self) -> None:
        """Let go of all players."""
        players = [player for seated in self._idle.values() for player in seated]
        self._idle.clear()
        await asyncio.gather(*(player.close() for player in players))

    @asynccontextmanager
    async def _seat(self, name: str, spec: str) -> AsyncIterator[Player]:
        """A player that nobody else uses meanwhile."""
        idle = self._idle.setdefault((name, spec), [])
        player = idle.pop() if idle else parse_player(spec, name)()
        try:
            yield player
        except BaseException:
            await player.close()
            raise
        idle.append(player)


class WorkerRunner(GameRunner):
    """The workers: each game is a job, played again from where it began if its worker dies."""

    def __init__(self, workers: Workers) -> None:
        """Let these workers play."""
        self._workers = workers

    async def play(self, job: GameJob, on_move: MoveListener, on_end: EndListener) -> GameRecord:
        """Play a game to its end; its moves are told only in the record."""
        return await on_end(await self._workers.run(_play, job))


def _play(job: GameJob) -> GameRecord:
    """A worker's job."""
    return asyncio.run(_play_alone(job))


async def _play_alone(job: GameJob) -> GameRecord:
    runner = LocalRunner()

    async def on_move(line: Line, elapsed: int) -> None:
        """Nobody listens."""

    async def on_end(record: GameRecord) -> GameRecord:
        return record

    try:
        return await runner.play(job, on_move, on_end)
    finally:
        await runner.close()

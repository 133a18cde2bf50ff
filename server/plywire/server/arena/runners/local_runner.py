"""Plays the games of a tournament in this process."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager

from plywire.clients.connecting.players.specs import parse_player
from plywire.clients.play.errors import PlayerError, PlayerUnfitError
from plywire.clients.play.judging.oracle import Oracle
from plywire.clients.play.matches.clock import RefereeClock, RunningClock
from plywire.clients.play.matches.records import GameRecord
from plywire.clients.play.matches.referee import MoveListener, Referee
from plywire.clients.play.players.base import Player
from plywire.engine.game import Game

from .game_runner import EndListener, GameJob, GameRunner, RunnerError


class LocalRunner(GameRunner):
    """Plays games in this process; the engine runs in threads, other programs as processes."""

    def __init__(self, clock: RefereeClock | None = None) -> None:
        self._clock = RunningClock() if clock is None else clock
        self._idle: dict[tuple[str, str], list[Player]] = {}
        self._oracles: list[Oracle] = []

    async def play(self, job: GameJob, on_move: MoveListener, on_end: EndListener) -> GameRecord:
        return await on_end(await self.conduct(job, on_move))

    async def conduct(self, job: GameJob, on_move: MoveListener | None = None) -> GameRecord:
        first, second = zip(job.scheduled.players, job.specs, strict=True)
        async with self.borrow(*first) as one, self.borrow(*second) as two:
            return await self.referee(job, (one, two), on_move)

    async def referee(
        self, job: GameJob, players: tuple[Player, Player], on_move: MoveListener | None
    ) -> GameRecord:
        oracle = None
        if job.adjudicate is not None:
            oracle = self._oracles.pop() if self._oracles else Oracle(nodes=job.adjudicate)
        opening, line = job.lines
        moves = line.moves[len(opening.moves) :]
        times = [elapsed for _, elapsed in job.played]
        referee = Referee(
            opening.start.game,
            job.control,
            adjudicate=None if oracle is None else oracle.adjudicate,
            early_end=job.early_end,
            clock=self._clock,
        )
        record = await referee.play(
            players,
            opening,
            job.scheduled.number,
            played=list(zip(moves, times, strict=True)),
            on_move=on_move,
        )
        if oracle is not None:
            self._oracles.append(oracle)
        return record

    async def check(self, players: Mapping[str, str], games: list[Game]) -> None:
        for name, spec in players.items():
            async with self.borrow(name, spec) as player:
                for game in games:
                    try:
                        await player.start(game)
                    except PlayerUnfitError as error:
                        raise RunnerError(f"{name} {error}") from error
                    except PlayerError as error:
                        raise RunnerError(f"{name} cannot play {game.title}: {error}") from error

    async def close(self) -> None:
        players = [player for idle in self._idle.values() for player in idle]
        self._idle.clear()
        await asyncio.gather(*(player.close() for player in players))

    @asynccontextmanager
    async def borrow(self, name: str, spec: str) -> AsyncIterator[Player]:
        """Lend a player that nobody else uses until the end of the block."""
        idle = self._idle.setdefault((name, spec), [])
        player = idle.pop() if idle else parse_player(spec, name)()
        try:
            yield player
        except BaseException:
            await player.close()
            raise
        idle.append(player)

"""Plays the games of a tournament by workers in other processes."""

import asyncio
import time
from collections import deque
from collections.abc import Sequence

from plywire.clients.play.matches.records import GameRecord
from plywire.clients.play.matches.referee import MoveListener
from plywire.server.arena.job_workers import Workers
from plywire.server.arena.tournament.scheduled_game import ScheduledGame

from .game_runner import EndListener, GameJob, GameRunner
from .local_runner import LocalRunner

#: Seconds that a job should take. Sending a job to a worker takes much less time.
_JOB_SECONDS = 0.5
#: Maximum number of games in a job.
_MOST = 128


class WorkerRunner(GameRunner):
    """Plays batches of games in workers; if a worker dies, its batch is replayed."""

    ahead = 2 * _MOST

    def __init__(self, workers: Workers, concurrency: int = 1) -> None:
        self._workers = workers
        self._concurrency = concurrency
        self._batch = 1
        self._seconds: float | None = None  # Mean time of a game in the latest jobs.
        self._named = 0  # Number of games between `next` and `play`.
        self._playing = 0
        self._has_room = asyncio.Event()
        self._waiting: deque[tuple[GameJob, asyncio.Future[GameRecord]]] = deque()
        self._jobs: set[asyncio.Task[None]] = set()

    async def next(self, games: Sequence[ScheduledGame]) -> ScheduledGame:
        while self._named + self._playing >= self._room:
            self._has_room.clear()
            await self._has_room.wait()
        self._named += 1
        return games[0]

    @property
    def _room(self) -> int:
        return self._concurrency * (1 if self._batch == 1 else 2 * self._batch)

    async def play(self, job: GameJob, on_move: MoveListener, on_end: EndListener) -> GameRecord:
        """Play a game to its end; never calls `on_move`, because the record has the moves."""
        self._named = max(self._named - 1, 0)
        self._playing += 1
        answer: asyncio.Future[GameRecord] = asyncio.get_running_loop().create_future()
        self._waiting.append((job, answer))
        self._hand_out()
        try:
            record = await answer
        finally:
            self._playing -= 1
            self._has_room.set()
        return await on_end(record)

    def release(self) -> None:
        self._named = 0
        self._has_room.set()

    async def close(self) -> None:
        self._waiting.clear()
        for task in self._jobs:
            task.cancel()
        await asyncio.gather(*self._jobs, return_exceptions=True)

    def _hand_out(self) -> None:
        while self._waiting and (free := self._concurrency - len(self._jobs)) > 0:
            size = min(self._batch, -(-len(self._waiting) // free))
            batch = [self._waiting.popleft() for _ in range(size)]
            task = asyncio.create_task(self._do(batch))
            self._jobs.add(task)
            task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        self._jobs.remove(task)
        self._hand_out()

    async def _do(self, batch: list[tuple[GameJob, asyncio.Future[GameRecord]]]) -> None:
        games = [(job, answer) for job, answer in batch if not answer.done()]
        if not games:
            return
        try:
            records, seconds = await self._workers.run(_play, [job for job, _ in games])
        except Exception as error:
            for _, answer in games:
                if not answer.done():
                    answer.set_exception(error)
            return
        for (_, answer), record in zip(games, records, strict=True):
            if not answer.done():
                answer.set_result(record)
        self._learn(seconds / len(games))

    def _learn(self, seconds: float) -> None:
        """Update the mean time of a game; a worker's first game takes longer than others."""
        self._seconds = seconds if self._seconds is None else (self._seconds + seconds) / 2
        self._batch = max(1, min(_MOST, int(_JOB_SECONDS / self._seconds)))


def _play(jobs: list[GameJob]) -> tuple[list[GameRecord], float]:
    """Play games in a worker; return the records and the time in seconds."""
    began = time.monotonic()
    records = asyncio.run(_play_all(jobs))
    return records, time.monotonic() - began


async def _play_all(jobs: list[GameJob]) -> list[GameRecord]:
    runner = LocalRunner()
    try:
        return [await runner.conduct(job) for job in jobs]
    finally:
        await runner.close()

"""Plays the games of a tournament in other processes, by their workers."""

from __future__ import annotations

import asyncio

from plywire.clients.matches.records import GameRecord
from plywire.clients.matches.referee import MoveListener
from plywire.clients.players.base import GameLine
from plywire.server.arena.job_workers import Workers

from .game_runner import EndListener, GameJob, GameRunner
from .local_runner import LocalRunner


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

    async def on_move(line: GameLine, elapsed: int) -> None:
        """Nobody listens."""

    async def on_end(record: GameRecord) -> GameRecord:
        return record

    try:
        return await runner.play(job, on_move, on_end)
    finally:
        await runner.close()

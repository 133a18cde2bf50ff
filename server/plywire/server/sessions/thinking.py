"""The searches and reviews of a session: one at a time, with an engine that remembers the last."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from contextlib import suppress
from functools import partial

from plywire.clients.play import translate
from plywire.clients.play.judging.game_judge import GameJudge
from plywire.engine.analysis import Analysis, AnalysisLine
from plywire.engine.game import Game, Position
from plywire.engine.limits import SearchLimits
from plywire.engine.registry import backend_of
from plywire.protocol.messages import play
from plywire.protocol.messages.base import Event
from plywire.server.errors import RefusedError, error_answer
from plywire.server.searching.scheduled_search import ScheduledSearch
from plywire.server.searching.search_pool import SearchPool

from .options import EngineOptions
from .preparations import Preparations

#: The source of what levels leave to chance.
_chance = random.Random()

Reply = Callable[[Event], None]
"""Sends an event that answers one command."""


class Thinking:
    """The search or the review that is running, if there is one."""

    def __init__(
        self,
        pool: SearchPool,
        preparations: Preparations,
        options: EngineOptions,
        *,
        longest: float,
    ) -> None:
        """Search by the threads of a pool; a review takes `longest` seconds at most."""
        self._pool = pool
        self._preparations = preparations
        self._options = options
        self._longest = longest
        self.engine = options.engine()
        self._search: ScheduledSearch | None = None
        self._running: asyncio.Task[None] | None = None
        self._stopped: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    @property
    def is_running(self) -> bool:
        """Whether a search or a review is running."""
        return self._running is not None

    def forget(self) -> None:
        """Use a new engine from now on, with the options as they are."""
        self.engine = self._options.engine()

    def go(self, command: play.Go, position: Position, reply: Reply) -> None:
        """Begin a search, whose best move is the last reply."""
        limits, search = command.limits, None
        has_time = limits.movetime is not None or limits.clock is not None
        if has_time or self._preparations.is_ready(position.game):
            search = self._submit(command, position, reply)
        self._begin(partial(self._go, command, position, reply, search), reply)

    def review(self, judging: GameJudge, game: Game, nodes: int, reply: Reply) -> None:
        """Begin a review, with a search of so many nodes for each position."""
        self._begin(partial(self._review, judging, game, nodes, reply), reply)

    def stop(self) -> None:
        """Have the running search or review answered at once."""
        if not self._stopped.done():
            self._stopped.set_result(None)
        if self._search is not None:
            self._pool.stop(self._search)

    async def ended(self) -> None:
        """Wait until the running search or review, if there is one, has ended by itself."""
        if self._running is not None:
            await asyncio.wait([self._running])

    def _begin(self, work: Callable[[], Awaitable[Event]], reply: Reply) -> None:
        self._stopped = asyncio.get_running_loop().create_future()
        self._running = asyncio.create_task(self._answer(work, reply))

    async def _answer(self, work: Callable[[], Awaitable[Event]], reply: Reply) -> None:
        """Reply with the outcome of a search or a review."""
        event: Event
        try:
            event = await work()
        except Exception as error:
            event = error_answer(error)
        self._running = None
        reply(event)

    async def _go(
        self, command: play.Go, position: Position, reply: Reply, search: ScheduledSearch | None
    ) -> Event:
        """The best move of a search; if none has begun, begin one when the engine is ready."""
        if search is None:
            # If the game cannot be prepared, the search is plain, and its answer says so.
            with suppress(RefusedError):
                await self._preparations.wait(position.game, self._stopped)
            search = self._submit(command, position, reply)
            if self._stopped.done():
                self._pool.stop(search)
        found = await self._found(search)
        best, level = found.best, command.level
        if level is not None:
            best = backend_of(position.game).levels.pick(level, found, _chance)
        return translate.best_move(best, position.game, found.by)

    def _submit(self, command: play.Go, position: Position, reply: Reply) -> ScheduledSearch:
        limits, lines = translate.limits(command.limits), command.multipv
        if command.level is not None:
            levels = backend_of(position.game).levels
            limits, lines = levels.search(command.level, position, limits)

        def on_info(line: AnalysisLine) -> None:
            reply(translate.info(line, position.game))

        return self._search_for(position, limits, on_info, lines)

    def _search_for(
        self,
        position: Position,
        limits: SearchLimits,
        on_info: Callable[[AnalysisLine], None],
        lines: int = 1,
    ) -> ScheduledSearch:
        self._search = self._pool.submit(
            self.engine, position, limits, on_info, multipv=lines, by=self._preparations
        )
        return self._search

    async def _found(self, search: ScheduledSearch) -> Analysis:
        """The result of a search; raises SearchFailedError."""
        try:
            return await search.answer
        finally:
            self._search = None
            if search.has_thread:  # it still uses the engine, so the next one gets another
                self.forget()

    async def _review(self, judging: GameJudge, game: Game, nodes: int, reply: Reply) -> Event:
        """Judge moves until all are judged, or until the review is stopped or out of time."""
        await self._preparations.wait(game, self._stopped)
        # The time of a review begins when there is an engine to review.
        timer = asyncio.get_running_loop().call_later(self._longest, self.stop)
        try:
            for position in judging:
                if self._stopped.done():
                    break
                limits = SearchLimits(nodes=nodes)
                found = await self._found(self._search_for(position, limits, lambda line: None))
                if self._stopped.done():
                    break
                if (judged := judging.add(found)) is not None:
                    reply(judged)
        finally:
            timer.cancel()
        return judging.outcome

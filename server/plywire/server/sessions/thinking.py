"""The searches and reviews of a session: one at a time, with an engine that keeps its table."""

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

from .client_preparations import ClientPreparations
from .options import EngineOptions

_chance = random.Random()

Reply = Callable[[Event], None]
"""A function that sends an event as an answer to one command."""


class Thinking:
    """The running search or review of a session, if there is one."""

    def __init__(
        self,
        pool: SearchPool,
        preparations: ClientPreparations,
        options: EngineOptions,
        *,
        longest: float,
    ) -> None:
        """Search with the threads of `pool`; limit each review to `longest` seconds."""
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
        return self._running is not None

    def forget(self) -> None:
        """Replace the engine by a new one with the current options."""
        self.engine = self._options.engine()

    def go(self, command: play.Go, position: Position, reply: Reply) -> None:
        """Begin a search; the last reply is its best move."""
        limits, search = command.limits, None
        has_time = limits.movetime is not None or limits.clock is not None
        if has_time or self._preparations.is_ready(position.game):
            search = self._submit(command, position, reply)
        self._begin(partial(self._go, command, position, reply, search), reply)

    def review(self, judging: GameJudge, game: Game, nodes: int, reply: Reply) -> None:
        """Begin a review, with a search of `nodes` nodes for each position."""
        self._begin(partial(self._review, judging, game, nodes, reply), reply)

    def stop(self) -> None:
        if not self._stopped.done():
            self._stopped.set_result(None)
        if self._search is not None:
            self._pool.stop(self._search)

    async def ended(self) -> None:
        """Wait until the running search or review ends, if there is one."""
        if self._running is not None:
            await asyncio.wait([self._running])

    def _begin(self, work: Callable[[], Awaitable[Event]], reply: Reply) -> None:
        self._stopped = asyncio.get_running_loop().create_future()
        self._running = asyncio.create_task(self._answer(work, reply))

    async def _answer(self, work: Callable[[], Awaitable[Event]], reply: Reply) -> None:
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
        """Return the best move of `search`; if None, begin a search when the engine is ready."""
        if search is None:
            # If the game cannot be prepared, go on: the search is then a plain one, and its answer
            # says so.
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
        """Return the result of a search; raises SearchFailedError."""
        try:
            return await search.answer
        finally:
            self._search = None
            if search.has_thread:  # it still uses the engine, so the next search needs another
                self.forget()

    async def _review(self, judging: GameJudge, game: Game, nodes: int, reply: Reply) -> Event:
        """Judge the moves, until the review is stopped or its time is up."""
        await self._preparations.wait(game, self._stopped)
        # The time limit of a review begins here, when the engine is ready.
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

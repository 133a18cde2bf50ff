"""One search of one client, from its request to its answer.

A search that shares its threads with others is a sequence of slices. Each slice begins at depth 1,
but with the table that the slice before filled. Nodes and time add up, and only lines that are
deeper than those before are reported.

A search is plain until the engine is ready for its game: it runs in plain Python.

A search moves from phase to phase by its own methods. The pool gives it threads and says when its
time is up:

    FRESH, PAUSED        begin_slice        RUNNING, or AWAY at a worker of the cluster
    RUNNING              end_slice          PAUSED if it gave way, FRESH if the engine goes on,
                                            COLD if it waits for the engine, else DONE
    AWAY                 end_slice          DONE
    AWAY                 lose_slice         FRESH, or DONE if it must be answered
    FRESH, PAUSED, COLD  go_native          FRESH
    COLD                 go_without_engine  DONE
    any                  finish, fail       DONE
"""

from __future__ import annotations

import asyncio
import enum
import logging
import math
from collections.abc import Callable
from dataclasses import replace

from plywire.engine.analysis import Analysis, AnalysisLine
from plywire.engine.engine import LocalEngine
from plywire.engine.game import Position
from plywire.engine.limits import SearchLimits
from plywire.engine.registry import backend_of
from plywire.engine.search.time_management import UNLIMITED, Budget, time_budget
from plywire.server.errors import SearchFailedError

from .fallback_move import fallback_move
from .slices import Findings, Slice

log = logging.getLogger(__name__)

#: Minimum time of a search, in ms. It is enough for a first iteration.
_SHORTEST = 2.0
#: Part of a move's time that is reserved for the delivery of the answer, in ms.
_OVERHEAD = 5.0
#: Maximum share of a move's time that is reserved. Times on a clock need no reserve here, because
#: their budgets include one.
_LARGEST_OVERHEAD = 0.1


class Phase(enum.Enum):
    """The phases of a search."""

    COLD = "cold"
    """A plain search has ended, and waits for the engine."""
    FRESH = "fresh"
    """The search waits for its first thread."""
    PAUSED = "paused"
    """The search has given way to others, and waits for a thread."""
    RUNNING = "running"
    AWAY = "away"
    """A worker of the cluster has the search."""
    DONE = "done"


class ScheduledSearch:
    """A request, the time when it must be answered, and the best answer so far."""

    def __init__(
        self,
        engine: LocalEngine,
        position: Position,
        limits: SearchLimits,
        multipv: int,
        on_info: Callable[[AnalysisLine], None],
        *,
        longest: float,
        is_plain: bool = False,
    ) -> None:
        """Start a search of at most `longest` seconds, in plain Python first if `is_plain`."""
        self._loop = asyncio.get_running_loop()
        self.engine = engine
        self.position = position
        self.limits = limits
        self.multipv = multipv
        self.answer: asyncio.Future[Analysis] = self._loop.create_future()
        """The result, with a move unless the game is over; it is never cancelled. If the engine
        failed, it is a SearchFailedError, because any move would hide the failure."""
        self.phase = Phase.FRESH
        self.is_plain = is_plain
        self.is_stopped = False
        self.was_lost = False
        self.slice: Slice | None = None
        """The slice that uses the engine. It may run on after the answer until it sees the stop."""
        self._on_info = on_info
        self._asked = self._loop.time()
        self._budget = _budget(position, limits, longest * 1000)
        self.deadline = self._asked + self._budget.hard / 1000
        """The time of the answer, by the event loop's clock."""
        self.turn = (False, self.deadline)
        """The sort key of waiting searches. Fresh searches come first, by deadline. Paused searches
        follow, by the time of their pause."""
        self._awaits_engine = is_plain
        self._engine_is_ready = not is_plain
        self._first_slice: float | None = None
        self._findings = Findings("plain" if is_plain else "engine")
        self._plain_findings = Findings("plain")
        """The results of plain search before the engine took over."""

    @property
    def is_waiting(self) -> bool:
        return self.phase in (Phase.FRESH, Phase.PAUSED)

    @property
    def has_thread(self) -> bool:
        return self.slice is not None

    @property
    def remaining(self) -> float:
        return self.deadline - self._loop.time()

    @property
    def thinking_time(self) -> float:
        """Seconds that the search would take from now on; 0 if only nodes or depth are limited."""
        if not (self.limits.is_timed or self.limits.infinite):
            return 0.0
        return min(self.remaining, (self._budget.soft - self._findings.thought) / 1000)

    def begin_slice(self, length: float = math.inf, *, is_away: bool = False) -> Slice:
        """Begin a slice, which gives way to others after `length` seconds if time is left.

        Waiting shortens only the limit `hard` of the search's budget. The limit `soft` counts only
        the time of thinking, but is never later than `hard`.
        """
        now = self._loop.time()
        if self._first_slice is None:
            self._first_slice = now
        found, limits = self._findings, self.limits
        if limits.nodes is not None:
            limits = replace(limits, nodes=max(limits.nodes - found.nodes, 1))
        hard = min(self._budget.hard, self.remaining * 1000)
        soft = min(self._budget.soft - found.thought, hard)
        self.phase = Phase.AWAY if is_away else Phase.RUNNING
        self.slice = Slice(
            limits,
            Budget(soft, min(hard, length * 1000)),
            began=now,
            end=now + length,
            is_cut=length * 1000 < hard,
            nodes_before=found.nodes,
            time_before=int((now - self._first_slice) * 1000),
        )
        return self.slice

    def report(self, part: Slice, line: AnalysisLine) -> None:
        """Report a line of a slice with totals of the search, unless an earlier line was deeper."""
        if part is not self.slice or self.phase is Phase.DONE:
            return
        if part.nodes_before or part.time_before:
            nodes, time = line.nodes + part.nodes_before, line.time + part.time_before
            line = replace(line, nodes=nodes, time=time)
        if self._findings.add_line(line) and line.reach >= self._plain_findings.reach:
            self._on_info(line)

    def give_way(self) -> None:
        """Stop the running slice, so that the search waits for its next turn."""
        if self.slice is not None and not self.is_stopped:
            self.slice.gives_way = True
            self.slice.stop.set()

    def end_slice(self, part: Slice, analysis: Analysis) -> None:
        """Add the results of the slice, and go to the next phase."""
        for line in analysis.lines:
            self.report(part, line)
        self.slice = None
        self._findings.add(analysis)
        is_spent = self.limits.nodes is not None and self._findings.nodes >= self.limits.nodes
        if self.phase is Phase.AWAY or self.is_stopped or self.remaining <= 0:
            self.finish()
        elif (
            self.is_plain and self._engine_is_ready and (part.gives_way or not self.limits.is_timed)
        ):
            self._begin_native()
        elif part.gives_way and not is_spent:
            self.phase = Phase.PAUSED
            self.turn = (True, self._loop.time())
        elif self._awaits_engine and not self.limits.is_timed:
            self.phase = Phase.COLD
        else:
            self.finish()

    def lose_slice(self) -> None:
        """Wait for a thread on this machine after a lost slice, or answer if it is stopped."""
        self.slice = None
        self.was_lost = True
        if self.is_stopped:
            self.finish()
        else:
            self.phase = Phase.FRESH

    def go_native(self) -> None:
        """Continue with the engine, which is ready now.

        If the engine finds nothing, the results of the plain search count.
        """
        self._awaits_engine, self._engine_is_ready = False, True
        if self.phase is Phase.RUNNING:
            self.give_way()
        elif self.phase is not Phase.DONE:
            self._begin_native()

    def go_without_engine(self) -> None:
        """Stop waiting for the engine, because the game cannot be prepared."""
        self._awaits_engine = False
        if self.phase is Phase.COLD:
            self.finish()

    def finish(self) -> None:
        """Answer with the best known move, or a fallback move if nothing was searched in time."""
        if self.phase is Phase.DONE:
            return
        if self.slice is not None:
            for line in tuple(self.slice.noted):
                self.report(self.slice, line)
        self.phase = Phase.DONE
        found = self._findings.best
        if found is None or not found.lines:
            found = self._plain_findings.best or found
        if found is None:
            log.warning("move without a search: no thread in time fen=%r", self.position.fen())
            best = fallback_move(self.position)
            found = Analysis(best, (), self._findings.nodes, time=0, by="none")
        elapsed = int((self._loop.time() - self._asked) * 1000)
        self.answer.set_result(replace(found, time=elapsed))

    def fail(self) -> None:
        """Answer with an error: moves found before a failure may be too weak to play."""
        self.slice = None
        if self.phase is not Phase.DONE:
            self.phase = Phase.DONE
            self.answer.set_exception(
                SearchFailedError("the search failed; the log of the server says why")
            )

    def _begin_native(self) -> None:
        """Start again with the engine, with the whole thinking time."""
        self.is_plain = False
        self._plain_findings, self._findings = self._findings, Findings("engine")
        self.phase = Phase.FRESH
        self.turn = (False, self.deadline)


def _budget(position: Position, limits: SearchLimits, longest: float) -> Budget:
    """Return the time from the request to the answer; `longest` is in ms."""
    budget = UNLIMITED
    if limits.clock is not None:
        clock = SearchLimits(clock=limits.clock)
        budget = time_budget(clock, position, backend_of(position.game).plies_without_thinking)
        budget = replace(budget, hard=max(budget.hard, _SHORTEST))
    if limits.movetime is not None:
        overhead = min(_OVERHEAD, limits.movetime * _LARGEST_OVERHEAD)
        budget = budget.within(max(limits.movetime - overhead, _SHORTEST))
    return budget.within(longest)

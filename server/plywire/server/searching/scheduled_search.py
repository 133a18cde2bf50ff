"""One search of one peer, from the moment it is asked for until it is answered."""

from __future__ import annotations

import asyncio
import enum
import logging
import math
from collections.abc import Callable
from dataclasses import replace

from plywire.engine.analysis import Analysis, AnalysisLine, SearchedBy
from plywire.engine.engine import Engine, Stop
from plywire.engine.game import Position
from plywire.engine.limits import SearchLimits
from plywire.engine.registry import backend_of
from plywire.engine.search.time_management import UNLIMITED, Budget, time_budget
from plywire.server.errors import SearchFailedError

from .fallback_move import fallback_move

log = logging.getLogger(__name__)

#: The least time a search is given, in ms: enough for a first iteration.
_SHORTEST = 2.0
#: Kept of a move's time for the way of the answer through threads and processes, in ms...
_OVERHEAD = 5.0
#: ...but no more than this part of it. Clocks are not shortened: their budgets allow for it.
_LARGEST_OVERHEAD = 0.1


class Phase(enum.Enum):
    """Where a search stands."""

    COLD = "cold"
    """Waits for the engine, after a plain search that came to its end."""
    FRESH = "fresh"
    """Waits for a thread for the first time."""
    PAUSED = "paused"
    """Waits for a thread again, after it gave way to others."""
    RUNNING = "running"
    """Has a thread."""
    DONE = "done"
    """Is answered."""


class ScheduledSearch:
    """What was asked, when it must be answered, and the best answer so far.

    A search that gives way to others is a sequence of slices. Each slice starts over from depth 1,
    but on the table that the last one filled; nodes and time add up, and only what is deeper than
    before is reported.
    """

    def __init__(
        self,
        engine: Engine,
        position: Position,
        limits: SearchLimits,
        multipv: int,
        on_info: Callable[[AnalysisLine], None],
        *,
        longest: float,
    ) -> None:
        """Take note of the time: it counts from now. `longest` is a limit in seconds."""
        self._loop = asyncio.get_running_loop()
        self.engine = engine
        self.position = position
        self.limits = limits
        self.multipv = multipv
        self.answer: asyncio.Future[Analysis] = self._loop.create_future()
        """Always a move, unless the game is over; never cancelled.

        A SearchFailedError if the engine failed: a move without a search would hide that it does.
        """
        self.phase = Phase.FRESH
        self.stop = Stop()
        """Ends the running slice."""
        self.slice_began = 0.0
        self.slice_end = math.inf
        """When the running slice gives way by itself, by the event loop's clock."""
        self.gives_way = False
        """Whether the running slice is being ended only to let others have a turn."""
        self.is_stopped = False
        """Whether the answer is wanted at once."""
        self.has_thread = False
        """Whether the engine is in use; also true of one that did not come back in time."""
        self.was_lost = False
        """Whether a cluster had it and did not bring it back."""
        self.is_plain = False
        """Whether plain search stands in for the engine."""
        self.awaits_engine = False
        """Whether the engine may still become ready for its game."""
        self._on_info = on_info
        self._asked = self._loop.time()
        self._budget = _budget(position, limits, longest * 1000)
        self._deadline = self._asked + self._budget.hard / 1000
        self._first_slice: float | None = None
        self._reported = (0, 0)
        self._stand_in: Analysis | None = None
        self._reported_plain = (0, 0)
        self._nodes = 0
        self._nodes_before = 0
        self._thought = 0
        self._analysis: Analysis | None = None
        self._lines: dict[int, AnalysisLine] = {}
        self._noted: list[AnalysisLine] = []
        self._is_cut = False

    @property
    def deadline(self) -> float:
        """When it must be answered, by the event loop's clock."""
        return self._deadline

    @property
    def remaining(self) -> float:
        """Seconds until it must be answered."""
        return self._deadline - self._loop.time()

    @property
    def thinking_time(self) -> float:
        """Seconds that it would search from now on, 0 where only nodes or depth were asked for."""
        if not (self.limits.is_timed or self.limits.infinite):
            return 0.0
        return min(self.remaining, (self._budget.soft - self._thought) / 1000)

    def begin_slice(self, length: float = math.inf) -> tuple[SearchLimits, Budget]:
        """Start the clock of a slice, and say how far it may go and how long.

        After that `length`, in seconds, it gives way to others if the search has time left.
        Waiting shortens the budget's `hard` alone: it is no reason to think less while there is
        time, and a search that has waited for longer than its `soft` has not thought at all yet.
        """
        now = self._loop.time()
        self.phase = Phase.RUNNING
        self.stop = Stop()
        self.gives_way = False
        self.slice_began = now
        self._nodes_before = self._nodes
        if self._first_slice is None:
            self._first_slice = now
        self.has_thread = True
        nodes = self.limits.nodes and max(self.limits.nodes - self._nodes, 1)
        hard = min(self._budget.hard, self.remaining * 1000)
        soft = min(self._budget.soft - self._thought, hard)
        self._is_cut = length * 1000 < hard
        self.slice_end = now + length
        limits = replace(self.limits, nodes=nodes) if nodes else self.limits
        return limits, Budget(soft, min(hard, length * 1000))

    def note(self, info: AnalysisLine) -> None:
        """Keep a line of the running slice, should that not come back; callable from any thread."""
        self._noted.append(info)

    def report(self, info: AnalysisLine) -> None:
        """Pass on a line, as part of the whole search, if no earlier slice reached as far."""
        if self.phase is Phase.DONE or info.reach < self._reported:
            return
        if info.reach == self._reported and info.multipv in self._lines:
            return
        if info.reach > self._reported:
            self._reported = info.reach
            self._lines = {}
        first = self.slice_began if self._first_slice is None else self._first_slice
        offset = int((self.slice_began - first) * 1000)
        whole = info
        if offset or self._nodes_before:
            whole = replace(info, nodes=info.nodes + self._nodes_before, time=info.time + offset)
        self._lines[info.multipv] = whole
        if info.reach >= self._reported_plain:
            self._on_info(whole)

    def leave_thread(self) -> None:
        """Tell, in the thread that searched, whether the slice was over before the search was.

        Later the time of the slice is up in any case.
        """
        self.gives_way |= self._is_cut and self.stop.is_set

    def end_slice(self, analysis: Analysis) -> None:
        """Take in what a slice found, and pass on its lines."""
        self._noted.clear()
        for line in analysis.lines:
            self.report(line)
        self._nodes += analysis.nodes
        self._thought += analysis.time
        if self._analysis is None or analysis.reach >= self._analysis.reach:
            self._analysis = analysis

    @property
    def may_go_on(self) -> bool:
        """Whether another slice is wanted, after one that gave way."""
        is_spent = self.limits.nodes is not None and self._nodes >= self.limits.nodes
        return self.gives_way and not self.is_stopped and not is_spent and self.remaining > 0

    @property
    def may_go_native(self) -> bool:
        """Whether the engine, which has become ready, is to go on after a plain slice."""
        is_unsettled = self.gives_way or not self.limits.is_timed
        return is_unsettled and not self.is_stopped and self.remaining > 0

    @property
    def may_wait(self) -> bool:
        """Whether the engine's answer is worth waiting for, once plain search has ended."""
        return not (self.limits.is_timed or self.is_stopped) and self.remaining > 0

    def go_native(self) -> None:
        """Begin over with the engine; what the plain search found counts if that finds nothing.

        Plain slices are no reason to think less, only to be done sooner.
        """
        self._stand_in, self._reported_plain = self._found(), self._reported
        self.is_plain = self.gives_way = False
        self._analysis, self._lines, self._reported = None, {}, (0, 0)
        self._nodes = self._nodes_before = self._thought = 0

    def _found(self) -> Analysis | None:
        """The best answer known: of a slice, or of a line reported."""
        lines = tuple(self._lines[number] for number in sorted(self._lines))
        elapsed = int((self._loop.time() - self._asked) * 1000)
        analysis = self._analysis
        by: SearchedBy = "plain" if self.is_plain else "engine"
        if analysis is not None and analysis.reach >= self._reported:
            return Analysis(analysis.best, lines, self._nodes, elapsed, analysis.by)
        if lines and lines[0].pv:
            return Analysis(lines[0].pv[0], lines, self._nodes, elapsed, by)
        return None

    def finish(self) -> None:
        """Answer with the best move known, or with a quick one if nothing was searched in time."""
        if self.phase is Phase.DONE:
            return
        for info in tuple(self._noted):
            self.report(info)
        self.phase = Phase.DONE
        found = self._found()
        if (found is None or not found.lines) and self._stand_in is not None:
            found = self._stand_in
        elapsed = int((self._loop.time() - self._asked) * 1000)
        if found is None:
            log.warning("move without a search: no thread in time fen=%r", self.position.fen())
            best = fallback_move(self.position)
            found = Analysis(best, (), self._nodes, elapsed, by="none")
        self.answer.set_result(replace(found, time=elapsed))

    def fail(self) -> None:
        """Answer that there is no search; whatever was found until then may be too weak to play."""
        if self.phase is not Phase.DONE:
            self.phase = Phase.DONE
            self.answer.set_exception(
                SearchFailedError("the search failed; the log of the server says why")
            )


def _budget(position: Position, limits: SearchLimits, longest: float) -> Budget:
    """The time from the question to the answer; `longest` is in ms."""
    budget = UNLIMITED
    if limits.clock is not None:
        clock = SearchLimits(clock=limits.clock)
        budget = time_budget(clock, position, backend_of(position.game).plies_without_thinking)
        budget = replace(budget, hard=max(budget.hard, _SHORTEST))
    if limits.movetime is not None:
        overhead = min(_OVERHEAD, limits.movetime * _LARGEST_OVERHEAD)
        budget = budget.within(max(limits.movetime - overhead, _SHORTEST))
    return budget.within(longest)

"""One search of one peer, from the moment it is asked for until it is answered."""

from __future__ import annotations

import asyncio
import enum
from collections.abc import Callable
from dataclasses import replace

from plywire.engine.analysis import Analysis, Info
from plywire.engine.engine import Engine, Stop
from plywire.engine.game import Position
from plywire.engine.limits import Clock, Limits
from plywire.engine.registry import backend_of
from plywire.engine.search.time_management import time_budget
from plywire.server.errors import SearchFailedError

from .fallback_move import fallback_move

#: The least time a search is given, in seconds: enough for a first iteration.
_SHORTEST = 0.002
#: Kept of a move's time for the way of the answer through threads and processes, in seconds...
_OVERHEAD = 0.005
#: ...but no more than this part of it. Clocks are not shortened: their budgets allow for it.
_LARGEST_OVERHEAD = 0.1


class Phase(enum.Enum):
    """Where a search stands."""

    COLD = "cold"
    """Waits for the kernels of its game."""
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
        limits: Limits,
        multipv: int,
        on_info: Callable[[Info], None],
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
        self.gives_way = False
        """Whether the running slice is being ended only to let others have a turn."""
        self.is_stopped = False
        """Whether the answer is wanted at once."""
        self.has_thread = False
        """Whether the engine is in use; also true of one that did not come back in time."""
        self._on_info = on_info
        self._asked = self._loop.time()
        self._deadline = self._asked + min(_time(position, limits), longest)
        self._first_slice: float | None = None
        self._reported = (0, 0)
        self._nodes = 0
        self._nodes_before = 0
        self._analysis: Analysis | None = None
        self._lines: dict[int, Info] = {}

    @property
    def deadline(self) -> float:
        """When it must be answered, by the event loop's clock."""
        return self._deadline

    @property
    def remaining(self) -> float:
        """Seconds until it must be answered."""
        return self._deadline - self._loop.time()

    def begin_slice(self) -> Limits:
        """Start the clock of a slice and say how far it may go."""
        now = self._loop.time()
        self.phase = Phase.RUNNING
        self.stop = Stop()
        self.gives_way = False
        self.slice_began = now
        self._nodes_before = self._nodes
        is_first = self._first_slice is None
        if is_first:
            self._first_slice = now
        self.has_thread = True
        waited = int((now - self._asked) * 1000)
        limits = self.limits
        # A search without a time of its own is ended from outside: given one, the engine would
        # plan for it, and not think at all about an only move.
        is_timed = limits.movetime is not None or limits.clock is not None
        return replace(
            limits,
            movetime=max(int((self._deadline - now) * 1000), 0) if is_timed else None,
            nodes=limits.nodes and max(limits.nodes - self._nodes, 1),
            # Later slices live on what the first one's budget left.
            clock=limits.clock and (_less(limits.clock, waited) if is_first else None),
        )

    def report(self, info: Info) -> None:
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
        whole = replace(info, nodes=info.nodes + self._nodes_before, time=info.time + offset)
        self._lines[info.multipv] = whole
        self._on_info(whole)

    def end_slice(self, analysis: Analysis) -> None:
        """Take in what a slice found."""
        self._nodes += analysis.nodes
        if self._analysis is None or analysis.reach >= self._analysis.reach:
            self._analysis = analysis

    @property
    def may_go_on(self) -> bool:
        """Whether another slice is wanted, after one that gave way."""
        is_spent = self.limits.nodes is not None and self._nodes >= self.limits.nodes
        return self.gives_way and not self.is_stopped and not is_spent and self.remaining > 0

    def finish(self) -> None:
        """Answer with the best move known: of a slice, of a line reported, or a quick one."""
        if self.phase is Phase.DONE:
            return
        self.phase = Phase.DONE
        lines = tuple(self._lines[number] for number in sorted(self._lines))
        analysis = self._analysis
        if analysis is not None and analysis.reach >= self._reported:
            best = analysis.best
        elif lines and lines[0].pv:
            best = lines[0].pv[0]
        else:
            best = fallback_move(self.position)
        elapsed = int((self._loop.time() - self._asked) * 1000)
        self.answer.set_result(Analysis(best, lines, self._nodes, elapsed))

    def fail(self) -> None:
        """Answer that there is no search; whatever was found until then may be too weak to play."""
        if self.phase is not Phase.DONE:
            self.phase = Phase.DONE
            self.answer.set_exception(
                SearchFailedError("the search failed; the log of the server says why")
            )


def _time(position: Position, limits: Limits) -> float:
    """How long the limits let a search take, in seconds."""
    times = [float("inf")]
    if limits.movetime is not None:
        movetime = limits.movetime / 1000
        overhead = min(_OVERHEAD, movetime * _LARGEST_OVERHEAD)
        times.append(max(movetime - overhead, _SHORTEST))
    if limits.clock is not None:
        backend = backend_of(position.game)
        clock = Limits(clock=limits.clock)
        spend = time_budget(clock, position, backend.plies_without_thinking)
        times.append(max(spend.hard / 1000, _SHORTEST))
    return min(times)


def _less(clock: Clock, waited: int) -> Clock:
    """The clock after that many ms of waiting; whose time it was does not matter to the mover."""
    return replace(clock, p1=max(clock.p1 - waited, 0), p2=max(clock.p2 - waited, 0))

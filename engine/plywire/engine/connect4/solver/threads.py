"""Threads that solve one position together, on one table."""

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any

from plywire.engine.search.bounds import Bounds
from plywire.engine.search.stop import Stop

from .memory import Workspace

UNLIMITED = (1 << 62) - 1


class SolverThreads:
    """Threads for the workspaces; the thread that finishes first ends the search of the others.

    One thread works alone at first, because most positions are solved before helpers could start.
    """

    def __init__(
        self,
        solve: Callable[..., Any],
        workspaces: Sequence[Workspace],
        *,
        alone_nodes: int,
        on_joined: Callable[[], None],
    ) -> None:
        """`solve` is a kernel, called as solve(context, *words), which returns whether it is done.

        Helpers join in after `alone_nodes` nodes. When helpers have ended, `on_joined` is called.
        """
        self.nodes = 0
        """Nodes visited by all solves so far, by all threads."""
        self._solve = solve
        self._workspaces = workspaces
        self._alone_nodes = UNLIMITED if len(workspaces) == 1 else alone_nodes
        self._on_joined = on_joined
        self._never = Stop()

    @property
    def size(self) -> int:
        return len(self._workspaces)

    def solve(self, words: tuple[int, ...], nodes: int, stop: Stop | None) -> Bounds:
        """Return the proven bounds; the caller must run one solve at a time."""
        address = (stop or self._never).address
        main = self._workspaces[0]
        main.prepare(address, min(nodes, self._alone_nodes))
        done = self._solve(main.address, *words)
        self.nodes += main.nodes
        alone = Bounds(*main.bounds)
        if done or nodes <= self._alone_nodes or (stop is not None and stop.is_set):
            return alone
        return alone.and_(self._solve_together(words, nodes - main.nodes, address))

    def timed(self, words: tuple[int, ...]) -> tuple[Bounds, float]:
        """Solve in one thread; return the bounds and the seconds of CPU time."""
        main = self._workspaces[0]
        main.prepare(self._never.address, UNLIMITED)
        time.thread_time_ns()  # the first call after clearing a table is slow
        began = time.thread_time_ns()
        self._solve(main.address, *words)
        ended = time.thread_time_ns()
        self.nodes += main.nodes
        return Bounds(*main.bounds), (ended - began) / 1e9

    def clear(self) -> None:
        """Forget all results except the table."""
        for workspace in self._workspaces:
            workspace.clear()

    def _solve_together(self, words: tuple[int, ...], nodes: int, stop: int) -> Bounds:
        for workspace in self._workspaces:
            workspace.prepare(stop, nodes // len(self._workspaces))
        helpers = [
            threading.Thread(target=self._run, args=(workspace, words), name="plywire-solver")
            for workspace in self._workspaces[1:]
        ]
        for helper in helpers:
            helper.start()
        self._run(self._workspaces[0], words)
        for helper in helpers:
            helper.join()
        self._on_joined()
        self.nodes += sum(workspace.nodes for workspace in self._workspaces)
        lowers, uppers = zip(*(workspace.bounds for workspace in self._workspaces), strict=True)
        return Bounds(max(lowers), min(uppers))

    def _run(self, workspace: Workspace, words: tuple[int, ...]) -> None:
        if self._solve(workspace.address, *words):
            for other in self._workspaces:
                other.halt()

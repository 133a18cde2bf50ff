"""Threads that solve one position together, with a kernel and workspaces that the test scripts."""

import ctypes
import threading

import pytest

from plywire.engine.connect4.solver.threads import UNLIMITED, SolverThreads
from plywire.engine.search.bounds import Bounds
from plywire.engine.search.stop import Stop

#: Only a thread that is never halted takes as long as this, in seconds.
PATIENCE = 30
ALONE = 10


class Desk:
    """A workspace; its address is its number."""

    def __init__(self, number: int, bounds: tuple[int, int]) -> None:
        self.address = number
        self.bounds = bounds
        self.nodes = 0
        self.allowed: list[int] = []
        self.stop = 0
        self.halted = threading.Event()

    def prepare(self, stop: int, nodes: int) -> None:
        self.stop = stop
        self.allowed.append(nodes)
        self.nodes = 7
        self.halted.clear()

    def halt(self) -> None:
        self.halted.set()

    def clear(self) -> None:
        self.bounds = (-99, 99)


class Team:
    """Threads of which one thread is done at once when it is not alone; it halts the others."""

    def __init__(self, *bounds: tuple[int, int], winner: int, done_alone: bool = False) -> None:
        self.desks = [Desk(number, pair) for number, pair in enumerate(bounds)]
        self.joined = 0
        self._winner = winner
        self._done_alone = done_alone
        self.threads = SolverThreads(
            self._solve, self.desks, alone_nodes=ALONE, on_joined=self._join
        )

    def _join(self) -> None:
        self.joined += 1

    def _solve(self, context: int, *words: int) -> bool:
        desk = self.desks[context]
        assert words == (3, 4)
        if desk.allowed == [ALONE]:
            return self._done_alone
        if context == self._winner:
            return True
        assert desk.halted.wait(PATIENCE)
        return False


@pytest.mark.parametrize("winner", [0, 1, 2])
def test_what_each_thread_has_proven_counts_whoever_is_done_first(winner: int) -> None:
    team = Team((-5, 7), (2, 9), (-8, 3), winner=winner)
    assert team.threads.solve((3, 4), UNLIMITED, None) == Bounds(2, 3)
    assert team.joined == 1
    assert team.threads.nodes == 7 + 3 * 7


def test_the_first_works_alone_at_first() -> None:
    team = Team((1, 1), (-9, 9), winner=0, done_alone=True)
    assert team.threads.solve((3, 4), UNLIMITED, None) == Bounds(1, 1)
    assert team.joined == 0
    assert team.desks[1].allowed == []


def test_nodes_are_a_limit_for_all_together() -> None:
    team = Team((-5, 7), (2, 9), winner=1)
    team.threads.solve((3, 4), 107, None)
    assert [desk.allowed for desk in team.desks] == [[ALONE, 50], [50]]
    few = Team((-5, 7), (2, 9), winner=1)
    few.threads.solve((3, 4), ALONE, None)
    assert [desk.allowed for desk in few.desks] == [[ALONE], []]


def test_no_helper_joins_in_after_a_stop() -> None:
    team, stop = Team((-5, 7), (2, 9), winner=1), Stop()
    ctypes.c_uint64.from_address(stop.address).value = 1
    assert team.threads.solve((3, 4), UNLIMITED, stop) == Bounds(-5, 7)
    assert team.desks[0].stop == stop.address
    assert team.joined == 0

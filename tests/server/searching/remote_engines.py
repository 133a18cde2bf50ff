"""Engines that tell where they search; in a module that workers can import."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

from plywire.engine.analysis import Analysis, AnalysisLine, EngineScore
from plywire.engine.engine import Stop
from plywire.engine.game import Position
from plywire.engine.limits import SearchLimits
from plywire.engine.search.time_management import UNLIMITED, Budget


class Teller:
    """Tells of its process, as the nodes of its line; then searches until it is stopped.

    Then it leaves its mark in a file.
    """

    def __init__(self, mark: Path) -> None:
        self.threads = 1
        self._mark = mark
        self._home = os.getpid()

    @property
    def is_away(self) -> bool:
        return os.getpid() != self._home

    def analyse(
        self,
        position: Position,
        limits: SearchLimits,
        on_info: Callable[[AnalysisLine], None],
        *,
        multipv: int,
        stop: Stop,
        budget: Budget = UNLIMITED,
    ) -> Analysis:
        line = AnalysisLine(
            3, EngineScore("cp", 7), os.getpid(), 1, 0, 1, position.moves()[-1:], 100
        )
        if self.begin():
            on_info(line)
        stop.wait(budget.hard / 1000)
        self._mark.write_text("stopped" if stop.is_set else "over")
        return Analysis(line.pv[0], (line,), os.getpid(), 1)

    def begin(self) -> bool:
        """What comes first; tells whether there is a line to tell of."""
        return True


class Silent(Teller):
    """Tells of nothing, where it is away."""

    def begin(self) -> bool:
        return not self.is_away


class Dying(Teller):
    """Kills whatever process it is sent to."""

    def begin(self) -> bool:
        if self.is_away:
            os.kill(os.getpid(), signal.SIGKILL)
        return True


class Failing(Teller):
    """Fails where it is away."""

    def begin(self) -> bool:
        if self.is_away:
            raise MemoryError("no table")
        return True

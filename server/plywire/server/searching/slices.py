"""The slices of a search, each in a thread, and their total results."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from plywire.engine.analysis import Analysis, AnalysisLine, SearchedBy
from plywire.engine.engine import Stop
from plywire.engine.limits import SearchLimits
from plywire.engine.search.time_management import Budget


@dataclass(eq=False, slots=True)
class Slice:
    """A part of a search, which runs in a thread without a pause."""

    limits: SearchLimits
    budget: Budget
    began: float
    end: float
    """The time when the slice ends without `stop`. `began` and `end` are by the event loop's clock.
    """
    is_cut: bool
    """Whether `end` is before the end of the search's time."""
    nodes_before: int
    time_before: int
    """Time since the first slice began, in ms."""
    stop: Stop = field(default_factory=Stop)
    gives_way: bool = False
    noted: list[AnalysisLine] = field(default_factory=list)
    """Lines that are reported only if the slice does not end in time; any thread may add some."""

    def leave_thread(self) -> None:
        """Note whether `stop` has ended the slice.

        Call this in the search's thread: after the end of the slice, other threads may set `stop`.
        """
        self.gives_way |= self.is_cut and self.stop.is_set


class Findings:
    """The total results of several slices."""

    def __init__(self, by: SearchedBy) -> None:
        self.nodes = 0
        self.thought = 0
        self.reach = (0, 0)
        self._by = by
        self._lines: dict[int, AnalysisLine] = {}
        self._analysis: Analysis | None = None

    def add_line(self, line: AnalysisLine) -> bool:
        """Keep a line if it is new, and return whether it is.

        A line is new if it is deeper than all earlier lines. At the greatest depth so far, a line
        with another `multipv` is new, too.
        """
        if line.reach > self.reach:
            self.reach, self._lines = line.reach, {}
        elif line.reach < self.reach or line.multipv in self._lines:
            return False
        self._lines[line.multipv] = line
        return True

    def add(self, analysis: Analysis) -> None:
        self.nodes += analysis.nodes
        self.thought += analysis.time
        if self._analysis is None or analysis.reach >= self._analysis.reach:
            self._analysis = analysis

    @property
    def best(self) -> Analysis | None:
        """The deepest result, from a whole slice or from the reported lines of a lost slice."""
        analysis, lines = self._analysis, tuple(line for _, line in sorted(self._lines.items()))
        if analysis is not None and analysis.reach >= self.reach:
            return replace(analysis, lines=lines, nodes=self.nodes)
        if lines and lines[0].pv:
            return Analysis(lines[0].pv[0], lines, self.nodes, time=0, by=self._by)
        return None

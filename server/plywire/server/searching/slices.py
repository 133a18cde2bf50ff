"""The slices of a search: turns in a thread, whose results add up."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from plywire.engine.analysis import Analysis, AnalysisLine, SearchedBy
from plywire.engine.engine import Stop
from plywire.engine.limits import SearchLimits
from plywire.engine.search.time_management import Budget


@dataclass(eq=False, slots=True)
class Slice:
    """A turn of a search in a thread."""

    limits: SearchLimits
    budget: Budget
    began: float
    end: float
    """When it gives way to others by itself; both times are by the event loop's clock."""
    is_cut: bool
    """Whether it ends before the time of the search does."""
    nodes_before: int
    time_before: int
    """In ms, since the first slice began."""
    stop: Stop = field(default_factory=Stop)
    gives_way: bool = False
    noted: list[AnalysisLine] = field(default_factory=list)
    """Lines that are reported only if the slice does not come back; any thread may add to them."""

    def leave_thread(self) -> None:
        """Note that the search has not ended by itself, if its slice was stopped before.

        The thread of the search must call this: later, the slice is stopped in any case.
        """
        self.gives_way |= self.is_cut and self.stop.is_set


class Findings:
    """The results of several slices together."""

    def __init__(self, by: SearchedBy) -> None:
        self.nodes = 0
        self.thought = 0
        """The time of all slices, in ms."""
        self.reach = (0, 0)
        self._by = by
        self._lines: dict[int, AnalysisLine] = {}
        self._analysis: Analysis | None = None

    def add_line(self, line: AnalysisLine) -> bool:
        """Keep a line, and return True, if no earlier slice reached as far."""
        if line.reach > self.reach:
            self.reach, self._lines = line.reach, {}
        elif line.reach < self.reach or line.multipv in self._lines:
            return False
        self._lines[line.multipv] = line
        return True

    def add(self, analysis: Analysis) -> None:
        """Add the result of a slice, whose lines are added already."""
        self.nodes += analysis.nodes
        self.thought += analysis.time
        if self._analysis is None or analysis.reach >= self._analysis.reach:
            self._analysis = analysis

    @property
    def best(self) -> Analysis | None:
        """The deepest result, of a slice or of the lines that a lost slice reported."""
        analysis, lines = self._analysis, tuple(line for _, line in sorted(self._lines.items()))
        if analysis is not None and analysis.reach >= self.reach:
            return replace(analysis, lines=lines, nodes=self.nodes)
        if lines and lines[0].pv:
            return Analysis(lines[0].pv[0], lines, self.nodes, time=0, by=self._by)
        return None

"""The results of a search."""

from dataclasses import dataclass
from typing import Literal

SearchedBy = Literal["engine", "plain", "none"]
"""The source of a move: the engine, the plain search until machine code is made, or no search."""


@dataclass(frozen=True, slots=True)
class EngineScore:
    """The worth of a position for the player to move."""

    kind: Literal["cp", "win", "draw", "loss", "exact"]
    """`cp` is an estimate; the other kinds are proven."""
    value: int = 0
    """`cp`: hundredths (of a disc in Othello); `win`, `loss`: plies to the end of the game; `draw`:
    0; `exact`: the final score in discs.
    """

    @property
    def proven(self) -> bool:
        return self.kind != "cp"


@dataclass(frozen=True, slots=True)
class AnalysisLine:
    """One of the best lines of play that a finished iteration found."""

    depth: int
    """The searched depth in plies."""
    score: EngineScore
    nodes: int
    """Positions visited so far, by all threads."""
    time: int
    """Time since the start of the search, in ms."""
    hashfull: int
    """How full the transposition table is, in thousandths."""
    multipv: int
    """The rank of the line; 1 is the best."""
    pv: tuple[int, ...]
    """The moves of the principal variation, beginning with the move to play."""
    confidence: int = 100
    """The certainty of each cut that rests on an estimate instead of a proof, in percent."""

    @property
    def reach(self) -> tuple[int, int]:
        """A measure of how far the iteration looked: larger is farther."""
        return self.depth, self.confidence

    @property
    def nps(self) -> int:
        return self.nodes * 1000 // max(self.time, 1)


@dataclass(frozen=True, slots=True)
class Analysis:
    """The result of a search."""

    best: int | None
    """The move to play, None if the game is over."""
    lines: tuple[AnalysisLine, ...]
    """The best lines of the last finished iteration, best first; empty if there is none."""
    nodes: int
    """Positions visited by all threads."""
    time: int
    """The duration of the search, in ms."""
    by: SearchedBy = "engine"

    @property
    def score(self) -> EngineScore | None:
        return self.lines[0].score if self.lines else None

    @property
    def depth(self) -> int:
        """The depth of the last finished iteration, 0 if none finished."""
        return self.lines[0].depth if self.lines else 0

    @property
    def reach(self) -> tuple[int, int]:
        """The reach of the last finished iteration."""
        return self.lines[0].reach if self.lines else (0, 0)

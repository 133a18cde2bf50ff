"""What a search finds."""

from dataclasses import dataclass
from typing import Literal

SearchedBy = Literal["engine", "plain", "none"]
"""What found a move: the engine (its book and solver included), the plain search that stands in
while machine code is being prepared, or no search at all."""


@dataclass(frozen=True, slots=True)
class EngineScore:
    """What a position is worth to the side to move."""

    kind: Literal["cp", "win", "draw", "loss", "exact"]
    """`cp` is an estimate; the others are proven."""
    value: int = 0
    """`cp`: hundredths (of a disc in Othello); `win`, `loss`: plies to the end of the game;
    `draw`: 0; `exact`: the final score in discs."""

    @property
    def proven(self) -> bool:
        """Whether the score is exact rather than an estimate."""
        return self.kind != "cp"


@dataclass(frozen=True, slots=True)
class AnalysisLine:
    """One line of one finished iteration."""

    depth: int
    """Plies searched."""
    score: EngineScore
    nodes: int
    """Positions visited so far, by all threads."""
    time: int
    """Since the search began, in ms."""
    hashfull: int
    """How full the transposition table is, in thousandths."""
    multipv: int
    """1 is the best line."""
    pv: tuple[int, ...]
    """Principal variation: moves, the one to play first."""
    confidence: int = 100
    """How sure the search was of each cut that it made on suspicion, in percent."""

    @property
    def reach(self) -> tuple[int, int]:
        """How far the iteration looked: the larger, the farther."""
        return self.depth, self.confidence

    @property
    def nps(self) -> int:
        """Nodes a second."""
        return self.nodes * 1000 // max(self.time, 1)


@dataclass(frozen=True, slots=True)
class Analysis:
    """The result of a search."""

    best: int | None
    """The move to play, None when the game is over."""
    lines: tuple[AnalysisLine, ...]
    """The best lines of the last iteration, best first; empty when the game is over or when the
    search was stopped before its first iteration ended."""
    nodes: int
    """Positions visited, by all threads."""
    time: int
    """How long the search took, in ms."""
    by: SearchedBy = "engine"
    """What found the move."""

    @property
    def score(self) -> EngineScore | None:
        """The score of the best line."""
        return self.lines[0].score if self.lines else None

    @property
    def depth(self) -> int:
        """The depth of the last finished iteration, 0 if none finished."""
        return self.lines[0].depth if self.lines else 0

    @property
    def reach(self) -> tuple[int, int]:
        """How far the last finished iteration looked."""
        return self.lines[0].reach if self.lines else (0, 0)

"""The results of an iteration for root moves, and their reports; imports no NumPy."""

from collections.abc import Sequence
from dataclasses import dataclass

from plywire.engine.analysis import AnalysisLine, EngineScore
from plywire.engine.compiled.contract import MAX_ESTIMATE, WIN

from .searcher import Iteration


@dataclass(frozen=True, slots=True)
class RootLine:
    """The result of one iteration for one root move."""

    iteration: Iteration
    score: int
    moves: tuple[int, ...]

    @property
    def ends_within_depth(self) -> bool:
        """Whether this is a win or loss within the depth: no search finds a nearer one."""
        return WIN - abs(self.score) <= self.iteration.depth


def report(
    lines: Sequence[RootLine], remaining: int, *, nodes: int, time: int, hashfull: int
) -> tuple[AnalysisLine, ...]:
    """Return an iteration's lines, best first; they are exact if it searched `remaining` plies."""
    return tuple(
        AnalysisLine(
            depth=line.iteration.depth,
            confidence=line.iteration.confidence,
            score=to_score(line.score, is_exact=line.iteration == Iteration(remaining)),
            nodes=nodes,
            time=time,
            hashfull=hashfull,
            multipv=number,
            pv=line.moves,
        )
        for number, line in enumerate(lines, 1)
    )


def to_score(score: int, *, is_exact: bool) -> EngineScore:
    """Convert the score of a search; `is_exact` means that it depends on no estimate."""
    if score > MAX_ESTIMATE:
        return EngineScore("win", WIN - score)
    if score < -MAX_ESTIMATE:
        return EngineScore("loss", WIN + score)
    if not is_exact:
        return EngineScore("cp", score)
    return EngineScore("exact", score // 100) if score else EngineScore("draw")

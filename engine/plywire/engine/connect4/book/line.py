"""The best move from the book alone, while the solver is not ready."""

from __future__ import annotations

from random import Random

from plywire.engine.analysis import AnalysisLine, EngineScore
from plywire.engine.connect4.rules import Connect4Position

from .book import Book


def best_line(book: Book, position: Connect4Position, chance: Random) -> AnalysisLine | None:
    """Return a best move, drawn by chance; None unless the book has the scores of all moves."""
    scores: dict[int, int] = {}
    for move in position.moves():
        after = position.play(move)
        result = after.result()
        if result is not None and result.winner is not None:
            return _line(position, move, EngineScore("win", 1))
        score = 0 if result is not None else book.get(after)
        if score is None:
            return None
        scores[move] = -score
    best = max(scores.values())
    move = chance.choice([move for move, score in scores.items() if score == best])
    return _line(position, move, _score(position, best))


def _line(position: Connect4Position, move: int, score: EngineScore) -> AnalysisLine:
    depth = position.plies_left
    return AnalysisLine(depth, score, nodes=0, time=0, hashfull=0, multipv=1, pv=(move,))


def _score(position: Connect4Position, score: int) -> EngineScore:
    """Convert a score k: the player to move wins with the k-th last stone."""
    if score == 0:
        return EngineScore("draw")
    mine, theirs = (position.plies_left + 1) // 2, position.plies_left // 2
    if score > 0:
        return EngineScore("win", 2 * (mine - score) + 1)
    return EngineScore("loss", 2 * (theirs + score) + 2)

"""Translate between engine and protocol, which do not import each other."""

from typing import Literal

from plywire.engine import analysis
from plywire.engine import limits as engine
from plywire.engine.game import Game, Position
from plywire.protocol.messages import limits as protocol
from plywire.protocol.messages import play


def limits(asked: protocol.Limits) -> engine.SearchLimits:
    """Translate limits of the protocol for the engine."""
    clock = None if asked.clock is None else asked.clock.without_byoyomi
    return engine.SearchLimits(
        movetime=asked.movetime,
        depth=asked.depth,
        nodes=asked.nodes,
        clock=engine.ClockTimes(clock.p1, clock.p2, clock.inc1, clock.inc2) if clock else None,
        infinite=asked.infinite,
    )


def player(turn: int) -> Literal[1, 2]:
    """Return player 1 or 2 for the engine's player 0 or 1."""
    return 2 if turn else 1


def result(position: Position) -> play.ResultAnswer:
    """Return whose turn it is, or how the game ended."""
    turn, found = player(position.turn), position.result()
    if found is None:
        return play.ResultAnswer(over=False, turn=turn)
    return play.ResultAnswer(
        over=True,
        turn=turn,
        winner=None if found.winner is None else player(found.winner),
        score=found.score,
        reason=found.reason,
    )


def legal(position: Position) -> play.LegalAnswer:
    """Return the legal moves as an answer."""
    return play.LegalAnswer(moves=tuple(map(position.game.move_name, position.moves())))


def show(position: Position, moves: tuple[str, ...]) -> play.ShowAnswer:
    """Return the board as an answer, with the names of the moves that led to it."""
    return play.ShowAnswer(
        game=position.game.name,
        size=position.game.size,
        fen=position.fen(),
        moves=moves,
        turn=player(position.turn),
        board=position.board(),
    )


def score(found: analysis.EngineScore) -> play.Score:
    """Translate a score of the engine."""
    return play.Score(kind=found.kind, value=found.value)


def info(found: analysis.AnalysisLine, game: Game) -> play.Info:
    """Translate a line of a search."""
    return play.Info(
        depth=found.depth,
        score=score(found.score),
        nodes=found.nodes,
        time=found.time,
        nps=found.nps,
        hashfull=found.hashfull,
        confidence=found.confidence,
        multipv=found.multipv,
        pv=tuple(map(game.move_name, found.pv)),
        squares=tuple(map(game.square_name, found.pv)),
    )


def searched(found: analysis.Analysis, move: int) -> play.Searched | None:
    """Return the report of a search on one move; None if there is none."""
    for line in found.lines:
        if line.pv[:1] == (move,):
            return play.Searched(score=score(line.score), depth=line.depth, nodes=found.nodes)
    return None


def best_move(move: int | None, game: Game, by: analysis.SearchedBy = "engine") -> play.BestMove:
    """Translate the best move of a search; `by` is what found the move."""
    if move is None:
        return play.BestMove()
    return play.BestMove(move=game.move_name(move), square=game.square_name(move), by=by)

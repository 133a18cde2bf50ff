"""Accuracy of a game's moves, by exact values of its positions where they can be proven."""

from pydantic import BaseModel, ConfigDict

from plywire.clients.play.matches.records import GameRecord
from plywire.engine.registry import load
from plywire.protocol.messages.review import Judged

from .game_judge import GameJudge
from .oracle import Oracle


class Accuracy(BaseModel):
    """Accuracy of the players of one game."""

    model_config = ConfigDict(frozen=True)

    players: tuple[Judged, Judged]
    """Counts of player 1 and of player 2."""
    losing_move: int | None
    """Index in `moves` of the move that lost the game; None if none is proven."""


class GameAccuracy(Accuracy):
    """Accuracy of a game, with the values of its positions."""

    values: tuple[int | None, ...]
    """Value of the position after the opening, then after each further move; None if not proven.
    A value is the final score with best play, on the scale of `GameRecord.score`."""


def judge(record: GameRecord, oracle: Oracle) -> GameAccuracy:
    """Review a game in the calling thread; moves of the opening are not judged."""
    game = load(record.game, record.size)
    start = game.parse(record.fen)
    positions = [start, *start.play_names(record.moves)]
    review = GameJudge(positions, record.moves, opening=record.opening, winner=record.winner)
    for position in review:
        review.add(oracle.analyse(position))
    return GameAccuracy(
        values=review.values, players=review.outcome.players, losing_move=review.losing_move
    )

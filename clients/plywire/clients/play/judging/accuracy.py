"""How well a game was played, by the exact value of each position where it can be proven."""

from pydantic import BaseModel, ConfigDict

from plywire.clients.play.matches.records import GameRecord
from plywire.engine.registry import load
from plywire.protocol.messages.review import Judged

from .game_judge import GameJudge
from .oracle import Oracle


class Accuracy(BaseModel):
    """How well the players of one game moved, by perfect knowledge."""

    model_config = ConfigDict(frozen=True)

    players: tuple[Judged, Judged]
    """Counts of player 1 and of player 2."""
    losing_move: int | None
    """Index in `GameRecord.moves` of the loser's last move before which the game was not lost and
    after which it was; None for a draw and if no such move is proven."""


class GameAccuracy(Accuracy):
    """All that perfect knowledge says about one game."""

    values: tuple[int | None, ...]
    """Before the first move after the opening and after every move: the score with which best
    play ends the game, on the scale of `GameRecord.score`; None where it is not proven."""


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

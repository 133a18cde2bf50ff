"""How well a game was played, by the exact value of each position where it can be proven."""

from __future__ import annotations

from itertools import pairwise

from pydantic import BaseModel, ConfigDict

from plywire.clients.matches.records import GameRecord
from plywire.engine.registry import load

from .oracle import Oracle


class Judged(BaseModel):
    """How many moves of one player were judged, and how many of them were right."""

    model_config = ConfigDict(frozen=True)

    moves: int = 0
    """Moves whose value before and after is proven."""
    best: int = 0
    """Those after which the game was worth as much as before."""
    sound: int = 0
    """Those that did not turn a win into a draw, or either into a loss."""

    @property
    def accuracy(self) -> float | None:
        """The share of best moves, None if no move was judged."""
        return self.best / self.moves if self.moves else None

    def __add__(self, other: Judged) -> Judged:
        """Both counts together, as of several games."""
        return Judged(
            moves=self.moves + other.moves,
            best=self.best + other.best,
            sound=self.sound + other.sound,
        )


class GameAccuracy(BaseModel):
    """What perfect knowledge says about one game."""

    model_config = ConfigDict(frozen=True)

    values: tuple[int | None, ...]
    """Before the first move after the opening and after every move: the score with which best
    play ends the game, on the scale of `GameRecord.score`; None where it is not proven."""
    players: tuple[Judged, Judged]
    """Of the first and of the second player."""
    losing_move: int | None
    """Index in `GameRecord.moves` of the loser's last move before which the game was not lost and
    after which it was; None for a draw and if no such move is proven."""


def judge(record: GameRecord, oracle: Oracle) -> GameAccuracy:
    """Find the exact value of every position of a game, in the calling thread.

    Positions are asked for from the last to the first, so that the engine's table knows the later
    ones when the earlier are searched. Moves of the opening are not judged.
    """
    game = load(record.game, record.size)
    start = game.parse(record.fen)
    positions = [start, *start.play_names(record.moves)][record.opening :]
    values = [oracle.value(position) for position in reversed(positions)][::-1]
    turns = [position.turn for position in positions[:-1]]
    judged = [Judged(), Judged()]
    losing_move = None
    for number, (turn, (before, after)) in enumerate(zip(turns, pairwise(values), strict=True)):
        if before is None or after is None:
            continue
        mover = -1 if turn else 1
        sound = _sign(after) == _sign(before)
        judged[turn] += Judged(moves=1, best=int(before == after), sound=int(sound))
        if not sound and _sign(after) == -mover and record.winner == 2 - turn:
            losing_move = record.opening + number
    return GameAccuracy(
        values=tuple(values), players=(judged[0], judged[1]), losing_move=losing_move
    )


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)

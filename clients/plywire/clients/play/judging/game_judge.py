"""Judge the moves of a game one by one."""

from collections.abc import Iterator, Sequence

from plywire.clients.play import translate
from plywire.engine.analysis import Analysis
from plywire.engine.game import Position
from plywire.protocol.messages.review import Judged, Mark, ReviewAnswer, Reviewed

from .oracle import value_of


class GameJudge:
    """Judges moves by the exact values of the positions before and after them.

    Iteration yields the positions to analyse, last one first: the engine's table then helps with
    earlier positions. Call `add` with each analysis before you take the next position:

        for position in review:
            judged = review.add(engine.analyse(position))
    """

    def __init__(
        self,
        positions: Sequence[Position],
        moves: Sequence[str],
        *,
        opening: int = 0,
        winner: int | None = None,
    ) -> None:
        """Judge all moves after the opening; `winner` is used if the game is unfinished."""
        self._left = list(positions)
        self._moves = moves
        self._opening = opening
        if (result := positions[-1].result()) is not None:
            winner = None if result.winner is None else translate.player(result.winner)
        self._winner = winner
        self._values: list[int | None] = []
        self._players = [Judged(), Judged()]
        self.losing_move: int | None = None
        """Index in `moves` of the move with which the loser lost the game; None if not proven."""

    def __iter__(self) -> Iterator[Position]:
        while len(self._left) > self._opening:
            if self._left[-1].is_over:
                self.add(None)
            else:
                yield self._left[-1]

    @property
    def values(self) -> tuple[int | None, ...]:
        """Values of the positions judged so far, first to last, on the scale of `Result.score`."""
        return tuple(reversed(self._values))

    @property
    def outcome(self) -> Reviewed:
        return Reviewed(
            players=(self._players[0], self._players[1]),
            losing=None if self.losing_move is None else self.losing_move + 1,
        )

    def add(self, found: Analysis | None) -> ReviewAnswer | None:
        """Judge the move that was made in the latest position; `found` is its analysis, or None.

        Returns None for the position after the last move.
        """
        position = self._left.pop()
        self._values.append(value_of(position, found))
        if len(self._values) == 1:
            return None
        number, turn, game = len(self._left), position.turn, position.game
        after, before = (
            None if value is None else -value if turn else value for value in self._values[-2:]
        )
        return ReviewAnswer(
            number=number + 1,
            move=self._moves[number],
            player=translate.player(turn),
            mark=self._mark(number, turn, before, after),
            best=None if found is None or found.best is None else game.move_name(found.best),
            after=after,
            lost=None if before is None or after is None else before - after,
        )

    def _mark(self, number: int, turn: int, before: int | None, after: int | None) -> Mark:
        if before is None or after is None:
            return "unproven"
        is_best, is_sound = before == after, _sign(before) == _sign(after)
        self._players[turn] += Judged(moves=1, best=int(is_best), sound=int(is_sound))
        has_lost = not is_sound and after < 0 and self._winner == 2 - turn
        if has_lost and self.losing_move is None:
            self.losing_move = number
            return "losing"
        return "best" if is_best else "sound" if is_sound else "mistake"


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)

"""What Connect Four positions are worth, found out in the plainest way, and late positions."""

import random

from plywire.engine.bitboard import squares
from plywire.engine.connect4.rules import Connect4, Connect4Position


class Truth:
    """Negamax in plain Python to the end of every game; remembers what it has seen."""

    def __init__(self, game: Connect4) -> None:
        self.game = game
        self.known: dict[tuple[int, int], int] = {}
        """Scores by the stones of the side to move and those of the other."""

    def score(self, position: Connect4Position) -> int:
        """+k: the side to move wins with its k-th last stone; -k: it loses so; 0: a draw."""
        return self._score(position.own, position.other)

    def _score(self, own: int, other: int) -> int:
        score = self.known.get((own, other))
        if score is None:
            score = self.known[own, other] = self._work_out(own, other)
        return score

    def _work_out(self, own: int, other: int) -> int:
        game, taken = self.game, own | other
        if game.has_four(other):
            # The winner had half of the squares for its stones, the first player the odd one too.
            stones = taken.bit_count()
            of_winner = (game.width * game.height + stones % 2) // 2
            return -(of_winner + 1 - (stones + 1) // 2)
        moves = squares(taken + game.bottom & game.full)
        return max((-self._score(other, own | 1 << move) for move in moves), default=0)


def late_position(game: Connect4, empty: int, chance: random.Random) -> Connect4Position:
    """A position with that many empty squares, in which the game goes on.

    Reached by random moves, without a four where that can be helped: few games would last else.
    """
    while True:
        position = game.start()
        for _ in range(game.width * game.height - empty):
            moves = list(position.moves())
            chance.shuffle(moves)
            children = [position.play(move) for move in moves]
            if not children:
                break
            position = next((child for child in children if not child.is_over), children[0])
        if not position.is_over:
            return position

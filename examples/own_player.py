"""A player of your own: all it takes is `choose`.

In the folder of this file:

plywire match python:own_player:Stingy greedy --game othello --random-plies 6
python own_player.py       the same as a program that speaks UGI
"""

from plywire.clients import GameLine, Limits, serve_ugi


class Stingy:
    """Leaves the other side as few moves as it can."""

    def choose(self, line: GameLine, limits: Limits) -> int:
        """The move after which the other side has fewest."""
        return min(line.legal_moves, key=lambda move: len(line.play(move).legal_moves))


if __name__ == "__main__":
    serve_ugi(Stingy())

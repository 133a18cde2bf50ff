"""Connect Four positions to measure the solver on: made by random play, or read from a suite."""

import random
from collections.abc import Iterator

from plywire.engine.connect4.rules import Connect4


def random_positions(stones: int, seed: int) -> Iterator[str]:
    """Positions of the 7x6 board with that many stones, as their moves, without end.

    Moves are drawn evenly. Nobody has won, nor has the side to move a winning move: such positions
    take no search.
    """
    draw = random.Random(f"{seed}:{stones}")
    while True:
        position = Connect4().start()
        names: list[str] = []
        while len(names) < stones and not position.is_over:
            move = draw.choice(position.moves())
            names.append(position.game.move_name(move))
            position = position.play(move)
        if position.is_over or any(position.play(move).is_over for move in position.moves()):
            continue
        yield "".join(names)

"""Write the agent as a single file with an opening book."""

import base64
import zlib
from collections.abc import Callable
from importlib import resources

from plywire.engine.connect4.book.book import Book
from plywire.engine.connect4.rules import Connect4, Connect4Position

from .agent import BOARD, Board, Opening, Stones

_BOOK = 'BOOK = ""\n'
_PLIES = "BOOK_PLIES = 0\n"
_WIDTH = 90
#: The score of an immediate win. All scores of the book are lower.
_WON = 64

#: A function that returns the column of a best move, counted from 0.
Choose = Callable[[Connect4Position], int]


def export(opening: Opening) -> str:
    """Return the agent's source with this opening in it."""
    packed = base64.b85encode(zlib.compress(bytes(opening.choices), 9)).decode()
    lines = [f'    "{packed[at : at + _WIDTH]}"' for at in range(0, len(packed), _WIDTH)]
    source = resources.files(__package__).joinpath("agent.py").read_text("utf-8")
    source = source.replace(_BOOK, "\n".join(["BOOK = (", *lines, ")\n"]), 1)
    return source.replace(_PLIES, f"BOOK_PLIES = {opening.plies}\n", 1)


def best_opening(plies: int, choose: Choose) -> Opening:
    """Make the opening with `choose` for each position of fewer than `plies` stones."""
    columns, rows, _ = BOARD
    game = Connect4(columns, rows)

    def choose_for(stones: Stones) -> int:
        own, other = stones
        return choose(Connect4Position(game, own, other, (own | other).bit_count() % 2))

    return Opening(Board(*BOARD), plies, choose_for)


def by_book(book: Book, beyond: Choose) -> Choose:
    """Choose the book's best move, nearest to the centre; `beyond` chooses after the book's end."""

    def choose(position: Connect4Position) -> int:
        scores: dict[int, int] = {}
        for move in position.moves():
            child = position.play(move)
            score = -_WON if child.is_over else book.get(child)
            if score is None:
                return beyond(position)
            scores[move // (position.game.height + 1)] = -score
        middle = (position.game.width - 1) / 2
        return max(scores, key=lambda column: (scores[column], -abs(column - middle)))

    return choose

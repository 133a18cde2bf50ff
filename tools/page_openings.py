"""The exact scores of Connect Four's first plies, for the page: from the package's opening book.

The book goes to ply 12, and takes 9 MB. The page solves later positions in a moment.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from plywire.engine.bitboard import squares
from plywire.engine.connect4.book import book
from plywire.engine.connect4.rules import Connect4, Connect4Position

#: The last ply whose scores the page has.
PLIES = 8
#: The number that is added to a score to store it as a byte.
BIAS = 64
BOOK = Path(book.__file__).with_name("book-7x6.npz")


def scores() -> Iterator[int]:
    """Yield the scores in the order that `connect4-openings.js` describes, 0 if a game is over."""
    game = Connect4()
    known = book.shipped_book(game.width, game.height)
    if known is None:
        raise RuntimeError("there is no opening book of Connect Four")
    # Each position maps to its mirror image. Both are pairs of the players' stones.
    positions = {(0, 0): (0, 0)}
    for ply in range(PLIES + 1):
        after: dict[tuple[int, int], tuple[int, int]] = {}
        for (own, other), (own_image, other_image) in positions.items():
            position = Connect4Position(game, own, other, ply % 2)
            score = 0 if position.is_over else known.get(position)
            if score is None:
                raise RuntimeError(f"the book does not have {position.fen()}")
            yield score
            for move, mirrored in zip(
                squares((own | other) + game.bottom & game.full),
                squares((own_image | other_image) + game.bottom & game.full)[::-1],
                strict=True,
            ):
                child = (other, own | 1 << move)
                image = (other_image, own_image | 1 << mirrored)
                if image not in after:
                    after.setdefault(child, image)
        positions = after

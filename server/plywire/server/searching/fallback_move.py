"""A move without a search, for a search whose time is over before it began."""

from plywire.engine.game import Position
from plywire.engine.search.plain_rules import off_centre


def fallback_move(position: Position) -> int | None:
    """Return a move that wins at once, else the legal one nearest to the centre, if any."""
    moves = position.moves()
    if not moves:
        return None
    for move in moves:
        result = position.play(move).result()
        if result is not None and result.winner == position.turn:
            return move
    return min(moves, key=lambda move: off_centre(position.game, move))

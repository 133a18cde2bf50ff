"""A move without a search, for a peer whose time is up before any thread was free."""

from plywire.engine.game import PASS, Position


def fallback_move(position: Position) -> int | None:
    """A move that wins at once, else the legal one nearest to the middle; None if it is over.

    Plain rules, no kernels: it takes well under a millisecond, also while they are compiled.
    """
    moves = position.moves()
    if not moves:
        return None
    for move in moves:
        result = position.play(move).result()
        if result is not None and result.winner == position.turn:
            return move
    return min(moves, key=lambda move: _from_middle(position, move))


def _from_middle(position: Position, move: int) -> tuple[int, int]:
    """How far from the middle column, then the middle row, a move lands, in half squares."""
    if move == PASS:
        return 0, 0
    square = position.game.square_name(move)
    column, row = ord(square[0]) - ord("a"), int(square[1:]) - 1
    return abs(2 * column - position.game.width + 1), abs(2 * row - position.game.height + 1)

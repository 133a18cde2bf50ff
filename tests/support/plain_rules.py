"""The rules of the games once more, slow and plain: from the board's squares, not from bits.

Nothing here uses the engine, so that what it says of a record is a second opinion.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

Square = tuple[int, int]
Board = dict[Square, int]

_DIRECTIONS = [(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1) if (x, y) != (0, 0)]


class BrokenRulesError(Exception):
    """A move that the rules do not allow, or a game that ended too early or too late."""


def replay(game: str, moves: Sequence[str]) -> int | None:
    """Who won the game of those moves from the usual start, on the usual board: 1, 2 or None.

    Raises BrokenRulesError if it is not a whole game.
    """
    return _GAMES[game](moves)


def _connect4(moves: Sequence[str]) -> int | None:
    return _alignments(moves, 7, 6, 4, lambda name, board: _drop(int(name), board))


def _tictactoe(moves: Sequence[str]) -> int | None:
    return _alignments(moves, 3, 3, 3, lambda name, board: _square(name))


def _drop(column: int, board: Board) -> Square:
    return column, 1 + sum(x == column for x, _ in board)


def _square(name: str) -> Square:
    return ord(name[0]) - ord("a") + 1, int(name[1:])


def _alignments(
    moves: Sequence[str], width: int, height: int, row: int, where: Callable[[str, Board], Square]
) -> int | None:
    board: Board = {}
    for number, name in enumerate(moves):
        x, y = where(name, board)
        if (x, y) in board or not (1 <= x <= width and 1 <= y <= height):
            raise BrokenRulesError(f"{name} at move {number}")
        player = 1 + number % 2
        board[x, y] = player
        if _is_aligned(board, x, y, row):
            if number + 1 < len(moves):
                raise BrokenRulesError(f"it was over after move {number}")
            return player
    if len(board) < width * height:
        raise BrokenRulesError("it was not over")
    return None


def _is_aligned(board: Board, x: int, y: int, row: int) -> bool:
    for dx, dy in _DIRECTIONS:
        for back in range(row):
            line = [(x + (step - back) * dx, y + (step - back) * dy) for step in range(row)]
            if all(board.get(square) == board[x, y] for square in line):
                return True
    return False


def _othello(moves: Sequence[str]) -> int | None:
    board: Board = {(4, 4): 2, (5, 5): 2, (5, 4): 1, (4, 5): 1}
    player = 1
    for number, name in enumerate(moves):
        if not _can_move(board, 1) and not _can_move(board, 2):
            raise BrokenRulesError(f"it was over before move {number}")
        if name == "pass":
            if _can_move(board, player):
                raise BrokenRulesError(f"pass at move {number}")
        else:
            flipped = _flipped(board, _square(name), player)
            if not flipped:
                raise BrokenRulesError(f"{name} at move {number}")
            board.update(dict.fromkeys([_square(name), *flipped], player))
        player = 3 - player
    if _can_move(board, 1) or _can_move(board, 2):
        raise BrokenRulesError("it was not over")
    discs = list(board.values())
    lead = discs.count(1) - discs.count(2)
    return None if lead == 0 else (1 if lead > 0 else 2)


def _can_move(board: Board, player: int) -> bool:
    squares = [(x, y) for x in range(1, 9) for y in range(1, 9)]
    return any(_flipped(board, square, player) for square in squares)


def _flipped(board: Board, square: Square, player: int) -> list[Square]:
    """The discs that a move turns, none where it is not allowed."""
    found: list[Square] = []
    x, y = square
    if square in board or not (1 <= x <= 8 and 1 <= y <= 8):
        return found
    for dx, dy in _DIRECTIONS:
        line = []
        step = 1
        while board.get((x + step * dx, y + step * dy)) == 3 - player:
            line.append((x + step * dx, y + step * dy))
            step += 1
        if board.get((x + step * dx, y + step * dy)) == player:
            found += line
    return found


_GAMES: dict[str, Callable[[Sequence[str]], int | None]] = {
    "connect4": _connect4,
    "othello": _othello,
    "tictactoe": _tictactoe,
}

"""The loop for CodinGame's Othello.

The input begins with our number, 0 or 1, and the size of the board. For each move it has the rows
of the board, made of `0`, `1` and `.`. Then come the number of legal moves, and each legal move on
a line. The answer is a legal move.
"""

import sys

from .agent import moves, player

#: Time for a move, in seconds. `plywire export` fills it in.
SECONDS = 0.0


def main() -> None:
    """Answer until the input ends."""
    search = player()
    lines = iter(sys.stdin.readline, "")
    mine, size = next(lines).strip(), int(next(lines))
    for first in lines:
        rows = [first, *(next(lines) for _ in range(size - 1))]
        actions = [next(lines).strip() for _ in range(int(next(lines)))]
        choice = ""
        # The first row may be rank 1 or rank 8. The given legal moves show which one it is.
        for board in ("".join(map(str.strip, rows)), "".join(map(str.strip, rows[::-1]))):
            own = sum(1 << square for square, cell in enumerate(board) if cell == mine)
            other = sum(1 << s for s, cell in enumerate(board) if cell not in (mine, "."))
            if set(map(_name, moves(own, other))) == set(actions):
                choice = _name(search.best(own, other, SECONDS))
                break
        print(choice if choice in actions else actions[0], flush=True)


def _name(square: int) -> str:
    return "abcdefgh"[square % 8] + str(square // 8 + 1)


if __name__ == "__main__":
    main()

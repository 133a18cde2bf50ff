"""Kernels that tests call one by one, as programs of their own.

Each module has the kernels of one program; their IR is in `tests/ir`, which `make kernels` builds.
Tests call them by `tests/support/kernels.py`. `python -m tests.kernels` makes their machine code.
"""

from plywire.engine.compiled.program import Program


def _program(name: str, module: str, board: str | None = None) -> Program:
    board = board and f"plywire.engine.{board}"
    return Program(f"{name}-tests", "tests", f"tests.kernels.{module}:entries", board)


TICTACTOE = _program("tictactoe", "agreement", "tictactoe.kernels:TicTacToeBoard")
CONNECT4 = _program("connect4", "connect4")
CONNECT4_GEOMETRY = _program("connect4-geometry", "connect4_geometry")
CONNECT4_SOLVER = _program("connect4-solver", "connect4_solver")
OTHELLO = _program("othello", "othello")
#: The search that all games share; Othello has one of its own.
OTHELLO_ALPHABETA = Program(
    "othello-alphabeta-tests",
    "tests",
    "plywire.engine.search.alphabeta:entries",
    "plywire.engine.othello.kernels:OthelloBoard",
)
OTHELLO_ENDGAME = _program("othello-endgame", "othello_endgame")
SEARCH = _program("search", "search")
INTRINSICS = _program("intrinsics", "intrinsics")
GATHER = _program("gather", "gather")

#: All of them.
PROGRAMS = (
    TICTACTOE,
    CONNECT4,
    CONNECT4_GEOMETRY,
    CONNECT4_SOLVER,
    OTHELLO,
    OTHELLO_ALPHABETA,
    OTHELLO_ENDGAME,
    SEARCH,
    INTRINSICS,
    GATHER,
)

"""The kernels below iterative deepening, called by themselves."""

import numpy as np

from plywire.engine.compiled.contract import WIN
from plywire.engine.game import Position
from plywire.engine.registry import backend_of, load
from plywire.engine.search import table as tt
from plywire.engine.search.alphabeta import INFINITY, search_root
from plywire.engine.search.stop import Stop
from plywire.engine.search.table import NO_MOVE, TranspositionTable
from plywire.engine.search.thread_memory import ThreadMemory

SALT = 12345
#: X wins by force in three plies: on a2 or a3 it threatens two threes at once.
FORK = "2o/1x1/xo1 x"


class Bare:
    """A table, one thread's memory, and a position of Tic-Tac-Toe."""

    def __init__(self, fen: str, node_limit: int = 1 << 40) -> None:
        self.position = load("tictactoe").parse(fen)
        self.table = TranspositionTable(1)
        self.memory = ThreadMemory(self.table, SALT, node_limit)
        self.memory.root_move = int(NO_MOVE)

    def search(self, depth: int, alpha: int = -INFINITY, beta: int = INFINITY) -> int:
        words = map(np.uint64, self.position.words())
        board = backend_of(self.position.game).board()
        return int(search_root(board, self.memory.address, *words, depth, alpha, beta))

    def remembered(self, position: Position) -> int | None:
        """The score that the table holds for a position."""
        key = tt.position_key(np.uint64(SALT), *map(np.uint64, position.words()))
        key = np.uint64(key)
        buckets = np.uint64(self.table.buckets)
        data = tt.probe(tt.bucket_address(np.uint64(self.table.address), buckets, key), key)
        return int(tt.entry_score(np.uint64(data))) if data else None


def test_the_table_counts_plies_from_the_position_itself() -> None:
    bare = Bare(FORK)
    assert bare.search(3) == WIN - 3
    first, second, _ = bare.memory.principal_variation()
    assert bare.remembered(bare.position) == WIN - 3
    child = bare.position.play(first)
    assert bare.remembered(child) == -(WIN - 2)
    assert bare.remembered(child.play(second)) == WIN - 1


def test_a_score_outside_the_window_is_a_bound() -> None:
    assert Bare(FORK).search(3, -10, 10) >= 10
    assert Bare(FORK).search(3, WIN - 2, WIN - 1) <= WIN - 2


def test_excluded_moves_are_left_out_and_not_remembered() -> None:
    bare = Bare(FORK)
    bare.search(3)
    best = bare.memory.principal_variation()[0]
    bare.memory.exclude([best])
    bare.memory.root_move = int(NO_MOVE)
    bare.search(3)
    assert bare.memory.principal_variation()[0] != best
    bare.memory.exclude(set(bare.position.moves()) - {2})
    bare.search(3)
    assert bare.memory.principal_variation()[0] == 2
    assert bare.remembered(bare.position) == WIN - 3


def test_it_stops_at_the_node_limit_and_says_so() -> None:
    bare = Bare("3/3/3 x", node_limit=10)
    bare.search(9)
    assert bare.memory.aborted
    assert bare.memory.nodes == 10
    assert bare.memory.root_move in bare.position.moves()


def test_it_stops_at_a_token() -> None:
    bare = Bare("3/3/3 x")
    stop = Stop()
    bare.memory.use_stop(stop)
    bare.search(2)
    assert not bare.memory.aborted
    stop.set()
    bare.search(2)
    assert bare.memory.aborted


def test_it_tells_how_long_the_game_can_last() -> None:
    bare = Bare(FORK)
    bare.search(1)
    assert bare.memory.remaining == 5

"""The kernels below iterative deepening, called by themselves."""

from plywire.engine.compiled.contract import INFINITY, WIN
from plywire.engine.game import Position
from plywire.engine.registry import backend_of, load
from plywire.engine.search.alphabeta import OWN_ARRAYS
from plywire.engine.search.stop import Stop
from plywire.engine.search.table import TranspositionTable
from plywire.engine.search.thread_memory import ThreadMemory
from tests.kernels import SEARCH
from tests.support.kernels import Kernels

KERNELS = Kernels(SEARCH)
SALT = 12345
#: X wins by force in three plies: on a2 or a3 it threatens two threes at once.
FORK = "2o/1x1/xo1 x"


class Bare:
    """A table, one thread's memory, and a position of Tic-Tac-Toe."""

    def __init__(self, fen: str, node_limit: int = 1 << 40) -> None:
        self.position = load("tictactoe").parse(fen)
        self.table = TranspositionTable(1)
        self.memory = ThreadMemory(self.table, SALT, node_limit, OWN_ARRAYS)
        self.memory.root_move = None

    def search(self, depth: int, alpha: int = -INFINITY, beta: int = INFINITY) -> int:
        backend = backend_of(self.position.game)
        words = *backend.board(), self.memory.address, *self.position.words()
        score: int = Kernels(backend.program()).search_root(*words, depth, alpha, beta)
        return score

    def remembered(self, position: Position) -> int | None:
        """The score that the table holds for a position."""
        key = KERNELS.position_key(SALT, *position.words())
        bucket = KERNELS.bucket_address(self.table.address, self.table.buckets, key)
        data = KERNELS.probe(bucket, key)
        return KERNELS.entry_score(data) if data else None


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
    bare.memory.root_move = None
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

"""The solver behind the engine's facade."""

import threading
from importlib import resources

import pytest

from plywire.engine.analysis import AnalysisLine
from plywire.engine.connect4.backend import Connect4Backend
from plywire.engine.connect4.book.blocks import Pieces
from plywire.engine.connect4.book.book import shipped_book
from plywire.engine.connect4.rules import Connect4, Connect4Position
from plywire.engine.connect4.solver.solver import Solver
from plywire.engine.engine import LocalEngine
from plywire.engine.limits import SearchLimits
from plywire.engine.readiness import prepare
from plywire.engine.registry import load
from plywire.engine.search.solver import ExactSolver
from plywire.engine.search.stop import Stop
from tests.support.connect4 import as_score, played, random_positions

GAME = Connect4()
#: No book holds it and it takes many seconds: the solver has to be cut off.
WIDE = load("connect4", "12x4")


@pytest.fixture(scope="module")
def solver() -> Solver:
    return Solver(table_mb=4)


@pytest.fixture
def engine() -> LocalEngine:
    return LocalEngine(hash_mb=4)


def middle_games(count: int) -> list[Connect4Position]:
    return list(random_positions(GAME, 20, count, seed=20))


def test_scores_are_exact_in_plies_and_the_line_ends_the_game(
    engine: LocalEngine, solver: Solver
) -> None:
    kinds = set()
    for position in middle_games(12):
        analysis = engine.analyse(position)
        score = solver.score(position)
        (line,) = analysis.lines
        assert line.score == as_score(solver, position, score)
        assert line.score.proven
        assert line.pv[0] == analysis.best
        end = position
        for move in line.pv:
            end = end.play(move)
        assert end.is_over
        assert len(line.pv) == solver.distance(position, score)
        kinds.add(line.score.kind)
    assert {"win", "loss"} <= kinds


def test_multipv_ranks_all_moves_by_their_exact_scores(engine: LocalEngine, solver: Solver) -> None:
    for position in middle_games(5):
        lines = engine.analyse(position, multipv=20).lines
        assert [line.multipv for line in lines] == list(range(1, len(position.moves()) + 1))
        assert {line.pv[0] for line in lines} == set(position.moves())
        worths = [-solver.score(position.play(line.pv[0])) for line in lines]
        assert worths == sorted(worths, reverse=True)
        assert [line.score for line in lines] == [
            as_score(solver, position, worth) for worth in worths
        ]


def test_fewer_lines_than_moves_are_the_best_of_them(engine: LocalEngine) -> None:
    (position,) = middle_games(1)
    every = engine.analyse(position, multipv=7).lines
    three = engine.analyse(position, multipv=3).lines
    assert [line.score for line in three] == [line.score for line in every[:3]]


@pytest.mark.parametrize("nodes", [1, 2, 100, 50_000])
def test_nodes_are_a_limit_and_there_is_always_a_move(engine: LocalEngine, nodes: int) -> None:
    position = WIDE.start()
    analysis = engine.analyse(position, SearchLimits(nodes=nodes))
    assert analysis.nodes <= max(nodes, 2)
    assert analysis.best in position.moves()


@pytest.mark.parametrize(
    "moves",
    [
        "3172223333261",
        "273225667132",
        "312735724656",
        "533542132124",
        "666622364115",
        "3711513336141",
        "16671677136143",
        "73475412461277",
    ],
)
def test_what_is_won_or_drawn_stays_so_though_the_score_is_out_of_reach(
    moves: str, solver: Solver
) -> None:
    position = played(GAME, moves)
    best = LocalEngine().analyse(position, SearchLimits(nodes=20_000)).best
    assert best is not None
    assert -solver.score(position.play(best), weak=True) == solver.score(position, weak=True)


@pytest.mark.parametrize("moves", ["4316467152333411", "1473477513672552"])
def test_where_the_book_ends_it_has_looked_at_what_comes_next(moves: str, solver: Solver) -> None:
    engine = LocalEngine()
    before = engine.analyse(played(GAME, moves[:-2]), SearchLimits(nodes=60_000))
    assert GAME.move_name(before.best) == moves[-2]
    position = played(GAME, moves)
    best = engine.analyse(position, SearchLimits(nodes=1_500)).best
    assert -solver.score(position.play(best), weak=True) == solver.score(position, weak=True)


@pytest.mark.parametrize(
    "moves",
    ["71556423126544", "4451475116327", "12511261741143", "65376642147147", "22756446551243"],
)
def test_where_the_book_ends_it_has_looked_at_what_replies_give_away(
    moves: str, solver: Solver
) -> None:
    before, position = played(GAME, moves[:-2]), played(GAME, moves)
    assert solver.score(before, weak=True) < solver.score(position, weak=True)
    engine = LocalEngine()
    assert GAME.move_name(engine.analyse(before, SearchLimits(nodes=60_000)).best) == moves[-2]
    best = engine.analyse(position, SearchLimits(nodes=2_000)).best
    assert -solver.score(position.play(best), weak=True) == solver.score(position, weak=True)


@pytest.mark.parametrize(
    "moves",
    [
        "37544445256552",
        "7427374441617115",
        "6316276232217377",
        "4556666477444775",
    ],
)
def test_two_plies_before_the_book_ends_it_looks_at_what_the_book_will_play(
    moves: str, solver: Solver
) -> None:
    engine = LocalEngine()
    for plies, nodes in ((len(moves) - 4, 100_000), (len(moves) - 2, 1_000)):
        best = engine.analyse(played(GAME, moves[:plies]), SearchLimits(nodes=nodes)).best
        assert GAME.move_name(best) == moves[plies]
    position = played(GAME, moves)
    best = engine.analyse(position, SearchLimits(nodes=1_500)).best
    assert -solver.score(position.play(best), weak=True) == solver.score(position, weak=True)


@pytest.mark.parametrize("moves", ["33", "57464", "1637424"])
def test_what_the_book_knows_is_played_even_when_time_is_up(moves: str) -> None:
    position = played(GAME, moves)
    stop = Stop()
    stop.set()
    best = LocalEngine().analyse(position, stop=stop).best
    book = shipped_book(7, 6)
    assert best is not None
    assert book is not None
    after = book.get(position.play(best))
    assert after is not None
    assert book.get(position) == -after


@pytest.mark.parametrize("moves", ["111177421347", "435766532222", "332731356626"])
def test_the_move_of_the_book_is_played_unless_another_is_proven_to_be_better(moves: str) -> None:
    book, position = shipped_book(7, 6), played(GAME, moves)
    assert book is not None
    engine = LocalEngine()
    for plies in (10, 12):
        best = engine.analyse(played(GAME, moves[:plies]), SearchLimits(nodes=20_000)).best
    assert best == book.move(position)


@pytest.mark.parametrize(
    "moves",
    [
        "3172223333261",
        "3711513336141",
        "75613747562446",
        "54444425462122",
        "2175555533333212",
        "535755541313362",
    ],
)
def test_of_hard_positions_the_book_knows_a_move_even_when_time_is_up(
    moves: str, solver: Solver
) -> None:
    prepare(GAME)  # else a plain search answers, which knows no book
    position = played(GAME, moves)
    stop = Stop()
    stop.set()
    analysis = LocalEngine().analyse(position, stop=stop)
    sign = solver.score(position, weak=True)
    assert analysis.best is not None
    assert -solver.score(position.play(analysis.best), weak=True) == sign
    assert analysis.lines[0].score.kind == ("draw", "win")[sign]


@pytest.mark.parametrize("moves", ["273225667132", "666622364115"])
def test_where_the_book_has_value_and_move_it_is_unpacked_but_for_these(
    moves: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    position = played(GAME, moves)
    book = resources.files("plywire.engine.connect4.book") / "book-7x6.npz"
    with resources.as_file(book) as file:
        engine = LocalEngine(book=file)
    unpack, unpacked = Pieces.content, []

    def counted(pieces: Pieces, number: int) -> list[bytes]:
        unpacked.append(number)
        return unpack(pieces, number)

    monkeypatch.setattr(Pieces, "content", counted)
    stop = Stop()
    stop.set()
    engine.analyse(position, stop=stop)
    assert len(unpacked) == 1


def test_a_depth_short_of_the_end_is_searched_not_solved(engine: LocalEngine) -> None:
    (position,) = middle_games(1)
    assert engine.analyse(GAME.start(), SearchLimits(depth=4)).depth == 4
    # As deep as the game can last, it is solved.
    score = engine.analyse(position, SearchLimits(depth=22)).score
    assert score is not None
    assert score.proven


def test_what_is_told_while_it_runs_ends_with_the_answer(engine: LocalEngine) -> None:
    (position,) = middle_games(1)
    told: list[AnalysisLine] = []
    analysis = engine.analyse(position, on_info=told.append)
    assert told[-1] == analysis.lines[-1]
    assert [line.nodes for line in told] == sorted(line.nodes for line in told)


def test_a_stop_before_the_start_still_gives_a_move(engine: LocalEngine) -> None:
    stop = Stop()
    stop.set()
    analysis = engine.analyse(WIDE.start(), stop=stop)
    assert analysis.best in WIDE.start().moves()
    assert analysis.score is None or not analysis.score.proven


def test_a_stop_ends_a_long_solve_and_the_next_is_right(engine: LocalEngine) -> None:
    stop, going = Stop(), threading.Event()

    def run() -> None:
        # The first line is told as soon as there is a move to fall back on.
        answers.append(engine.analyse(WIDE.start(), on_info=lambda info: going.set(), stop=stop))

    answers: list[object] = []
    thread = threading.Thread(target=run)
    thread.start()
    try:
        assert going.wait(60)
    finally:
        stop.set()
        thread.join(60)
    assert answers
    (late,) = random_positions(Connect4(12, 4), 38, 1, seed=1)
    expected = LocalEngine(hash_mb=1).analyse(late).score
    assert engine.analyse(late).score == expected


def test_infinite_goes_on_after_all_is_proven_until_it_is_stopped(engine: LocalEngine) -> None:
    (position,) = middle_games(1)
    stop = Stop()
    analysis = engine.analyse(
        position, SearchLimits(infinite=True), on_info=lambda info: stop.set(), stop=stop
    )
    assert analysis.best in position.moves()


def test_the_only_move_is_played_at_once_on_a_clock_but_analysed_without(
    engine: LocalEngine,
) -> None:
    position = next(
        position
        for seed in range(1000)
        for position in random_positions(GAME, 36, 1, seed)
        if len(position.moves()) == 1
    )
    assert engine.analyse(position, SearchLimits(movetime=60_000)).nodes == 0
    score = engine.analyse(position).score
    assert score is not None
    assert score.proven


def test_a_depth_that_reaches_the_end_is_solved() -> None:
    (position,) = middle_games(1)
    solved = LocalEngine(book=False).analyse(position)
    assert solved.nodes == LocalEngine(book=False).analyse(position, SearchLimits(depth=22)).nodes
    assert solved.nodes != LocalEngine(book=False).analyse(position, SearchLimits(depth=21)).nodes


def test_clear_forgets_what_was_solved() -> None:
    engine = LocalEngine(book=False)
    position = played(Connect4(), "4444472")
    nodes = [engine.analyse(position).nodes for _ in range(2)]
    engine.clear()
    assert engine.analyse(position).nodes == nodes[0] > nodes[1]


def test_a_solver_is_made_anew_where_an_option_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[tuple[float, int]] = []
    make = Connect4Backend.solver

    def solver(
        backend: Connect4Backend, hash_mb: float, threads: int, *, book: bool = True
    ) -> ExactSolver:
        made.append((hash_mb, threads))
        return make(backend, hash_mb, threads, book=book)

    monkeypatch.setattr(Connect4Backend, "solver", solver)
    engine = LocalEngine(hash_mb=32, book=False)
    position = played(Connect4(), "44444722")
    for change in (lambda: None, lambda: setattr(engine, "threads", 2), lambda: None):
        change()
        engine.analyse(position, SearchLimits(nodes=100))
    engine.threads = 2  # which it is
    engine.hash_mb = 8
    engine.analyse(position, SearchLimits(nodes=100))
    assert made == [(31, 1), (31, 2), (7.5, 2)]


def test_threads_agree(solver: Solver) -> None:
    engine = LocalEngine(hash_mb=4, threads=2)
    for position in middle_games(4):
        assert engine.analyse(position).score == as_score(solver, position, solver.score(position))

import gc
import random
import subprocess
import sys
import threading
import weakref
from collections.abc import Callable
from dataclasses import replace

import pytest

from plywire.engine import readiness
from plywire.engine.analysis import Analysis, AnalysisLine
from plywire.engine.compiled import native
from plywire.engine.engine import DEFAULT_HASH_MB, EngineBusyError, LocalEngine, Stop
from plywire.engine.game import Game, Position, Result
from plywire.engine.limits import ClockTimes, SearchLimits
from plywire.engine.registry import load, names
from plywire.engine.search.hash_table import HashTable
from plywire.engine.search.time_management import Budget
from tests.support.negamax import Negamax
from tests.support.random_play import after_random_moves, first_after_random_moves

#: Only a search that hangs takes as long as this, in seconds.
PATIENCE = 60

every_game = pytest.mark.parametrize("game", [load(name) for name in names()], ids=str)


def timeless(analysis: Analysis) -> Analysis:
    """An analysis without what differs from run to run."""
    lines = tuple(replace(line, time=0) for line in analysis.lines)
    return replace(analysis, lines=lines, time=0)


@pytest.mark.parametrize("threads", [1, 2])
@pytest.mark.parametrize("game", [*map(load, names()), load("connect4", "6x4")], ids=str)
def test_a_search_of_a_game_that_is_ready_makes_no_machine_code(
    game: Game, threads: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    readiness.prepare(game)

    def provide(*_: object) -> None:
        raise AssertionError("a search waits for machine code")

    monkeypatch.setattr(native, "_provide", provide)
    engine = LocalEngine(hash_mb=1, threads=threads, book=False)
    assert engine.analyse(game.start(), SearchLimits(nodes=30_000)).best is not None


class Background:
    """An analysis in a thread of its own, stopped for good at the end of the block."""

    def __init__(self, engine: LocalEngine, position: Position, limits: SearchLimits) -> None:
        self.analysis: Analysis | None = None
        self.running = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(engine, position, limits))
        self._stop = Stop()

    def _run(self, engine: LocalEngine, position: Position, limits: SearchLimits) -> None:
        self.analysis = engine.analyse(position, limits, self._on_info, stop=self._stop)

    def _on_info(self, info: AnalysisLine) -> None:
        self.running.set()

    def __enter__(self) -> "Background":
        self._thread.start()
        if not self.running.wait(PATIENCE):
            self._stop.set()
            raise AssertionError("the search reported nothing")
        return self

    def __exit__(self, *exception: object) -> None:
        self._stop.set()
        self.join()

    def join(self) -> Analysis:
        self._thread.join(PATIENCE)
        assert self.analysis is not None, "the search did not end"
        return self.analysis


class TestLimits:
    @every_game
    @pytest.mark.parametrize("nodes", [1, 2, 7, 100, 5000])
    def test_nodes_are_never_exceeded(self, game: Game, nodes: int) -> None:
        analysis = LocalEngine(hash_mb=1).analyse(game.start(), SearchLimits(nodes=nodes))
        assert analysis.nodes <= nodes
        assert analysis.best in game.start().moves()

    @pytest.mark.parametrize("name", ["connect4", "othello"])
    @pytest.mark.parametrize("nodes", [1, 3, 10, 5000])
    def test_nor_by_several_threads(self, name: str, nodes: int) -> None:
        position = load(name).start()
        analysis = LocalEngine(hash_mb=1, threads=4).analyse(position, SearchLimits(nodes=nodes))
        assert analysis.nodes <= nodes
        assert analysis.best in position.moves()

    def test_nodes_are_used(self) -> None:
        analysis = LocalEngine().analyse(load("othello").start(), SearchLimits(nodes=5000))
        assert 4900 < analysis.nodes <= 5000

    @pytest.mark.parametrize("depth", [1, 2, 5, 8])
    @pytest.mark.parametrize("name", ["connect4", "othello"])
    def test_depth(self, name: str, depth: int) -> None:
        infos: list[AnalysisLine] = []
        analysis = LocalEngine().analyse(
            load(name).start(), SearchLimits(depth=depth), infos.append
        )
        # A game may leave out depths on the way.
        depths = [info.depth for info in infos]
        assert depths == sorted(set(depths))
        assert (depths[0], depths[-1]) == (1, depth)
        assert analysis.depth == depth
        assert analysis.lines == (infos[-1],)

    @every_game
    @pytest.mark.parametrize(
        "limits", [SearchLimits(movetime=0), SearchLimits(clock=ClockTimes(0, 0))]
    )
    def test_with_no_time_at_all_there_is_a_move(self, game: Game, limits: SearchLimits) -> None:
        analysis = LocalEngine().analyse(game.start(), limits)
        assert analysis.best in game.start().moves()
        # One iteration, unless a book knows the score or the move.
        assert analysis.depth == 1 or analysis.score.proven or analysis.nodes == 0

    @pytest.mark.parametrize(
        "limits", [SearchLimits(movetime=30), SearchLimits(clock=ClockTimes(1000, 9, 0, 9))]
    )
    def test_time_ends_a_search(self, limits: SearchLimits) -> None:
        analysis = LocalEngine(book=False).analyse(load("othello").start(), limits)
        assert analysis.depth >= 1
        assert not analysis.score.proven

    def test_the_clock_of_the_player_to_move_counts(self) -> None:
        position = load("othello").start()
        clock = ClockTimes(p1=0, p2=86_400_000)
        assert LocalEngine(book=False).analyse(position, SearchLimits(clock=clock)).depth == 1
        second = position.play(position.moves()[0])
        both = SearchLimits(clock=clock, depth=3)
        assert LocalEngine().analyse(second, both).depth == 3

    def test_a_budget_that_is_given_counts_instead(self) -> None:
        limits = SearchLimits(clock=ClockTimes(86_400_000, 86_400_000))
        position = load("othello").start()
        assert (
            LocalEngine(book=False).analyse(position, limits, budget=Budget(0, 60_000)).depth == 1
        )

    @pytest.mark.parametrize(
        "limits", [SearchLimits(movetime=10**7), SearchLimits(clock=ClockTimes(10**7, 10**7))]
    )
    def test_no_time_is_lost_on_the_only_move(self, limits: SearchLimits) -> None:
        position = first_after_random_moves(
            load("othello"), 30, lambda position: len(position.moves()) == 1
        )
        assert LocalEngine().analyse(position, limits).depth == 1

    @pytest.mark.parametrize(
        ("make", "text"),
        [
            (lambda: SearchLimits(depth=0), "depth must be at least 1, not 0"),
            (lambda: SearchLimits(nodes=-1), "nodes must be at least 1, not -1"),
            (lambda: SearchLimits(movetime=-5), "movetime must be at least 0, not -5"),
            (lambda: ClockTimes(p1=-1, p2=0), "p1 must be at least 0, not -1"),
        ],
    )
    def test_bad_limits_are_refused(self, make: Callable[[], object], text: str) -> None:
        with pytest.raises(ValueError, match=text):
            make()


class TestStop:
    @pytest.mark.parametrize("threads", [1, 3])
    def test_from_another_thread(self, threads: int) -> None:
        engine = LocalEngine(threads=threads)
        position = load("othello").start()
        with Background(engine, position, SearchLimits()) as search:
            engine.stop()
            analysis = search.join()
        assert analysis.best in position.moves()
        assert not analysis.score.proven

    @every_game
    def test_a_token_set_before_the_search(self, game: Game) -> None:
        stop = Stop()
        stop.set()
        analysis = LocalEngine(book=False).analyse(
            game.start(), SearchLimits(infinite=True), stop=stop
        )
        assert analysis.best in game.start().moves()
        assert analysis.depth == 1

    def test_a_token_set_during_the_search(self) -> None:
        stop = Stop()

        def on_info(info: AnalysisLine) -> None:
            if info.depth == 6:
                stop.set()

        analysis = LocalEngine().analyse(load("othello").start(), None, on_info, stop=stop)
        assert analysis.depth == 6

    def test_a_token_serves_one_search(self) -> None:
        stop = Stop()
        position = load("tictactoe").start()
        LocalEngine().analyse(position, stop=stop)
        with pytest.raises(ValueError, match="one search"):
            LocalEngine().analyse(position, stop=stop)

    def test_infinite_waits_for_it_even_after_the_result_is_proven(self) -> None:
        waited = []

        class Waited(Stop):
            def wait(self, timeout: float | None = None) -> bool:
                waited.append(True)
                self.set()
                return super().wait(timeout)

        position = load("tictactoe").start()
        analysis = LocalEngine().analyse(position, SearchLimits(infinite=True), stop=Waited())
        assert waited
        assert analysis.score.kind == "draw"
        waited.clear()
        assert LocalEngine().analyse(position, stop=Waited()).score.kind == "draw"
        assert not waited

    def test_nothing_happens_without_a_search(self) -> None:
        engine = LocalEngine()
        engine.stop()
        assert engine.analyse(load("connect4").start(), SearchLimits(depth=6)).depth == 6


class TestMemory:
    @pytest.mark.parametrize("megabytes", [1, 3, 64])
    def test_hash_bounds_all_tables_together(
        self, megabytes: int, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        tables: weakref.WeakKeyDictionary[object, int] = weakref.WeakKeyDictionary()

        make = HashTable.__init__

        def made(table: HashTable, megabytes: float, bucket_bytes: int) -> None:
            make(table, megabytes, bucket_bytes)
            tables[table] = table.buckets * bucket_bytes

        monkeypatch.setattr(HashTable, "__init__", made)
        engine = LocalEngine(hash_mb=megabytes, book=False)
        connect4, othello = load("connect4"), load("othello")
        for position, limits in [
            (connect4.start(), SearchLimits(depth=4)),
            (connect4.start(), SearchLimits(nodes=40_000)),
            (othello.start(), SearchLimits(depth=4)),
            (connect4.start(), SearchLimits(nodes=40_000)),
            (connect4.start(), SearchLimits(depth=4)),
            (load("connect4", "5x4").start(), SearchLimits(nodes=40_000)),
        ]:
            assert engine.analyse(position, limits).best in position.moves()
            gc.collect()
            used = sum(tables.values())
            assert 0.9 * megabytes * 2**20 < used <= megabytes * 2**20


class TestDeterminism:
    @every_game
    def test_equal_searches_visit_equal_nodes(self, game: Game) -> None:
        position = after_random_moves(game, 2, seed=1)
        limits = SearchLimits(depth=7)
        engine = LocalEngine(hash_mb=1)
        fresh = timeless(engine.analyse(position, limits))
        again = timeless(engine.analyse(position, limits))
        # On a table that is not empty a selective search may come to another score.
        assert again.depth == fresh.depth
        engine.clear()
        assert timeless(engine.analyse(position, limits)) == fresh
        assert timeless(engine.analyse(position, limits)) == again
        assert timeless(LocalEngine(hash_mb=1).analyse(position, limits)) == fresh

    def test_one_game_does_not_disturb_another_in_the_table(self) -> None:
        limits = SearchLimits(depth=6)
        small, usual = load("connect4", "5x4").start(), load("connect4").start()
        engine = LocalEngine()
        engine.analyse(small, limits)
        mixed = engine.analyse(usual, limits)
        assert mixed.score == LocalEngine().analyse(usual, limits).score

    def test_engines_do_not_disturb_each_other(self) -> None:
        limits = SearchLimits(depth=9)
        positions = [after_random_moves(load("connect4"), 4, seed) for seed in range(2)]
        alone = [timeless(LocalEngine().analyse(position, limits)) for position in positions]
        together: dict[int, Analysis] = {}
        start = threading.Barrier(2)

        def run(number: int) -> None:
            engine = LocalEngine()
            start.wait(PATIENCE)
            together[number] = timeless(engine.analyse(positions[number], limits))

        threads = [threading.Thread(target=run, args=(number,)) for number in range(2)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(PATIENCE)
        assert [together[0], together[1]] == alone

    def test_the_score_does_not_depend_on_the_size_of_the_table(self) -> None:
        position = after_random_moves(load("othello"), 48, seed=3)
        scores = {LocalEngine(hash_mb=size).analyse(position).score for size in (1, 16, 64)}
        assert len(scores) == 1


class TestLines:
    @every_game
    @pytest.mark.parametrize("count", [1, 3, 64])
    def test_multipv_gives_the_best_moves_in_order(self, game: Game, count: int) -> None:
        position = after_random_moves(game, 3, seed=0)
        infos: list[AnalysisLine] = []
        analysis = LocalEngine().analyse(
            position, SearchLimits(depth=4), infos.append, multipv=count
        )
        expected = min(count, len(position.moves()))
        assert [line.multipv for line in analysis.lines] == list(range(1, expected + 1))
        assert len({line.pv[0] for line in analysis.lines}) == expected
        assert {line.depth for line in analysis.lines} == {analysis.depth}
        assert analysis.best == analysis.lines[0].pv[0]
        assert tuple(infos[-expected:]) == analysis.lines

    @pytest.mark.parametrize(("name", "plies"), [("tictactoe", 3), ("othello", 53)])
    def test_every_line_has_the_exact_score_of_its_move(self, name: str, plies: int) -> None:
        position = after_random_moves(load(name), plies, seed=4)
        reference = Negamax()
        opposite = {"win": "loss", "loss": "win"}
        lines = LocalEngine().analyse(position, multipv=64).lines
        assert len(lines) == len(position.moves())
        for line in lines:
            child = position.play(line.pv[0])
            score = reference.score(child)
            assert line.score.kind == opposite.get(score.kind, score.kind)
            if score.kind == "exact" and child.turn != position.turn:
                assert line.score.value == -score.value
            if score.kind in opposite:
                assert line.score.value == score.value + 1

    @pytest.mark.parametrize("name", ["connect4", "othello"])
    def test_a_line_is_legal_and_as_long_as_the_search_is_deep(self, name: str) -> None:
        position = load(name).start()
        analysis = LocalEngine(hash_mb=1).analyse(position, SearchLimits(depth=8), multipv=2)
        for line in analysis.lines:
            assert len(line.pv) == 8
            end = position
            for move in line.pv:
                end = end.play(move)

    def test_what_an_info_says(self) -> None:
        infos: list[AnalysisLine] = []
        analysis = LocalEngine(hash_mb=1).analyse(
            load("connect4").start(), SearchLimits(depth=10), infos.append
        )
        nodes = [info.nodes for info in infos]
        assert nodes == sorted(set(nodes))
        assert nodes[-1] == analysis.nodes
        assert 0 < infos[-1].hashfull <= 1000
        assert infos[-1].time <= analysis.time
        assert infos[-1].nps > 0


class TestEngine:
    @every_game
    def test_a_finished_game_has_no_move(self, game: Game) -> None:
        position = game.start()
        while not position.is_over:
            position = position.play(position.moves()[0])
        analysis = LocalEngine().analyse(position, SearchLimits(infinite=True))
        assert analysis == Analysis(best=None, lines=(), nodes=0, time=0)
        assert analysis.score is None

    def test_it_does_one_thing_at_a_time(self) -> None:
        engine = LocalEngine()
        position = load("connect4").start()
        with Background(engine, position, SearchLimits(infinite=True)):
            for attempt in (
                lambda: engine.analyse(position),
                engine.clear,
                lambda: setattr(engine, "threads", 2),
                lambda: setattr(engine, "hash_mb", 2),
            ):
                with pytest.raises(EngineBusyError):
                    attempt()
        assert (engine.threads, engine.hash_mb) == (1, DEFAULT_HASH_MB)
        assert engine.analyse(position, SearchLimits(depth=2)).depth == 2

    def test_a_callback_that_raises_leaves_it_usable(self) -> None:
        def on_info(info: AnalysisLine) -> None:
            raise LookupError

        engine = LocalEngine(threads=2)
        position = load("connect4").start()
        with pytest.raises(LookupError):
            engine.analyse(position, SearchLimits(depth=6), on_info)
        assert engine.analyse(position, SearchLimits(depth=3)).depth == 3

    def test_options_change_between_searches(self) -> None:
        engine = LocalEngine(hash_mb=1)
        position = load("connect4").start()
        engine.analyse(position, SearchLimits(depth=4))
        engine.hash_mb = 2
        engine.threads = 3
        assert engine.analyse(position, SearchLimits(depth=8)).depth == 8

    @pytest.mark.parametrize(
        ("make", "text"),
        [
            (lambda: LocalEngine(hash_mb=0), "hash must be from 1 to 262144, not 0"),
            (lambda: LocalEngine(hash_mb=-1), "hash must be from 1"),
            (lambda: LocalEngine(threads=0), "threads must be from 1 to 1024, not 0"),
            (lambda: setattr(LocalEngine(), "threads", -3), "threads must be"),
            (lambda: setattr(LocalEngine(), "hash_mb", 10**9), "hash must be"),
            (
                lambda: LocalEngine().analyse(load("tictactoe").start(), multipv=0),
                "multipv must be",
            ),
        ],
    )
    def test_bad_arguments_are_refused(self, make: Callable[[], object], text: str) -> None:
        with pytest.raises(ValueError, match=text):
            make()

    @every_game
    def test_static_evaluation(self, game: Game) -> None:
        engine = LocalEngine()
        assert engine.evaluate(game.start()).kind == "cp"

    def test_static_evaluation_of_finished_games(self) -> None:
        engine = LocalEngine()
        lost = load("tictactoe").parse("xxx/oo1/3 o")
        assert (engine.evaluate(lost).kind, engine.evaluate(lost).value) == ("loss", 0)
        drawn = load("tictactoe").parse("xox/xxo/oxo o")
        assert engine.evaluate(drawn).kind == "draw"
        ended = load("othello").parse("xxxxxxxx/xxxxxxxx/8/3xx3/3xx3/8/8/8 o")
        assert (engine.evaluate(ended).kind, engine.evaluate(ended).value) == ("exact", -64)

    def test_importing_it_does_not_import_numba(self) -> None:
        code = (
            "import sys, plywire.engine.engine as engine;"
            "engine.LocalEngine();"
            "sys.exit(bool({'numba', 'numpy'} & set(sys.modules)))"
        )
        assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


class TestPlay:
    def play(self, game: Game, *players: Callable[[Position], int]) -> Result:
        position = game.start()
        while not position.is_over:
            position = position.play(players[position.turn](position))
        result = position.result()
        assert result is not None
        return result

    def test_tictactoe_against_itself_is_drawn(self) -> None:
        engine = LocalEngine(hash_mb=1)

        def player(position: Position) -> int:
            best = engine.analyse(position).best
            assert best is not None
            return best

        for _ in range(3):
            assert self.play(load("tictactoe"), player, player).winner is None

    @pytest.mark.parametrize(
        ("name", "games", "nodes"),
        [("tictactoe", 50, 100_000), ("connect4", 20, 3_000), ("othello", 10, 3_000)],
    )
    def test_random_play_does_not_beat_it(self, name: str, games: int, nodes: int) -> None:
        chance = random.Random(20)
        engine = LocalEngine(hash_mb=1)

        def player(position: Position) -> int:
            best = engine.analyse(position, SearchLimits(nodes=nodes)).best
            assert best is not None
            return best

        def opponent(position: Position) -> int:
            return chance.choice(position.moves())

        for number in range(games):
            turn = number % 2
            players = (player, opponent) if turn == 0 else (opponent, player)
            winner = self.play(load(name), *players).winner
            assert winner == turn or (name == "tictactoe" and winner is None)

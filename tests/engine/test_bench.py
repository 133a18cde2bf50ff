from plywire.engine import bench
from plywire.engine.registry import names


def test_every_game_has_a_suite() -> None:
    assert set(bench.suites()) == set(names())


def test_running_twice_gives_the_same() -> None:
    first, second = bench.run("othello"), bench.run("othello")
    assert first.signature == second.signature
    assert first.nodes == second.nodes
    assert first.nps > 0


def test_the_total_covers_all_games() -> None:
    tictactoe, othello = bench.run("tictactoe"), bench.run("othello")
    both = bench.total([tictactoe, othello])
    assert both.nodes == tictactoe.nodes + othello.nodes
    assert both.positions == tictactoe.positions + othello.positions
    assert both.signature not in (tictactoe.signature, othello.signature)
    assert both.signature != bench.total([tictactoe]).signature

"""Published counts of the tree of games, and the command that prints them."""

import re

import pytest
import typer
from typer.testing import CliRunner

from plywire.engine.perft import Count, Subtree, split
from plywire.engine.registry import backend_of, load
from plywire.server.cli import perft as command
from tests.support import walks

#: Passes and games that end early follow.
PASSES = "xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxo/xxxxxxx1/xxxxxxx1/xxxxxx2/xxxxxxx1 o"


def perft(name: str, depth: int, size: str | None = None) -> Count:
    parts = split(load(name, size).start(), depth)
    return sum((part.count() for part in parts), Count())


def test_connect4_leaves() -> None:
    published = [1, 7, 49, 343, 2401, 16807, 117649, 823536, 5673234, 39394572]
    assert [perft("connect4", depth).leaves for depth in range(10)] == published


def test_othello_together() -> None:
    published = [1, 4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288, 24571284]
    assert [perft("othello", depth).together for depth in range(11)] == published


def test_tictactoe_together() -> None:
    assert perft("tictactoe", 9) == Count(leaves=127872, finished=127296)
    assert perft("tictactoe", 9).together == 255168
    assert perft("tictactoe", 20) == Count(leaves=0, finished=255168)


@pytest.mark.parametrize(
    ("name", "size", "fen", "depth"),
    [
        ("connect4", "4x4", None, 7),
        ("connect4", "4x15", None, 5),
        (
            "othello",
            None,
            "xxxxxxxx/xxxxxxxx/xxxxxxxx/xxxxxxxo/xxxxxxx1/xxxxxxx1/xxxxxx2/xxxxxxx1 o",
            6,
        ),
        ("tictactoe", None, "xo1/3/3 x", 7),
    ],
)
def test_counts_agree_with_the_rules(
    name: str, size: str | None, fen: str | None, depth: int
) -> None:
    game = load(name, size)
    root = game.parse(fen) if fen else game.start()
    for plies in range(depth + 1):
        expected = Count(*walks.perft(root, plies))
        assert Subtree(None, root, plies).count() == expected
        assert sum((part.count() for part in split(root, plies)), Count()) == expected


def test_a_game_may_count_its_own_way() -> None:
    own, shared = (backend_of(load(name)).perft_program() for name in ("othello", "connect4"))
    assert own.source == "plywire.engine.othello.perft:entries"
    assert shared.source == "plywire.engine.search.tree:entries"


def test_parts_know_their_root_move() -> None:
    root = load("connect4").start()
    parts = split(root, 9)
    assert {part.root_move for part in parts} == set(root.moves())
    assert {part.position.turn for part in split(root, 0)} == {0}


# ---- the command ---------------------------------------------------------------------------------


def run(*arguments: str) -> tuple[int, str, str]:
    app = typer.Typer()
    app.command()(command.main)
    result = CliRunner().invoke(app, arguments)
    return result.exit_code, result.stdout, result.stderr


def test_the_command_prints_the_three_counts() -> None:
    status, out, _ = run("connect4", "8")
    assert status == 0
    assert "leaves   5673234\nfinished 13032\ntogether 5686266\n" in out
    assert re.search(r"^\d+\.\d+ s, \d+\.\d Mnps$", out, re.MULTILINE)


def test_divide_names_each_root_move() -> None:
    _, out, _ = run("othello", "6", "--divide", "--threads", "2")
    counts = dict(re.findall(r"^([a-h][1-8]) +(\d+)$", out, re.MULTILINE))
    assert counts == dict.fromkeys(("d3", "c4", "f5", "e6"), "2050")


def test_any_position_and_size() -> None:
    _, out, _ = run(
        "connect4", "1", "--size", "4x4", "--position", "1xo1/1ox1/1xo1/1ox1 x", "--divide"
    )
    assert "1        1\n4        1\nleaves   2\n" in out


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("chess", "1"), "unknown game 'chess'"),
        (("othello", "1", "--size", "6x6"), "8x8"),
        (("connect4", "1", "--position", "nonsense"), "nonsense"),
        (("connect4", "--", "-1"), "greater"),
        (("connect4", "1", "--threads", "0"), "greater"),
    ],
)
def test_bad_input_is_one_message(arguments: tuple[str, ...], complaint: str) -> None:
    status, out, error = run(*arguments)
    assert status == 2
    assert out == ""
    assert complaint in error
    assert "Traceback" not in error

"""Games by their names, ours and those of other distributions."""

import sys
from collections.abc import Iterator
from importlib.metadata import EntryPoints
from pathlib import Path

import pytest

from plywire.engine import registry
from plywire.engine.game import PositionError, UnknownGameError


def test_the_three_games_are_registered() -> None:
    assert registry.names()[:3] == ("connect4", "othello", "tictactoe")
    for name in registry.names()[:3]:
        game = registry.load(name)
        assert game.name == name
        assert registry.load(name, game.size) == game
        assert hash(registry.load(name, game.size.upper())) == hash(game)


def test_unknown_games_are_named_with_the_known() -> None:
    with pytest.raises(UnknownGameError, match="unknown game 'chess': the games are connect4, oth"):
        registry.load("chess")


@pytest.mark.parametrize("size", ["", "7", "7x", "x6", "0x6", "7x6x5", "-7x6", "7 x6", "٧x6"])
def test_malformed_sizes_are_refused(size: str) -> None:
    with pytest.raises(PositionError, match="write WIDTHxHEIGHT, such as 7x6"):
        registry.load("connect4", size)


@pytest.mark.parametrize(
    ("name", "size", "accepted"),
    [
        ("connect4", "3x6", r"width and height are at least 4, and width\*\(height\+1\) is at mo"),
        ("connect4", "6x3", "at least 4"),
        ("connect4", "9x7", "at most 64"),
        ("connect4", "99x99", "no Connect Four board of 99x99"),
        ("othello", "10x10", "no Othello board of 10x10: it is 8x8"),
        ("tictactoe", "4x4", "no Tic-Tac-Toe board of 4x4: it is 3x3"),
    ],
)
def test_impossible_sizes_are_refused(name: str, size: str, accepted: str) -> None:
    with pytest.raises(PositionError, match=accepted):
        registry.load(name, size)


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Another distribution, which brings rules and a backend under one name, rules under another.

    It also offers a game under a name of ours.
    """
    info = tmp_path / "plywire_noughts-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: plywire-noughts\nVersion: 1\n")
    (info / "entry_points.txt").write_text(
        "[plywire.games]\n"
        "noughts = plywire_noughts:Noughts\n"
        "rules-alone = plywire_noughts:RulesAlone\n"
        "othello = plywire_noughts:Noughts\n"
        "[plywire.backends]\n"
        "noughts = plywire.engine.tictactoe.backend:TicTacToeBackend\n"
    )
    (tmp_path / "plywire_noughts.py").write_text(
        "from plywire.engine.tictactoe.rules import TicTacToe\n"
        "class Noughts(TicTacToe):\n"
        "    name = 'noughts'\n"
        "class RulesAlone(TicTacToe):\n"
        "    name, title = 'rules-alone', 'Rules alone'\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    registry.installed.cache_clear()
    yield
    sys.modules.pop("plywire_noughts", None)
    registry.installed.cache_clear()


@pytest.mark.usefixtures("installed")
def test_games_of_other_distributions_are_found_by_their_entry_points() -> None:
    assert registry.names()[:3] == ("connect4", "othello", "tictactoe")
    assert {"noughts", "rules-alone"} <= set(registry.names())
    game = registry.load("noughts")
    assert game.name == "noughts"
    backend = registry.backend_of(game)
    assert (type(backend).__name__, backend.game) == ("TicTacToeBackend", game)


@pytest.mark.usefixtures("installed")
def test_a_game_of_ours_cannot_be_replaced() -> None:
    assert registry.names().count("othello") == 1
    assert registry.load("othello").title == "Othello"


@pytest.mark.usefixtures("installed")
def test_rules_without_a_backend_say_that_no_engine_plays_them() -> None:
    with pytest.raises(UnknownGameError, match="no engine plays Rules alone"):
        registry.backend_of(registry.load("rules-alone"))


def test_what_is_installed_is_looked_up_once(monkeypatch: pytest.MonkeyPatch) -> None:
    registry.names()

    def read_again(**_: str) -> EntryPoints:
        raise AssertionError("the files of all distributions were read again")

    monkeypatch.setattr(registry, "entry_points", read_again)
    registry.names()
    with pytest.raises(UnknownGameError, match="unknown game 'chess'"):
        registry.load("chess")

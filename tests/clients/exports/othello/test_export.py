"""The exported files, by themselves, in the loops of their judges."""

import ast
import random
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from plywire.clients.exports.othello import export, packing
from plywire.clients.play.players.base import GameLine
from plywire.clients.play.players.local import GreedyPlayer
from plywire.engine.othello.rules import Othello
from plywire.engine.search.stop import Stop
from plywire.protocol.messages.limits import Limits
from tests.support.judges import BotzoneJudge, CodinGameJudge, Judge
from tests.support.negamax import Negamax
from tests.support.random_play import random_game

#: A bot in plain Python, on a busy machine, must still look a few plies ahead.
SECONDS = 0.05


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Files of bots whose weights were chosen by few games."""
    folder = tmp_path_factory.mktemp("bots")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(packing, "_GAMES", 50)
        patched.setattr(packing, "_HALVINGS", 4)
        packed = packing.pack(lambda packed: len(packed.weights) < 80_000)
        patched.setattr(export, "_weights", lambda: packed)
        (folder / "bot.zip").write_bytes(export.botzone(SECONDS))
        (folder / "othello.py").write_text(export.codingame(SECONDS), "utf-8")
        packing._candidates.cache_clear()
        yield folder


@pytest.mark.parametrize(
    "judge",
    [
        lambda folder: BotzoneJudge(folder / "bot.zip"),
        lambda folder: CodinGameJudge(folder / "othello.py", is_upside_down=True),
    ],
    ids=["botzone", "codingame"],
)
def test_it_wins_alone(judge: Callable[[Path], Judge], folder: Path) -> None:
    line, greedy = GameLine.at(Othello().start()), GreedyPlayer()
    with judge(folder) as bot:
        while not line.position.is_over:
            if line.position.turn == 1:
                line = line.play(bot.move(line))
            else:
                line = line.play(greedy.think(line, Limits(), Stop()))
    result = line.position.result()
    assert result is not None
    assert result.winner == 1, line.names


@pytest.mark.parametrize(
    "judge",
    [
        lambda folder: BotzoneJudge(folder / "bot.zip"),
        lambda folder: CodinGameJudge(folder / "othello.py"),
    ],
    ids=["botzone", "codingame"],
)
def test_the_first_player_may_be_asked_in_the_middle_of_a_game(
    judge: Callable[[Path], Judge], folder: Path
) -> None:
    line = GameLine.at(Othello().start()).play_names(["d3", "c3", "c4", "e3"])
    with judge(folder) as bot:
        assert bot.move(line) in [move.name for move in line.legal_moves]


@pytest.mark.parametrize(
    "judge",
    [
        lambda folder: BotzoneJudge(folder / "bot.zip"),
        lambda folder: CodinGameJudge(folder / "othello.py"),
        lambda folder: CodinGameJudge(folder / "othello.py", is_upside_down=True),
    ],
    ids=["botzone", "codingame", "codingame upside down"],
)
def test_the_last_squares_are_played_best(judge: Callable[[Path], Judge], folder: Path) -> None:
    exact = Negamax()
    line = GameLine.at(Othello().start())
    for position, move in random_game(Othello(), random.Random(7)):
        if position.plies_left == 6 and len(position.moves()) > 1:
            break
        line = line.play(move)
    name = position.game.move_name
    worths = {name(move): -exact.score(position.play(move)).value for move in position.moves()}
    best = {move for move, worth in worths.items() if worth == max(worths.values())}
    assert name(position.moves()[0]) not in best  # which a bot plays that cannot read the board
    with judge(folder) as bot:
        assert bot.move(line) in best


def test_sources_need_numpy_alone(folder: Path) -> None:
    source = (folder / "othello.py").read_text("utf-8")
    with zipfile.ZipFile(folder / "bot.zip") as archive:
        sources = [source, archive.read("__main__.py").decode()]
    for tree in (ast.parse(text, feature_version=(3, 6)) for text in sources):
        imported = {
            name
            for node in ast.walk(tree)
            for name in (
                [alias.name for alias in node.names]
                if isinstance(node, ast.Import)
                else [node.module or ""]
                if isinstance(node, ast.ImportFrom)
                else []
            )
        }
        assert imported <= {*sys.stdlib_module_names, "numpy"}

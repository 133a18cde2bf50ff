"""What exported bots know of the evaluation, against the engine's own."""

import base64
import io
import lzma
import random
import zipfile
from typing import Any

import numpy as np
import pytest

from plywire.clients.exports.othello import agent, packing
from plywire.clients.exports.othello.export import MOST_CHARACTERS, botzone, codingame
from plywire.clients.play.players.base import GameLine, LocalPlayer
from plywire.clients.play.players.local import EnginePlayer, GreedyPlayer
from plywire.engine.compiled.native import load
from plywire.engine.othello.evaluation import weights as engines
from plywire.engine.othello.evaluation.patterns import IMAGES, PATTERNS
from plywire.engine.othello.rules import Othello, OthelloPosition
from plywire.engine.registry import backend_of
from plywire.engine.search.stop import Stop
from plywire.protocol.messages.limits import Limits
from tests.support.sessions import ROOT

#: As far as the bot looks ahead in games, in plies; time does not count.
PLIES = 2


@pytest.fixture(scope="module")
def exported() -> dict[str, Any]:
    """The names in an exported file."""
    names: dict[str, Any] = {"__name__": "exported"}
    exec(codingame(1.0), names)
    return names


@pytest.fixture(scope="module")
def positions() -> list[OthelloPosition]:
    """300 positions of games that level 4 plays with itself."""
    player, chance, found = EnginePlayer(level=4, seed=45, book=False), random.Random(45), []
    player.prepare(Othello())
    while len(found) < 300:
        line = GameLine.at(Othello().start())
        while (plies := len(line.names)) < 52 and not line.position.is_over:
            assert isinstance(line.position, OthelloPosition)
            if plies > 3:
                found.append(line.position)
                line = line.play(player.think(line, Limits(), Stop()))
            else:
                line = line.play(chance.choice(line.legal_moves))
    return found[:300]


@pytest.fixture(scope="module")
def estimates(positions: list[OthelloPosition]) -> np.ndarray:
    """What the engine says of the positions, in hundredths of a disc."""
    backend = backend_of(positions[0].game)
    evaluate = load(backend.program()).evaluate_root
    board = tuple(map(int, backend.board()))
    return np.array([evaluate(*board, *position.words()) for position in positions])


def by_agent(evaluation: Any, positions: list[OthelloPosition]) -> np.ndarray:
    words = (position.words() for position in positions)
    boards = ([np.array([word], np.uint64) for word in pair] for pair in words)
    return np.array([int(evaluation(own, other)[0]) for own, other in boards])


def test_with_all_weights_an_estimate_is_the_engines(
    positions: list[OthelloPosition], estimates: np.ndarray
) -> None:
    evaluation = packing.exact()
    errors = by_agent(evaluation, positions) - estimates
    assert np.sqrt((errors**2).mean()) < engines.UNIT
    # The engine has one table for two numbers of empty squares. Without that, only the rounding of
    # each weight is left: half of the engine's unit, and half of a hundredth.
    most = len(PATTERNS) * IMAGES * (engines.UNIT / engines.WEIGHT_UNIT + 1) / 2
    for position, expected in zip(positions, estimates, strict=True):
        first = position.plies_left // 2 * 2
        tables = [evaluation._table(empty).astype(float) for empty in (first, first + 1)]
        own, other = (np.array([word], np.uint64) for word in position.words())
        found = evaluation._averages[position.plies_left]
        found += np.mean([table[evaluation.indices(own, other)].sum() for table in tables])
        assert abs(np.clip(found, -6400, 6400) - expected) <= most


def test_an_exported_estimate_is_the_engines_but_for_rounding(
    exported: dict[str, Any], positions: list[OthelloPosition], estimates: np.ndarray
) -> None:
    found = by_agent(exported["player"]()._evaluate, positions)
    errors = found - estimates
    assert np.sqrt((errors**2).mean()) < 4 * engines.UNIT
    assert abs(errors.mean()) < engines.UNIT
    assert np.corrcoef(found, estimates)[0, 1] > 0.97


def test_exported_weights_are_the_engines_in_the_unit_that_the_file_says(
    exported: dict[str, Any],
) -> None:
    packed = lzma.decompress(
        base64.b85decode(exported["WEIGHTS"]), lzma.FORMAT_RAW, filters=agent.FILTERS
    )
    shipped = engines.Weights.load(engines.SHIPPED)
    knots = [shipped.knots.tolist().index(knot) for knot in exported["KNOTS"]]
    values = shipped.values[knots] * (engines.UNIT / engines.WEIGHT_UNIT)
    found = np.frombuffer(packed, np.int8).reshape(values.shape) * exported["UNIT"]
    kept = found != 0
    assert (abs(found - values)[kept] <= exported["UNIT"] / 2).all()
    assert kept.mean() > 0.05
    assert exported["AVERAGES"] == tuple(shipped.averages.tolist())


def test_the_file_is_as_full_as_it_may_be() -> None:
    size = len(codingame(0.06))
    assert 0.97 * MOST_CHARACTERS < size < MOST_CHARACTERS
    with zipfile.ZipFile(io.BytesIO(botzone(0.06))) as archive:
        assert archive.getinfo("__main__.py").file_size < MOST_CHARACTERS
    page = (ROOT / "docs/how-to/export-a-bot.md").read_text("utf-8")
    assert f"{size / 1000:.0f} KB of Python each" in page


@pytest.mark.parametrize(
    "opponent",
    [GreedyPlayer, lambda: EnginePlayer(level=3, seed=3, book=False)],
    ids=["greedy", "level 3"],
)
def test_an_exported_bot_wins(exported: dict[str, Any], opponent: Any) -> None:
    other: LocalPlayer = opponent()
    other.prepare(Othello())
    assert sum(bot_wins(exported, other, number) for number in range(4)) >= 3


def bot_wins(exported: dict[str, Any], other: LocalPlayer, number: int) -> bool:
    """Whether the bot wins a game that begins with four random plies, the seats by turns."""
    search, line, chance = (
        exported["player"](),
        GameLine.at(Othello().start()),
        random.Random(number // 2),
    )
    for _ in range(4):
        line = line.play(chance.choice(line.legal_moves))
    while (result := line.position.result()) is None:
        if line.position.turn == number % 2:
            assert isinstance(line.position, OthelloPosition)
            line = line.play(search.best(*line.position.words(), 1e9, PLIES))
        else:
            line = line.play(other.think(line, Limits(), Stop()))
    return result.winner == number % 2

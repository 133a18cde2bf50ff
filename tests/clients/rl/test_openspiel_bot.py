import sys
from collections.abc import Iterator

import pytest

if sys.version_info >= (3, 14):
    pytest.skip("OpenSpiel is not built for this Python", allow_module_level=True)

import pyspiel

from plywire.clients import SimpleEngine
from plywire.clients.rl.openspiel_bot import OpenSpielBot


@pytest.fixture(scope="module")
def engine() -> Iterator[SimpleEngine]:
    with SimpleEngine("engine:nodes=2000,seed=1") as engine:
        yield engine


@pytest.mark.parametrize(
    "name", ["connect_four", "connect_four(columns=5,rows=4)", "othello", "tic_tac_toe"]
)
def test_openspiel_has_it_play_whole_games_for_both_sides(name: str, engine: SimpleEngine) -> None:
    game = pyspiel.load_game(name)
    other = pyspiel.make_uniform_random_bot(1, 5)
    first = pyspiel.evaluate_bots(game.new_initial_state(), [OpenSpielBot(engine), other], 7)
    other = pyspiel.make_uniform_random_bot(0, 5)
    second = pyspiel.evaluate_bots(game.new_initial_state(), [other, OpenSpielBot(engine)], 7)
    assert first[0] == 1
    assert second[1] >= 0


@pytest.mark.parametrize("name", ["breakthrough", "connect_four(x_in_row=5)"])
def test_other_games_are_refused(name: str, engine: SimpleEngine) -> None:
    state = pyspiel.load_game(name).new_initial_state()
    with pytest.raises(ValueError, match=r"it is one of connect_four, othello, tic_tac_toe"):
        OpenSpielBot(engine).step(state)

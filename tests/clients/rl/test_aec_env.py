"""PettingZoo's own tests, of our environments."""

import warnings

import numpy as np
import pettingzoo
import pytest

import plywire.clients.rl  # noqa: F401 - registers them
from plywire.clients.rl.aec_env import TwoPlayerEnv, env

with warnings.catch_warnings():
    warnings.simplefilter("ignore", DeprecationWarning)  # of an import of its own
    from pettingzoo.test import api_test, seed_test

#: What it says of every environment with masks but its own, which it knows by name.
EXPECTED = (
    "Observation is not a NumPy array",
    "Observation space for each agent probably should be",
    "Observation numpy array is all zeros",  # of an empty board
    "Action mask numpy array is all zeros",  # of who is not to move, or when the game is over
)
NAMES = ["connect4", "othello", "tictactoe"]


@pytest.mark.parametrize("name", NAMES)
def test_they_keep_to_the_api(name: str) -> None:
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        api_test(pettingzoo.make("aec", f"plywire/{name}-v0"), num_cycles=300)
    said = [str(warning.message) for warning in caught]
    assert [line for line in said if not line.startswith(EXPECTED)] == []


@pytest.mark.parametrize("name", NAMES)
def test_they_are_deterministic(name: str) -> None:
    seed_test(lambda: env(name), num_cycles=100)


@pytest.mark.parametrize(
    ("name", "theirs"),
    [("connect4", "classic/connect_four-v3"), ("tictactoe", "classic/tictactoe-v3")],
)
def test_they_are_as_those_that_pettingzoo_has(name: str, theirs: str) -> None:
    mine, other = TwoPlayerEnv(name), pettingzoo.make("aec", theirs).unwrapped
    chance = np.random.default_rng(11)
    for _ in range(30):
        mine.reset()
        other.reset()
        while not any(mine.terminations.values()):
            for agent, twin in zip(mine.possible_agents, other.possible_agents, strict=True):
                seen, expected = mine.observe(agent), other.observe(twin)
                assert (seen["observation"] == expected["observation"]).all()
                assert (seen["action_mask"] == expected["action_mask"]).all()
            assert mine.possible_agents.index(mine.agent_selection) == other.possible_agents.index(
                other.agent_selection
            )
            legal = np.flatnonzero(mine.last()[0]["action_mask"])
            action = chance.choice(legal)
            mine.step(action)
            other.step(action)
            assert list(mine.rewards.values()) == list(other.rewards.values())
        assert all(other.terminations.values())


def test_who_cannot_move_passes_and_may_do_nothing_else() -> None:
    mine = TwoPlayerEnv("othello")
    mine.reset()
    chance = np.random.default_rng(0)
    passes = 0
    for _ in range(20):
        mine.reset()
        while not any(mine.terminations.values()):
            legal = np.flatnonzero(mine.last()[0]["action_mask"])
            if 64 in legal:
                assert list(legal) == [64]
                passes += 1
            mine.step(chance.choice(legal))
    assert passes


def test_an_illegal_move_loses() -> None:
    guarded = env("othello")
    guarded.reset()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it is told of
        guarded.step(0)
    assert guarded.rewards == {"player_0": -1, "player_1": 0}
    assert all(guarded.terminations.values())


def test_the_board_is_shown() -> None:
    shown = env("tictactoe", render_mode="ansi")
    shown.reset()
    assert "a b c" in shown.render()

"""Gymnasium's own check, of our environments, and what they say of regret."""

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import plywire.clients.rl  # noqa: F401 - registers them
from plywire.clients import SimpleEngine
from plywire.clients.rl.gym_env import OnePlayerEnv
from plywire.clients.rl.policy import Policy
from plywire.engine.othello.rules import Othello


@pytest.mark.parametrize("name", ["connect4", "othello", "tictactoe"])
def test_they_keep_to_the_api(name: str) -> None:
    env = gymnasium.make(f"plywire/{name}-v0")
    check_env(env.unwrapped)
    env.close()


def first_legal(observation: dict[str, np.ndarray]) -> int:
    return int(np.flatnonzero(observation["action_mask"])[0])


def test_regret_is_exact_in_connect_four() -> None:
    """d1 alone wins, c1 and e1 draw, the others lose: the values of the first move are known."""
    regrets = []
    for action in range(7):
        env = OnePlayerEnv("connect4", opponent=first_legal, seat=0)
        env.reset()
        info = env.step(action)[4]
        regrets.append(info["regret"])
    assert regrets == [2, 2, 1, 0, 1, 2, 2]


def test_regret_sums_to_what_was_lost() -> None:
    """Against perfect play the result is the value of the start, less all regrets."""
    with SimpleEngine("engine:seed=1") as engine:
        env = OnePlayerEnv("tictactoe", opponent=Policy(engine, "tictactoe"))
        chance = np.random.default_rng(1)
        for seed in range(6):
            observation, _ = env.reset(seed=seed)
            lost, is_over, reward = 0, False, 0.0
            while not is_over:
                action = chance.choice(np.flatnonzero(observation["action_mask"]))
                observation, reward, is_over, _, info = env.step(action)
                lost += info["regret"]
            assert reward == -lost, "a draw is what Tic-Tac-Toe is worth"


def test_regret_is_missing_where_it_is_not_proven() -> None:
    env = OnePlayerEnv("othello", seat=0)
    observation, _ = env.reset(seed=1)
    told, is_over = [], False
    while not is_over:
        empty = env.position.plies_left
        observation, _, is_over, _, info = env.step(first_legal(observation))
        told.append((empty, info.get("regret")))
    assert {regret for empty, regret in told if empty > 18} == {None}
    late = [regret for empty, regret in told if empty <= 14]
    assert late
    assert all(isinstance(regret, int) and regret >= 0 for regret in late)


def test_without_nodes_there_is_no_regret() -> None:
    env = OnePlayerEnv("connect4", regret_nodes=0)
    env.reset(seed=0)
    assert env.step(3)[4] == {}


def test_an_illegal_move_loses() -> None:
    env = OnePlayerEnv("othello", render_mode="ansi")
    env.reset(seed=0)
    assert env.encoding.game == Othello()
    _, reward, terminated, _, _ = env.step(0)
    assert (reward, terminated) == (-1, True)
    assert "a b c" in (env.render() or "")

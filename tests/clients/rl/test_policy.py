from collections.abc import Iterator

import numpy as np
import pettingzoo
import pytest

from plywire.clients import SimpleEngine
from plywire.clients.rl.policy import Policy


@pytest.fixture(scope="module")
def engine() -> Iterator[SimpleEngine]:
    with SimpleEngine("engine:nodes=2000,seed=1") as engine:
        yield engine


@pytest.mark.parametrize(
    ("theirs", "game"),
    [
        ("classic/connect_four-v3", "connect4"),
        ("classic/tictactoe-v3", "tictactoe"),
        ("plywire/othello-v0", "othello"),
    ],
)
@pytest.mark.parametrize("seat", [0, 1])
def test_it_beats_chance_in_environments_of_pettingzoo(
    theirs: str, game: str, seat: int, engine: SimpleEngine
) -> None:
    env, policy = pettingzoo.make("aec", theirs), Policy(engine, game)
    env.reset()
    us, rewards = env.possible_agents[seat], {}
    chance = np.random.default_rng(3)
    for agent in env.agent_iter():
        observation, rewards[agent], terminated, _, _ = env.last()
        legal = np.flatnonzero(observation["action_mask"])
        if terminated:
            env.step(None)
        else:
            env.step(policy(observation) if agent == us else chance.choice(legal))
    env.close()
    assert rewards[us] == 1


def test_what_is_no_position_of_the_game_is_refused(engine: SimpleEngine) -> None:
    policy = Policy(engine, "connect4")
    with pytest.raises(ValueError, match=r"shape \(3, 3, 2\): Connect Four has \(6, 7, 2\)"):
        policy({"observation": np.zeros((3, 3, 2))})
    with pytest.raises(ValueError, match="x begins"):
        policy({"observation": np.ones((6, 7, 2))})

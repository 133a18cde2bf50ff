"""Our games as environments of PettingZoo, in which agents take turns.

env = pettingzoo.make("aec", "plywire/othello-v0")
"""

from typing import Any

import gymnasium
import numpy as np
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from plywire.engine.registry import load

from .encoding import Encoding, Observation


def env(game: str = "connect4", size: str | None = None, render_mode: str | None = None) -> AECEnv:
    """Return the environment in PettingZoo's usual wrappers: an illegal move loses the game."""
    guarded = wrappers.TerminateIllegalWrapper(
        TwoPlayerEnv(game, size, render_mode), illegal_reward=-1
    )
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(guarded))


class TwoPlayerEnv(AECEnv):  # type: ignore[misc]  # without types
    """A game in which `player_0` begins; a win is rewarded 1, a loss -1."""

    def __init__(
        self, game: str = "connect4", size: str | None = None, render_mode: str | None = None
    ) -> None:
        """Set up a game; in render mode `ansi`, `render` returns the board as text."""
        super().__init__()
        self.encoding = Encoding(load(game, size))
        self.metadata = {
            "name": f"plywire_{game}_v0",
            "render_modes": ["ansi"],
            "is_parallelizable": False,
        }
        self.render_mode = render_mode
        self.possible_agents = ["player_0", "player_1"]

    def observation_space(self, agent: str) -> gymnasium.spaces.Dict:
        return self.encoding.observation_space

    def action_space(self, agent: str) -> gymnasium.spaces.Discrete:
        return self.encoding.action_space

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game; the game has no randomness."""
        self.position = self.encoding.game.start()
        self.agents = self.possible_agents[:]
        self.agent_selection = self.agents[0]
        self.rewards = dict.fromkeys(self.agents, 0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}

    def observe(self, agent: str) -> Observation:
        return self.encoding.observe(self.position, self.possible_agents.index(agent))

    def step(self, action: np.int64 | int | None) -> None:
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        self.position = self.position.play(self.encoding.moves(self.position)[int(action or 0)])
        self._cumulative_rewards[self.agent_selection] = 0
        if (result := self.position.result()) is not None:
            self.terminations = dict.fromkeys(self.agents, True)
            if result.winner is not None:
                winner = self.agents[result.winner]
                self.rewards = {agent: 1 if agent == winner else -1 for agent in self.agents}
        self.agent_selection = self.agents[self.position.turn]
        self._accumulate_rewards()

    def render(self) -> str | None:
        return self.position.board() if self.render_mode == "ansi" else None

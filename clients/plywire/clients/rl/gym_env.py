"""Our games against an opponent, as environments of Gymnasium, with the regret of each move.

env = gymnasium.make("plywire/connect4-v0", opponent=policy)
"""

from collections.abc import Callable
from typing import Any, ClassVar, SupportsFloat

import gymnasium
import numpy as np

from plywire.clients.play.judging.oracle import Oracle
from plywire.engine.game import Position
from plywire.engine.registry import backend_of, load

from .encoding import Encoding, Observation


class OnePlayerEnv(gymnasium.Env[dict[str, Any], np.int64]):
    """A game in which the opponent is part of the environment.

    A win is rewarded 1, a loss -1; an illegal action ends the game with -1. `encoding` defines
    observations and actions.

    After a move, `info["regret"]` is the mover's exact loss against the best move. It is in discs
    in Othello, else with win 1, draw 0 and loss -1. An unproven regret is missing.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 1}  # type: ignore[misc]

    def __init__(
        self,
        game: str = "connect4",
        size: str | None = None,
        opponent: Callable[[Observation], int] | None = None,
        seat: int | None = None,
        regret_nodes: int = 1_000_000,
        render_mode: str | None = None,
    ) -> None:
        """Set up a game by name, with its usual size or WIDTHxHEIGHT.

        `opponent` is a policy, such as a `Policy`; None plays random legal moves. `seat` is 0 to
        move first, 1 to move second; None draws it at each reset. `regret_nodes` is the most nodes
        for a position's value; 0 gives no regrets. With the render mode `ansi`, `render` returns
        the board as text.
        """
        self.encoding = Encoding(load(game, size))
        self.render_mode = render_mode
        self.observation_space = self.encoding.observation_space
        self.action_space = self.encoding.action_space
        self._opponent = self._draw if opponent is None else opponent
        self._given_seat = seat
        self._oracle = Oracle(nodes=regret_nodes) if regret_nodes else None

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a game; return the first observation in which the agent must move."""
        super().reset(seed=seed, options=options)
        given = self._given_seat
        self._seat = int(self.np_random.integers(2)) if given is None else given
        self.position = self.encoding.game.start()
        return self._answered(), {}

    def step(
        self, action: np.int64 | int
    ) -> tuple[Observation, SupportsFloat, bool, bool, dict[str, Any]]:
        position = self.position
        move = self.encoding.moves(position).get(int(action))
        if move is None:
            return self.encoding.observe(position, self._seat), -1.0, True, False, {}
        regret = self._regret(position, move)
        self.position = position.play(move)
        observation, result = self._answered(), self.position.result()
        winner = None if result is None else result.winner
        reward = 0.0 if winner is None else 1.0 if winner == self._seat else -1.0
        info = {} if regret is None else {"regret": regret}
        return observation, reward, result is not None, False, info

    def render(self) -> str | None:
        return self.position.board() if self.render_mode == "ansi" else None

    def _answered(self) -> Observation:
        while not self.position.is_over and self.position.turn != self._seat:
            seen = self.encoding.observe(self.position, 1 - self._seat)
            action = int(self._opponent(seen))
            self.position = self.position.play(self.encoding.moves(self.position)[action])
        return self.encoding.observe(self.position, self._seat)

    def _draw(self, observation: Observation) -> int:
        return int(self.np_random.choice(np.flatnonzero(observation["action_mask"])))

    def _regret(self, position: Position, move: int) -> int | None:
        most = backend_of(self.encoding.game).most_empty
        if self._oracle is None or (most is not None and position.plies_left > most):
            return None
        return self._oracle.regret(position, move)

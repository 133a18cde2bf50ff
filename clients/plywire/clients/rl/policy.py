"""Any player as a policy, from observations to actions.

with SimpleEngine("engine:level=5") as engine:
    policy = Policy(engine, "connect4")
    env.step(policy(env.last()[0]))
"""

from typing import Any

from plywire.clients.engine import SimpleEngine
from plywire.clients.play.board import Board
from plywire.engine.registry import load
from plywire.protocol.messages.limits import Limits

from .encoding import Encoding

QUICK = Limits(movetime=100)


class Policy:
    """A policy for PettingZoo's `connect_four_v3` and `tictactoe_v3`, and for our environments."""

    def __init__(
        self, engine: SimpleEngine, game: str, size: str | None = None, limits: Limits = QUICK
    ) -> None:
        """Play the engine's moves within these limits, unless the engine has its own."""
        self._engine = engine
        self._encoding = Encoding(load(game, size))
        self._limits = limits

    def __call__(self, observation: dict[str, Any]) -> int:
        """Return the action of the player to move; raises ValueError for an impossible position."""
        game, position = self._encoding.game, self._encoding.read(observation)
        move = self._engine.play(
            Board(game.name, size=game.size, fen=position.fen()), self._limits
        ).move
        return next(
            action for action, number in self._encoding.moves(position).items() if number == move
        )

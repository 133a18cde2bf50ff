"""Any player as a policy: an observation in, an action out.

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

#: For who says nothing else.
QUICK = Limits(movetime=100)


class Policy:
    """For PettingZoo's `connect_four_v3` and `tictactoe_v3`, and for our environments."""

    def __init__(
        self, engine: SimpleEngine, game: str, size: str | None = None, limits: Limits = QUICK
    ) -> None:
        """Play what the engine plays within these limits, unless it has some of its own."""
        self._engine = engine
        self._encoding = Encoding(load(game, size))
        self._limits = limits

    def __call__(self, observation: dict[str, Any]) -> int:
        """The action of the side to move; raises ValueError for what is no position of the game."""
        game, position = self._encoding.game, self._encoding.read(observation)
        move = self._engine.play(
            Board(game.name, size=game.size, fen=position.fen()), self._limits
        ).move
        return next(
            action for action, number in self._encoding.moves(position).items() if number == move
        )

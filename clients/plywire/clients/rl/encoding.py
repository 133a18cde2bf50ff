"""Positions as arrays and moves as actions, as in PettingZoo and OpenSpiel.

An observation is a dictionary, as in PettingZoo's classic environments. `observation` is an array
of 0 and 1 of shape (rows, columns, 2), top row first: the observer's pieces, then the other's.
`action_mask` has a 1 for each legal action, and none if it is not the observer's turn.

Actions are columns in Connect Four. In Othello and Tic-Tac-Toe they are squares, counted along the
rows from the upper left; 64 is a pass. `Game.action` defines the actions of other games.
"""

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from plywire.engine import fen
from plywire.engine.game import Game, Position

Observation = dict[str, npt.NDArray[np.int8]]


class Encoding:
    """Encodes positions and moves of one game as arrays and numbers."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.action_space = gymnasium.spaces.Discrete(game.actions)
        self.observation_space = gymnasium.spaces.Dict(
            {
                "observation": _bits(game.height, game.width, 2),
                "action_mask": _bits(game.actions),
            }
        )

    def moves(self, position: Position) -> dict[int, int]:
        return {self.game.action(move): move for move in position.moves()}

    def observe(self, position: Position, side: int) -> Observation:
        cells = np.array([list(row) for row in position.cells()])
        planes = [cells == fen.LETTERS[side], cells == fen.LETTERS[1 - side]]
        mask = np.zeros(self.action_space.n, np.int8)
        if position.turn == side:
            mask[list(self.moves(position))] = 1
        return {"observation": np.stack(planes, axis=2).astype(np.int8), "action_mask": mask}

    def read(self, observation: dict[str, Any]) -> Position:
        """Return the position that the player to move sees; other environments work, too.

        In Othello, the result may have the colours exchanged. Raises ValueError for another shape
        or an impossible position.
        """
        board = np.asarray(observation["observation"])
        if board.shape != (shape := (self.game.height, self.game.width, 2)):
            raise ValueError(
                f"an observation of shape {board.shape}: {self.game.title} has {shape}"
            )
        turn = int(board.sum()) % 2
        own, other = fen.LETTERS[turn], fen.LETTERS[1 - turn]
        cells = np.where(board[..., 0], own, np.where(board[..., 1], other, "."))
        return self.game.parse(fen.write(["".join(row) for row in cells], turn))


def _bits(*shape: int) -> gymnasium.spaces.Box:
    return gymnasium.spaces.Box(0, 1, shape, np.int8)

"""Any player as a bot of OpenSpiel.

with SimpleEngine("engine:level=5") as engine:
    bot = OpenSpielBot(engine)
    pyspiel.evaluate_bots(state, [bot, other], seed)
"""

import pyspiel

from plywire.clients.engine import SimpleEngine
from plywire.clients.play.board import Board
from plywire.protocol.messages.limits import Limits

from .encoding import Encoding
from .policy import QUICK

_GAMES = {"connect_four": "connect4", "othello": "othello", "tic_tac_toe": "tictactoe"}


class OpenSpielBot(pyspiel.Bot):  # type: ignore[misc]  # without types
    """Plays `connect_four` of any size, `othello` and `tic_tac_toe`, for either side."""

    def __init__(self, engine: SimpleEngine, limits: Limits = QUICK) -> None:
        """Play the engine's moves within these limits, unless the engine has its own."""
        super().__init__()
        self._engine = engine
        self._limits = limits

    def step(self, state: pyspiel.State) -> int:
        """Return the action; raises ValueError for another game, or another start position."""
        board = _board(state.get_game())
        encoding = Encoding(board.game)
        for action in state.history():
            board.push(encoding.moves(board.line.position)[action])
        actions = {move: action for action, move in encoding.moves(board.line.position).items()}
        if sorted(actions.values()) != state.legal_actions():
            raise ValueError("a state that did not begin at the start of its game")
        return actions[self._engine.play(board, self._limits).move]

    def restart(self) -> None:
        """Do nothing: no state is kept."""

    def restart_at(self, state: pyspiel.State) -> None:
        """Do nothing: no state is kept."""

    def inform_action(self, state: pyspiel.State, player: int, action: int) -> None:
        """Do nothing: states know their history."""


def _board(game: pyspiel.Game) -> Board:
    name, parameters = game.get_type().short_name, game.get_parameters()
    if name not in _GAMES or parameters.get("x_in_row", 4) != 4:
        raise ValueError(
            f"no player for {game}: it is one of {', '.join(_GAMES)}, with four in a row"
        )
    if name == "connect_four":
        return Board("connect4", size=f"{parameters['columns']}x{parameters['rows']}")
    return Board(_GAMES[name])

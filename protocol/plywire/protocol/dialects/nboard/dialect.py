"""NBoard, version 2: the protocol of C. Welty's Othello GUI (https://github.com/weltyc/ntest,
`instructions/Protocol.htm`).

The GUI sends the game (`set game` with GGF, then `move`). `go` asks for a move, which the GUI may
play or not; `hint` asks for the best moves. Before the GUI changes the board, it sends `ping`,
which ends thinking; the engine sends `pong` last.
"""

from typing import ClassVar

from plywire.protocol.dialects.base import Dialect

from .reports import GAME


class Nboard(Dialect):
    """The dialect of Othello GUIs and engines."""

    name: ClassVar[str] = "nboard"
    is_tolerant: ClassVar[bool] = True
    keeps_time: ClassVar[bool] = False
    own_game: ClassVar[str | None] = GAME

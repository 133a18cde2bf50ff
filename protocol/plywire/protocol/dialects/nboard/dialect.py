"""NBoard, version 2: the protocol of C. Welty's GUI of Othello
(https://github.com/weltyc/ntest, `instructions/Protocol.htm`).

The GUI tells of the game so far (`set game` with GGF, then `move`), and asks: `go` for a move that
it will play or not, `hint` for the best moves. Before it changes the board it says `ping`, which
ends thinking; `pong` comes last. The answering side is in `answering.py`, the driving side in
`driving.py`.
"""

from typing import ClassVar

from plywire.protocol.dialects.base import Dialect

from .reports import GAME


class Nboard(Dialect):
    """The dialect of Othello's GUIs and engines."""

    name: ClassVar[str] = "nboard"
    is_tolerant: ClassVar[bool] = True
    keeps_time: ClassVar[bool] = False
    own_game: ClassVar[str | None] = GAME

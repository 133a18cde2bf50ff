"""GTP, the Go Text Protocol, version 2, as Othello programs use it.

The specification is G. Farnebäck's draft 2 of October 2002
(https://www.lysator.liu.se/~gunnar/gtp). Othello programs and GUIs use the commands of the draft
and a few more: `set_game` and `list_games` (Quarry, GRhino, Edax) and `gogui-rules_…` (GoGui). Each
command gets one response, `=` or `?` with the command's id; a blank line ends the response:

    7 play b d3         =7
                                        (blank)
    play b d3           ? illegal move: no move 'd3' here: …
                                        (blank)

Commands are carried out in order: commands during a `genmove` wait for its end.
"""

from typing import ClassVar

from plywire.protocol.dialects.base import Dialect

from .vertices import GAME


class Gtp(Dialect):
    """The dialect of programs and GUIs that come from Go."""

    name: ClassVar[str] = "gtp"
    in_turn: ClassVar[bool] = True
    own_game: ClassVar[str | None] = GAME
    is_tolerant: ClassVar[bool] = True
    drops_control: ClassVar[bool] = True

"""Games as match managers record them, and whether they went by our rules."""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from plywire.clients.play.board import Board
from plywire.engine.game import RulesError
from plywire.protocol.dialects.uxi.drops import Moves, read_fen

#: PGN's words for who won.
RESULTS = {1: "1-0", None: "1/2-1/2", 2: "0-1"}

#: What PGN says of a game that was lost on time: cutechess-cli's and cutegames' words.
_LATE = {"time forfeit", "Out of time"}
#: GoGui counts the rows of GTP from the bottom, so that SGF's squares are upside down to ours.
_ROWS = str.maketrans("12345678hgfedcba", "hgfedcba12345678")


class Played(NamedTuple):
    """A game as it was recorded."""

    fen: str
    moves: list[str]
    result: str
    a_begins: bool
    is_late: bool

    def points(self) -> float:
        """What A has of it."""
        first = 0.5 if "/" in self.result else float(self.result[0])
        return first if self.a_begins else 1 - first

    def fault(self, game: str) -> str | None:
        """What is not as the rules have it."""
        board = Board(game, self.fen)
        try:
            for name in self.moves:
                board.push(name)
        except RulesError as error:
            return f"a recorded move cannot be made: {error}"
        outcome = board.outcome()
        if self.is_late or (outcome and RESULTS[outcome.winner] == self.result):
            return None
        return f"recorded was {self.result}, by the rules it ends as {outcome}"


def read_pgn(game: str, text: str) -> Iterator[Played]:
    """The games between A and B in cutechess-cli's drops, or with our names as of cutegames."""
    for record in re.split(r"^(?=\[Event )", text, flags=re.MULTILINE)[1:]:
        tags = dict(re.findall(r'^\[(\w+) "(.*)"\]$', record, re.MULTILINE))
        moves = re.sub(r"^\[.*\]$|\{[^}]*\}|\b\d+\.+", " ", record, flags=re.MULTILINE).split()
        fen = read_fen(tags["FEN"])
        drops = Moves(game, fen)
        names = [it if it in "1234567" else drops.read(it) for it in moves[:-1]]
        is_late = not _LATE.isdisjoint(tags.values())
        yield Played(fen, names, tags["Result"], tags["White"] == "A", is_late)


def read_sgf(text: str) -> list[str]:
    """The moves of an Othello game that gogui-twogtp recorded."""
    names = [_turned(point) or "pass" for point in re.findall(r";\s*[BW]\[(\w*)\]", text)]
    while names[-1:] == ["pass"]:  # both pass at the end of a game
        names.pop()
    return names


def write_sgf(names: Sequence[str]) -> str:
    """Moves of Othello for gogui-twogtp to begin with, none of them a pass."""
    moves = (f";{'BW'[ply % 2]}[{_turned(name)}]" for ply, name in enumerate(names))
    return f"(;FF[4]GM[1]SZ[8]{''.join(moves)})"


def _turned(point: str) -> str:
    """SGF's name of a square for ours, or the other way round; empty for a pass."""
    return point[:1] + point[1:].translate(_ROWS)

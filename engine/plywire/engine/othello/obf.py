"""OBF problem files: each line is an Othello position with the scores of its moves.

    --XXXXX--OOOXX-O-OOOXXOX-OXOXOXXOXXXOXXX--XOXOXX-XXXOOO--OOOOO-- X; G8:+18; H1:+12;

A line has 64 squares from a1 along the rows (`X` or `*` black, `O` white, `-` or `.` empty), the
player to move, and moves with scores in discs for that player. `%` begins a comment.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from plywire.engine.game import PositionError, quoted

from .rules import Othello, OthelloPosition

_LINE = re.compile(r"([-.XO*]{64})\s+([XO*])\s*(?:;(.*))?", re.IGNORECASE)
_MOVE = re.compile(r"\s*(\w+)\s*:\s*([+-]?\d+)\s*")


@dataclass(frozen=True, slots=True)
class Problem:
    """A position and the known scores of its moves."""

    position: OthelloPosition
    scores: Mapping[int, int]
    """The scores by move; some moves may be missing."""

    @property
    def best(self) -> int:
        return max(self.scores.values())

    def __str__(self) -> str:
        position = self.position
        black, white = (
            (position.other, position.own) if position.turn else (position.own, position.other)
        )
        squares = "".join(
            "X" if black >> i & 1 else "O" if white >> i & 1 else "-" for i in range(64)
        )
        ranked = sorted(self.scores.items(), key=lambda item: (-item[1], item[0]))
        moves = " ".join(f"{position.game.move_name(m).upper()}:{s:+d};" for m, s in ranked)
        return f"{squares} {'XO'[position.turn]}; {moves}"


def parse(line: str) -> Problem:
    """Read a line; raise PositionError unless it has a position and a score of a legal move."""
    position, rest = _parts(line)
    scores = {}
    for item in filter(str.strip, rest.split(";")):
        if not (move := _MOVE.fullmatch(item)):
            raise PositionError(f"not a move with its score: {quoted(item.strip())}")
        scores[position.game.parse_move(position, move[1])] = int(move[2])
    if not scores:
        raise PositionError(f"no move with a score: {quoted(line)}")
    return Problem(position, scores)


def _parts(line: str) -> tuple[OthelloPosition, str]:
    if not (match := _LINE.fullmatch(_without_comment(line))):
        raise PositionError(f"not an OBF line: {quoted(line)}")
    squares, turn, rest = match[1].upper().replace("*", "X"), match[2].upper(), match[3]
    black, white = (
        sum(1 << index for index, square in enumerate(squares) if square == side) for side in "XO"
    )
    is_white = turn == "O"
    own, other = (white, black) if is_white else (black, white)
    return OthelloPosition(Othello(), own, other, int(is_white)), rest or ""


def _without_comment(line: str) -> str:
    return line.partition("%")[0].strip()


def read(lines: Iterable[str]) -> list[Problem]:
    """Read a file; raise RulesError, with the number of the line, if a line is no problem."""
    problems = []
    for number, line in enumerate(lines, 1):
        if _without_comment(line):
            try:
                problems.append(parse(line))
            except ValueError as error:
                raise PositionError(f"line {number}: {error}") from None
    return problems

"""Games of Othello that were played, as files tell of them: records, GGF or move strings."""

import lzma
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from plywire.engine.game import PASS, IllegalMoveError
from plywire.engine.othello.rules import Othello, OthelloPosition
from plywire.protocol.ggf import GgfError, read_ggf
from plywire.protocol.numbers import read_decimal

from .openings import split_moves
from .records import GameRecord

_GAME = Othello()
#: A move string as people keep them, the final score behind it.
_MOVES = re.compile(r"((?:\s*(?:[a-h][1-8]|pass))+)(?:\s+[+-]?\d+)?", re.IGNORECASE)


class OthelloGamesError(ValueError):
    """A file of games that cannot be read; the text says which line and why."""


@dataclass(frozen=True, slots=True)
class PlayedGame:
    """What was played, and who lost."""

    positions: tuple[OthelloPosition, ...]
    """From the start to the last."""
    loser: str | None = None
    """None for a draw, or where the file does not say."""


def read_othello_games(path: Path) -> Iterator[PlayedGame]:
    """The games of a text file, packed by xz or not, that begin as Othello does.

    A line is a record, as matches and tournaments write them, a game in GGF, or a move string, in
    which passes may be left out. Empty lines and those with `#` first are skipped, and so are games
    of other kinds and from other positions.

    Raises OthelloGamesError, naming the line, if one is none of these or a move is illegal; and
    OSError.
    """
    opened: Any = lzma.open if path.suffix == ".xz" else open
    with opened(path, "rt", encoding="utf-8", errors="replace") as file:
        for number, line in enumerate(file, 1):
            try:
                if (text := line.strip()) and not text.startswith("#"):
                    yield from _read(text)
            except (GgfError, IllegalMoveError) as error:
                raise OthelloGamesError(f"{path}, line {number}: {error}") from None
            except ValidationError:
                raise OthelloGamesError(f"{path}, line {number}: not a record of a game") from None


def _read(text: str) -> Iterator[PlayedGame]:
    """The game in a line, if it is one of those."""
    start = _GAME.start()
    if text.startswith("{"):
        record = GameRecord.model_validate_json(text)
        if (record.game, record.fen) == (_GAME.name, start.fen()):
            loser = None if record.winner is None else record.players[2 - record.winner]
            yield PlayedGame(_replayed(start, record.moves), loser)
    elif text.startswith("(;"):
        played = read_ggf(text)
        if played.fen == start.fen():
            lead = read_decimal(played.result.partition(":")[0].strip())
            loser = None if not lead else played.white if lead > 0 else played.black
            yield PlayedGame(_replayed(start, played.names), loser)
    elif moves := _MOVES.fullmatch(text):
        yield PlayedGame(_replayed(start, split_moves(moves[1])))
    else:
        raise IllegalMoveError("expected a record of a game, GGF, or moves such as f5d6c3")


def _replayed(start: OthelloPosition, names: Sequence[str]) -> tuple[OthelloPosition, ...]:
    """All positions; passes that were left out are made, and those after the end left out."""
    positions = [start]
    for number, name in enumerate(names, 1):
        if positions[-1].moves() == (PASS,) and name.lower() != "pass":
            positions.append(positions[-1].play(PASS))
        position = positions[-1]
        try:
            if not position.is_late_pass(name):
                positions.append(position.play(_GAME.parse_move(position, name)))
        except IllegalMoveError as error:
            raise IllegalMoveError(f"move {number}: {error}") from None
    return tuple(positions)

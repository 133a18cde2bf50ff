"""Read games and positions from text or bytes, without I/O.

A text is read block by block. The first of `NOTATIONS` that matches the start of a block reads it,
and `replay` plays the result by the rules.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from plywire.engine.game import Game

from . import boards, moves, pgn, positions, records, sgf, trees, wthor
from .replay import FoundGame, replay
from .source import MOST, NotationError, Source, shorten
from .written import Read

__all__ = [
    "FoundGame",
    "NotationError",
    "Reading",
    "decode",
    "read",
    "read_each",
    "read_one",
    "read_stream",
    "stands_alone",
]

#: The list of all notations, for error messages.
EXPECTED = "moves such as f5 d6 or 443, a position, a board, PGN, GGF, SGF or a record"
#: Maximum length of a text that a person or a language model may enter, in characters.
MOST_ENTERED = 1_000_000

_UTF_16 = (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True, slots=True)
class Notation:
    """A way to write games or positions."""

    begins: Callable[[Source, int], object]
    """Return whether this notation begins at a place; the place is not white space."""
    read: Callable[[Source, int, bool], Read]
    """Read the block at a place; the last argument is `joined`. Raises NotationError."""
    is_line: bool = False
    """Whether one line is enough for a game."""
    holds_many: bool = False
    """Whether files hold many games, so that bad games are skipped."""


NOTATIONS = (
    Notation(lambda source, at: moves.TAG.match(source.text, at), pgn.read_pgn, holds_many=True),
    Notation(lambda source, at: records.HEAD.match(source.text, at), records.read_records),
    Notation(
        lambda source, at: trees.HEAD.match(source.text, at),
        sgf.read_tree_of_game,
        holds_many=True,
    ),
    Notation(lambda source, at: boards.CODINGAME.match(source.text, at), boards.read_codingame),
    Notation(boards.begins_board, boards.read_board),
    Notation(
        lambda source, at: positions.CELLS.match(source.text, at),
        positions.read_cells,
        is_line=True,
    ),
    Notation(
        lambda source, at: positions.HEAD.match(source.text, at),
        positions.read_position,
        is_line=True,
    ),
    Notation(lambda source, at: True, moves.read_moves, is_line=True),
)


@dataclass(frozen=True, slots=True)
class Reading:
    """Games of a text."""

    games: tuple[FoundGame, ...]
    skipped: int
    """Number of skipped games: unfinished, or impossible to play, in files that hold many."""


def decode(data: bytes) -> str:
    """Decode UTF-8, UTF-16 with a mark, or Latin-1, and WTHOR to moves; raises NotationError."""
    if len(data) > MOST:
        raise NotationError("large", 1, 1, f"over {MOST >> 20} MiB")
    if wthor.is_wthor(data):
        return "".join(wthor.lines(data))
    if data.startswith(_UTF_16):
        return data.decode("utf-16", "replace")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        return data.decode("latin-1")


def read_each(
    data: bytes | str, games: Sequence[Game], *, joined: bool = False, fixed: bool = False
) -> Iterator[FoundGame | NotationError]:
    """Yield each game of a text or file, and an error in place of each unreadable game.

    A line of moves is a game; if `joined`, consecutive lines of moves are one. Earlier `games` are
    tried first; if `fixed`, other board sizes are errors.
    """
    try:
        text = decode(data) if isinstance(data, bytes) else data
    except NotationError as error:
        yield error
        return
    if len(text) > MOST:
        yield NotationError("large", 1, 1, f"over {MOST >> 20} million characters")
        return
    source = Source(text)
    at = 0
    is_empty = True
    while (at := _next_block(source, at)) >= 0:
        notation = next(each for each in NOTATIONS if each.begins(source, at))
        begun = at
        try:
            written, at = notation.read(source, at, joined)
        except NotationError as error:
            is_empty = False
            yield _told(source, error, begun, notation.holds_many)
            at = max(error.at, begun + 1)
            if notation.is_line:
                at = source.line_end(at)
            continue
        for each in written:
            is_empty = False
            try:
                yield replay(source, each, games, fixed)
            except NotationError as error:
                yield _told(source, error, begun, each.is_one_of_many)
    if is_empty:
        yield NotationError("empty", 1, 1, f"nothing to read: expected {EXPECTED}")


def read(
    data: bytes | str,
    games: Sequence[Game],
    *,
    joined: bool = False,
    finished: bool = False,
    fixed: bool = False,
) -> Reading:
    """Return all games of a text or file.

    In GGF, SGF, PGN and records, games that cannot be played are skipped if other games can be
    played. If `finished`, unfinished games are skipped, too. Raises NotationError for all other
    errors, and if there is no game.
    """
    found: list[FoundGame] = []
    first: NotationError | None = None
    skipped = 0
    for each in read_each(data, games, joined=joined, fixed=fixed):
        if isinstance(each, FoundGame):
            if finished and each.is_unfinished:
                skipped += 1
            else:
                found.append(each)
        elif each.can_skip:
            first = first or each
            skipped += 1
        else:
            raise each
    if not found and first is not None:
        raise first
    return Reading(tuple(found), skipped)


def read_one(text: str, games: Sequence[Game], *, fixed: bool = False) -> FoundGame:
    """Return the first game of a text; raises NotationError if any part is not understood."""
    if len(text) > MOST_ENTERED:
        raise NotationError("large", 1, 1, f"over {MOST_ENTERED} characters")
    return read(text, games, joined=True, fixed=fixed).games[0]


def read_stream(
    lines: Iterable[bytes], games: Sequence[Game], *, fixed: bool = False
) -> Iterator[FoundGame | NotationError]:
    """Work like `read_each`, but yield each line that stands alone before reading the next."""
    lines = iter(lines)
    number = 0
    is_empty = True
    for line in lines:
        is_text = b"\0" not in line and not line.startswith(_UTF_16)
        if is_text and stands_alone(decode(line)):
            found = read_each(line, games, fixed=fixed)
        else:
            found = read_each(line + b"".join(lines), games, fixed=fixed)
        for each in found:
            if isinstance(each, FoundGame):
                yield replace(each, row=each.row + number)
            elif each.kind != "empty":
                yield each.moved(number)
            else:
                continue
            is_empty = False
        number += 1
    if is_empty:
        yield NotationError("empty", 1, 1, f"nothing to read: expected {EXPECTED}")


def stands_alone(line: str) -> bool:
    """Return whether a line can be read before the next one is known."""
    source = Source(line)
    at = _next_block(source, 0)
    return at < 0 or (
        next(notation for notation in NOTATIONS if notation.begins(source, at)).is_line
        and not source.text.startswith("1.", at)
        and source.text.count("{") == source.text.count("}")
        and not boards.is_row(source.text[at:])
    )


def _told(source: Source, error: NotationError, begun: int, can_skip: bool) -> NotationError:
    """Return the error; at the start of a block its message lists all notations."""
    error.can_skip = can_skip
    place = source.error("unknown", begun, "")
    if error.kind != "unknown" or (error.line, error.column) != (place.line, place.column):
        return error
    word = source.text[begun : source.line_end(begun)]
    return source.error(
        "unknown", begun, f"{shorten(word)} is not understood: expected {EXPECTED}", error.at
    )


def _next_block(source: Source, at: int) -> int:
    """Return where the next block begins, after blank lines and remarks; -1 if there is none."""
    text = source.text
    while at < len(text):
        if text[at] in " \n":
            at += 1
        elif text[at] in "#%":
            at = source.line_end(at)
        else:
            return at
    return -1

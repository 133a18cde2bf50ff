"""Boards drawn in lines: ours, those of GGS, rows of squares, and CodinGame's input.

  a b c d e f g h          |   A B C D E F G H           ........
1 . . . . . . . .          | 1 - - - - - - - - 1         ...xo...
…                          |* to move                    x to move
"""

import re
from collections.abc import Iterator
from itertools import islice

from plywire.engine.othello.rules import Othello

from .positions import of_rows
from .source import Source, shorten
from .written import Read, Written

#: The start of CodinGame's input: our player's number, the size of the board, and its first row.
CODINGAME = re.compile(r"[01] *\n *8 *\n *[01.]{8} *(?=\n)")

_ROW = re.compile(r"[| ]*(?:[0-9]{1,2}[| ]+)?((?:[-.*xo_][| ]*){3,12})(?:[0-9]{1,2})?[| ]*", re.I)
_BORDER = re.compile(r"[| ]*[-=]*\+[-+= ]*[| ]*|[| ]*={3,}[| ]*")
_NAMES = re.compile(r"[| ]*(?:a(?: +[b-l])+|1(?: +[0-9]{1,2})+)[| ]*", re.IGNORECASE)
_TURN = re.compile(
    r"[| ]*(?:to move:? *)?(?:(?P<x>x|\*|black|yellow)|o|white|red)"
    r"(?:'s turn| +to (?:move|play)| moves)?\.? *",
    re.IGNORECASE,
)
_GGS = re.compile(r"\||/os:|READY")
#: Maximum length of a line of a board, in characters.
_LONGEST = 100
_FEWEST = 3
#: Maximum number of lines to examine for the first rows of a board. Borders between rows count.
_MOST_LINES = 8


def begins_board(source: Source, at: int) -> bool:
    """Return whether a board begins here: three rows, perhaps below a line of column names."""
    if _GGS.match(source.text, at):
        return True
    lines = islice(_lines(source, at), _MOST_LINES)
    first = next(lines, ("", 0))[0]
    if _is_names(first) or _BORDER.fullmatch(first):
        first = next(lines, ("", 0))[0]
    widths = [_width(first)]
    for line, _ in lines:
        if len(widths) == _FEWEST:
            break
        if not _BORDER.fullmatch(line):
            widths.append(_width(line))
    return len(widths) == _FEWEST and widths[0] > 0 and len(set(widths)) == 1


def read_board(source: Source, at: int, joined: bool) -> Read:
    """Read a board and the player to move."""
    text = source.text
    start = end = at
    rows: list[str] = []
    turn = ""
    for line, after in _lines(source, at):
        if turn:
            break
        cells = _cells(line)
        if cells and (not rows or len(cells) == len(rows[0])):
            rows.append(cells)
        elif rows and (said := _TURN.fullmatch(line)):
            turn = "x" if said["x"] else "o"
        elif not (_BORDER.fullmatch(line) or _is_names(line) or _GGS.match(line)):
            break
        end = after
    if not rows and _GGS.match(text, start):
        return [], max(end, source.line_end(start))
    if len(rows) < _FEWEST:
        said_of = f"{shorten(text[start:])} is not understood: expected the rows of a board"
        raise source.error("unknown", start, said_of, max(end, source.line_end(start)))
    return [Written(start, end, fen=of_rows(rows, turn), fen_at=start)], end


def _lines(source: Source, at: int) -> Iterator[tuple[str, int]]:
    text = source.text
    while at < len(text):
        end = source.line_end(at)
        yield text[at:end].strip() if end - at <= _LONGEST else "", end
        at = end + 1


def _cells(line: str) -> str:
    found = _ROW.fullmatch(line)
    return re.sub("[| ]", "", found[1]) if found else ""


def _is_names(line: str) -> bool:
    if not _NAMES.fullmatch(line):
        return False
    names = line.replace("|", " ").lower().split()
    return names in (
        [chr(ord("a") + column) for column in range(len(names))],
        [str(column + 1) for column in range(len(names))],
    )


def _width(line: str) -> int:
    return len(_cells(line))


def read_codingame(source: Source, at: int, joined: bool) -> Read:
    """Read the boards of a game; the legal moves decide whether the first row is rank 1 or 8."""
    lines = _lines(source, at)
    mine = next(lines)[0]
    end = next(lines)[1]
    games = []
    place = end + 1
    while rows := _codingame_rows(lines):
        count, end = next(lines, ("", len(source.text)))
        moves = [next(lines, ("", len(source.text))) for _ in range(min(_number(count), 64))]
        end = moves[-1][1] if moves else end
        legal = sorted(move for move, _ in moves)
        fen = _that_allows(legal, [row for row, _ in rows], mine)
        if fen is None:
            said = "not eight rows of 0, 1 and ., the number of legal moves, and these, a line each"
            raise source.error("position", place, said, max(end, source.line_end(place)))
        games.append(Written(place, end, game="othello", fen=fen, fen_at=place))
        place = end + 1
    return games, min(place, len(source.text))


def _codingame_rows(lines: Iterator[tuple[str, int]]) -> list[tuple[str, int]]:
    first = next(lines, ("", 0))
    return [first, *(next(lines, ("", 0)) for _ in range(7))] if first[0] else []


def _number(text: str) -> int:
    return int(text) if re.fullmatch("[0-9]{1,2}", text) else 0


def _that_allows(legal: list[str], rows: list[str], mine: str) -> str | None:
    """Return the position in which these moves are legal, with rows as they are or upside down."""
    if not all(re.fullmatch("[01.]{8}", row) for row in rows):
        return None
    ours = [row.translate(str.maketrans("01", "xo")) for row in rows]
    for each in (ours, ours[::-1]):
        fen = of_rows(each, "xo"[int(mine)])
        try:
            position = Othello().parse(fen)
        except ValueError:
            return None
        if sorted(map(position.game.move_name, position.moves())) == legal:
            return fen
    return None


def is_row(line: str) -> bool:
    """Return whether a line may be part of a board."""
    line = line.strip()
    is_short = len(line) <= _LONGEST
    return is_short and bool(_GGS.match(line) or _cells(line) or _is_names(line))

"""Positions on a line: ours, those of cutechess, and board strings.

7/7/7/7/3o3/3x3 x                 position startpos moves 4 4
7/7/7/7/7/3P3[PPpp] b - - 0 1     fen 8/8/8/3ox3/3xo3/8/8/8 x moves f5
---------------------------OX------XO--------------------------- X; f5:+0;
"""

import re

from .moves import tokens
from .source import Source, shorten
from .written import Read, Written

#: The start of a position: `startpos`, or a position string.
HEAD = re.compile(
    r"(?:position +)?(?:startpos\b|fen +|\w*(?:/\w*)+(?:\[\w*\])?(?= |\n|\Z))",
    re.IGNORECASE | re.ASCII,
)
#: A board as one word. It has at least 9 squares, because the smallest board has 9.
CELLS = re.compile(r"([-.*xo_]{9,})(?= |\n|;|\Z)", re.IGNORECASE)

_ROWS = re.compile(r"\w*(?:/\w*)+(?:\[\w*\])?", re.ASCII)
_WORDS = re.compile(r"(?:position +)?(?:fen +)?", re.IGNORECASE)
_TURN = re.compile(r" +([xowb*])(?= |\n|;|\Z)", re.IGNORECASE)
_SAID_TURN = re.compile(r" *([xo*])(?= |\n|;|\Z)", re.IGNORECASE)
_MOVES = re.compile(r" +moves\b", re.IGNORECASE)
#: Text after a position that is not a move: EPD fields and operations, remarks, or a score.
_BEHIND = re.compile(
    r" +-(?: |\Z)| *(?:[;%#]|\Z)| +[+-]?[0-9]+ *(?:;|\Z)"
    r"| +(?:bm|am|id|ce|acd|acn|acs|dm|pv|hmvc|fmvn) "
)
#: Length of an Othello position that has no blank between its 64 squares and the player to move.
_GLUED = 65
_THEIRS = re.compile(r"([0-9PpXxOo/]+)(?:\[\w*\])?(?: ([wbxo])(?: .*)?)?", re.IGNORECASE)


def read_position(source: Source, at: int, joined: bool) -> Read:
    """Read a position string or `startpos`, and the moves after it."""
    text = source.text
    start = at
    found = _WORDS.match(text, at)
    at = found.end() if found else at
    fen = None
    fen_at = at
    if rows := _ROWS.match(text, at):
        at = rows.end()
        said = rows[0]
        if turn := _TURN.match(text, at):
            said += f" {turn[1]}"
            at = turn.end()
        fen = of_theirs(said)
    elif text[at : at + 8].lower() == "startpos":
        at += 8
    else:
        said = f"{shorten(text[at:])} is not understood: expected a position string or startpos"
        raise source.error("unknown", at, said)
    end = source.line_end(at)
    if moves := _MOVES.search(text, at, end):
        at = moves.end()
    elif _BEHIND.match(text, at, end):
        at = end
    words, end, result = tokens(source, at, joined=joined)
    written = Written(
        start,
        end,
        words,
        fen=fen,
        fen_at=fen_at,
        has_score=True,
        is_unfinished=result == "*",
    )
    return [written], end


def read_cells(source: Source, at: int, joined: bool) -> Read:
    """Read all squares from the upper left and the player to move; skip text about moves."""
    text = source.text
    start = at
    end = source.line_end(at)
    found = CELLS.match(text, at)
    cells = found[1] if found else ""
    at += len(cells)
    turn = ""
    if said := _SAID_TURN.match(text, at, end):
        turn = said[1]
        at = said.end()
    elif len(cells) == _GLUED:
        cells, turn = cells[:-1], cells[-1]
    if not _BEHIND.match(text, at, end):
        at += len(text[at:end]) - len(text[at:end].lstrip())
        said_of = f"{shorten(text[at:])} is not understood: expected x or o, who is to move, or ;"
        raise source.error("unknown", at, said_of, end)
    return [Written(start, end, fen=of_cells(cells, turn), fen_at=start)], end


def of_cells(cells: str, turn: str) -> str:
    """Return a position string that begins with `=` and whose rows the rules separate."""
    return f"={_ours(cells)} {_ours(turn)}".strip()


def of_rows(rows: list[str], turn: str) -> str:
    """Return the position string of rows from the top; `turn` may be empty."""
    squeezed = (re.sub(r"\.+", lambda run: str(len(run[0])), _ours(row)) for row in rows)
    return f"{'/'.join(squeezed)} {_ours(turn)}".strip()


def _ours(cells: str) -> str:
    return cells.lower().translate(str.maketrans("*-_", "x.."))


def of_theirs(text: str) -> str:
    """Convert a position string of cutechess, which has a pocket; keep other strings."""
    found = _THEIRS.fullmatch(text.strip())
    if not found or not ("p" in found[1].lower() or (found[2] or "").lower() in ("w", "b")):
        return " ".join(text.lower().replace("*", "x").split())
    rows = found[1].replace("P", "x").replace("p", "o").lower()
    turn = "" if not found[2] else " x" if found[2].lower() in "wx" else " o"
    return rows + turn

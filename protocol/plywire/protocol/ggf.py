"""GGF: M. Buro's generic game format (https://skatgame.net/mburo/ggsa/ggf), for Othello only.

A game is one line of properties; the properties of the game come before the moves:

    (;GM[Othello]PC[NBoard]PB[ann]PW[bob]RE[?]TI[05:00/00:10]TY[8]BO[8 --…O*…*O…-- *]B[F5//1.20]…;)

`BO` holds the size, the squares row by row from a1 (`*` Black, `O` White, `-` empty) and the player
to move. `TI` holds the time for the game and the increment of each move, in seconds; `TB` and `TW`
hold those of one player. A move is `SQUARE/EVAL/TIME`, or `PA` for a pass; the evaluation (discs)
and the time (seconds) are optional.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from .messages.limits import MAX_MS
from .numbers import read_decimal

START = "8/8/8/3ox3/3xo3/8/8/8 x"

_PROPERTY = re.compile(r"\s*([A-Z]{1,8})\s*\[((?:\\.|[^\]\\])*)\]", re.DOTALL)
_ESCAPED = re.compile(r"\\(.)", re.DOTALL)
_MOVE = re.compile(r"(?P<square>pa(?:ss)?|[a-z][1-9][0-9]?)(?:/(?P<eval>[^/]*))?(?:/(?P<time>.*))?")
_CLOCK = re.compile(r"(?P<sign>[+-]?)(?:(?:([0-9]{1,3}):)?([0-9]{1,4}):)?([0-9.][^:]*)")
_TO_OURS = str.maketrans("*Xx0Oo-.", "xxxooo..")
_TO_THEIRS = str.maketrans("xo.", "*O-")
_SIZES = range(1, 27)


class GgfError(ValueError):
    """A text is no game of Othello in GGF; the message says why."""


@dataclass(frozen=True, slots=True)
class GgfTime:
    """The thinking time of a player."""

    main: int
    """Time for the game, in ms; below 0 if the player used more than the whole time."""
    increment: int = 0
    """Time that each move adds, in ms."""


@dataclass(frozen=True, slots=True)
class GgfMove:
    """A move, with the evaluation and time that the file gives for it."""

    name: str
    """Our name of the move: a square, or `pass`."""
    eval: float | None = None
    """The evaluation in discs, for the player who moved."""
    time: int | None = None
    """The time that the move took, in ms."""


@dataclass(frozen=True, slots=True)
class GgfGame:
    """A game of Othello."""

    moves: tuple[GgfMove, ...] = ()
    fen: str = START
    """The position before the first move, as our position string."""
    black: str = ""
    white: str = ""
    place: str = ""
    date: str = ""
    result: str = "?"
    """Black's lead in discs, such as `+12.000`; a flag such as `:t` follows if cut short."""
    times: tuple[GgfTime | None, GgfTime | None] = (None, None)
    """The times of Black and White; None if the game does not give them."""

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(move.name for move in self.moves)


def read_ggf(text: str) -> GgfGame:
    """Return the game in a text; raise GgfError if the text is no game of Othello.

    Missing passes are added. The legality of moves is not checked.
    """
    start, end = text.find("(;"), text.rfind(";)")
    if start < 0 or end < start:
        raise GgfError("a game in GGF begins with (; and ends with ;)")
    found, moves = _properties(text[start + 2 : end])
    if found.get("GM", "Othello").lower() != "othello":
        raise GgfError("GM is not Othello")
    if "BO" not in found:
        raise GgfError("BO, the board, is missing")
    fen = _read_board(found["BO"])
    both = _read_time(found.get("TI", ""))
    return GgfGame(
        moves=tuple(_in_turn(moves, "W" if fen.endswith("o") else "B")),
        fen=fen,
        black=found.get("PB", ""),
        white=found.get("PW", ""),
        place=found.get("PC", ""),
        date=found.get("DT", ""),
        result=found.get("RE", "?"),
        times=(_read_time(found.get("TB", "")) or both, _read_time(found.get("TW", "")) or both),
    )


def write_ggf(game: GgfGame) -> str:
    """Return the game as one line."""
    rows, _, turn = game.fen.partition(" ")
    cells = re.sub(r"[0-9]+", lambda run: "." * int(run[0]), rows).translate(_TO_THEIRS)
    size = str(cells.count("/") + 1)
    head = {"GM": "Othello", "PC": game.place}
    if game.date:
        head["DT"] = game.date
    head |= {"PB": game.black, "PW": game.white}
    black, white = game.times
    if black is not None and black == white:
        head["TI"] = _write_time(black)
    else:
        head |= {name: _write_time(time) for name, time in (("TB", black), ("TW", white)) if time}
    board = f"{size} {cells.replace('/', ' ')} {'O' if turn == 'o' else '*'}"
    head |= {"TY": size, "RE": game.result, "BO": board}
    moves = "".join(
        f"{'BW'[ply % 2]}[{_write_move(move)}]" for ply, move in enumerate(game.moves, turn == "o")
    )
    return f"(;{''.join(f'{name}[{_escape(value)}]' for name, value in head.items())}{moves};)"


def read_move(text: str) -> GgfMove:
    """Return a move that is written as `F5//1.20`; raise GgfError if it is no move."""
    found = _MOVE.fullmatch(text.strip().lower())
    if found is None:
        raise GgfError(f"not a move: {text[:20]!r}; expected SQUARE/EVAL/TIME, such as F5/1.25/0.5")
    time = read_decimal((found["time"] or "").strip())
    return GgfMove(
        name="pass" if found["square"].startswith("pa") else found["square"],
        eval=read_decimal((found["eval"] or "").strip()),
        time=None if time is None else min(max(round(time * 1000), 0), MAX_MS),
    )


def square(name: str) -> str:
    """Return a move, given by our name, as GGF and NBoard write it."""
    return "PA" if name == "pass" else name.upper()


def _properties(text: str) -> tuple[Mapping[str, str], list[tuple[str, GgfMove]]]:
    """Read the properties, and the moves with `B` or `W`; ignore unknown properties."""
    found: dict[str, str] = {}
    moves: list[tuple[str, GgfMove]] = []
    place = 0
    while match := _PROPERTY.match(text, place):
        name, value = match[1], _ESCAPED.sub(r"\1", match[2])
        if name in ("B", "W"):
            moves.append((name, read_move(value)))
        else:
            found.setdefault(name, value)
        place = match.end()
    if text[place:].strip():
        raise GgfError(f"not a property: {text[place:].strip()[:20]!r}; expected NAME[VALUE]")
    return found, moves


def _in_turn(moves: list[tuple[str, GgfMove]], turn: str) -> Iterator[GgfMove]:
    for colour, move in moves:
        if colour != turn:
            yield GgfMove("pass")
        yield move
        turn = "B" if colour == "W" else "W"


def _read_board(text: str) -> str:
    size_word, _, rest = text.strip().partition(" ")
    size = int(size_word) if re.fullmatch(r"[0-9]{1,2}", size_word) else 0
    cells = "".join(rest.split()).translate(_TO_OURS)
    if size not in _SIZES or not re.fullmatch(rf"[xo.]{{{size * size}}}[xo]", cells):
        raise GgfError("BO must be the size, as many squares * O or -, and whose turn it is")
    rows = (cells[start : start + size] for start in range(0, size * size, size))
    squeezed = "/".join(re.sub(r"\.+", lambda run: str(len(run[0])), row) for row in rows)
    return f"{squeezed} {cells[-1]}"


def _read_time(text: str) -> GgfTime | None:
    """Read `main/increment/grace`, each `[[hh:]mm:]ss`; return None for any other form."""
    parts = [part.partition(",")[0].strip() for part in text.split("/")]
    main, increment, *_ = (*map(_read_clock, parts), None)
    return None if main is None else GgfTime(main, max(increment or 0, 0))


def _read_clock(text: str) -> int | None:
    found = _CLOCK.fullmatch(text)
    seconds = None if found is None else read_decimal(found[4])
    if found is None or seconds is None:
        return None
    hours, minutes = (int(part or 0) for part in (found[2], found[3]))
    ms = min(round(1000 * (3600 * hours + 60 * minutes + seconds)), MAX_MS)
    return -ms if found["sign"] == "-" else ms


def _write_time(time: GgfTime) -> str:
    main = max(time.main, 0)
    parts = [main] if not time.increment else [main, time.increment]
    return "/".join(map(_write_clock, parts))


def _write_clock(ms: int) -> str:
    """Write `mm:ss` without a fraction, because a point would separate days."""
    return f"{ms // 60_000:02}:{ms // 1000 % 60:02}"


def _write_move(move: GgfMove) -> str:
    evaluation = "" if move.eval is None else f"{move.eval:.2f}"
    time = "" if move.time is None else f"{move.time / 1000:.3f}"
    return f"{square(move.name)}/{evaluation}/{time}".rstrip("/")


def _escape(value: str) -> str:
    """Return printable text on one line, with brackets escaped as in SGF."""
    printable = "".join(character if character.isprintable() else " " for character in value)
    return printable.replace("\\", "\\\\").replace("]", "\\]")

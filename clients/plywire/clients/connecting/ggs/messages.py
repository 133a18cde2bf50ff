"""Messages of GGS, as objects.

A message is a line and the following lines that begin with `|`, up to the next `READY`. Messages of
`/os` begin with its name; messages of a person or a channel begin with theirs:

    /os: +  .19 1735.1 pamphlet 15:00//02:00        8 U 1345.6 ant
    /os: - .19 …                                                        taken back or answered
    /os: + match .5 1735 pamphlet 1345 ant 8 U
    /os: join .5 8 K?           and, for each move,     /os: update .5 8 K?
    |  1: f5//3.47
    |pamphlet (1735.0 *) 14:57,0:0//02:00,0:0
    |ant      (1345.6 O) 15:00,0:0//02:00,0:0
    |   A B C D E F G H
    | 1 - - - - - - - - 1           and seven more rows
    |* to move
    /os: end .5 ( pamphlet vs. ant ) +2.00
    /os: - match .5 1735 pamphlet 1345 ant 8 U +2.00  .83353
    /os: - match .5 1735 pamphlet 1345 ant 8 U pamphlet left
    /os: stored 1 pamphlet
    |.42590   23 Feb 2001 23:17:39 pamphlet ant   s8r16:l
    /os: ERR …

The documents of GGS describe all commands but only some answers, so lines that cannot be read are
ignored.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from plywire.protocol.ggf import GgfMove, read_move
from plywire.protocol.numbers import read_decimal

from .clock import GgsClock
from .match_type import MatchType

LOGIN = ": Enter login"
PASSWORD = ": Enter your password"

_ID = re.compile(r"\.\d{1,9}(?:\.\d)?", re.ASCII)
_CLOCK = re.compile(r"[\dNn:,/.+-]*[:/][\dNn:,/.+-]*", re.ASCII)
_NAME = re.compile(r"[^\s:.,/\\|]{1,16}")
_SAID = re.compile(r"(?P<name>[^\s:]{1,32})(?: (?P<to>[^\s:]{1,32}))?: (?P<text>.*)", re.DOTALL)
_MOVE = re.compile(r"\s*(\d{1,3}): (\S{1,40})\s*", re.ASCII)
_PLAYER = re.compile(r"(\S{1,16})\s+\(\s*(\S{1,64})\s+([*O])\s*\)\s+(\S{1,80})\s*")
_ROW = re.compile(r"\s*([1-8])((?: [-*O]){8}) \1\s*", re.ASCII)
_TO_MOVE = re.compile(r"\s*([*O]) to move\s*")
_TO_OURS = str.maketrans("*O-", "xo.")


@dataclass(frozen=True, slots=True)
class Request:
    """A player asks for a match."""

    id: str
    asker: str
    rating: float
    type: MatchType
    clocks: tuple[GgsClock, ...]
    """Clock of the player who asks, and of the opponent if it differs."""
    rated: bool
    asked: str = ""
    """Login of the opponent; empty is anybody."""
    stored: str = ""
    """Number of the stored match to continue; empty if it is a new match."""


@dataclass(frozen=True, slots=True)
class RequestGone:
    """A request was answered or taken back."""

    id: str


@dataclass(frozen=True, slots=True)
class MatchStarted:
    """A match of one or two games starts or continues."""

    id: str
    players: tuple[str, str]
    type: MatchType


@dataclass(frozen=True, slots=True)
class MatchEnded:
    """A match is over, or is adjourned and stored."""

    id: str
    players: tuple[str, str]
    type: MatchType
    score: float | None
    """Score of the first player, summed over a synchro match; None if the match was adjourned."""
    left: str = ""
    """Login of the player who left; empty if nobody did."""
    stored: str = ""
    """Number under which the server stores the match."""


@dataclass(frozen=True, slots=True)
class Side:
    """A player of a game."""

    name: str
    rating: float
    clock: GgsClock


@dataclass(frozen=True, slots=True)
class GameShown:
    """The state of a game: sent at its start, after a move, or after joining."""

    id: str
    sides: tuple[Side, Side]
    """Black and White."""
    moves: tuple[tuple[int, GgfMove], ...]
    """Moves with their numbers from 1: all moves, or only the latest one of an `update`."""
    start: str
    """First shown board, as our position string."""
    fen: str
    """Last shown board, as our position string."""


@dataclass(frozen=True, slots=True)
class GameEnded:
    """A game of a match is over."""

    id: str
    players: tuple[str, str]
    score: float | None
    reason: str


@dataclass(frozen=True, slots=True)
class Stored:
    """The stored matches, which were adjourned."""

    ids: tuple[str, ...]
    players: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Refused:
    """The server or its service refuses a command."""

    text: str


@dataclass(frozen=True, slots=True)
class Said:
    """A person wrote to us or to a channel."""

    name: str
    to: str
    """The channel, such as `.chat`; empty if the text was for us."""
    text: str


@dataclass(frozen=True, slots=True)
class Prompt:
    """The server asks for the login or the password."""

    password: bool


@dataclass(frozen=True, slots=True)
class Ready:
    """The server has sent all that it had to send."""


Message = (
    Request
    | RequestGone
    | MatchStarted
    | MatchEnded
    | GameShown
    | GameEnded
    | Stored
    | Refused
    | Said
    | Prompt
    | Ready
)


def read_message(head: str, body: Sequence[str] = ()) -> Message | None:
    """Read a line and its continuation lines (without their `|`); return None if unknown."""
    if head.rstrip() == "READY":
        return Ready()
    if head.startswith((LOGIN, PASSWORD)):
        return Prompt(password=head.startswith(PASSWORD))
    if head.startswith(": ERR"):
        return Refused(head.removeprefix(": ERR").strip())
    service, _, rest = head.partition(" ")
    if service == "/os:":
        try:
            return _read_service(rest.split(), body)
        except (IndexError, ValueError):
            return None
    if found := _SAID.fullmatch(head):
        name, to = found["name"], found["to"] or ""
        if name.startswith("."):
            name, to = to, name
        if _NAME.fullmatch(name):
            return Said(name, to, " ".join((found["text"], *body)).strip())
    return None


def _read_service(words: list[str], body: Sequence[str]) -> Message | None:
    """Read a line of `/os`; raises IndexError or ValueError if its form is unknown."""
    match words:
        case ["ERR", *_]:
            return Refused(" ".join(words[1:]))
        case ["+", "match", id_, *rest]:
            players, type_, _ = _read_match(rest)
            return MatchStarted(_id(id_), players, type_)
        case ["-", "match", id_, *rest]:
            players, type_, after = _read_match(rest)
            stored = next((word for word in after if _ID.fullmatch(word)), "")
            if "left" in after[1:]:
                left = after[after.index("left") - 1]
                return MatchEnded(_id(id_), players, type_, None, left, stored)
            return MatchEnded(_id(id_), players, type_, _first_number(after), "", stored)
        case ["+", id_, *rest]:
            return _read_request(_id(id_), rest)
        case ["-", id_, *_]:
            return RequestGone(_id(id_))
        case ["join" | "update", id_, _, *_]:
            return _read_game(_id(id_), body)
        case ["end", id_, "(", first, "vs.", second, ")", *after]:
            score = _first_number(after)
            reason = " ".join(word for word in after if not _is_number(word))
            return GameEnded(_id(id_), (_name(first), _name(second)), score, reason)
        case ["stored", _, *_]:
            entries = [line.split() for line in body]
            found = [words for words in entries if len(words) >= 8 and _ID.fullmatch(words[0])]
            # The words of an entry are: number, day, month, year, time, both players, type.
            return Stored(
                tuple(words[0] for words in found), tuple((words[5], words[6]) for words in found)
            )
    return None


def _read_match(words: list[str]) -> tuple[tuple[str, str], MatchType, list[str]]:
    _, first, _, second, type_, _, *after = words
    return (_name(first), _name(second)), MatchType.parse(type_.partition(":")[0]), after


def _read_request(id_: str, words: list[str]) -> Request:
    """Read the asker's rating and name, the clocks, the type, `R` or `U`, and the opponent."""
    rating, asker, *terms = words
    clocks: list[GgsClock] = []
    while _CLOCK.fullmatch(terms[0]):
        clocks.append(GgsClock.parse(terms.pop(0)))
    type_, rated, *rest = terms
    stored = next((word for word in rest if _ID.fullmatch(word)), "")
    rest = [word for word in rest if word != stored]
    return Request(
        id=id_,
        asker=_name(asker),
        rating=_number(rating),
        type=MatchType.parse(type_.partition(":")[0]),
        clocks=tuple(clocks[:2]),
        rated=rated.upper() != "U",
        asked=_name(rest[1]) if len(rest) > 1 else "",
        stored=stored,
    )


def _read_game(id_: str, body: Sequence[str]) -> GameShown:
    """Read players, moves and boards; the first of several boards is from before the moves."""
    sides: dict[str, Side] = {}
    moves: list[tuple[int, GgfMove]] = []
    rows: list[str] = []
    boards: list[str] = []
    for line in body:
        if found := _ROW.fullmatch(line):
            rows.append(found[2].replace(" ", "").translate(_TO_OURS))
        elif found := _TO_MOVE.fullmatch(line):
            boards.append(_fen(rows[-8:], found[1]))
            rows.clear()
        elif found := _PLAYER.fullmatch(line):
            name, rating, colour, clock = found.groups()
            sides[colour] = Side(_name(name), _number(rating), GgsClock.parse(clock))
        elif found := _MOVE.fullmatch(line):
            moves += _read_move(int(found[1]), found[2])
    if len(sides) < 2 or not boards:
        raise ValueError("a game has two players and a board")
    return GameShown(id_, (sides["*"], sides["O"]), tuple(moves), boards[0], boards[-1])


def _read_move(number: int, text: str) -> Iterator[tuple[int, GgfMove]]:
    """Read a move; number 0 marks the start of the game and is skipped."""
    if number:
        yield number, read_move(text)


def _fen(rows: Sequence[str], turn: str) -> str:
    if len(rows) != 8:
        raise ValueError("a board has eight rows")
    squeezed = (re.sub(r"\.+", lambda run: str(len(run[0])), row) for row in rows)
    return f"{'/'.join(squeezed)} {'x' if turn == '*' else 'o'}"


def _id(text: str) -> str:
    if not _ID.fullmatch(text):
        raise ValueError("not a number of a match or a request")
    return text


def _name(text: str) -> str:
    if not _NAME.fullmatch(text):
        raise ValueError("not a login")
    return text


def _number(text: str) -> float:
    number = read_decimal(text)
    if number is None:
        raise ValueError("not a number")
    return number


def _first_number(words: Sequence[str]) -> float | None:
    return next((read_decimal(word) for word in words if _is_number(word)), None)


def _is_number(word: str) -> bool:
    """Return whether a word is a number; `.5` is not, because it names a match."""
    return read_decimal(word) is not None and not word.startswith(".")

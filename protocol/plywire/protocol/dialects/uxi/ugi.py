"""UGI, the Universal Game Interface (https://github.com/kz04px/ugi), as cutegames uses it.

Move names are ours, but a pass is `0000`. cutegames reads only `bestmove` and `response` lines of
exactly two words.
"""

from collections import deque
from dataclasses import replace
from typing import ClassVar

from plywire.protocol.dialects.parsing import Words, syntax, words
from plywire.protocol.dialects.track import Track
from plywire.protocol.errors import PeerError
from plywire.protocol.messages import play
from plywire.protocol.messages.base import Command, ErrorCode, Event
from plywire.protocol.validation import shorten

from .answering import UxiAnswering
from .dialect import Uxi
from .driving import UxiDriving
from .drops import NULL_MOVE, PASS

#: The command whose answer contains the answer to each query of UGI.
_QUERIES: dict[str, type[play.Result | play.Show | play.Legal]] = {
    "p1turn": play.Result,
    "gameover": play.Result,
    "result": play.Result,
    "fen": play.Show,
    "islegal": play.Legal,
}

_WINNERS = {1: "p1win", 2: "p2win", None: "draw"}


class Ugi(Uxi):
    """The dialect of match managers for many games."""

    name: ClassVar[str] = "ugi"
    greeting: ClassVar[str] = "ugi"
    new_game: ClassVar[str] = "uginewgame"
    game_option: ClassVar[str] = "Game"
    clock_words: ClassVar[tuple[str, str, str, str]] = ("p1time", "p2time", "p1inc", "p2inc")
    ignored: ClassVar[frozenset[str]] = frozenset({"debug"})

    def read_game(self, value: str) -> str:
        return value

    def write_game(self, name: str) -> str:
        return name

    def read_position(self, track: Track) -> Track:
        return replace(track, moves=tuple(map(_read_move, track.moves)))

    def write_position(self, track: Track) -> Track:
        return replace(track, moves=tuple(map(_write_move, track.moves)))

    def read_line(self, game: str, moves: Words) -> tuple[tuple[str, ...], tuple[str, ...]]:
        return tuple(map(_read_move, moves)), ()

    def write_line(self, names: Words, squares: Words) -> list[str]:
        return list(map(_write_move, names))


class UgiAnswering(Ugi, UxiAnswering):
    """The side that answers."""

    def __init__(self) -> None:
        super().__init__()
        self._readers = {**self._readers, "query": self._read_query}
        self._queries: deque[Words] = deque()
        """The words of the queries that are unanswered, oldest first."""

    def encode_event(self, event: Event, command: Command | None) -> list[str]:
        """Return the lines that an engine writes for an event; a query gets one `response`."""
        if command is None or type(command) not in _QUERIES.values():
            return super().encode_event(event, command)
        if command.is_closed_by(event):
            self._queries.popleft()
            return super().encode_event(event, command)
        return [f"response {_response(self._queries[0], event)}"]

    def _read_query(self, rest: Words) -> list[Command]:
        if not rest or rest[0] not in _QUERIES:
            asked = shorten(rest[0]) if rest else "nothing"
            raise PeerError(ErrorCode.BAD_VALUE, f"query takes {', '.join(_QUERIES)}, not {asked}")
        if len(rest) != (2 if rest[0] == "islegal" else 1):
            raise syntax(f"expected query {rest[0]}{' MOVE' if rest[0] == 'islegal' else ''}")
        self._queries.append(rest)
        return [_QUERIES[rest[0]]()]


class UgiDriving(Ugi, UxiDriving):
    """The side that drives."""

    def __init__(self) -> None:
        super().__init__()
        self._due = 0
        """The number of responses that are due."""
        self._responses: list[str] = []
        """The responses of the unfinished result."""

    def encode_command(self, command: Command) -> list[str]:
        """Return the lines of a command; a result needs three queries."""
        if not isinstance(command, play.Result):
            return super().encode_command(command)
        self._due += 3
        return ["query gameover", "query result", "query p1turn"]

    def is_answer(self, line: str) -> bool:
        is_due = self._due > 0 and words(line)[:1] == ["response"]
        return is_due or super().is_answer(line)

    def decode_event(self, line: str) -> list[Event]:
        match words(line):
            case ["response", *rest]:
                return self._read_response(" ".join(rest))
            case _:
                return super().decode_event(line)

    def _read_response(self, text: str) -> list[Event]:
        if self._due == 0:
            raise syntax("response answers no query")
        self._due -= 1
        self._responses.append(text)
        if len(self._responses) < 3:
            return []
        responses, self._responses = self._responses, []
        return [_read_result(*responses), play.Ok()]


def _read_move(text: str) -> str:
    return PASS if text == NULL_MOVE else text


def _write_move(name: str) -> str:
    return NULL_MOVE if name == PASS else name


def _response(query: Words, event: Event) -> str:
    match query, event:
        case ["p1turn"], play.ResultAnswer(turn=turn):
            return _truth(turn == 1)
        case ["gameover"], play.ResultAnswer(over=over):
            return _truth(over)
        case ["result"], play.ResultAnswer(over=over, winner=winner):
            return _WINNERS[winner] if over else "none"
        case ["islegal", move], play.LegalAnswer(moves=moves):
            return _truth(_read_move(move) in moves)
        case _, play.ShowAnswer(fen=fen):
            return fen
    raise ValueError(f"{event.type} does not answer query {' '.join(query)}")


def _truth(value: bool) -> str:
    return "true" if value else "false"


def _read_result(over: str, result: str, first_to_move: str) -> play.ResultAnswer:
    winners = {word: winner for winner, word in _WINNERS.items()}
    if over not in ("true", "false") or first_to_move not in ("true", "false"):
        raise syntax("expected response true|false to query gameover and p1turn")
    if result not in (*winners, "none"):
        raise syntax(f"expected response {'|'.join(winners)}|none to query result")
    winner = winners.get(result)
    return play.ResultAnswer(
        over=over == "true",
        turn=1 if first_to_move == "true" else 2,
        winner=winner,
        score={1: 1, 2: -1, None: 0}[winner],
    )

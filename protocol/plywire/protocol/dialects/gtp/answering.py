"""The answering side of GTP; see `dialect.py`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from math import ceil
from time import monotonic
from typing import TypeVar

from plywire.protocol.dialects.base import Answering
from plywire.protocol.dialects.parsing import Words, build, integer, syntax, unspeakable, words
from plywire.protocol.dialects.stand_ins import NOTES
from plywire.protocol.dialects.track import Track
from plywire.protocol.dialects.uxi.drops import PASS
from plywire.protocol.errors import PeerError
from plywire.protocol.messages import play
from plywire.protocol.messages.base import Command, Error, ErrorCode, Event
from plywire.protocol.validation import shorten

from .dialect import Gtp
from .responses import response_lines, rows_text, score_text, size_text
from .times import Times
from .vertices import COLOURS, GAME, error_text, read_vertex, turn, write_vertex

_PROTOCOL_VERSION = "2"
_MAX_ID = 2**31 - 1

#: If the first line begins with one of these commands, it is GTP. `play`, `undo` and `quit` are
#: missing, because the native dialect has them, too.
_OPENINGS = frozenset(
    {
        "protocol_version",
        "name",
        "version",
        "known_command",
        "list_commands",
        "boardsize",
        "clear_board",
        "komi",
        "genmove",
        "reg_genmove",
        "showboard",
        "time_settings",
        "time_left",
        "final_score",
        "set_game",
        "list_games",
    }
)
_ID = re.compile(r"[0-9]+")

E = TypeVar("E", bound=Event)

_Respond = Callable[[Event], str | None]
"""Returns the text that an event adds to the response, or None."""


@dataclass(frozen=True, slots=True)
class _Game(Track):
    """The game in progress, and the passes after its end."""

    passes: int = 0
    """The number of passes after the end of the game. They change only whose turn it is."""

    @property
    def turn(self) -> int:
        """The player to move: 1 or 2."""
        player = turn(self)
        return player if self.passes % 2 == 0 else 3 - player

    def moved(self, name: str) -> _Game:
        """Return the game after a move; after the end, a pass is only counted."""
        if self.passes and name == PASS:
            return self.over(1)
        return replace(self, moves=(*self.moves, name))

    def over(self, passes: int) -> _Game:
        return replace(self, passes=self.passes + passes)

    def undone(self) -> _Game:
        return self.over(-1) if self.passes else replace(self, moves=self.moves[:-1])


@dataclass(slots=True)
class _Request:
    """The line that is being answered."""

    asked: list[Command]
    respond: _Respond
    after: _Game
    """The game after all commands are answered."""
    if_over: tuple[_Game, str] | None = None
    """The game and the response in case the game was over before the passes of this line."""
    answered: int = 0
    text: str = ""
    failure: str = ""
    """The error to report even if all commands of the line succeed, empty if there is none."""
    comment: str = ""
    """A line to write before the response, after `#`."""


class GtpAnswering(Gtp, Answering):
    """The side that answers.

    Each command that needs the board first sets it up from the moves remembered here. Therefore
    `genmove` is a search, and the next command plays its move.
    """

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        super().__init__()
        self._now = now
        self._track = _Game(GAME)
        self._size: str | None = None
        self._has_begun = False
        self._times = Times()
        self._line: _Request | None = None
        self._verbs: Mapping[str, Callable[[Words], _Request]] = {
            "protocol_version": self._of_server(lambda server: _PROTOCOL_VERSION),
            "name": self._of_server(lambda server: server.server),
            "version": self._of_server(lambda server: server.software),
            "known_command": self._known_command,
            "list_commands": lambda arguments: self._say("\n".join(self._verbs)),
            "quit": lambda arguments: self._ask(play.Quit()),
            "boardsize": self._board_size,
            "clear_board": lambda arguments: self._begin(self._track.game, self._size),
            "komi": self._komi,
            "play": self._play,
            "genmove": partial(self._search, "genmove", keeps=True),
            "reg_genmove": partial(self._search, "reg_genmove", keeps=False),
            "undo": self._undo,
            "time_settings": self._time_settings,
            "time_left": self._time_left,
            "final_score": self._final_score,
            "showboard": self._of_board(play.Show, play.ShowAnswer, lambda it: f"\n{it.board}"),
            "set_game": self._set_game,
            "list_games": self._list_games,
            "gogui-rules_game_id": self._of_board(
                play.Show, play.ShowAnswer, lambda show: show.game.capitalize()
            ),
            "gogui-rules_board_size": self._of_board(
                play.Show, play.ShowAnswer, lambda show: size_text(show.size)
            ),
            "gogui-rules_board": self._of_board(play.Show, play.ShowAnswer, rows_text),
            "gogui-rules_legal_moves": self._of_board(
                play.Legal,
                play.LegalAnswer,
                lambda legal: " ".join(write_vertex(self._track, name) for name in legal.moves),
            ),
            "gogui-rules_side_to_move": self._of_board(
                play.Result, play.ResultAnswer, lambda it: "black" if it.turn == 1 else "white"
            ),
            "gogui-rules_final_result": self._of_board(
                play.Result, play.ResultAnswer, lambda it: score_text(it) if it.over else None
            ),
        }

    @classmethod
    def opens(cls, line: str) -> bool:
        match words(line):
            case [first, *_] if first.startswith("#") or first in _OPENINGS:
                return True
            case [first, _, *_]:
                return _ID.fullmatch(first) is not None
            case _:
                return False

    def decode_command(self, line: str) -> list[Command]:
        """Return the commands of a line, after those that prepare the board."""
        number, verb, arguments = _parse(line)
        if not verb:
            return []
        try:
            if verb not in self._verbs:
                raise PeerError(
                    ErrorCode.UNKNOWN_COMMAND, f"{shorten(verb)}; list_commands names all"
                )
            self._line = self._verbs[verb](arguments)
            if not (self._has_begun or isinstance(self._line.asked[0], play.NewGame | play.Quit)):
                # Send `newgame` before any other first command. Otherwise the server would load the
                # engine of its own default game.
                self._line.asked.insert(0, play.NewGame(game=self._track.game))
        except PeerError as error:
            error.id = number
            raise
        return [command.model_copy(update={"id": number}) for command in self._line.asked]

    def encode_event(self, event: Event, command: Command | None) -> list[str]:
        """Return the response, once the last command of the line is answered."""
        line = self._line
        if isinstance(event, Error):
            self._line = None
            if event.code is ErrorCode.GAME_OVER and line is not None and line.if_over is not None:
                self._track, response = line.if_over
                return response_lines("=", event.id, response)
            return response_lines("?", event.id, error_text(event.code, event.message))
        if command is None or line is None:
            if isinstance(event, play.Bye):
                return []  # the goodbye answers no line, so GTP has no response for it
            raise unspeakable("gtp", event)
        if (text := line.respond(event)) is not None:
            line.text += f"\n{text}" if line.text else text
        if not command.is_closed_by(event):
            return []
        if isinstance(command, play.NewGame):
            self._has_begun = True
            self._track = _Game(command.game or self._track.game)
            self._size = command.size
        line.answered += 1
        if line.answered < len(line.asked):
            return []
        self._line = None
        self._track = line.after
        if line.failure:
            return response_lines("?", event.id, line.failure)
        comments = [f"# {line.comment}"] if line.comment else []
        return [*comments, *response_lines("=", event.id, line.text)]

    # --- commands of each line

    def _ask(self, *asked: Command, respond: _Respond = lambda event: None) -> _Request:
        return _Request(list(asked), respond, self._track)

    def _on_board(
        self, game: _Game, *asked: Command, respond: _Respond = lambda event: None
    ) -> _Request:
        """Ask about a position, without changing the game.

        New passes are sent as moves: if the game is over, their refusal is harmless.
        """
        new = game.moves[len(self._track.moves) :]
        passes = new if set(new) == {PASS} else ()
        known = game.moves[: len(game.moves) - len(passes)]
        set_up = build(play.SetPosition, fen=game.fen, moves=known)
        move = (play.Move(moves=passes),) if passes else ()
        line = self._ask(set_up, *move, *asked, respond=respond)
        if passes:
            line.if_over = self._track.over(len(passes)), ""
        return line

    def _of_server(self, write: Callable[[play.HelloAnswer], str]) -> Callable[[Words], _Request]:
        return lambda arguments: self._ask(play.Hello(), respond=_to(play.HelloAnswer, write))

    def _of_board(
        self, command: Callable[[], Command], kind: type[E], write: Callable[[E], str | None]
    ) -> Callable[[Words], _Request]:
        return lambda arguments: self._on_board(self._track, command(), respond=_to(kind, write))

    def _say(self, text: str) -> _Request:
        return self._of_server(lambda server: text)([])

    def _known_command(self, arguments: Words) -> _Request:
        verb = _only(arguments, "known_command COMMAND")
        return self._say("true" if verb in self._verbs else "false")

    def _board_size(self, arguments: Words) -> _Request:
        if not 1 <= len(arguments) <= 2:
            raise syntax("expected boardsize SIZE, or WIDTH and HEIGHT")
        width, height = (integer("size", word) for word in (arguments[0], arguments[-1]))
        return self._begin(self._track.game, f"{width}x{height}")

    def _set_game(self, arguments: Words) -> _Request:
        name = _only(arguments, "set_game NAME; list_games names all")
        return self._begin(name.lower(), None)

    def _begin(self, game: str, size: str | None) -> _Request:
        # GTP clients start the clock after this response. It waits for the ping, so the clock does
        # not run while the engine loads.
        self._times.restart()
        line = self._ask(build(play.NewGame, game=game, size=size), play.Ping())
        line.after = _Game(game)
        return line

    def _list_games(self, arguments: Words) -> _Request:
        respond = _to(play.GameInfo, lambda game: game.name.capitalize())
        return self._ask(play.Games(), respond=respond)

    def _komi(self, arguments: Words) -> _Request:
        _only(arguments, "komi NEW_KOMI")
        return self._say("")

    def _play(self, arguments: Words) -> _Request:
        if len(arguments) != 2:
            raise syntax("expected play COLOR VERTEX")
        before = self._to_move(arguments[0])
        name = read_vertex(before, arguments[1])
        after = before.moved(name)
        line = self._on_board(after)
        line.after = after
        return line

    def _search(self, verb: str, arguments: Words, *, keeps: bool) -> _Request:
        before = self._to_move(_only(arguments, f"{verb} COLOR"))
        player, began = before.turn, self._now()

        def write(best: play.BestMove) -> str:
            if best.move is None:
                line.after = before.over(1) if keeps else line.after
                return PASS
            line.comment = NOTES.get(best.by, "")
            if keeps:
                line.after = before.moved(best.move)
                self._times.spend(player, ceil(1000 * (self._now() - began)))
            return write_vertex(before, best.move)

        go = play.Go(limits=self._times.limits(player))
        line = self._on_board(before, go, respond=_to(play.BestMove, write))
        if line.if_over is not None:
            game, _ = line.if_over
            line.if_over = game.over(1) if keeps else self._track, PASS
        return line

    def _undo(self, arguments: Words) -> _Request:
        if not (self._track.moves or self._track.passes):
            line = self._ask(play.Hello())
            line.failure = "cannot undo"
            return line
        after = self._track.undone()
        line = self._on_board(after)
        line.after = after
        return line

    def _time_settings(self, arguments: Words) -> _Request:
        self._times.settings(arguments)
        return self._say("")

    def _time_left(self, arguments: Words) -> _Request:
        self._times.left(_player(arguments[:1]), arguments[1:])
        return self._say("")

    def _final_score(self, arguments: Words) -> _Request:
        def write(result: play.ResultAnswer) -> str:
            if not result.over:
                line.failure = "cannot score: the game is not over"
            return score_text(result)

        line = self._on_board(self._track, play.Result(), respond=_to(play.ResultAnswer, write))
        return line

    def _to_move(self, colour: str) -> _Game:
        """Return the game with that colour to move; add a pass if GTP left it out."""
        game = self._track
        return game if _player([colour]) == game.turn else game.moved(PASS)


def _parse(line: str) -> tuple[int | None, str, list[str]]:
    """Split a line into id, command and arguments; a blank line or comment has no command."""
    first, *rest = words(line.partition("#")[0]) or [""]
    if not first.isdecimal() or not first.isascii():
        return None, first, rest
    number = int(first) if len(first) <= 10 else _MAX_ID + 1
    if number > _MAX_ID:
        raise syntax(f"an id is a number up to {_MAX_ID}")
    if not rest:
        raise PeerError(ErrorCode.SYNTAX, "expected a command after the id", id=number)
    return number, rest[0], rest[1:]


def _to(kind: type[E], write: Callable[[E], str | None]) -> _Respond:
    return lambda event: write(event) if isinstance(event, kind) else None


def _only(arguments: Words, expected: str) -> str:
    """Return the only argument; raise PeerError if there is not exactly one."""
    if len(arguments) != 1:
        raise syntax(f"expected {expected}")
    return arguments[0]


def _player(arguments: Words) -> int:
    colour = arguments[0].lower() if arguments else ""
    if colour not in COLOURS:
        raise syntax(f"a color is one of {', '.join(COLOURS)}")
    return COLOURS[colour]

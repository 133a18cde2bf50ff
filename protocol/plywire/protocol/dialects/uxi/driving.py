"""The driving side of UGI and UCI; see `dialect.py`."""

from collections import deque
from contextlib import suppress
from dataclasses import dataclass, replace

from plywire.protocol.dialects.base import Driving
from plywire.protocol.dialects.engine_options import EngineOption, read_option
from plywire.protocol.dialects.parsing import (
    Words,
    build,
    integer,
    names_of,
    syntax,
    unspeakable,
    words,
)
from plywire.protocol.dialects.stand_ins import read_note
from plywire.protocol.dialects.track import Track
from plywire.protocol.errors import PeerError
from plywire.protocol.messages import play
from plywire.protocol.messages.base import Command, Error, ErrorCode, Event

from .dialect import LIMITS, Uxi
from .drops import NULL_MOVE
from .reports import read_info

#: Maximum number of options of an engine that are kept.
_MAX_OPTIONS = 256


@dataclass(frozen=True, slots=True)
class _Awaited:
    """A command that a `readyok` closes."""

    event: Event
    track: Track | None = None
    """The game after the command, None if the command does not change it."""
    may_fail: bool = False


class UxiDriving(Uxi, Driving):
    """The side that sends commands."""

    def __init__(self) -> None:
        super().__init__()
        self._confirmed = Track()
        self._awaited: deque[_Awaited] = deque()
        self._failure: Error | None = None
        self._searching = False
        self._searched_by: play.SearchedBy = "engine"
        self._introduction: play.HelloAnswer | None = None
        self._offered: dict[str, EngineOption] = {}

    def encode_command(self, command: Command) -> list[str]:
        """Return the lines of a command; `isready` is last if the engine would not answer."""
        track = self._track
        match command:
            case play.Hello():
                self._introduction = None
                return [self.greeting]
            case play.Ping():
                return self._await(play.Pong())
            case play.Quit():
                return ["quit"]
            case play.Go():
                line = self._write_go(command)
                self._searching = True
                self._searched_by = "engine"
                return [line]
            case play.Stop():
                return ["stop", *self._await(play.Ok())]
            case play.SetOption(name=name, value=value):
                if (option := self._offered.get(name.lower())) is not None:
                    name = option.name
                if "value" in name.split(" "):
                    raise unspeakable(self.name, command)
                return [
                    f"setoption name {name} value {value}",
                    *self._await(play.Ok(), may_fail=True),
                ]
            case play.NewGame(game=game, size=size):
                lines = []
                if game:
                    lines.append(f"setoption name {self.game_option} value {self.write_game(game)}")
                if size:
                    lines.append(f"setoption name Size value {size}")
                track = Track(game=game or track.game)
                return [*lines, self.new_game, *self._await(play.Ok(), track, may_fail=True)]
            case play.SetPosition(fen=fen, moves=moves):
                return self._move_to(command, Track(track.game, fen, moves))
            case play.Move(moves=moves):
                return self._move_to(command, replace(track, moves=(*track.moves, *moves)))
            case play.Undo(count=count) if count <= len(track.moves):
                return self._move_to(command, replace(track, moves=track.moves[:-count]))
            case _:
                raise unspeakable(self.name, command)

    def is_answer(self, line: str) -> bool:
        """Return whether the line is a due `bestmove`, or says that the engine is ready."""
        match words(line)[:1]:
            case ["bestmove"]:
                return self._searching
            case [word]:
                return word in ("readyok", f"{self.greeting}ok")
            case _:
                return False

    def decode_event(self, line: str) -> list[Event]:
        match words(line):
            case ["id", "name", server, *software]:
                self._introduce(server=server, software=" ".join(software))
            case ["option", "name", *rest]:
                self._read_option_offered(rest)
            case [verb] if verb == f"{self.greeting}ok":
                return [self._introduced]
            case ["readyok"]:
                return [self._read_ready()]
            case ["info", "string", "error", code, *rest] if code in list(ErrorCode):
                return self._read_error(Error(code=ErrorCode(code), message=" ".join(rest)))
            case ["info", "string", *rest] if (by := read_note(" ".join(rest))) is not None:
                self._searched_by = by
            case ["info", *rest]:
                return self._read_info(rest)
            case ["bestmove", *rest]:
                return [self._read_best_move(rest)]
        return []

    @property
    def options(self) -> tuple[EngineOption, ...]:
        return tuple(self._offered.values())

    @property
    def _track(self) -> Track:
        """The game after all commands that were sent."""
        tracks = [awaited.track for awaited in self._awaited if awaited.track is not None]
        return tracks[-1] if tracks else self._confirmed

    def _await(
        self, event: Event, track: Track | None = None, *, may_fail: bool = False
    ) -> list[str]:
        self._awaited.append(_Awaited(event, track, may_fail))
        return ["isready"]

    def _move_to(self, command: Command, track: Track) -> list[str]:
        if track.fen is not None and "moves" in track.fen.split(" "):
            raise unspeakable(self.name, command)
        theirs = self.write_position(track)
        position = "startpos" if theirs.fen is None else f"fen {theirs.fen}"
        moves = ("moves", *theirs.moves) if theirs.moves else ()
        line = " ".join(("position", position, *moves))
        return [line, *self._await(play.Ok(), track, may_fail=True)]

    def _write_go(self, command: play.Go) -> str:
        limits = command.limits
        if command.multipv != 1 or command.level is not None:
            raise unspeakable(self.name, command)
        line = ["go"]
        if limits.clock is not None:
            clock = limits.clock.without_byoyomi
            times = (clock.p1, clock.p2, clock.inc1, clock.inc2)
            line += [f"{word} {time}" for word, time in zip(self.clock_words, times, strict=True)]
        for word in LIMITS:
            if (value := getattr(limits, word)) is not None:
                line.append(f"{word} {value}")
        if limits.infinite:
            line.append("infinite")
        return " ".join(line)

    @property
    def _introduced(self) -> play.HelloAnswer:
        return self._introduction or play.HelloAnswer(server="unknown")

    def _introduce(self, **fields: object) -> None:
        """Note fields of the engine's `hello`, if they are valid."""
        with suppress(PeerError):
            self._introduction = build(play.HelloAnswer, **{**dict(self._introduced), **fields})

    def _read_option_offered(self, rest: Words) -> None:
        option = read_option(rest)
        if option is None or len(self._offered) >= _MAX_OPTIONS:
            return
        self._offered[option.name.lower()] = option
        if option.kind == "combo" and option.name.lower() == self.game_option.lower():
            self._introduce(games=names_of(map(self.read_game, option.choices)))
        elif option.kind == "spin":
            with suppress(PeerError):
                number = build(
                    play.Option,
                    name=option.name.lower(),
                    default=integer(option.name, option.default),
                    min=option.least,
                    max=option.most,
                )
                self._introduce(options=(*self._introduced.options, number))

    def _read_ready(self) -> Event:
        if not self._awaited:
            return play.Pong()
        awaited = self._awaited.popleft()
        if awaited.may_fail and self._failure is not None:
            failure, self._failure = self._failure, None
            return failure
        self._confirmed = awaited.track or self._confirmed
        return awaited.event

    def _read_error(self, error: Error) -> list[Event]:
        """Keep the first error until the line that closes its command: `readyok` or `bestmove`."""
        if self._searching or any(awaited.may_fail for awaited in self._awaited):
            self._failure = self._failure or error
            return []
        return [error]

    def _read_info(self, rest: Words) -> list[Event]:
        read = read_info(rest)
        if read is None or not self._searching:
            return []
        info, moves = read
        try:
            names, squares = self.read_line(self._track.game, moves)
            return [build(play.Info, **{**dict(info), "pv": names, "squares": squares})]
        except PeerError:
            return [info]

    def _read_best_move(self, rest: Words) -> Event:
        self._searching = False
        if not any(awaited.may_fail for awaited in self._awaited):
            failure, self._failure = self._failure, None
            # If the engine names a move after an error, the move counts.
            if failure is not None and rest[:1] in ([], ["(none)"], ["none"], [NULL_MOVE]):
                return failure
        match rest:
            case ["(none)" | "none", *_]:
                return play.BestMove(move=None)
            case [word, *_] if word.lower() == play.RESIGN:
                return play.BestMove(move=play.RESIGN)
            case [move, *_]:
                names, squares = self.read_line(self._track.game, [move])
                square = squares[0] if squares else None
                return build(play.BestMove, move=names[0], square=square, by=self._searched_by)
            case _:
                raise syntax("expected bestmove MOVE")

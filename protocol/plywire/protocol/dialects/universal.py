"""What UGI and UCI have in common: the line protocol between a GUI or match manager and an engine.

UGI: https://github.com/kz04px/ugi. UCI: Stefan Meyer-Kahlen's description of April 2006.

Engines answer most commands by silence, and ignore what they do not understand. So that every
command is closed by one event in these dialects too:

* Answering, `ok` is silence and `error` is an `info string error CODE MESSAGE`.
* Driving, `isready` follows every command that is answered by silence; its `readyok` is the `ok`,
  or the `error` that such an `info string` told of before it.
"""

from abc import abstractmethod
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import ClassVar

from plywire.protocol import commands, events
from plywire.protocol.commands import Command
from plywire.protocol.errors import PeerError
from plywire.protocol.events import ErrorCode, Event
from plywire.protocol.limits import Clock, Limits

from .base import Dialect
from .drops import NULL_MOVE
from .info import read_info, write_info
from .words import build, integer, numbers, syntax, unknown_command, unspeakable, words

Words = Sequence[str]

#: What is played before a game has been chosen, unless the server introduces itself with another.
DEFAULT_GAME = "connect4"

#: The limits of `go` that all dialects call the same.
_LIMITS = ("movetime", "depth", "nodes")

#: How many options of an engine are remembered.
_MAX_OPTIONS = 256


@dataclass(frozen=True, slots=True)
class Track:
    """The game in progress: what a `position` line says anew with every move."""

    game: str = DEFAULT_GAME
    fen: str | None = None
    moves: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Awaited:
    """What an expected `readyok` closes."""

    event: Event
    track: Track
    """Where the game stands if the engine did as it was told."""
    may_fail: bool


class Universal(Dialect):
    """UGI or UCI, but for the words in which they differ."""

    greeting: ClassVar[str]
    """The first line, and with `ok` after it the end of its answer."""
    new_game: ClassVar[str]
    game_option: ClassVar[str]
    """The option that selects the game."""
    clock_words: ClassVar[tuple[str, str, str, str]]
    """First player's time and second's, first player's increment and second's."""
    ignored: ClassVar[frozenset[str]]
    """Commands that ask nothing of this engine."""

    def __init__(self) -> None:
        """At the beginning of a connection."""
        # Answering: the game that is being played.
        self._playing: str | None = None
        # Driving: what the engine was told, and what it has yet to answer.
        self._confirmed = Track()
        self._awaited: deque[_Awaited] = deque()
        self._failure: events.Error | None = None
        self._searching = False
        self._introduction: events.Hello | None = None
        self._option_names: dict[str, str] = {}
        self._readers: Mapping[str, Callable[[Words], list[Command]]] = {
            self.greeting: lambda rest: [commands.Hello()],
            "isready": lambda rest: [commands.Ping()],
            "setoption": self._read_option,
            self.new_game: lambda rest: [commands.NewGame()],
            "position": self._read_position,
            "go": self._read_go,
            "stop": lambda rest: [commands.Stop()],
            "quit": lambda rest: [commands.Quit()],
        }

    @classmethod
    def opens(cls, line: str) -> bool:
        """The greeting names the dialect."""
        return words(line) == [cls.greeting]

    # --- how the two write games, positions and moves

    @abstractmethod
    def read_game(self, value: str) -> str:
        """Our name of a game."""

    @abstractmethod
    def write_game(self, name: str) -> str:
        """Their name of a game."""

    @abstractmethod
    def read_position(self, track: Track) -> Track:
        """A position with its moves, from their notation to ours."""

    @abstractmethod
    def write_position(self, track: Track) -> Track:
        """A position with its moves, from our notation to theirs."""

    @abstractmethod
    def read_line(self, game: str, moves: Words) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Our names of moves, and the squares on which they land if those can be told.

        Raises PeerError if they cannot be read.
        """

    @abstractmethod
    def write_line(self, names: Words, squares: Words) -> list[str]:
        """Their names of moves by our names and squares; none if they cannot be told."""

    # --- answering

    def decode_command(self, line: str) -> list[Command]:
        """The commands on a line."""
        match words(line):
            case [verb, *rest] if verb in self._readers:
                return self._readers[verb](rest)
            case [verb, *_] if verb not in self.ignored:
                raise unknown_command(verb, list(self._readers))
            case _:
                return []

    def encode_event(self, event: Event, command: Command | None) -> list[str]:
        """The lines of an engine; success is silence."""
        match event:
            case events.Hello(games=games):
                self._playing = self._playing or (games[0] if games else None)
                return self._write_hello(event)
            case events.Pong():
                return ["readyok"]
            case events.Info():
                return [write_info(event, self.write_line(event.pv, event.squares))]
            case events.BestMove(move=None):
                return [f"bestmove {NULL_MOVE}"]
            case events.BestMove(move=str(move), square=square):
                written = self.write_line([move], [square] if square else [])
                if not written:
                    raise unspeakable(self.name, event)
                return [f"bestmove {written[0]}"]
            case events.Error():
                line = f"info string error {event.code} {event.message}".rstrip(" ")
                # A GUI waits for the `bestmove` of each `go`; not so if it goes while one runs.
                refused = isinstance(command, commands.Go) and event.code is not ErrorCode.BUSY
                return [line, f"bestmove {NULL_MOVE}"] if refused else [line]
            case events.Bye():
                return [f"info string bye {event.reason}"] if event.reason else []
            case events.Ok():
                if isinstance(command, commands.NewGame):
                    self._playing = command.game or self._playing
                return []
            case _:
                raise unspeakable(self.name, event)

    def _write_hello(self, event: events.Hello) -> list[str]:
        lines = [
            f"id name {event.server} {event.software}".rstrip(" "),
            "id author the Plywire authors",
        ]
        if event.games:
            names = [self.write_game(game) for game in event.games]
            choices = " ".join(f"var {name}" for name in names)
            lines.append(f"option name {self.game_option} type combo default {names[0]} {choices}")
        lines += [
            f"option name {option.name.capitalize()} type spin default {option.default}"
            f" min {option.min} max {option.max}"
            for option in event.options
        ]
        return [*lines, f"{self.greeting}ok"]

    def _read_option(self, rest: Words) -> list[Command]:
        if rest[:1] != ["name"] or "value" not in rest:
            raise syntax("expected setoption name NAME value VALUE")
        place = rest.index("value")
        name, value = " ".join(rest[1:place]).lower(), " ".join(rest[place + 1 :])
        if name == self.game_option.lower():
            return [build(commands.NewGame, game=self.read_game(value))]
        if name == "size":
            return [build(commands.NewGame, size=value)]
        return [build(commands.SetOption, name=name, value=value)]

    def _read_position(self, rest: Words) -> list[Command]:
        place = rest.index("moves") if "moves" in rest else len(rest)
        match rest[:place]:
            case ["startpos"]:
                fen = None
            case ["fen", _, *_]:
                fen = " ".join(rest[1:place])
            case _:
                raise syntax("expected position startpos|fen FEN [moves MOVE...]")
        track = self.read_position(
            Track(self._playing or DEFAULT_GAME, fen, tuple(rest[place + 1 :]))
        )
        return [build(commands.SetPosition, fen=track.fen, moves=track.moves)]

    def _read_go(self, rest: Words) -> list[Command]:
        given = {
            key: values[0] if values else 1
            for key, values in numbers(
                "go",
                rest,
                dict.fromkeys((*self.clock_words, *_LIMITS, "movestogo"), 1) | {"infinite": 0},
            ).items()
        }
        limits = build(
            Limits,
            **{key: given[key] for key in _LIMITS if key in given},
            clock=self._read_clock(given),
            infinite="infinite" in given,
        )
        return [build(commands.Go, limits=limits)]

    def _read_clock(self, given: Mapping[str, int]) -> Clock | None:
        """The clock; a time not given is as the other's, and one overstepped is none left."""
        p1, p2, inc1, inc2 = self.clock_words
        first, second = given.get(p1), given.get(p2)
        if first is None and second is None:
            return None
        first = second if first is None else first
        second = first if second is None else second
        return build(
            Clock,
            p1=max(first or 0, 0),
            p2=max(second or 0, 0),
            inc1=given.get(inc1, 0),
            inc2=given.get(inc2, 0),
        )

    # --- driving

    def encode_command(self, command: Command) -> list[str]:
        """The lines for an engine; `isready` last where it would answer by silence."""
        track = self._track
        match command:
            case commands.Hello():
                self._introduction = None
                return [self.greeting]
            case commands.Ping():
                return self._await(events.Pong(), track)
            case commands.Quit():
                return ["quit"]
            case commands.Go():
                line = self._write_go(command)
                self._searching = True
                return [line]
            case commands.Stop():
                return ["stop", *self._await(events.Ok(), track)]
            case commands.SetOption(name=name, value=value):
                name = self._option_names.get(name.lower(), name)
                if "value" in name.split(" "):
                    raise unspeakable(self.name, command)
                return [
                    f"setoption name {name} value {value}",
                    *self._await(events.Ok(), track, True),
                ]
            case commands.NewGame(game=game, size=size):
                lines = []
                if game:
                    lines.append(f"setoption name {self.game_option} value {self.write_game(game)}")
                if size:
                    lines.append(f"setoption name Size value {size}")
                track = Track(game=game or track.game)
                return [*lines, self.new_game, *self._await(events.Ok(), track, True)]
            case commands.SetPosition(fen=fen, moves=moves):
                return self._move_to(command, Track(track.game, fen, moves))
            case commands.Move(moves=moves):
                return self._move_to(command, replace(track, moves=(*track.moves, *moves)))
            case commands.Undo(count=count) if count <= len(track.moves):
                return self._move_to(command, replace(track, moves=track.moves[:-count]))
            case _:
                raise unspeakable(self.name, command)

    def decode_event(self, line: str) -> list[Event]:
        """The events on a line; whatever else engines say is ignored."""
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
                return self._read_error(events.Error(code=ErrorCode(code), message=" ".join(rest)))
            case ["info", *rest]:
                return self._read_info(rest)
            case ["bestmove", *rest]:
                return [self._read_best_move(rest)]
        return []

    @property
    def _track(self) -> Track:
        """Where the game stands once the engine has done all that it was told."""
        return self._awaited[-1].track if self._awaited else self._confirmed

    def _await(self, event: Event, track: Track, may_fail: bool = False) -> list[str]:
        self._awaited.append(_Awaited(event, track, may_fail))
        return ["isready"]

    def _move_to(self, command: Command, track: Track) -> list[str]:
        if track.fen is not None and "moves" in track.fen.split(" "):
            raise unspeakable(self.name, command)
        theirs = self.write_position(track)
        position = "startpos" if theirs.fen is None else f"fen {theirs.fen}"
        moves = ("moves", *theirs.moves) if theirs.moves else ()
        line = " ".join(("position", position, *moves))
        return [line, *self._await(events.Ok(), track, True)]

    def _write_go(self, command: commands.Go) -> str:
        limits = command.limits
        if command.multipv != 1:
            raise unspeakable(self.name, command)
        line = ["go"]
        if (clock := limits.clock) is not None:
            times = (clock.p1, clock.p2, clock.inc1, clock.inc2)
            line += [f"{word} {time}" for word, time in zip(self.clock_words, times, strict=True)]
        for word in _LIMITS:
            if (value := getattr(limits, word)) is not None:
                line.append(f"{word} {value}")
        if limits.infinite:
            line.append("infinite")
        return " ".join(line)

    @property
    def _introduced(self) -> events.Hello:
        return self._introduction or events.Hello(server="unknown")

    def _introduce(self, **fields: object) -> None:
        """Note what the engine says of itself, as far as `hello` can tell it."""
        with suppress(PeerError):
            self._introduction = build(events.Hello, **{**dict(self._introduced), **fields})

    def _read_option_offered(self, rest: Words) -> None:
        if "type" not in rest:
            return
        place = rest.index("type")
        name = " ".join(rest[:place])
        if len(self._option_names) < _MAX_OPTIONS:
            self._option_names[name.lower()] = name
        match rest[place + 1 :]:
            case ["spin", "default", default, "min", least, "max", most]:
                with suppress(PeerError):
                    option = build(
                        events.Option,
                        name=name.lower(),
                        default=integer(name, default),
                        min=integer(name, least),
                        max=integer(name, most),
                    )
                    if len(self._introduced.options) < _MAX_OPTIONS:
                        self._introduce(options=(*self._introduced.options, option))
            case ["combo", "default", first, *choices] if name == self.game_option:
                games = [word for word in choices if word not in ("var", first)]
                self._introduce(games=tuple(self.read_game(game) for game in (first, *games)))

    def _read_ready(self) -> Event:
        if not self._awaited:
            return events.Pong()
        awaited = self._awaited.popleft()
        if awaited.may_fail and self._failure is not None:
            failure, self._failure = self._failure, None
            return failure
        self._confirmed = awaited.track
        return awaited.event

    def _read_error(self, error: events.Error) -> list[Event]:
        """Errors wait for what would otherwise close the command: `readyok` or `bestmove`."""
        if self._searching or any(awaited.may_fail for awaited in self._awaited):
            self._failure = error
            return []
        return [error]

    def _read_info(self, rest: Words) -> list[Event]:
        read = read_info(rest)
        if read is None or not self._searching:
            return []
        info, moves = read
        try:
            names, squares = self.read_line(self._track.game, moves)
            return [build(events.Info, **{**dict(info), "pv": names, "squares": squares})]
        except PeerError:
            return [info]

    def _read_best_move(self, rest: Words) -> Event:
        self._searching = False
        if self._failure is not None and not any(awaited.may_fail for awaited in self._awaited):
            failure, self._failure = self._failure, None
            return failure
        match rest:
            case ["(none)" | "none", *_]:
                return events.BestMove(move=None)
            case [move, *_]:
                names, squares = self.read_line(self._track.game, [move])
                return build(events.BestMove, move=names[0], square=squares[0] if squares else None)
            case _:
                raise syntax("expected bestmove MOVE")

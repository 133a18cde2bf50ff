"""The answering side of UGI and UCI; see `dialect.py`."""

from collections.abc import Callable, Mapping

from plywire.protocol.dialects.base import Answering
from plywire.protocol.dialects.parsing import (
    Words,
    build,
    numbers,
    syntax,
    unknown_command,
    unspeakable,
    words,
)
from plywire.protocol.dialects.stand_ins import NOTES
from plywire.protocol.dialects.track import DEFAULT_GAME, Track
from plywire.protocol.messages import play
from plywire.protocol.messages.base import Command, Error, ErrorCode, Event
from plywire.protocol.messages.limits import Clock, Limits

from .dialect import LIMITS, Uxi
from .drops import NULL_MOVE
from .reports import write_info


class UxiAnswering(Uxi, Answering):
    """The side that answers."""

    def __init__(self) -> None:
        super().__init__()
        self._playing: str | None = None
        self._readers: Mapping[str, Callable[[Words], list[Command]]] = {
            self.greeting: lambda rest: [play.Hello()],
            "isready": lambda rest: [play.Ping()],
            "setoption": self._read_option,
            self.new_game: lambda rest: [play.NewGame()],
            "position": self._read_position,
            "go": self._read_go,
            "stop": lambda rest: [play.Stop()],
            "quit": lambda rest: [play.Quit()],
        }

    @classmethod
    def opens(cls, line: str) -> bool:
        return words(line) == [cls.greeting]

    def decode_command(self, line: str) -> list[Command]:
        match words(line):
            case [verb, *rest] if verb in self._readers:
                return self._readers[verb](rest)
            case [verb, *_] if verb not in self.ignored:
                raise unknown_command(verb, list(self._readers))
            case _:
                return []

    def encode_event(self, event: Event, command: Command | None) -> list[str]:
        """Return the lines that an engine writes for an event; success has no line."""
        match event:
            case play.HelloAnswer(games=games):
                self._playing = self._playing or (games[0] if games else None)
                return self._write_hello(event)
            case play.Pong():
                return ["readyok"]
            case play.Info():
                return [write_info(event, self.write_line(event.pv, event.squares))]
            case play.BestMove(move=None):
                return [f"bestmove {NULL_MOVE}"]
            case play.BestMove(move=str(move), square=square, by=by):
                written = self.write_line([move], [square] if square else [])
                if not written:
                    raise unspeakable(self.name, event)
                notes = [f"info string {NOTES[by]}"] if by in NOTES else []
                return [*notes, f"bestmove {written[0]}"]
            case Error():
                line = f"info string error {event.code} {event.message}".rstrip(" ")
                # After each `go`, a GUI waits for a `bestmove`, so send one if the `go` failed. A
                # `go` during a search needs none, because that search sends its own.
                refused = isinstance(command, play.Go) and event.code is not ErrorCode.BUSY
                return [line, f"bestmove {NULL_MOVE}"] if refused else [line]
            case play.Bye():
                return [f"info string bye {event.reason}"] if event.reason else []
            case play.Ok():
                if isinstance(command, play.NewGame):
                    self._playing = command.game or self._playing
                return []
            case _:
                raise unspeakable(self.name, event)

    def _write_hello(self, event: play.HelloAnswer) -> list[str]:
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
            return [build(play.NewGame, game=self.read_game(value))]
        if name == "size":
            return [build(play.NewGame, size=value)]
        return [build(play.SetOption, name=name, value=value)]

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
        return [build(play.SetPosition, fen=track.fen, moves=track.moves)]

    def _read_go(self, rest: Words) -> list[Command]:
        given = {
            key: values[0] if values else 1
            for key, values in numbers(
                "go",
                rest,
                dict.fromkeys((*self.clock_words, *LIMITS, "movestogo"), 1) | {"infinite": 0},
            ).items()
        }
        if "movetime" in given:
            given["movetime"] = max(given["movetime"], 0)
        limits = build(
            Limits,
            **{key: given[key] for key in LIMITS if key in given},
            clock=self._read_clock(given),
            infinite="infinite" in given,
        )
        return [build(play.Go, limits=limits)]

    def _read_clock(self, given: Mapping[str, int]) -> Clock | None:
        """Read the clock; a missing time equals the other player's, and a negative time is 0."""
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
            inc1=max(given.get(inc1, 0), 0),
            inc2=max(given.get(inc2, 0), 0),
        )

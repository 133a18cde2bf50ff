"""The driving side of NBoard; see `dialect.py`."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace

from plywire.protocol import ggf
from plywire.protocol.dialects.base import Driving
from plywire.protocol.dialects.engine_options import EngineOption
from plywire.protocol.dialects.parsing import Words, build, syntax, unspeakable, words
from plywire.protocol.dialects.stand_ins import read_note
from plywire.protocol.dialects.track import Track
from plywire.protocol.errors import PeerError
from plywire.protocol.messages import play
from plywire.protocol.messages.base import Command, Error, ErrorCode, Event
from plywire.protocol.messages.fields import MAX_INTEGER
from plywire.protocol.messages.limits import Clock, Limits
from plywire.protocol.numbers import read_decimal

from .dialect import Nboard
from .reports import GAME, read_discs, read_report

#: The depth in plies for `set depth` if only time limits the search.
_DEEPEST = 60


@dataclass(frozen=True, slots=True)
class _Awaited:
    """A command that a `pong` closes."""

    number: int
    event: Event
    done: Callable[[Track], Track]
    """Returns the game after the command."""
    may_fail: bool


class NboardDriving(Nboard, Driving):
    """The side that sends commands; `ping` follows each command that the engine does not answer.

    Engines work line by line: a `pong` confirms all lines before its ping. A search begins after
    the `pong` of the last ping before it, and ends at the latest with the `pong` of the next ping.
    """

    def __init__(self) -> None:
        super().__init__()
        self._confirmed = Track(GAME)
        self._awaited: deque[_Awaited] = deque()
        self._pings = 0
        self._failure: Error | None = None
        self._search: int | None = None
        """The number of the last ping before the running search, None without a search."""
        self._engine = "unknown"
        self._best: play.BestMove | None = None
        self._searched_by: play.SearchedBy = "engine"
        self._stats = (0, 0)
        self._depth_told = 0

    @property
    def options(self) -> tuple[EngineOption, ...]:
        """The one option of the dialect, in centidiscs."""
        return (EngineOption("contempt", "spin", "0"),)

    def encode_command(self, command: Command) -> list[str]:
        match command:
            case play.Hello():
                # Some engines need time to prepare for a depth, so send the depth before a clock
                # runs.
                lines = ["nboard 2", *self._depth_lines(Limits())]
                return [*lines, *self._await(play.HelloAnswer())]
            case play.Ping() if self._search is None:
                return self._await(play.Pong())
            case play.Quit():
                return ["quit"]
            case play.NewGame(game="othello" | None, size="8x8" | None):
                return self._write_game(Track(GAME))
            case play.SetPosition(fen=fen, moves=moves):
                return self._write_game(Track(GAME, fen, moves))
            case play.Move(moves=moves):
                lines = [f"move {ggf.square(name)}" for name in moves]
                return [
                    *lines,
                    *self._await(
                        play.Ok(),
                        lambda track: replace(track, moves=(*track.moves, *moves)),
                        may_fail=True,
                    ),
                ]
            case play.Undo(count=count) if count <= len((track := self._expected).moves):
                return self._write_game(replace(track, moves=track.moves[:-count]))
            case play.SetOption(name="contempt", value=value) if read_discs(value) is not None:
                return [f"set contempt {value}", *self._await(play.Ok(), may_fail=True)]
            case play.Go(limits=limits, multipv=1, level=None) if not (
                limits.nodes or limits.infinite
            ):
                self._search = self._pings
                self._best = None
                self._searched_by = "engine"
                self._stats = (0, 0)
                return [*self._depth_lines(limits), *_time_lines(self._expected, limits), "go"]
            case play.Stop():
                return self._await(play.Ok())
            case _:
                raise unspeakable("nboard", command)

    def is_answer(self, line: str) -> bool:
        match words(line)[:1]:
            case ["==="]:
                return self._is_searching
            case first:
                return first == ["pong"]

    def decode_event(self, line: str) -> list[Event]:
        match words(line):
            case ["set", "myname", *name] if name:
                self._engine = "_".join(name)
            case ["pong", number]:
                return self._read_pong(number)
            case ["status", "error", code, *rest] if code in list(ErrorCode):
                return self._read_error(Error(code=ErrorCode(code), message=" ".join(rest)))
            case ["status", *rest] if (by := read_note(" ".join(rest))) is not None:
                self._searched_by = by
            case ["nodestats", nodes, time] if self._is_searching:
                self._read_stats(nodes, time)
            case ["search" | "book", *rest] if self._is_searching:
                return self._read_report(rest)
            case ["===", *rest] if self._is_searching:
                return [self._read_best_move(rest)]
        return []

    @property
    def _expected(self) -> Track:
        """The game after all commands that were sent."""
        track = self._confirmed
        for awaited in self._awaited:
            track = awaited.done(track)
        return track

    @property
    def _is_searching(self) -> bool:
        """Whether the engine has begun the search and has not ended it."""
        before = self._search
        return before is not None and all(awaited.number > before for awaited in self._awaited)

    def _await(
        self,
        event: Event,
        done: Callable[[Track], Track] = lambda track: track,
        *,
        may_fail: bool = False,
    ) -> list[str]:
        self._pings += 1
        self._awaited.append(_Awaited(self._pings, event, done, may_fail))
        return [f"ping {self._pings}"]

    def _depth_lines(self, limits: Limits) -> list[str]:
        """Return the line that sets the depth, no line if the depth has not changed."""
        before, self._depth_told = self._depth_told, min(limits.depth or _DEEPEST, _DEEPEST)
        return [] if self._depth_told == before else [f"set depth {self._depth_told}"]

    def _write_game(self, track: Track) -> list[str]:
        ping = self._await(play.Ok(), lambda before: track, may_fail=True)
        return [f"set game {_game(track)}", *ping]

    def _read_pong(self, number: str) -> list[Event]:
        """Close all commands up to a `pong`, including those whose pings got no answer."""
        numbers = [str(awaited.number) for awaited in self._awaited]
        if number not in numbers:
            return []  # we sent no such ping
        found: list[Event] = []
        for _ in range(numbers.index(number) + 1):
            if self._is_searching:
                # The engine was stopped and will not send a move, so end the search with the best
                # move known.
                self._search = None
                found.append(self._best or play.BestMove())
            found.append(self._close(self._awaited.popleft()))
        return found

    def _close(self, awaited: _Awaited) -> Event:
        failure, self._failure = self._failure, None
        if awaited.may_fail and failure is not None:
            return failure
        self._confirmed = awaited.done(self._confirmed)
        return (
            self._introduction() if isinstance(awaited.event, play.HelloAnswer) else awaited.event
        )

    def _read_error(self, error: Error) -> list[Event]:
        """Keep an error until the `pong` of its command; an error of a search ends it."""
        if not self._is_searching:
            self._failure = error
            return []
        self._search = None
        return [error]

    def _introduction(self) -> Event:
        try:
            return build(play.HelloAnswer, server=self._engine, games=(GAME,))
        except PeerError:
            return play.HelloAnswer(server="unknown", games=(GAME,))

    def _read_stats(self, nodes: str, time: str) -> None:
        count, seconds = read_decimal(nodes), read_decimal(time)
        if count is not None and seconds is not None:
            ms = max(round(seconds * 1000), 0)
            self._stats = (max(round(count), 0), min(ms, MAX_INTEGER))

    def _read_report(self, rest: Words) -> list[Event]:
        info = read_report(rest, *self._stats)
        if info is None:
            return []
        self._best = play.BestMove(move=info.pv[0], square=info.squares[0])
        return [info]

    def _read_best_move(self, rest: Words) -> Event:
        """Read `MOVE/EVAL/TIME`, or the same with spaces for the slashes."""
        self._search = None
        if rest and rest[0].partition("/")[0].lower() == play.RESIGN:
            return play.BestMove(move=play.RESIGN)
        try:
            name = ggf.read_move(rest[0]).name if rest else ""
        except ggf.GgfError:
            name = ""
        if not name:
            raise syntax("expected === MOVE/EVAL/TIME")
        square = "-" if name == "pass" else name
        return build(play.BestMove, move=name, square=square, by=self._searched_by)


def _time_lines(track: Track, limits: Limits) -> list[str]:
    """Return the line of the game if time is limited, because only this line has the time left."""
    clock = None if limits.clock is None else limits.clock.without_byoyomi
    if limits.movetime is not None:
        left = limits.movetime
        clock = (
            Clock(p1=left, p2=left)
            if clock is None
            else clock.model_copy(update={"p1": min(clock.p1, left), "p2": min(clock.p2, left)})
        )
    return [] if clock is None else [f"set game {_game(track, clock)}"]


def _game(track: Track, clock: Clock | None = None) -> str:
    times: tuple[ggf.GgfTime | None, ggf.GgfTime | None] = (None, None)
    if clock is not None:
        # GGF counts whole seconds, and engines may read 0 as no limit. So send at least one second.
        p1, p2 = max(clock.p1, 1000), max(clock.p2, 1000)
        times = (ggf.GgfTime(p1, clock.inc1), ggf.GgfTime(p2, clock.inc2))
    return ggf.write_ggf(
        ggf.GgfGame(
            moves=tuple(map(ggf.GgfMove, track.moves)),
            fen=track.fen or ggf.START,
            black="black",
            white="white",
            place="plywire",
            times=times,
        )
    )

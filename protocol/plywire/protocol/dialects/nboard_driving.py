"""The driving side of NBoard; see `nboard.py`."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace

from plywire.protocol import commands, events, ggf
from plywire.protocol.commands import Command
from plywire.protocol.errors import PeerError
from plywire.protocol.events import ErrorCode, Event
from plywire.protocol.limits import Clock, Limits

from .base import Dialect
from .nboard_words import GAME, read_discs, read_report
from .notation import Track
from .words import Words, build, syntax, unspeakable, words

#: What `set depth` says where only time limits the search.
_DEEPEST = 60


@dataclass(frozen=True, slots=True)
class _Awaited:
    """What a `pong` closes."""

    number: int
    event: Event
    track: Track
    """Where the game stands if the engine did as it was told."""
    may_fail: bool


class NboardDriving(Dialect):
    """What a GUI or match manager writes and reads; `ping` follows what is answered by silence."""

    def __init__(self) -> None:
        """At the beginning of a connection."""
        super().__init__()
        self._confirmed = Track(GAME)
        self._awaited: deque[_Awaited] = deque()
        self._pings = 0
        self._failure: events.Error | None = None
        self._searching = False
        self._engine = "unknown"
        self._best: events.BestMove | None = None
        self._stats = (0, 0)
        self._depth_told = 0

    def encode_command(self, command: Command) -> list[str]:
        """The lines for an engine."""
        track = self._expected
        match command:
            case commands.Hello():
                # Engines may take their time to get ready for a depth: not when a clock runs.
                lines = ["nboard 2", *self._depth_lines(Limits())]
                return [*lines, *self._await(events.Hello(), track)]
            case commands.Ping() if not self._searching:
                return self._await(events.Pong(), track)
            case commands.Quit():
                return ["quit"]
            case commands.NewGame(game="othello" | None, size="8x8" | None):
                return self._tell_game(Track(GAME))
            case commands.SetPosition(fen=fen, moves=moves):
                return self._tell_game(Track(GAME, fen, moves))
            case commands.Move(moves=moves):
                track = replace(track, moves=(*track.moves, *moves))
                lines = [f"move {ggf.square(name)}" for name in moves]
                return [*lines, *self._await(events.Ok(), track, True)]
            case commands.Undo(count=count) if count <= len(track.moves):
                return self._tell_game(replace(track, moves=track.moves[:-count]))
            case commands.SetOption(name="contempt", value=value) if read_discs(value) is not None:
                return [f"set contempt {value}", *self._await(events.Ok(), track, True)]
            case commands.Go(limits=limits, multipv=1) if not (limits.nodes or limits.infinite):
                self._searching = True
                self._best = None
                self._stats = (0, 0)
                return [*self._depth_lines(limits), *_time_lines(track, limits), "go"]
            case commands.Stop():
                return self._await(events.Ok(), track)
            case _:
                raise unspeakable("nboard", command)

    def decode_event(self, line: str) -> list[Event]:
        """The events on a line; whatever else engines say is ignored."""
        match words(line):
            case ["set", "myname", *name] if name:
                self._engine = "_".join(name)
            case ["pong", number]:
                return self._read_pong(number)
            case ["status", "error", code, *rest] if code in list(ErrorCode):
                self._failure = events.Error(code=ErrorCode(code), message=" ".join(rest))
            case ["nodestats", nodes, time]:
                self._read_stats(nodes, time)
            case ["search" | "book", *rest] if self._searching:
                return self._read_report(rest)
            case ["===", *rest] if self._searching:
                return [self._read_best_move(rest)]
        return []

    @property
    def _expected(self) -> Track:
        """Where the game stands once the engine has done all that it was told."""
        return self._awaited[-1].track if self._awaited else self._confirmed

    def _await(self, event: Event, track: Track, may_fail: bool = False) -> list[str]:
        self._pings += 1
        self._awaited.append(_Awaited(self._pings, event, track, may_fail))
        return [f"ping {self._pings}"]

    def _depth_lines(self, limits: Limits) -> list[str]:
        """What sets the depth, where it is not set already."""
        before, self._depth_told = self._depth_told, min(limits.depth or _DEEPEST, _DEEPEST)
        return [] if self._depth_told == before else [f"set depth {self._depth_told}"]

    def _tell_game(self, track: Track) -> list[str]:
        return [f"set game {_game(track)}", *self._await(events.Ok(), track, True)]

    def _read_pong(self, number: str) -> list[Event]:
        if not self._awaited or number != str(self._awaited[0].number):
            return []  # of a ping that was not ours
        awaited = self._awaited.popleft()
        found: list[Event] = []
        if self._searching:
            # The engine was stopped, and does not name a move any more.
            self._searching = False
            found.append(self._best or events.BestMove())
        failure, self._failure = self._failure, None
        if awaited.may_fail and failure is not None:
            return [*found, failure]
        self._confirmed = awaited.track
        if isinstance(awaited.event, events.Hello):
            return [*found, self._introduction()]
        return [*found, awaited.event]

    def _introduction(self) -> Event:
        try:
            return build(events.Hello, server=self._engine, games=(GAME,))
        except PeerError:
            return events.Hello(server="unknown", games=(GAME,))

    def _read_stats(self, nodes: str, time: str) -> None:
        seconds = read_discs(time)
        if nodes.isascii() and nodes.isdecimal() and len(nodes) <= 15 and seconds is not None:
            self._stats = (int(nodes), max(round(seconds * 1000), 0))

    def _read_report(self, rest: Words) -> list[Event]:
        info = read_report(rest, *self._stats)
        if info is None:
            return []
        self._best = events.BestMove(move=info.pv[0], square=info.squares[0])
        return [info]

    def _read_best_move(self, rest: Words) -> Event:
        """`MOVE/EVAL/TIME`, or with spaces for the slashes."""
        self._searching = False
        try:
            name = ggf.read_move(rest[0]).name if rest else ""
        except ggf.GgfError:
            name = ""
        if not name:
            raise syntax("expected === MOVE/EVAL/TIME")
        return build(events.BestMove, move=name, square="-" if name == "pass" else name)


def _time_lines(track: Track, limits: Limits) -> list[str]:
    """The game anew, for it tells the time left."""
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
        # GGF counts in seconds, and none left may be read as no limit.
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

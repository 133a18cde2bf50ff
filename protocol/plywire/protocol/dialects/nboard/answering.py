"""The answering side of NBoard; see `dialect.py`."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from time import monotonic

from plywire.protocol import ggf
from plywire.protocol.dialects.base import Answering
from plywire.protocol.dialects.parsing import Words, build, integer, syntax, unspeakable, words
from plywire.protocol.dialects.stand_ins import NOTES
from plywire.protocol.dialects.track import USUAL_LIMITS, Track
from plywire.protocol.errors import PeerError
from plywire.protocol.messages import play
from plywire.protocol.messages.base import Command, Error, ErrorCode, Event
from plywire.protocol.messages.limits import MAX_MS, Clock, Limits

from .dialect import Nboard
from .reports import GAME, read_discs, write_eval, write_report

#: The maximum depth in plies, and the maximum number of lines. Larger requests are reduced to them.
_DEEPEST = 60
_MOST_LINES = 64

#: The id of a command shows which line caused it. These are the ids for some lines. For `ping` the
#: id is its own number, and for `eval` it is the number of moves made.
_GO, _HINT, _LEARN = "go", "hint", "learn"


class NboardAnswering(Nboard, Answering):
    """The side that answers.

    Lines that ask about the board, or change it, end the running search. Unknown lines are ignored;
    a `status` reports lines that cannot be carried out.
    """

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        super().__init__()
        self._now = now
        self._began = 0.0
        """The time of the last `go`."""
        self._track = Track(GAME)
        self._depth: int | None = None
        self._clock: Clock | None = None
        self._report: play.Info | None = None
        self._lines: Mapping[str, Callable[[Words], list[Command]]] = {
            "nboard": self._nboard,
            "set": self._set,
            "move": self._move,
            "hint": self._hint,
            "go": self._go,
            "ping": self._ping,
            "learn": lambda rest: [play.Stop(), play.Ping(id=_LEARN)],
            "analyze": self._analyse,
            "quit": lambda rest: [play.Quit()],
        }

    @classmethod
    def opens(cls, line: str) -> bool:
        return words(line)[:1] == ["nboard"]

    def decode_command(self, line: str) -> list[Command]:
        match words(line):
            case [verb, *rest] if verb in self._lines:
                return self._lines[verb](rest)
            case [move] if len(move) == 2:  # in version 1, a move is a line of its own
                return self._move([move])
            case _:
                return []

    def encode_event(self, event: Event, command: Command | None) -> list[str]:
        """Return the lines that an engine writes for an event; success has no line."""
        match event:
            case play.HelloAnswer(server=server, software=software):
                return [f"set myname {server} {software}".rstrip(" ")]
            case play.Info():
                if event.multipv == 1:
                    self._report = event
                return write_report(event)
            case play.BestMove():
                notes = [f"status {NOTES[event.by]}"] if event.by in NOTES else []
                if event.id == _HINT:
                    return notes or ["status"]
                return [*notes, self._write_move(event)]
            case play.Pong(id=number):
                return ["learned"] if number == _LEARN else [f"pong {number}"]
            case play.EvalAnswer():
                return [f"analysis {event.id} {write_eval(event.score)}"]
            case Error(code=code, message=message):
                return [f"status error {code} {message}".rstrip(" ")]
            case play.Bye(reason=reason):
                return [f"status bye {reason}"] if reason else []
            case play.Ok():
                self._note(command)
                return []
            case _:
                raise unspeakable("nboard", event)

    def _note(self, command: Command | None) -> None:
        """Update the game after a command has succeeded."""
        match command:
            case play.NewGame():
                self._track = Track(GAME)
            case play.SetPosition(fen=fen, moves=moves):
                self._track = Track(GAME, fen, moves)
            case play.Move(moves=moves):
                self._track = replace(self._track, moves=(*self._track.moves, *moves))

    def _write_move(self, event: play.BestMove) -> str:
        """Write `=== MOVE/EVAL/TIME`."""
        move = ggf.square(event.move or "pass")
        report = self._report
        if report is None:
            return f"=== {move}"
        return f"=== {move}/{write_eval(report.score)}/{self._now() - self._began:.2f}"

    # --- commands of each line

    def _nboard(self, rest: Words) -> list[Command]:
        _number("nboard VERSION", rest)
        return [play.Stop(), play.Hello(), play.NewGame(game=GAME)]

    def _set(self, rest: Words) -> list[Command]:
        match rest:
            case ["depth", *depth]:
                self._depth = min(max(_number("set depth MAX_DEPTH", depth), 1), _DEEPEST)
            case ["game", *text]:
                return self._set_game(" ".join(text))
            case ["contempt", *contempt] if not contempt or read_discs(contempt[0]) is None:
                raise syntax("expected set contempt NUMBER")
        return []

    def _set_game(self, text: str) -> list[Command]:
        try:
            game = ggf.read_ggf(text)
        except ggf.GgfError as error:
            raise PeerError(ErrorCode.BAD_POSITION, str(error)) from None
        set_up = build(
            play.SetPosition, fen=None if game.fen == ggf.START else game.fen, moves=game.names
        )
        self._clock = _clock(game)
        return [play.Stop(), set_up]

    def _move(self, rest: Words) -> list[Command]:
        try:
            move = ggf.read_move(" ".join(rest))
        except ggf.GgfError as error:
            raise syntax(str(error)) from None
        if self._clock is not None and move.time is not None:
            self._clock = self._clock.moved(self._turn, move.time)
        return [play.Stop(), build(play.Move, moves=(move.name,))]

    def _hint(self, rest: Words) -> list[Command]:
        count = min(max(_number("hint COUNT", rest), 1), _MOST_LINES)
        self._report = None
        go = play.Go(id=_HINT, limits=Limits(depth=self._depth), multipv=count)
        return [play.Stop(), go]

    def _go(self, rest: Words) -> list[Command]:
        self._report = None
        self._began = self._now()
        limits = Limits(depth=self._depth, clock=self._clock)
        if limits == Limits():
            limits = USUAL_LIMITS
        return [play.Stop(), play.Go(id=_GO, limits=limits)]

    def _ping(self, rest: Words) -> list[Command]:
        number = _number("ping NUMBER", rest)
        return [build(play.Stop), build(play.Ping, id=number)]

    def _analyse(self, rest: Words) -> list[Command]:
        """Ask for the evaluation after each move, the last move first."""
        track = self._track
        asked: list[Command] = [play.Stop()]
        for made in range(len(track.moves), -1, -1):
            moves = track.moves[:made]
            asked += [play.SetPosition(fen=track.fen, moves=moves), play.Eval(id=made)]
        return [*asked, play.SetPosition(fen=track.fen, moves=track.moves)]

    @property
    def _turn(self) -> int:
        first = 2 if self._track.fen is not None and self._track.fen.endswith("o") else 1
        return first if len(self._track.moves) % 2 == 0 else 3 - first


def _number(expected: str, rest: Words) -> int:
    if len(rest) != 1:
        raise syntax(f"expected {expected}")
    return integer(expected.rpartition(" ")[2].lower(), rest[0])


def _clock(game: ggf.GgfGame) -> Clock | None:
    """Return the time left after the game's moves; None if the game has no times."""
    black, white = game.times
    # By custom, 0 for both players means that there is no limit. A negative time counts as 0.
    if black is None or white is None or black.main == white.main == 0:
        return None
    p1, p2 = max(black.main, 0), max(white.main, 0)
    clock = Clock(p1=p1, p2=p2, inc1=black.increment, inc2=white.increment)
    player = 2 if game.fen.endswith("o") else 1
    for move in game.moves:
        clock = clock.moved(player, min(move.time or 0, MAX_MS))
        player = 3 - player
    return clock

"""The driving side of GTP; see `dialect.py`."""

import re
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, replace

from plywire.protocol.dialects.base import Driving
from plywire.protocol.dialects.parsing import build, names_of, unspeakable, words
from plywire.protocol.dialects.stand_ins import read_note
from plywire.protocol.dialects.track import Track
from plywire.protocol.dialects.uxi.drops import PASS, name_of
from plywire.protocol.errors import PeerError
from plywire.protocol.messages import play
from plywire.protocol.messages.base import Command, Error, Event
from plywire.protocol.messages.limits import Limits

from .dialect import Gtp
from .vertices import GAME, read_error, read_square, turn, write_vertex

#: Maximum number of lines of a response that are kept.
_MAX_LINES = 1024


@dataclass(slots=True)
class _Asked:
    """A command of ours, until the engine has responded to all its lines."""

    close: Callable[[], Event]
    """Returns the event that closes the command if its lines succeed."""
    track: Track | None
    """The game after the command; None if it is unknown."""
    before: Track | None = None
    """The game before the command; None if it does not matter."""
    due: int = 0
    failure: Error | None = None


@dataclass(slots=True)
class _Sent:
    """A line that was sent and has no response yet."""

    line: str
    asked: _Asked
    may_fail: bool
    """Whether a failure of the line is harmless."""
    on_answer: Callable[[str], None]


class GtpDriving(Gtp, Driving):
    """The side that sends commands.

    Lines carry no ids, since not every engine repeats them: responses come in the order of the
    lines. The engine gets only the optional commands that its `list_commands` names.
    """

    def __init__(self) -> None:
        super().__init__()
        self._known: frozenset[str] = frozenset()
        self._names = {"name": "unknown", "version": "", "list_games": ""}
        self._reached: Track | None = None
        self._sent: deque[_Sent] = deque()
        self._response: list[str] | None = None
        self._best: play.BestMove | None = None
        self._searched_by: play.SearchedBy = "engine"
        self._time_told = ""

    def encode_command(self, command: Command) -> list[str]:
        track = self._expected
        match command:
            case play.Hello():
                asked = _Asked(self._introduction, track, track)
                for verb in self._names:
                    self._send(asked, verb, may_fail=True, on_answer=self._on_name(verb))
                self._send(asked, "list_commands", may_fail=True, on_answer=self._on_commands)
            case play.Ping():
                asked = _Asked(play.Pong, track, track)
                self._send(asked, "protocol_version")
            case play.Quit():
                asked = _Asked(play.Bye, None)
                self._send(asked, "quit", may_fail=True)
            case play.NewGame(game=game, size=size):
                asked = self._write_new_game(game or (track.game if track else GAME), size)
            case play.SetPosition(fen=None, moves=moves):
                asked = self._move_to(Track(track.game if track else GAME, None, moves))
            case play.Move(moves=moves) if track is not None:
                asked = self._move_to(replace(track, moves=(*track.moves, *moves)))
            case play.Undo(count=count) if track is not None and count <= len(track.moves):
                asked = self._move_to(replace(track, moves=track.moves[:-count]))
            case play.Go(limits=limits, multipv=1, level=None) if _is_speakable(limits):
                asked = self._write_go(track or Track(GAME), limits)
            case _:
                raise unspeakable("gtp", command)
        return [sent.line for sent in self._sent if sent.asked is asked]

    def is_answer(self, line: str) -> bool:
        """Return whether the line begins or continues a response that is due."""
        is_begun = self._response is not None
        return is_begun or (bool(self._sent) and line.startswith(("=", "?")))

    def decode_event(self, line: str) -> list[Event]:
        """Return the event once a response is complete; ignore lines outside responses."""
        if self._response is None:
            if line.startswith(("=", "?")) and self._sent:
                self._response = [line.replace("\t", " ")]
            elif line.startswith("# ") and (by := read_note(line[2:].strip())) is not None:
                self._searched_by = by
            return []
        if line.strip():
            if len(self._response) < _MAX_LINES:
                self._response.append(line.replace("\t", " "))
            return []
        response, self._response = self._response, None
        return self._read_response(response)

    @property
    def _expected(self) -> Track | None:
        """The game after all commands that were sent."""
        return self._sent[-1].asked.track if self._sent else self._reached

    def _send(
        self,
        asked: _Asked,
        line: str,
        *,
        may_fail: bool = False,
        on_answer: Callable[[str], None] = lambda text: None,
    ) -> None:
        asked.due += 1
        self._sent.append(_Sent(line, asked, may_fail, on_answer))

    def _write_new_game(self, game: str, size: str | None) -> _Asked:
        asked = _Asked(play.Ok, Track(game))
        self._time_told = ""
        if "set_game" in self._known:
            self._send(asked, f"set_game {game.capitalize()}")
        if size is not None:
            width, _, height = size.partition("x")
            self._send(asked, f"boardsize {width if width == height else f'{width} {height}'}")
        self._send(asked, "clear_board")
        return asked

    def _move_to(self, track: Track) -> _Asked:
        """Play the missing moves, or all moves from the start if the engine's game differs."""
        reached, asked = self._expected, _Asked(play.Ok, track)
        known = 0
        if reached is not None and track.moves[: len(reached.moves)] == reached.moves:
            known, asked.before = len(reached.moves), reached
        else:
            self._send(asked, "clear_board")
        for place in range(known, len(track.moves)):
            before = replace(track, moves=track.moves[:place])
            name = track.moves[place]
            colour = _colour(turn(before))
            # Some engines refuse a pass, even if it is the only move.
            self._send(asked, f"play {colour} {write_vertex(before, name)}", may_fail=name == PASS)
        if not asked.due:
            self._send(asked, "protocol_version")
        return asked

    def _write_go(self, track: Track, limits: Limits) -> _Asked:
        player = turn(track)
        asked = _Asked(self._best_move, track, self._expected)
        for line in self._time_lines(player, limits):
            self._send(asked, line, may_fail=True)

        def on_answer(text: str) -> None:
            # The move is on the first line. Some engines add lines that describe the search.
            vertex = text.strip().partition("\n")[0].strip()
            if vertex.lower() == play.RESIGN:
                self._best, asked.track = play.BestMove(move=play.RESIGN), None
                return
            square = read_square(vertex)
            name = name_of(track.game, square)
            self._best = build(play.BestMove, move=name, square=square, by=self._searched_by)
            asked.track = replace(track, moves=(*track.moves, name))

        self._best, self._searched_by = None, "engine"
        self._send(asked, f"genmove {_colour(player)}", on_answer=on_answer)
        return asked

    def _best_move(self) -> Event:
        return self._best or play.BestMove()

    def _time_lines(self, player: int, limits: Limits) -> list[str]:
        """Return the lines that set the engine's time, which GTP counts in seconds.

        GTP cannot express times below one second, or increments.
        """
        if limits.movetime is not None and limits.movetime < 1000:
            return []
        if (clock := limits.clock) is not None:
            left, periods = (
                (clock.p1, clock.periods1) if player == 1 else (clock.p2, clock.periods2)
            )
            period = clock.byoyomi // 1000 if periods else 0
            settings = f"time_settings {max(clock.p1, clock.p2) // 1000} {period} {min(period, 1)}"
            left = min(left, limits.movetime or left)
            is_over = left < 1000 and period
            time_left = f"{period} 1" if is_over else f"{max(left // 1000, 1)} 0"
        elif limits.movetime is not None:
            settings = f"time_settings 0 {limits.movetime // 1000} 1"
            time_left = f"{limits.movetime // 1000} 1"
        else:
            return []
        lines = []
        if "time_settings" in self._known and not self._time_told:
            lines.append(settings)
            self._time_told = settings
        if "time_left" in self._known:
            lines.append(f"time_left {_colour(player)} {time_left}")
        return lines

    def _introduction(self) -> Event:
        try:
            return build(
                play.HelloAnswer,
                server=(words(self._names["name"]) or ["unknown"])[0],
                software=" ".join(words(self._names["version"])),
                games=names_of(_listed(self._names["list_games"])),
            )
        except PeerError:
            return play.HelloAnswer(server="unknown")

    def _on_name(self, verb: str) -> Callable[[str], None]:
        def on_answer(text: str) -> None:
            self._names[verb] = text

        return on_answer

    def _on_commands(self, text: str) -> None:
        self._known = frozenset(text.split())

    def _read_response(self, response: list[str]) -> list[Event]:
        sent = self._sent.popleft()
        asked = sent.asked
        mark, text = response[0][0], "\n".join([response[0][1:].strip(), *response[1:]])
        asked.due -= 1
        if mark == "=":
            try:
                sent.on_answer(text)
            except PeerError as error:
                self._reached = None
                raise PeerError(error.code, f"answer to {sent.line}: {error.message}") from None
        elif not sent.may_fail and asked.failure is None:
            asked.failure = read_error(text)
        if asked.due:
            return []
        is_known = asked.before is None or asked.before == self._reached
        self._reached = asked.track if is_known and asked.failure is None else None
        return [asked.failure or asked.close()]


def _listed(text: str) -> list[str]:
    """Read a list of games: one on each line, or separated by commas or spaces."""
    parts = re.split(r"[\n,]", text) if re.search(r"[\n,]", text.strip()) else text.split()
    return ["".join(part.split()) for part in parts]


def _is_speakable(limits: Limits) -> bool:
    return limits.depth is None and limits.nodes is None and not limits.infinite


def _colour(player: int) -> str:
    return "b" if player == 1 else "w"

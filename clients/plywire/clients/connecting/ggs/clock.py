"""The GGS clock, which has three parts: https://skatgame.net/mburo/ggsa/clock.

    [initial[,[N]moves]]/[increment[,[N]moves]]/[extension[,[N]moves]]      each [[HH:]MM:]SS

Each part is a time and a number of moves. The initial time is for this number of moves, or without
a number for the whole game. A player who uses up the initial time loses by the smallest margin.
With an `N`, the player instead goes on with the extension. A player who uses up the extension loses
by 64 discs. The increment is added after its number of moves.
"""

import re
from dataclasses import dataclass, replace

from plywire.protocol.messages.limits import MAX_MS
from plywire.protocol.numbers import read_decimal

_TIME = re.compile(r"(?P<sign>[+-]?)(?:(?:(\d{1,4}):)?(\d{1,4}):)?([\d.][^:]*)", re.ASCII)
_PART = re.compile(r"(?P<time>[^,]*)(?:,(?P<n>[Nn]?)(?P<moves>\d{0,4})(?::\d{0,4})?)?", re.ASCII)
#: The bot keeps _LAG ms back for sending a move, but at most 1 / _FRACTION of the time left. The
#: server accepts a player's own measurement of time only within unknown bounds.
_LAG, _FRACTION = 500, 20


class GgsClockError(ValueError):
    """A text is not a GGS clock; the error says what is accepted."""


@dataclass(frozen=True, slots=True)
class GgsClock:
    """A player's clock: in a request as the game begins, in a game as it stands now."""

    initial: int
    """Time before the extension, in ms."""
    increment: int = 0
    """Time added with each move, in ms."""
    extension: int = 0
    is_soft: bool = True
    """Whether the game is lost, by the smallest margin, when the initial time is used up."""

    @classmethod
    def parse(cls, text: str) -> "GgsClock":
        """Read a clock such as `15:00//02:00`; raises GgsClockError.

        If an increment comes only every few moves, each move gets its share.
        """
        initial, increment, extension, *more = (*text.split("/"), "", "")
        if more and any(more):
            raise _error(text)
        (first, no_loss, _), (gain, _, every), (last, _, _) = (
            _part(part, text) for part in (initial, increment, extension)
        )
        return cls(first, gain // max(every, 1), last, is_soft=not no_loss)

    @property
    def left(self) -> int:
        """Longest time that the next move may take without losing the game, in ms."""
        if self.initial and self.is_soft:
            return self.initial
        return min(self.initial + self.extension, MAX_MS)

    @property
    def to_spend(self) -> int:
        """The time left minus an allowance for sending the move, in ms."""
        return self.left - min(_LAG, self.left // _FRACTION)

    def after(self, ms: int) -> "GgsClock":
        over = max(ms - self.initial, 0)
        return replace(
            self, initial=max(self.initial - ms, 0), extension=max(self.extension - over, 0)
        )

    def __str__(self) -> str:
        initial, increment, extension = map(_write, (self.initial, self.increment, self.extension))
        return f"{initial}{'' if self.is_soft else ',N0'}/{increment}/{extension}"


def _part(text: str, clock: str) -> tuple[int, bool, int]:
    """Read one part: time in ms, whether there is an `N`, and number of moves."""
    found = _PART.fullmatch(text.strip())
    if found is None:
        raise _error(clock)
    ms = 0
    if found["time"]:
        time = _TIME.fullmatch(found["time"])
        seconds = None if time is None else read_decimal(time[4])
        if time is None or seconds is None:
            raise _error(clock)
        if time["sign"] != "-":
            hours, minutes = (int(part or 0) for part in (time[2], time[3]))
            ms = min(round(1000 * (3600 * hours + 60 * minutes + seconds)), MAX_MS)
    return ms, bool(found["n"]), int(found["moves"] or 0)


def _error(text: str) -> GgsClockError:
    return GgsClockError(
        f"no clock {text[:40]!r}; write INITIAL/INCREMENT/EXTENSION, each [[HH:]MM:]SS, such as"
        " 05:00//02:00"
    )


def _write(ms: int) -> str:
    """Write a time as MM:SS; 0 becomes the empty text."""
    minutes, seconds = divmod(ms // 1000, 60)
    return f"{minutes:02}:{seconds:02}" if ms else ""

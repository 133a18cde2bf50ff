"""The clock of GGS, of three parts: https://skatgame.net/mburo/ggsa/clock.

    [initial[,[N]moves]]/[increment[,[N]moves]]/[extension[,[N]moves]]      each [[HH:]MM:]SS

The initial time is for so many moves, or for the whole game. Who uses it up has lost by the least
margin, or, with an `N`, has not lost yet, and goes on in the extension. Who uses that up as well
has lost by 64 discs. The increment is gained every so many moves.
"""

import re
from dataclasses import dataclass, replace

from plywire.protocol.messages.limits import MAX_MS
from plywire.protocol.numbers import read_decimal

_TIME = re.compile(r"(?P<sign>[+-]?)(?:(?:(\d{1,4}):)?(\d{1,4}):)?([\d.][^:]*)", re.ASCII)
_PART = re.compile(r"(?P<time>[^,]*)(?:,(?P<n>[Nn]?)(?P<moves>\d{0,4})(?::\d{0,4})?)?", re.ASCII)
#: Kept back for the way of a move to the server, in ms, but never more than the fraction of the
#: time: what is reported beside the move is trusted within bounds that only the server knows.
_LAG, _FRACTION = 500, 20


class GgsClockError(ValueError):
    """No clock of GGS; the error says what is accepted."""


@dataclass(frozen=True, slots=True)
class GgsClock:
    """Time of a player: at the beginning of a game, or what is left."""

    initial: int
    """Before the extension, in ms."""
    increment: int = 0
    """Gained with each move, in ms."""
    extension: int = 0
    """In ms."""
    is_soft: bool = True
    """Whether the game is lost, by the least margin, once the initial time is up."""

    @classmethod
    def parse(cls, text: str) -> "GgsClock":
        """The clock in a text such as `15:00//02:00`.

        Of an increment every few moves each is told its share. Raises GgsClockError.
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
        """Return the longest time for the next move that does not lose the game, in ms."""
        if self.initial and self.is_soft:
            return self.initial
        return min(self.initial + self.extension, MAX_MS)

    @property
    def to_spend(self) -> int:
        """Return the time left less an allowance for the way of the move to the server, in ms."""
        return self.left - min(_LAG, self.left // _FRACTION)

    def after(self, ms: int) -> "GgsClock":
        """The clock of a player who has thought for that long."""
        over = max(ms - self.initial, 0)
        return replace(
            self, initial=max(self.initial - ms, 0), extension=max(self.extension - over, 0)
        )

    def __str__(self) -> str:
        """As `ask` takes it."""
        initial, increment, extension = map(_write, (self.initial, self.increment, self.extension))
        return f"{initial}{'' if self.is_soft else ',N0'}/{increment}/{extension}"


def _part(text: str, clock: str) -> tuple[int, bool, int]:
    """Read one part: the time in ms, whether there is an `N`, and the number of moves."""
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
    """Write a time in whole seconds; 0 is the empty text."""
    minutes, seconds = divmod(ms // 1000, 60)
    return f"{minutes:02}:{seconds:02}" if ms else ""

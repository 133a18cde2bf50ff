"""Time in GTP: what `time_settings` and `time_left` say, and the limits of a search by them."""

from plywire.protocol.dialects.parsing import Words, decimal, syntax
from plywire.protocol.dialects.track import USUAL_LIMITS
from plywire.protocol.messages.limits import MAX_MS, Clock, Limits

#: Assumed time in ms from our move until the client stops the clock. Clients never report it, so
#: each move subtracts it.
LAG = 25


class Times:
    """The time that a GTP client has set; Canadian byo-yomi becomes a fixed time for each move."""

    def __init__(self) -> None:
        self._settings: Clock | None = None
        self._clock: Clock | None = None
        self._each: dict[int, int] = {}

    def restart(self) -> None:
        """Begin a new game with the same settings."""
        self._clock = self._settings
        self._each = {}

    def settings(self, arguments: Words) -> None:
        """Read `MAIN_TIME BYO_YOMI_TIME BYO_YOMI_STONES` (s); raise PeerError if invalid."""
        main, period, stones = _numbers("time_settings", arguments)
        if period and not stones:
            self._settings = None  # the GTP draft writes "no time limit" this way
        else:
            each = period // stones if stones else 0
            periods = 1 if each else 0
            self._settings = Clock(
                p1=main, p2=main, byoyomi=each, periods1=periods, periods2=periods
            )
        self.restart()

    def left(self, player: int, arguments: Words) -> None:
        """Read `TIME STONES`; raise PeerError if invalid.

        TIME is in seconds, for this number of stones. If STONES is 0, TIME is for the whole game.
        """
        time, stones = _numbers("time_left", arguments)
        self._each.pop(player, None)
        if stones:
            self._each[player] = time // stones
        else:
            clock = self._clock or Clock(p1=time, p2=time)
            self._clock = clock.model_copy(update={f"p{player}": time})

    def limits(self, player: int) -> Limits:
        if (each := self._each.get(player)) is not None:
            return Limits(movetime=each)
        clock = self._clock
        if clock is None:
            return USUAL_LIMITS
        return Limits(clock=clock) if clock.left(player) else Limits(movetime=0)

    def spend(self, player: int, ms: int) -> None:
        """Subtract the time of a move, for clients that never send `time_left`."""
        if self._clock is not None:
            self._clock = self._clock.moved(player, ms + LAG)


def _numbers(verb: str, arguments: Words) -> list[int]:
    """Return the times, in ms, and the number of stones."""
    names = ("main_time", "byo_yomi_time", "byo_yomi_stones")
    if verb == "time_left":
        names = ("color", "time", "stones")
    expected = names if verb == "time_settings" else names[1:]
    if len(arguments) != len(expected):
        raise syntax(f"expected {verb} {' '.join(names)}")
    numbers = [decimal(name, word) for name, word in zip(expected, arguments, strict=True)]
    if not all(number <= MAX_MS // 1000 for number in numbers):
        raise syntax(f"{' and '.join(expected)} are from 0 to {MAX_MS // 1000}")
    # Negative numbers count as 0.
    *times, stones = (max(number, 0) for number in numbers)
    return [*(round(time * 1000) for time in times), round(stones)]

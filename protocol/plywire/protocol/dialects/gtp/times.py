"""Time in GTP: `time_settings`, `time_left`, and the limits of a search that follow."""

from plywire.protocol.dialects.parsing import Words, decimal, syntax
from plywire.protocol.dialects.track import USUAL_LIMITS
from plywire.protocol.messages.limits import MAX_MS, Clock, Limits

#: What a move may lose on its way to whoever keeps the clock, in ms: that is never told, and many
#: such losses add up.
LAG = 25


class Times:
    """The time that a GTP client has set; Canadian byo-yomi becomes a time for each stone."""

    def __init__(self) -> None:
        self._settings: Clock | None = None
        self._clock: Clock | None = None
        self._each: dict[int, int] = {}

    def restart(self) -> None:
        """A new game, by the same settings."""
        self._clock = self._settings
        self._each = {}

    def settings(self, arguments: Words) -> None:
        """Take `MAIN_TIME BYO_YOMI_TIME BYO_YOMI_STONES`, in seconds.

        Raises PeerError if that is no time.
        """
        main, period, stones = _numbers("time_settings", arguments)
        if period and not stones:
            self._settings = None  # the draft's way to say that there is no limit
        else:
            each = period // stones if stones else 0
            periods = 1 if each else 0
            self._settings = Clock(
                p1=main, p2=main, byoyomi=each, periods1=periods, periods2=periods
            )
        self.restart()

    def left(self, player: int, arguments: Words) -> None:
        """Take `TIME STONES` of player 1 or 2: seconds, and how many stones that is for, or 0.

        Raises PeerError if that is no time.
        """
        time, stones = _numbers("time_left", arguments)
        self._each.pop(player, None)
        if stones:
            self._each[player] = time // stones
        else:
            clock = self._clock or Clock(p1=time, p2=time)
            self._clock = clock.model_copy(update={f"p{player}": time})

    def limits(self, player: int) -> Limits:
        """Return the limits of player 1 or 2."""
        if (each := self._each.get(player)) is not None:
            return Limits(movetime=each)
        clock = self._clock
        if clock is None:
            return USUAL_LIMITS
        return Limits(clock=clock) if clock.left(player) else Limits(movetime=0)

    def spend(self, player: int, ms: int) -> None:
        """Note how long a move took here, for those who never say what is left."""
        if self._clock is not None:
            self._clock = self._clock.moved(player, ms + LAG)


def _numbers(verb: str, arguments: Words) -> list[int]:
    """Read the times, in ms, and the number of stones."""
    names = ("main_time", "byo_yomi_time", "byo_yomi_stones")
    if verb == "time_left":
        names = ("color", "time", "stones")
    expected = names if verb == "time_settings" else names[1:]
    if len(arguments) != len(expected):
        raise syntax(f"expected {verb} {' '.join(names)}")
    numbers = [decimal(name, word) for name, word in zip(expected, arguments, strict=True)]
    if not all(number <= MAX_MS // 1000 for number in numbers):
        raise syntax(f"{' and '.join(expected)} are from 0 to {MAX_MS // 1000}")
    # A clock below 0 is empty.
    *times, stones = (max(number, 0) for number in numbers)
    return [*(round(time * 1000) for time in times), round(stones)]

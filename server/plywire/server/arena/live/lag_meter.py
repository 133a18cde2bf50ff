"""The lag of a bot: the round-trip time of a message and its answer."""

from __future__ import annotations

from collections import deque

from plywire.server.clock import ServerClock

#: The lag is the shortest of the last round trips. This is their number.
_ROUND_TRIPS = 5
#: Maximum time in seconds that a client may take to echo a probe, in addition to the round-trip
#: time that the kernel measures.
_ECHO_TIME = 0.01
#: Seconds until a measurement is too old. More frequent probes would cost too much: a probe takes a
#: quarter of the work of a move.
_FRESH = 5.0


class LagMeter:
    """Measures the lag by probes, which the bot echoes."""

    def __init__(self, clock: ServerClock) -> None:
        self._clock = clock
        self._round_trips: deque[float] = deque(maxlen=_ROUND_TRIPS)
        self._probes = 0
        self._probed: float | None = None
        """When the open probe was sent; None if no probe is open."""
        self._measured = 0.0

    def restart(self) -> None:
        self._probed = None
        self._round_trips.clear()

    def probe(self) -> int | None:
        """Return the number of a probe to send now, or None while another probe is open."""
        if self._probed is not None:
            return None
        self._probes += 1
        self._probed = self._clock.now()
        return self._probes

    def echo(self, number: int) -> None:
        if self._probed is not None and number == self._probes:
            self._measured = self._clock.now()
            self._round_trips.append(self._measured - self._probed)
            self._probed = None

    @property
    def is_fresh(self) -> bool:
        """Whether there are enough round trips, the latest a moment ago."""
        is_new = self._clock.now() - self._measured < _FRESH
        return is_new and len(self._round_trips) == _ROUND_TRIPS

    def lag(self, round_trip: float | None) -> int:
        """Return the lag in ms; slow echoes add at most 10 ms to `round_trip`, in seconds."""
        echoed = min(self._round_trips, default=0.0)
        return round(
            1000 * (echoed if round_trip is None else min(echoed, round_trip + _ECHO_TIME))
        )

"""Wrong logins: answered late, and counted in the log."""

import logging
import math

from plywire.server.clock import Clock

log = logging.getLogger(__name__)

#: Seconds between answers to wrong logins of one address, and how many come without delay.
_EVERY = 1.0
_AT_ONCE = 5
#: The longest delay, in seconds.
_LONGEST = 10.0
#: Seconds between lines of the log.
_REPORT_EVERY = 60.0


class WrongLogins:
    """Delays for those who guess tokens, by address; a right login is never delayed."""

    def __init__(self, clock: Clock) -> None:
        """Start without any."""
        self._clock = clock
        self._due: dict[str | None, float] = {}
        """When the latest answer to an address is due."""
        self._count = 0
        self._reported: float | None = None

    async def delay(self, address: str | None) -> None:
        """Wait until a wrong login of an address may be answered; this machine has none."""
        self._count += 1
        now = self._clock.now()
        earliest = now - (_AT_ONCE - 1) * _EVERY
        due = min(max(self._due.get(address, -math.inf) + _EVERY, earliest), now + _LONGEST)
        self._due[address] = due
        if due > now:
            await self._clock.sleep(due - now)

    def report(self) -> None:
        """Log how many there were, once a minute at most; to be called every now and then."""
        now = self._clock.now()
        self._due = {
            address: due for address, due in self._due.items() if due > now - _AT_ONCE * _EVERY
        }
        if self._count and (self._reported is None or now - self._reported >= _REPORT_EVERY):
            log.warning("logins refused count=%d", self._count)
            self._count, self._reported = 0, now

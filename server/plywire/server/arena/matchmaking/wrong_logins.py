"""Wrong logins: answered late, and counted in the log."""

import logging

from plywire.server.clock import ServerClock
from plywire.server.rate_limit import TokenBucket

log = logging.getLogger(__name__)

#: Number of answers to wrong logins from one address: each second, and at once without delay.
_ANSWERS = (1.0, 5)
#: Maximum delay of an answer, in seconds.
_LONGEST = 10.0
#: Maximum number of lines in the log about wrong logins: each second, and in a burst.
_REPORTS = (1 / 60, 1)


class WrongLogins:
    """Delays the answers to wrong logins, by address; valid logins are never delayed."""

    def __init__(self, clock: ServerClock) -> None:
        self._clock = clock
        self._answers: dict[str | None, TokenBucket] = {}
        self._reports = TokenBucket(*_REPORTS, clock.now())
        self._count = 0

    async def delay(self, address: str | None) -> None:
        self._count += 1
        now = self._clock.now()
        if address not in self._answers:
            self._answers[address] = TokenBucket(*_ANSWERS, now)
        if (seconds := self._answers[address].reserve(now, _LONGEST)) > 0:
            await self._clock.sleep(seconds)

    def report(self) -> None:
        """Log the number of wrong logins, at most once a minute; call this regularly."""
        now = self._clock.now()
        self._answers = {
            address: bucket for address, bucket in self._answers.items() if not bucket.is_full(now)
        }
        if self._count and self._reports.take(now):
            log.warning("logins refused count=%d", self._count)
            self._count = 0

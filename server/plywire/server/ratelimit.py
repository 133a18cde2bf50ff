"""How often a peer may speak."""


class TokenBucket:
    """Lets `burst` messages through at once, and `rate` a second in the long run."""

    def __init__(self, rate: float, burst: int, now: float) -> None:
        """A full bucket; a rate of 0 limits nothing."""
        self._rate = rate
        self._burst = burst
        self._tokens = float(burst)
        self._filled = now
        self.refused = 0
        """Messages refused since one was last let through."""

    def take(self, now: float) -> bool:
        """Whether one more message may pass at that time, in seconds."""
        if not self._rate:
            return True
        self._tokens = min(self._burst, self._tokens + (now - self._filled) * self._rate)
        self._filled = now
        if self._tokens < 1:
            self.refused += 1
            return False
        self._tokens -= 1
        self.refused = 0
        return True

"""A limit for how often a client may do something."""


class TokenBucket:
    """A token bucket: `burst` tokens pass at once, and `rate` a second in the long run."""

    def __init__(self, rate: float, burst: int, now: float) -> None:
        """Begin with a full bucket; a rate of 0 limits nothing."""
        self._rate = rate
        self._burst = burst
        self._tokens = float(burst)
        self._filled = now

    def take(self, now: float, cost: float = 1.0) -> bool:
        """Return whether a message may pass at the time `now`, in seconds, and take its tokens.

        A refused message costs nothing. One token is enough for any message: the tokens that it
        lacks are owed, and later messages pay for them.
        """
        if not self._rate:
            return True
        if self._fill(now) < min(cost, 1.0):
            return False
        self._tokens -= cost
        return True

    def reserve(self, now: float, longest: float) -> float:
        """Take a token, even if none is left; return the seconds to wait, at most `longest`."""
        self._tokens = max(self._fill(now) - 1.0, -longest * self._rate)
        return max(-self._tokens / self._rate, 0.0)

    def is_full(self, now: float) -> bool:
        """Return whether the bucket is as full as a new one."""
        return self._fill(now) >= self._burst

    def _fill(self, now: float) -> float:
        """Fill the bucket up to `now`, and return its tokens; less than 0 if some are owed."""
        self._tokens = min(self._burst, self._tokens + (now - self._filled) * self._rate)
        self._filled = now
        return self._tokens

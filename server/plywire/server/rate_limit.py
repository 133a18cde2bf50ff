"""How often a peer may speak."""


class TokenBucket:
    """Lets messages of `burst` tokens through at once, and of `rate` a second in the long run."""

    def __init__(self, rate: float, burst: int, now: float) -> None:
        """A full bucket; a rate of 0 limits nothing."""
        self._rate = rate
        self._burst = burst
        self._tokens = float(burst)
        self._filled = now

    def take(self, now: float, cost: float = 1.0) -> bool:
        """Whether one more message may pass at that time, in seconds; one that may not costs none.

        One token lets the dearest message pass: what it lacks is owed, and comes off the next ones.
        """
        if not self._rate:
            return True
        self._tokens = min(self._burst, self._tokens + (now - self._filled) * self._rate)
        self._filled = now
        if self._tokens < min(cost, 1.0):
            return False
        self._tokens -= cost
        return True

"""How often a client may do something."""


class TokenBucket:
    """Lets messages of `burst` tokens through at once, and of `rate` a second in the long run."""

    def __init__(self, rate: float, burst: int, now: float) -> None:
        """Begin with a full bucket; a rate of 0 limits nothing."""
        self._rate = rate
        self._burst = burst
        self._tokens = float(burst)
        self._filled = now

    def take(self, now: float, cost: float = 1.0) -> bool:
        """Return whether one more message may pass at that time, in seconds.

        A message that may not pass costs nothing. One token lets the dearest message pass: what it
        lacks is owed, and comes off the next ones.
        """
        if not self._rate:
            return True
        if self._fill(now) < min(cost, 1.0):
            return False
        self._tokens -= cost
        return True

    def reserve(self, now: float, longest: float) -> float:
        """Take a token in any case, and return the seconds until it is there.

        No more is owed than comes in `longest` seconds.
        """
        self._tokens = max(self._fill(now) - 1.0, -longest * self._rate)
        return max(-self._tokens / self._rate, 0.0)

    def is_full(self, now: float) -> bool:
        """Whether nothing is missing, as in a new bucket."""
        return self._fill(now) >= self._burst

    def _fill(self, now: float) -> float:
        """Return the tokens that are there now; less than 0 if some are owed."""
        self._tokens = min(self._burst, self._tokens + (now - self._filled) * self._rate)
        self._filled = now
        return self._tokens

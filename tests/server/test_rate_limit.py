"""What a token bucket lets through."""

from plywire.server.rate_limit import TokenBucket


def _passing(bucket: TokenBucket, now: float, asked: int = 100) -> int:
    return sum(bucket.take(now) for _ in range(asked))


def test_a_burst_at_once_and_the_rate_in_the_long_run() -> None:
    bucket = TokenBucket(10, 5, now=0)
    assert _passing(bucket, 0) == 5
    assert _passing(bucket, 0.1) == 1
    assert _passing(bucket, 0.35) == 2
    assert _passing(bucket, 0.4) == 1  # what was left of a token is not lost
    assert _passing(bucket, 1000) == 5  # nor is more than a burst saved up


def test_what_is_refused_costs_nothing() -> None:
    bucket = TokenBucket(10, 5, now=0)
    assert _passing(bucket, 0, asked=1_000_000) == 5
    assert _passing(bucket, 0.1) == 1


def test_dear_messages_pass_and_are_paid_for_later() -> None:
    bucket = TokenBucket(10, 5, now=0)
    assert [bucket.take(0, cost=4) for _ in range(3)] == [True, True, False]
    assert not bucket.take(0.3)
    assert bucket.take(0.4)


def test_no_rate_is_no_limit() -> None:
    assert _passing(TokenBucket(0, 1, now=0), 0) == 100


def test_a_reserved_token_comes_later_when_none_is_left() -> None:
    bucket = TokenBucket(2, 3, now=0)
    assert [bucket.reserve(0, longest=1.0) for _ in range(7)] == [0, 0, 0, 0.5, 1, 1, 1]
    assert bucket.reserve(0.5, longest=1.0) == 1
    assert not bucket.is_full(2.9)
    assert bucket.is_full(3)

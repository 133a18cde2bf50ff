import math
import time

from plywire.engine.search.deadline import Deadlines
from plywire.engine.search.stop import Stop

#: Only a search that is never stopped takes as long as this, in seconds.
PATIENCE = 30


def test_a_stop_is_set_at_its_time_and_not_before() -> None:
    deadlines, stop = Deadlines(), Stop()
    when = time.monotonic() + 0.02
    with deadlines.at(when, stop):
        assert stop.wait(PATIENCE)
        assert time.monotonic() >= when


def test_an_earlier_deadline_overtakes_a_later_one() -> None:
    deadlines, early, late = Deadlines(), Stop(), Stop()
    now = time.monotonic()
    with deadlines.at(now + PATIENCE, late), deadlines.at(now + 0.02, early):
        assert early.wait(PATIENCE)
        assert not late.is_set


def test_a_thread_that_waits_for_nothing_is_woken() -> None:
    deadlines, first, second = Deadlines(), Stop(), Stop()
    with deadlines.at(0.0, first):
        assert first.wait(PATIENCE)
    # By now the thread has let go of the queue, to wait for something to come into it.
    with deadlines.at(time.monotonic() + 0.02, second):
        assert second.wait(PATIENCE)


def test_a_time_in_the_past_is_now() -> None:
    deadlines, stop = Deadlines(), Stop()
    with deadlines.at(0.0, stop):
        assert stop.wait(PATIENCE)


def test_leaving_the_block_cancels() -> None:
    deadlines, first, second = Deadlines(), Stop(), Stop()
    now = time.monotonic()
    with deadlines.at(now + 0.5, first):
        pass
    with deadlines.at(now + 0.51, second):
        assert second.wait(PATIENCE)
    assert not first.is_set


def test_many_at_once() -> None:
    deadlines = Deadlines()
    stops = [Stop() for _ in range(20)]
    now = time.monotonic()
    blocks = [deadlines.at(now + 0.001 * number, stop) for number, stop in enumerate(stops)]
    for block in blocks:
        block.__enter__()
    assert all(stop.wait(PATIENCE) for stop in stops)
    for block in blocks:
        block.__exit__(None, None, None)


def test_infinity_is_never() -> None:
    stop = Stop()
    with Deadlines().at(math.inf, stop):
        assert not stop.is_set

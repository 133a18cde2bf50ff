"""The clock of three parts."""

import pytest

from plywire.clients.connecting.ggs.clock import GgsClock, GgsClockError


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("15:00//02:00", GgsClock(900_000, 0, 120_000)),
        ("05:00/00:10/02:00", GgsClock(300_000, 10_000, 120_000)),
        ("30", GgsClock(30_000)),
        ("1:00:00", GgsClock(3_600_000)),
        ("2:00,N40//30:00", GgsClock(120_000, 0, 1_800_000, is_soft=False)),
        ("00:56,1:0//02:00,1:0", GgsClock(56_000, 0, 120_000)),
        ("15:00/00:10,5", GgsClock(900_000, 2_000)),
        ("-00:05//01:55", GgsClock(0, 0, 115_000)),
        ("999999//", GgsClock(86_400_000)),
        ("", GgsClock(0)),
    ],
)
def test_clocks_are_read(text: str, clock: GgsClock) -> None:
    assert GgsClock.parse(text) == clock


@pytest.mark.parametrize("text", ["x", "5;00", "1/2/3/4", "1:2:3:4", "9" * 40, "15:00,Z", "٣"])
def test_others_are_refused(text: str) -> None:
    with pytest.raises(GgsClockError, match="no clock"):
        GgsClock.parse(text)


@pytest.mark.parametrize("text", ["05:00//02:00", "00:30/00:01/", "02:00,N0//00:30"])
def test_clocks_are_written(text: str) -> None:
    assert str(GgsClock.parse(text)) == text


def test_the_extension_is_kept_for_when_there_is_nothing_else() -> None:
    clock = GgsClock.parse("00:10//02:00")
    assert clock.left == 10_000
    assert clock.to_spend == 9_500
    assert clock.after(9_000).to_spend == 950
    late = clock.after(15_000)
    assert (late.initial, late.extension) == (0, 115_000)
    assert late.left == 115_000
    assert clock.after(500_000).to_spend == 0


def test_an_extension_that_costs_nothing_is_time() -> None:
    assert GgsClock.parse("00:10,N//02:00").left == 130_000

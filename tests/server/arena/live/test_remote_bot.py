"""A bot's lag: the shortest of its latest round trips."""

from plywire.protocol.messages.arena import Probe
from plywire.protocol.messages.base import Event
from plywire.server.arena.live.remote_bot import RemoteBot
from tests.support.turned_clock import TurnedClock


class Ears:
    """A connection that notes the probes."""

    heard = 0.0
    network = None

    def __init__(self) -> None:
        self.round_trip: float | None = None
        self.probes: list[int] = []

    def notify(self, event: Event) -> None:
        if isinstance(event, Probe):
            self.probes.append(event.number)

    async def send_when_ready(self, event: Event) -> None:
        self.notify(event)

    def end(self, reason: str) -> None:
        """Hang up."""


def bot() -> tuple[RemoteBot, TurnedClock, Ears]:
    clock, ears = TurnedClock(), Ears()
    ann = RemoteBot("ann", clock, 30.0, lambda _: None)
    ann.arrive(ears)
    return ann, clock, ears


async def test_the_shortest_of_the_latest_five_round_trips_is_the_lag() -> None:
    ann, clock, ears = bot()
    assert ann.lag == 0
    expected = (300, 200, 200, 200, 200, 200, 400, 400, 400, 400, 400, 500)
    ways = (0.3, 0.2, 0.6, 0.5, 0.9, 0.7, 0.4, 0.8, 0.6, 0.5, 0.7, 0.9)
    for way, lag in zip(ways, expected, strict=True):
        await clock.advance(way)
        ann.echo(ears.probes[-1])
        assert ann.lag == lag, way
        ann.probe()


async def test_the_lag_is_known_for_a_while_after_five_round_trips() -> None:
    ann, clock, ears = bot()
    for _ in range(5):
        assert not ann.meter.is_fresh
        ann.probe()
        ann.echo(ears.probes[-1])
    assert ann.meter.is_fresh
    await clock.advance(4.9)
    assert ann.meter.is_fresh
    await clock.advance(0.1)
    assert not ann.meter.is_fresh
    ann.arrive(Ears())
    assert not ann.meter.is_fresh


async def test_only_the_answer_to_the_latest_probe_counts() -> None:
    ann, clock, ears = bot()
    await clock.advance(0.5)
    ann.echo(ears.probes[-1])
    ann.probe()
    for stale in (ears.probes[0], ears.probes[-1] + 1):
        ann.echo(stale)
        assert ann.lag == 500
    await clock.advance(0.3)
    ann.probe()  # one is on its way: nobody asks again
    assert ears.probes == [1, 2]
    ann.echo(2)
    ann.echo(2)
    assert ann.lag == 300


async def test_a_new_connection_has_a_lag_of_its_own() -> None:
    ann, clock, ears = bot()
    await clock.advance(0.5)
    ann.echo(ears.probes[-1])
    ann.arrive(again := Ears())
    assert ann.lag == 0
    await clock.advance(0.7)
    ann.echo(again.probes[-1])
    assert ann.lag == 700


async def test_echoes_cannot_make_the_lag_longer_than_the_kernel_finds() -> None:
    ann, clock, ears = bot()
    await clock.advance(0.6)
    ann.echo(ears.probes[-1])
    assert ann.lag == 600
    ears.round_trip = 0.03
    assert ann.lag == 40  # a client may take a moment to answer
    ears.round_trip = 0.9
    assert ann.lag == 600

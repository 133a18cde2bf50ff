"""The referee's clock: what a process does not run for is nobody's time."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

import pytest

from plywire.clients.play.errors import Termination
from plywire.clients.play.matches.clock import LATEST_BEAT, RunningClock
from plywire.clients.play.matches.records import GameRecord
from plywire.clients.play.matches.referee import Referee, TimeControl
from plywire.clients.play.players.base import GameLine
from plywire.clients.play.players.python import PythonPlayer
from plywire.engine.registry import load
from plywire.protocol.messages.limits import Clock, Limits
from tests.support.scripted_players import LocalScripted, Scripted
from tests.support.until import until

GAME = load("connect4")
START = GameLine.at(GAME.start())
#: What a move may take on the record, in ms, during which the process was stopped.
STOPPED = round(LATEST_BEAT * 1000)


class System:
    """The system's clock, by which a stopped process is late: it goes on by hand."""

    def __init__(self) -> None:
        self.seconds = 1000.0

    def __call__(self) -> float:
        return self.seconds

    def stop_process(self, seconds: float) -> None:
        """Let so much time pass, of which the event loop sees nothing."""
        self.seconds += seconds


async def goes_on(clock: RunningClock, system: System, step: float = 1e-3) -> None:
    """Let time pass in such steps until the clock runs after a pause."""

    def has_gone_on() -> bool:
        before = clock.now()
        system.seconds += step
        return clock.now() > before

    await until(has_gone_on)


@pytest.mark.parametrize("seconds", [0.5, 2, 30])
async def test_the_clock_stands_still_while_the_process_does_not_run(seconds: float) -> None:
    system = System()
    clock = RunningClock(system)
    with clock.watched():
        began = clock.now()
        system.stop_process(seconds)
        assert clock.now() - began == pytest.approx(LATEST_BEAT)
        assert clock.paused == pytest.approx(seconds - LATEST_BEAT)
        await goes_on(clock, system)
        assert clock.now() - began == pytest.approx(LATEST_BEAT, abs=0.01)
    # What it went on for after the latest beat, it stood still for when the process ran again.
    assert clock.paused >= seconds


async def test_nobody_notices_pauses_of_a_clock_that_is_not_watched() -> None:
    system = System()
    clock = RunningClock(system)
    began = clock.now()
    system.stop_process(2)
    assert clock.now() - began == 2
    with clock.watched():
        assert clock.now() - began == 2
    assert clock.paused == 0


async def test_a_timeout_does_not_end_in_a_pause_but_after_it() -> None:
    system = System()
    clock = RunningClock(system)
    with clock.watched():
        async with clock.timeout(0.1):
            system.stop_process(30)
            await goes_on(clock, system)
        with pytest.raises(TimeoutError):
            await outstay(clock, system)


async def outstay(clock: RunningClock, system: System) -> None:
    """Take longer than is allowed."""
    async with clock.timeout(0.1):
        while True:
            system.seconds += 0.01
            await goes_on(clock, system)


@pytest.mark.parametrize(("seconds", "stands"), [(2, LATEST_BEAT), (30, 10)])
async def test_after_a_long_pause_the_clock_waits_for_those_who_hung_up(
    seconds: float, stands: float
) -> None:
    system = System()
    clock = RunningClock(system, settling=10)
    with clock.watched():
        system.stop_process(seconds)
        began = system.seconds
        await goes_on(clock, system, 0.01)
        assert stands <= system.seconds - began
    assert clock.paused >= seconds + stands - LATEST_BEAT


async def test_a_pause_is_logged(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    system = System()
    clock = RunningClock(system)
    with clock.watched():
        system.stop_process(2)
        await goes_on(clock, system)
    (message,) = caplog.messages
    assert message.startswith("paused seconds=")


def on_the_loop(before: Callable[[], None]) -> Scripted:
    return Scripted("4444", before=before)


def in_a_thread(before: Callable[[], None]) -> LocalScripted:
    return LocalScripted("4444", before=lambda stop: before())


async def played(
    first: Scripted | LocalScripted, system: System, limits: Limits, **control: bool
) -> GameRecord:
    second = type(first)("111")
    referee = Referee(GAME, TimeControl(limits, **control), clock=RunningClock(system))  # type: ignore[arg-type]
    return await referee.play((first, second), START)


@pytest.mark.parametrize("make", [on_the_loop, in_a_thread])
@pytest.mark.parametrize("flag_falls", [False, True])
@pytest.mark.parametrize("seconds", [0.5, 2, 30])
@pytest.mark.parametrize("limits", [Limits(movetime=100), Limits(clock=Clock(p1=500, p2=500))])
async def test_nobody_is_charged_for_a_pause(
    make: Callable[[Callable[[], None]], Scripted | LocalScripted],
    flag_falls: bool,
    seconds: float,
    limits: Limits,
) -> None:
    system = System()
    first = make(lambda: system.stop_process(seconds))
    record = await played(first, system, limits, flag_falls=flag_falls)
    assert record.termination is Termination.NORMAL
    assert max(record.times) <= STOPPED
    assert record.pauses[::2] == pytest.approx([seconds * 1000 - STOPPED] * 4, abs=STOPPED)
    assert record.pauses[1::2] == (0,) * 3


async def test_a_flag_does_not_fall_in_a_pause() -> None:
    system = System()
    clock = RunningClock(system)

    class Stopped(Scripted):
        """The process is stopped while it thinks; its answer comes when that goes on."""

        async def choose(self, line: GameLine, limits: Limits) -> int:
            system.stop_process(30)
            await goes_on(clock, system)
            return await super().choose(line, limits)

    control = TimeControl(Limits(movetime=100), margin=0, flag_falls=True)
    record = await Referee(GAME, control, clock=clock).play(
        (Stopped("4444"), Scripted("111")), START
    )
    assert record.termination is Termination.NORMAL


async def test_the_record_of_a_game_without_pauses_has_none() -> None:
    record = await played(Scripted("4444"), System(), Limits(movetime=100))
    assert record.pauses == ()


def work(seconds: float) -> None:
    """Keep this thread's processor busy."""
    end = time.thread_time() + seconds
    while time.thread_time() < end:
        pass


async def test_who_keeps_everybody_else_from_running_is_charged() -> None:
    """A player that blocks the whole process stops the heartbeat, and is busy all the time."""

    class Blocking:
        def choose(self, line: GameLine, limits: Limits) -> str:
            work(0.06)
            return "4"

    system = System()
    local = await played(LocalScripted("4444", before=lambda stop: work(0.06)), system, Limits())
    clock = RunningClock(system)
    players = PythonPlayer(Blocking), Scripted("111")
    own = await Referee(GAME, TimeControl(), clock=clock).play(players, START)
    await players[0].close()
    for record in (local, own):
        assert min(record.times[::2]) >= 60

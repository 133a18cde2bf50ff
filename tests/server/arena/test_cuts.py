"""A task is cancelled while it waits for the journal: memory and disk agree."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from plywire.protocol.messages.limits import Limits
from plywire.server.arena.store import database
from plywire.server.arena.store.journal import Journal, JournalError
from plywire.server.arena.tournament.config import SERIES
from tests.server.arena.live.test_live_tournament import announce
from tests.server.arena.store.test_journal import record, scheduled
from tests.support.arena import Arena

#: When the cancellation comes, as the transaction sees it.
MOMENTS = ("before", "meanwhile", "as it ends", "just after")
#: More transactions than any step waits for.
MOST = 4


async def cut_off(work: Coroutine[Any, Any, object], at: int, moment: str) -> None:
    """Do work, but cancel it while it waits for that transaction of its own."""
    outcome, settle, count = database._Job.outcome, database._Job.settle, itertools.count()

    async def cut(job: database._Job) -> Any:
        if asyncio.current_task() is task and next(count) == at:
            if moment == "before":
                task.cancel()
            elif moment == "meanwhile":
                asyncio.get_running_loop().call_soon(task.cancel)
            elif moment == "as it ends":
                ending.append(job)
            else:
                job.future.add_done_callback(lambda _: task.cancel())
        return await outcome(job)

    def end(job: database._Job) -> None:
        if job in ending:
            task.cancel()
        settle(job)

    ending: list[database._Job] = []
    task = asyncio.ensure_future(work)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(database._Job, "outcome", cut)
        patch.setattr(database._Job, "settle", end)
        with suppress(asyncio.CancelledError):
            await task
    assert task.cancelled() or next(count) <= at


CUTS = [(at, moment) for at in range(MOST) for moment in MOMENTS]


async def test_a_seat_is_taken_and_given_back_whole(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        await announce(arena, seats=64)
        cup = arena.lobby.tournaments.named("Friday cup")
        for number, (at, moment) in enumerate(CUTS):
            name = f"bot-{number}"
            await arena.login(name)
            (bot,) = [bot for bot in arena.lobby.bots if bot.name == name]
            for change in (arena.lobby.tournaments.join(bot, "Friday cup"), cup.leave(bot)):
                await cut_off(change, at, moment)
                (held,) = await arena.journal.announcements.listed()
                assert list(held.entrants) == cup._entrants
                await arena.lobby.tournaments.join(bot, "Friday cup")  # to ask again is enough
                assert name in cup._entrants


async def test_games_of_a_time_control_are_one_series(tmp_path: Path) -> None:
    kept = []
    async with Arena(tmp_path) as arena:
        for number, (at, moment) in enumerate(CUTS):
            limits = Limits(movetime=1000 + number)
            arranged = arena.lobby._arranged
            await cut_off(arranged.series(limits, rated=False), at, moment)
            kept.append(await arranged.series(limits, rated=False))
            held = [found.id for found in await arena.journal.tournaments(SERIES)]
            assert held == [series.id for series in kept]


@pytest.mark.parametrize("moment", MOMENTS)
async def test_what_follows_a_transaction_at_once_is_done_if_and_only_if_it_is(
    moment: str, tmp_path: Path
) -> None:
    """For each kind of event, also one that contradicts the journal."""
    async with Journal(tmp_path / "j", create=True) as journal:
        cup = await journal.create("Cup", "{}")
        events = (
            lambda: journal.schedule(cup, [scheduled(0)]),
            lambda: journal.start(cup, 0),
            lambda: journal.move(cup, 0, 0, "c1", 7),
            lambda: journal.finish(cup, record(0), is_rated=True),
            lambda: journal.finish(cup, record(0)),  # it is finished
            lambda: journal.end(cup, "over"),
        )
        done = []

        async def step(event: Any) -> None:
            await event()
            done.append(event)

        for event in events:
            with suppress(JournalError):
                await cut_off(step(event), 0, moment)
        assert done == [event for event in events if event is not events[4]]
        (game,) = await journal.games(cup)
        assert game.record == record(0)
        assert (await journal.tournament(cup)).outcome == "over"


async def test_a_cancelled_task_ends_at_its_next_await(tmp_path: Path) -> None:
    """As many times as it was cancelled; a time limit remains one."""
    async with Journal(tmp_path / "j", create=True) as journal:
        reached = []

        async def create() -> None:
            reached.append(await journal.create("Cup", "{}"))
            await asyncio.sleep(0)
            reached.append(0)

        await cut_off(create(), 0, "meanwhile")
        assert len(reached) == 1
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0):
                await create()
        assert len(reached) == 2

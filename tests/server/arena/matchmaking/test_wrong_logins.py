"""A peer that guesses tokens waits, by address, and fills no log; a right login never waits."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import pytest

from plywire.protocol.messages.arena import Login
from plywire.protocol.messages.base import Error, Event
from tests.support.arena import Arena
from tests.support.peers import settings
from tests.support.until import until

GUESS = Login(name="ann", token="guessed")


def answered(guesses: list[asyncio.Task[Event]]) -> int:
    return sum(guess.done() for guess in guesses)


async def test_wrong_logins_of_an_address_are_answered_late(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        guesses = [asyncio.create_task(arena.connect("192.0.2.1").ask(GUESS)) for _ in range(30)]
        await until(lambda: answered(guesses) == 5)
        await until(lambda: arena.lobby.logins._wrong_logins._count == 30)
        for seconds in range(1, 10):
            await arena.advance(1)
            await until(lambda: answered(guesses) >= 5 + seconds)  # noqa: B023
            assert answered(guesses) == 5 + seconds
        far = await arena.connect("192.0.2.2").ask(GUESS)
        assert isinstance(far, Error)
        await arena.login("bob", host="192.0.2.1")
        await arena.advance(1)
        await until(lambda: answered(guesses) == 30)


async def test_the_log_counts_wrong_logins(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    async with Arena(tmp_path) as arena:
        thief = arena.connect()
        for _ in range(4):
            await thief.ask(GUESS)
        await arena.advance(1)
        await until(lambda: "logins refused count=4" in caplog.text)
        await thief.ask(GUESS)
        for _ in range(59):
            await arena.advance(1)
        assert len(caplog.records) == 1
        await arena.advance(1)
        await until(lambda: "logins refused count=1" in caplog.text)


async def test_a_login_costs_what_a_guests_entry_does(tmp_path: Path) -> None:
    chosen = settings(idle_time=0, messages_per_second=1, message_burst=60)
    async with Arena(tmp_path, chosen=chosen) as arena:
        thief = arena.connect()
        codes = []
        for _ in range(5):
            refused = await thief.ask(GUESS)
            assert isinstance(refused, Error)
            codes.append(refused.code.value)
        assert codes == ["unauthorized"] * 3 + ["too-many"] * 2

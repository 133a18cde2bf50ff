"""Guests: people without an account play, within limits, and are never rated."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from plywire.engine.registry import load
from plywire.protocol.messages.arena import (
    Accept,
    Challenge,
    Challenged,
    Guest,
    Lobby,
    Offer,
    Offered,
    Over,
    Resign,
    Seek,
    Start,
    Welcome,
)
from plywire.protocol.messages.base import Command, Error, ErrorCode
from plywire.protocol.messages.limits import Clock, Limits
from plywire.protocol.messages.play import Bye, Ok
from plywire.protocol.messages.tournaments import Join
from plywire.protocol.messages.watching import Status
from plywire.server.arena.store.accounts import AccountError
from tests.support.arena import Arena, Connection
from tests.support.until import until

LIMITS = Limits(clock=Clock(p1=300_000, p2=300_000, inc1=3000, inc2=3000))
INVITATION = Seek(game="tictactoe", limits=LIMITS, key="zX81-Qw7")


async def guest(arena: Arena, name: str, host: str | None = None) -> tuple[Connection, Any]:
    connection = arena.connect(host)
    return connection, await connection.ask(Guest(name=name))


def places(arena: Arena) -> int | None:
    status = arena.lobby.feed.latest_of("status")
    assert isinstance(status, Status)
    return status.guests


async def test_a_guest_invites_another_by_a_key(tmp_path: Path) -> None:
    async with Arena(tmp_path, guests=8) as arena:
        ann, welcome = await guest(arena, "ann")
        assert (welcome.name, places(arena)) == ("guest-ann", 7)
        other, welcome = await guest(arena, "ann")
        assert welcome.name == "guest-ann-2"
        bob, _ = await arena.login("bob")
        offered = await ann.ask(INVITATION)
        assert isinstance(offered, Offered)
        refusal = await bob.ask(Accept(offer=offered.offer))
        assert isinstance(refusal, Error)  # it is for who has the key
        assert isinstance(await bob.ask(Seek(game="tictactoe", limits=LIMITS)), Offered)
        await bob.ask(Lobby())
        listed = [event.name for event in bob.heard if isinstance(event, Offer)]
        assert listed == ["bob"]
        assert isinstance(await other.ask(INVITATION), Offered)
        begun = await ann.until(Start)
        assert (begun.opponent, begun.rated) == ("guest-ann-2", False)
        await other.ask(Resign(table=(await other.until(Start)).table))
        assert (await ann.until(Over)).winner is not None
        (record,) = await arena.records()
        assert set(record.players) == {"guest-ann", "guest-ann-2"}
        assert not arena.ratings.of(load("tictactoe"))
        await ann.ask(Challenge(name="bob", game="tictactoe", limits=LIMITS))
        assert isinstance(await bob.ask(Accept(offer=(await bob.until(Challenged)).offer)), Ok)
        assert (await ann.until(Start)).opponent == "bob"


FOUR_HOURS = Limits(clock=Clock(p1=14_400_000, p2=14_400_000))


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        (Seek(game="tictactoe", limits=LIMITS, rated=True), "guests play no rated games"),
        (
            Challenge(name="bob", game="tictactoe", limits=LIMITS, rated=True),
            "guests play no rated",
        ),
        (Join(tournament="Cup"), "guests play no tournaments"),
        (Seek(game="tictactoe", limits=FOUR_HOURS), "an hour on the clock"),
        (Seek(game="tictactoe", limits=Limits(movetime=90_000)), "a minute for a move"),
    ],
)
async def test_guests_may_not_do_all(tmp_path: Path, command: Command, reason: str) -> None:
    async with Arena(tmp_path, guests=1) as arena:
        ann, _ = await guest(arena, "ann")
        bob, _ = await arena.login("bob")
        refusal = await ann.ask(command)
        assert isinstance(refusal, Error)
        assert reason in refusal.message
        offered: Any = await bob.ask(Seek(game="tictactoe", limits=FOUR_HOURS))
        refusal = await ann.ask(Accept(offer=offered.offer))
        assert isinstance(refusal, Error)
        assert "an hour on the clock" in refusal.message


async def test_guests_are_so_many_and_stay_so_long(tmp_path: Path) -> None:
    async with Arena(tmp_path) as arena:
        _, refusal = await guest(arena, "ann")
        assert (refusal.code, places(arena)) == (ErrorCode.UNAVAILABLE, None)
        with pytest.raises(AccountError, match="guest- are for guests"):
            arena.accounts.add("Guest-ann")
    async with Arena(tmp_path, guests=4) as arena:
        near = [await guest(arena, name, "10.0.0.1") for name in ("ann", "bob", "carl")]
        assert [type(said) for _, said in near] == [Welcome, Welcome, Error]
        assert near[2][1].message == (
            "all 2 places for guests of your address are taken: try again later"
        )
        far, _ = await guest(arena, "dora", "10.0.0.2")
        eve, _ = await guest(arena, "eve", "10.0.0.3")
        _, full = await guest(arena, "frank", "10.0.0.4")
        assert full.message == "all 4 places for guests are taken: try again later"
        await far.ask(INVITATION)
        await eve.ask(INVITATION)
        await far.until(Start)
        await near[0][0].leave()
        await until(lambda: len(arena.lobby.bots) == 3)
        await arena.advance(31)
        await until(lambda: places(arena) == 1)
        for _ in range(1802):
            await arena.clock.advance(1)
        assert "half an hour" in (await near[1][0].until(Bye)).reason
        await until(lambda: places(arena) == 2)

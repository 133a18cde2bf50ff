"""Whatever peers send: the server answers `ping`, the position stands, memory does not grow."""

from __future__ import annotations

import gc
import random

import pytest
from hypothesis import HealthCheck, given
from hypothesis import settings as examples
from hypothesis import strategies as st

from plywire.server.searching.search_pool import SearchPool
from tests.support.garbage import OPENINGS, PINGS, STOPS, line
from tests.support.peers import MemoryTransport, hear_until, in_memory, settings

#: Lines a dialect.
LINES = 5_600
CHUNK = 60


async def _is_there(peer: MemoryTransport, dialect: str) -> None:
    """End whatever search was begun, and be answered."""
    ping, pong = PINGS[dialect]
    peer.say_bytes(STOPS[dialect] + b"\n" + ping + b"\n")
    await hear_until(peer, pong)


@pytest.mark.parametrize("dialect", OPENINGS)
async def test_survives_many_lines(dialect: str) -> None:
    chance = random.Random(dialect)
    opening, opened = OPENINGS[dialect]
    pool = SearchPool(2, longest=60)
    chosen = settings(messages_per_second=0, hash=1)
    async with in_memory(chosen, pool=pool) as (peer, session):
        peer.say_bytes(opening + b"\n")
        await hear_until(peer, opened)
        before = session.position
        # Else loading the kernels, at some time on the way, looks like growth.
        await pool.warmer.request(before.game)
        objects = 0
        for number in range(0, LINES, CHUNK):
            chunk = b"".join(line(dialect, chance) + b"\n" for _ in range(CHUNK))
            if number % 1800 == 0:
                chunk += b"x" * 70_000 + b"\n"
            for start in range(0, len(chunk), 997):  # cut anywhere
                peer.say_bytes(chunk[start : start + 997])
            await _is_there(peer, dialect)
            assert session.position == before
            if number == LINES // 5 // CHUNK * CHUNK:
                gc.collect()
                objects = len(gc.get_objects())
        gc.collect()
        assert len(gc.get_objects()) < objects + 400
    await pool.close()


@pytest.mark.parametrize("dialect", OPENINGS)
@examples(suppress_health_check=list(HealthCheck))
@given(chunks=st.lists(st.binary(max_size=80) | st.text(max_size=60).map(str.encode), max_size=12))
async def test_survives_any_bytes(dialect: str, chunks: list[bytes]) -> None:
    opening, opened = OPENINGS[dialect]
    async with in_memory(settings(messages_per_second=0, hash=1)) as (peer, session):
        peer.say_bytes(opening + b"\n")
        await hear_until(peer, opened)
        before = session.position
        for chunk in chunks:
            # Cut off from what is well formed, by a byte that no dialect accepts.
            peer.say_bytes(b"\xff" + chunk.replace(b"\n", b"\n\xff") + b"\n")
        await _is_there(peer, dialect)
        assert session.position == before


@given(first=st.binary(max_size=100))
async def test_survives_any_first_line(first: bytes) -> None:
    async with in_memory(settings(hash=1)) as (peer, session):
        peer.say_bytes(first + b"\n")
        # Whichever dialect that was, one of these is its ping, and all answers are lines.
        for ping, _ in PINGS.values():
            peer.say_bytes(ping + b"\n")
        pongs = tuple(pong for _, pong in PINGS.values())
        assert (await hear_until(peer, *pongs, "bye"))[-1].startswith((*pongs, "bye"))
        # A comment of GTP selects that dialect, which plays Othello.
        assert session.position.game.name in ("connect4", "othello")

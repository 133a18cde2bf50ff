"""What a peer may do to its connection, and where its limits are."""

import asyncio

import pytest

from plywire.protocol.messages import play
from plywire.server.searching.search_pool import SearchPool
from plywire.server.sessions.peer_loop import PeerLoop
from plywire.server.sessions.session import Session
from tests.support.peers import MemoryTransport, hear_until, in_memory, settings
from tests.support.turned_clock import TurnedClock
from tests.support.until import until


async def test_answers_in_the_order_asked() -> None:
    async with in_memory() as (peer, _):
        peer.say_bytes(b"ping\r\nlegal\nping\n")
        assert [await peer.hear() for _ in range(4)] == [
            "pong",
            "legal 1 2 3 4 5 6 7",
            "ok",
            "pong",
        ]


async def test_the_end_of_the_bytes_is_a_quit() -> None:
    async with in_memory() as (peer, _):
        await peer.say("go infinite")
        await peer.leave()
        assert (await hear_until(peer, "bye"))[-2].startswith("bestmove ")
        assert await peer.hear() is None
        assert peer.is_closed


async def test_quit_ends_the_search_first() -> None:
    async with in_memory() as (peer, _):
        peer.say_bytes(b"go infinite\nping\nquit\n")
        lines = await hear_until(peer, "bye")
        assert "pong" in lines
        assert lines[-2].startswith("bestmove ")
        assert lines[-1] == "bye"


async def test_too_many_messages_are_refused_then_the_peer() -> None:
    clock = TurnedClock()
    chosen = settings(messages_per_second=10, message_burst=5)
    async with in_memory(chosen, clock) as (peer, _):
        peer.say_bytes(b"ping\n" * 7)
        lines = [await peer.hear() for _ in range(7)]
        assert lines[:5] == ["pong"] * 5
        assert all(line and line.startswith("error too-many ") for line in lines[5:])
        await clock.advance(0.1)
        peer.say_bytes(b"ping\n")
        assert await peer.hear() == "pong"
        peer.say_bytes(b"ping\n" * 6)
        assert (await hear_until(peer, "bye"))[-1] == "bye too many messages"
        assert await peer.hear() is None


@pytest.mark.parametrize(
    ("chosen", "opening", "answer", "told"),
    [
        ({"game": "connect4"}, "1 name", "=1", "game=connect4: gtp begins with othello"),
        ({"game": "connect4"}, "nboard 2", "set myname", "game=connect4: nboard begins with oth"),
        ({"game": "othello"}, "1 name", "=1", None),
        ({"game": "tictactoe"}, "ugi", "ugiok", None),
        ({}, "1 name", "=1", None),
    ],
)
async def test_a_game_that_a_dialect_does_not_begin_with_is_told_of(
    chosen: dict[str, str],
    opening: str,
    answer: str,
    told: str | None,
    caplog: pytest.LogCaptureFixture,
) -> None:
    async with in_memory(settings(**chosen)) as (peer, _):
        for _ in range(2):
            await peer.say(opening)
            await hear_until(peer, answer)
    warnings = [it.getMessage() for it in caplog.records if it.levelname == "WARNING"]
    assert len(warnings) == (told is not None)
    assert all(told in warning for warning in warnings if told)


#: An opening, what the answer to it ends with, and a line that asks nothing.
NOTHING = {
    "blank": (None, "", ""),
    "plywire": ("hello 1", "hello", " "),
    "ugi": ("ugi", "ugiok", "debug on"),
    "uci": ("uci", "uciok", "register later"),
    "gtp": ("1 name", "=1", "# a comment"),
    "nboard": ("nboard 2", "set myname", "junk"),
}


@pytest.mark.parametrize("dialect", NOTHING)
async def test_lines_that_ask_nothing_cost_as_much(dialect: str) -> None:
    opening, opened, line = NOTHING[dialect]
    chosen = settings(messages_per_second=10, message_burst=20)
    async with in_memory(chosen, TurnedClock()) as (peer, _):
        if opening is not None:
            await peer.say(opening)
            await hear_until(peer, opened)
        peer.say_bytes(f"{line}\n".encode() * 37)
        await _is_served(peer)
        peer.say_bytes(f"{line}\n".encode() * 4)
        while await peer.hear() is not None:
            pass
        assert peer.is_closed


async def _is_served(peer: MemoryTransport) -> None:
    """Wait until all that it said is read, and see that it is still there."""
    await until(peer._to_server.empty)
    for _ in range(10):
        await asyncio.sleep(0)
    assert not peer.is_closed


@pytest.mark.parametrize("pieces", [39, 300])
async def test_a_line_that_never_ends_costs_by_its_bytes(pieces: int) -> None:
    chosen = settings(messages_per_second=10, message_burst=20, max_line=300)
    async with in_memory(chosen, TurnedClock()) as (peer, _):
        for _ in range(pieces):
            peer.say_bytes(b"x" * (39_000 // pieces))
        await _is_served(peer)
        for _ in range(pieces):
            peer.say_bytes(b"x" * (39_000 // pieces))
        assert (await hear_until(peer, "bye"))[-1] == "bye too many messages"


async def test_a_refused_stop_ends_the_search_but_costs() -> None:
    chosen = settings(messages_per_second=10, message_burst=2)
    async with in_memory(chosen, TurnedClock()) as (peer, session):
        await peer.say("go infinite")
        await hear_until(peer, "info")
        peer.say_bytes(b"ping\nstop\n")
        assert (await hear_until(peer, "bestmove"))[-1].startswith("bestmove ")
        assert not session.is_thinking
        peer.say_bytes(b"stop\n" * 3)
        assert (await hear_until(peer, "bye"))[-1] == "bye too many messages"


@pytest.mark.parametrize(
    ("line", "count"), [(b"\n", 100_000), (b"ping\n", 10_000), (b"nonsense\n", 10_000)]
)
async def test_others_get_their_turn_while_one_floods(line: bytes, count: int) -> None:
    chosen = settings(messages_per_second=0, max_unsent=2**24)
    pool = SearchPool(1, longest=60)
    async with in_memory(chosen, pool=pool) as (flooding, _), in_memory(pool=pool) as (peer, _):
        flooding.say_bytes(line * count + b"legal\n")
        for _ in range(5):
            await peer.say("ping")
            assert await peer.hear() == "pong"
        while not flooding._to_peer.empty():
            assert not (await flooding.hear() or "").startswith("legal")
        await hear_until(flooding, "legal")
    await pool.close()


async def test_a_refused_go_leaves_nothing_running() -> None:
    clock = TurnedClock()
    chosen = settings(messages_per_second=10, message_burst=1)
    async with in_memory(chosen, clock) as (peer, session):
        peer.say_bytes(b"ping\ngo infinite\n")
        assert (await hear_until(peer, "error"))[-1].startswith("error too-many ")
        assert not session.is_thinking
        await clock.advance(1)
        peer.say_bytes(b"legal\n")
        assert (await hear_until(peer, "ok"))[0].startswith("legal ")


async def test_a_silent_peer_is_sent_away() -> None:
    clock = TurnedClock()
    async with in_memory(settings(idle_time=60), clock) as (peer, _):
        await peer.say("ping")
        assert await peer.hear() == "pong"
        await clock.advance(59)
        await peer.say("ping")
        assert await peer.hear() == "pong"
        await clock.advance(59)
        await clock.advance(1)
        assert await peer.hear() == "bye nothing said for 60 seconds"
        assert await peer.hear() is None


@pytest.mark.parametrize("said", ["", "\n\n"])
async def test_a_peer_that_never_speaks_is_sent_away_sooner(said: str) -> None:
    clock = TurnedClock()
    async with in_memory(settings(idle_time=60, first_message_time=20), clock) as (peer, _):
        peer.say_bytes(said.encode())
        await clock.advance(19)
        assert not peer.is_closed
        await clock.advance(1)
        assert await peer.hear() == "bye nothing said for 20 seconds"
        assert await peer.hear() is None


async def test_a_peer_that_has_spoken_may_then_be_silent() -> None:
    clock = TurnedClock()
    async with in_memory(settings(idle_time=60, first_message_time=20), clock) as (peer, _):
        await clock.advance(19)
        await peer.say("ping")
        assert await peer.hear() == "pong"
        for _ in range(4):
            await clock.advance(14)
        await peer.say("ping")
        assert await peer.hear() == "pong"


@pytest.mark.parametrize(
    ("idle", "first", "longest"), [(0, 20, 20), (60, 0, 60), (10, 20, 10), (0, 0, 0)]
)
async def test_the_shorter_time_ends_silence_and_none_is_for_ever(
    idle: float, first: float, longest: float
) -> None:
    clock = TurnedClock()
    async with in_memory(settings(idle_time=idle, first_message_time=first), clock) as (peer, _):
        if longest:
            await clock.advance(longest)
            assert await peer.hear() == f"bye nothing said for {longest} seconds"
        else:
            await clock.advance(1e6)
            await peer.say("ping")
            assert await peer.hear() == "pong"


async def test_a_session_kept_for_bots_is_for_bots() -> None:
    clock, pool = TurnedClock(), SearchPool(1, longest=60)
    transport, session = MemoryTransport(), Session(settings(), pool)
    peer_loop = PeerLoop(transport, session, settings(), clock, must_log_in=True)
    serving = asyncio.create_task(peer_loop.run())
    await transport.say("ping")
    assert await transport.hear() == "pong"
    await clock.advance(10)
    assert await transport.hear() == "bye the sessions that are left are kept for bots that log in"
    await serving
    await pool.close()


async def test_a_thinking_peer_is_not_silent() -> None:
    clock = TurnedClock()
    async with in_memory(settings(idle_time=60), clock) as (peer, _):
        await peer.say("go infinite")
        await hear_until(peer, "info")
        for _ in range(3):
            await clock.advance(60)
        await peer.say("stop")
        assert (await hear_until(peer, "bestmove"))[-1].startswith("bestmove ")


async def test_a_line_that_is_too_long_is_refused_alone() -> None:
    async with in_memory(settings(max_line=300)) as (peer, _):
        peer.say_bytes(b"ping\n" + b"x" * 10_000 + b"\nping\n")
        lines = [await peer.hear() for _ in range(3)]
        assert lines[0] == lines[2] == "pong"
        assert (lines[1] or "").startswith("error line-too-long ")


async def test_a_peer_that_does_not_read_is_not_listened_to() -> None:
    """Nor does what is kept for it grow, though it asks ever more."""
    chosen = settings(max_unsent=4096, messages_per_second=0)
    async with in_memory(chosen) as (peer, _):
        peer.reading.clear()
        await peer.say("ping")
        await until(lambda: peer.queued)
        for _ in range(1000):
            await peer.say("games")
        for _ in range(2000):
            await asyncio.sleep(0)
        assert peer._to_server.qsize() > 900
        peer.reading.set()
        lines = [await peer.hear() for _ in range(1 + 4 * 1000)]
        assert lines.count("ok") == 1000


async def test_a_peer_that_never_reads_is_sent_away() -> None:
    async with in_memory(settings(write_timeout=0.02)) as (peer, _):
        peer.reading.clear()
        await peer.say("ping")
        assert await peer.hear() is None
        assert peer.is_closed


async def test_who_is_told_what_it_did_not_ask_must_read_it() -> None:
    """Watchers are waited for; others are sent away before much is kept for them."""
    chosen, pool = settings(max_unsent=4096), SearchPool(1, longest=60)
    transport, session = MemoryTransport(), Session(chosen, pool)
    peer_loop = PeerLoop(transport, session, chosen)
    serving = asyncio.create_task(peer_loop.run())
    transport.reading.clear()
    await transport.say("ping")
    await until(lambda: transport.queued)
    news = play.Option(name="x" * 60, default=0, min=0, max=0)
    hello = play.HelloAnswer(version=1, software="s", games=(), options=(news,) * 80)
    await peer_loop.send_when_ready(hello)
    waiting = asyncio.create_task(peer_loop.send_when_ready(hello))
    for _ in range(10):
        await asyncio.sleep(0)
    assert not waiting.done()
    peer_loop.notify(hello)
    transport.reading.set()
    lines = await hear_until(transport, "bye")
    assert lines[-1] == "bye reads too slowly"
    assert sum(map(len, lines)) < 3 * 4096
    await serving
    await waiting
    await pool.close()


async def test_search_information_is_dropped_for_a_slow_reader() -> None:
    """The best move is not."""
    chosen = settings(max_unsent=4096, messages_per_second=0)
    async with in_memory(chosen) as (peer, _):
        await peer.say("new-game othello")
        assert await peer.hear() == "ok"
        peer.reading.clear()
        await peer.say("ping")
        await until(lambda: peer.queued)
        await peer.say("go depth 6 multipv 64")
        await peer.say("stop")
        peer.reading.set()
        lines = await hear_until(peer, "bestmove")
        assert sum(map(len, lines)) < 3 * 4096


@pytest.mark.parametrize("name", ["plywire", "json", "ugi", "uci"])
async def test_what_is_not_understood_is_one_error(name: str) -> None:
    opening = {"plywire": "hello 1", "json": '{"type":"hello"}', "ugi": "ugi", "uci": "uci"}[name]
    done = {"plywire": "hello", "json": "{", "ugi": "ugiok", "uci": "uciok"}[name]
    async with in_memory() as (peer, session):
        await peer.say(opening)
        await hear_until(peer, done)
        before = session.position
        await peer.say("xyzzy")
        assert "error" in (await peer.hear() or "")
        assert session.position == before

"""A bot comes back, and knows when it must not."""

from __future__ import annotations

import asyncio
from functools import partial

import pytest

from plywire.clients.connecting.arena_bot import ArenaBot, BotOptions
from plywire.clients.connecting.client import Backoff
from plywire.clients.connecting.errors import CommandError, ConnectionLostError, ReplacedError
from plywire.clients.play.errors import PlayerCrashedError
from plywire.clients.play.players.base import GameLine
from plywire.clients.play.players.local import RandomPlayer
from plywire.protocol.messages.arena import Over
from plywire.protocol.messages.limits import Limits
from plywire.server.arena.store.accounts import Accounts
from plywire.server.serve import Server
from tests.support.arena_bots import SEEK, Counting, bot, tcp
from tests.support.proxy import Proxy
from tests.support.until import until


def _is_reached(proxy: Proxy, server: Server, connections: int) -> bool:
    return proxy.connections >= connections and server.sessions >= 2


async def test_a_lost_connection_loses_no_search(arena: Server, accounts: Accounts) -> None:
    """The turn is told again while the first search for it runs, and once more when it is done."""
    player = Counting()
    ann, bob = accounts.add("ann"), accounts.add("bob")
    async with Proxy(*arena.tcp_address) as proxy, asyncio.timeout(60):
        playing = [
            asyncio.create_task(bot(f"tcp://127.0.0.1:{proxy.port}", ann, lambda: player).run(1)),
            asyncio.create_task(bot(tcp(arena), bob, RandomPlayer, "bob").run(1)),
        ]
        await player.thinking.wait()
        for connection in (2, 3):
            proxy.cut()
            await until(partial(_is_reached, proxy, arena, connection))
        player.go.set()
        await asyncio.gather(*playing)
    assert len(player.asked) == len(set(player.asked))


async def test_a_bot_comes_back_over_a_link_gone_silent(arena: Server, accounts: Accounts) -> None:
    """No connection is lost as far as the system knows: there are just no answers any more."""
    player, overs = Counting(), list[Over]()
    ann, bob = accounts.add("ann"), accounts.add("bob")
    async with Proxy(*arena.tcp_address) as proxy, asyncio.timeout(60):
        url = f"tcp://127.0.0.1:{proxy.port}"
        first = ArenaBot(
            *(url, "ann", ann, lambda: player),
            BotOptions(offers=[SEEK], backoff=Backoff(attempts=50, first=0), timeout=1),
        )
        second = ArenaBot(
            tcp(arena), "bob", bob, RandomPlayer, BotOptions(offers=[SEEK], on_over=overs.append)
        )
        playing = [asyncio.create_task(one.run(1)) for one in (first, second)]
        await player.thinking.wait()
        proxy.silence()
        await until(partial(_is_reached, proxy, arena, 2))
        player.go.set()
        await asyncio.gather(*playing)
    assert overs[0].termination == "normal"
    assert len(player.asked) == len(set(player.asked))


async def test_what_is_lost_on_the_way_of_a_failure_is_told_again(
    arena: Server, accounts: Accounts
) -> None:
    class Failing(Counting):
        async def choose(self, line: GameLine, limits: Limits) -> int:
            await super().choose(line, limits)
            raise PlayerCrashedError("out of memory")

    player, overs = Failing(), list[Over]()
    ann, bob = accounts.add("ann"), accounts.add("bob")
    async with Proxy(*arena.tcp_address) as proxy, asyncio.timeout(60):
        first = bot(f"tcp://127.0.0.1:{proxy.port}", ann, lambda: player)
        second = ArenaBot(
            tcp(arena), "bob", bob, RandomPlayer, BotOptions(offers=[SEEK], on_over=overs.append)
        )
        playing = [asyncio.create_task(one.run(1)) for one in (first, second)]
        await player.thinking.wait()
        proxy.hold()
        player.go.set()
        await until(lambda: player.asked)
        proxy.cut()
        await asyncio.gather(*playing)
    assert overs[0].termination == "crash"


async def test_who_is_replaced_does_not_come_back(arena: Server, accounts: Accounts) -> None:
    token = accounts.add("ann")
    first = asyncio.create_task(bot(tcp(arena), token, RandomPlayer).run())
    async with asyncio.timeout(60):
        await until(lambda: arena.sessions)
        second = asyncio.create_task(bot(tcp(arena), token, RandomPlayer).run())
        done, _ = await asyncio.wait([first, second], return_when=asyncio.FIRST_COMPLETED)
        (replaced,) = done
        with pytest.raises(ReplacedError, match="logged in as ann"):
            await replaced
        for task in (first, second):
            task.cancel()
        await asyncio.gather(first, second, return_exceptions=True)


async def test_a_wrong_token_is_an_error(arena: Server, accounts: Accounts) -> None:
    accounts.add("ann")
    with pytest.raises(CommandError, match="no bot has this name and token"):
        await bot(tcp(arena), "guessed", RandomPlayer).run()


async def test_a_server_that_is_not_there_is_an_error(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(ConnectionLostError, match="no connection to tcp://127"):
        await bot("tcp://127.0.0.1:9", "t", RandomPlayer).run()
    retries = [text for text in caplog.messages if text.startswith("no connection to tcp://127.0")]
    assert retries[-1].endswith("; attempt 5 of 5 in 0.0 s")
    assert len(retries) == 4

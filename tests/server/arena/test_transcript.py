"""The arena's transcripts in the protocol's pages, played to a real one."""

import asyncio
import re
from pathlib import Path

import pytest

from plywire.protocol.messages.arena import Accept, Challenged, Play, Resign, Seek, Turn
from plywire.protocol.messages.limits import Limits
from plywire.protocol.messages.tournaments import Join
from plywire.server.arena.tournament.config import parse_config
from tests.support.arena import Arena, Connection
from tests.support.peers import MemoryTransport
from tests.support.transcripts import PROTOCOL, ScriptedPeer, Transcript
from tests.support.until import until

TRANSCRIPTS = dict(
    re.findall(
        r"^```((?:json-)?(?:arena|tournament))\n(.*?)^```$",
        PROTOCOL,
        re.MULTILINE | re.DOTALL,
    )
)


async def _bob(bot: Connection) -> None:
    """Accept every challenge, answer the first turn."""
    limits = Limits(movetime=1000)
    await bot.ask(Seek(game="connect4", limits=limits))
    await bot.ask(Accept(offer=(await bot.until(Challenged)).offer))
    turn = await bot.until(Turn)
    await bot.ask(Play(table=turn.table, turn=1, move="b2"))
    await bot.ask(Accept(offer=(await bot.until(Challenged)).offer))
    await bot.until(Turn)


async def _play(name: str, arena: Arena) -> None:
    """Play the part of ann in one of the transcripts."""
    token = await asyncio.to_thread(arena.accounts.add, "ann")
    steps = TRANSCRIPTS[name].replace("token-of-ann", token).splitlines()
    script = ScriptedPeer(Transcript("plywire", name, tuple(steps)))
    ann: MemoryTransport = arena.connect()
    while not script.is_done:
        if (said := script.says()) is not None:
            await ann.say(said)
        else:
            async with asyncio.timeout(30):
                heard = await ann.hear()
            assert heard is not None
            script.hears(heard)


async def _stop(playing: asyncio.Task[None]) -> None:
    playing.cancel()
    await asyncio.gather(playing, return_exceptions=True)


@pytest.mark.parametrize("name", ["arena", "json-arena"])
async def test_what_is_written_is_what_happens(tmp_path: Path, name: str) -> None:
    async with Arena(tmp_path) as arena:
        bob, _ = await arena.login("bob", slots=8)
        playing = asyncio.create_task(_bob(bob))
        await until(lambda: arena.lobby.matchmaker.seeks)
        await _play(name, arena)
        await _stop(playing)


CUP = """
name = "Club evening"
seats = 2
accuracy = false
format = { system = "round-robin", games = 2 }
time = { movetime = 1000 }
games = [{ game = "tictactoe", openings = "random", plies = 2 }]
"""


async def _resigning(bot: Connection) -> None:
    while True:
        turn = await bot.until(Turn)
        await bot.ask(Resign(table=turn.table))


@pytest.mark.parametrize("name", ["tournament", "json-tournament"])
async def test_a_tournament_goes_as_it_is_written(tmp_path: Path, name: str) -> None:
    config = parse_config(CUP)
    async with Arena(tmp_path) as arena:
        await arena.journal.announcements.announce(config.name, config.model_dump_json(), None)
        bob, _ = await arena.login("bob")
        await bob.ask(Join(tournament=config.name))
        playing = asyncio.create_task(_resigning(bob))
        await _play(name, arena)
        await _stop(playing)

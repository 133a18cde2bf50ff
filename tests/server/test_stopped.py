"""Processes that are stopped for a while, as on machines that swap or are suspended."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
from functools import partial
from pathlib import Path

import pytest

from plywire.clients.connecting.arena_bot import ArenaBot, BotOptions
from plywire.clients.connecting.client import Backoff
from plywire.clients.play.errors import Termination
from plywire.clients.play.matches.records import GameRecord
from plywire.clients.play.players.base import GameLine
from plywire.clients.play.players.local import RandomPlayer
from plywire.protocol.messages.arena import Seek
from plywire.protocol.messages.limits import Limits
from plywire.server.arena.store.accounts import accounts_of
from plywire.server.arena.store.journal import Journal, journal_of
from tests.support.peers import PLYWIRE
from tests.support.processes import killed_on_failure, stop_for

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no SIGSTOP")

FAKE = Path(__file__).parents[1] / "support" / "fake_programs" / "fake_engine.py"
#: How long processes are stopped, in seconds: much longer than a move may take.
STOP = 1.5


async def test_a_match_that_is_stopped_charges_nobody(tmp_path: Path) -> None:
    """The engine answers in time, while nobody is there to hear it."""
    out, fifo = tmp_path / "games.jsonl", tmp_path / "fifo"
    os.mkfifo(fifo)
    process = await asyncio.create_subprocess_exec(
        *(*PLYWIRE, "match", f"ugi:{sys.executable} {FAKE} ugi waits {fifo}", "greedy"),
        *("--games", "1", "--movetime", "300", "--out", str(out)),
        stdout=asyncio.subprocess.DEVNULL,
        stderr=asyncio.subprocess.DEVNULL,
    )
    with killed_on_failure(process):
        await asyncio.to_thread(fifo.read_bytes)  # the engine thinks
        stop_for(process, STOP)
        await asyncio.to_thread(fifo.write_bytes, b"")
        await process.wait()
    record = GameRecord.model_validate_json(out.read_text())
    assert record.termination is not Termination.TIME
    assert record.times[0] < 300
    assert record.pauses[0] > STOP * 1000 - 300


class Stopping(RandomPlayer):
    """Has the server stopped when it is asked for its first moves, and answers at once."""

    def __init__(self, server: asyncio.subprocess.Process) -> None:
        super().__init__()
        self._server = server
        self._stops = 2

    async def choose(self, line: GameLine, limits: Limits) -> int:
        if self._stops:
            self._stops -= 1
            stop_for(self._server, STOP)
        return await super().choose(line, limits)


async def test_an_arena_that_is_stopped_charges_nobody(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    accounts = accounts_of(tmp_path)
    server = await asyncio.create_subprocess_exec(
        *(*PLYWIRE, "serve", "--arena", str(tmp_path), "--port", str(port)),
        *("--websocket-port", "0", "--no-warmup", "--log-level", "warning"),
    )
    with killed_on_failure(server):
        bots = [
            ArenaBot(
                *(f"tcp://127.0.0.1:{port}", name, accounts.add(name), partial(Stopping, server)),
                BotOptions(
                    offers=[Seek(game="othello", limits=Limits(movetime=300))],
                    backoff=Backoff(attempts=1000, first=0.05, longest=0.2),
                ),
            )
            for name in ("ann", "bob")
        ]
        async with asyncio.timeout(60):
            await asyncio.gather(*(bot.run(1) for bot in bots))
        server.terminate()
        await server.wait()
    async with Journal(journal_of(tmp_path)) as journal:
        ((_, _, record),) = await journal.finished(10)
    assert record.termination is Termination.NORMAL
    assert max(record.times) < 300
    assert len([pause for pause in record.pauses if pause > STOP * 1000 - 300]) == 4

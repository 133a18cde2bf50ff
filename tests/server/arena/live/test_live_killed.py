"""A live tournament over real sockets, its server killed with SIGKILL in the middle of games."""

from __future__ import annotations

import asyncio
import signal
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

from typer.testing import CliRunner

from plywire.clients.connecting.arena_bot import ArenaBot, BotOptions
from plywire.clients.connecting.client import Backoff
from plywire.clients.play.players.base import GameLine
from plywire.clients.play.players.local import RandomPlayer
from plywire.protocol.messages.limits import Limits
from plywire.server.arena.store.accounts import accounts_of
from plywire.server.cli import app
from tests.server.arena.runners.killing import Snapshot, check_tournament
from tests.support.peers import PLYWIRE

CUP = """
name = "Cup of kills"
concurrency = 3
accuracy = false
seats = 2
[format]
system = "round-robin"
games = 8
[time]
tc = "600"
[[games]]
game = "connect4"
openings = "random"
[[games]]
game = "tictactoe"
openings = "random"
[players]
House = "greedy"
"""

RUNNER = CliRunner(env={"COLUMNS": "120", "NO_COLOR": "1", "TERM": "dumb"})


class Fatal(RandomPlayer):
    """Asks for the server's death when it is to choose so often."""

    asked = 0
    """How often, at all tables."""

    def __init__(self, at: set[int], kill: asyncio.Event) -> None:
        super().__init__()
        self._at = at
        self._kill = kill

    async def choose(self, line: GameLine, limits: Limits) -> int:
        Fatal.asked += 1
        if Fatal.asked in self._at:
            self._kill.set()
            await asyncio.get_running_loop().create_future()  # until the connection is lost
        return await super().choose(line, limits)


async def plywire(*arguments: str) -> str:
    """What a command about tournaments prints."""
    result = await asyncio.to_thread(RUNNER.invoke, app, ["tournament", *arguments])
    assert result.exit_code == 0, result.output
    return result.output


@asynccontextmanager
async def serving(arena: Path, port: int) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        *PLYWIRE,
        *("serve", "--arena", str(arena), "--port", str(port), "--websocket-port", "0"),
        *("--no-warmup", "--arena-grace", "60", "--log-level", "warning"),
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.send_signal(signal.SIGTERM)
        await process.wait()


async def test_nothing_is_lost_when_the_server_is_killed(tmp_path: Path) -> None:
    arena, toml = tmp_path / "arena", tmp_path / "cup.toml"
    toml.write_text(CUP)
    await plywire("open", str(toml), "--arena", str(arena))
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    accounts, kill = accounts_of(arena), asyncio.Event()
    at = {5, 20}
    bots = [
        ArenaBot(
            *(f"tcp://127.0.0.1:{port}", name, accounts.add(name)),
            make,
            BotOptions(
                join="Cup of kills",
                slots=2,
                backoff=Backoff(attempts=1000, first=0.05, longest=0.2),
            ),
        )
        for name, make in {"ann": partial(Fatal, at, kill), "bob": RandomPlayer}.items()
    ]
    playing = [asyncio.create_task(bot.run()) for bot in bots]
    journal = arena / "games.sqlite"
    before = Snapshot.of(journal)
    cut_off = 0
    async with asyncio.timeout(120):
        for _ in at:
            async with serving(arena, port) as server:
                await kill.wait()
                kill.clear()
                server.kill()
            held = Snapshot.of(journal)
            before.lives_on_in(held)
            cut_off += len(held.started) - len(held.records)
            before = held
        async with serving(arena, port):
            await asyncio.gather(*playing)
    held = Snapshot.of(journal)
    before.lives_on_in(held)
    records = check_tournament(held)
    assert len(records) == 24
    assert cut_off >= len(at)
    shown = await plywire("show", str(arena), "--name", "cup of kills")
    assert "24 of 24 games played; all games are played" in shown
    await plywire("report", str(arena))
    assert "Cup of kills" in arena.with_suffix(".html").read_text("utf-8")

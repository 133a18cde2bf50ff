"""The examples run as they stand."""

import asyncio
import sys
from pathlib import Path

import pytest

from plywire.clients.connecting.players.specs import parse_player
from plywire.clients.play.errors import Termination
from plywire.clients.play.matches.referee import Referee, TimeControl
from plywire.clients.play.players.base import GameLine
from plywire.engine.registry import load
from plywire.server.serve import Server
from tests.support.forks import forked

EXAMPLES = Path(__file__).parents[2] / "examples"


async def output(name: str, *arguments: str) -> str:
    process = await asyncio.create_subprocess_exec(
        sys.executable, str(EXAMPLES / name), *arguments, stdout=asyncio.subprocess.PIPE
    )
    out, _ = await process.communicate()
    assert process.returncode == 0
    return out.decode()


@pytest.mark.parametrize("scheme", ["tcp", "ws"])
async def test_the_bot(server: Server, scheme: str) -> None:
    host, port = server.tcp_address if scheme == "tcp" else server.websocket_address
    assert "won" in await output("bot.py", f"{scheme}://{host}:{port}")


def test_the_bot_has_twenty_lines() -> None:
    lines = (EXAMPLES / "bot.py").read_text().splitlines()
    assert sum(bool(line) and not line.lstrip().startswith('"""') for line in lines) <= 20


@pytest.mark.parametrize("name", ["connect4", "othello"])
@pytest.mark.parametrize(
    "spec",
    [
        "python:examples.own_player:Stingy",
        f'ugi:python "{EXAMPLES / "own_player.py"}"',
        f'ugi:python "{EXAMPLES / "ugi_engine.py"}"',
    ],
)
async def test_a_player_of_ones_own(spec: str, name: str) -> None:
    make = parse_player(spec.replace("python ", f"{forked('python')} "))
    players = make(), make()
    game = load(name)
    record = await Referee(game, TimeControl()).play(players, GameLine.at(game.start()))
    for player in players:
        await player.close()
    assert record.termination is Termination.NORMAL

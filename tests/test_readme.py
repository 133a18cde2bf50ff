"""Every command of the README is run, and its player is the one in `examples/`."""

import re
import socket
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from plywire.server.serve import Server
from plywire.server.settings import Settings
from tests.support.sessions import run_session

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")
SECTIONS = {
    section.partition("\n")[0]: [
        line[2:]
        for block in re.findall(r"^```console\n(.*?)^```", section, re.MULTILINE | re.DOTALL)
        for line in block.splitlines()
        if line.startswith("$ ")
    ]
    for section in re.split(r"^## ", README, flags=re.MULTILINE)
}
COMMANDS = [command for commands in SECTIONS.values() for command in commands]

#: These set the machine up; `.ci/run` runs them.
SET_UP = {
    "cd plywire",
    "make serve",
    "make test",
    "source .venv/bin/activate",
    "plywire serve --arena arena",
}

#: What each command must print.
EXPECTED = {
    "(printf 'new-game othello": "bestmove ",
    '(printf \'{"type"': r'"moves":\["1","2","3","4","5","6","7"\]',
    "ANN=$(plywire bot add": "^$",
    "plywire bot --player": "^",  # its games end beside the next command
    "python examples/arena_bot.py": "four in a row|board full",
    "plywire tournament run": "12 games: all games are played",
    "plywire tournament report": "Wrote autumn.html",
    "plywire match engine:nodes=2000 greedy": "Elo",
    "plywire match engine:nodes=2000 ": "Elo",
    "plywire match python:": "Elo",
}


@pytest.fixture
async def server(tmp_path: Path) -> AsyncIterator[Server]:
    settings = Settings(port=0, websocket_port=0, warmup=False, arena=tmp_path / "arena")
    async with Server(settings) as running:
        yield running


def test_commands_are_found() -> None:
    assert COMMANDS.count("make serve") == 1
    assert set(COMMANDS) >= SET_UP
    unknown = [c for c in COMMANDS if c not in SET_UP and not _expected(c)]
    assert unknown == []


def test_the_player_is_the_example() -> None:
    (player,) = re.findall(r"^```python\n(.*?)^```", README, re.MULTILINE | re.DOTALL)
    assert player in (ROOT / "examples" / "own_player.py").read_text(encoding="utf-8")


@pytest.mark.parametrize("title", [title for title in SECTIONS if SECTIONS[title]])
async def test_commands(title: str, server: Server, tmp_path: Path) -> None:
    """Those of a section are one session at a prompt."""
    commands = [command for command in SECTIONS[title] if command not in SET_UP]
    outputs = await run_session(commands, server, tmp_path)
    for command, printed in zip(commands, outputs, strict=True):
        expected = _expected(command)
        assert expected is not None
        assert re.search(expected, printed), (command, printed)


def _expected(command: str) -> str | None:
    return next((text for start, text in EXPECTED.items() if command.startswith(start)), None)


def test_default_ports_are_those_of_the_readme() -> None:
    settings = Settings()
    assert (settings.port, settings.websocket_port) == (7590, 7591)
    assert socket.inet_aton(settings.host) == socket.inet_aton("127.0.0.1")

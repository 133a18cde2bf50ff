"""`plywire bot`: a player in an arena, and the accounts there."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from plywire.clients.connecting.arena_bot import ArenaBot
from plywire.clients.play.players.local import RandomPlayer
from plywire.server.arena.store.accounts import Accounts, accounts_of
from plywire.server.cli import app
from plywire.server.serve import Server
from tests.support.arena_bots import bot, tcp
from tests.support.forks import forked

ROOT = Path(__file__).parents[3]
RUNNER = CliRunner(env={"COLUMNS": "160", "NO_COLOR": "1", "TERM": "dumb"})


def test_accounts_by_command(tmp_path: Path) -> None:
    arena = ["--arena", str(tmp_path)]
    token = RUNNER.invoke(app, ["bot", "add", "ann", *arena]).output.strip()
    assert accounts_of(tmp_path).verify("ann", token) is not None
    assert RUNNER.invoke(app, ["bot", "list", *arena]).output.startswith("ann  20")
    assert RUNNER.invoke(app, ["bot", "add", "ann", *arena]).exit_code == 1
    assert RUNNER.invoke(app, ["bot", "remove", "ann", *arena]).exit_code == 0
    assert RUNNER.invoke(app, ["bot", "list", *arena]).output == ""


@pytest.mark.parametrize("command", [["list"], ["remove", "ann"]])
def test_who_only_asks_makes_no_arena(command: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "arena"
    answer = RUNNER.invoke(app, ["bot", *command, "--arena", str(folder)])
    assert answer.exit_code == 1
    assert f"{folder}: there is no such folder" in answer.output
    assert not folder.exists()
    folder.mkdir()
    answer = RUNNER.invoke(app, ["bot", *command, "--arena", str(folder)])
    assert answer.output == ("" if command == ["list"] else "plywire bot: there is no bot ann\n")
    assert not any(folder.iterdir())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give either engine, with a command, or player, with a spec"),
        (["--player", "random"], "name and token are needed"),
        (["--player", "nobody", "--name", "a", "--token", "t"], "no player 'nobody'"),
        (["--engine", "x", "--dialect", "go", "--name", "a", "--token", "t"], "unknown dialect"),
        *(
            (["--player", "random", "--name", "a", "--token", "t", "--server", url], message)
            for url, message in {
                "http://[::1]:7591": "not a server's URL: 'http://[::1]:7591'; expected tcp://",
                "ws://[::1]:7591/#a": "not a server's URL: ws://[::1]:7591/#a isn't a valid URI",
            }.items()
        ),
    ],
)
def test_the_command_says_what_is_wrong(arguments: list[str], message: str) -> None:
    result = RUNNER.invoke(app, ["bot", *arguments])
    assert result.exit_code == 2
    assert message in " ".join(result.output.replace("│", " ").split())


_CLASS = """
class Discs:
    games = ("othello",)

    def choose(self, line, limits):
        return line.position.moves()[0]
"""


@pytest.mark.parametrize(
    ("player", "games"), [("python:discs_bot:Discs", ("othello",)), ("random", ())]
)
def test_the_games_of_a_class_are_announced(
    player: str, games: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "discs_bot.py").write_text(_CLASS)
    monkeypatch.chdir(tmp_path)
    announced = []

    class Announced(ArenaBot):
        def __init__(self, *arguments: Any) -> None:
            announced.append(arguments[-1].games)
            super().__init__(*arguments)

        async def run(self, games: int | None = None) -> None:
            pass

    monkeypatch.setattr("plywire.server.cli.bot_config.ArenaBot", Announced)
    bot = ["bot", "--player", player, "--game", "othello", "--name", "ann", "--token", "t"]
    assert RUNNER.invoke(app, bot).exit_code == 0
    assert announced == [games]


def test_a_class_is_not_offered_for_a_game_that_it_does_not_play(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "discs_only.py").write_text(_CLASS)
    monkeypatch.chdir(tmp_path)
    bot = ["bot", "--player", "python:discs_only:Discs", "--name", "ann", "--token", "t"]
    result = RUNNER.invoke(app, bot)
    assert result.exit_code == 2
    assert "python:discs_only:Discs plays othello, not connect4" in result.output


@pytest.mark.parametrize(
    ("happens", "line"),
    [
        ("guessed", r"refused: no bot has this name and token: .* \(unauthorized\)"),
        # The one where it comes back, the other where a command of its own crosses the goodbye.
        ("removed", r"refused: (no bot has this name.*|its account was removed) \(unauthorized\)"),
        ("replaced", "refused: another connection has logged in as ann"),
    ],
)
async def test_who_is_refused_for_good_gives_up(
    happens: str, line: str, arena: Server, accounts: Accounts
) -> None:
    token = accounts.add("ann")
    process = await asyncio.create_subprocess_exec(
        *(forked("plywire"), "bot", "--player", "random", "--server", tcp(arena)),
        *("--challenge", "bob", "--name", "ann"),
        *("--token", "guessed" if happens == "guessed" else token),
        stderr=asyncio.subprocess.PIPE,
    )
    said = b""
    async with asyncio.timeout(60):
        assert process.stderr is not None
        while happens != "guessed" and b"no other bot bob is here" not in said:
            said = await process.stderr.readline()
        if happens == "removed":
            accounts.remove("ann")
        other = asyncio.create_task(bot(tcp(arena), token, RandomPlayer).run())
        said += await process.stderr.read()
        assert await process.wait() == 3
    other.cancel()
    await asyncio.gather(other, return_exceptions=True)
    assert re.fullmatch(f"plywire bot: {line}", said.decode().splitlines()[-1])


async def test_the_command_and_the_example_play(
    arena: Server, accounts: Accounts, tmp_path: Path
) -> None:
    url = tcp(arena)
    engine = f'"{sys.executable}" "{ROOT / "examples" / "ugi_engine.py"}"'
    ours = ["bot", "--engine", engine, "--server", url, "--name", "ann", "--games", "1"]
    example = [str(ROOT / "examples" / "arena_bot.py"), url, "bob", accounts.add("bob"), "1"]
    environment = os.environ | {"PLYWIRE_TOKEN": accounts.add("ann")}
    processes = [
        await asyncio.create_subprocess_exec(
            *command, stdout=asyncio.subprocess.PIPE, env=environment
        )
        for command in ([forked("plywire"), *ours], [sys.executable, *example])
    ]
    async with asyncio.timeout(120):
        outputs = [(await process.communicate())[0].decode() for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert re.match(r"1\.0: (you|bob|nobody) won: (ann|bob) \([xo]\) (beat|drew with) ", outputs[0])
    assert "four in a row" in outputs[1] or "board full" in outputs[1]

"""The bots of `examples/` in other languages play against each other in an arena."""

import asyncio
from pathlib import Path

from plywire.server.arena.store.accounts import accounts_of
from plywire.server.serve import Server
from tests.support.peers import settings
from tests.support.programs import CC, NODE

EXAMPLES = Path(__file__).parents[1] / "examples"
ENDS = {"four in a row", "board full"}


async def run(*command: object) -> list[str]:
    """The lines that a program prints."""
    process = await asyncio.create_subprocess_exec(
        *map(str, command), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    output, _ = await process.communicate()
    assert process.returncode == 0, output.decode()
    return output.decode().splitlines()


async def test_bots_of_three_languages_play(tmp_path: Path) -> None:
    compiled = tmp_path / "arena_bot"
    source = EXAMPLES / "arena_bot.c"
    await run(CC.path(), "-Wall", "-Wextra", "-Werror", "-o", compiled, source)
    async with Server(settings(arena=tmp_path / "arena")) as server, asyncio.timeout(60):
        tokens = {name: accounts_of(tmp_path / "arena").add(name) for name in ("js", "sh", "c")}
        lines, websocket = server.tcp_address, "ws://{}:{}".format(*server.websocket_address)
        shell = run("bash", EXAMPLES / "arena_bot.sh", *lines, "sh", tokens["sh"], 2)
        playing = asyncio.create_task(shell)
        javascript = await run(NODE, EXAMPLES / "arena_bot.mjs", websocket, "js", tokens["js"])
        c = await run(compiled, *lines, "c", tokens["c"])
        overs = await playing
    assert overs == [*javascript, *c]
    assert len(overs) == 2
    assert set(overs) <= ENDS


async def test_a_bot_that_is_refused_says_why_and_fails(tmp_path: Path) -> None:
    async with Server(settings(arena=tmp_path)) as server, asyncio.timeout(60):
        lines, websocket = server.tcp_address, "ws://{}:{}".format(*server.websocket_address)
        for command in (
            ("bash", EXAMPLES / "arena_bot.sh", *lines, "ann", "wrong"),
            (NODE, EXAMPLES / "arena_bot.mjs", websocket, "ann", "wrong"),
        ):
            process = await asyncio.create_subprocess_exec(
                *map(str, command), stderr=asyncio.subprocess.PIPE
            )
            _, said = await process.communicate()
            assert process.returncode == 1
            assert b"token" in said

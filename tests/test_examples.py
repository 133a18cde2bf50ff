"""The bots of `examples/` play against each other in an arena, and in a tournament of it."""

import asyncio
import json
import re
import sys
from pathlib import Path

from websockets.asyncio.server import ServerConnection, serve

from plywire.server.arena.live.announcing import announce, read_live_config
from plywire.server.arena.store.accounts import accounts_of
from plywire.server.serve import Server
from tests.support.peers import settings
from tests.support.programs import CC, NODE

ROOT = Path(__file__).parents[1]
EXAMPLES = ROOT / "examples"
ENDS = {"four in a row", "board full"}
CUP = """
name = "Club evening"
seats = 4
accuracy = false
format = { system = "round-robin", games = 2 }
time = { movetime = 2000 }
games = [{ game = "tictactoe", openings = "start" }]
"""


async def run(*command: object) -> list[str]:
    """The lines that a program prints."""
    process = await asyncio.create_subprocess_exec(
        *map(str, command), stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.STDOUT
    )
    output, _ = await process.communicate()
    assert process.returncode == 0, output.decode()
    return output.decode().splitlines()


async def test_bots_of_four_languages_play(tmp_path: Path) -> None:
    compiled, arena = tmp_path / "arena_bot", tmp_path / "arena"
    source = EXAMPLES / "arena_bot.c"
    await run(CC.path(), "-Wall", "-Wextra", "-Werror", "-o", compiled, source)
    async with Server(settings(arena=arena)) as server, asyncio.timeout(60):
        lines, websocket = server.tcp_address, "ws://{}:{}".format(*server.websocket_address)
        bots = {
            "sh": ("bash", EXAMPLES / "arena_bot.sh", *lines),
            "js": (NODE, EXAMPLES / "arena_bot.mjs", websocket),
            "c": (compiled, *lines),
            "py": (sys.executable, EXAMPLES / "arena_bot.py", websocket),
        }
        bots = {name: (*bot, name, accounts_of(arena).add(name)) for name, bot in bots.items()}
        playing = asyncio.create_task(run(*bots["sh"], 3))
        others = {name: await run(*bots[name]) for name in ("js", "c", "py")}
        # Both bots of a game say the same of who won it.
        assert await playing == [end for said in others.values() for end in said]
        for name, said in others.items():
            (who, end) = said[0].split(" won: ")
            assert who in ("sh", name, "nobody")
            assert end in ENDS
            assert (who == "nobody") == (end == "board full")

        (tmp_path / "cup.toml").write_text(CUP)
        await announce(arena, read_live_config(tmp_path / "cup.toml"))
        # They stay from the first game to the last; names are found in upper and lower case.
        joining = (run(*bot, "--join", "club Evening") for bot in bots.values())
        ended = await asyncio.gather(*joining)
    assert [len(said) for said in ended] == [6] * 4


async def test_the_tutorial_replaces_a_line_of_the_bot_in_javascript(tmp_path: Path) -> None:
    tutorial = ROOT / "docs" / "tutorials" / "first-bot-javascript.md"
    (line,) = re.findall("```javascript\n(.+)\n```", tutorial.read_text("utf-8"))
    start = line.partition("=")[0]
    program = (EXAMPLES / "arena_bot.mjs").read_text("utf-8")
    changed, count = re.subn(f"(?m)^( *){start}.*$", rf"\1{line}", program)
    assert count == 1
    (tmp_path / "arena_bot.mjs").write_text(changed, "utf-8")
    async with Server(settings(arena=tmp_path / "arena")) as server, asyncio.timeout(60):
        url = "ws://{}:{}".format(*server.websocket_address)
        accounts = accounts_of(tmp_path / "arena")
        bots = [
            run(NODE, tmp_path / "arena_bot.mjs", url, name, accounts.add(name))
            for name in ("ann", "bob")
        ]
        first, second = await asyncio.gather(*bots)
    # Both play the middle of the columns that are free: the same game each time.
    assert first == second
    assert first[0].split(" won: ")[1] in ENDS


async def test_a_bot_that_is_refused_says_why_and_fails(tmp_path: Path) -> None:
    async with Server(settings(arena=tmp_path)) as server, asyncio.timeout(60):
        lines, websocket = server.tcp_address, "ws://{}:{}".format(*server.websocket_address)
        javascript = (EXAMPLES / "arena_bot.mjs", websocket, "ann", "wrong")
        for command, why in (
            (("bash", EXAMPLES / "arena_bot.sh", *lines, "ann", "wrong"), "token"),
            ((sys.executable, EXAMPLES / "arena_bot.py", *javascript[1:]), "token"),
            ((NODE, *javascript), "token"),
            ((NODE, "--no-experimental-websocket", *javascript), "Node 22"),
            ((NODE, *javascript, "--join"), "expected ws://ADDRESS NAME TOKEN"),
            ((NODE, javascript[0], "http://127.0.0.1", "ann", "wrong"), "expected ws://"),
        ):
            process = await asyncio.create_subprocess_exec(
                *map(str, command), stderr=asyncio.subprocess.PIPE
            )
            _, said = await process.communicate()
            assert process.returncode == 1
            assert why in said.decode()
            assert len(said.splitlines()) == 1


#: What a server says to a command where a move comes too late; `over` comes after the refusal.
LATE = {
    "login": "welcome ann session=s grace=1 tables=0",
    "new-game": "ok",
    "seek": "offered 1\nstart 1.0 tictactoe size=3x3 player=1 opponent=bob movetime 1 fen 3/3/3 x"
    " moves\nturn 1.0 0 movetime 1 fen 3/3/3 x moves",
    "position": "ok",
    "legal": "legal a1\nok",
    "play": "error game-over too late\nover 1.0 time winner 2 score -1 reason time is up",
    "quit": "bye",
}
JSON_LATE = {
    "login": [{"type": "welcome"}],
    "new-game": [{"type": "ok"}],
    "seek": [
        {"type": "offered"},
        {"type": "start", "id": None, "table": "1.0", "player": 1, "opponent": "bob"},
        {"type": "turn", "id": None, "table": "1.0", "turn": 0, "fen": "3/3/3 x", "moves": []},
    ],
    "position": [{"type": "ok"}],
    "legal": [{"type": "legal", "moves": ["a1"]}, {"type": "ok"}],
    "play": [
        {"type": "error", "code": "game-over", "message": "too late"},
        {"type": "over", "id": None, "table": "1.0", "winner": 2, "reason": "time is up"},
    ],
    "quit": [{"type": "bye", "reason": ""}],
}


async def test_a_move_that_is_refused_does_not_end_a_bot() -> None:
    async def lines(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        async for line in reader:
            writer.write(LATE[line.split()[0].decode()].encode() + b"\n")
            if line.startswith(b"quit"):
                break
        writer.close()

    async def messages(peer: ServerConnection) -> None:
        async for message in peer:
            asked = json.loads(message)
            for event in JSON_LATE[asked["type"]]:
                await peer.send(json.dumps({"id": asked["id"], **event}))

    async with (
        asyncio.timeout(60),
        await asyncio.start_server(lines, "127.0.0.1", 0) as tcp,
        serve(messages, "127.0.0.1", 0) as websocket,
    ):
        port = next(iter(websocket.sockets)).getsockname()[1]
        for command in (
            ("bash", EXAMPLES / "arena_bot.sh", *tcp.sockets[0].getsockname(), "ann", "token"),
            (NODE, EXAMPLES / "arena_bot.mjs", f"ws://127.0.0.1:{port}", "ann", "token"),
        ):
            assert await run(*command) in (
                ["game-over too late", "bob won: time is up"],
                ["too late", "bob won: time is up"],
            )


async def test_a_bot_in_javascript_comes_back() -> None:
    """The connection is lost before the move is answered; the next one is told the turn again."""
    answers = iter(
        (
            JSON_LATE | {"play": []},
            JSON_LATE
            | {
                "login": [{"type": "welcome", "tables": 1}, *JSON_LATE["seek"][1:]],
                "seek": [{"type": "error", "code": "busy", "message": "your slot is taken"}],
                "play": [{"type": "ok"}, *JSON_LATE["play"][1:]],
            },
        )
    )

    async def messages(peer: ServerConnection) -> None:
        answer = next(answers)
        async for message in peer:
            asked = json.loads(message)
            for event in answer[asked["type"]]:
                await peer.send(json.dumps({"id": asked["id"], **event}))
            if not answer[asked["type"]]:
                break

    async with asyncio.timeout(60), serve(messages, "127.0.0.1", 0) as websocket:
        port = next(iter(websocket.sockets)).getsockname()[1]
        command = (NODE, EXAMPLES / "arena_bot.mjs", f"ws://127.0.0.1:{port}", "ann", "token")
        assert await run(*command) == [
            "the connection is lost: trying again in 1 s",
            "bob won: time is up",
        ]
    assert next(answers, None) is None

"""The tools, asked by the SDK's own client: in memory, over a process's stdio, and over HTTP."""

from __future__ import annotations

import asyncio
import base64
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters
from mcp.server.transport_security import TransportSecurityMiddleware
from starlette.requests import Request

from plywire.clients.connecting.arena_bot import ArenaBot, BotOptions
from plywire.clients.play.players.local import RandomPlayer
from plywire.engine.registry import load
from plywire.protocol.messages.arena import Over, Seek
from plywire.protocol.messages.limits import Limits
from plywire.server.arena.live.announcing import announce, read_live_config
from plywire.server.arena.store.accounts import accounts_of
from plywire.server.mcp.model_games import ModelGames, ToolRefusedError
from plywire.server.mcp.seats import Account, Seats
from plywire.server.mcp.tools import make_server, security
from plywire.server.serve import Server
from plywire.server.settings import Settings
from tests.support.peers import PLYWIRE
from tests.support.processes import killed_on_failure

CUP = """
name = "Friday cup"
accuracy = false
seats = 2
[format]
system = "round-robin"
games = 2
[time]
movetime = 60000
[[games]]
game = "tictactoe"
openings = "start"
"""


async def call(client: Client, tool: str, **arguments: Any) -> Any:
    """What a tool says, which is no error."""
    result = await client.call_tool(tool, arguments)
    assert not result.is_error, result.content
    return result.structured_content


async def refused(client: Client, tool: str, **arguments: Any) -> str:
    """Why a tool refuses."""
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    (content,) = result.content
    return content.text


@asynccontextmanager
async def connected(
    games: ModelGames | None = None, account: Account | None = None
) -> AsyncIterator[Client]:
    seats = Seats(2)
    try:
        async with Client(
            make_server(games or ModelGames(), seats, account or Account())
        ) as client:
            yield client
    finally:
        await seats.close()


async def play(client: Client, *, engine: bool = False) -> dict[str, Any]:
    """A whole game of first legal moves, or of the engine's as the second player."""
    game = await call(client, "new_game", game="tictactoe")
    while not game["over"]:
        move = game["legal"][0]
        if engine and game["turn"] == 2:
            move = (await call(client, "ask_engine", game=game["id"], level=3))["move"]
        game = await call(client, "play", game=game["id"], move=move)
    return game


async def test_a_whole_game_and_its_review() -> None:
    async with connected() as client:
        game = await play(client, engine=True)
        assert game["winner"] == 2
        assert game["reason"] == "three in a row"
        assert game["legal"] == []
        found = await call(client, "review", game=game["id"])
        assert [one["move"] for one in found["moves"]] == list(game["moves"])
        losing = found["moves"][found["losing"] - 1]
        assert (losing["mark"], losing["player"]) == ("losing", 1)
        assert found["players"][1]["best"] == found["players"][1]["moves"]
        assert "the game is over" in await refused(client, "ask_engine", game=game["id"])


async def test_the_board_is_a_text_and_a_picture() -> None:
    async with connected() as client:
        game = await call(client, "new_game", game="othello")
        shown = await client.call_tool("show_board", {"game": game["id"]})
        text, image = shown.content
        assert text.text == game["board"] == load("othello").start().board()
        assert image.mime_type == "image/png"
        assert base64.b64decode(image.data).startswith(b"\x89PNG\r\n")
        assert (await call(client, "legal_moves", game=game["id"]))["result"] == game["legal"]


async def test_a_game_begins_with_a_position_or_a_game_in_any_notation() -> None:
    async with connected() as client:
        game = await call(client, "new_game", game="othello", fen="1. F5 d6 2. c3")
        assert game["moves"] == ["f5", "d6", "c3"]
        assert "line 1, column 4: " in await refused(
            client, "new_game", game="othello", fen="f5 zz"
        )


async def test_what_cannot_be_done_is_told_in_a_line() -> None:
    async with connected(ModelGames(most=1)) as client:
        game = await call(client, "new_game", game="tictactoe", fen="x2/1o1/3 x")
        assert (await refused(client, "play", game=game["id"], move="z9")).endswith(
            "no move 'z9' here: the legal moves are a1 b1 c1 a2 c2 b3 c3"
        )
        assert "no game 'x'" in await refused(client, "legal_moves", game="x")
        assert "unknown game 'go'" in await refused(client, "new_game", game="go")
        assert "1 games are being played here" in await refused(client, "new_game")
        assert "no move was made yet" in await refused(client, "review", game=game["id"])
        assert "name and token" in await refused(client, "arena_join")
        assert "no place 'x'" in await refused(client, "arena_turn", seat="x")
        assert "level" in await refused(client, "ask_engine", game=game["id"], level=11)


async def test_games_that_nobody_asks_for_make_room() -> None:
    now = 0.0
    games = ModelGames(most=2, now=lambda: now)
    first, second = games.new("tictactoe", None, None), games.new("tictactoe", None, None)
    now = 600.0
    games.board(first.id)
    games.new("tictactoe", None, None)
    games.board(first.id)
    with pytest.raises(ToolRefusedError):
        games.board(second.id)


async def test_searches_are_bounded_in_number_and_time() -> None:
    games = ModelGames(movetime=50)
    game = games.new("othello", None, None)
    asked = [asyncio.create_task(games.advise(game.id, None, 3_600_000)) for _ in range(100)]
    answers = await asyncio.gather(*asked, return_exceptions=True)
    served = [answer for answer in answers if not isinstance(answer, ToolRefusedError)]
    assert 1 <= len(served) < 100
    assert {answer.move for answer in served} <= set(game.legal)


async def test_an_arena_and_a_tournament(tmp_path: Path) -> None:
    """A model plays a sought game, then a tournament, against a bot; the engine keeps out of it."""
    accounts = accounts_of(tmp_path)
    tokens = {name: accounts.add(name) for name in ("ann", "bob")}
    toml = tmp_path / "cup.toml"
    toml.write_text(CUP)
    async with Server(Settings(port=0, websocket_port=0, warmup=False, arena=tmp_path)) as server:
        url = "tcp://{}:{}".format(*server.tcp_address)
        async with connected(account=Account(url, "ann", tokens["ann"])) as client:
            overs: list[Over] = []
            bob = ArenaBot(
                *(url, "bob", tokens["bob"], RandomPlayer),
                BotOptions(
                    offers=[Seek(game="tictactoe", limits=Limits(movetime=60_000))],
                    on_over=overs.append,
                ),
            )
            meeting = asyncio.create_task(bob.run(1))
            state = await call(client, "arena_join", game="tictactoe")
            seat = state["seat"]
            local = await call(client, "new_game")
            assert "no help of the engine" in await refused(client, "ask_engine", game=local["id"])
            while (state := await call(client, "arena_turn", seat=seat))["status"] == "your turn":
                assert 0 < state["clock_ms"] <= 60_000
                assert state["game"]["turn"] == state["you"]
                assert "no move" in await refused(client, "arena_play", seat=seat, move="z9")
                shown = await client.call_tool("arena_board", {"seat": seat})
                assert shown.content[0].text == state["game"]["board"]
                move = state["game"]["legal"][0]
                state = await call(client, "arena_play", seat=seat, move=move)
                assert state["status"] == "waiting"
            await meeting
            assert state["status"] == "finished"
            (ended,) = state["ended"]
            assert overs[0].reason in ended
            await call(client, "ask_engine", game=local["id"], movetime=1)

            await announce(tmp_path, read_live_config(toml))
            bob = ArenaBot(url, "bob", tokens["bob"], RandomPlayer, BotOptions(join="Friday cup"))
            meeting = asyncio.create_task(bob.run())
            state = await call(client, "arena_join", tournament="Friday cup")
            seat = state["seat"]
            while (state := await call(client, "arena_turn", seat=seat))["status"] != "finished":
                if state["status"] == "your turn":
                    move = state["game"]["legal"][0]
                    await call(client, "arena_play", seat=seat, move=move)
            await meeting
            assert len(state["ended"]) == 2
            assert state["reason"] == ""
            assert await call(client, "arena_leave", seat=seat) == {"result": "left"}


async def test_no_help_in_a_game_that_was_left(tmp_path: Path) -> None:
    """The place may be taken again, and the game with it, until the grace time is over."""
    accounts = accounts_of(tmp_path)
    tokens = {name: accounts.add(name) for name in ("ann", "bob")}
    now = 0.0
    seats = Seats(2, now=lambda: now)
    chosen = Settings(port=0, websocket_port=0, warmup=False, arena=tmp_path, arena_grace=30)
    async with Server(chosen) as server:
        url = "tcp://{}:{}".format(*server.tcp_address)
        tools = make_server(ModelGames(), seats, Account(url, "ann", tokens["ann"]))
        async with Client(tools) as client:
            bob = ArenaBot(
                *(url, "bob", tokens["bob"], RandomPlayer),
                BotOptions(offers=[Seek(game="tictactoe", limits=Limits(movetime=60_000))]),
            )
            meeting = asyncio.create_task(bob.run(1))
            seat = (await call(client, "arena_join", game="tictactoe"))["seat"]
            assert (await call(client, "arena_turn", seat=seat))["status"] == "your turn"
            local = (await call(client, "new_game", game="tictactoe"))["id"]
            assert await call(client, "arena_leave", seat=seat) == {"result": "left"}
            for tool in ("ask_engine", "review"):
                assert "no help" in await refused(client, tool, game=local)
            seat = (await call(client, "arena_join", game="tictactoe"))["seat"]
            assert (await call(client, "arena_turn", seat=seat))["status"] == "your turn"
            await call(client, "arena_leave", seat=seat)
            now = 61.0
            await call(client, "ask_engine", game=local, movetime=1)
            meeting.cancel()
            await asyncio.gather(meeting, return_exceptions=True)
    await seats.close()


async def test_a_place_without_a_game_may_be_left_for_help(tmp_path: Path) -> None:
    token = accounts_of(tmp_path).add("ann")
    async with Server(Settings(port=0, websocket_port=0, warmup=False, arena=tmp_path)) as server:
        url = "tcp://{}:{}".format(*server.tcp_address)
        async with connected(account=Account(url, "ann", token)) as client:
            seat = (await call(client, "arena_join", game="tictactoe"))["seat"]
            local = (await call(client, "new_game", game="tictactoe"))["id"]
            await call(client, "arena_leave", seat=seat)
            await call(client, "ask_engine", game=local, movetime=1)


@pytest.mark.parametrize(
    ("host", "origins", "headers", "status"),
    [
        ("0.0.0.0", [], {"Host": "evil.example:7592"}, 421),
        ("0.0.0.0", [], {"Host": "127.0.0.1:7592", "Origin": "http://evil.example"}, 403),
        ("0.0.0.0", [], {"Host": "127.0.0.1:7592", "Origin": "http://127.0.0.1:7592"}, None),
        ("192.0.2.7", [], {"Host": "192.0.2.7:7592"}, None),
        ("192.0.2.7", [], {"Host": "192.0.2.8:7592"}, 421),
        ("::", ["https://a.example"], {"Host": "a.example", "Origin": "https://a.example"}, None),
        ("127.0.0.1", [], {"Host": "evil.example"}, 421),
        ("127.0.0.1", [], {"Host": "localhost:7592"}, None),
    ],
)
async def test_names_and_origins_are_checked_wherever_it_listens(
    host: str, origins: list[str], headers: dict[str, str], status: int | None
) -> None:
    raw = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    request = Request({"type": "http", "method": "GET", "headers": raw})
    refusal = await TransportSecurityMiddleware(security(host, origins)).validate_request(request)
    assert (refusal and refusal.status_code) == status


async def test_a_process_speaks_over_stdio() -> None:
    command = StdioServerParameters(command=PLYWIRE[0], args=[*PLYWIRE[1:], "mcp"])
    async with Client(command, mode="legacy") as client:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        assert {"new_game", "play", "show_board", "ask_engine", "review", "arena_join"} <= tools
        assert (await play(client))["reason"] == "three in a row"


async def test_a_process_listens_for_http() -> None:
    process = await asyncio.create_subprocess_exec(
        *(*PLYWIRE, "mcp", "--http", "--port", "0"), stderr=asyncio.subprocess.PIPE
    )
    with killed_on_failure(process):
        assert process.stderr is not None
        found = None
        while found is None and (line := await process.stderr.readline()):
            found = re.search(rb"http://127\.0\.0\.1:\d+", line)
        assert found is not None
        async with Client(found[0].decode() + "/mcp") as client:
            assert (await play(client))["reason"] == "three in a row"
        process.terminate()
        await process.communicate()

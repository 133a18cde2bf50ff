"""The client library against the real server, over TCP and over WebSocket."""

import asyncio
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from plywire import clients
from plywire.clients import (
    Backoff,
    BadServerError,
    Client,
    CommandError,
    ConnectionLostError,
    connect,
)
from plywire.engine.registry import names
from plywire.protocol.messages.play import Preparing
from tests.support.proxy import Proxy


@pytest.mark.parametrize("name", names())
async def test_a_whole_game(game: Client, name: str) -> None:
    await game.new_game(name)
    plies = 0
    while not (result := await game.result()).over:
        assert result.turn == (await game.show()).turn
        best = await game.go(depth=2)
        assert best.move in await game.legal()
        await game.move(best.move)
        plies += 1
    assert plies > 4
    assert await game.legal() == ()
    assert result.reason
    assert (await game.go(depth=2)).move is None


async def test_positions_and_undo(game: Client) -> None:
    await game.new_game("othello")
    fen = (await game.show()).fen
    await game.move("d3", "c3")
    await game.undo(2)
    assert (await game.show()).fen == fen
    await game.position(fen, "d3")
    shown = await game.show()
    assert shown.moves == ("d3",)
    assert shown.game == "othello"
    assert (await game.eval()).kind == "cp"


async def test_introductions(game: Client) -> None:
    assert (await game.hello()).server == "plywire"
    assert {offered.name for offered in await game.games()} >= set(names())
    await game.ping()


async def test_preparing_a_game(game: Client) -> None:
    told: list[Preparing] = []
    await game.prepare("tictactoe", on_progress=told.append)
    assert "tictactoe" in (await game.hello()).ready
    assert {offered.name: offered.ready for offered in await game.games()}["tictactoe"]
    assert {(progress.game, progress.size) for progress in told} <= {("tictactoe", "3x3")}
    await game.new_game("tictactoe")
    await game.prepare()
    assert (await game.go(movetime=50)).by == "engine"
    with pytest.raises(CommandError, match="unknown game"):
        await game.prepare("chess")


async def test_a_review_and_a_level(game: Client) -> None:
    await game.new_game("tictactoe")
    await game.position(None, "b2", "a2", "a1")
    assert (await game.go(level=10)).move == "c3"
    judged, ended = await game.review(winner=1)
    assert [(it.number, it.mark) for it in judged] == [(3, "best"), (2, "losing"), (1, "best")]
    assert ended.losing == 2


async def test_a_search_reports_and_ends(game: Client) -> None:
    search = game.go(depth=6, multipv=2)
    reports = [info async for info in search]
    best = await search
    assert [info.depth for info in reports if info.multipv == 1] == [1, 2, 3, 4, 5, 6]
    assert [info.multipv for info in search.lines] == [1, 2]
    assert search.lines[0].pv[0] == best.move
    assert [info async for info in search] == []


async def test_stop_ends_an_endless_search(game: Client) -> None:
    search = game.go(infinite=True)
    await game.ping()
    best = await search.stop()
    assert best.move in await game.legal()
    assert await search.stop() == best


async def test_a_refusal_changes_nothing(game: Client) -> None:
    await game.move("4")
    with pytest.raises(CommandError, match="8") as refusal:
        await game.move("4", "8")
    assert refusal.value.code == "illegal-move"
    assert "8" in refusal.value.message
    assert (await game.show()).moves == ("4",)


async def test_a_search_leaves_no_time_for_anything_else(game: Client) -> None:
    search = game.go(infinite=True)
    await game.ping()
    with pytest.raises(CommandError) as refusal:
        await game.legal()
    assert refusal.value.code == "busy"
    await search.stop()


async def test_a_cancelled_search_leaves_the_game_as_it_was(game: Client, proxy: Proxy) -> None:
    await game.move("4")
    search = game.go(infinite=True)
    await game.ping()
    with pytest.raises(TimeoutError):
        async with asyncio.timeout(0):
            await search
    assert (await game.show()).moves == ("4",)


async def test_the_game_survives_a_lost_connection(game: Client, proxy: Proxy) -> None:
    await game.option("hash", 2)
    await game.new_game("connect4", "8x7")
    await game.position(None, "1", "2")
    await game.move("8", "8", "3")
    await game.undo(2)
    before = await game.show()
    proxy.cut()
    assert await game.show() == before
    assert before.moves == ("1", "2", "8")
    assert before.size == "8x7"
    assert proxy.connections == 2
    await game.new_game()
    proxy.cut()
    after = await game.show()
    assert (after.game, after.size, after.moves) == ("connect4", "8x7", ())


async def test_it_tries_until_the_server_is_back(game: Client, proxy: Proxy) -> None:
    await game.move("4")
    proxy.refusing = AT_MOST = 3
    proxy.cut()
    assert (await game.show()).moves == ("4",)
    assert proxy.connections == 2 + AT_MOST


async def test_it_gives_up_at_last(game: Client, proxy: Proxy) -> None:
    proxy.refusing = 1000
    proxy.cut()
    with pytest.raises(ConnectionLostError, match="no connection to"):
        await game.show()
    assert proxy.connections == 1 + 5


async def test_a_move_on_its_way_is_played_once(game: Client, proxy: Proxy) -> None:
    proxy.hold()
    moving = asyncio.create_task(game.move("4"))
    await asyncio.sleep(0)
    proxy.cut()
    await moving
    assert (await game.show()).moves == ("4",)


async def test_a_search_begins_anew_once(game: Client, proxy: Proxy) -> None:
    await game.new_game("othello")
    search = game.go(infinite=True)
    reports = aiter(search)
    await anext(reports)
    proxy.cut()
    while (await anext(reports)).depth > 1:
        pass
    proxy.cut()
    with pytest.raises(ConnectionLostError):
        await search
    await game.ping()


async def test_a_search_over_a_link_gone_silent_begins_anew(proxy: Proxy, scheme: str) -> None:
    """No connection is lost as far as the system knows: there are just no answers any more."""
    url = f"{scheme}://127.0.0.1:{proxy.port}"
    backoff = Backoff(attempts=5, first=0)
    async with connect(url, backoff=backoff, timeout=1) as game, asyncio.timeout(30):
        await game.new_game("tictactoe")
        search = game.go(infinite=True)
        reports = aiter(search)
        while (await anext(reports)).depth == 1:
            pass
        proxy.silence()
        while (await anext(reports)).depth > 1:
            pass
        await search.stop()


async def test_a_stopped_search_does_not_begin_anew(game: Client, proxy: Proxy) -> None:
    search = game.go(infinite=True)
    await anext(aiter(search))
    proxy.hold()
    stopping = asyncio.create_task(search.stop())
    await asyncio.sleep(0)
    proxy.cut()
    with pytest.raises(ConnectionLostError):
        await stopping


async def test_nobody_there() -> None:
    async with await asyncio.start_server(lambda r, w: None, "127.0.0.1", 0) as taken:
        port = taken.sockets[0].getsockname()[1]
    client = Client(f"tcp://127.0.0.1:{port}", backoff=Backoff(attempts=2, first=0))
    with pytest.raises(ConnectionLostError, match=str(port)):
        await client.ping()


async def test_a_silent_server() -> None:
    async def silent(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.read()
        writer.close()

    async with await asyncio.start_server(silent, "127.0.0.1", 0) as server:
        url = f"tcp://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        with pytest.raises(ConnectionLostError, match="no answer"):
            async with connect(url, timeout=0.05, backoff=Backoff(attempts=2, first=0)):
                pass


async def test_a_server_that_speaks_something_else() -> None:
    async def babble(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writer.write(b"220 mail ready\n")
        await reader.read()
        writer.close()

    async with await asyncio.start_server(babble, "127.0.0.1", 0) as server:
        url = f"tcp://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        with pytest.raises(BadServerError):
            async with connect(url):
                pass


@pytest.mark.parametrize("url", ["http://localhost", "localhost:7590", "ws://", "tcp:7590"])
def test_urls_of_another_kind(url: str) -> None:
    with pytest.raises(ValueError, match="tcp://HOST:PORT"):
        connect(url)


@given(st.integers(1, 10**6))
@example(1100)
def test_waits_double_up_to_a_limit(failures: int) -> None:
    backoff = Backoff(first=0.1, longest=10)
    full = min(10, 0.1 * 2 ** min(failures - 1, 20))
    assert full / 2 <= backoff.delay(failures) <= full


def test_importing_the_clients_loads_no_numba() -> None:
    folder = Path(clients.__file__).parent
    files = [path.relative_to(folder).with_suffix("") for path in folder.rglob("[a-z]*.py")]
    modules = [".".join(file.parts) for file in files]
    assert "terminal.play" in modules
    code = "".join(f"import plywire.clients.{module}\n" for module in modules)
    code += "import sys; assert 'numba' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)

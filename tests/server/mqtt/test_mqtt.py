"""Bots and watchers beyond a broker, and what becomes of them when it dies."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from pathlib import Path

import aiomqtt
import pytest

from plywire.clients.connecting.arena_bot import ArenaBot, BotOptions
from plywire.clients.connecting.client import Backoff, connect
from plywire.clients.connecting.transports import mqtt as client_mqtt
from plywire.clients.connecting.transports.mqtt import MqttTransport
from plywire.clients.connecting.transports.mqtt_client import BrokerClient
from plywire.clients.connecting.transports.mqtt_url import MqttUrl
from plywire.clients.connecting.transports.open import open_transport
from plywire.clients.play.players.base import GameLine, Player
from plywire.clients.play.players.local import RandomPlayer
from plywire.protocol.messages.arena import Over, Seek
from plywire.protocol.messages.limits import Limits
from plywire.protocol.messages.watching import GameState, feed_adapter
from plywire.protocol.mqtt_frames import Direction
from plywire.server.arena.store.accounts import accounts_of
from plywire.server.mqtt import broker_connection
from plywire.server.serve import Server
from plywire.server.settings import Settings
from tests.support.brokers import TOPICS, Mosquitto, kill_embedded, on_broker, stranger
from tests.support.peers import PLYWIRE, MqttPeer, TcpPeer, hear_until, mqtt_url, settings
from tests.support.processes import killed_on_failure
from tests.support.programs import MOSQUITTO
from tests.support.until import until

SEEK = Seek(game="tictactoe", limits=Limits(movetime=20_000))
ROOT = Path(__file__).parents[3]
BROKERS = ("embedded", "mosquitto")


class Pausing(Player):
    """Plays the first move there is when it is let, and notes what it was asked."""

    name = "pausing"

    def __init__(self) -> None:
        self.asked: list[tuple[int, ...]] = []
        self.thinking = asyncio.Event()
        self.go = asyncio.Event()

    async def choose(self, line: GameLine, limits: Limits) -> int:
        self.asked.append(line.moves)
        self.thinking.set()
        await self.go.wait()
        return line.position.moves()[0]


@asynccontextmanager
async def serving(kind: str, folder: Path) -> AsyncIterator[tuple[Server, Callable]]:  # type: ignore[type-arg]
    """A server on its broker, and what kills the broker and starts it again."""
    async with AsyncExitStack() as stack:
        broker = "embedded"
        if kind == "mosquitto":
            mosquitto = await stack.enter_async_context(Mosquitto(folder))
            broker = mosquitto.url
        chosen = settings(mqtt=broker, arena=folder / "arena")
        server = await stack.enter_async_context(Server(chosen))
        await on_broker(server)

        async def restart() -> None:
            link = server.mqtt
            assert link is not None
            if kind == "mosquitto":
                await mosquitto.kill()
                await until(lambda: not link.is_connected)
                await mosquitto.start()
            else:
                await kill_embedded(server)
            await on_broker(server)

        yield server, restart


async def bots(
    server: Server, folder: Path, *makers: Callable[[], Player], overs: list[Over]
) -> list[ArenaBot]:
    """Bots named a, b, … with accounts, beyond the broker."""
    made = []
    for name, make in zip("ab", makers, strict=False):
        token = await asyncio.to_thread(accounts_of(folder / "arena").add, name)
        made.append(
            ArenaBot(
                *(await mqtt_url(server, name), name, token, make),
                BotOptions(
                    offers=[SEEK],
                    backoff=Backoff(first=0.05, longest=0.5, attempts=100),
                    on_over=overs.append,
                ),
            )
        )
    return made


@pytest.mark.parametrize("kind", BROKERS)
async def test_a_game_outlives_the_broker(kind: str, tmp_path: Path) -> None:
    """Killed on the turns of either bot, nothing is lost, and nothing is thought twice."""
    overs: list[Over] = []
    players = [Pausing(), Pausing()]
    async with serving(kind, tmp_path) as (server, restart), asyncio.timeout(60):
        makers = [partial(_same, player) for player in players]
        playing = [
            asyncio.create_task(bot.run(1))
            for bot in await bots(server, tmp_path, *makers, overs=overs)
        ]
        for _ in range(2):
            thinking = [asyncio.create_task(player.thinking.wait()) for player in players]
            await asyncio.wait(thinking, return_when=asyncio.FIRST_COMPLETED)
            for task in thinking:
                task.cancel()
            (player,) = (player for player in players if player.thinking.is_set())
            await restart()
            await until(lambda: server.sessions == 2)
            player.thinking.clear()
            player.go.set()
            await until(lambda: any(player.thinking.is_set() for player in players))
            player.go.clear()
        for player in players:
            player.go.set()
        await asyncio.gather(*playing)
        assert {over.termination for over in overs} == {"normal"}
        for player in players:
            assert len(player.asked) == len(set(player.asked))
        async with stranger(server) as watcher:
            await watcher.listen(TOPICS.feed("games/+"))
            game = feed_adapter().validate_json((await watcher.hear()).payload)
        assert isinstance(game, GameState)
        assert game.result is not None
        assert game.result.reason == overs[0].reason
        assert len(game.moves) == sum(len(player.asked) for player in players)


async def test_what_is_being_published_is_lost_with_the_broker_at_once(tmp_path: Path) -> None:
    """It does not wait for the acknowledgement that cannot come, which may take 10 s."""
    async with Mosquitto(tmp_path) as broker:
        client = BrokerClient(MqttUrl("127.0.0.1", broker.port), "will", "gone", timeout=300)
        with suppress(aiomqtt.MqttError):  # there is nobody to say goodbye to
            async with client:
                broker.pause()
                publishing = asyncio.create_task(client.deliver("topic", "text"))
                await asyncio.sleep(0)
                await broker.kill()
                async with asyncio.timeout(60):
                    with pytest.raises(aiomqtt.MqttError, match="disconnected"):
                        await publishing


def _same(player: Player) -> Player:
    return player


@pytest.mark.parametrize("kind", BROKERS)
async def test_the_feed_on_the_broker(kind: str, tmp_path: Path) -> None:
    overs: list[Over] = []
    async with serving(kind, tmp_path) as (server, _), asyncio.timeout(60):
        async with stranger(server) as watcher:
            await watcher.listen(TOPICS.feed("games/+"), TOPICS.status)
            await watcher.until(TOPICS.status, '"online":true')
            made = await bots(server, tmp_path, RandomPlayer, RandomPlayer, overs=overs)
            await asyncio.gather(*(bot.run(1) for bot in made))
            told: list[GameState] = []
            statuses: list[dict[str, object]] = []
            while not (told and told[-1].is_final):
                message = await watcher.hear()
                if str(message.topic) == TOPICS.status:
                    statuses.append(json.loads(message.payload))
                else:
                    event = feed_adapter().validate_json(message.payload)
                    assert isinstance(event, GameState)
                    assert str(message.topic) == TOPICS.feed(event.topic)
                    told.append(event)
        last = told[-1]
        assert last.result is not None
        assert last.result.reason == overs[0].reason
        assert [last.moves[: len(event.moves)] for event in told] == [e.moves for e in told]
        assert 2 in [status["bots"] for status in statuses]
        async with stranger(server) as late:
            await late.listen(TOPICS.feed("games/+"))
            message = await late.hear()
            assert message.retain
            assert feed_adapter().validate_json(message.payload) == last


async def test_only_the_latest_games_stay_on_the_broker(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broker_connection, "_RETAINED", 2)
    async with serving("embedded", tmp_path) as (server, _), asyncio.timeout(60):
        made = await bots(server, tmp_path, RandomPlayer, RandomPlayer, overs=[])
        await asyncio.gather(*(bot.run(4) for bot in made))
        async with stranger(server) as watcher:
            await watcher.listen(TOPICS.feed("games/+"))
            await watcher.publish(TOPICS.feed("games/end"), "end")
            kept = set()
            while (topic := str((await watcher.hear()).topic)) != TOPICS.feed("games/end"):
                kept.add(topic)
        assert kept == {TOPICS.feed("games/1.2"), TOPICS.feed("games/1.3")}


@pytest.mark.parametrize("kind", BROKERS)
async def test_presence(kind: str, tmp_path: Path) -> None:
    """The broker says who is there, also of a bot that died without a word."""
    presence = TOPICS.bot("ann", Direction.PRESENCE)
    async with serving(kind, tmp_path) as (server, _), stranger(server) as watcher:
        peer = await open_transport(await mqtt_url(server, "ann"))
        assert isinstance(peer, MqttTransport)
        await peer.write(["ping"])
        assert await peer.read() == b"pong\n"
        await watcher.listen(presence)
        message = await watcher.until(presence, '"online":true')
        assert message.retain
        assert server.sessions == 1
        connection = peer._client._client.socket()
        assert isinstance(connection, socket.socket)
        connection.shutdown(socket.SHUT_RDWR)
        await watcher.until(presence, '"online":false')
        await until(lambda: not server.sessions)
        assert await peer.read() == b""
        with pytest.raises(OSError, match="broker was lost"):
            await peer.write(["ping"])
        await peer.close()


async def test_the_will_of_an_earlier_connection_does_not_speak_for_this_one(
    tmp_path: Path,
) -> None:
    presence = TOPICS.bot("ann", Direction.PRESENCE)
    async with serving("embedded", tmp_path) as (server, _), stranger(server) as other:
        peer = await MqttPeer.connect(server, "ann")
        await peer.say("ping")
        assert await peer.hear() == "pong"
        await other.listen(presence)
        await other.publish(presence, '{"online":false,"connection":"earlier"}', retain=True)
        await other.until(presence, '"online":false')
        hearing = asyncio.create_task(peer.hear())
        await other.until(presence, '"online":true')
        assert server.sessions == 1
        await peer.say("ping")
        assert await hearing == "pong"
        await peer.leave()


async def test_a_server_that_stops_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_mqtt, "_STATUS_WITHIN", 0.1)
    async with AsyncExitStack() as stack:
        mosquitto = await stack.enter_async_context(Mosquitto(tmp_path))
        server = await stack.enter_async_context(Server(settings(mqtt=mosquitto.url)))
        await on_broker(server)
        watcher = await stack.enter_async_context(stranger(server))
        await watcher.listen(TOPICS.status)
        await watcher.until(TOPICS.status, '"online":true')
        peer = await MqttPeer.connect(server)
        await peer.say("go infinite")
        await hear_until(peer, "info")
        await server.__aexit__(None, None, None)
        lines = await hear_until(peer, "bye")
        assert lines[-2].startswith("bestmove ")
        assert lines[-1] == "bye the server is shutting down"
        await watcher.until(TOPICS.status, '"online":false')
        assert await peer.hear() is None
        await peer.leave()
        with pytest.raises(OSError, match="no server for arena main"):
            await open_transport(await mqtt_url(server, "ann"))


async def test_a_server_that_dies_is_offline_by_its_will(tmp_path: Path) -> None:
    async with serving("mosquitto", tmp_path) as (server, _), stranger(server) as watcher:
        peer = await MqttPeer.connect(server)
        await watcher.listen(TOPICS.status)
        link = server.mqtt
        assert link is not None
        assert link._client is not None
        link._client._client.socket().shutdown(socket.SHUT_RDWR)  # type: ignore[union-attr]
        await watcher.until(TOPICS.status, '"online":false')
        assert await peer.hear() is None
        await watcher.until(TOPICS.status, '"online":true')
        await peer.leave()


async def test_the_will_of_an_earlier_server_does_not_speak_for_this_one(tmp_path: Path) -> None:
    async with serving("mosquitto", tmp_path) as (server, _), stranger(server) as other:
        await other.listen(TOPICS.status)
        said = await other.until(TOPICS.status, '"online":true')
        for wrong in ('{"online":false,"connection":"earlier"}', '{"online":false}', "off", ""):
            await other.publish(TOPICS.status, wrong, retain=True)
            assert (await other.hear()).payload == wrong.encode()
            assert (await other.hear()).payload == said.payload
        peer = await open_transport(await mqtt_url(server, "ann"))
        await peer.write(["ping"])
        assert await peer.read() == b"pong\n"
        await peer.close()


async def test_an_arena_has_one_server(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A second one takes over, and both say what is wrong."""
    async with serving("mosquitto", tmp_path) as (server, _):
        first = server.mqtt
        assert first is not None
        before = first._client
        assert server.broker is not None
        async with Server(settings(mqtt=str(await server.broker.url()))) as second:
            await on_broker(second)
            await until(lambda: first._client is not before)
        assert "another server has taken over arena main" in caplog.text
        await on_broker(server)
        async with connect(await mqtt_url(server, "ann")) as game:
            assert len(await game.legal()) == 7


async def test_a_broker_that_comes_later(tmp_path: Path) -> None:
    """Meanwhile others are served."""
    mosquitto = Mosquitto(tmp_path)
    async with Server(settings(mqtt=mosquitto.url)) as server:
        peer = await TcpPeer.connect(server)
        await peer.say("ping")
        assert await peer.hear() == "pong"
        await peer.leave()
        async with mosquitto:
            await on_broker(server)
            async with connect(await mqtt_url(server, "ann")) as game:
                await game.new_game("tictactoe")
                assert len(await game.legal()) == 9


@asynccontextmanager
async def shared_broker(folder: Path) -> AsyncIterator[str]:
    """A broker as docs/how-to/mqtt.md sets it up, with users plywire and ann: host and port."""
    MOSQUITTO.path()
    passwords, rights = folder / "passwords", folder / "rights"
    passwords.touch(mode=0o600)
    for name in ("plywire", "ann"):
        arguments = ("-b", str(passwords), name, f"of {name}")
        process = await asyncio.create_subprocess_exec("mosquitto_passwd", *arguments)
        assert await process.wait() == 0
    documented = (ROOT / "docs" / "how-to" / "mqtt.md").read_text(encoding="utf-8")
    configuration, rules = re.findall(r"^```text\n(.*?)^```", documented, re.MULTILINE | re.DOTALL)
    rights.write_text(rules, encoding="utf-8")
    for name, path in (("passwords", passwords), ("rights", rights)):
        configuration = configuration.replace(f"/etc/mosquitto/{name}", str(path))
    listener, *lines = configuration.splitlines()
    assert listener == "listener 1883"
    async with Mosquitto(folder, *lines) as mosquitto:
        yield f"127.0.0.1:{mosquitto.port}"


async def test_a_broker_that_asks_who_comes(tmp_path: Path) -> None:
    """A bot is let at its own topics only."""
    async with shared_broker(tmp_path) as where:
        url = f"mqtt://plywire:of%20plywire@{where}"
        async with Server(settings(mqtt=url)) as server, asyncio.timeout(30):
            await on_broker(server)
            host, port = where.split(":")
            peer = await open_transport(f"mqtt://ann:of%20ann@{where}/main/ann")
            await peer.write(["ping"])
            assert await peer.read() == b"pong\n"
            await peer.close()
            nosy = aiomqtt.Client(host, int(port), username="ann", password="of ann")
            async with nosy:
                await nosy.subscribe([("plywire/main/#", 1)])
                carl = await open_transport(f"mqtt://plywire:of%20plywire@{where}/main/carl")
                await carl.write(["ping"])
                assert await carl.read() == b"pong\n"
                await nosy.publish(TOPICS.bot("ann", Direction.IN), b"the end", qos=1)
                heard = set()
                async for message in nosy.messages:
                    heard.add(str(message.topic))
                    if message.payload == b"the end":
                        break
                assert not any("/carl/" in topic for topic in heard)
                await carl.close()
            with pytest.raises(OSError, match="no broker"):
                await open_transport(f"mqtt://ann:guessed@{where}/main/ann")


async def test_a_user_of_the_broker_cannot_throw_the_server_off(tmp_path: Path) -> None:
    """Not by its identifier, which brokers let any user take, nor by what can be read of it."""
    async with (
        shared_broker(tmp_path) as where,
        Server(settings(mqtt=f"mqtt://plywire:of%20plywire@{where}")) as server,
    ):
        await on_broker(server)
        carl = await open_transport(f"mqtt://plywire:of%20plywire@{where}/main/carl")
        await carl.write(["ping"])
        assert await carl.read() == b"pong\n"
        host, port = where.split(":")
        login = {"username": "ann", "password": "of ann"}
        async with aiomqtt.Client(host, int(port), **login) as ann:
            await ann.subscribe(TOPICS.status)
            status = json.loads((await anext(ann.messages)).payload)
        word = status.get("connection", "")
        words = ["main", word, word[:16]]
        for name in (*words, *(f"plywire{dash}{word}" for word in words for dash in ("-", ""))):
            async with aiomqtt.Client(host, int(port), identifier=name, **login) as thief:
                offline = '{"type":"status","online":false,"updated":"2026-01-01T00:00:00Z"}'
                await thief.publish(TOPICS.status, offline, qos=1, retain=True)
            await carl.write(["ping"])
            assert await carl.read() == b"pong\n"
        await carl.close()


async def test_the_command_and_a_bot_that_knows_only_the_protocol(tmp_path: Path) -> None:
    arena = tmp_path / "arena"
    serve = ("--arena", str(arena), "--mqtt", "embedded", "--mqtt-port", "0", "--no-warmup")
    server = await asyncio.create_subprocess_exec(
        *(*PLYWIRE, "serve", "--port", "0", "--websocket-port", "0", *serve),
        stderr=asyncio.subprocess.PIPE,
    )
    assert server.stderr is not None
    with killed_on_failure(server):
        async with asyncio.timeout(120):
            while b"listening broker=" not in (line := await server.stderr.readline()):
                assert line, "the server has ended"
            url = MqttUrl.parse(line.decode().strip().partition("broker=")[2])
            tokens = {name: accounts_of(arena).add(name) for name in ("ann", "bob")}
            bare = await asyncio.create_subprocess_exec(
                *(sys.executable, str(ROOT / "examples" / "mqtt_bot.py")),
                *(url.host, str(url.port), "bob", tokens["bob"]),
                stdout=asyncio.subprocess.PIPE,
            )
            seek = Seek(game="connect4", limits=Limits(movetime=1000))
            overs: list[Over] = []
            bot = ArenaBot(
                str(url),
                "ann",
                tokens["ann"],
                RandomPlayer,
                BotOptions(offers=[seek], on_over=overs.append),
            )
            await bot.run(1)
            output, _ = await bare.communicate()
            who, _, how = output.decode().strip().partition(" won: ")
            assert how == overs[0].reason
            assert (who == "nobody") == (overs[0].winner is None)
            assert who in ("ann", "bob", "nobody")
            assert overs[0].termination == "normal"
            server.send_signal(signal.SIGTERM)
            log = (await server.stderr.read()).decode()
            assert await server.wait() == 0
    assert "Traceback" not in log


def test_settings() -> None:
    assert Settings(mqtt="embedded").mqtt == "embedded"
    for wrong, message in (("nats://x", "not a broker's URL"), ("mqtt://x/a/b", "no bot")):
        with pytest.raises(ValueError, match=message):
            Settings(mqtt=wrong)


async def test_a_taken_port_is_an_error() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(OSError, match="in use; choose another port by --mqtt-port"):
            async with Server(settings(mqtt="embedded", mqtt_port=port)):
                raise AssertionError("two listeners on one port")


async def test_no_broker_at_all() -> None:
    with pytest.raises(OSError, match=r"no broker at 127\.0\.0\.1:9:"):
        await MqttTransport.open(MqttUrl("127.0.0.1", 9, name="ann"))

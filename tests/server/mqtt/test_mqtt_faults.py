"""What others on the broker do wrong: who is to blame is hurt alone, and the server lives on."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import aiomqtt
import pytest

from plywire.protocol.mqtt_frames import Direction
from plywire.server.arena.store.accounts import Accounts, accounts_of
from plywire.server.serve import Server
from tests.support.brokers import TOPICS, Mosquitto, Stranger, on_broker, stranger
from tests.support.peers import MqttPeer, settings
from tests.support.until import until

OUT = TOPICS.bot("mallory", Direction.OUT)
SEEK = {"type": "seek", "game": "tictactoe", "limits": {"movetime": 60_000}}

GARBAGE = (
    b"",
    b"ping",
    b'{"type":"ping"}',
    bytes(range(256)),
    b"x" * 250_000,
    b"word 1\n" + bytes(range(256)) * 10,
    b"long 1\n" + b"x" * 100_000,
    b"late 7\nping",
    b"gone 0",
    b"none 1",
    b"w" * 40 + b" 1\nping",
)

WRONG_TOPICS = (
    "plywire/main/bots/ann/else",
    "plywire/main/bots/ann",
    "plywire/main/bots//out",
    "plywire/main/bots/a b/out",
    "plywire/main/bots/😀/presence",
    "plywire/other/bots/ann/out",
    "plywire/main/bots/ann/in",
    "plywire/main/bots/ann/presence",
    "elsewhere",
)


@dataclass
class Scene:
    """A server, two bots in a game, ann and bob, and somebody else."""

    server: Server
    first: MqttPeer
    second: MqttPeer
    other: Stranger
    accounts: Accounts
    table: str

    async def unharmed(self) -> None:
        """The game is played to its end."""
        moves = ["a1", "b1", "a2", "b2", "a3"]
        for turn, move in enumerate(moves):
            bot = self.second if turn % 2 else self.first
            if turn:
                await heard(bot, "turn", turn=turn)
            await send(bot, {"type": "play", "table": self.table, "turn": turn, "move": move})
        for bot in (self.first, self.second):
            assert (await heard(bot, "over"))["termination"] == "normal"


async def send(peer: MqttPeer, message: dict[str, object]) -> None:
    await peer.say(json.dumps(message))


async def heard(peer: MqttPeer, kind: str, **fields: object) -> dict[str, object]:
    """The next message of a type that has these fields."""
    while True:
        line = await peer.hear()
        assert line is not None, f"hung up before {kind}"
        message: dict[str, object] = json.loads(line)
        if message["type"] == kind and fields.items() <= message.items():
            return message


@pytest.fixture(params=["embedded", "mosquitto"])
async def scene(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Scene]:
    if request.param == "mosquitto":
        async with Mosquitto(tmp_path) as mosquitto:
            async for made in _scene(mosquitto.url, tmp_path / "arena"):
                yield made
    else:
        async for made in _scene("embedded", tmp_path / "arena"):
            yield made


async def _scene(broker: str, folder: Path) -> AsyncIterator[Scene]:
    chosen = settings(mqtt=broker, arena=folder, message_burst=300, messages_per_second=0.1)
    async with Server(chosen) as server:
        await on_broker(server)
        accounts, bots = accounts_of(folder), list[MqttPeer]()
        for name in ("ann", "bob"):
            bots.append(bot := await MqttPeer.connect(server, name))
            await send(bot, {"type": "login", "name": name, "token": accounts.add(name)})
            await heard(bot, "welcome")
            await send(bot, SEEK)
        start = await heard(bots[0], "start")
        first, second = bots if start["player"] == 1 else reversed(bots)
        async with stranger(server) as other:
            yield Scene(server, first, second, other, accounts, str(start["table"]))
        for bot in bots:
            await bot.leave()


async def test_garbage(scene: Scene) -> None:
    await scene.other.listen(TOPICS.bot("mallory", Direction.IN))
    for number, payload in enumerate(GARBAGE):
        await scene.other.publish(OUT, payload)
        await scene.other.say("mallory", f"good{number}", 1, "ping", "quit")
        while "pong" not in await scene.other.lines():
            pass
    await scene.unharmed()


async def test_a_message_that_is_far_too_long_does_not_come_here(scene: Scene) -> None:
    async with stranger(scene.server) as giant:
        with suppress(aiomqtt.MqttError):  # the broker may hang up on it
            await giant.client.publish(OUT, b"word 1\n" + b"x" * 2_000_000, qos=1, timeout=1)
    await scene.other.listen(TOPICS.bot("mallory", Direction.IN))
    await scene.other.say("mallory", "word", 1, "ping")
    assert await scene.other.lines() == ["pong"]
    await scene.unharmed()


async def test_wrong_topics(scene: Scene) -> None:
    for topic in WRONG_TOPICS:
        for payload in (b"word 1\nping", b"word 0", b'{"online":1}', b"\xff"):
            await scene.other.publish(topic, payload)
    await scene.unharmed()
    assert scene.server.sessions == 2


async def test_what_was_said_before_the_server_listened_is_not_heard(tmp_path: Path) -> None:
    async with Mosquitto(tmp_path) as mosquitto:
        async with aiomqtt.Client("127.0.0.1", mosquitto.port) as early:
            await early.publish(OUT, b"word 1\nping", qos=1, retain=True)
        async with Server(settings(mqtt=mosquitto.url)) as server:
            await on_broker(server)
            async with stranger(server) as other:
                await other.listen(TOPICS.bot("+", Direction.IN))
                await other.say("carl", "word", 1, "ping")
                assert str((await other.hear()).topic) == TOPICS.bot("carl", Direction.IN)
                assert server.sessions == 1


async def test_a_frame_twice_counts_once(scene: Scene) -> None:
    """As a broker may deliver it, and as clients repeat it that lost an acknowledgement."""
    other = scene.other
    await other.listen(TOPICS.bot("carl", Direction.IN))
    login = {"type": "login", "name": "carl", "token": scene.accounts.add("carl"), "slots": 8}
    frames = [json.dumps(login), json.dumps(SEEK | {"id": 1}), '{"type":"lobby","id":2}']
    for number, frame in enumerate(frames, 1):
        for _ in range(3):
            await other.say("carl", "word", number, frame)
        await other.say("carl", "word", 1, frames[0])
    kinds = []
    while not kinds or '"type":"ok","id":2' not in kinds[-1]:
        kinds += await other.lines()
    assert sum('"type":"welcome"' in line for line in kinds) == 1
    assert sum('"type":"offered"' in line for line in kinds) == 1
    assert sum('"type":"offer"' in line for line in kinds) == 1
    await scene.unharmed()


async def test_a_lost_frame_ends_the_connection(scene: Scene) -> None:
    """The bot learns of it, and comes back."""
    other = scene.other
    await other.listen(TOPICS.bot("carl", Direction.IN))
    await other.say("carl", "word", 1, "ping")
    await other.say("carl", "word", 3, "ping")
    lines: list[str] = []
    while len(lines) < 2:
        lines += await other.lines()
    assert lines == ["pong", "bye"]
    await until(lambda: scene.server.sessions == 2)
    await other.say("carl", "word", 4, "ping")
    message = await other.hear()
    assert message.payload == b"word 0\n"
    await other.say("carl", "again", 1, "ping")
    assert await other.lines() == ["pong"]
    await scene.unharmed()


async def test_a_name_cannot_be_stolen(scene: Scene) -> None:
    """Who writes on another's topics without its token gets nowhere, whatever it says."""
    other, login = scene.other, {"type": "login", "name": "ann", "token": "guessed"}
    await other.listen(TOPICS.bot("ann", Direction.IN))
    await other.say("ann", "thief", 1, json.dumps(login))
    play = {"type": "play", "table": scene.table, "turn": 0, "move": "c3"}
    await other.say("ann", "thief", 2, json.dumps(play))
    refused: list[str] = []
    while len(refused) < 2:
        refused += [json.loads(line)["code"] for line in await other.lines()]
    assert refused == ["unauthorized", "unauthorized"]
    await scene.unharmed()


async def test_a_flood_drowns_nobody_else(scene: Scene) -> None:
    other = scene.other
    await other.listen(TOPICS.bot("mallory", Direction.IN))
    for number in range(1, 1500):
        await other.client.publish(OUT, f"word {number}\nping", qos=0)
    while not any(line.startswith("bye") for line in await other.lines()):
        pass
    await until(lambda: scene.server.sessions == 2)
    await scene.unharmed()


async def test_frames_in_one_message_are_a_flood_too(scene: Scene) -> None:
    other = scene.other
    await other.listen(TOPICS.bot("mallory", Direction.IN))
    lines = "\n".join(["ping"] * 5000)
    for number in range(1, 40):
        await other.client.publish(OUT, f"word {number}\n{lines}", qos=0)
    while not any(line.startswith("bye") for line in await other.lines()):
        pass
    await until(lambda: scene.server.sessions == 2)
    await scene.unharmed()


async def test_connections_of_a_name_are_limited(scene: Scene) -> None:
    other = scene.other
    await other.listen(TOPICS.bot("mallory", Direction.IN))
    for connection in range(20):
        await other.say("mallory", f"word{connection}", 1, "ping")
    answers = [(await other.hear()).payload for _ in range(20)]
    assert sum(answer.endswith(b" 1\npong") for answer in answers) == 8
    assert sum(answer.endswith(b" 0\n") for answer in answers) == 12
    assert scene.server.sessions == 10
    await other.publish(TOPICS.bot("mallory", Direction.PRESENCE), '{"online":false}')
    for connection in range(8):
        presence = json.dumps({"online": False, "connection": f"word{connection}"})
        await other.publish(TOPICS.bot("mallory", Direction.PRESENCE), presence)
    await until(lambda: scene.server.sessions == 2)
    await scene.unharmed()


async def test_refusals_are_limited(scene: Scene) -> None:
    """Nobody is told endlessly that it is not known: it might be listening to itself."""
    other = scene.other
    await other.listen(TOPICS.bot("mallory", Direction.IN))
    for number in range(2, 1002):
        await other.client.publish(OUT, f"word {number}\n", qos=0)
    await other.say("carl", "word", 1, "ping")
    await other.listen(TOPICS.bot("carl", Direction.IN))
    await other.say("carl", "word", 2, "ping")
    refusals = 0
    while (message := await other.hear()).payload == b"word 0\n":
        refusals += 1
    assert str(message.topic) == TOPICS.bot("carl", Direction.IN)
    assert 100 <= refusals < 500
    await scene.unharmed()

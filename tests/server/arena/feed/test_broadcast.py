"""A tournament that is no server's on a broker."""

from __future__ import annotations

import asyncio
import io
from collections.abc import AsyncIterator
from pathlib import Path

import aiomqtt
import pytest
from rich.console import Console
from typer.testing import CliRunner

from plywire.protocol.messages.watching import GameState, Standings, Status, feed_adapter
from plywire.protocol.mqtt_frames import Direction, Frame, Topics
from plywire.server.arena.tournament.config import parse_config
from plywire.server.cli import app
from plywire.server.cli.tournament.held import read
from plywire.server.cli.tournament.run import Options, begin
from plywire.server.mqtt.broker import EmbeddedBroker

CUP = """
name = "Cup"
accuracy = false
concurrency = 2
[format]
system = "round-robin"
games = 4
[time]
tc = "60+1"
[[games]]
game = "tictactoe"
openings = "random"
[players]
Chance = "random"
Greed = "greedy"
"""
TOPICS = Topics("cup")


@pytest.fixture
async def broker() -> AsyncIterator[EmbeddedBroker]:
    async with EmbeddedBroker("127.0.0.1", 0, max_payload=2**18) as running:
        yield running


async def watch(client: aiomqtt.Client) -> tuple[list[Status], list[GameState], list[Standings]]:
    """What is heard until the one who publishes has left."""
    statuses, games, tables = list[Status](), list[GameState](), list[Standings]()
    async with asyncio.timeout(60):
        async for message in client.messages:
            event = feed_adapter().validate_json(message.payload)
            assert str(message.topic) == TOPICS.feed(event.topic)
            match event:
                case Status():
                    statuses.append(event)
                    if not event.online:
                        break
                case GameState():
                    games.append(event)
                case Standings():
                    tables.append(event)
    return statuses, games, tables


async def test_games_and_standings_are_published(broker: EmbeddedBroker, tmp_path: Path) -> None:
    where = await broker.url()
    url = f"mqtt://{where.host}:{where.port}/cup"
    journal = tmp_path / "cup.journal"
    async with aiomqtt.Client(where.host, where.port) as watcher:
        topics = (TOPICS.status, TOPICS.feed("games/+"), TOPICS.feed("tournaments/+/standings"))
        await watcher.subscribe([(topic, 1) for topic in topics])
        watching = asyncio.create_task(watch(watcher))
        await begin(journal, parse_config(CUP), Options(mqtt=url), Console(file=io.StringIO()))
        statuses, games, tables = await watching
    finished = (await read(journal)).games(500)
    records = {f"1.{game.number}": game async for games in finished for game, _ in games}
    # Of two changes at nearly the same time, only the later is told.
    assert {status.games for status in statuses} <= {0, 1, 2}
    for event in games:
        record = records[event.table]
        assert event.tournament == "1"
        assert event.moves == record.moves[: len(event.moves)]
    ended = {event.table: event for event in games if event.is_final}
    assert {table: event.times for table, event in ended.items()} == {
        table: record.times for table, record in records.items()
    }
    last = tables[-1]
    assert (last.name, last.played, last.games) == ("Cup", 4, 4)
    assert last.outcome == "all games are played"
    assert sum(row.points for row in last.rows) == 4
    async with aiomqtt.Client(where.host, where.port) as late:
        await late.subscribe([(topic, 1) for topic in topics])
        kept = {}
        async with asyncio.timeout(30):
            while len(kept) < 6:
                message = await anext(late.messages)
                assert message.retain
                kept[str(message.topic)] = feed_adapter().validate_json(message.payload)
        assert kept[TOPICS.feed("tournaments/1/standings")] == last
        assert {kept[TOPICS.feed(f"games/{table}")] for table in records} == set(ended.values())


async def test_bots_are_turned_away(broker: EmbeddedBroker, tmp_path: Path) -> None:
    where = await broker.url()
    options = Options(mqtt=f"mqtt://{where.host}:{where.port}/cup")
    async with aiomqtt.Client(where.host, where.port) as bot, options.published():
        await bot.subscribe(TOPICS.bot("ann", Direction.IN), qos=1)
        said = bytes(Frame("word", 1, b"ping"))
        async with asyncio.timeout(30):
            await bot.publish(TOPICS.bot("ann", Direction.OUT), said, qos=1)
            heard = Frame.parse((await anext(bot.messages)).payload)
        assert heard is not None
        assert heard.data.splitlines()[0].startswith(b"error unavailable only a tournament")


@pytest.mark.parametrize(
    ("url", "message"),
    [
        ("nats://x", "not a broker's URL"),
        ("mqtt://x/cup/ann", "must name no bot"),
    ],
)
def test_what_is_no_broker_is_said(url: str, message: str, tmp_path: Path) -> None:
    toml = tmp_path / "cup.toml"
    toml.write_text(CUP)
    result = CliRunner().invoke(app, ["tournament", "run", str(toml), "--mqtt", url])
    assert result.exit_code == 2
    assert message in " ".join(result.output.replace("│", " ").split())
    assert not toml.with_suffix(".journal").exists()

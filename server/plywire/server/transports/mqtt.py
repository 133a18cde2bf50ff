"""Clients that connect by an MQTT broker, in frames of `plywire.protocol.mqtt_frames`."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from functools import partial

import aiomqtt

from plywire.clients.connecting.background_tasks import BackgroundTasks, log_error
from plywire.clients.connecting.transports.mqtt_client import BrokerClient
from plywire.protocol.framing import MAX_LINE
from plywire.protocol.mqtt_frames import Direction, Frame, Topics, pack, parse_presence
from plywire.protocol.mqtt_frames import Sequence as FrameSequence
from plywire.server.clock import ServerClock
from plywire.server.rate_limit import TokenBucket

log = logging.getLogger(__name__)

#: Bytes of frames that may wait while earlier commands of the client run.
_MOST_WAITING = 8 * MAX_LINE
#: Bytes that a frame counts in addition to its data.
_FRAME = 256
#: The most connections of one bot at a time.
_MOST_OF_A_NAME = 8
#: Limit of answers to frames of unknown connections: a second, and at once.
_REFUSALS = (20.0, 100)


class MqttTransport:
    """The connection of one client."""

    def __init__(self, name: str, word: str, publish: Callable[[Frame], Awaitable[None]]) -> None:
        """Serve the connection `word` of a bot; `publish` sends a frame or raises OSError."""
        self.host: str | None = None
        self.round_trip: float | None = None
        self.peer = f"mqtt:{name}:{word[:8]}"
        self._word = word
        self._publish = publish
        self._sent = 0
        self._frames = FrameSequence()
        self._waiting: asyncio.Queue[bytes] = asyncio.Queue()
        self._weight = 0
        self._is_over = False

    def take(self, frame: Frame) -> None:
        """Take a frame; end the connection if an earlier one was lost, or if too many wait."""
        match self._frames.judge(frame.number):
            case "next" if self._weight + len(frame.data) < _MOST_WAITING:
                self._weight += len(frame.data) + _FRAME
                self._waiting.put_nowait(frame.data + b"\n")
            case "next" | "gap":
                self.hang_up()

    def hang_up(self) -> None:
        """End the connection after the frames that have arrived."""
        if not self._is_over:
            self._is_over = True
            self._waiting.put_nowait(b"")

    async def receive(self) -> bytes:
        """Return the lines of the next frame, empty at the end."""
        data = await self._waiting.get()
        self._weight -= len(data) - 1 + _FRAME
        return data

    async def send(self, lines: Sequence[str]) -> None:
        frames = pack(self._word, self._sent + 1, lines)
        self._sent += len(frames)
        for frame in frames:
            await self._publish(frame)

    async def close(self) -> None:
        """Do nothing: only the two ends know the connection."""


class MqttPeers:
    """All clients of a broker, while the broker is connected."""

    def __init__(
        self,
        client: BrokerClient,
        topics: Topics,
        serve: Callable[[MqttTransport], Awaitable[None]],
        on_status: Callable[[bytes], None],
        clock: ServerClock,
    ) -> None:
        """Call `serve` for each new connection, which ends when `serve` returns.

        `on_status` gets each message about the arena's status. It raises MqttError to end `run`.
        """
        self._client = client
        self._topics = topics
        self._serve = serve
        self._on_status = on_status
        self._clock = clock
        self._peers: dict[tuple[str, str], MqttTransport] = {}
        self._tasks = BackgroundTasks(_log_error)
        self._refusals = TokenBucket(*_REFUSALS, clock.now())

    async def run(self) -> None:
        """Serve until the broker is lost; then raise MqttError."""
        bots = (self._topics.bot("+", what) for what in (Direction.OUT, Direction.PRESENCE))
        await self._client.subscribe([(topic, 1) for topic in (*bots, self._topics.status)])
        try:
            async for message in self._client.messages:
                if message.retain:
                    continue  # published before the server subscribed
                topic = str(message.topic)
                if topic == self._topics.status:
                    self._on_status(message.payload)
                elif (whose := self._topics.parse(topic)) is not None:
                    name, direction = whose
                    if direction is Direction.OUT:
                        self._on_frame(name, message.payload)
                    elif direction is Direction.PRESENCE:
                        self._on_presence(name, message.payload)
        finally:
            for peer in self._peers.values():
                peer.hang_up()

    def _on_frame(self, name: str, payload: bytes) -> None:
        """Handle a frame from a bot, or from somebody who uses its name."""
        frame = Frame.parse(payload)
        if frame is None:
            self._refuse(name, "?", "error syntax the first line is CONNECTION NUMBER")
            return
        key = name, frame.connection
        if key not in self._peers:
            if frame.number != 1 or self._connections(name) >= _MOST_OF_A_NAME:
                self._refuse(name, frame.connection)
                return
            self._peers[key] = MqttTransport(*key, partial(self._publish, name))
            self._tasks.spawn(self._serve_peer(key))
        self._peers[key].take(frame)

    def _on_presence(self, name: str, payload: bytes) -> None:
        presence = parse_presence(payload)
        if presence is not None and not presence.online:
            peer = self._peers.get((name, presence.connection))
            if peer is not None:
                peer.hang_up()

    def _connections(self, name: str) -> int:
        return sum(other == name for other, _ in self._peers)

    def _refuse(self, name: str, word: str, line: str = "") -> None:
        if self._refusals.take(self._clock.now()):
            self._tasks.spawn(self._publish(name, Frame(word, 0, line.encode())))

    async def _serve_peer(self, key: tuple[str, str]) -> None:
        try:
            await self._serve(self._peers[key])
        finally:
            del self._peers[key]

    async def _publish(self, name: str, frame: Frame) -> None:
        """Send a frame to a bot; raises OSError if the broker is lost."""
        try:
            await self._client.deliver(self._topics.bot(name, Direction.IN), bytes(frame))
        except aiomqtt.MqttError as error:
            raise ConnectionResetError(f"the broker was lost: {error}") from error


def _log_error(error: Exception) -> None:
    if isinstance(error, OSError):
        log.debug("failed", exc_info=error)
    else:
        log_error(error)

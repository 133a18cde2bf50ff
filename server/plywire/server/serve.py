"""The server: it listens, gives each client a session, and drains at the end."""

from __future__ import annotations

import asyncio
import logging
import re
import socket
from collections.abc import Callable, Sequence
from contextlib import AsyncExitStack, suppress
from datetime import UTC, datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Self, cast
from urllib.parse import unquote

from websockets.asyncio.server import Server as WebSocketServer
from websockets.asyncio.server import ServerConnection
from websockets.asyncio.server import serve as serve_websocket
from websockets.http11 import Request, Response

from plywire.clients.connecting.background_tasks import BackgroundTasks
from plywire.clients.connecting.transports.base import ClientTransport
from plywire.clients.connecting.transports.mqtt_url import MqttUrl
from plywire.clients.connecting.transports.stream import StreamTransport
from plywire.engine import registry
from plywire.engine.game import Game, RulesError
from plywire.protocol.messages.base import ErrorCode
from plywire.protocol.messages.watching import GameState, Status

from .arena.feed.feed import Feed
from .clock import MonotonicClock, ServerClock
from .errors import RefusedError
from .freed_memory import FreedMemory
from .mqtt.broker import Broker, EmbeddedBroker, RemoteBroker
from .rate_limit import TokenBucket
from .searching.cluster import Cluster
from .searching.search_pool import SearchPool
from .searching.warmer import seconds_left
from .sessions.peer_loop import PeerLoop, Transport
from .sessions.quota import SessionQuota, network_of
from .sessions.session import Session
from .sessions.turn_away import turn_away
from .settings import EMBEDDED, Settings
from .transports import descriptors
from .transports.addresses import listening_by
from .transports.cards import Card, game_card, game_picture, place_card
from .transports.http import Http, load
from .transports.tcp import TcpTransport
from .transports.tls import server_context
from .transports.websocket import WebSocketTransport
from .transports.websocket_connection import GuardedConnection, Handshakes

if TYPE_CHECKING:
    from .arena.anchor import Anchor
    from .arena.matchmaking.lobby import Lobby
    from .mqtt.broker_connection import BrokerConnection

log = logging.getLogger(__name__)

#: Maximum length of a WebSocket message, as a multiple of the maximum length of a line.
_MESSAGE_LINES = 4
#: When this number of WebSocket messages wait for a busy session, the server stops reading.
_WAITING = 4
#: Maximum number of connections without a session, such as requests for the page and its files.
_HANDSHAKES = 256
#: Maximum time of such a request, or of an opening handshake of TLS, in seconds.
_OPEN_WITHIN = 10.0
#: Maximum time of the answer, in seconds. The weights of the engine in the page have 0.6 MB.
_ANSWER_WITHIN = 120.0
#: Maximum number of games that are read from the journal for links: each second, and in a burst.
_LOOKUPS = (20, 50)
#: Maximum number of log lines about clients that are turned away: each second, and in a burst.
_COMPLAINTS = (0.1, 10)

_GAME = re.compile(r"/game/([^/]+?)(\.png)?")


class Server:
    """Serves clients with one pool of search threads; drains when its context ends."""

    def __init__(self, settings: Settings, clock: ServerClock | None = None) -> None:
        """Raises RulesError if the game in the settings is unknown."""
        registry.load(settings.game)
        self._settings = settings
        self._clock = clock or MonotonicClock()
        self._http = Http(
            load(),
            settings.host,
            settings.origins,
            self._health,
            self._readiness,
            is_tls=settings.tls_cert is not None,
        )
        self._peers: dict[PeerLoop, asyncio.Task[None]] = {}
        self._freed_memory = FreedMemory()
        connections = descriptors.connections() or settings.max_sessions + _HANDSHAKES
        handshakes = min(_HANDSHAKES, connections // 2)
        most = min(settings.max_sessions, connections - handshakes)
        if most < settings.max_sessions:
            log.warning("fewer-sessions max=%d reason=open-files", most)
        self._handshakes = Handshakes(handshakes)
        self._quota = SessionQuota(
            most=most,
            reserved=settings.reserved_sessions if settings.arena is not None else 0,
            each=settings.max_sessions_per_address,
        )
        self._complaints = TokenBucket(*_COMPLAINTS, self._clock.now())
        self._lookups = TokenBucket(*_LOOKUPS, self._clock.now())
        self._is_draining = False
        self._stack = AsyncExitStack()
        self._pool: SearchPool
        self._arena: Lobby | None = None
        self._anchor: Anchor | None = None
        self._inside = BackgroundTasks()
        self.feed = Feed()
        self._tcp: asyncio.Server
        self._websocket: WebSocketServer
        self.broker: Broker | None = None
        self.mqtt: BrokerConnection | None = None

    @property
    def tcp_address(self) -> tuple[str, int]:
        """Host and port of the line protocols."""
        return self._tcp.sockets[0].getsockname()[:2]  # type: ignore[no-any-return]

    @property
    def websocket_address(self) -> tuple[str, int]:
        """Host and port of WebSocket and HTTP."""
        return self._websocket.sockets[0].getsockname()[:2]  # type: ignore[no-any-return]

    @property
    def sessions(self) -> int:
        return len(self._peers)

    @property
    def searches(self) -> int:
        return self._pool.searches

    async def __aenter__(self) -> Self:
        """Open the arena, the ports and the connection to the broker.

        Raises OSError if an address is taken, StoreError if a file of the arena cannot be used or
        the ladder's anchor has the name of a bot, ValueError if the settings name a cluster and
        Dask is not installed.
        """
        settings = self._settings
        cluster = Cluster(settings.cluster) if settings.cluster is not None else None
        self._pool = SearchPool(settings.threads, longest=settings.max_think_time, cluster=cluster)
        games = [registry.load(name) for name in registry.names()] if settings.warmup else []
        await self._pool.warmer.load_kept(games)
        async with AsyncExitStack() as stack:
            if cluster is not None:
                await stack.enter_async_context(cluster)
            stack.push_async_callback(self._pool.close)
            await self._open_arena(stack)
            await self._listen(stack)
            await self._let_anchor_in(stack, games)
            if settings.mqtt is not None:
                await self._join_broker(settings.mqtt, stack)
            self._stack = stack.pop_all()
        for game in games:
            self._pool.warmer.request(game)
        return self

    async def __aexit__(self, *_: object) -> None:
        """Refuse new clients, let running searches answer at once, and say goodbye."""
        self._is_draining = True
        await self._inside.close()
        if self._arena is not None:
            await self._arena.close()
        self.feed.close()
        self._tcp.close()
        self._websocket.close(close_connections=False)
        for peer in self._peers:
            peer.end("the server is shutting down")
        await asyncio.gather(*self._peers.values(), return_exceptions=True)
        await self._stack.aclose()

    async def _open_arena(self, stack: AsyncExitStack) -> None:
        settings = self._settings
        if settings.arena is None:
            return
        from .arena.open_arena import open_arena  # loads NumPy, which is slow

        arena = open_arena(
            *(settings.arena, settings, self._clock, self.feed),
            anchor_can_play=lambda game: not self._anchor or self._anchor.can_play(game),
        )
        self._arena = await stack.enter_async_context(arena)

    async def _listen(self, stack: AsyncExitStack) -> None:
        settings, host = self._settings, self._settings.host
        tls: dict[str, Any] = {}
        if settings.tls_cert is not None:
            tls["ssl"] = server_context(settings.tls_cert, settings.tls_key)
            tls["ssl_handshake_timeout"] = _OPEN_WITHIN
        with listening_by("--port", host, settings.port):
            self._tcp = await asyncio.start_server(self._serve_stream, host, settings.port, **tls)
        stack.callback(self._tcp.close)
        with listening_by("--websocket-port", host, settings.websocket_port):
            self._websocket = await serve_websocket(
                self._serve_websocket,
                host,
                settings.websocket_port,
                process_request=self._process_request,
                compression=None,
                max_size=_MESSAGE_LINES * settings.max_line,
                server_header=None,
                open_timeout=_ANSWER_WITHIN,
                close_timeout=_ANSWER_WITHIN,
                max_queue=_WAITING,
                create_connection=partial(  # type: ignore[arg-type]  # is only called
                    GuardedConnection,
                    settings=settings,
                    handshakes=self._handshakes,
                    request_within=_OPEN_WITHIN,
                ),
                **tls,
            )
        stack.callback(self._websocket.close)

    async def _let_anchor_in(self, stack: AsyncExitStack, games: Sequence[Game]) -> None:
        settings = self._settings
        if not (settings.arena and settings.ladder and settings.ladder.anchor):
            return
        from .arena.anchor import Anchor  # loads all clients, which is slow

        self._anchor = Anchor(settings.ladder, self._pool.warmer)
        bot = await self._anchor.bot(settings.arena, self._connect_inside)
        stack.push_async_callback(self._inside.close)
        self._inside.spawn(self._anchor.play(bot, games))

    async def _serve_stream(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter
    ) -> None:
        await self._serve(TcpTransport(reader, writer))

    async def _connect_inside(self) -> ClientTransport:
        """Connect a client inside this process, by a pair of sockets."""
        here, there = socket.socketpair()
        self._inside.spawn(self._serve_stream(*await asyncio.open_connection(sock=there)))
        return StreamTransport(*await asyncio.open_connection(sock=here))

    async def _serve_websocket(self, connection: ServerConnection) -> None:
        guarded = cast(GuardedConnection, connection)  # `create_connection` made it
        await self._serve(WebSocketTransport(guarded), partial(self._handshakes.ended, guarded))

    async def _join_broker(self, broker: str, stack: AsyncExitStack) -> None:
        """Serve clients also by a broker: the embedded one, or the one at a URL."""
        from .mqtt.broker_connection import BrokerConnection  # slow to load

        # If a line is too long, the server answers with an error. The broker drops messages only if
        # they are much longer.
        longest = _MESSAGE_LINES * self._settings.max_line
        if broker == EMBEDDED:
            host, port = self._settings.host, self._settings.mqtt_port
            self.broker = EmbeddedBroker(host, port, max_payload=longest)
            with listening_by("--mqtt-port", host, port):
                await stack.enter_async_context(self.broker)
        else:
            self.broker = RemoteBroker(MqttUrl.parse(broker))
        if self._arena is None:
            self.feed.publish(Status(online=True, updated=datetime.now(UTC)))
        self.mqtt = BrokerConnection(
            self.broker, self._serve, self.feed, self._clock, max_payload=longest
        )
        await stack.enter_async_context(self.mqtt)

    async def _serve(
        self, transport: Transport, on_session: Callable[[], None] = lambda: None
    ) -> None:
        """Give a client a session and serve it to its end, or turn it away."""
        if self._is_draining:
            await turn_away(transport, ErrorCode.DRAINING, "the server is shutting down")
            return
        try:
            may_stay = self._quota.admit(network_of(transport.host))
        except RefusedError as error:
            if self._complaints.take(self._clock.now()):
                log.warning("turned-away client=%s sessions=%d", transport.peer, len(self._peers))
            await turn_away(transport, error.code, str(error))
            return
        on_session()
        session = Session(self._settings, self._pool, arena=self._arena)
        peer = PeerLoop(transport, session, self._settings, self._clock, must_log_in=not may_stay)
        if (task := asyncio.current_task()) is None:
            raise RuntimeError("a client is served in a task")
        self._peers[peer] = task
        self._quota.enter(peer)
        log.debug("connected client=%s sessions=%d", transport.peer, len(self._peers))
        try:
            await peer.run()
        finally:
            del self._peers[peer]
            self._quota.leave(peer)
            self._freed_memory.left(len(self._peers))
            log.debug("left client=%s sessions=%d", peer.peer, len(self._peers))

    async def _process_request(
        self, connection: ServerConnection, request: Request
    ) -> Response | None:
        """Answer an HTTP request; return None to continue a WebSocket handshake."""
        card: Card | None = None
        picture: bytes | None = None
        if found := _GAME.fullmatch(request.path.partition("?")[0]):
            state = await self._game(unquote(found[1]))
            if state is not None and found[2]:
                with suppress(RulesError):
                    picture = await asyncio.to_thread(game_picture, state)
            elif state is not None:
                card = game_card(state)
        elif request.path.startswith(("/tournament/", "/invite/")):
            card = place_card(request.path, self.feed.latest)
        return self._http.answer(request, connection.local_address[0], card, picture)

    async def _game(self, table: str) -> GameState | None:
        """Return the game of a link; None if there is none, or if too many are requested."""
        if self._arena is None or not self._lookups.take(self._clock.now()):
            return None
        from .arena.feed.recall import recall_game
        from .arena.store.journal import JournalError

        try:
            return await recall_game(self._arena.journal, self._arena.feed, table)
        except (RefusedError, JournalError):
            return None

    def _health(self) -> dict[str, object]:
        return {
            "status": "draining" if self._is_draining else "ok",
            "sessions": self.sessions,
            "searches": self.searches,
        }

    def _readiness(self) -> tuple[bool, dict[str, object]]:
        """Return whether the server can serve new clients and search its game, and details."""
        warmer, usual = self._pool.warmer, registry.load(self._settings.game)
        ready = {name: warmer.is_ready(registry.load(name)) for name in registry.names()}
        is_ready = warmer.is_ready(usual) and not self._is_draining
        status = "draining" if self._is_draining else "ready" if is_ready else "preparing"
        progress = None if ready[usual.name] else warmer.progress(usual)
        return is_ready, {
            "status": status,
            "game": usual.name,
            "ready": ready,
            "seconds_left": seconds_left(progress),
        }

"""Bots that are logged in.

A bot outlives its connections, until its grace time and its games are over.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable

from plywire.protocol.messages import arena
from plywire.protocol.messages.base import ErrorCode, Event
from plywire.server.arena.peer import Peer
from plywire.server.clock import ServerClock
from plywire.server.errors import RefusedError
from plywire.server.rate_limit import TokenBucket

from .lag_meter import LagMeter

#: Maximum number of offers that a bot may make: each second, and in a burst. The second number is
#: also the maximum number of its open offers.
_OFFERS = (2.0, arena.MAX_SLOTS)


class RemoteBot:
    """A bot that has logged in."""

    def __init__(
        self, name: str, clock: ServerClock, grace: float, gone: Callable[[RemoteBot], None]
    ) -> None:
        """Create a bot without a connection; `gone` is called after `grace` seconds without one."""
        self.name = name
        self.clock = clock
        self.games: tuple[str, ...] = ()
        """The games that the bot plays; empty for all."""
        self.slots = 1
        self.session = ""
        """The token that resumes the session."""
        self.is_guest = False
        self.owner = ""
        self.digest = b""
        self.tables: dict[str, Callable[[], None]] = {}
        """For each game of the bot, by id: a function that sends the state of the game again."""
        self.is_overdue = False
        """Whether the bot has been away for longer than the grace time."""
        self.dismissed = ""
        """Why the bot may not come back; empty if it may."""
        self.last_address: str | None = None
        self._grace = grace
        self._gone = gone
        self._peer: Peer | None = None
        self._missed: list[arena.Over] = []
        self._leaving: asyncio.Task[None] | None = None
        self._left_at = 0.0
        self.meter = LagMeter(clock)
        self._offers = TokenBucket(*_OFFERS, clock.now())

    @property
    def is_here(self) -> bool:
        return self._peer is not None

    @property
    def is_expected(self) -> bool:
        """Whether the bot has games from before a restart, and has not logged in since."""
        return not self.session

    @property
    def away(self) -> int | None:
        """The ms that the bot may still be away; None while it is connected."""
        if self.is_here:
            return None
        return max(0, round((self._left_at + self._grace - self.clock.now()) * 1000))

    @property
    def address(self) -> str | None:
        """The network of the connection; None if local, through a broker, or while away."""
        return None if self._peer is None else self._peer.network

    @property
    def lag(self) -> int:
        """The round-trip time to the bot in ms."""
        return self.meter.lag(None if self._peer is None else self._peer.round_trip)

    def plays(self, game: str) -> bool:
        return not self.games or game in self.games

    def begin_session(self, digest: bytes, games: tuple[str, ...], slots: int) -> None:
        """Store the login and make a new session token, which replaces the old token."""
        self.digest, self.games, self.slots = digest, games, slots
        self.session = secrets.token_urlsafe(24)

    def arrive(self, peer: Peer) -> None:
        """Go on over this connection; close the earlier connection, if there is one."""
        self._stop_leaving()
        self.is_overdue = False
        old, self._peer = self._peer, peer
        self.last_address = peer.network
        if old is not None:
            old.notify(arena.Replaced())
            old.end(f"another connection has logged in as {self.name}")
        self.meter.restart()
        self.probe()
        for over in self._missed:
            self.notify(over)
        self._missed.clear()
        for send_state in self.tables.values():
            send_state()

    def depart(self, peer: Peer) -> bool:
        """Handle a lost connection; return whether it was the bot's present connection."""
        if self._peer is not peer:
            return False
        self._peer = None
        self.expect()
        return True

    def expect(self) -> None:
        self._left_at = self.clock.now()
        self._leaving = asyncio.create_task(self._leave())

    def dismiss(self, reason: str) -> None:
        """Close the connection for good: the bot may not come back."""
        self._stop_leaving()
        self.is_overdue = True
        self.dismissed = reason
        self.session = secrets.token_urlsafe(24)  # Nobody ever gets this new token.
        peer, self._peer = self._peer, None
        if peer is not None:
            peer.end(reason)

    def is_on(self, peer: Peer) -> bool:
        return self._peer is peer

    def notify(self, event: Event) -> None:
        if self._peer is not None:
            self._peer.notify(event)

    def check_offers(self) -> None:
        """Count an offer of the bot; raises RefusedError if the bot makes too many."""
        if not self._offers.take(self.clock.now()):
            message = f"too many offers: {_OFFERS[0]:g} a second are accepted"
            raise RefusedError(ErrorCode.TOO_MANY, message)

    def pass_on(self, event: Event) -> None:
        """Send a notice that another bot caused; drop it if this bot is away or gets too many."""
        if self._peer is not None:
            self._peer.pass_on(event)

    def notify_end(self, over: arena.Over) -> None:
        """Send how a game ended, now or when the bot comes back."""
        if self._peer is None:
            self._missed.append(over)
        self.notify(over)

    def probe(self, *, if_stale: bool = False) -> None:
        """Measure the lag; with `if_stale`, only if the latest measurement is old."""
        if self._peer is None or (if_stale and self.meter.is_fresh):
            return
        if (number := self.meter.probe()) is not None:
            self.notify(arena.Probe(number=number))

    def echo(self, number: int) -> None:
        self.meter.echo(number)

    async def close(self) -> None:
        leaving = self._leaving
        self._stop_leaving()
        if leaving is not None:
            await asyncio.gather(leaving, return_exceptions=True)

    def _stop_leaving(self) -> None:
        if self._leaving is not None:
            self._leaving.cancel()
            self._leaving = None

    async def _leave(self) -> None:
        await self.clock.sleep(self._grace)
        self._leaving = None
        self.is_overdue = True
        self._gone(self)

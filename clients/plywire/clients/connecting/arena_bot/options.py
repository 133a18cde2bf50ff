"""Options of a bot in an arena."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from plywire.clients.connecting.client import Backoff
from plywire.clients.connecting.transports.base import ClientTransport
from plywire.protocol.messages import arena


@dataclass(frozen=True, slots=True)
class BotOptions:
    """What a bot offers and accepts, and how it connects; the defaults suit most bots."""

    offers: Sequence[arena.Seek | arena.Challenge] = ()
    """Seeks and challenges, made in turn and repeatedly while the bot has free slots."""
    join: str | None = None
    """Tournament to join; the bot leaves when the tournament is over."""
    games: tuple[str, ...] = ()
    """Names of the games that the bot plays; empty is all."""
    slots: int = 1
    """Most games at the same time."""
    objection: Callable[[arena.Challenged], str] = lambda challenge: ""
    """Return why the bot declines a challenge; an empty text accepts it."""
    greeting: str = ""
    """Text that the bot says to each opponent when a game begins."""
    rated: bool = False
    """Whether to accept challenges to rated games."""
    on_over: Callable[[arena.Over], None] = lambda over: None
    """Called at the end of each game."""
    backoff: Backoff = field(default_factory=lambda: Backoff(attempts=100))
    timeout: float = 10.0
    """Seconds to wait for a connection, for the answer to a login and for signs of life."""
    connect: Callable[[], Awaitable[ClientTransport]] | None = None
    """Open a transport to the server; None connects to the bot's URL."""

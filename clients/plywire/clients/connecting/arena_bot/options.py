"""How a bot plays in an arena."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from plywire.clients.connecting.client import Backoff
from plywire.clients.connecting.transports.base import ClientTransport
from plywire.protocol.messages import arena


@dataclass(frozen=True, slots=True)
class BotOptions:
    """What a bot offers and accepts, and how it connects; the defaults do for most bots."""

    offers: Sequence[arena.Seek | arena.Challenge] = ()
    """Made one after the other, over and over, while the bot has free slots."""
    join: str | None = None
    """Tournament to join; the bot leaves when the tournament is over."""
    games: tuple[str, ...] = ()
    """Names of the games that the bot plays; empty is all."""
    slots: int = 1
    """Most games at the same time."""
    objection: Callable[[arena.Challenged], str] = lambda challenge: ""
    """Returns why the bot declines a challenge, or an empty text to accept it."""
    greeting: str = ""
    """Said to each opponent when a game begins."""
    rated: bool = False
    """Whether to accept challenges to rated games."""
    on_over: Callable[[arena.Over], None] = lambda over: None
    """Called at the end of each game."""
    backoff: Backoff = field(default_factory=lambda: Backoff(attempts=100))
    timeout: float = 10.0
    """Seconds to wait for a connection, for the answer to a login and for signs of life."""
    connect: Callable[[], Awaitable[ClientTransport]] | None = None
    """Opens a transport to the server in place of its URL."""

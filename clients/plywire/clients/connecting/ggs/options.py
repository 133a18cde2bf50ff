"""Options of a bot on GGS."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field

from plywire.clients.connecting.client import Backoff
from plywire.clients.connecting.transports.base import ClientTransport

from . import messages
from .ask import Ask
from .game import GameOver

#: Seconds without a line from the server after which the bot asks for one.
SILENCE = 60.0


@dataclass(frozen=True, slots=True)
class GgsOptions:
    """What a bot asks for and accepts, and how it connects."""

    asks: Sequence[Ask] = ()
    """Matches to ask for, in turn and repeatedly, while there are free slots."""
    slots: int = 1
    rated: bool = False
    """Whether the bot asks for rated matches."""
    objection: Callable[[messages.Request], str] = lambda request: request.type.objection
    """Return why the bot declines a request; an empty text accepts it."""
    reply: str = ""
    """Text sent once to each person who writes to the bot."""
    on_over: Callable[[GameOver], None] = lambda over: None
    on_line: Callable[[str, str], None] = lambda mark, line: None
    """Called with `<` or `>` and each line received or sent; the password is masked."""
    backoff: Backoff = field(
        default_factory=lambda: Backoff(attempts=100, first=1.0, longest=SILENCE)
    )
    timeout: float = 20.0
    """Seconds to wait for a connection, for the login and for signs of life."""
    silence: float = SILENCE
    """Seconds without a line after which the bot asks for a sign of life."""
    connect: Callable[[], Awaitable[ClientTransport]] | None = None
    """Open a transport to the server; None connects to host and port."""

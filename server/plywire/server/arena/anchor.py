"""The anchor of the ladder: a bot of the server's own, which plays who is left over."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from pathlib import Path

from plywire.clients.connecting.arena_bot import ArenaBot
from plywire.clients.connecting.client import Backoff
from plywire.clients.connecting.errors import ClientError
from plywire.clients.connecting.players.specs import parse_player
from plywire.clients.connecting.transports.base import ClientTransport
from plywire.clients.play.errors import PlayerError
from plywire.clients.play.players.local import EnginePlayer
from plywire.server.settings import LadderSettings

from .store.accounts import accounts_of

log = logging.getLogger(__name__)

#: No bot's owner is called that.
_OWNER = "(the ladder)"


def is_engine(settings: LadderSettings) -> bool:
    """Whether the anchor is the engine in this process."""
    return isinstance(parse_player(settings.anchor)(), EnginePlayer)


async def make_anchor(
    folder: Path, settings: LadderSettings, connect: Callable[[], Awaitable[ClientTransport]]
) -> ArenaBot:
    """The anchor of the arena in a folder, which reaches the server by `connect`.

    Raises AccountError if its name is another bot's.
    """
    name = settings.anchor_name
    token = await asyncio.to_thread(accounts_of(folder).add, name, _OWNER, again=True)
    return ArenaBot(
        "tcp://localhost",
        name,
        token,
        parse_player(settings.anchor, name),
        slots=settings.anchor_games,
        objection=lambda challenge: "it plays on the ladder alone",
        backoff=Backoff(attempts=1_000_000),
        connect=connect,
    )


async def play(anchor: ArenaBot) -> None:
    """Play until cancelled; the ladder goes on without an anchor that cannot."""
    try:
        await anchor.run()
    except (ClientError, PlayerError) as error:
        log.error("no anchor error=%s", error)

"""The anchor of the ladder: a bot of the server, which plays the bot that has no opponent."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

from plywire.clients.connecting.arena_bot import ArenaBot, BotOptions
from plywire.clients.connecting.client import Backoff
from plywire.clients.connecting.errors import ClientError
from plywire.clients.connecting.players.specs import parse_player
from plywire.clients.connecting.transports.base import ClientTransport
from plywire.clients.play.errors import PlayerError
from plywire.clients.play.players.local import EnginePlayer
from plywire.engine.game import Game
from plywire.server.searching.warmer import Warmer
from plywire.server.settings import LadderSettings

from .store.accounts import accounts_of

log = logging.getLogger(__name__)

#: The owner of the anchor's account. No other bot can have an owner with this name.
_OWNER = "(the ladder)"


class Anchor:
    """The anchor bot of the ladder."""

    def __init__(self, settings: LadderSettings, warmer: Warmer) -> None:
        self._settings = settings
        self._warmer = warmer
        self._is_engine = isinstance(parse_player(settings.anchor)(), EnginePlayer)

    def can_play(self, game: Game) -> bool:
        if not self._is_engine or self._warmer.is_ready(game):
            return True
        self._warmer.request(game)
        return False

    async def bot(
        self, folder: Path, connect: Callable[[], Awaitable[ClientTransport]]
    ) -> ArenaBot:
        """Return the anchor's bot, which connects by `connect`; `folder` keeps its account.

        Raises AccountError if another bot has the name.
        """
        name = self._settings.anchor_name
        token = await asyncio.to_thread(accounts_of(folder).add, name, _OWNER, again=True)
        return ArenaBot(
            "tcp://localhost",
            name,
            token,
            parse_player(self._settings.anchor, name),
            BotOptions(
                slots=self._settings.anchor_games,
                objection=lambda challenge: "it plays on the ladder alone",
                backoff=Backoff(attempts=1_000_000),
                connect=connect,
            ),
        )

    async def play(self, bot: ArenaBot, games: Sequence[Game]) -> None:
        """Play until cancelled; if the player is the engine, first wait until the games are ready.

        Games from before a restart go on at once. If the bot fails, the ladder has no anchor.
        """
        if self._is_engine and games:
            await asyncio.wait([self._warmer.request(game) for game in games])
        try:
            await bot.run()
        except (ClientError, PlayerError) as error:
            log.error("no anchor error=%s", error)

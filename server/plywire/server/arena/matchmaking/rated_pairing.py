"""Pairs rated seeks at regular times, by the rules of the ladder."""

import logging
from collections.abc import Callable

from plywire.engine.game import Game
from plywire.protocol.messages.limits import Limits
from plywire.server.arena.live.presence import Presence
from plywire.server.arena.store.journal import JournalError

from .arranged_games import ArrangedGames
from .ladder import Ladder
from .offers import Offers

log = logging.getLogger(__name__)


class RatedPairing:
    """Pairs rated seeks; a bot that remains without opponent twice plays the anchor."""

    def __init__(
        self,
        presence: Presence,
        offers: Offers,
        arranged: ArrangedGames,
        ladder: Ladder,
        *,
        anchor_can_play: Callable[[Game], bool],
    ) -> None:
        """Pair by the rules of `ladder`; while `anchor_can_play` refuses a game, bots wait."""
        self._presence = presence
        self._offers = offers
        self._arranged = arranged
        self._ladder = ladder
        self._anchor_can_play = anchor_can_play
        self._left_over: set[int] = set()

    async def run(self) -> None:
        while True:
            await self._presence.clock.sleep(self._ladder.settings.every)
            left_over = set[int]()
            for game, limits in self._offers.rated:
                try:
                    left_over |= await self._pair(game, limits)
                except JournalError as error:
                    log.error("ladder game=%s error=%s", game.name, error)
            self._left_over = left_over

    async def _pair(self, game: Game, limits: Limits) -> set[int]:
        """Pair the seeks with this game and limits; return the numbers of the unpaired offers."""
        series = await self._arranged.series(limits, rated=True)
        glickos = await self._ladder.ratings(game)
        for one, other in self._ladder.pairs(self._offers.rated_seeks(game, limits), glickos):
            if not self._ladder.obstacle(one.bot, other.bot, glickos):
                self._offers.take(one)
                self._offers.take(other)
                self._arranged.begin(series, one, other.bot, other.number)
        anchor = self._presence.present(self._ladder.settings.anchor_name)
        for seek in self._offers.rated_seeks(game, limits):
            if (
                anchor is not None
                and seek.number in self._left_over
                and self._presence.taken(anchor) < anchor.slots
                and not self._ladder.obstacle(seek.bot, anchor, glickos)
                and self._anchor_can_play(game)
            ):
                self._offers.take(seek)
                self._arranged.begin(series, seek, anchor, None)
        return {seek.number for seek in self._offers.rated_seeks(game, limits)}

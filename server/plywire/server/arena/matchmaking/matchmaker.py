"""Seeks and challenges of bots, and the games that follow."""

from collections.abc import Mapping, Sequence

from plywire.clients.play.ratings.glicko2 import Glicko
from plywire.engine.game import Game
from plywire.protocol.messages.base import ErrorCode
from plywire.protocol.messages.limits import Limits
from plywire.server.arena.live.presence import Presence
from plywire.server.arena.live.remote_bot import RemoteBot
from plywire.server.errors import RefusedError

from .arranged_games import ArrangedGames, TimeControlSeries
from .guests import check_guest
from .ladder import Ladder
from .offers import GameOffer, Offers


class Matchmaker:
    """Takes the offers of bots, and begins a game when two bots agree."""

    def __init__(
        self,
        presence: Presence,
        offers: Offers,
        arranged: ArrangedGames,
        ladder: Ladder,
        *,
        has_ladder: bool,
    ) -> None:
        """Start without offers; rated seeks are refused unless `has_ladder`."""
        self._presence = presence
        self._offers = offers
        self._arranged = arranged
        self._ladder = ladder
        self._has_ladder = has_ladder

    @property
    def seeks(self) -> Sequence[GameOffer]:
        return self._offers.seeks

    async def seek(
        self,
        bot: RemoteBot,
        game: Game,
        limits: Limits,
        *,
        rated: bool = False,
        key: str | None = None,
    ) -> GameOffer:
        """Pair the bot with a bot that seeks the same, or keep its offer; raises RefusedError."""
        if bot.is_guest:
            bot.check_offers()
        rating = _rounded(await self._ladder.ratings(game), bot)
        self._check_terms(bot, game, limits)
        check_guest(bot, limits, rated=rated)
        if rated and key is not None:
            raise RefusedError(
                ErrorCode.BAD_VALUE, "a rated seek cannot have a key: leave out one of them"
            )
        if rated and not self._has_ladder:
            raise RefusedError(
                ErrorCode.UNAVAILABLE,
                "this server has no ladder: seek a game that is not rated,"
                " or challenge a bot to a rated game",
            )
        if not rated and self._offers.like(bot, game, limits, key) is not None:
            series = await self._arranged.series(limits, rated=False)
            if (match := self._offers.like(bot, game, limits, key)) is not None:
                self._agree(bot, match, series)
                return match
        return self._offers.add(bot, None, game, limits, rating, rated=rated, key=key)

    async def challenge(
        self, bot: RemoteBot, name: str, game: Game, limits: Limits, *, rated: bool = False
    ) -> GameOffer:
        """Offer a game to another bot; raises RefusedError."""
        bot.check_offers()
        glickos = await self._ladder.ratings(game)
        other = self._presence.present(name)
        if other is None or other is bot:
            raise RefusedError(
                ErrorCode.UNAVAILABLE, f"no other bot {name} is here: lobby lists the bots"
            )
        if not other.plays(game.name):
            raise RefusedError(ErrorCode.UNAVAILABLE, f"{name} does not play {game.name}")
        self._check_terms(bot, game, limits)
        for one in (bot, other):
            check_guest(one, limits, rated=rated)
        if rated:
            self._check_rated(bot, other, glickos)
        rating = _rounded(glickos, bot)
        return self._offers.add(bot, other, game, limits, rating, rated=rated)

    async def accept(self, bot: RemoteBot, number: int, *, rated: bool = False) -> None:
        """Accept an offer, and begin its game; raises RefusedError."""
        offer = self._offers.to(bot, number)
        if offer.rated and offer.to is None:
            raise RefusedError(
                ErrorCode.UNAVAILABLE,
                f"the ladder pairs offer {number}: seek a rated game, too",
            )
        if offer.rated != rated:
            raise RefusedError(
                ErrorCode.BAD_VALUE,
                f"offer {number} is rated: accept it as rated, or decline it"
                if offer.rated
                else f"offer {number} is not rated: accept it without rated, or decline it",
            )
        check_guest(bot, offer.limits, rated=rated)
        series = await self._arranged.series(offer.limits, rated=rated)
        glickos = await self._ladder.ratings(offer.game) if rated else {}
        offer = self._offers.to(bot, number)
        if rated:
            self._check_rated(bot, offer.bot, glickos)
        self._agree(bot, offer, series)

    def _agree(self, bot: RemoteBot, offer: GameOffer, series: TimeControlSeries) -> None:
        if not bot.plays(offer.game.name):
            raise RefusedError(
                ErrorCode.BAD_VALUE, f"you said that you do not play {offer.game.name}"
            )
        if self._presence.taken(bot) >= bot.slots:
            raise RefusedError(
                ErrorCode.BUSY, f"games take your {bot.slots} slots: wait for the end of one"
            )
        self._offers.take(offer)
        self._arranged.begin(series, offer, bot, offer.number)
        self.withdraw_excess(bot)

    def decline(self, bot: RemoteBot, number: int, reason: str = "") -> None:
        """Decline a challenge; raises RefusedError if there is none."""
        offer = self._offers.to(bot, number, asked=True)
        self._offers.remove(offer, bot, f"{bot.name} declined{reason and f': {reason}'}")

    def withdraw(self, bot: RemoteBot, number: int) -> None:
        """Withdraw an offer of the bot; raises RefusedError if there is none."""
        offer = self._offers.by(bot, number)
        self._offers.remove(offer, bot, f"{bot.name} has taken it back")

    def withdraw_all(self, bot: RemoteBot) -> None:
        for offer in self._offers.concerning(bot):
            self._offers.remove(offer, bot, f"{bot.name} has left")

    def withdraw_excess(self, bot: RemoteBot) -> None:
        """Withdraw the latest offers of a bot that has too few slots left for them."""
        offers = self._offers.of(bot)
        while offers and self._presence.taken(bot) + len(offers) > bot.slots:
            self._offers.remove(offers.pop(), None, "another game takes the slot")

    def _check_terms(self, bot: RemoteBot, game: Game, limits: Limits) -> None:
        if limits.movetime is None and limits.clock is None:
            raise RefusedError(ErrorCode.BAD_VALUE, "limits must hold a movetime or a clock")
        if limits.infinite:
            raise RefusedError(ErrorCode.BAD_VALUE, "limits must not be infinite")
        if not bot.plays(game.name):
            raise RefusedError(ErrorCode.BAD_VALUE, f"you said that you do not play {game.name}")
        taken = self._presence.taken(bot) + len(self._offers.of(bot))
        if taken >= bot.slots:
            raise RefusedError(
                ErrorCode.BUSY, f"you have {taken} games and open offers, and {bot.slots} slots"
            )

    def _check_rated(self, bot: RemoteBot, other: RemoteBot, glickos: Mapping[str, Glicko]) -> None:
        if obstacle := self._ladder.obstacle(bot, other, glickos):
            raise RefusedError(ErrorCode.UNAVAILABLE, f"no rated game: {obstacle}")


def _rounded(glickos: Mapping[str, Glicko], bot: RemoteBot) -> int | None:
    return round(glickos[bot.name].rating) if bot.name in glickos else None

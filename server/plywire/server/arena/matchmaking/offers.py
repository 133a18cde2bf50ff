"""Offers of games that are open: nobody has accepted them yet."""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from plywire.engine.game import Game
from plywire.protocol.messages import arena
from plywire.protocol.messages.base import ErrorCode
from plywire.protocol.messages.limits import Limits
from plywire.server.arena.live.remote_bot import RemoteBot
from plywire.server.errors import RefusedError


@dataclass(frozen=True, slots=True, eq=False)
class GameOffer:
    """A game that a bot offers."""

    number: int
    bot: RemoteBot
    to: RemoteBot | None
    """The bot that is challenged; None if any bot may accept."""
    game: Game
    limits: Limits
    rating: int | None
    """The rating of the bot in that game; None without a rating."""
    rated: bool
    key: str | None = None
    """The key that another seek needs to be paired with this seek; None without a key."""

    @property
    def terms(self) -> dict[str, Any]:
        """The fields of the messages that show the offer."""
        return {
            "offer": self.number,
            "name": self.bot.name,
            "game": self.game.name,
            "size": self.game.size,
            "rating": self.rating,
            "rated": self.rated,
            "limits": self.limits,
        }


class Offers:
    """The open offers, by number; notifies bots of challenges and of withdrawn offers."""

    def __init__(self) -> None:
        self._open: dict[int, GameOffer] = {}
        self._seeks: dict[tuple[Game, Limits, bool, str | None], dict[int, GameOffer]] = {}
        self._made: dict[RemoteBot, dict[int, GameOffer]] = {}
        self._received: dict[RemoteBot, dict[int, GameOffer]] = {}
        self._numbers = itertools.count(1)

    @property
    def seeks(self) -> Sequence[GameOffer]:
        """The seeks that every bot may accept, oldest first."""
        return [offer for offer in self._open.values() if offer.to is None and offer.key is None]

    def of(self, bot: RemoteBot) -> list[GameOffer]:
        return list(self._made.get(bot, {}).values())

    def concerning(self, bot: RemoteBot) -> list[GameOffer]:
        """Return all offers that a bot made, and all challenges that it received."""
        return [*self.of(bot), *self._received.get(bot, {}).values()]

    def like(self, bot: RemoteBot, game: Game, limits: Limits, key: str | None) -> GameOffer | None:
        """Return the oldest unrated seek of another bot with the same game, limits and key."""
        alike = self._seeks.get((game, limits, False, key), {}).values()
        return next((offer for offer in alike if offer.bot is not bot), None)

    @property
    def rated(self) -> list[tuple[Game, Limits]]:
        """The games and limits of all rated seeks."""
        return [(game, limits) for game, limits, rated, _ in self._seeks if rated]

    def rated_seeks(self, game: Game, limits: Limits) -> list[GameOffer]:
        """Return the rated seeks with this game and limits, oldest first."""
        return list(self._seeks.get((game, limits, True, None), {}).values())

    def add(
        self,
        bot: RemoteBot,
        to: RemoteBot | None,
        game: Game,
        limits: Limits,
        rating: int | None,
        *,
        rated: bool,
        key: str | None = None,
    ) -> GameOffer:
        offer = GameOffer(next(self._numbers), bot, to, game, limits, rating, rated, key)
        self._open[offer.number] = offer
        for index, place in self._indices(offer):
            index.setdefault(place, {})[offer.number] = offer
        if to is not None:
            to.pass_on(arena.Challenged(**offer.terms))
        return offer

    def to(self, bot: RemoteBot, number: int, *, asked: bool = False) -> GameOffer:
        """Return the offer that the bot may answer; raises RefusedError if there is none.

        The offer is a challenge to the bot, or a seek without a key. With `asked`, only challenges
        count.
        """
        offer = self._open.get(number)
        is_its = offer is not None and (
            offer.to is bot or (offer.to is None and offer.key is None and not asked)
        )
        if offer is None or offer.bot is bot or not is_its:
            raise RefusedError(
                ErrorCode.UNAVAILABLE,
                f"no offer {number} is open to you: lobby lists the open seeks",
            )
        return offer

    def by(self, bot: RemoteBot, number: int) -> GameOffer:
        """Return an offer that a bot made; raises RefusedError if there is none."""
        offer = self._open.get(number)
        if offer is None or offer.bot is not bot:
            raise RefusedError(ErrorCode.UNAVAILABLE, f"you have no open offer {number}")
        return offer

    def take(self, offer: GameOffer) -> None:
        del self._open[offer.number]
        for index, key in self._indices(offer):
            del index[key][offer.number]
            if not index[key]:
                del index[key]

    def remove(self, offer: GameOffer, by: RemoteBot | None, reason: str) -> None:
        """Close an offer, and notify its bots except `by`, which closed it."""
        self.take(offer)
        for bot in (offer.bot, offer.to):
            if bot is not None and bot is not by:
                tell = bot.notify if bot is offer.bot else bot.pass_on
                tell(arena.Withdrawn(offer=offer.number, reason=reason))

    def _indices(
        self, offer: GameOffer
    ) -> Iterator[tuple[dict[Any, dict[int, GameOffer]], object]]:
        yield self._made, offer.bot
        if offer.to is None:
            yield self._seeks, (offer.game, offer.limits, offer.rated, offer.key)
        else:
            yield self._received, offer.to

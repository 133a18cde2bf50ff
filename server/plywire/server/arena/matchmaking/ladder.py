"""The ladder: which bots may play rated games, and how rated seeks are paired.

To prevent rating farming, bots cannot choose opponents. Two bots meet only a few times a day.
"""

import asyncio
import logging
from collections import Counter, deque
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta

from plywire.clients.play.ratings.glicko2 import Glicko
from plywire.engine.game import Game
from plywire.server.arena.live.remote_bot import RemoteBot
from plywire.server.arena.store.rating_list import RatingList, RatingsError
from plywire.server.settings import LadderSettings

from .offers import GameOffer

log = logging.getLogger(__name__)

#: For this time, a game of two bots counts against `pair_games`, the limit of their games.
DAY = timedelta(days=1)

#: Each game that two bots played within a day adds this number of rating points to their distance.
_REPETITION = 50.0

#: Number of next higher bots by rating that are considered as opponents of a bot.
_NEIGHBOURS = 16


class Ladder:
    """Decides which rated games may be played; the games of the last 24 hours count."""

    def __init__(self, settings: LadderSettings, ratings: RatingList | None = None) -> None:
        self.settings = settings
        self._ratings = ratings
        self._met: deque[tuple[datetime, frozenset[str]]] = deque()
        self._games: Counter[frozenset[str]] = Counter()

    async def ratings(self, game: Game) -> Mapping[str, Glicko]:
        """Return the ratings in a game by bot; empty if the list cannot be read."""
        if self._ratings is None:
            return {}
        try:
            return await asyncio.to_thread(self._ratings.of, game)
        except RatingsError as error:
            log.error("ratings error=%s", error)
            return {}

    def began(self, players: tuple[str, str], at: datetime) -> None:
        self._met.append((at, frozenset(players)))
        self._games[frozenset(players)] += 1

    def played(self, one: RemoteBot, other: RemoteBot) -> int:
        """Return how many rated games two bots have begun in 24 hours."""
        since = datetime.now(UTC) - DAY
        while self._met and self._met[0][0] < since:
            _, pair = self._met.popleft()
            self._games[pair] -= 1
            if not self._games[pair]:
                del self._games[pair]
        return self._games[frozenset((one.name, other.name))]

    def obstacle(self, one: RemoteBot, other: RemoteBot, ratings: Mapping[str, Glicko]) -> str:
        """Return why two bots may not play a rated game now; empty if they may."""
        settings = self.settings
        if one.owner and one.owner.lower() == other.owner.lower():
            return f"{one.name} and {other.name} have the same owner"
        if not settings.same_address and one.address and one.address == other.address:
            return f"{one.name} and {other.name} come from the same address"
        if _gap(one, other, ratings) > settings.difference:
            return (
                f"the ratings of {one.name} and {other.name} differ"
                f" by more than {settings.difference}"
            )
        if self.played(one, other) >= settings.pair_games:
            return (
                f"{one.name} and {other.name} have played {settings.pair_games} rated games"
                " in 24 hours"
            )
        return ""

    def pairs(
        self, seeks: Sequence[GameOffer], ratings: Mapping[str, Glicko]
    ) -> Iterator[tuple[GameOffer, GameOffer]]:
        """Pair bots that seek the same rated game: the nearest pairs first."""
        ranked = sorted(seeks, key=lambda seek: _rating(seek.bot, ratings))
        possible = [
            (self._distance(one.bot, other.bot, ratings), one.number, other.number)
            for place, one in enumerate(ranked)
            for other in ranked[place + 1 : place + 1 + _NEIGHBOURS]
            if one.bot is not other.bot and not self.obstacle(one.bot, other.bot, ratings)
        ]
        free = {seek.number: seek for seek in seeks}
        for _, one_number, other_number in sorted(possible):
            if one_number in free and other_number in free:
                yield free.pop(one_number), free.pop(other_number)

    def _distance(self, one: RemoteBot, other: RemoteBot, ratings: Mapping[str, Glicko]) -> float:
        return _gap(one, other, ratings) + _REPETITION * self.played(one, other)


def _rating(bot: RemoteBot, ratings: Mapping[str, Glicko]) -> float:
    return ratings.get(bot.name, Glicko()).rating


def _gap(one: RemoteBot, other: RemoteBot, ratings: Mapping[str, Glicko]) -> float:
    return abs(_rating(one, ratings) - _rating(other, ratings))

"""The present ratings of bots."""

import asyncio
import logging
from collections.abc import Mapping

from plywire.clients.play.ratings.glicko2 import Glicko
from plywire.engine.game import Game
from plywire.server.arena.store.rating_list import RatingList, RatingsError

log = logging.getLogger(__name__)


async def current_ratings(ratings: RatingList | None, game: Game) -> Mapping[str, Glicko]:
    """Return the ratings in a game by bot, none if the list cannot be read."""
    if ratings is None:
        return {}
    try:
        return await asyncio.to_thread(ratings.of, game)
    except RatingsError as error:
        log.error("ratings error=%s", error)
        return {}

"""The arena of a folder: its accounts, its journal and its lobby."""

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path

from plywire.clients.play.matches.referee import TimeControl
from plywire.engine.game import Game
from plywire.server.clock import ServerClock
from plywire.server.settings import Settings

from .feed.feed import Feed
from .matchmaking.lobby import Lobby
from .store.accounts import accounts_of
from .store.folder import open_folder
from .store.journal import Journal, journal_of
from .store.rating_list import RatingList, ratings_of


@asynccontextmanager
async def open_arena(
    folder: Path,
    settings: Settings,
    clock: ServerClock,
    feed: Feed,
    *,
    anchor_can_play: Callable[[Game], bool] = lambda game: True,
) -> AsyncIterator[Lobby]:
    """Open the arena of a folder, which is created if need be.

    Raises StoreError if a file is damaged or unusable, and OSError if the folder cannot be created
    or made private.
    """
    await asyncio.to_thread(open_folder, folder)
    accounts = accounts_of(folder)
    anchors = settings.ladder.anchors if settings.ladder is not None else None
    ratings = RatingList(ratings_of(folder), anchors)
    await asyncio.to_thread(accounts.check_whole)
    await asyncio.to_thread(ratings.check_whole)
    control = TimeControl(max_lag=settings.arena_max_lag, flag_falls=True)
    async with (
        Journal(journal_of(folder), create=True) as journal,
        Lobby(
            journal,
            accounts,
            clock,
            control,
            grace=settings.arena_grace,
            feed=feed,
            ratings=ratings,
            ladder=settings.ladder,
            guests=settings.guests,
            anchor_can_play=anchor_can_play,
        ) as lobby,
    ):
        yield lobby

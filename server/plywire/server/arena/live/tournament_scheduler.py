"""The tournaments of an arena: open, in progress, and the latest of the finished ones."""

import logging
from collections.abc import Sequence

from plywire.clients.connecting.background_tasks import BackgroundTasks
from plywire.protocol.messages.base import ErrorCode
from plywire.protocol.messages.tournaments import TournamentState
from plywire.protocol.text import one_line
from plywire.server.arena.store.announcements import KEPT
from plywire.server.arena.store.journal import Journal, JournalError
from plywire.server.arena.store.rating_list import RatingList
from plywire.server.errors import RefusedError

from .live_tournament import LiveTournament, RunnerFactory
from .presence import Presence
from .remote_bot import RemoteBot

log = logging.getLogger(__name__)

#: Seconds between two readings of the journal. Organisers write announcements into it.
_REFRESH_EVERY = 1.0


class TournamentScheduler:
    """Lists the tournaments that bots may join, and plays those that are due."""

    def __init__(
        self,
        presence: Presence,
        journal: Journal,
        tasks: BackgroundTasks,
        make_runner: RunnerFactory,
        ratings: RatingList | None,
    ) -> None:
        self._presence = presence
        self._journal = journal
        self._tasks = tasks
        self._make_runner = make_runner
        self._ratings = ratings
        self._tournaments: dict[int, LiveTournament] = {}
        self._damaged: set[int] = set()

    @property
    def listed(self) -> Sequence[LiveTournament]:
        over = [one for one in self._tournaments.values() if one.state is TournamentState.OVER]
        forgotten = over[:-KEPT]
        return [one for one in self._tournaments.values() if one not in forgotten]

    async def open(self) -> None:
        """Read the journal now and every second; raises JournalError if the first reading fails."""
        await self.refresh()
        self._tasks.spawn(self._keep_refreshing())

    async def refresh(self) -> None:
        """Read the announcements of organisers; raises JournalError."""
        for announcement in await self._journal.announcements.listed():
            if announcement.id in self._damaged:
                continue
            if announcement.id not in self._tournaments:
                try:
                    tournament = LiveTournament(announcement, self._presence, self._journal)
                except ValueError as error:
                    self._damaged.add(announcement.id)
                    log.warning(
                        "damaged tournament=%r: left out: %s",
                        announcement.name,
                        one_line(str(error)),
                    )
                    continue
                self._tournaments[announcement.id] = tournament
                log.info("tournament=%r state=%s", tournament.name, tournament.state)
            tournament = self._tournaments[announcement.id]
            tournament.starts = announcement.starts
            self._begin_if_due(tournament)

    def named(self, name: str) -> LiveTournament:
        """Return the latest tournament with this name; raises RefusedError if there is none."""
        found = [one for one in self.listed if one.name.lower() == name.lower()]
        if not found:
            names = ", ".join(one.name for one in self.listed) or "none"
            raise RefusedError(
                ErrorCode.UNAVAILABLE, f"no tournament {name!r} is here: there are {names}"
            )
        return found[-1]

    async def join(self, bot: RemoteBot, name: str) -> None:
        """Give a bot a seat in a tournament; raises RefusedError and JournalError."""
        if bot.is_guest:
            raise RefusedError(ErrorCode.UNAVAILABLE, "guests play no tournaments")
        await self.refresh()
        tournament = self.named(name)
        await tournament.join(bot)
        self._begin_if_due(tournament)

    def _begin_if_due(self, tournament: LiveTournament) -> None:
        if tournament.is_due():
            tournament.is_running = True
            self._tasks.spawn(tournament.run(self._make_runner, self._ratings))

    async def _keep_refreshing(self) -> None:
        while True:
            await self._presence.clock.sleep(_REFRESH_EVERY)
            try:
                await self.refresh()
            except JournalError as error:
                log.error("journal error=%s", error)

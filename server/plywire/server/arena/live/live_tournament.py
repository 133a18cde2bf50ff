"""A live tournament: connected bots join it, and the server plays it."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

from plywire.clients.play.matches.records import GameRecord
from plywire.protocol.messages import tournaments
from plywire.protocol.messages.base import ErrorCode
from plywire.protocol.messages.tournaments import TournamentState
from plywire.server.arena.feed.standings_publisher import StandingsPublisher
from plywire.server.arena.job_workers import Workers, WorkersError, processes
from plywire.server.arena.runners.game_runner import RunnerError
from plywire.server.arena.runners.tournament_runner import TournamentRunner
from plywire.server.arena.store.announcements import Announcement
from plywire.server.arena.store.journal import Journal, JournalError
from plywire.server.arena.store.journalled import JournalledTournament
from plywire.server.arena.store.rating_list import RatingList, RatingsError
from plywire.server.arena.tournament.config import (
    REMOTE,
    ConfigError,
    TournamentConfig,
)
from plywire.server.arena.tournament.pairings import PairingSchedule
from plywire.server.arena.tournament.plan import Plan, make_plan
from plywire.server.arena.tournament.scheduled_game import ScheduledGame
from plywire.server.arena.tournament.standings import PlayerStanding, standings
from plywire.server.arena.tournament.watcher import Watcher
from plywire.server.errors import RefusedError

from .announcing import may_begin, players_of
from .live_game_runner import LiveGameRunner
from .presence import Presence
from .remote_bot import RemoteBot

T = TypeVar("T", tournaments.Tournament, tournaments.Progress)

log = logging.getLogger(__name__)

RunnerFactory = Callable[[int, TournamentConfig], LiveGameRunner]
"""Makes the game runner of a tournament from the tournament's id and configuration."""

#: Seconds until a tournament that failed, for example because the disk was full, is tried again.
_RETRY_AFTER = 10.0
#: Maximum number of concurrent games. Usually the slots of the bots allow far fewer.
_MOST_GAMES = 1024

_RETRIED = (ConfigError, JournalError, RatingsError, RunnerError, WorkersError)


class LiveTournament(Watcher):
    """A tournament that bots may join, from its announcement to its end."""

    def __init__(self, announcement: Announcement, presence: Presence, journal: Journal) -> None:
        self.id = announcement.id
        self.name = announcement.name
        self.starts = announcement.starts
        """When the tournament begins; None to begin when all seats are taken."""
        self.state = TournamentState.OPEN
        if announcement.tournament is not None:
            self.state = TournamentState.PLAYING
        if announcement.is_over:
            self.state = TournamentState.OVER
        self.is_running = False
        self._config = TournamentConfig.model_validate_json(announcement.config)
        self._entrants = list(announcement.entrants)
        self._tournament = announcement.tournament
        self._presence = presence
        self._journal = journal
        self._joining = asyncio.Lock()
        self._held: JournalledTournament | None = None
        self._plan: Plan | None = None
        self._loading = asyncio.Lock()
        self._schedule: PairingSchedule | None = None
        """The schedule so far; None until the tournament starts or resumes."""
        self._records: dict[int, GameRecord] = {}
        self._scheduled = 0

    # ---- players ----

    @property
    def _players(self) -> dict[str, str]:
        return players_of(self._config, self._entrants)

    @property
    def _seats(self) -> int:
        return max(0, self._config.seats - len(self._entrants))

    async def join(self, bot: RemoteBot) -> None:
        """Give the bot a seat, unless it has one; raises RefusedError and JournalError."""
        async with self._joining:
            if self._players.get(bot.name) != REMOTE:
                self._check_entrant(bot)
                await self._journal.announcements.enter(self.id, bot.name)
                self._entrants.append(bot.name)
                log.info("joined tournament=%r bot=%s", self.name, bot.name)
        bot.notify(self._described(tournaments.Progress))

    def _check_entrant(self, bot: RemoteBot) -> None:
        if self.state is TournamentState.OVER:
            raise RefusedError(ErrorCode.UNAVAILABLE, f"the tournament {self.name} is over")
        if self.state is TournamentState.PLAYING:
            raise RefusedError(ErrorCode.UNAVAILABLE, f"the tournament {self.name} has begun")
        if not self._seats:
            raise RefusedError(
                ErrorCode.UNAVAILABLE,
                f"all seats of {self.name} are taken: tournaments lists the others",
            )
        if bot.name.lower() in map(str.lower, self._config.players):
            raise RefusedError(ErrorCode.BAD_VALUE, f"{self.name} has another player {bot.name}")
        for section in self._config.games:
            if not bot.plays(section.game):
                raise RefusedError(
                    ErrorCode.BAD_VALUE, f"you said that you do not play {section.game}"
                )

    async def leave(self, bot: RemoteBot) -> None:
        """Free the bot's seat; raises RefusedError and JournalError."""
        async with self._joining:
            if bot.name not in self._entrants:
                raise RefusedError(ErrorCode.UNAVAILABLE, f"you have not joined {self.name}")
            if self.state is not TournamentState.OPEN:
                raise RefusedError(
                    ErrorCode.UNAVAILABLE, f"the tournament {self.name} has begun: resign games"
                )
            await self._journal.announcements.withdraw(self.id, bot.name)
            self._entrants.remove(bot.name)

    def is_due(self) -> bool:
        if self.is_running or self.state is TournamentState.OVER:
            return False
        if self.state is TournamentState.PLAYING:
            return True
        return may_begin(self._config, self._entrants, self.starts)

    # ---- descriptions ----

    @property
    def played(self) -> int:
        """The number of finished games, once the journal has been read."""
        return len(self._records)

    def _described(self, kind: type[T]) -> T:
        return kind(
            state=self.state,
            games=tuple(dict.fromkeys(section.game for section in self._config.games)),
            players=len(self._players),
            seats=self._seats if self.state is TournamentState.OPEN else 0,
            played=len(self._records),
            scheduled=self._scheduled,
            starts=None if self.starts is None else f"{self.starts:%Y-%m-%dT%H:%M:%SZ}",
            limits=self._config.time.control().limits,
            name=self.name,
        )

    async def described(self) -> tournaments.Tournament:
        """Return the tournament's description for a client; raises JournalError."""
        await self._load()
        return self._described(tournaments.Tournament)

    async def standings(self) -> list[PlayerStanding]:
        """Return the standings; raises JournalError."""
        await self._load()
        records, players = self._records, list(self._players)
        if self._plan is None:
            return standings([], players)
        return standings(
            records.values(), players, ranking=self._config.format.ranking, schedule=self._schedule
        )

    def _notify_players(self) -> None:
        progress = self._described(tournaments.Progress)
        for name, spec in self._players.items():
            if spec == REMOTE and (bot := self._presence.present(name)) is not None:
                bot.notify(progress)

    # ---- playing ----

    async def run(self, make_runner: RunnerFactory, ratings: RatingList | None) -> None:
        """Play the tournament to its end; log errors and try again."""
        while self.state is not TournamentState.OVER:
            try:
                async with Workers(processes(1)) as workers:
                    await self._run(workers, make_runner, ratings)
            except _RETRIED as error:
                log.error("hindered tournament=%r error=%s", self.name, error)
                await self._presence.clock.sleep(_RETRY_AFTER)

    async def _run(
        self, workers: Workers, make_runner: RunnerFactory, ratings: RatingList | None
    ) -> None:
        if self._tournament is None:
            await self._begin(workers)
        self._plan = None  # Read the plan again: a try that failed may have written to disk.
        await self._load()
        plan, held = self._plan, self._held
        if plan is None or held is None:
            raise RuntimeError("a tournament that has begun has a plan")
        identifier = held.id
        if plan.config.ratings is not None:
            ratings = RatingList(plan.config.ratings)
        feed, named = self._presence.feed, str(identifier)
        publisher = StandingsPublisher(feed, named, plan, self._records.values(), self._scheduled)
        live_runner = make_runner(identifier, plan.config)
        try:
            tournament = TournamentRunner(
                self._journal,
                identifier,
                plan,
                runner=live_runner,
                workers=workers,
                watchers=(self, publisher),
                feed=feed,
                concurrency=_MOST_GAMES,
                rate=None if ratings is None else partial(ratings.rate, held.key, held.name),
                clock=self._presence.clock,
            )
            await tournament.run()
        finally:
            await live_runner.close()
            await publisher.close()

    async def _begin(self, workers: Workers) -> None:
        async with self._joining:
            self.state = TournamentState.PLAYING
        log.info("openings tournament=%r", self.name)
        self._notify_players()
        config = self._config.model_copy(
            update={"players": self._players, "seats": 0, "starts": None}
        )
        plan = await make_plan(config, workers)
        config_text = plan.model_dump_json()
        self._tournament = await self._journal.announcements.begin(self.id, config_text)
        log.info("begins tournament=%r players=%d", self.name, len(self._players))

    async def _load(self) -> None:
        async with self._loading:
            if self._plan is not None or self._tournament is None:
                return
            games = await self._journal.games(self._tournament)
            self._held = await self._journal.tournament(self._tournament)
            self._plan = Plan.model_validate_json(self._held.config)
            self._scheduled = len(games)
            self._records = {
                game.record.number: game.record for game in games if game.record is not None
            }
            if self.state is TournamentState.OVER:
                scheduled = [game.scheduled for game in games]
                self._schedule = self._plan.schedule(self._records, scheduled)

    def drawn(self, schedule: PairingSchedule) -> None:
        self._schedule = schedule

    def scheduled(self, games: Sequence[ScheduledGame]) -> None:
        self._scheduled += len(games)

    def finished(self, record: GameRecord) -> None:
        self._records[record.number] = record

    def ended(self, outcome: str) -> None:
        self.state = TournamentState.OVER
        log.info("over tournament=%r outcome=%s", self.name, outcome)
        self._notify_players()

"""A live tournament: connected bots join it, and the server plays it."""

import asyncio
import logging
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
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
from plywire.server.arena.store.folder import open_folder
from plywire.server.arena.store.journal import Journal, JournalError, journal_of
from plywire.server.arena.store.journalled import JournalledTournament
from plywire.server.arena.store.rating_list import RatingList, RatingsError
from plywire.server.arena.tournament.config import (
    REMOTE,
    ConfigError,
    TournamentConfig,
    read_config,
)
from plywire.server.arena.tournament.pairings import PairingSchedule
from plywire.server.arena.tournament.plan import Plan, make_plan
from plywire.server.arena.tournament.scheduled_game import ScheduledGame
from plywire.server.arena.tournament.standings import PlayerStanding, standings
from plywire.server.arena.tournament.watcher import Watcher
from plywire.server.errors import RefusedError

from .bot_player import RemoteBot
from .live_game_runner import LiveGameRunner
from .presence import Presence

T = TypeVar("T", tournaments.Tournament, tournaments.Progress)

log = logging.getLogger(__name__)

RunnerFactory = Callable[[int, TournamentConfig], LiveGameRunner]
"""Makes the game runner of a tournament from the tournament's id and configuration."""

#: Seconds before a failed tournament is tried again, for example after a full disk.
_RETRY_AFTER = 10.0
#: The limit of concurrent games; the slots of the bots allow far fewer.
_MOST_GAMES = 1024

_RETRIED = (ConfigError, JournalError, RatingsError, RunnerError, WorkersError)

#: The names of tournaments and of players that the protocol can send.
_TEXT = re.compile(r"\S+( \S+)*")
_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]*")


def read_live_config(path: Path) -> TournamentConfig:
    """Read a tournament that bots may join from a TOML file; raises ConfigError and OSError."""
    config = read_config(path)
    if not _TEXT.fullmatch(config.name):
        raise ConfigError(f"{path}: name: words with single spaces between are accepted")
    for name in config.players:
        if not _NAME.fullmatch(name):
            raise ConfigError(
                f"{path}: players: {name}: letters, digits, `_`, `.` and `-` are accepted"
                " in a tournament for bots"
            )
    games = tuple(
        section.model_copy(update={"file": section.file and section.file.resolve()})
        for section in config.games
    )
    ratings = config.ratings and config.ratings.resolve()
    return config.model_copy(update={"games": games, "ratings": ratings})


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
        return _players(self._config, self._entrants)

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
        return _is_due(self._config, self._entrants, self.starts)

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
        self._plan = None  # An earlier try may have failed after it wrote to disk.
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


def _players(config: TournamentConfig, entrants: Sequence[str]) -> dict[str, str]:
    return {**config.players, **dict.fromkeys(entrants, REMOTE)}


def _obstacle(config: TournamentConfig, players: Mapping[str, str]) -> str:
    """Return why a tournament cannot begin with these players; empty if it can."""
    try:
        config.format.check(list(players))
    except ValueError as error:
        return str(error)
    if config.sprt is not None and len(players) != 2:
        return f"sprt compares two players, not {len(players)}"
    return ""


def _is_due(config: TournamentConfig, entrants: Sequence[str], starts: datetime | None) -> bool:
    if starts is None:
        return len(entrants) >= config.seats
    return datetime.now(UTC) >= starts and not _obstacle(config, _players(config, entrants))


def waiting(announcement: Announcement) -> str:
    """Return a sentence about what a tournament is waiting for, and its players so far."""
    config = TournamentConfig.model_validate_json(announcement.config)
    entrants, starts = announcement.entrants, announcement.starts
    free = config.seats - len(entrants)
    if _is_due(config, entrants, starts):
        waits = "the server is to make the openings"
    elif free > 0:
        waits = "one more bot may join" if free == 1 else f"{free} more bots may join"
    else:
        waits = "all seats are taken"
    at = "" if starts is None else f", it begins at {starts:%Y-%m-%d %H:%M %Z}"
    players = ", ".join(_players(config, entrants)) or "nobody so far"
    return f"{announcement.name} has not begun yet: {waits}{at}; players: {players}."


async def announce(arena: Path, config: TournamentConfig) -> None:
    """Announce a tournament in an arena's folder; raises JournalError and OSError."""
    await asyncio.to_thread(open_folder, arena)
    async with Journal(journal_of(arena), create=True, exclusive=False) as journal:
        await journal.announcements.announce(config.name, config.model_dump_json(), config.starts)


async def begin_now(arena: Path, name: str) -> list[str]:
    """Begin a tournament in an arena's folder; return its players' names or raise JournalError."""
    async with Journal(journal_of(arena), exclusive=False) as journal:
        open_ = [one for one in await journal.announcements.listed() if one.tournament is None]
        for one in open_:
            if one.name.lower() == name.lower():
                config = TournamentConfig.model_validate_json(one.config)
                players = _players(config, one.entrants)
                if obstacle := _obstacle(config, players):
                    joined = ", ".join(players) or "nobody"
                    raise JournalError(
                        f"{one.name} cannot begin: {obstacle}; joined so far: {joined}"
                    )
                if not await journal.announcements.begin_now(one.id):
                    raise JournalError(f"{one.name} begins already; the arena's server plays it")
                return list(players)
        names = ", ".join(one.name for one in open_) or "none"
        raise JournalError(f"no tournament {name} waits for its start: there are {names}")

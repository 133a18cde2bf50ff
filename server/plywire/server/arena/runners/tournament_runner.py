"""Runs a tournament from its plan and its journal, and can resume it."""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache

from plywire.clients.play.errors import Termination
from plywire.clients.play.judging.accuracy import GameAccuracy, judge
from plywire.clients.play.judging.oracle import Oracle
from plywire.clients.play.matches.records import GameRecord
from plywire.clients.play.ratings.elo import MatchTally
from plywire.server.arena.feed.feed import Feed
from plywire.server.arena.feed.game_log import GameLog
from plywire.server.arena.job_workers import Workers
from plywire.server.arena.store.journal import Journal, JournalError
from plywire.server.arena.store.journalled import JournalledGame
from plywire.server.arena.store.rating_list import BadRatingsError
from plywire.server.arena.tournament.pairings import PairingSchedule
from plywire.server.arena.tournament.plan import Plan
from plywire.server.arena.tournament.scheduled_game import ScheduledGame
from plywire.server.arena.tournament.watcher import Watcher
from plywire.server.clock import ServerClock

from .game_runner import GameJob, GameRunner

log = logging.getLogger(__name__)


class TournamentRunner:
    """Runs one tournament of a journal."""

    def __init__(
        self,
        journal: Journal,
        identifier: int,
        plan: Plan,
        *,
        runner: GameRunner,
        workers: Workers,
        watchers: Sequence[Watcher],
        feed: Feed | None = None,
        concurrency: int | None = None,
        rate: Callable[[Sequence[GameRecord]], object] | None = None,
        clock: ServerClock | None = None,
    ) -> None:
        """Run a tournament; `runner` plays its games, and `workers` judge them.

        A thread calls `rate` with all records before the tournament is over; a second call must do
        no harm. While the journal cannot be written, games wait. Without a `clock`, the
        tournament fails instead.
        """
        self._journal = journal
        self._id = identifier
        self._plan = plan
        self._config = plan.config
        self._runner = runner
        self._workers = workers
        self._watchers = watchers
        self._feed = feed
        self._concurrency = concurrency or plan.config.concurrency
        self._rate = rate
        self._clock = clock
        self._games: dict[int, JournalledGame] = {}
        self._records: dict[int, GameRecord] = {}
        self._tally = MatchTally()
        """The results of the first player, for an SPRT."""
        self._schedule: PairingSchedule | None = None
        self.not_rated: BadRatingsError | None = None
        """Why the games do not count for the ratings, though the tournament is over."""

    async def run(self) -> str:
        """Play all unfinished games, judge their moves, and return the outcome.

        Raises RunnerError if a player cannot play, JournalError, WorkersError, and the errors of
        `rate` except BadRatingsError. After an error, another `run` resumes the tournament.
        """
        for game in await self._journal.games(self._id):
            self._games[game.scheduled.number] = game
            if game.is_damaged:
                raise JournalError(
                    f"game {game.scheduled.number} of {self._config.name} is over, but its record"
                    " is damaged: restore a backup; `plywire arena check` names all such games"
                )
            if game.record is not None:
                self._note(game.record)
        kinds = [section.kind() for section in self._config.games]
        if await self._extend():
            await self._runner.check(self._config.players, kinds)
        while self._conclusion() is None and await self._extend():
            await self._play_open_games()
        if self._config.accuracy:
            await self._judge()
        outcome = self._outcome()
        if self._rate is not None:
            try:
                await asyncio.to_thread(self._rate, list(self._records.values()))
            except BadRatingsError as error:
                log.error("not rated tournament=%d error=%s", self._id, error)
                self.not_rated = error
        await self._journal.end(self._id, outcome)
        for watcher in self._watchers:
            watcher.ended(outcome)
        return outcome

    async def _extend(self) -> bool:
        """Schedule the games that are newly known; return whether any game is unfinished."""
        self._schedule = await self._draw()
        known = self._plan.games(self._schedule)
        new = [game for game in known if game.number not in self._games]
        if new:
            await self._journal.schedule(self._id, new)
            for game in new:
                self._games[game.number] = JournalledGame(game, None, (), None, None)
            for watcher in self._watchers:
                watcher.scheduled(new)
        for watcher in self._watchers:
            watcher.drawn(self._schedule)
        return len(self._records) < len(self._games)

    async def _draw(self) -> PairingSchedule:
        """Return the schedule; a worker draws it if that would block the event loop."""
        games = [self._games[number].scheduled for number in sorted(self._games)]
        if self._config.format.is_slow:
            return await self._workers.run(_draw, self._plan, self._records, games)
        return self._plan.schedule(self._records, games)

    async def _play_open_games(self) -> None:
        numbers = [number for number in sorted(self._games) if number not in self._records]
        open_games = [self._games[number].scheduled for number in numbers]
        tables = asyncio.Semaphore(self._concurrency * self._runner.ahead)
        try:
            async with asyncio.TaskGroup() as group:
                while open_games:
                    await tables.acquire()
                    scheduled = await self._runner.next(open_games)
                    if self._conclusion():
                        break
                    open_games.remove(scheduled)
                    game = self._games[scheduled.number]
                    group.create_task(self._play(game, tables.release))
        except ExceptionGroup as failures:
            raise failures.exceptions[0] from None
        finally:
            self._runner.release()

    async def _play(self, game: JournalledGame, on_over: Callable[[], None]) -> None:
        """Play or resume a game; call `on_over` when the next game may begin."""
        scheduled = game.scheduled
        specs = tuple(self._config.players[name] for name in scheduled.players)
        resumes = game.started is not None and all(map(self._runner.resumes, specs))
        job = GameJob(
            scheduled,
            (specs[0], specs[1]),
            self._config.time.control(),
            self._config.exact_nodes if self._config.adjudicate else None,
            self._config.early_end,
            game.moves if resumes else (),
        )
        game_log = GameLog(
            *(self._journal, self._id, scheduled, job.control.shown(scheduled.players)),
            feed=self._feed,
            clock=self._clock,
            started=game.started if resumes else None,
            moves=job.played,
        )
        await game_log.start()
        for watcher in self._watchers:
            watcher.started(scheduled, resumes)
        game_log.show()

        async def on_end(record: GameRecord) -> GameRecord:
            if self._config.sprt is None:
                on_over()  # The next game may begin before this one is on disk.
            return await game_log.ended(record)

        try:
            record = await self._runner.play(job, game_log.moved, on_end)
        except JournalError:
            game_log.dropped()
            raise
        self._note(record)
        for watcher in self._watchers:
            watcher.finished(record)
        if self._config.sprt is not None:
            on_over()  # Wait until here, because the game may have decided the sequential test.

    async def _judge(self) -> None:
        log.info("judging tournament=%r", self._config.name)

        async def one(record: GameRecord) -> None:
            accuracy = await self._workers.run(_judge, record, self._config.exact_nodes)
            await self._journal.judge(self._id, record.number, accuracy)
            for watcher in self._watchers:
                watcher.judged(record.number, accuracy)

        try:
            async with asyncio.TaskGroup() as group:
                for number, record in self._records.items():
                    if self._games[number].accuracy is None:
                        group.create_task(one(record))
        except ExceptionGroup as failures:
            raise failures.exceptions[0] from None

    def _note(self, record: GameRecord) -> None:
        if record.number not in self._records and record.termination is not Termination.ABORT:
            winner = None if record.winner is None else record.players[record.winner - 1]
            score = 0.5 if winner is None else float(winner == self._first)
            self._tally.add(record.number, score)
        self._records[record.number] = record

    @property
    def _first(self) -> str:
        return next(iter(self._config.players))

    def _conclusion(self) -> str | None:
        """Return the result of the SPRT; None if it is open or there is no SPRT."""
        if self._config.sprt is None:
            return None
        return self._config.sprt.test().conclusion(self._tally.pentanomial, self._first)

    def _outcome(self) -> str:
        if conclusion := self._conclusion():
            return conclusion
        winner = None if self._schedule is None else self._schedule.winner
        return "all games are played" if winner is None else f"{winner} won"


def _draw(
    plan: Plan, records: Mapping[int, GameRecord], games: Sequence[ScheduledGame]
) -> PairingSchedule:
    return plan.schedule(records, games)


def _judge(record: GameRecord, nodes: int) -> GameAccuracy:
    return judge(record, _oracle(nodes))


@lru_cache(maxsize=1)
def _oracle(nodes: int) -> Oracle:
    """Return one oracle for all games that a worker judges, to keep the oracle's table."""
    return Oracle(nodes=nodes)

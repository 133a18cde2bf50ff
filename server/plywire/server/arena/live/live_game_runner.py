"""The games of a live tournament, played by connected bots."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Literal

from plywire.clients.play.errors import Termination
from plywire.clients.play.matches.records import GameRecord
from plywire.clients.play.matches.referee import MoveListener
from plywire.clients.play.players.base import Player
from plywire.engine.game import Game
from plywire.server.arena.feed.game_publisher import table_of
from plywire.server.arena.runners.game_runner import EndListener, GameJob, GameRunner
from plywire.server.arena.runners.local_runner import LocalRunner
from plywire.server.arena.tournament.config import REMOTE, TournamentConfig
from plywire.server.arena.tournament.scheduled_game import ScheduledGame

from .bot_player import BotPlayer
from .game_table import GameTable
from .presence import Presence
from .remote_bot import RemoteBot

log = logging.getLogger(__name__)


class LiveGameRunner(GameRunner):
    """Plays games of connected bots, and of local players, which live in this process.

    If no game can begin and none is in progress, the absent bots of the next game have the grace
    time to connect. Then they forfeit the game.
    """

    def __init__(
        self,
        presence: Presence,
        tournament: int,
        config: TournamentConfig,
        *,
        max_lag: int,
        withdraw_offers: Callable[[RemoteBot], None],
    ) -> None:
        """Play the games of a tournament, given its id.

        At most `config.concurrency` games with local players run at once. `max_lag` is in ms.
        `withdraw_offers` gets each bot whose slot a game takes.
        """
        self._local = LocalRunner(presence.clock)
        self._presence = presence
        self._tournament = tournament
        self._remote = {name for name, spec in config.players.items() if spec == REMOTE}
        self._concurrency = config.concurrency
        self._max_lag = max_lag
        self._withdraw_offers = withdraw_offers
        self._begun: dict[int, tuple[str, ...]] = {}
        self._forfeits: dict[int, tuple[str, ...]] = {}

    # ---- the choice of games ----

    async def next(self, games: Sequence[ScheduledGame]) -> ScheduledGame:
        """Wait until a game can begin or its absent bots forfeit it, and return the game."""
        deadline: float | None = None
        while True:
            change = self._presence.change
            ready = next((game for game in games if self._is_ready(game)), None)
            if ready is not None:
                return self._begin(ready)
            absent = next((game for game in games if self._absent(game)), None)
            if absent is None or self._begun:
                deadline = None
            elif deadline is None:
                deadline = self._presence.clock.now() + self._presence.grace
            elif self._presence.clock.now() >= deadline:
                self._forfeits[absent.number] = self._absent(absent)
                return self._begin(absent)
            await self._wait(change, deadline)

    async def _wait(self, change: asyncio.Event, deadline: float | None) -> None:
        waiting: list[asyncio.Task[object]] = [asyncio.create_task(change.wait())]
        if deadline is not None:
            clock = self._presence.clock
            waiting.append(asyncio.create_task(clock.sleep(deadline - clock.now())))
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in waiting:
                task.cancel()

    def _remotes(self, game: ScheduledGame) -> tuple[str, ...]:
        return tuple(name for name in game.players if name in self._remote)

    def _absent(self, game: ScheduledGame) -> tuple[str, ...]:
        return tuple(name for name in self._remotes(game) if self._presence.present(name) is None)

    def _is_ready(self, game: ScheduledGame) -> bool:
        bots = [self._presence.present(name) for name in self._remotes(game)]
        if not all(bot is not None and self._presence.taken(bot) < bot.slots for bot in bots):
            return False
        # Local players share this machine's cores, so `_concurrency` limits their games. A game of
        # two bots does not count, because bots run on other machines.
        here = sum(len(remotes) < 2 for remotes in self._begun.values())
        return len(bots) == 2 or here < self._concurrency

    def _begin(self, game: ScheduledGame) -> ScheduledGame:
        names = self._remotes(game)
        self._begun[game.number] = names
        self._presence.take(*names)
        for name in names:
            if (bot := self._presence.present(name)) is not None:
                self._withdraw_offers(bot)
        return game

    def _finish(self, number: int) -> None:
        self._presence.free(*self._begun.pop(number))

    # ---- playing ----

    def resumes(self, spec: str) -> bool:
        return spec == REMOTE or self._local.resumes(spec)

    async def check(self, players: Mapping[str, str], games: list[Game]) -> None:
        here = {name: spec for name, spec in players.items() if spec != REMOTE}
        await self._local.check(here, games)

    async def play(self, job: GameJob, on_move: MoveListener, on_end: EndListener) -> GameRecord:
        table = table_of(str(self._tournament), job.scheduled.number)

        async def ended(record: GameRecord) -> GameRecord:
            record = await on_end(record)
            log.info("over table=%s how=%s: %s", table, record.termination, record.reason)
            return record

        try:
            if missing := self._missing(job.scheduled):
                return await ended(_forfeit(job, missing))
            return await self._play(job, table, on_move, ended)
        finally:
            self._finish(job.scheduled.number)

    async def _play(
        self, job: GameJob, identifier: str, on_move: MoveListener, on_end: EndListener
    ) -> GameRecord:
        control = replace(job.control, max_lag=self._max_lag, flag_falls=True)
        job = replace(job, control=control)
        async with (
            self._player(job, identifier, 1) as first,
            self._player(job, identifier, 2) as second,
        ):
            bots = tuple(player for player in (first, second) if isinstance(player, BotPlayer))
            table = GameTable(identifier, bots, may_abort=False)

            async def conduct(on_move: MoveListener) -> GameRecord:
                return await self._local.referee(job, (first, second), on_move)

            self._presence.open(table)
            try:
                return await table.play(conduct, on_move, on_end)
            finally:
                self._presence.clear(table)

    @asynccontextmanager
    async def _player(
        self, job: GameJob, identifier: str, player: Literal[1, 2]
    ) -> AsyncIterator[Player]:
        names, place = job.scheduled.players, player - 1
        bot = self._presence.known_by(names[place]) if names[place] in self._remote else None
        if bot is None:
            async with self._local.borrow(names[place], job.specs[place]) as local:
                yield local
            return
        _, line = job.lines
        yield BotPlayer(
            bot,
            identifier,
            player=player,
            opponent=names[1 - place],
            limits=job.control.of(names)[place],
            line=line,
        )

    def _missing(self, game: ScheduledGame) -> tuple[str, ...]:
        """Return the bots that forfeit the game.

        A bot that may still come back does not forfeit: its clock runs.
        """
        gone = tuple(name for name in self._remotes(game) if self._presence.known_by(name) is None)
        return self._forfeits.pop(game.number, gone)

    def release(self) -> None:
        """Free the slots of games that `next` returned and nobody plays."""
        for number in list(self._begun):
            self._finish(number)

    async def close(self) -> None:
        await self._local.close()


def _forfeit(job: GameJob, missing: Sequence[str]) -> GameRecord:
    scheduled = job.scheduled
    if len(missing) == len(scheduled.players):
        return scheduled.ended(
            job.played, winner=None, termination=Termination.ABORT, reason="neither player came"
        )
    return scheduled.ended(
        job.played,
        winner=2 if scheduled.players[0] in missing else 1,
        termination=Termination.DISCONNECT,
        reason=f"{missing[0]}: did not come",
    )

"""How a bot finds games in an arena: by its offers, by challenges to it, and by a tournament."""

import asyncio
import itertools
import logging
from collections.abc import Sized
from dataclasses import replace

from plywire.clients.connecting.errors import BadServerError, CommandError, ConnectionLostError
from plywire.clients.play.errors import PlayerError
from plywire.clients.play.players.pool import PlayerPool
from plywire.engine.registry import load
from plywire.protocol.messages import arena, tournaments
from plywire.protocol.messages.base import Event

from .connection import FOR_NOW, ArenaConnection
from .options import BotOptions

log = logging.getLogger(__name__)

#: Seconds after which the bot withdraws a challenge without an answer. It is also the maximum pause
#: before the bot repeats offers that led to no game.
_PATIENCE = 60.0


class GameFinder:
    """Makes a bot's offers while it has free slots, and answers challenges to the bot."""

    def __init__(
        self,
        connection: ArenaConnection,
        players: PlayerPool,
        tables: Sized,
        options: BotOptions,
    ) -> None:
        self._connection = connection
        self._players = players
        self._tables = tables
        self._options = options
        self._backoff = replace(options.backoff, longest=_PATIENCE)
        self.left: int | None = None
        """Number of games still to play; None is no limit."""
        self._offering = False
        self._open: dict[int, asyncio.Future[str]] = {}
        """Outcomes of open offers by number: why there is no game, empty if there is one."""
        self._settled: dict[int, str] = {}
        """Outcomes of offers that were settled before their number was known."""
        self._expected = 0
        self._freed = asyncio.Event()

    def forget(self) -> None:
        self._open.clear()

    def expect(self, games: int) -> None:
        self._expected = games

    async def find_games(self) -> None:
        """Make offers while there are free slots; raises CommandError after a final refusal."""
        failures = 0
        try:
            if self._options.join is not None:
                await self._join_tournament(self._options.join)
            for offer in itertools.cycle(self._options.offers):
                while self._is_full():
                    self._freed.clear()
                    await self._freed.wait()
                await self._players.make_ready(load(offer.game, offer.size))
                if not (refusal := await self._offer(offer)):
                    failures = 0
                    continue
                failures += 1
                log.info("no game of %s: %s", offer.type, refusal)
                rounds, rest = divmod(failures, len(self._options.offers))
                if not rest:
                    delay = self._backoff.delay(rounds)
                    log.info("offering games again in %.1f s", delay)
                    await asyncio.sleep(delay)
        except (ConnectionLostError, BadServerError) as error:
            log.info("lost offers error=%s", error)

    def _is_full(self) -> bool:
        taken = max(len(self._tables), self._expected) + len(self._open)
        slots = self._options.slots
        return taken >= (slots if self.left is None else min(slots, self.left))

    async def _offer(self, offer: arena.Seek | arena.Challenge) -> str:
        """Make an offer; return why it leads to no game, or an empty text if it may lead to one."""
        # The server may report the game before it answers the offer, so `settle` may be called
        # first.
        self._offering = True
        self._settled.clear()
        try:
            answer = await self._connection.ask(offer)
        except CommandError as error:
            if error.code not in FOR_NOW:
                raise
            return str(error)
        finally:
            self._offering = False
        if not isinstance(answer, arena.Offered):
            raise BadServerError(f"the server answered with {answer.type}")
        if answer.offer in self._settled:
            return self._settled[answer.offer]
        outcome: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._open[answer.offer] = outcome
        if isinstance(offer, arena.Seek):
            return ""
        await asyncio.wait([outcome], timeout=_PATIENCE)
        if not outcome.done() and await self._connection.tell(arena.Withdraw(offer=answer.offer)):
            self.settle(answer.offer, f"{offer.name} said nothing for {_PATIENCE:g} s")
        return await outcome

    def settle(self, offer: int, reason: str) -> None:
        """Note that an offer is no longer open; an empty reason means that there is a game."""
        if (outcome := self._open.pop(offer, None)) is not None:
            outcome.set_result(reason)
        elif self._offering:
            self._settled[offer] = reason
        self._freed.set()

    def over(self) -> bool:
        """Note that a game is over; return whether it was the last one to play."""
        self._expected = 0
        if self.left is not None:
            self.left -= 1
        return self.left is not None and self.left <= 0

    def freed(self) -> None:
        self._freed.set()

    async def _join_tournament(self, name: str) -> None:
        found: list[tournaments.Tournament] = []

        def on_tournament(event: Event) -> None:
            if isinstance(event, tournaments.Tournament) and event.name.lower() == name.lower():
                found.append(event)

        await self._connection.ask(tournaments.Tournaments(), on_tournament)
        for tournament in found[-1:]:
            await self._players.make_ready(load(tournament.games[0]), self._options.slots)
        await self._connection.ask(tournaments.Join(tournament=name))

    async def consider(self, challenge: arena.Challenged) -> None:
        number, objection = challenge.offer, self._options.objection(challenge)
        if challenge.rated and not self._options.rated:
            objection = objection or "no rated games"
        if not objection and len(self._tables) >= self._options.slots:
            objection = "all slots are taken"
        if not objection:
            try:
                await self._players.make_ready(load(challenge.game, challenge.size))
            except (PlayerError, ValueError) as error:
                objection = str(error)
        if not objection:
            await self._connection.tell(arena.Accept(offer=number, rated=challenge.rated))
            return
        log.info("declined name=%s: %s", challenge.name, objection)
        await self._connection.tell(arena.Decline(offer=number, reason=objection))

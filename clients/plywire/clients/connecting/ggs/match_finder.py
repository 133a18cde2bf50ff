"""Find matches on GGS: ask for matches, and accept requests."""

import asyncio
import itertools
import logging
from dataclasses import replace

from plywire.clients.play.players.pool import PlayerPool
from plywire.engine.game import Game

from . import messages
from .connection import GgsConnection
from .matches import MAX_GAMES, Matches
from .options import SILENCE, GgsOptions

log = logging.getLogger(__name__)


class MatchFinder:
    """Asks for matches while there are free slots, and answers requests of others."""

    def __init__(
        self,
        connection: GgsConnection,
        matches: Matches,
        players: PlayerPool,
        rules: Game,
        options: GgsOptions,
    ) -> None:
        self._connection = connection
        self._matches = matches
        self._players = players
        self._rules = rules
        self._options = options
        self._backoff = replace(options.backoff, longest=SILENCE)
        self._asked: set[str] = set()
        self._asking: asyncio.Future[str] | None = None
        """Outcome of the latest request: why there is no match, empty if there is one."""

    async def ask(self) -> None:
        failures = 0
        for ask in itertools.cycle(self._options.asks):
            while self._matches.is_full:
                self._matches.freed.clear()
                await self._matches.freed.wait()
            await self._players.make_ready(self._rules)
            self._asking = asyncio.get_running_loop().create_future()
            await self._connection.say(str(ask))
            if not (refusal := await self._asking):
                failures = 0
                continue
            failures += 1
            delay = self._backoff.delay(failures)
            log.info("no match of %s: %s; asking again in %.1f s", ask.type, refusal, delay)
            await asyncio.sleep(delay)

    async def consider(self, request: messages.Request) -> None:
        """Accept a request, or decline it if it is addressed to us; raises ConnectionError."""
        is_me, matches = self._connection.is_me, self._matches
        if is_me(request.asker):
            if len(self._asked) < MAX_GAMES:
                self._asked.add(request.id)
            return
        if request.asked and not is_me(request.asked):
            return
        objection = self._options.objection(request)
        goes_on = any(request.asker.lower() in map(str.lower, game.names) for game in matches.lost)
        is_full = len(matches) >= matches.slots if goes_on else matches.is_full
        if not objection and is_full:
            objection = "all slots are taken"
        if not objection:
            await self._connection.tell(f"accept {request.id}")
        else:
            log.info("declined name=%s: %s", request.asker, objection)
            if request.asked:
                await self._connection.tell(f"decline {request.id}")

    def gone(self, id_: str) -> None:
        if id_ in self._asked:
            self._asked.remove(id_)
            self._settle("declined, or taken back")

    def refused(self, text: str) -> None:
        """Note a refusal. If the server lists no request of ours, it has refused the latest one."""
        if not self._asked:
            self._settle(text)

    def found(self) -> None:
        self._asked.clear()
        self._settle("")

    def forget(self) -> None:
        self._asked.clear()

    def _settle(self, refusal: str) -> None:
        if self._asking is not None and not self._asking.done():
            self._asking.set_result(refusal)

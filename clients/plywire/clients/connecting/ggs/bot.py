"""A bot on GGS.

    options = GgsOptions(asks=[Ask.parse("s8r20 05:00")])
    bot = GgsBot("skatgame.net", 5000, "ann", password, make_player, options)
    await bot.run(games=10)

The bot logs in, asks for matches, accepts requests, and lets its players move. After a lost
connection it returns and asks for the adjourned matches again. A position is searched once: if the
server shows it again, the bot sends the known move or waits for the running search.
"""

import asyncio
import logging
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial

from plywire.clients.connecting.background_tasks import BackgroundTasks
from plywire.clients.connecting.seated_player import SeatedPlayer
from plywire.clients.connecting.transports.open import open_transport
from plywire.clients.play.players.base import Player
from plywire.clients.play.players.pool import PlayerPool
from plywire.engine.game import PositionError
from plywire.engine.registry import load
from plywire.protocol.text import one_line

from . import messages
from .connection import GgsConnection
from .game import GgsGame, line_to
from .match_finder import MatchFinder
from .matches import MAX_GAMES, Matches
from .options import GgsOptions
from .resuming import Resuming

log = logging.getLogger(__name__)

PORT = 5000

_MAX_ANSWERED = 1000
_DEFAULTS = GgsOptions()


class GgsBot:
    """A bot on GGS that plays several games at a time."""

    def __init__(
        self,
        host: str,
        port: int,
        login: str,
        password: str,
        make_player: Callable[[], Player],
        options: GgsOptions = _DEFAULTS,
    ) -> None:
        where = f"{host}:{port}"
        self._options = options
        self._answered: set[str] = set()
        self._rules = load("othello")
        rated = "+" if options.rated else "-"
        self._connection = GgsConnection(
            where,
            login,
            password,
            options.connect or partial(open_transport, f"tcp://{where}"),
            set_up=("client -", "trust +", f"rated {rated}", f"open {options.slots}"),
            on_line=options.on_line,
            backoff=options.backoff,
            timeout=options.timeout,
        )
        self._matches = Matches(options.slots)
        self._players = PlayerPool(make_player, options.slots)
        common = self._connection, self._matches, self._players
        self._finder = MatchFinder(*common, self._rules, options)
        self._resuming = Resuming(*common, replace(options.backoff, longest=options.silence))
        self._failure: Exception | None = None
        self._tasks = BackgroundTasks(self._fail)
        self._of_connection: list[asyncio.Task[None]] = []

    async def run(self, games: int | None = None) -> None:
        """Play `games` games; None plays until cancelled. Call this method once.

        Raises CommandError if the server refuses the login, ConnectionLostError if no GGS server
        can be reached, and PlayerError if the player cannot play.
        """
        self._matches.left = games
        try:
            await self._players.make_ready(self._rules)
            while not self._is_done:
                await self._connection.open()
                self._resuming.begin()
                self._of_connection = [
                    self._tasks.spawn(self._resuming.poll()),
                    self._tasks.spawn(self._seek()),
                ]
                try:
                    await self._serve()
                except (ConnectionError, TimeoutError) as error:
                    log.warning("connection lost: %s", str(error) or "no answer")
                await self._hang_up()
        finally:
            await self._close()

    @property
    def _is_done(self) -> bool:
        if self._failure is not None:
            raise self._failure
        return self._matches.is_done

    async def _serve(self) -> None:
        while not self._is_done:
            async with asyncio.timeout(self._options.silence + self._options.timeout):
                message = await self._connection.next()
            async with asyncio.timeout(self._options.timeout):
                await self._handle(message)

    async def _seek(self) -> None:
        with suppress(TimeoutError):  # adjourned matches are resumed before new ones are sought
            await asyncio.wait_for(self._resuming.told.wait(), self._options.timeout)
        await self._finder.ask()

    async def _hang_up(self) -> None:
        """Close the connection; games in progress may go on over the next one."""
        tasks, self._of_connection = self._of_connection, []
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await self._connection.close()
        self._finder.forget()
        self._matches.break_off()
        while (game := self._matches.pop_forsaken()) is not None:
            await self._players.release(game.seat.player, game.thinking)

    async def _close(self) -> None:
        with suppress(ConnectionError, TimeoutError):
            async with asyncio.timeout(1):
                await self._connection.tell("open 0")
                await self._connection.write("quit")
        await self._hang_up()
        await self._tasks.close()
        lost = (game.seat.player.close() for game in self._matches.lost)
        await asyncio.gather(self._players.close(), *lost)

    async def _handle(self, message: messages.Message) -> None:
        is_me = self._connection.is_me
        match message:
            case messages.Request():
                await self._finder.consider(message)
            case messages.RequestGone():
                self._finder.gone(message.id)
            case messages.MatchStarted() if any(map(is_me, message.players)):
                self._matches.start(message.id, message.type)
                self._finder.found()
            case messages.MatchEnded() if message.id in self._matches:
                self._end_match(message)
            case messages.GameShown():
                self._show(message)
            case messages.GameEnded() if message.id in self._matches.games:
                self._end_game(message)
            case messages.Stored():
                await self._resuming.resume(message)
            case messages.Refused():
                log.warning("refused: %s", one_line(message.text))
                self._finder.refused(message.text)
            case messages.Said():
                await self._answer(message)

    async def _answer(self, said: messages.Said) -> None:
        log.info("said name=%s to=%s: %s", said.name, said.to or "us", one_line(said.text))
        name, is_me = said.name.lower(), self._connection.is_me(said.name)
        if not self._options.reply or said.to or is_me or name in self._answered:
            return
        if len(self._answered) < _MAX_ANSWERED:
            self._answered.add(name)
            await self._connection.write(f"tell {said.name} {self._options.reply}")

    def _show(self, shown: messages.GameShown) -> None:
        names = (shown.sides[0].name, shown.sides[1].name)
        mine = frozenset(side for side in (0, 1) if self._connection.is_me(names[side]))
        game = self._matches.games.get(shown.id)
        if not mine or (game is None and len(self._matches.games) >= MAX_GAMES):
            return
        try:
            line = line_to(self._rules, None if game is None else game.line, shown)
        except PositionError as error:
            log.warning("game=%s is shown as it cannot be: %s", shown.id, error)
            return
        clocks = (shown.sides[0].clock, shown.sides[1].clock)
        if game is None and (game := self._matches.found_again(names, line)) is not None:
            log.info("goes on game=%s, before %s", shown.id, game.id)
        is_new = game is None or game.line.position != line.position
        if game is None:
            game = GgsGame(shown.id, names, mine, SeatedPlayer(self._players.take()), line, clocks)
        self._matches.enter(shown.id, game)
        game.line, game.clocks, game.shown = line, clocks, time.monotonic()
        if is_new:
            game.forget()
            if game.is_our_turn:
                game.thinking = self._tasks.spawn(self._move(game))
        elif game.answer:
            self._tasks.spawn(self._connection.say(game.command))

    async def _move(self, game: GgsGame) -> None:
        await game.find_answer()
        await self._connection.say(game.command)

    def _end_game(self, ended: messages.GameEnded) -> None:
        game = self._matches.end_game(ended.id)
        self._options.on_over(game.over(ended))
        self._tasks.spawn(self._players.release(game.seat.player, game.thinking))

    def _end_match(self, ended: messages.MatchEnded) -> None:
        for game in self._matches.end_match(ended):
            self._tasks.spawn(self._players.release(game.seat.player, game.thinking))
        if ended.left:
            self._resuming.broken_off()

    def _fail(self, error: Exception) -> None:
        self._failure = self._failure or error
        self._connection.hang_up()

"""The arena's commands of one connection."""

import asyncio
import logging
from collections.abc import Callable
from functools import partial

from plywire.clients.play.errors import Termination
from plywire.engine.game import Game
from plywire.engine.registry import load
from plywire.protocol.messages import arena, tournaments, watching
from plywire.protocol.messages.base import Error, ErrorCode, Event
from plywire.protocol.messages.play import Ok
from plywire.server.errors import RefusedError

from .feed.recall import recall_game, recall_round
from .feed.spectator import Spectator
from .live.remote_bot import RemoteBot
from .matchmaking.lobby import Lobby
from .peer import Peer
from .store.journal import JournalError

log = logging.getLogger(__name__)


class ArenaSession:
    """Handles the arena's commands of one connection."""

    def __init__(self, lobby: Lobby, peer: Peer) -> None:
        self._lobby = lobby
        self._peer = peer
        self._bot: RemoteBot | None = None
        self._spectator = Spectator(lobby.feed, peer)

    @property
    def is_bot(self) -> bool:
        return self._bot is not None

    @property
    def may_be_silent(self) -> bool:
        """Whether the client may be silent, because it is a bot or a spectator."""
        return self.is_bot or self._spectator.is_watching

    def probe(self) -> None:
        if self._bot is not None:
            self._bot.probe()

    def check_help(self, game: Game) -> None:
        """Raise RefusedError if the engine would help in a rated game in progress."""
        self._lobby.check_help(self._bot, self._peer.network, game)

    def leave(self) -> None:
        self._spectator.stop()
        bot, self._bot = self._bot, None
        if bot is not None:
            self._lobby.depart(bot, self._peer)

    async def handle(self, command: arena.ArenaCommand, reply: Callable[[Event], None]) -> None:
        """Carry out a command and answer it; a move is answered when it is on disk.

        Raises RefusedError, and RulesError if a game is unknown.
        """
        self._lobby.check_open()
        try:
            await self._handle(command, reply)
        except JournalError as error:
            log.error("journal error=%s", error)
            message = "the server cannot keep games now; try again later"
            raise RefusedError(ErrorCode.INTERNAL, message) from error

    async def _handle(self, command: arena.ArenaCommand, reply: Callable[[Event], None]) -> None:
        if isinstance(command, arena.Login | arena.Guest | arena.Resume):
            await self._enter(command, reply)
            return
        if isinstance(command, watching.Watch | watching.Unwatch):
            reply(Ok())
            if isinstance(command, watching.Watch):
                self._spectator.watch(command.topic)
            else:
                self._spectator.stop()
            return
        if isinstance(command, watching.Recall):
            state = await recall_game(self._lobby.journal, self._lobby.feed, command.table)
            await self._peer.send_when_ready(state)
            reply(Ok())
            return
        if isinstance(command, watching.RecallRound):
            for event in await recall_round(
                self._lobby.journal, self._lobby.feed, command.tournament, command.round
            ):
                await self._peer.send_when_ready(event)
            reply(Ok())
            return
        bot, lobby = self._logged_in(), self._lobby
        matchmaker = lobby.matchmaker
        match command:
            case arena.Lobby():
                self._list(reply)
            case arena.Seek():
                game = _game(command)
                offer = await matchmaker.seek(
                    bot, game, command.limits, rated=command.rated, key=command.key
                )
                reply(arena.Offered(offer=offer.number))
                return
            case arena.Challenge():
                game = _game(command)
                offer = await matchmaker.challenge(
                    bot, command.name, game, command.limits, rated=command.rated
                )
                reply(arena.Offered(offer=offer.number))
                return
            case arena.Accept():
                await matchmaker.accept(bot, command.offer, rated=command.rated)
            case arena.Decline():
                matchmaker.decline(bot, command.offer, command.reason)
            case arena.Withdraw():
                matchmaker.withdraw(bot, command.offer)
            case tournaments.Tournaments():
                await lobby.tournaments.refresh()
                for tournament in lobby.tournaments.listed:
                    reply(await tournament.described())
            case tournaments.Join():
                await lobby.tournaments.join(bot, command.tournament)
            case tournaments.Leave():
                await lobby.tournaments.named(command.tournament).leave(bot)
            case tournaments.Standings():
                for standing in await lobby.tournaments.named(command.tournament).standings():
                    reply(tournaments.Standing(**standing.summary))
            case arena.Play():
                _, player = lobby.table(bot, command.table)
                # Reply when the move is on disk. Other commands do not wait for that.
                kept = player.answer(command, self._peer.heard)
                kept.add_done_callback(partial(_acknowledge, reply))
                return
            case arena.Say():
                table, player = lobby.table(bot, command.table)
                table.say(player, command.text)
            case arena.Note():
                _, player = lobby.table(bot, command.table)
                player.note(command.text)
            case arena.Resign():
                table, player = lobby.table(bot, command.table)
                table.resign(player, Termination(command.termination), command.reason)
            case arena.Abort():
                table, player = lobby.table(bot, command.table)
                table.abort(player)
            case arena.Echo():
                bot.echo(command.number)
            case _:
                raise RefusedError(
                    ErrorCode.UNKNOWN_COMMAND, f"{command.type} is not accepted in the arena"
                )
        reply(Ok())

    async def _enter(
        self, command: arena.Login | arena.Guest | arena.Resume, reply: Callable[[Event], None]
    ) -> None:
        if self._bot is not None:
            raise RefusedError(ErrorCode.BUSY, f"you are logged in, as {self._bot.name}")
        logins = self._lobby.logins
        if isinstance(command, arena.Login):
            bot = await logins.login(command, self._peer.network)
        elif isinstance(command, arena.Guest):
            bot = logins.admit_guest(command.name, command.games, self._peer.network)
        else:
            bot = await logins.resume(command.session)
        self._bot = bot
        reply(
            arena.Welcome(
                name=bot.name, session=bot.session, grace=self._lobby.grace, tables=len(bot.tables)
            )
        )
        self._lobby.arrive(bot, self._peer)

    def _logged_in(self) -> RemoteBot:
        if self._bot is None:
            raise RefusedError(ErrorCode.UNAUTHORIZED, "log in first: login NAME TOKEN")
        if not self._bot.is_on(self._peer):
            replaced = f"another connection has logged in as {self._bot.name}"
            raise RefusedError(ErrorCode.UNAUTHORIZED, self._bot.dismissed or replaced)
        return self._bot

    def _list(self, reply: Callable[[Event], None]) -> None:
        for bot in self._lobby.bots:
            reply(
                arena.Bot(name=bot.name, games=bot.games, slots=bot.slots, tables=len(bot.tables))
            )
        for offer in self._lobby.matchmaker.seeks:
            reply(arena.Offer(**offer.terms))


def _acknowledge(reply: Callable[[Event], None], kept: asyncio.Future[RefusedError | None]) -> None:
    refusal = kept.result()
    reply(Ok() if refusal is None else Error(code=refusal.code, message=str(refusal)))


def _game(terms: arena.Seek | arena.Challenge) -> Game:
    return load(terms.game, terms.size)

"""Logins to the arena, and the dismissal of bots whose accounts were removed."""

import asyncio
import logging
from collections.abc import Callable

from plywire.engine.registry import load
from plywire.protocol.messages.arena import Login
from plywire.protocol.messages.base import ErrorCode
from plywire.server.arena.live.presence import Presence
from plywire.server.arena.live.remote_bot import RemoteBot
from plywire.server.arena.store.accounts import AccountError, Accounts, digest
from plywire.server.errors import RefusedError

from .guests import Guests
from .wrong_logins import WrongLogins

log = logging.getLogger(__name__)

#: Seconds between two readings of the accounts. Other processes may change them.
_CHECK_ACCOUNTS_EVERY = 1.0


class Logins:
    """Begins and resumes the sessions of bots with accounts, and of guests."""

    def __init__(
        self,
        presence: Presence,
        accounts: Accounts,
        guests: int,
        withdraw_all: Callable[[RemoteBot], None],
    ) -> None:
        self._presence = presence
        self._accounts = accounts
        self._guests = Guests(presence, guests)
        self._withdraw_all = withdraw_all
        self._wrong_logins = WrongLogins(presence.clock)
        self._reading = asyncio.Lock()

    async def login(self, command: Login, address: str | None) -> RemoteBot:
        """Begin a bot's new session; raises RefusedError, delayed after many wrong tokens."""
        for game in command.games:
            load(game)
        try:
            # Use one thread at a time. Many threads would slow the event loop.
            async with self._reading:
                owner = await asyncio.to_thread(self._accounts.verify, command.name, command.token)
        except AccountError:
            log.exception("accounts cannot be read")
            raise RefusedError(
                ErrorCode.INTERNAL, "the accounts cannot be read now: try again later"
            ) from None
        if owner is None:
            await self._wrong_logins.delay(address)
            raise RefusedError(
                ErrorCode.UNAUTHORIZED,
                "no bot has this name and token: `plywire bot add NAME` prints a token",
            )
        bot = self._presence.admit(command.name)
        bot.owner = owner
        self._presence.begin_session(bot, digest(command.token), command.games, command.slots)
        return bot

    def admit_guest(self, name: str, games: tuple[str, ...], address: str | None) -> RemoteBot:
        """Begin the session of a guest with this name or a similar name; raises RefusedError."""
        guest = self._guests.admit(name, games, address)
        log.info("guest name=%s", guest.name)
        return guest

    async def resume(self, session: str) -> RemoteBot:
        """Return the bot of a session; raises RefusedError if the session is unknown or over."""
        if (bot := self._presence.by_session(session)) is not None:
            await self._dismiss_removed(bot)
            if self._presence.by_session(session) is bot:
                return bot
        raise RefusedError(ErrorCode.UNAUTHORIZED, "no such session, or it is over: log in")

    async def keep_checking(self) -> None:
        while True:
            await self._presence.clock.sleep(_CHECK_ACCOUNTS_EVERY)
            await self._dismiss_removed()
            self._wrong_logins.report()
            for guest in self._guests.overdue():
                self._withdraw_all(guest)
                self._presence.dismiss(guest, "guests who play no game may stay for half an hour")

    async def _dismiss_removed(self, only: RemoteBot | None = None) -> None:
        """Dismiss bots whose accounts were removed, even if new accounts have their names."""
        bots = [only] if only else self._presence.known
        known = {bot: bot.digest for bot in bots if not (bot.is_guest or bot.is_expected)}
        if not known:
            return
        try:
            digests = await asyncio.to_thread(self._accounts.digests, only.name if only else None)
        except AccountError as error:
            log.error("accounts error=%s", error)
            return
        for bot, kept in known.items():
            # If `bot.digest` has changed since, the bot has logged in again with a valid account.
            if (
                bot.digest == kept
                and digests.get(bot.name) != kept
                and self._presence.known_by(bot.name) is bot
            ):
                log.info("removed bot=%s tables=%d", bot.name, len(bot.tables))
                self._withdraw_all(bot)
                self._presence.dismiss(bot, "its account was removed")

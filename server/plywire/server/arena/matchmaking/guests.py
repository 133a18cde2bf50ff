"""Guests: people without an account, so many at a time, for so long, and never rated."""

import asyncio
from itertools import count

from plywire.engine.registry import load
from plywire.protocol.messages.base import ErrorCode
from plywire.protocol.messages.limits import Clock, Limits
from plywire.server.arena.live.bot_player import Bot
from plywire.server.arena.live.presence import Presence
from plywire.server.arena.store.accounts import GUEST, AccountError, Accounts
from plywire.server.errors import RefusedError

#: From one address there may be a quarter of all guests, but as many as play one game.
_LEAST_OF_ADDRESS = 2
#: Seconds that a guest may stay without a game.
_STAY = 1800.0
#: The most time of a guest's game, in ms: on the clock, and for a move.
_CLOCK = 3_600_000
_MOVE = 60_000


class Guests:
    """Lets guests in, and says what they may do."""

    def __init__(self, presence: Presence, accounts: Accounts, most: int) -> None:
        """At most so many at a time, none where that is 0."""
        self._presence = presence
        self._accounts = accounts
        self._most = most
        self._idle_since: dict[Bot, float] = {}

    async def admit(self, name: str, games: tuple[str, ...], address: str | None) -> Bot:
        """A new guest, under that name or one like it; raises RefusedError."""
        for game in games:
            load(game)
        free = await self._free(name)
        known = self._presence.guests
        if not self._most:
            raise RefusedError(
                ErrorCode.UNAVAILABLE, "this server takes no guests: log in by a name and a token"
            )
        if len(known) >= self._most:
            raise RefusedError(
                ErrorCode.TOO_MANY, f"all {self._most} places for guests are taken: try again later"
            )
        each = max(_LEAST_OF_ADDRESS, self._most // 4)
        if address is not None and sum(guest.last_address == address for guest in known) >= each:
            raise RefusedError(
                ErrorCode.TOO_MANY,
                f"all {each} places for guests of your address are taken: try again later",
            )
        guest = self._presence.admit(free, is_guest=True)
        self._presence.begin_session(guest, b"", games, slots=1)
        return guest

    def overdue(self) -> list[Bot]:
        """Those who have had no game for too long; to be asked for every now and then."""
        guests, now = self._presence.guests, self._presence.clock.now()
        self._idle_since = {
            guest: now if guest.players else self._idle_since.get(guest, now) for guest in guests
        }
        return [guest for guest, since in self._idle_since.items() if now - since > _STAY]

    async def _free(self, name: str) -> str:
        """A name that no bot has, of an account or without one."""
        wanted = f"{GUEST}{name.removeprefix(GUEST)}"
        for number in count(1):
            ending = "" if number == 1 else f"-{number}"
            free = wanted[: 64 - len(ending)] + ending
            try:
                is_bot = await asyncio.to_thread(self._accounts.digests, free)
            except AccountError:
                raise RefusedError(
                    ErrorCode.INTERNAL, "the accounts cannot be read now: try again later"
                ) from None
            if not is_bot and self._presence.known_by(free) is None:
                return free
        raise AssertionError  # numbers do not end


def check_guest(bot: Bot, limits: Limits, *, rated: bool) -> None:
    """Raises RefusedError if the bot is a guest, and guests play no such games."""
    if not bot.is_guest:
        return
    if rated:
        raise RefusedError(ErrorCode.UNAVAILABLE, "guests play no rated games")
    clock = limits.clock or Clock(p1=0, p2=0)
    each_move = (limits.movetime or 0, clock.inc1, clock.inc2, clock.byoyomi)
    if max(clock.left(1), clock.left(2)) > _CLOCK or max(each_move) > _MOVE:
        raise RefusedError(
            ErrorCode.BAD_VALUE,
            "guests play games of at most an hour on the clock and a minute a move",
        )

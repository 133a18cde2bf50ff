"""Guests: people without an account, limited in number and time, and never rated."""

from functools import cache
from itertools import count

from plywire.engine.registry import load
from plywire.protocol.messages.base import ErrorCode
from plywire.protocol.messages.limits import Clock, Limits
from plywire.server.arena.live.presence import Presence
from plywire.server.arena.live.remote_bot import RemoteBot
from plywire.server.arena.store.accounts import GUEST
from plywire.server.errors import RefusedError

#: The guests of one address may take a quarter of all places. They may always take two places, so
#: that two of them can play each other.
_LEAST_OF_ADDRESS = 2
#: Maximum time in seconds that a guest may stay without a game.
_STAY = 1800.0
#: The times that guests may choose, in ms: _MOVE for each move, and _CLOCK on the clock. The list
#: is fixed, because the journal keeps a series for each time control.
_STEPS = (*range(1, 11), 12, 15, 20, 25, 30, 40, 45, 60)
_MOVE = (100, 200, 500, *(1000 * seconds for seconds in _STEPS))
_CLOCK = (15_000, 30_000, *(60_000 * minutes for minutes in _STEPS))


class Guests:
    """Admits guests, up to a maximum number."""

    def __init__(self, presence: Presence, most: int) -> None:
        self._presence = presence
        self._most = most
        self._idle_since: dict[RemoteBot, float] = {}

    def admit(self, name: str, games: tuple[str, ...], address: str | None) -> RemoteBot:
        """Create a guest with this name or a similar name; raises RefusedError."""
        for game in games:
            load(game)
        free = self._free(name)
        known = [guest for guest in self._presence.guests if guest.name != free]
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

    def overdue(self) -> list[RemoteBot]:
        """Return the guests that have been without a game for too long; call this regularly."""
        guests, now = self._presence.guests, self._presence.clock.now()
        self._idle_since = {
            guest: now if guest.tables else self._idle_since.get(guest, now) for guest in guests
        }
        return [guest for guest, since in self._idle_since.items() if now - since > _STAY]

    def _free(self, name: str) -> str:
        wanted = f"{GUEST}{name.removeprefix(GUEST)}"
        for number in count(1):
            ending = "" if number == 1 else f"-{number}"
            free = wanted[: 64 - len(ending)] + ending
            known = self._presence.known_by(free)
            if known is None or known.is_expected:
                return free
        raise AssertionError  # Never reached, because `count` is endless.


def check_guest(bot: RemoteBot, limits: Limits, *, rated: bool) -> None:
    """Raise RefusedError if the bot is a guest and guests may play no game of this kind."""
    if not bot.is_guest:
        return
    if rated:
        raise RefusedError(ErrorCode.UNAVAILABLE, "guests play no rated games")
    if limits not in _guest_limits():
        raise RefusedError(
            ErrorCode.BAD_VALUE,
            "guests play by times of a fixed list: a movetime or both clocks alike, an hour on the "
            "clock and a minute for a move at most, without byoyomi, depth and nodes; such as "
            "movetime 10000, or clock 300000 300000 3000 3000",
        )


@cache
def _guest_limits() -> frozenset[Limits]:
    each_move = (Limits(movetime=ms) for ms in _MOVE)
    clocks = (
        Limits(clock=Clock(p1=time, p2=time, inc1=gain, inc2=gain))
        for time in _CLOCK
        for gain in (0, *_MOVE)
    )
    return frozenset((*each_move, *clocks))

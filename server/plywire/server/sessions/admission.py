"""Who may have a session while many want one."""

import ipaddress
from collections import Counter
from typing import Protocol

from plywire.protocol.messages.base import ErrorCode
from plywire.server.errors import RefusedError

#: The part of an IPv6 address that names a network: who has one address has all of its network.
_NETWORK_BITS = 64


class Member(Protocol):
    """Who has a session."""

    network: str | None
    """What it shares a limit with others of, as `network_of` names it."""

    @property
    def is_bot(self) -> bool:
        """Whether it has logged in."""

    @property
    def is_silent(self) -> bool:
        """Whether it has said nothing yet, though it had the time."""

    def end(self, reason: str) -> None:
        """Say goodbye and hang up."""


class Admission:
    """Gives out sessions: so many in all, and to one address, and some only to bots.

    Nobody is a bot before it has logged in, for which it needs a session: so the reserved ones are
    given to anybody, but only for as long as logging in takes. When those who come find no other,
    the oldest that has said nothing yet gives its session up.
    """

    def __init__(self, *, most: int, reserved: int, each: int) -> None:
        """Nobody has one yet; `each` is the most of one address, 0 any number."""
        self._members: dict[Member, None] = {}
        self._of_network: Counter[str | None] = Counter()
        self._most = most
        self._unreserved = most - min(reserved, most // 2)
        self._each = each

    def admit(self, network: str | None) -> bool:
        """Whether a newcomer may stay as it is; if not, it must log in soon.

        Raises RefusedError if there is no session for it.
        """
        if self._each and network is not None and self._of_network[network] >= self._each:
            raise RefusedError(
                ErrorCode.TOO_MANY,
                f"all {self._each} sessions of your address are taken: close one of yours",
            )
        if not self._has_unreserved:
            silent = next((one for one in self._members if one.is_silent), None)
            if silent is not None:
                silent.end("nothing said, and others need the session")
                self.leave(silent)
        if len(self._members) >= self._most:
            raise RefusedError(
                ErrorCode.TOO_MANY, f"all {self._most} sessions are taken: try again later"
            )
        return self._has_unreserved

    @property
    def _has_unreserved(self) -> bool:
        """Whether there is a session that is not kept for bots."""
        if len(self._members) < self._unreserved:
            return True
        return sum(not member.is_bot for member in self._members) < self._unreserved

    def enter(self, member: Member) -> None:
        """Count one that was admitted."""
        self._members[member] = None
        self._of_network[member.network] += 1

    def leave(self, member: Member) -> None:
        """Count it no more, if it is counted still."""
        if member not in self._members:
            return
        del self._members[member]
        self._of_network[member.network] -= 1
        if not self._of_network[member.network]:
            del self._of_network[member.network]


def network_of(host: str | None) -> str | None:
    """What shares a limit: an IPv4 address or an IPv6 network; None on this machine, as unlimited.

    A proxy, a benchmark or a bot on this machine may open as many as it likes.
    """
    if host is None:
        return None
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        if address.ipv4_mapped is None:
            if address.is_loopback:
                return None
            return str(ipaddress.IPv6Network((address, _NETWORK_BITS), strict=False))
        address = address.ipv4_mapped
    return None if address.is_loopback else str(address)

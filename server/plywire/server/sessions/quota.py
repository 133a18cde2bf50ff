"""The quota of sessions: in all, for one address, and for bots."""

import ipaddress
from collections import Counter
from typing import Protocol

from plywire.protocol.messages.base import ErrorCode
from plywire.server.errors import RefusedError

#: The part of an IPv6 address that names a network: its owner has all addresses of the network.
_NETWORK_BITS = 64


class Member(Protocol):
    """A client that has a session."""

    network: str | None
    """The clients of one network share a limit, see `network_of`."""

    @property
    def is_bot(self) -> bool:
        """Whether it has logged in."""

    @property
    def is_silent(self) -> bool:
        """Whether it has said nothing yet, though it had the time."""

    def end(self, reason: str) -> None:
        """Say goodbye and hang up."""


class SessionQuota:
    """Limits the sessions in all and those of one address, and keeps some for bots.

    A client is no bot before it has logged in, for which it needs a session. So anybody may have a
    session that is kept for bots, but only for the time that a login takes. If none but these are
    left, the oldest client that has said nothing yet gives its session up.
    """

    def __init__(self, *, most: int, reserved: int, each: int) -> None:
        """`each` is the most sessions of one address, 0 any number."""
        self._members: dict[Member, None] = {}
        self._of_network: Counter[str | None] = Counter()
        self._most = most
        self._unreserved = most - min(reserved, most // 2)
        self._each = each

    def admit(self, network: str | None) -> bool:
        """Return whether a new client may stay without a login; if not, it must log in soon.

        Raises RefusedError if there is no session for it.
        """
        if self._each and network is not None and self._of_network[network] >= self._each:
            raise RefusedError(
                ErrorCode.TOO_MANY,
                f"all {self._each} sessions of your address are taken: close one of yours",
            )
        if not self._has_unreserved:
            silent = next((member for member in self._members if member.is_silent), None)
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
        """Count a client that was admitted."""
        self._members[member] = None
        self._of_network[member.network] += 1

    def leave(self, member: Member) -> None:
        """Stop counting a client, if it is still counted."""
        if member not in self._members:
            return
        del self._members[member]
        self._of_network[member.network] -= 1
        if not self._of_network[member.network]:
            del self._of_network[member.network]


def network_of(host: str | None) -> str | None:
    """Return the IPv4 address or IPv6 network that shares a limit, None for this machine.

    A proxy, a benchmark or a bot on this machine may open any number of connections.
    """
    if host is None:
        return None
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return host
    if isinstance(address, ipaddress.IPv6Address):
        address = address.ipv4_mapped or address
    if address.is_loopback:
        return None
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.IPv6Network((address, _NETWORK_BITS), strict=False))
    return str(address)

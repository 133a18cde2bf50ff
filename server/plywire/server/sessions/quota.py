"""The quota of sessions: in total, for each address, and for bots."""

import ipaddress
from collections import Counter
from typing import Protocol

from plywire.protocol.messages.base import ErrorCode
from plywire.server.errors import RefusedError

#: Number of bits of an IPv6 address that name its network. All addresses of a network belong to one
#: owner, so they count as one.
_NETWORK_BITS = 64


class Member(Protocol):
    """A client that has a session."""

    network: str | None
    """The result of `network_of`; the clients of one network share a limit."""

    @property
    def is_bot(self) -> bool:
        """Whether the client has logged in to the arena."""

    @property
    def is_silent(self) -> bool:
        """Whether the client has been connected for a second or longer and has sent nothing."""

    def end(self, reason: str) -> None:
        """Say goodbye and close the connection."""


class SessionQuota:
    """A limit of sessions in total and for each address, with some reserved for bots.

    A client needs a session before it can log in as a bot. So any client may have a reserved
    session, but only for the time of a login. If only reserved sessions are left, the oldest silent
    client loses its session.
    """

    def __init__(self, *, most: int, reserved: int, each: int) -> None:
        """`each` is the limit for one address; 0 is no limit."""
        self._members: dict[Member, None] = {}
        self._of_network: Counter[str | None] = Counter()
        self._most = most
        self._unreserved = most - min(reserved, most // 2)
        self._each = each

    def admit(self, network: str | None) -> bool:
        """Return whether a client may stay without a login.

        Raises RefusedError if no session is free for the client.
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
        if len(self._members) < self._unreserved:
            return True
        return sum(not member.is_bot for member in self._members) < self._unreserved

    def enter(self, member: Member) -> None:
        self._members[member] = None
        self._of_network[member.network] += 1

    def leave(self, member: Member) -> None:
        if member not in self._members:
            return
        del self._members[member]
        self._of_network[member.network] -= 1
        if not self._of_network[member.network]:
            del self._of_network[member.network]


def network_of(host: str | None) -> str | None:
    """Return the IPv4 address or IPv6 network that shares a limit; None for this machine."""
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

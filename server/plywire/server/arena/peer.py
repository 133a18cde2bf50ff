"""The interface of a connection that the arena uses."""

from typing import Protocol

from plywire.protocol.messages.base import Event


class Peer(Protocol):
    """The connection of a bot or of a spectator."""

    @property
    def network(self) -> str | None:
        """The IPv4 address or the IPv6 network, which has one owner; None if local or through a
        broker."""

    @property
    def round_trip(self) -> float | None:
        """The kernel's round-trip time in seconds; None if unknown."""

    @property
    def heard(self) -> float:
        """The time on the server's clock when the current command arrived."""

    def notify(self, event: Event) -> None:
        """Send an event that answers no command."""

    def pass_on(self, event: Event) -> None:
        """Send a notice that another bot caused; if too many wait, the oldest are dropped."""

    async def send_when_ready(self, event: Event) -> None:
        """Wait until the peer can take an event, and send it; the event answers no command."""

    def end(self, reason: str) -> None:
        """Send the reason and close the connection."""

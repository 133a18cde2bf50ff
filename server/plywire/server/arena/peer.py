"""A connection, as the arena sees it."""

from typing import Protocol

from plywire.protocol.messages.base import Event


class Peer(Protocol):
    """The connection of a bot or of a spectator."""

    @property
    def network(self) -> str | None:
        """The address, or the network of one owner; None on this machine and by a broker."""

    @property
    def round_trip(self) -> float | None:
        """The round-trip time in seconds that the kernel finds, None if it is unknown."""

    @property
    def heard(self) -> float:
        """The time on the server's clock when the current command came."""

    def notify(self, event: Event) -> None:
        """Send an event that answers no command."""

    def pass_on(self, event: Event) -> None:
        """Send a notice that another bot causes; the oldest that wait are dropped."""

    async def send_when_ready(self, event: Event) -> None:
        """Send an event that answers no command, when the peer can take it."""

    def end(self, reason: str) -> None:
        """Say goodbye and close the connection."""

"""A connection, as the arena sees it."""

from typing import Protocol

from plywire.protocol.messages.base import Event


class Peer(Protocol):
    """A bot's or a watcher's connection."""

    @property
    def network(self) -> str | None:
        """Its address, or the network that has one owner; None on this machine and by a broker."""

    @property
    def round_trip(self) -> float | None:
        """Seconds to it and back, as the kernel finds them; None if that is not known."""

    @property
    def heard(self) -> float:
        """When what is being carried out came, by the server's clock."""

    def notify(self, event: Event) -> None:
        """Send what nobody asked for."""

    def pass_on(self, event: Event) -> None:
        """Send a notice that another bot causes; of those that wait, the oldest are dropped."""

    async def send_when_ready(self, event: Event) -> None:
        """Send what nobody asked for, when the peer takes it."""

    def end(self, reason: str) -> None:
        """Say goodbye and hang up."""

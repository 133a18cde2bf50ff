"""The interface of all transports."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

#: Seconds to wait for the peer when a connection is closed: it may have gone without a word.
CLOSED_WITHIN = 1.0


class ClientTransport(ABC):
    """A connected byte stream in both directions; a failed one reads as ended."""

    @abstractmethod
    async def read(self) -> bytes:
        """Whatever came next, empty once the peer has gone."""

    @abstractmethod
    async def write(self, lines: Sequence[str]) -> None:
        """Send lines, given without line endings.

        Raises OSError if the peer has gone.
        """

    @abstractmethod
    async def close(self) -> None:
        """Close the connection in any state."""

"""The interface of all transports."""

from abc import ABC, abstractmethod
from collections.abc import Sequence

#: Seconds to wait for the server or engine when closing. It may be gone already.
CLOSED_WITHIN = 1.0


class ClientTransport(ABC):
    """A byte stream in both directions; after a failure, `read` returns the end of the stream."""

    @abstractmethod
    async def read(self) -> bytes:
        """Return the next bytes; empty after the end of the stream."""

    @abstractmethod
    async def write(self, lines: Sequence[str]) -> None:
        """Send lines, given without line endings; raises OSError if the connection is lost."""

    @abstractmethod
    async def close(self) -> None:
        """Close the connection in any state."""

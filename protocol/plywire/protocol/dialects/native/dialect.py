"""The native line protocol: one command a line, one event a line.

Each message describes how it is written (`syntax` in its class), and `grammar.py` reads and writes
by that. The grammar as a whole is in `docs/reference/protocol/core.md`, section "Native".
"""

from typing import ClassVar

from .answering import Answering
from .driving import Driving


class Native(Answering, Driving):
    """The dialect spoken to whoever is not recognised as speaking another."""

    name: ClassVar[str] = "plywire"

    @classmethod
    def opens(cls, line: str) -> bool:
        """Any line may be one of a person typing."""
        return True

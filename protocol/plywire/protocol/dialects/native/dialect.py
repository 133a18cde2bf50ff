"""The native line protocol: one command a line, one event a line.

Each message describes how it is written (`syntax` in its class), and `grammar.py` reads and writes
by that. The grammar as a whole is in `docs/reference/protocol/core.md`, section "Native".
"""

from typing import ClassVar

from plywire.protocol.dialects.base import Dialect


class Native(Dialect):
    """The dialect spoken to whoever is not recognised as speaking another."""

    name: ClassVar[str] = "plywire"

"""The native line protocol: each line is one command or one event.

The grammar is in `docs/reference/protocol/core.md`, section "Native".
"""

from typing import ClassVar

from plywire.protocol.dialects.base import Dialect


class Native(Dialect):
    """The dialect for peers that no other dialect recognises."""

    name: ClassVar[str] = "plywire"

"""What dialects without a field for it say of a move that the engine did not search.

The line is a comment of the dialect, and comes before the move.
"""

from collections.abc import Mapping
from types import MappingProxyType

from plywire.protocol.messages.play import SearchedBy

#: The text by what found the move.
NOTES: Mapping[SearchedBy, str] = MappingProxyType(
    {
        "plain": "the engine is being prepared: this move comes from a plain search",
        "none": "the engine is being prepared: this move comes from no search",
    }
)

_READ = {text: by for by, text in NOTES.items()}


def read_note(text: str) -> SearchedBy | None:
    """Read what found the next move; None if the text is no such note."""
    return _READ.get(text)

"""Comments before moves that the engine did not search, in dialects without a field for that."""

from collections.abc import Mapping
from types import MappingProxyType

from plywire.protocol.messages.play import SearchedBy

#: The comment on a move that the engine did not search, for each other origin of a move.
NOTES: Mapping[SearchedBy, str] = MappingProxyType(
    {
        "plain": "the engine is being prepared: this move comes from a plain search",
        "none": "the engine is being prepared: this move comes from no search",
    }
)

_READ = {text: by for by, text in NOTES.items()}


def read_note(text: str) -> SearchedBy | None:
    """Return what found the next move, None if the text does not say that."""
    return _READ.get(text)

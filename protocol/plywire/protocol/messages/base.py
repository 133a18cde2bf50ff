"""What all commands, and all events, have in common."""

from pydantic import BaseModel, ConfigDict

from .fields import Id


class CommandMessage(BaseModel):
    """A command."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    type: str
    id: Id = None
    """Echoed on every event that answers this command."""


class EventMessage(BaseModel):
    """An event."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    type: str
    id: Id = None
    """That of the command being answered."""

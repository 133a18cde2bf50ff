"""How long a peer may ask the engine to think."""

from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field

#: One day, in milliseconds: no limit or clock may exceed it.
MAX_MS = 86_400_000

Milliseconds = Annotated[int, Field(ge=0, le=MAX_MS)]


class Clock(BaseModel):
    """The time left to each player, as chess clocks show it."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    p1: Milliseconds
    """Time left to the first player, in ms."""
    p2: Milliseconds
    """Time left to the second player, in ms."""
    inc1: Milliseconds = 0
    """What the first player gains after each move, in ms."""
    inc2: Milliseconds = 0
    """What the second player gains after each move, in ms."""


class Limits(BaseModel):
    """When a search must end: at the first of the limits given.

    With no limit at all the server's own think time applies, as with `infinite`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    movetime: Milliseconds | None = None
    """Time for this move, in ms."""
    depth: Annotated[int, Field(ge=1, le=128)] | None = None
    """Deepest iteration, in plies."""
    nodes: Annotated[int, Field(ge=1, le=2**53)] | None = None
    """Positions to visit at most."""
    clock: Clock | None = None
    """Game clocks; the engine decides how much of its own to spend."""
    infinite: bool = False
    """Search until `stop`, even when the result is proven."""

    def after(self, player: int, ms: int) -> "Limits":
        """What is left of the limits when player 1 or 2 has thought for that long."""
        changes: dict[str, object] = {}
        if self.movetime is not None:
            changes["movetime"] = max(0, self.movetime - ms)
        if self.clock is not None:
            own = f"p{player}"
            left = max(0, getattr(self.clock, own) - ms)
            changes["clock"] = self.clock.model_copy(update={own: left})
        return self.model_copy(update=changes)

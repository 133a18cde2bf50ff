"""How long a client may ask the engine to think."""

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field, ValidationError

from .fields import Part
from .wording import problem

#: Maximum time of a limit or a clock, in ms: one day.
MAX_MS = 86_400_000

Milliseconds = Annotated[int, Field(ge=0, le=MAX_MS)]

#: Maximum number of byo-yomi periods of each player.
MAX_PERIODS = 1000

Periods = Annotated[int, Field(ge=0, le=MAX_PERIODS)]


class _Limiting(Part):
    """The base of models that people use in their programs; a wrong value gives a one-line
    ValueError."""

    if not TYPE_CHECKING:  # hidden from type checkers, so that they see the fields as the arguments

        def __init__(self, /, **fields: Any) -> None:
            """Raise ValueError, with what is accepted, if a field does not fit."""
            try:
                super().__init__(**fields)
            except ValidationError as error:
                kind = type(self)
                found = error.errors(include_url=False)[0]
                words = problem(found, kind, {"clock": Clock})
                raise ValueError(f"{kind.__name__}: {words}") from None

        # With this mark, pydantic does not call `__init__` when it reads messages.
        __init__.__pydantic_base_init__ = True


class Clock(_Limiting):
    """The time left to each player, as chess clocks show it."""

    p1: Milliseconds
    """Time left to player 1, in ms."""
    p2: Milliseconds
    """Time left to player 2, in ms."""
    inc1: Milliseconds = 0
    """Increment of player 1 after each move, in ms."""
    inc2: Milliseconds = 0
    """Increment of player 2 after each move, in ms."""
    byoyomi: Milliseconds = 0
    """Length of a byo-yomi period, in ms; 0 is no byo-yomi. Periods begin when the time left is
    used up. A move within a period leaves the period whole."""
    periods1: Periods = 0
    """Number of periods left to player 1."""
    periods2: Periods = 0
    """Number of periods left to player 2."""

    def left(self, player: int) -> int:
        """Return the longest time for the next move of player 1 or 2, in ms.

        This is the main time and all periods.
        """
        time, periods = (self.p1, self.periods1) if player == 1 else (self.p2, self.periods2)
        return time + periods * self.byoyomi

    def after(self, player: int, ms: int) -> "Clock":
        """Return the clock after player 1 or 2 has thought for `ms` and has not moved yet.

        The rest of a byo-yomi period that has begun becomes main time, so the sum is right.
        """
        time, periods = (self.p1, self.periods1) if player == 1 else (self.p2, self.periods2)
        time -= ms
        while time < 0 < periods and self.byoyomi:
            periods -= 1
            time += self.byoyomi
        return self._with(player, max(time, 0), periods)

    def moved(self, player: int, ms: int) -> "Clock":
        """Return the clock after a move of player 1 or 2 that took `ms`.

        The byo-yomi period in which the player moved is whole again. So a move within the time
        never uses up the last period.
        """
        time, periods, increment = (
            (self.p1, self.periods1, self.inc1)
            if player == 1
            else (self.p2, self.periods2, self.inc2)
        )
        over = ms - time
        if over > 0 and periods and self.byoyomi:
            periods = max(periods - (over - 1) // self.byoyomi, 1)
            time, ms = 0, 0
        return self._with(player, min(max(time + increment - ms, 0), MAX_MS), periods)

    def facing(self, player: int, other: "Clock") -> "Clock":
        """Return the clock for `player`: the opponent's times come from the clock `other`.

        If the periods of `other` have another length, the opponent's whole time becomes main time.
        """
        opponent = 3 - player
        parts = {name: getattr(other, f"{name}{opponent}") for name in ("p", "inc", "periods")}
        if other.byoyomi != self.byoyomi:
            parts |= {"p": min(other.left(opponent), MAX_MS), "periods": 0}
        return self.model_copy(update={f"{name}{opponent}": parts[name] for name in parts})

    def _with(self, player: int, time: int, periods: int) -> "Clock":
        return self.model_copy(update={f"p{player}": time, f"periods{player}": periods})

    @property
    def without_byoyomi(self) -> "Clock":
        """Return a clock for players who know no byo-yomi.

        One period is added to the time left and to the increment. Further periods are left out, so
        this clock never shows more time than there is.
        """
        gain1, gain2 = (self.byoyomi if left else 0 for left in (self.periods1, self.periods2))
        return Clock(
            p1=min(self.p1 + gain1, MAX_MS),
            p2=min(self.p2 + gain2, MAX_MS),
            inc1=min(self.inc1 + gain1, MAX_MS),
            inc2=min(self.inc2 + gain2, MAX_MS),
        )


class Limits(_Limiting):
    """When a search must end: at the first of the limits given.

    With no limit at all, the server's own think time applies, as with `infinite`.
    """

    movetime: Milliseconds | None = None
    """Time for this move, in ms."""
    depth: Annotated[int, Field(ge=1, le=128)] | None = None
    """Deepest iteration, in plies."""
    nodes: Annotated[int, Field(ge=1, le=2**53)] | None = None
    """Most positions to visit."""
    clock: Clock | None = None
    """Game clocks; the engine decides how much of its own time to spend."""
    infinite: bool = False
    """Search until `stop`, even when the result is proven."""

    @property
    def of_time(self) -> "Limits":
        """Return only the limits of time: the time for the move, and the clock."""
        return Limits(movetime=self.movetime, clock=self.clock)

    def after(self, player: int, ms: int) -> "Limits":
        """Return the limits that are left after player 1 or 2 has thought for `ms`."""
        changes: dict[str, object] = {}
        if self.movetime is not None:
            changes["movetime"] = max(0, self.movetime - ms)
        if self.clock is not None:
            changes["clock"] = self.clock.after(player, ms)
        return self.model_copy(update=changes)

    def facing(self, player: int, other: "Limits") -> "Limits":
        """Return the limits for `player`: the opponent's times come from the limits `other`.

        If one of them has no clock, nothing changes.
        """
        if self.clock is None or other.clock is None:
            return self
        return self.model_copy(update={"clock": self.clock.facing(player, other.clock)})

    def narrowed(self, own: "Limits | None") -> "Limits":
        """Return the limits of a game, each lowered to a player's own limit if that is lower.

        The clock stays that of the game.
        """
        if own is None:
            return self
        changes = {}
        for name in ("movetime", "depth", "nodes"):
            given = (getattr(self, name), getattr(own, name))
            changes[name] = min((limit for limit in given if limit is not None), default=None)
        return self.model_copy(update=changes)

    def common(self, other: "Limits") -> "Limits":
        """Return the limits that both players share, and a clock with the times of each.

        These limits are those of player 1, and `other` are those of player 2.
        """
        if self == other:
            return self
        same = {name: value for name, value in self if value == getattr(other, name)}
        clock = None if other.clock is None else self.facing(1, other).clock
        return Limits(**same | {"clock": clock})

    def left(self, player: int) -> int | None:
        """Return the longest time for the next move of player 1 or 2, in ms; None without a limit.

        Positions count players from 0, so pass a position's `turn` plus 1.
        """
        times = [] if self.movetime is None else [self.movetime]
        if self.clock is not None:
            times.append(self.clock.left(player))
        return min(times, default=None)

"""The facade: one call analyses a position of any game."""

from collections.abc import Callable

from .analysis import Analysis, Info
from .game import Position
from .limits import Limits


class Stop:
    """Ends the search it was given to: safe to set from any thread, before or during the search."""

    def set(self) -> None:
        """End the search at once."""
        raise NotImplementedError


class Engine:
    """Searches positions of any game, one at a time, with one transposition table.

    No two engines share anything but compiled code.
    """

    def __init__(self, *, hash_mb: int = 16, threads: int = 1) -> None:
        """Allocate a table of `hash_mb` MB and use that many threads a search."""
        raise NotImplementedError

    def analyse(
        self,
        position: Position,
        limits: Limits | None = None,
        on_info: Callable[[Info], None] | None = None,
        *,
        multipv: int = 1,
        stop: Stop | None = None,
    ) -> Analysis:
        """Search a position in the calling thread; callable from any thread, one search at a time.

        `on_info` is called in the searching thread with each line of each finished iteration.
        Raises EngineBusyError if a search is running already.
        """
        raise NotImplementedError

    def stop(self) -> None:
        """End the running search, if there is one, at once; callable from any thread."""
        raise NotImplementedError

    def clear(self) -> None:
        """Forget what was learnt from earlier searches."""
        raise NotImplementedError

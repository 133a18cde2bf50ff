"""Whether a game can be searched at full speed, and how it gets there.

Kernels run as machine code, which each machine makes once from the IR that the package ships. Until
then a game is not ready: a plain search on its rules stands in.
"""

from collections.abc import Callable
from dataclasses import dataclass

from .game import Game

_ready = set[Game]()


class PreparationError(RuntimeError):
    """A game cannot be prepared; the message says what is missing and what to do, in one line."""


@dataclass(frozen=True, slots=True)
class Progress:
    """How far the preparation of a game has come."""

    step: str
    """What is being done, such as `machine code`."""
    seconds_left: float | None = None
    """An estimate of the time until the game is ready, None where nothing is known."""


def is_ready(game: Game) -> bool:
    """Whether the engine can search the game at once; takes microseconds, from any thread."""
    return game in _ready


def prepare(game: Game, on_progress: Callable[[Progress], None] | None = None) -> None:
    """Make a game ready, and return when it is; callable from any thread, again and again.

    `on_progress` is called in the calling thread, at least once a second while work goes on.
    Raises PreparationError if it cannot be done.
    """
    from .engine import warm

    if game not in _ready:
        warm(game, lambda step, number, count: on_progress and on_progress(Progress(step)))
        _ready.add(game)

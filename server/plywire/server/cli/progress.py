"""How far a command is, on standard error output."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress

from plywire.clients.terminal.report import counting


def bars(*, disable: bool = False) -> Progress:
    """Bars that vanish when all is done; nothing where there is no terminal."""
    console = Console(stderr=True)
    return counting(console, transient=True, disable=disable or not console.is_terminal)


@contextmanager
def telling() -> Iterator[Callable[[int, int, str], None]]:
    """One bar, and what tells it how many are done, of how many, and what is next."""
    with bars() as progress:
        task = progress.add_task("")
        yield lambda done, total, text: progress.update(
            task, completed=done, total=total, description=text
        )

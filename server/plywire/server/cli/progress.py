"""Progress of a command, on standard error."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.progress import Progress

from plywire.clients.terminal.report import counting


def bars(*, disable: bool = False) -> Progress:
    """Make progress bars that vanish at the end. Without a terminal, nothing is drawn."""
    console = Console(stderr=True)
    return counting(console, transient=True, disable=disable or not console.is_terminal)


@contextmanager
def telling() -> Iterator[Callable[[int, int, str], None]]:
    """Show one bar. Call the result with the number done, the total and a text."""
    with bars() as progress:
        task = progress.add_task("")
        yield lambda done, total, text: progress.update(
            task, completed=done, total=total, description=text
        )

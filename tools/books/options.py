"""Options that the commands of all books share, and how these commands read and write books."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, TypeVar

import typer
from rich.console import Console
from rich.progress import track

from plywire.clients.terminal.report import counting
from plywire.server.cli.common import refusing
from tools.options import writing

_Book = TypeVar("_Book")
_Item = TypeVar("_Item")

Processes = Annotated[int, typer.Option(help="Number of search processes.", min=1, max=256)]
BookFile = Annotated[Path | None, typer.Option(help="Book; by default the one in the package.")]
Seed = Annotated[int, typer.Option(help="Seed of the choice of positions.")]

KEPT = (
    "The command keeps its searches in OUTPUT.partial. If it is interrupted, run it again: it"
    " goes on there, with any number of processes."
)


@contextmanager
def building(output: Path) -> Iterator[tuple[Path, Callable[[int, int], None]]]:
    """Show the progress of a build, and remove its checkpoint after a success.

    Yields the checkpoint's file, and a function that takes how much is done and how much there is.
    """
    checkpoint = output.with_name(output.name + ".partial")
    shown = counting(Console(stderr=True), speed_estimate_period=600)
    with refusing(ValueError), writing(output), shown as progress:
        bar = progress.add_task("searching", total=None)
        yield checkpoint, lambda done, count: progress.update(bar, completed=done, total=count)
    checkpoint.unlink()


def print_built(output: Path, positions: int) -> None:
    """Print how large a new book is."""
    typer.echo(f"{output}: {positions} positions, {output.stat().st_size} bytes")


def opened(read: Callable[[], _Book | None], size: str) -> _Book:
    """Read a book. Refuses a damaged one, and None for a book that is missing in the package."""
    try:
        book = read()
    except (OSError, ValueError) as error:
        raise typer.BadParameter(f"cannot read the book: {error}") from None
    if book is None:
        raise typer.BadParameter(f"there is no book of {size} in the package: give --file")
    return book


def tracked(sample: Iterable[_Item], count: int) -> Iterable[_Item]:
    """Yield the items of a sample, and show how many are done."""
    return track(sample, "searching", count, console=Console(stderr=True))

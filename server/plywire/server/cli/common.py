"""Parts that commands share: options, errors and tables."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from plywire.protocol.numbers import read_decimal

#: Width in columns of a console that should wrap no line.
_UNWRAPPED = 100_000

Size = Annotated[str | None, typer.Option(help="Board size as WIDTHxHEIGHT.")]
MoveTime = Annotated[int | None, typer.Option(min=1, help="Time a move, in ms.")]
GameTime = Annotated[
    str | None,
    typer.Option(help="Seconds and increment, such as 10+0.1, or byo-yomi, such as 60+3x30."),
]
SolverThreads = Annotated[int, typer.Option(help="Number of solver threads.", min=1, max=256)]
ByBook = Annotated[bool, typer.Option(help="Look positions up in the opening book.")]
Arena = Annotated[Path, typer.Option(envvar="PLYWIRE_ARENA", help="Folder of the server's arena.")]


def decimal(least: float, most: float) -> Callable[[object], float]:
    """Return a parser of decimal numbers from `least` to `most`."""

    def read(text: object) -> float:
        number = read_decimal(str(text))
        if number is None or not least <= number <= most:
            raise typer.BadParameter(f"{text} is no number from {least:g} to {most:g}")
        return number

    return read


def said(error: Exception) -> str:
    """Return the text of an error. If a file failed, the text names it."""
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return str(error)


@contextmanager
def refusing(*errors: type[Exception]) -> Iterator[None]:
    """Report these errors as wrong arguments: usage, message and exit status 2."""
    try:
        yield
    except errors as error:
        raise typer.BadParameter(said(error)) from None


def ending(option: str, file: Path, *accepted: str) -> str:
    """Return a file's ending without its dot; raises BadParameter if it is not accepted."""
    suffix = file.suffix.lower()
    if suffix not in accepted:
        given = f"the ending {file.suffix} is unknown" if suffix else "the name has no ending"
        raise typer.BadParameter(
            f"{option} {file}: {given}; accepted are {', '.join(accepted)},"
            f" as in {option} {file.with_suffix(accepted[0])}"
        )
    return suffix[1:]


@contextmanager
def failing(command: str, *errors: type[Exception], status: int = 1) -> Iterator[None]:
    """End the command after one of these errors, with one line and this exit status."""
    try:
        yield
    except errors as error:
        typer.echo(f"plywire {command}: {said(error)}", err=True)
        raise typer.Exit(status) from None


@contextmanager
def writing(command: str, file: Path) -> Iterator[None]:
    """End the command with one line if it cannot write a file, such as on a full disk."""
    with failing(command, OSError):
        try:
            yield
        except OSError as error:
            error.filename = error.filename or file
            raise


@contextmanager
def interruptible(advice: str = "Interrupted.") -> Iterator[None]:
    """End the command after Ctrl-C, with one line and exit status 130."""
    try:
        yield
    except KeyboardInterrupt:
        typer.secho(advice, fg="yellow")
        raise typer.Exit(130) from None


def screen() -> Console:
    """Return the console of standard output. Only a terminal wraps lines."""
    console = Console(emoji=False)  # `:four:` in `python:four:Careful` is no emoji.
    if not console.is_terminal:
        console.width = _UNWRAPPED
    return console


def table(*headings: str, left: str | None = None, title: str | None = None) -> Table:
    """Make a table of numbers; the column with the heading `left` has names, flush left."""
    made = Table(box=None, pad_edge=False) if title is None else Table(title=Text(title))
    for heading in headings:
        made.add_column(heading, justify="left" if heading == left else "right")
    return made

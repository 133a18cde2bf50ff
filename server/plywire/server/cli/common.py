"""Shared parts of commands: options, tables, and the ways to end after an error."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.table import Table
from rich.text import Text

from plywire.protocol.numbers import read_decimal

#: No line is longer, in columns.
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
    """What reads an option that is a decimal number within bounds."""

    def read(text: object) -> float:
        number = read_decimal(str(text))
        if number is None or not least <= number <= most:
            raise typer.BadParameter(f"{text} is no number from {least:g} to {most:g}")
        return number

    return read


def said(error: Exception) -> str:
    """What an error says; of a file, its name and what is wrong with it."""
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        return f"{error.filename}: {error.strerror}"
    return str(error)


@contextmanager
def refusing(*errors: type[Exception]) -> Iterator[None]:
    """Report these errors as faults of the command's arguments."""
    try:
        yield
    except errors as error:
        raise typer.BadParameter(said(error)) from None


def ending(option: str, file: Path, *accepted: str) -> str:
    """The ending of a file's name, without its dot; refuses one that is not accepted."""
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
    """End the command with one line about such an error, and this exit status."""
    try:
        yield
    except errors as error:
        typer.echo(f"plywire {command}: {said(error)}", err=True)
        raise typer.Exit(status) from None


@contextmanager
def writing(command: str, file: Path) -> Iterator[None]:
    """End the command with one line if a file cannot be written, as on a full disk."""
    with failing(command, OSError):
        try:
            yield
        except OSError as error:
            error.filename = error.filename or file
            raise


@contextmanager
def interruptible(advice: str = "Interrupted.") -> Iterator[None]:
    """End the command with status 130 and one line after Ctrl-C."""
    try:
        yield
    except KeyboardInterrupt:
        typer.secho(advice, fg="yellow")
        raise typer.Exit(130) from None


def screen() -> Console:
    """The standard output; where that is no terminal, no line is ever wrapped."""
    console = Console(emoji=False)  # of names such as python:four:Careful, which are none
    if not console.is_terminal:
        console.width = _UNWRAPPED
    return console


def table(*headings: str, left: str | None = None, title: str | None = None) -> Table:
    """A table whose columns of numbers are flush right; `left` is the one of names, if any."""
    made = Table(box=None, pad_edge=False) if title is None else Table(title=Text(title))
    for heading in headings:
        made.add_column(heading, justify="left" if heading == left else "right")
    return made

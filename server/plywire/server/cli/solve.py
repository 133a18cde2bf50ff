"""`plywire solve`: what positions are worth, exactly."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from plywire.engine.game import Game, Position

#: What a move is worth, by its name.
Worths = dict[str, "str | int | None"]
_FIRST_LINES = 2


def main(
    game: Annotated[str, typer.Argument(help="Name of the game.")],
    file: Annotated[
        Path, typer.Argument(help="Positions, one a line, as moves or a position string.")
    ] = Path("-"),
    every: Annotated[
        bool, typer.Option("--all", help="Show what each move is worth, not the position alone.")
    ] = False,
    weak: Annotated[
        bool, typer.Option("--weak", help="Only win, draw or loss: 1, 0 or -1; connect4 only.")
    ] = False,
    size: Annotated[str | None, typer.Option(help="Board size as WIDTHxHEIGHT.")] = None,
    threads: Annotated[int, typer.Option(help="Threads that solve.", min=1, max=256)] = 1,
    table_mb: Annotated[int, typer.Option("--table", help="MB of the table.", min=1)] = 64,
    book: Annotated[bool, typer.Option(help="Look positions up in the opening book.")] = True,
    json: Annotated[bool, typer.Option("--json", help="Print a line of JSON a position.")] = False,
) -> None:
    """Solve positions, read a line at a time from a file or the standard input.

    Each answer is a line: the position as it was given, and its score for the side to move. In
    Connect Four, +k is a win with one's k-th last stone, -k a loss, 0 a draw; with `--all`, a score
    for each column follows, `.` where no stone fits. Other games say `win`, `draw`, `loss` or the
    final score, as far as it can be searched.

    Examples:

        echo 444444 | plywire solve connect4 --all

        plywire solve othello endgames.txt --json
    """
    from json import dumps

    from rich.console import Console
    from rich.progress import Progress

    from plywire.engine.game import RulesError, load

    try:
        rules = load(game, size)
        if game == "connect4":
            solve = _connect4(rules, table_mb, threads, book, every, weak)
        elif weak:
            raise typer.BadParameter(f"--weak is for connect4, not for {game}")
        else:
            solve = _searched(rules, table_mb, threads, every)
        lines = _lines(file)
    except (OSError, UnicodeDecodeError, ValueError) as error:
        raise typer.BadParameter(str(error)) from None

    failed = False
    # The bar needs to know how many positions there are, and a terminal to be drawn on.
    known = lines if isinstance(lines, list) else None
    with Progress(console=Console(stderr=True), transient=True, disable=known is None) as progress:
        bar = progress.add_task("solving", total=len(known or ()))
        for line in lines:
            try:
                score, moves = solve(_position(rules, line))
            except RulesError as error:
                typer.echo(f"plywire solve: {line}: {error}", err=True)
                failed = True
                continue
            finally:
                progress.advance(bar)
            if json:
                answer: dict[str, Any] = {"position": line, "score": score}
                typer.echo(dumps({**answer, "moves": moves} if every else answer))
            else:
                shown = ["." if worth is None else str(worth) for worth in moves.values()]
                typer.echo(" ".join(filter(None, [line, str(score), *shown])))
    if failed:
        raise typer.Exit(1)


def _lines(file: Path) -> list[str] | Iterator[str]:
    """The lines of a file, all at once; those of the standard input as they come."""
    if str(file) == "-":
        return (line.strip() for line in sys.stdin)
    return [line.strip() for line in file.read_text().splitlines()]


def _position(rules: Game, line: str) -> Position:
    """Read a position string, or moves: of one letter each they need no spaces between them."""
    from plywire.engine.game import RulesError

    if "/" in line:
        return rules.parse(line)
    names = line.split()
    if len(names) == 1 and names[0].isdigit():
        names = list(names[0])
    elif len(names) == _FIRST_LINES and rules.name == "connect4" and len(names[0]) > 1:
        raise RulesError("give the moves alone: what follows them is no move")
    return [rules.start(), *rules.start().play_names(names)][-1]

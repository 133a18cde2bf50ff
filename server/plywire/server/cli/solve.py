"""`plywire solve`: exact values of positions."""

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from json import dumps
from pathlib import Path
from typing import Annotated, Any

import typer

from plywire.clients.play.notation.reader import FoundGame, NotationError, read_each, read_stream
from plywire.engine.engine import LocalEngine
from plywire.engine.game import Game, Position, RulesError
from plywire.engine.readiness import PreparationError, prepare
from plywire.engine.registry import backend_of, load
from plywire.engine.search.solver import PositionSolver

from .common import ByBook, Size, SolverThreads, failing, refusing
from .completion import complete_game
from .options import expanded
from .progress import bars

#: The value of each move, by the name of the move. A full column has the value None.
Worths = dict[str, str | int | None]
#: A function that finds the score of a position. With `--all`, it also finds the values of its
#: moves.
Solve = Callable[[Position], tuple[str | int, Worths]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """The positions to solve, and how to print their values."""

    game: Annotated[str, typer.Argument(help="Name of the game.", autocompletion=complete_game)]
    file: Annotated[
        Path,
        typer.Argument(help="File of positions in any notation; - is standard input."),
    ] = Path("-")
    every: Annotated[bool, typer.Option("--all", help="Show the value of each move as well.")] = (
        False
    )
    weak: Annotated[
        bool, typer.Option("--weak", help="Only win, draw or loss as 1, 0, -1; for connect4.")
    ] = False
    size: Size = None
    threads: SolverThreads = 1
    table_mb: Annotated[int, typer.Option("--table", help="Size of the table, in MB.", min=1)] = 64
    book: ByBook = True
    json: Annotated[bool, typer.Option("--json", help="Print one line of JSON a position.")] = False


@expanded
def main(options: Options) -> None:
    """Solve positions from a file or the standard input, in any notation.

    Blank lines and lines that begin with `#` or `%` are left out. Each answer is a line: the
    position as it was given, and its score for the player to move. In Connect Four, +k is a win
    with the k-th last stone of the winner, -k a loss, and 0 a draw. With `--all`, the scores of the
    columns follow, with `.` for a full column. Other games print `win`, `draw`, `loss` or the final
    score.

    Examples:

        echo 444444 | plywire solve connect4 --all

        plywire solve othello endgames.obf --json
    """
    with failing("solve", PreparationError), refusing(OSError, ValueError):
        rules = load(options.game, options.size)
        prepare(rules)
        solver = backend_of(rules).position_solver(
            table_mb=options.table_mb, threads=options.threads, book=options.book
        )
        if solver is not None:
            solve = _solved(solver, options)
        elif options.weak:
            raise ValueError(f"--weak is for connect4, not for {options.game}")
        else:
            solve = _searched(rules, options)
        read = _read(options.file, rules)

    failed = False
    # There is no progress bar for standard input, because its number of positions is unknown.
    known = read if isinstance(read, list) else None
    with bars(disable=known is None) as progress:
        bar = progress.add_task("solving", total=len(known or ()))
        for found in read:
            try:
                if isinstance(found, NotationError):
                    raise found
                line = found.text if "\n" not in found.text else found.line.position.fen()
                score, moves = solve(found.line.position)
            except (NotationError, RulesError) as error:
                typer.echo(f"plywire solve: {error}", err=True)
                failed = True
                continue
            finally:
                progress.advance(bar)
            typer.echo(_answer(line, score, moves, options, named=solver is None))
    if failed:
        raise typer.Exit(1)


def _answer(line: str, score: str | int, moves: Worths, options: Options, *, named: bool) -> str:
    if options.json:
        answer: dict[str, Any] = {"position": line, "score": score}
        return dumps({**answer, "moves": moves} if options.every else answer)
    if named:
        worths = [f"{name} {worth}" for name, worth in moves.items()]
    else:
        worths = ["." if worth is None else str(worth) for worth in moves.values()]
    return " ".join([line, str(score), *worths])


def _read(file: Path, rules: Game) -> Iterable[FoundGame | NotationError]:
    if str(file) == "-":
        return read_stream(sys.stdin.buffer, [rules], fixed=True)
    return list(read_each(file.read_bytes(), [rules], fixed=True))


def _solved(solver: PositionSolver, options: Options) -> Solve:
    def solve(position: Position) -> tuple[str | int, Worths]:
        score = solver.score(position, weak=options.weak)
        scores = solver.scores(position, weak=options.weak) if options.every else ()
        return score, {str(column): worth for column, worth in enumerate(scores, 1)}

    return solve


def _searched(rules: Game, options: Options) -> Solve:
    """Return a search without limits, which ends when the values are proven."""
    engine = LocalEngine(hash_mb=options.table_mb, threads=options.threads)

    def solve(position: Position) -> tuple[str | int, Worths]:
        result = position.result()
        if result is not None:
            return f"exact {result.score if position.turn == 0 else -result.score}", {}
        count = len(position.moves()) if options.every else 1
        lines = engine.analyse(position, multipv=count).lines
        worths: Worths = {
            rules.move_name(line.pv[0]): f"{line.score.kind} {line.score.value}" for line in lines
        }
        best, *_ = worths.values()
        return str(best), worths if options.every else {}

    return solve

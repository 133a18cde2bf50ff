"""The command `python -m tools.training`."""

import re
from pathlib import Path
from typing import Annotated

import typer
from rich import progress as bars
from rich.console import Console

from plywire.server.cli.common import refusing
from tools.options import GameFiles, othello_games, writing
from tools.paths import ROOT, make_importable

from .batches import Progress
from .pipeline import TrainingError, train
from .positions import as_rows
from .probcut import train_probcut
from .report import Prior, Round, Settings

#: Limits of a value of `--judge`: the maximum depth in plies, the minimum number of positions, and
#: the maximum number of empty squares of solved positions.
_DEEPEST, _FEWEST, _SOLVED = 20, 100, 24

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False, rich_markup_mode="markdown")


@app.command()
def main(
    games: GameFiles = None,
    selfplay: Annotated[int, typer.Option(min=0, help="Number of games of self-play.")] = 0,
    depth: Annotated[
        int, typer.Option(min=1, max=20, help="Search depth of the self-play, in plies.")
    ] = 5,
    exact: Annotated[
        int,
        typer.Option(min=1, max=20, help="Number of empty squares from which games are solved."),
    ] = 12,
    judge: Annotated[
        list[str] | None,
        typer.Option(
            metavar="DEPTH:POSITIONS[:EMPTY]",
            help="Round of learning from searches, such as 8:100000; see below. Repeatable.",
        ),
    ] = None,
    prior: Annotated[
        str | None,
        typer.Option(
            metavar="FILE|shipped",
            help="Weights to begin with, for self-play and for judging.",
        ),
    ] = None,
    also: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FOLDER", help="Folder of an earlier training to learn from. Repeatable."
        ),
    ] = None,
    iterations: Annotated[int, typer.Option(min=1, help="Iterations of the fit.")] = 25,
    probcut: Annotated[
        int | None,
        typer.Option(min=100, help="Fit multi-ProbCut to this number of positions instead."),
    ] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the self-play.")] = 0,
    threads: Annotated[int, typer.Option(min=1, max=256, help="Number of threads.")] = 1,
    out: Annotated[
        Path, typer.Option(help="Folder for the weights and intermediate files.")
    ] = Path("training"),
) -> None:
    """Train the Othello evaluation, and write a report about the weights.

    The engine plays itself with weights that are fitted to the given games. Without games, it uses
    its own weights. After an interruption, the same command goes on. Equal settings give equal
    weights, with any number of threads.

    `--judge DEPTH:POSITIONS[:EMPTY]` adds a round that learns from searches of DEPTH plies. The
    round takes POSITIONS for each number of empty squares. From EMPTY empty squares on, 16 by
    default, it searches to the end. `--probcut` fits the selective search instead.

    Examples:

        python -m tools.training --games games.txt.xz --selfplay 20000 --threads 4
        python -m tools.training --selfplay 1000 --depth 2 --out quick
        python -m tools.training --games games.txt.xz --judge 8:100000 --judge 10:40000
        python -m tools.training --games games.txt.xz --prior shipped --judge 8:100000:18
        python -m tools.training --prior shipped --judge 8:100000 --also training --out second
        python -m tools.training --probcut 6000
    """
    # If kernels were edited, another process builds them again, and imports them from this folder.
    make_importable(ROOT)
    columns = (
        bars.TextColumn("{task.description}"),
        bars.BarColumn(),
        bars.TimeElapsedColumn(),
        bars.TimeRemainingColumn(),
    )
    try:
        with (
            writing(out),
            refusing(TrainingError),
            bars.Progress(*columns, console=Console(stderr=True)) as progress,
        ):

            def on_stage(name: str) -> Progress:
                task = progress.add_task(name, total=None)
                return lambda done, of: progress.update(task, completed=done, total=of)

            settings = Settings(
                tuple(map(str, games or ())),
                selfplay,
                depth,
                exact,
                tuple(map(_round, judge or ())),
                iterations,
                seed,
                Prior.of(prior) if prior else None,
                tuple(map(str, also or ())),
            )
            if probcut is None:
                card = train(
                    *(settings, out, threads, on_stage),
                    lambda: as_rows(othello_games(games or ())),
                ).card()
            else:
                card = train_probcut(probcut, seed, out, threads, on_stage)
    except KeyboardInterrupt:
        typer.secho("Interrupted; the same command goes on from here.", fg="yellow", err=True)
        raise typer.Exit(130) from None
    typer.echo(card)
    made = (
        "probcut.json, probcut.md, probcut.svg"
        if probcut
        else "weights.npz, card.md, curve.svg, error.svg"
    )
    typer.echo(f"In {out}: {made}")


def _round(text: str) -> Round:
    """Read a value of `--judge`."""
    match = re.fullmatch(r"(\d{1,2}):(\d{1,9})(?::(\d{1,2}))?", text)
    asked = match and Round(*(int(number) for number in match.groups() if number))
    if (
        not asked
        or not 2 <= asked.depth <= _DEEPEST
        or asked.positions < _FEWEST
        or asked.solved > _SOLVED
    ):
        raise typer.BadParameter(
            f"--judge {text}: expected DEPTH:POSITIONS[:EMPTY], a depth of 2 to "
            f"{_DEEPEST}, at least {_FEWEST} positions, at most {_SOLVED} empty squares, "
            "as 8:100000"
        )
    return asked


if __name__ == "__main__":
    app(prog_name="python -m tools.training")

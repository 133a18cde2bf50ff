"""`plywire tournament`: run, resume and report tournaments."""

import asyncio
import sys
from collections.abc import Coroutine
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer

from plywire.server.arena.job_workers import WorkersError
from plywire.server.arena.live.announcing import announce, begin_now, read_live_config
from plywire.server.arena.reports.analysis_links import AnalysisLinks, page_address
from plywire.server.arena.reports.exports import ExportFormat
from plywire.server.arena.runners.game_runner import RunnerError
from plywire.server.arena.store.journal import JournalError
from plywire.server.arena.store.rating_list import RatingList, RatingsError, ratings_of
from plywire.server.arena.tournament.config import ConfigError, read_config
from plywire.server.arena.tournament.current_round import current_round
from plywire.server.cli.common import (
    Arena,
    ending,
    failing,
    interruptible,
    refusing,
    screen,
    writing,
)
from plywire.server.cli.options import expanded, reader
from plywire.server.cli.progress import bars

from . import run as running
from .display import pairings_table, ratings_table, standings_table
from .files import write_export, write_report
from .held import JOURNAL_SUFFIX, journal_in, read, read_waiting

app = typer.Typer(
    help="Run tournaments that survive `kill -9`, and report on them.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
)

_failing = failing(
    "tournament", ConfigError, JournalError, OSError, RatingsError, RunnerError, WorkersError
)


class What(StrEnum):
    """Contents of an export."""

    GAMES = "games"
    STANDINGS = "standings"
    RATINGS = "ratings"


Where = Annotated[
    Path,
    typer.Argument(metavar="FILE", help="Tournament file, journal, or folder of an arena."),
]
Name = Annotated[
    str | None, typer.Option(help="Name of a tournament in an arena; by default the latest.")
]
TournamentFile = Annotated[
    Path, typer.Argument(help="Tournament file in TOML.", exists=True, dir_okay=False)
]


@app.command()
@expanded
@_failing
def run(
    file: TournamentFile,
    journal: Annotated[
        Path | None, typer.Option(help="Journal to write; by default next to FILE.")
    ] = None,
    *,
    options: running.Options,
) -> None:
    """Run the tournament that a TOML file describes.

    Every move is in the journal before it counts. After Ctrl-C, `kill -9` or a power cut,
    `plywire tournament resume FILE` goes on with the same schedule. It never plays a finished game
    again. With `--processes`, games that are cut off in a process are played again.

    An example of FILE:

        name = "Autumn cup"
        concurrency = 2

        [format]
        system = "round-robin"     # gauntlet, swiss, knockout
        games = 20                 # games of each pairing

        [time]
        tc = "10+0.1"              # or 60+3x30 for byo-yomi; movetime (ms), depth, nodes

        [[games]]
        game = "connect4"
        openings = "balanced"      # random, start, file

        [players]                  # player specs of plywire match
        Deep = "engine:nodes=20000"
        Greed = "greedy"
        Mine = "ugi:./my-engine --fast"
    """
    with refusing(ConfigError, OSError):
        config = read_config(file)
    path = journal or file.with_suffix(JOURNAL_SUFFIX)
    _run(running.begin(path, config, options, screen()), path)


@app.command()
@expanded
@_failing
def resume(file: Where, options: running.Options) -> None:
    """Go on with a tournament that was cut off.

    The journal has the schedule, the players and all settings. Later edits of the TOML file change
    nothing.
    """
    path = journal_in(file)
    _run(running.resume(path, options, screen()), path)


@app.command("open")
@_failing
def open_(file: TournamentFile, arena: Arena) -> None:
    """Announce a tournament in an arena, for its bots to join.

    The server of the arena plays the tournament. It may run already or start later, and goes on
    after a crash. The tournament begins when all seats are taken, or at its starting time. In
    addition to the keys for `plywire tournament run`, a file has:

        seats = 4                        # number of bots that may join
        starts = 2026-11-21T20:00:00Z    # without it: begins when all seats are taken

        [players]
        House = "engine:nodes=2000"      # plays on the server
        ann = "remote"                   # a bot that does not need to join
    """
    with refusing(ConfigError, OSError):
        config = read_live_config(file)
    asyncio.run(announce(arena, config))
    if config.seats:
        bots = "one bot" if config.seats == 1 else f"{config.seats} bots"
        typer.echo(f"{config.name} is open: {bots} may join it by this name.")
    else:
        when = f"at {config.starts:%Y-%m-%d %H:%M %Z}" if config.starts else "at once"
        typer.echo(f"{config.name} is announced: it begins {when}, with the players that it names.")


@app.command()
@_failing
def begin(
    name: Annotated[str, typer.Argument(help="Name of the tournament.")], arena: Arena
) -> None:
    """Begin a tournament in an arena now, with the players who have joined."""
    players = asyncio.run(begin_now(arena, name))
    typer.echo(f"{name} begins, with {', '.join(players)}; the arena's server plays it.")


@app.command()
@_failing
def show(file: Where, name: Name = None) -> None:
    """Print the standings of a tournament and the pairings of its round.

    For an arena, the command shows the tournament that was announced last. Before a tournament
    begins, it shows what the tournament waits for.
    """
    if (waiting := asyncio.run(read_waiting(file, name))) is not None:
        typer.echo(waiting)
        return
    held = asyncio.run(read(file, name))
    console = screen()
    schedule = held.schedule
    console.print(standings_table(held.plan, held.results, schedule))
    if held.tournament.outcome is None and (round_ := current_round(schedule, held.results)):
        console.print(pairings_table(round_))
    console.print(held.state, markup=False, highlight=False)


@app.command()
@_failing
def export(
    file: Where,
    what: Annotated[What, typer.Option(help="Content to write.")] = What.GAMES,
    form: Annotated[
        ExportFormat | None,
        typer.Option(
            "--format",
            help="Format; PGN is for games, GGF for games of Othello.",
            show_default="the ending of --out, or jsonl",
        ),
    ] = None,
    out: Annotated[
        Path | None, typer.Option(help="File to write; by default standard output.")
    ] = None,
    name: Name = None,
) -> None:
    """Write games, standings or ratings for other programs.

    The command also works while the tournament runs. Ratings are those of this event alone: Elo by
    maximum likelihood, relative to the mean of its players. `plywire tournament ratings` prints
    ratings that last.
    """
    if form is None:
        form = ExportFormat.JSONL
        if out is not None and out.suffix:
            form = ExportFormat(ending("--out", out, *(f".{known}" for known in ExportFormat)))
    if what is not What.GAMES and form in (ExportFormat.PGN, ExportFormat.GGF):
        raise typer.BadParameter(
            f"--format {form.value} is for games alone: choose jsonl, json or csv"
        )
    held = asyncio.run(read(file, name))
    if out is None:
        asyncio.run(write_export(held, what, form, sys.stdout, bars(disable=True)))
        return
    with (
        writing("tournament export", out),
        out.open("w", encoding="utf-8", newline="") as stream,
        bars() as progress,
    ):
        asyncio.run(write_export(held, what, form, stream, progress))


@app.command()
@_failing
def report(
    file: Where,
    out: Annotated[
        Path | None, typer.Option(help="HTML file to write; by default next to FILE.")
    ] = None,
    name: Name = None,
    analysis: Annotated[
        str | None,
        typer.Option(
            "--page",
            parser=reader(page_address),
            metavar="URL",
            help="Address of the page to which each game gets a link.",
        ),
    ] = None,
) -> None:
    """Write an HTML report: crosstable, ratings, accuracy, times and games.

    The command also works while the tournament runs. Up to 500 games and 50 players, the report is
    one page. With more, games and players have their own pages in a folder next to it, such as
    `cup-pages` next to `cup.html`. Both can be moved together, and put on any web server.

    `--page http://127.0.0.1:7591/` adds a link to each game: the page of a server, or a site of
    `plywire page build`, opens the game in its analysis.
    """
    if out is not None:
        ending("--out", out, ".html", ".htm")
    links = None if analysis is None else AnalysisLinks(analysis)
    held = asyncio.run(read(file, name))
    page = out or file.with_suffix(".html")
    with writing("tournament report", page), bars() as progress:
        beside = asyncio.run(write_report(held, page, progress, links))
    typer.echo(f"Wrote {page}" + (f" and {beside[0]} pages in {beside[1]}" if beside else ""))


@app.command()
@_failing
def ratings(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="File of ratings, or folder of an arena."),
    ],
) -> None:
    """Print the ratings that last, by game.

    If the file of a tournament says `ratings = "club.ratings"`, the tournament
    counts once, when it is over.
    A tournament in an arena counts for the arena's own ratings. Players are identified by name.

    In an arena, rated games that bots arrange themselves count, too (`plywire bot --rated`), and so
    do games of the ladder (`plywire serve --ladder`).
    """
    lists = RatingList(ratings_of(file) if file.is_dir() else file).latest()
    for game, rated in lists.items():
        screen().print(ratings_table(game, rated))


def _run(running: Coroutine[Any, Any, None], path: Path) -> None:
    """Run a tournament. After Ctrl-C, print the command that goes on with it."""
    with interruptible(f"Interrupted; go on with: plywire tournament resume {path}"):
        asyncio.run(running)

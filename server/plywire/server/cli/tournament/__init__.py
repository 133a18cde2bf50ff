"""`plywire tournament`: run, resume and report tournaments."""

from collections.abc import Callable, Coroutine
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from plywire.server.cli.common import Arena, ending, fail, refusing, screen, writing

if TYPE_CHECKING:
    from rich.progress import Progress

    from .run import Options

T = TypeVar("T")

app = typer.Typer(
    help="Run tournaments that survive `kill -9`, and report on them.",
    no_args_is_help=True,
    rich_markup_mode="markdown",
)

_JOURNAL_SUFFIX = ".journal"


class Format(StrEnum):
    """What can be written; loading the exports' own list would load pydantic."""

    JSONL = "jsonl"
    JSON = "json"
    CSV = "csv"
    PGN = "pgn"
    GGF = "ggf"


_ENDINGS = tuple(f".{form.value}" for form in Format)


class What(StrEnum):
    """What of a tournament can be written."""

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
JournalOption = Annotated[
    Path | None, typer.Option(help="Journal to write; by default next to FILE.")
]
Cluster = Annotated[
    str | None,
    typer.Option(help="Dask cluster for the games, such as `tcp://scheduler:8786`.", metavar="URL"),
]
Processes = Annotated[
    int | None,
    typer.Option(min=1, help="Number of other processes that play the games."),
]
Concurrency = Annotated[
    int | None, typer.Option(min=1, help="Games at the same time; by default as FILE says.")
]
Mqtt = Annotated[
    str | None,
    typer.Option(
        help="Broker for the feed: `mqtt://[USER:PASSWORD@]HOST[:PORT][/ARENA]`.",
        metavar="URL",
        envvar="PLYWIRE_TOURNAMENT_MQTT",
    ),
]
Verbose = Annotated[bool, typer.Option(help="Print a line when a game begins and ends.")]


@app.command()
def run(
    file: Annotated[
        Path, typer.Argument(help="Tournament file in TOML.", exists=True, dir_okay=False)
    ],
    journal: JournalOption = None,
    cluster: Cluster = None,
    processes: Processes = None,
    concurrency: Concurrency = None,
    mqtt: Mqtt = None,
    verbose: Verbose = False,
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
    from plywire.server.arena.tournament.config import ConfigError, read_config

    from .run import begin

    with refusing(ConfigError, OSError):
        config = read_config(file)
    path = journal or file.with_suffix(_JOURNAL_SUFFIX)
    _run(begin(path, config, _options(cluster, processes, concurrency, mqtt, verbose)), path)


@app.command()
def resume(
    file: Where,
    cluster: Cluster = None,
    processes: Processes = None,
    concurrency: Concurrency = None,
    mqtt: Mqtt = None,
    verbose: Verbose = False,
) -> None:
    """Go on with a tournament that was cut off.

    The journal has the schedule, the players and all settings. Later edits of the TOML file change
    nothing.
    """
    from .run import resume

    path = _journal(file)
    _run(resume(path, _options(cluster, processes, concurrency, mqtt, verbose)), path)


@app.command("open")
def open_(
    file: Annotated[
        Path, typer.Argument(help="Tournament file in TOML.", exists=True, dir_okay=False)
    ],
    arena: Arena,
) -> None:
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
    import asyncio

    from plywire.server.arena.live.live_tournament import announce, read_live_config
    from plywire.server.arena.store.journal import JournalError
    from plywire.server.arena.tournament.config import ConfigError

    with refusing(ConfigError, OSError):
        config = read_live_config(file)
    try:
        asyncio.run(announce(arena, config))
    except (JournalError, OSError) as error:
        fail(error)
    if config.seats:
        bots = "one bot" if config.seats == 1 else f"{config.seats} bots"
        typer.echo(f"{config.name} is open: {bots} may join it by this name.")
    else:
        when = f"at {config.starts:%Y-%m-%d %H:%M %Z}" if config.starts else "at once"
        typer.echo(f"{config.name} is announced: it begins {when}, with the players that it names.")


@app.command()
def begin(
    name: Annotated[str, typer.Argument(help="Name of the tournament.")], arena: Arena
) -> None:
    """Begin a tournament in an arena now, with the players who have joined."""
    import asyncio

    from plywire.server.arena.live.live_tournament import begin_now
    from plywire.server.arena.store.journal import JournalError

    try:
        players = asyncio.run(begin_now(arena, name))
    except JournalError as error:
        fail(error)
    typer.echo(f"{name} begins, with {', '.join(players)}; the arena's server plays it.")


@app.command()
def show(file: Where, name: Name = None) -> None:
    """Print the standings of a tournament and the pairings of its round.

    For an arena, the command shows the tournament that was announced last. Before a tournament
    begins, it shows what the tournament waits for.
    """
    from plywire.server.arena.tournament.current_round import current_round

    from .display import pairings_table, standings_table
    from .held import read, read_waiting

    if (waiting := _of_journal(read_waiting, file, name)) is not None:
        typer.echo(waiting)
        return
    held = _of_journal(read, file, name)
    console = screen()
    schedule = held.schedule
    console.print(standings_table(held.plan, held.results, schedule))
    if held.tournament.outcome is None and (round_ := current_round(schedule, held.results)):
        console.print(pairings_table(round_))
    console.print(held.state, markup=False, highlight=False)


@app.command()
def export(
    file: Where,
    what: Annotated[What, typer.Option(help="Content to write.")] = What.GAMES,
    form: Annotated[
        Format | None,
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
    import asyncio
    import sys

    from .files import write_export
    from .held import read

    if form is None:
        named = out is not None and out.suffix
        form = Format(ending("--out", out, *_ENDINGS)) if out and named else Format.JSONL
    if what is not What.GAMES and form in (Format.PGN, Format.GGF):
        raise typer.BadParameter(
            f"--format {form.value} is for games alone: choose jsonl, json or csv"
        )
    held = _of_journal(read, file, name)
    try:
        if out is None:
            asyncio.run(write_export(held, what.value, form.value, sys.stdout))
        else:
            with (
                writing("tournament export", out),
                out.open("w", encoding="utf-8", newline="") as stream,
                _progress() as progress,
            ):
                asyncio.run(write_export(held, what.value, form.value, stream, progress))
    except _failures() as error:
        fail(error)


@app.command()
def report(
    file: Where,
    out: Annotated[
        Path | None, typer.Option(help="HTML file to write; by default next to FILE.")
    ] = None,
    name: Name = None,
) -> None:
    """Write an HTML report: crosstable, ratings, accuracy, times and games.

    The command also works while the tournament runs. Up to 500 games and 50 players, the report is
    one page. With more, games and players have their own pages in a folder next to it, such as
    `cup-pages` next to `cup.html`. Both can be moved together, and put on any web server.
    """
    import asyncio

    from .files import write_report
    from .held import read

    if out is not None:
        ending("--out", out, ".html", ".htm")
    held = _of_journal(read, file, name)
    page = out or file.with_suffix(".html")
    try:
        with writing("tournament report", page), _progress() as progress:
            beside = asyncio.run(write_report(held, page, progress))
    except _failures() as error:
        fail(error)
    typer.echo(f"Wrote {page}" + (f" and {beside[0]} pages in {beside[1]}" if beside else ""))


@app.command()
def ratings(
    file: Annotated[
        Path,
        typer.Argument(metavar="FILE", help="File of ratings, or folder of an arena."),
    ],
) -> None:
    """Print the ratings that last, by game.

    A tournament counts once, when it is over, if its file says `ratings = "club.ratings"`.
    A tournament in an arena counts for the arena's own ratings. Players are identified by name.

    In an arena, rated games that bots arrange themselves count, too (`plywire bot --rated`), and so
    do games of the ladder (`plywire serve --ladder`).
    """
    from plywire.server.arena.store.rating_list import RatingList, RatingsError, ratings_of

    from .display import ratings_table

    try:
        lists = RatingList(ratings_of(file) if file.is_dir() else file).latest()
    except RatingsError as error:
        fail(error)
    for game, rated in lists.items():
        screen().print(ratings_table(game, rated))


def _options(
    cluster: str | None,
    processes: int | None,
    concurrency: int | None,
    mqtt: str | None,
    verbose: bool,
) -> "Options":
    from plywire.clients.connecting.transports.mqtt_url import MqttUrl

    from .run import Options

    if cluster is not None and processes is not None:
        raise typer.BadParameter("--cluster excludes --processes: give one of them")
    if mqtt is not None:
        try:
            named = MqttUrl.parse(mqtt).name
        except ValueError as error:
            raise typer.BadParameter(f"--mqtt: {error}") from None
        if named is not None:
            raise typer.BadParameter("--mqtt must name no bot: write mqtt://HOST/ARENA")
    return Options(screen(), cluster, processes, concurrency, verbose, mqtt)


def _journal(file: Path) -> Path:
    if file.is_dir():
        from plywire.server.arena.store.journal import journal_of

        return journal_of(file)
    return file.with_suffix(_JOURNAL_SUFFIX) if file.suffix == ".toml" else file


def _run(running: Coroutine[Any, Any, None], path: Path) -> None:
    """Run to the end; on failure say why and how to go on."""
    import asyncio

    from plywire.server.arena.job_workers import WorkersError
    from plywire.server.arena.runners.game_runner import RunnerError
    from plywire.server.arena.store.journal import JournalError
    from plywire.server.arena.store.rating_list import RatingsError
    from plywire.server.arena.tournament.config import ConfigError

    try:
        asyncio.run(running)
    except KeyboardInterrupt:
        typer.secho(f"Interrupted; go on with: plywire tournament resume {path}", fg="yellow")
        raise typer.Exit(130) from None
    except (ConfigError, JournalError, OSError, RatingsError, RunnerError, WorkersError) as error:
        fail(error)


def _of_journal(
    read: Callable[[Path, str | None], Coroutine[Any, Any, T]], file: Path, name: str | None
) -> T:
    """What a journal holds of its tournament."""
    import asyncio

    from plywire.server.arena.store.journal import JournalError

    try:
        return asyncio.run(read(_journal(file), name))
    except JournalError as error:
        fail(error)


def _progress() -> "Progress":
    """A bar on standard error output, if that is a terminal."""
    from rich.console import Console

    from plywire.clients.terminal.report import counting

    console = Console(stderr=True)
    return counting(console, transient=True, disable=not console.is_terminal)


def _failures() -> tuple[type[Exception], ...]:
    """What keeps files from being written."""
    from plywire.server.arena.store.journal import JournalError

    return JournalError, OSError

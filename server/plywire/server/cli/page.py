"""`plywire page`: the page as a static site."""

import asyncio
from pathlib import Path
from typing import Annotated

import typer

from plywire.server.arena.reports.analysis_links import AnalysisLinks
from plywire.server.arena.store.journal import JournalError
from plywire.server.site.build import SiteReport, building, complete
from plywire.server.site.page_files import AROUND, HOME, REPORTS, games

from .common import failing, writing
from .progress import bars
from .tournament.files import write_report
from .tournament.held import read
from .tournament.recorded import RECORDS_SUFFIX, RecordsError, read_records

app = typer.Typer(no_args_is_help=True, rich_markup_mode="markdown")


@app.callback()
def options() -> None:  # Its docstring is the help of the group.
    """Write the page as a static site that needs no server."""


@app.command()
def build(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="Folder to write.")],
    report: Annotated[
        list[Path] | None,
        typer.Option(
            metavar="FILE",
            help="Tournament file, journal, arena or .jsonl of games; repeatable.",
        ),
    ] = None,
    force: Annotated[
        bool, typer.Option("--force", help="Write over the files of an earlier site.")
    ] = False,
) -> None:
    """Write the page as files that any web host serves, under any path.

    The site plays, analyses, reviews, imports and exports in the browser alone, also without a
    network after the first visit. It has no arena, because that needs `plywire serve`.

    `--report` adds the report of a tournament, as `plywire tournament report` writes it, or of the
    games in a file of `plywire match --out games.jsonl`. Each game of the report has a link to its
    analysis. For an arena, this is the latest tournament.

    With `--force`, DIR may have other files, such as `.git`. They stay, and so do files of an
    earlier site that the new site does not have.

    Example:

        plywire page build site --report cup.journal
    """
    files = _named(report or [])
    if folder.exists() and not folder.is_dir():
        raise typer.BadParameter(f"{folder} is a file, not a folder")
    if not force and folder.exists() and any(folder.iterdir()):
        raise typer.BadParameter(
            f"{folder} is not empty: choose another folder, or add --force to write over its files"
        )
    with (
        failing("page build", JournalError, RecordsError),
        writing("page build", folder),
        bars() as progress,
        building(folder) as made,
    ):
        reports = []
        for name, file in files.items():
            page = (made / REPORTS).with_name(name)
            page.parent.mkdir(exist_ok=True)
            is_records = file.suffix == RECORDS_SUFFIX
            held = read_records(file) if is_records else asyncio.run(read(file))
            links = AnalysisLinks(HOME, games())
            asyncio.run(write_report(held, page, progress, links, AROUND))
            reports.append(SiteReport(name, held.report().title, held.state))
        complete(made, reports)
        sizes = [path.stat().st_size for path in made.rglob("*") if path.is_file()]
    typer.echo(f"Wrote {len(sizes)} files, {sum(sizes) / 1000:.0f} kB, to {folder}.")
    typer.echo(f"To try the site: python3 -m http.server --directory {folder}")


def _named(files: list[Path]) -> dict[str, Path]:
    """Return the files by the names of their reports."""
    named: dict[str, Path] = {}
    for file in files:
        name = file.resolve().with_suffix(".html").name
        if name in named or name == REPORTS.name:
            other = named.get(name, "the list of reports")
            raise typer.BadParameter(
                f"--report {file}: its report would be named {name}, as {other}; rename the file"
            )
        named[name] = file
    return named

"""Files about a tournament in a journal: reports and exports."""

from collections.abc import AsyncIterator, Iterable, Sequence
from pathlib import Path
from typing import TextIO

from rich.progress import Progress

from plywire.server.arena.reports.analysis_links import AnalysisLinks
from plywire.server.arena.reports.exports import Export, ExportFormat, rating_rows, standings_rows
from plywire.server.arena.reports.tournament_report import GAMES, ReportPages
from plywire.server.arena.store.journalled import JudgedGame

from .held import Held
from .recorded import Recorded


async def write_report(
    held: Held | Recorded,
    page: Path,
    progress: Progress,
    links: AnalysisLinks | None = None,
    site: Sequence[tuple[str, str]] = (),
) -> tuple[int, Path] | None:
    """Write a report. Return the number of further pages and their folder, None if there are none.

    `links` lead to the analysis of the games, and `site` to the pages around the report. Pages that
    a longer report left in that folder are removed. Raises JournalError and OSError.
    """
    pages = ReportPages(held.report(), page.name, links, site)
    folder = page.with_name(pages.folder)
    written = set()

    def write(made: Iterable[tuple[str, str]]) -> None:
        for path, text in made:
            file = page.parent / path
            if file.parent == folder:
                folder.mkdir(exist_ok=True)
                written.add(file)
            file.write_text(text, "utf-8")

    async for games in _games(held, progress):
        write(pages.add(games))
    write(pages.rest())
    for kind in ("games", "players"):
        for file in set(folder.glob(f"{kind}-*.html")) - written:
            file.unlink()
    return (len(written), folder) if written else None


async def write_export(
    held: Held, what: str, form: ExportFormat, stream: TextIO, progress: Progress
) -> None:
    """Write games, standings or ratings; raises JournalError and OSError."""
    export = Export(form, held.event)
    match what:
        case "games":
            async for games in _games(held, progress):
                stream.writelines(export.games(record for record, _ in games))
        case "standings":
            stream.writelines(export.rows(standings_rows(held.report().standings())))
        case "ratings":
            stream.writelines(export.rows(rating_rows(held.report().ratings())))
    stream.write(export.end())


async def _games(held: Held | Recorded, progress: Progress) -> AsyncIterator[list[JudgedGame]]:
    bar = progress.add_task("Games", total=len(held.results))
    async for games in held.games(GAMES):
        yield games
        progress.advance(bar, len(games))

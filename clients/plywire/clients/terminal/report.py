"""Output of a match while it runs and at its end."""

from typing import Any, Self

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.table import Table
from rich.text import Text

from plywire.clients.play.matches.match import MatchStanding
from plywire.clients.play.matches.outcomes import Failures, failure_lines, sentence
from plywire.clients.play.matches.records import GameRecord
from plywire.clients.play.ratings.elo import MatchTally
from plywire.clients.play.ratings.sprt import Sprt


class MatchDisplay:
    """A progress bar with the score, as a context manager."""

    def __init__(self, console: Console, games: int, test: Sprt | None = None) -> None:
        """Show progress towards `games` games; with a test, the bar has no end."""
        self._test = test
        self._progress = counting(
            console,
            ends=test is None,
            transient=True,
            disable=not console.is_terminal,
        )
        self._task = self._progress.add_task("+0 =0 -0", total=games if test is None else None)

    def __enter__(self) -> Self:
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._progress.stop()

    def update(self, standing: MatchStanding, record: GameRecord, every: bool = False) -> None:
        """Count a finished game; with `every`, also print a line about it."""
        tally = standing.tally
        score = f"+{tally.wins} ={tally.draws} -{tally.losses}  Elo {tally.estimate()}"
        if self._test is not None:
            score += f"  {llr(self._test, tally)}"
        self._progress.update(self._task, advance=1, description=score)
        if every:
            self._progress.console.print(
                game_line(record), markup=False, highlight=False, soft_wrap=True
            )


def llr(test: Sprt, tally: MatchTally) -> str:
    """Write the log-likelihood ratio of a test, and the bounds that end the test."""
    return f"LLR {test.llr(tally.pentanomial):.2f} ({test.lower:.2f} to {test.upper:.2f})"


def counting(console: Console, *, ends: bool = True, **options: Any) -> Progress:
    """Make progress bars with the number of finished steps; with `ends`, also the total and time
    left."""
    known = (BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    unknown = (TextColumn("{task.completed:.0f} games"), TimeElapsedColumn())
    return Progress(
        TextColumn("{task.description}", markup=False),
        *(known if ends else unknown),
        console=console,
        **options,
    )


def game_line(record: GameRecord) -> str:
    """Describe a game in one line."""
    moves, reason = len(record.moves), record.reason
    ending = sentence(record.players, record.winner, moves, reason, record.termination)
    return f"Game {record.number + 1}: {ending}"


def result_table(
    names: tuple[str, str], standing: MatchStanding, test: Sprt | None = None
) -> Table:
    """Make a table of a match: points, and Elo with its 95 % interval."""
    tally = standing.tally
    found = tally.estimate()
    a, b = names
    table = Table(title=Text(f"{a} against {b}"), show_header=False)
    table.add_column()
    table.add_column()
    table.add_row("Games", str(tally.games))
    table.add_row("Won, drawn, lost", f"+{tally.wins} ={tally.draws} -{tally.losses}")
    if tally.games:
        table.add_row("Score", f"{found.score:.1%}")
    table.add_row("Elo difference (95 %)", str(found))
    table.add_row("Likelihood of superiority", f"{found.los:.1%}")
    if tally.paired:
        table.add_row("Pairs 0, ½, 1, 1½, 2", " ".join(map(str, tally.pentanomial)))
    if test is not None:
        pairs = tally.pentanomial
        bounds = f"{test.lower:.2f} to {test.upper:.2f}"
        table.add_row("SPRT", test.conclusion(pairs, a) or "not decided")
        table.add_row("Log-likelihood ratio", f"{test.llr(pairs):.2f} ({bounds})")
    return table


def print_failures(console: Console, found: Failures) -> None:
    """Print how often and why players lost by their own faults."""
    for line in failure_lines(found):
        console.print(line, style="yellow", markup=False, highlight=False, soft_wrap=True)


def print_repetition(console: Console, standing: MatchStanding) -> None:
    """Print a warning if most games were the same: their number then proves little."""
    different, games = len(standing.lines), standing.tally.games
    if 2 * different < games:
        console.print(
            f"Only {different} of {games} games were different, so less is certain than the"
            " intervals say: --random-plies 4 or --openings varies them.",
            style="yellow",
            highlight=False,
            soft_wrap=True,
        )

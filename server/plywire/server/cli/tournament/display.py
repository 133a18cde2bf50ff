"""Display of a tournament in a terminal."""

from collections.abc import Sequence
from time import monotonic
from typing import Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.progress import TaskID
from rich.table import Table
from rich.text import Text

from plywire.clients.play.errors import Termination
from plywire.clients.play.judging.accuracy import GameAccuracy
from plywire.clients.play.matches.outcomes import outcomes
from plywire.clients.play.matches.records import Finished, GameRecord
from plywire.clients.play.ratings.bradley_terry import rate
from plywire.clients.play.ratings.elo import MatchTally
from plywire.clients.terminal.report import counting, game_line, llr
from plywire.server.arena.store.journalled import JournalledGame
from plywire.server.arena.store.rating_list import Rated
from plywire.server.arena.tournament.current_round import CurrentRound
from plywire.server.arena.tournament.pairings import PairingSchedule
from plywire.server.arena.tournament.plan import Plan
from plywire.server.arena.tournament.scheduled_game import ScheduledGame
from plywire.server.arena.tournament.standings import standings
from plywire.server.arena.tournament.watcher import Watcher
from plywire.server.cli.common import table


class Display(Watcher):
    """Live standings with progress bars, drawn only on a terminal; a context manager."""

    def __init__(
        self, console: Console, plan: Plan, games: Sequence[JournalledGame], *, every: bool = False
    ) -> None:
        """Show the journal's games. With `every`, also print lines about each game."""
        self._console = console
        self._plan = plan
        self._every = every
        self.records = [game.record for game in games if game.record is not None]
        self.schedule: PairingSchedule | None = None
        """The part of the schedule that is known."""
        self._judged = sum(game.accuracy is not None for game in games)
        sprt = plan.config.sprt
        self._test = None if sprt is None else sprt.test()
        self._tally = MatchTally()
        # A sequential test may end long before the last game, so its bar has no end.
        self._progress = counting(console, ends=self._test is None)
        self._known = len(games)
        self._games = self._progress.add_task(
            "Games", total=plan.count(self._known), completed=len(self.records)
        )
        for record in self.records:
            self._count(record)
        self._judging: TaskID | None = None
        self._standings: RenderableType = ""
        self._is_out_of_date = False
        self._due = 0.0
        self._live = Live(
            console=console,
            transient=True,
            auto_refresh=console.is_terminal,
            get_renderable=self._render,
        )

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._is_out_of_date = True
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._live.stop()

    def drawn(self, schedule: PairingSchedule) -> None:
        self.schedule = schedule
        self._progress.update(self._games, total=self._plan.count(self._known, schedule))
        self._is_out_of_date = True

    def scheduled(self, games: Sequence[ScheduledGame]) -> None:
        self._known += len(games)
        self._progress.update(self._games, total=self._plan.count(self._known, self.schedule))

    def started(self, game: ScheduledGame, resumed: bool) -> None:
        first, second = game.players
        self._print(
            f"Game {game.number + 1} {'goes on' if resumed else 'begins'}:"
            f" {first} - {second} at {game.game} {game.size}"
        )

    def finished(self, record: GameRecord) -> None:
        self._print(game_line(record))
        self.records.append(record)
        self._count(record)
        self._progress.update(self._games, advance=1)
        self._is_out_of_date = True

    def _count(self, record: GameRecord) -> None:
        if self._test is not None and record.termination is not Termination.ABORT:
            first = next(iter(self._plan.config.players))
            winner = None if record.winner is None else record.players[record.winner - 1]
            self._tally.add(record.number, 0.5 if winner is None else float(winner == first))
            description = f"Games, {llr(self._test, self._tally)}"
            self._progress.update(self._games, description=description)

    def judged(self, number: int, accuracy: GameAccuracy) -> None:
        if self._judging is None:
            self._judging = self._progress.add_task(
                "Judged", total=len(self.records), completed=self._judged
            )
        self._progress.update(self._judging, advance=1)

    def _print(self, line: str) -> None:
        if self._every:
            self._console.print(line, markup=False, highlight=False, soft_wrap=True)

    def _render(self) -> RenderableType:
        """Draw the screen, in a thread of Live. Standings take at most a tenth of the time."""
        began = monotonic()
        if self._is_out_of_date and began >= self._due:
            self._is_out_of_date = False
            self._standings = standings_table(self._plan, tuple(self.records), self.schedule)
            now = monotonic()
            self._due = now + 9 * (now - began)
        return Group(self._standings, self._progress)


def standings_table(
    plan: Plan, records: Sequence[Finished], schedule: PairingSchedule | None
) -> Table:
    """Make the table of standings, with ratings by maximum likelihood and 95 % intervals."""
    players = list(plan.config.players)
    ranking = plan.config.format.ranking
    ratings = rate(outcomes(records), players)
    placed = standings(records, players, ranking=ranking, schedule=schedule)
    byes = ["Of byes"] if any(standing.bye_points for standing in placed) else []
    headings = ("#", "Player", "Points", *byes, "Games", "+", "=", "-", "Score", "Elo", "±")
    made = table(*headings, left="Player", title=plan.config.name)
    for standing in placed:
        total, rating = standing.total, ratings[standing.player]
        made.add_row(
            *(str(standing.rank), Text(standing.player), f"{standing.points:g}"),
            *(f"{standing.bye_points:g}" for _ in byes),
            *map(str, (total.games, total.wins, total.draws, total.losses)),
            f"{total.share:.1%}" if total.games else "",
            *(f"{rating.elo:+.0f}", f"{rating.error:.0f}"),
        )
    return made


def pairings_table(round: CurrentRound) -> Table:
    """Make the table of a round: pairings and their scores."""
    made = table(
        *("Player", "Opponent", "Score", "Games"),
        left="Player",
        title=f"Round {round.number} of {round.of}",
    )
    made.columns[1].justify = "left"
    for one in round.encounters:
        score = " - ".join(f"{points:g}" for points in one.points) if one.played else ""
        games = f"{one.played} of {one.pairing.games}"
        made.add_row(*map(Text, one.pairing.players), score, games)
    for bye in round.byes:
        made.add_row(Text(bye.player), Text("nobody", "italic"), f"{bye.points:g}", "")
    return made


def ratings_table(game: str, rated: Sequence[Rated]) -> Table:
    """Make the table of lasting ratings in a game, with 95 % intervals."""
    made = table("#", "Player", "Rating", "±", "Games", left="Player", title=game)
    for place, player in enumerate(rated, 1):
        made.add_row(
            *(str(place), Text(player.player), f"{player.glicko.rating:.0f}"),
            *(f"{2 * player.glicko.deviation:.0f}", str(player.games)),
        )
    return made

"""A tournament as self-contained HTML pages: no network, no script.

If there are many games or players, a folder next to the first page holds more pages.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cache
from urllib.parse import quote

from markupsafe import Markup

from plywire.clients.play.judging.accuracy import Accuracy
from plywire.clients.play.matches.outcomes import outcomes
from plywire.clients.play.matches.records import Finished, GameRecord
from plywire.clients.play.ratings.bradley_terry import Ratings, rate
from plywire.engine.registry import load
from plywire.server.arena.store.journalled import JudgedGame
from plywire.server.arena.store.rating_list import Rated
from plywire.server.arena.tournament.pairings import PairingSchedule, Ranking
from plywire.server.arena.tournament.standings import PlayerStanding, Results, standings

from .analysis_links import AnalysisLinks
from .charts import rating_chart, score_chart
from .rendering import render
from .rows import game_row, opponent_row

#: Maximum number of games on the first page. If there are more, the games get their own pages.
GAMES = 500

#: Maximum number of players in a matrix or a chart. They show the best players.
PLAYERS = 50

#: Number of players on each of the pages that show all opponents of a player.
_TOLD = 10


@dataclass(frozen=True, slots=True)
class Report:
    """The facts and results that a report shows, without the moves of the games."""

    title: str
    games: Sequence[Finished]
    players: Sequence[str] = ()
    """All players, best seed first, even those without a game."""
    facts: Sequence[tuple[str, str]] = ()
    """Labels and values under the title, such as `Format` and `Swiss`."""
    summary: str = ""
    """One sentence on how the tournament ended, or how far it is."""
    ranking: Ranking = Ranking.POINTS
    schedule: PairingSchedule | None = None
    rated: Mapping[str, Sequence[Rated]] = field(default_factory=dict)
    """The lasting ratings after this event, by game."""

    def standings(self) -> list[PlayerStanding]:
        return standings(self.games, self.players, ranking=self.ranking, schedule=self.schedule)

    def ratings(self) -> Ratings:
        return rate(outcomes(self.games), self.players)


@dataclass(slots=True)
class PlayerStats:
    """How a player used its time, and how good its moves were where that is known."""

    moves: int = 0
    total: int = 0
    """Time of all moves, in ms."""
    longest: int = 0
    """Time of the longest move, in ms."""
    lag: int = 0
    """Lag of all moves in ms, which is not in `total`."""
    judged: int = 0
    """Moves whose value is proven."""
    best: int = 0
    """Moves that kept the full value of the position."""
    sound: int = 0
    """Moves that kept a win won or a draw drawn."""
    thrown: int = 0
    """Lost games with a losing move, as `Accuracy` defines it."""

    @property
    def mean(self) -> float | None:
        """The mean time of a move in ms; None without moves."""
        return self.total / self.moves if self.moves else None

    @property
    def mean_lag(self) -> float | None:
        """The mean lag of a move in ms; None without lag."""
        return self.lag / self.moves if self.lag else None


@dataclass(frozen=True, slots=True)
class Page:
    """A further page: its file, and the numbers of its first and last game or place."""

    file: str
    first: int
    last: int


class ReportPages:
    """Makes a report's pages, each with its path: call `add` for all games, then `rest`."""

    def __init__(
        self,
        report: Report,
        name: str,
        links: AnalysisLinks | None = None,
        site: Sequence[tuple[str, str]] = (),
    ) -> None:
        """Name the first page; other pages go into a folder next to it.

        `links` lead from the games of the first page to their analysis. `site` has addresses and
        titles of pages around the report, to which the first page leads.
        """
        self.folder = f"{name.removesuffix('.html')}-pages"
        # Free the schedule. It is as long as the list of games, and no longer needed.
        self._report = replace(report, schedule=None)
        self._name = name
        self._home = f"../{quote(name)}"
        self._site = site
        self._table = report.standings()
        self._plays = {standing.player: PlayerStats() for standing in self._table}
        self._game_pages = _paged("games", len(report.games), GAMES)
        self._player_pages: list[Page] = []
        if len(self._table) > PLAYERS:
            self._player_pages = _paged("players", len(self._table), _TOLD)
        self._links = links.from_folder() if links and self._game_pages else links
        self._few: Sequence[JudgedGame] = ()
        self._added = 0

    def add(self, games: Sequence[JudgedGame]) -> Iterator[tuple[str, str]]:
        """Add the next `GAMES` games, or the last games; yield their page if they need one."""
        for record, accuracy in games:
            self._count(record, accuracy)
        if self._game_pages:
            yield self._beside(self._game_pages, self._added, **self._list(games))
            self._added += 1
        else:
            self._few = games

    def rest(self) -> Iterator[tuple[str, str]]:
        """Yield the pages of players, if there are many players, and the first page."""
        report, table = self._report, self._table
        ratings = report.ratings()
        if self._player_pages:
            opponents = self._opponents(ratings)
            for place, page in enumerate(self._player_pages):
                shown = table[page.first - 1 : page.last]
                tables = [(standing, opponents(standing)) for standing in shown]
                yield self._beside(self._player_pages, place, tables=tables, ratings=ratings)
        leading = table[:PLAYERS]
        names = [standing.player for standing in leading]
        yield (
            self._name,
            render(
                "report",
                report=report,
                site=self._site,
                table=table,
                leading=leading,
                ratings=ratings,
                superiority=_superiority(ratings, names),
                rating_chart=rating_chart(ratings.table[:PLAYERS]),
                score_chart=score_chart(report.games, names) if report.games else None,
                plays=self._plays,
                ends=Counter(game.termination for game in report.games).most_common(),
                **self._list(self._few),
                folder=quote(self.folder),
                game_pages=self._game_pages,
                player_pages=self._player_pages,
                players_a_page=_TOLD,
            ),
        )

    def _beside(self, pages: Sequence[Page], place: int, **what: object) -> tuple[str, str]:
        page = pages[place]
        neighbours = {
            "before": pages[place - 1] if place else None,
            "after": pages[place + 1] if place + 1 < len(pages) else None,
        }
        kind = page.file.partition("-")[0]
        text = render(kind, report=self._report, page=page, home=self._home, **neighbours, **what)
        return f"{self.folder}/{page.file}", text

    def _list(self, games: Sequence[JudgedGame]) -> dict[str, object]:
        several = len({record.game for record, _ in games}) > 1
        links = self._links
        rows = (
            game_row(*game, several, None if links is None else links.address(*game))
            for game in games
        )
        return {"rows": Markup("".join(rows)), "several": several, "has_links": links is not None}

    def _opponents(self, ratings: Ratings) -> Callable[[PlayerStanding], Markup]:
        places = {standing.player: place for place, standing in enumerate(self._table)}
        first_games: dict[tuple[str, str], int] = {}
        for place, game in enumerate(self._report.games):
            first_games.setdefault(game.players, place)

        def address(place: int) -> str:
            file = self._game_pages[place // GAMES].file if self._game_pages else self._home
            return f"{file}#g{self._report.games[place].number + 1}"

        def line(player: str, tally: Results, place: int) -> str:
            other = self._table[place]
            pairs = ((player, other.player), (other.player, player))
            return opponent_row(
                other,
                f"{self._player_pages[place // _TOLD].file}#p{place + 1}",
                tally,
                ratings.compare(player, other.player).los,
                address(min(first_games[pair] for pair in pairs if pair in first_games)),
            )

        def lines(standing: PlayerStanding) -> Markup:
            met = sorted((places[name], tally) for name, tally in standing.against.items())
            return Markup("".join(line(standing.player, tally, place) for place, tally in met))

        return lines

    def _count(self, record: GameRecord, accuracy: Accuracy | None) -> None:
        sides = [self._plays[player] for player in record.players]
        turn = _turn(record.game, record.size, record.fen) + record.opening
        for side, play in enumerate(sides):
            own = slice((side - turn) % 2, None, 2)
            times = record.times[own]
            play.moves += len(times)
            play.total += sum(times)
            play.longest = max(play.longest, *times, 0)
            play.lag += sum(record.lags[own])
        if accuracy is not None:
            for play, judged in zip(sides, accuracy.players, strict=True):
                play.judged += judged.moves
                play.best += judged.best
                play.sound += judged.sound
            if accuracy.losing_move is not None and record.winner is not None:
                sides[2 - record.winner].thrown += 1


def _paged(kind: str, count: int, most: int) -> list[Page]:
    """Divide items into pages of at most `most`; return no pages if one page is enough."""
    if count <= most:
        return []
    return [
        Page(f"{kind}-{first // most + 1:03}.html", first + 1, min(first + most, count))
        for first in range(0, count, most)
    ]


@cache
def _turn(game: str, size: str, fen: str) -> int:
    return load(game, size).parse(fen).turn


def _superiority(ratings: Ratings, players: Sequence[str]) -> list[list[float | None]]:
    """Return the chance that each player is stronger than each other; None on the diagonal."""
    return [
        [None if one == other else ratings.compare(one, other).los for other in players]
        for one in players
    ]

"""A tournament as one HTML page that needs nothing else: no network, no script.

The template escapes whatever it shows; no markup is made of strings here.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache

from jinja2 import Environment, PackageLoader, StrictUndefined

from plywire.clients.errors import Termination
from plywire.clients.judging.accuracy import GameAccuracy
from plywire.clients.matches.outcomes import outcomes
from plywire.clients.matches.records import GameRecord
from plywire.clients.ratings.bradley_terry import Ratings, rate
from plywire.engine.registry import load
from plywire.protocol.messages.review import Judged
from plywire.server.arena.store.rating_list import Rated
from plywire.server.arena.tournament.pairings import Ranking, Schedule
from plywire.server.arena.tournament.standings import standings

from .charts import rating_chart, score_chart, signed


@dataclass(frozen=True, slots=True)
class Report:
    """What a report is made from."""

    title: str
    """Name of the tournament."""
    records: Sequence[GameRecord]
    """All finished games."""
    players: Sequence[str] = ()
    """Best seed first; also those without a game."""
    facts: Sequence[tuple[str, str]] = ()
    """Shown under the title: what it is called, and what it is, such as `Format`, `Swiss`."""
    summary: str = ""
    """One sentence on how it ended, or how far it is."""
    ranking: Ranking = Ranking.POINTS
    """What the standings go by."""
    schedule: Schedule | None = None
    """For byes, and how far players got."""
    accuracies: Mapping[int, GameAccuracy] = field(default_factory=dict)
    """What perfect knowledge says of each game, by its number, where it was asked."""
    rated: Mapping[str, Sequence[Rated]] = field(default_factory=dict)
    """By game, how the players stand on the list of ratings that last, after this event."""


@dataclass(slots=True)
class Play:
    """How a player used its time, and how well it moved where that is known."""

    moves: int = 0
    """Moves after the openings."""
    total: int = 0
    """Time of all of them, in ms."""
    longest: int = 0
    """Time of the longest, in ms."""
    lag: int = 0
    """What the way took of all of them and is not in `total`, in ms."""
    judged: Judged = field(default_factory=Judged)
    """Moves whose value is proven, and how many were right."""
    thrown: int = 0
    """Games with a move that lost what was not lost."""

    @property
    def mean(self) -> float | None:
        """Time a move, in ms; None without one."""
        return self.total / self.moves if self.moves else None

    @property
    def mean_lag(self) -> float | None:
        """What the way took of a move, in ms; None if nothing."""
        return self.lag / self.moves if self.lag else None


@dataclass(frozen=True, slots=True)
class GameRow:
    """A line of the list of games."""

    record: GameRecord
    accuracy: GameAccuracy | None

    @property
    def result(self) -> str:
        """As score tables have it."""
        if self.record.termination is Termination.ABORT:
            return "–"
        return {1: "1–0", 2: "0–1", None: "½–½"}[self.record.winner]

    @property
    def discs(self) -> str:
        """The score, where it says more than who won."""
        return signed(self.record.score) if abs(self.record.score) > 1 else ""

    @property
    def losing_move(self) -> str:
        """Ply, from 1, and name of the move that lost the game, if it is known."""
        if self.accuracy is None or self.accuracy.losing_move is None:
            return ""
        ply = self.accuracy.losing_move
        return f"{ply + 1}: {self.record.moves[ply]}"


def render(report: Report) -> str:
    """The page."""
    table = standings(
        report.records, report.players, ranking=report.ranking, schedule=report.schedule
    )
    names = [standing.player for standing in table]
    ratings = rate(outcomes(report.records), report.players)
    return (
        _environment()
        .get_template("report.html.j2")
        .render(
            report=report,
            table=table,
            ratings=ratings,
            superiority=_superiority(ratings, names),
            rating_chart=rating_chart(ratings.table),
            score_chart=score_chart(report.records, names) if report.records else None,
            plays=_plays(report),
            ends=Counter(record.termination for record in report.records).most_common(),
            games=[
                GameRow(record, report.accuracies.get(record.number))
                for record in sorted(report.records, key=lambda record: record.number)
            ],
            kinds=sorted({record.game for record in report.records}),
        )
    )


def _superiority(ratings: Ratings, players: Sequence[str]) -> list[list[float | None]]:
    """How likely each player is stronger than each other, None beside itself."""
    return [
        [None if one == other else ratings.compare(one, other).los for other in players]
        for one in players
    ]


def _plays(report: Report) -> dict[str, Play]:
    """Time and accuracy of every player."""
    plays = {player: Play() for player in report.players}
    for record in report.records:
        sides = [plays.setdefault(player, Play()) for player in record.players]
        turn = load(record.game, record.size).parse(record.fen).turn + record.opening
        lags = record.lags or (0,) * len(record.times)
        for ply, (time, lag) in enumerate(zip(record.times, lags, strict=True), turn):
            play = sides[ply % 2]
            play.lag += lag
            play.moves += 1
            play.total += time
            play.longest = max(play.longest, time)
        accuracy = report.accuracies.get(record.number)
        if accuracy is not None:
            for play, judged in zip(sides, accuracy.players, strict=True):
                play.judged += judged
            if accuracy.losing_move is not None and record.winner is not None:
                sides[2 - record.winner].thrown += 1
    return plays


@cache
def _environment() -> Environment:
    environment = Environment(
        loader=PackageLoader("plywire.server.arena.reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "points": _points,
        "signed": signed,
        "percent": _percent,
        "duration": _duration,
        "shortened": _shortened,
    }
    return environment


def _points(value: float) -> str:
    """Points as score tables have them, such as 7½."""
    whole = int(value)
    if value == whole:
        return str(whole)
    return f"{whole or ''}½"


def _percent(share: float | None) -> str:
    """A share of one as a percentage; certainty is not claimed where there is none."""
    if share is None:
        return "–"
    if 0.995 <= share < 1:
        return ">99 %"
    if 0 < share < 0.005:
        return "<1 %"
    return f"{share:.0%}".replace("%", " %")


def _duration(ms: float | None) -> str:
    """A time for people, from ms."""
    if ms is None:
        return "–"
    if ms < 1000:
        return f"{ms:.0f} ms"
    if ms < 60_000:
        return f"{ms / 1000:.1f} s"
    minutes, seconds = divmod(round(ms / 1000), 60)
    return (
        f"{minutes // 60} h {minutes % 60} min" if minutes >= 60 else f"{minutes} min {seconds} s"
    )


def _shortened(name: str, most: int = 22) -> str:
    """A name that fits where space is short."""
    return name if len(name) <= most else f"{name[: most - 1]}…"

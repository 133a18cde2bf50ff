"""Standings with tie-breaks, and the crosstable."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from plywire.clients.play.errors import Termination
from plywire.clients.play.matches.records import Finished

from .pairings import PairingSchedule, Ranking


@dataclass(slots=True)
class Results:
    """The results of one player, in all games or against one opponent."""

    wins: int = 0
    draws: int = 0
    losses: int = 0

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def points(self) -> float:
        """The points: one for a win, half a point for a draw."""
        return self.wins + self.draws / 2

    @property
    def share(self) -> float:
        """The points per game, 0 to 1; 0.5 without games."""
        return self.points / self.games if self.games else 0.5

    def add(self, score: float) -> None:
        if score == 1:
            self.wins += 1
        elif score == 0:
            self.losses += 1
        else:
            self.draws += 1


@dataclass(slots=True)
class PlayerStanding:
    """The rank and the results of one player."""

    player: str
    rank: int = 0
    """The rank, from 1; players that are equal in all tie-breaks share a rank."""
    total: Results = field(default_factory=Results)
    first: Results = field(default_factory=Results)
    """The games in which the player began."""
    against: defaultdict[str, Results] = field(default_factory=lambda: defaultdict(Results))
    """The row of the crosstable: games by opponent."""
    bye_points: float = 0.0
    sonneborn_berger: float = 0.0
    """For each opponent, the points won against it times its own points; then the sum of all."""
    failures: Counter[Termination] = field(default_factory=Counter)
    """Games lost by the player's own fault, by kind of fault."""

    @property
    def points(self) -> float:
        return self.total.points + self.bye_points

    @property
    def summary(self) -> dict[str, Any]:
        """The first columns of every table of standings."""
        return {
            "rank": self.rank,
            "player": self.player,
            "points": self.points,
            "wins": self.total.wins,
            "draws": self.total.draws,
            "losses": self.total.losses,
        }


def standings(
    games: Iterable[Finished],
    players: Sequence[str] = (),
    *,
    ranking: Ranking = Ranking.POINTS,
    schedule: PairingSchedule | None = None,
) -> list[PlayerStanding]:
    """Return the standings, best player first.

    `players` gives the order of equal players, and includes players without a game. `schedule` adds
    byes and rounds reached. After `ranking`, the points decide, then Sonneborn-Berger, then wins.
    """
    table = {player: PlayerStanding(player) for player in players}
    for game in games:
        _count(game, table)
    progress: dict[str, int] = {}
    if schedule is not None:
        for bye in schedule.byes:
            table.setdefault(bye.player, PlayerStanding(bye.player)).bye_points += bye.points
        progress = schedule.progress
    for standing in table.values():
        standing.sonneborn_berger = sum(
            tally.points * table[opponent].points for opponent, tally in standing.against.items()
        )

    def key(standing: PlayerStanding) -> tuple[float, ...]:
        leading = {
            Ranking.POINTS: standing.points,
            Ranking.SHARE: standing.total.share,
            Ranking.PROGRESS: progress.get(standing.player, 0),
        }[ranking]
        ties = (standing.points, standing.sonneborn_berger, standing.total.wins)
        return (leading, *ties)

    ordered = sorted(table.values(), key=key, reverse=True)
    for place, standing in enumerate(ordered, 1):
        above = ordered[place - 2]
        standing.rank = above.rank if place > 1 and key(above) == key(standing) else place
    return ordered


def _count(game: Finished, table: dict[str, PlayerStanding]) -> None:
    """Count a game for both players; an aborted game does not count."""
    for player in game.players:
        if player not in table:
            table[player] = PlayerStanding(player)
    first, second = (table[player] for player in game.players)
    if game.termination is Termination.ABORT:
        return
    score = 0.5 if game.winner is None else float(game.winner == 1)
    for one, other, points in ((first, second, score), (second, first, 1 - score)):
        one.total.add(points)
        one.against[other.player].add(points)
        if points == 0 and game.termination.is_failure:
            one.failures[game.termination] += 1
    first.first.add(score)

"""The current round: its pairings, and their results so far."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from plywire.clients.play.matches.records import Finished

from .pairings import Bye, Pairing, PairingSchedule
from .standings import standings


@dataclass(frozen=True, slots=True)
class Encounter:
    """A pairing and its results so far."""

    pairing: Pairing
    points: tuple[float, float]
    """The players' points in the finished games."""
    played: int


@dataclass(frozen=True, slots=True)
class CurrentRound:
    """A round and its results so far."""

    number: int
    of: int
    encounters: tuple[Encounter, ...]
    byes: tuple[Bye, ...]


def current_round(schedule: PairingSchedule, finished: Iterable[Finished]) -> CurrentRound | None:
    """Return the first unfinished round, or else the last round; None without rounds."""
    if not schedule.pairings:
        return None
    over = {game.number: game for game in finished}
    rounds = max(pairing.round for pairing in schedule.pairings)
    unfinished = (
        pairing.round
        for pairing in schedule.pairings
        if any(number not in over for number in _numbers(pairing))
    )
    current = min(unfinished, default=rounds)

    def encounter(pairing: Pairing) -> Encounter:
        games = [over[number] for number in _numbers(pairing) if number in over]
        points = {row.player: row.points for row in standings(games, pairing.players)}
        one, other = pairing.players
        return Encounter(pairing, (points[one], points[other]), len(games))

    return CurrentRound(
        current,
        max(rounds, schedule.rounds),
        tuple(encounter(pairing) for pairing in schedule.pairings if pairing.round == current),
        tuple(bye for bye in schedule.byes if bye.round == current),
    )


def _numbers(pairing: Pairing) -> range:
    return range(pairing.first_game, pairing.first_game + pairing.games)

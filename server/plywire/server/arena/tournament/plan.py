"""The plan of a tournament: its configuration and openings, with nothing left to chance.

The journal stores the plan, so a tournament resumes unchanged, even if its file has changed.
"""

import asyncio
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict

from plywire.clients.play.errors import Termination
from plywire.clients.play.matches.openings import OpeningError, read_openings
from plywire.clients.play.matches.records import Finished, GameSummary
from plywire.server.arena.job_workers import Workers

from .config import ConfigError, GameSection, TournamentConfig
from .pairings import Meeting, Pairing, PairingSchedule, Rounds, Score
from .scheduled_game import ScheduledGame
from .tournament_openings import balanced_openings, random_openings, usual_plies

#: Minimum number of openings for each game. Tie-breaks may need more openings than the pairings.
_FEWEST = 8

Names = tuple[str, ...]


class Plan(BaseModel):
    """Everything that determines the course of a tournament, except the players' moves."""

    model_config = ConfigDict(frozen=True)

    config: TournamentConfig
    openings: tuple[tuple[Names, ...], ...]
    """The openings of each game, as names of moves; games use them in turn."""
    openings_by: Literal["tournament", "pairing"] = "tournament"
    """Whether openings are counted from 0 in each pairing, or through the whole tournament. Older
    journals lack the key.
    """

    def count(self, known: int, schedule: PairingSchedule | None = None) -> int:
        """Return the number of games of the whole tournament, given the number that is `known`."""
        if schedule is not None and schedule.complete:
            return known
        return max(known, self.config.format.games_of(len(self.config.players)))

    def games(self, schedule: PairingSchedule) -> list[ScheduledGame]:
        return [
            self._game(pairing.round, meeting)
            for pairing in schedule.pairings
            for meeting in pairing.meetings
        ]

    def schedule(
        self,
        records: Mapping[int, Finished],
        games: Iterable[ScheduledGame | GameSummary] = (),
    ) -> PairingSchedule:
        """Return the schedule so far; `games` are the games of earlier rounds, in order."""
        players = list(self.config.players)
        results: dict[int, Score] = {}
        drawn = _rounds((game.round, game.players) for game in games)
        while True:
            schedule = self.config.format.schedule(players, results, drawn)
            if schedule.complete:
                return schedule
            paired = _rounds((pairing.round, pairing.players) for pairing in schedule.pairings)
            drawn = {**drawn, **paired}
            over = {
                pairing.number: score
                for pairing in schedule.pairings
                if (score := _score(pairing, records)) is not None
            }
            if over == results:
                return schedule
            results = over

    def _game(self, round: int, meeting: Meeting) -> ScheduledGame:
        place = meeting.opening if self.openings_by == "pairing" else meeting.number // 2
        turn, kind = divmod(place, len(self.config.games))
        game = self.config.games[kind].kind()
        openings = self.openings[kind]
        return ScheduledGame(
            number=meeting.number,
            round=round,
            game=game.name,
            size=game.size,
            players=meeting.players,
            fen=game.start().fen(),
            opening=openings[turn % len(openings)],
        )


def _rounds(drawn: Iterable[tuple[int, tuple[str, str]]]) -> Rounds:
    """Return the pairs by round, each pair once and in the order of its first game."""
    pairs: dict[int, dict[tuple[str, str], tuple[str, str]]] = {}
    for round, players in drawn:
        one, other = players
        pairs.setdefault(round, {}).setdefault(min(players, (other, one)), players)
    return {round: list(found.values()) for round, found in pairs.items()}


def _score(pairing: Pairing, records: Mapping[int, Finished]) -> Score | None:
    """Return the points of a pairing's players, or None; an aborted game gives no points."""
    points = [0.0, 0.0]
    for meeting in pairing.meetings:
        record = records.get(meeting.number)
        if record is None:
            return None
        for place, player in enumerate(pairing.players):
            if record.termination is Termination.ABORT:
                continue
            if record.winner is None:
                points[place] += 0.5
            elif record.players[record.winner - 1] == player:
                points[place] += 1.0
    return points[0], points[1]


async def make_plan(config: TournamentConfig, workers: Workers) -> Plan:
    """Find the openings of a tournament; raises ConfigError, with the key, if there are none."""

    async def openings(number: int, section: GameSection) -> Sequence[Names]:
        wanted = section.count or max(config.openings_needed, _FEWEST)
        try:
            return await _openings(section, wanted, config.seed, workers)
        except (OpeningError, OSError) as error:
            raise ConfigError(f"games[{number}].openings: {error}") from None

    found = await asyncio.gather(*(openings(*item) for item in enumerate(config.games)))
    return Plan(config=config, openings=tuple(map(tuple, found)), openings_by="pairing")


async def _openings(
    section: GameSection, count: int, seed: int, workers: Workers
) -> Sequence[Names]:
    game = section.kind()
    plies = section.plies or usual_plies(game)
    match section.openings:
        case "start":
            return [()]
        case "random":
            return [line.names for line in random_openings(game, count, plies=plies, seed=seed)]
        case "balanced":
            return await workers.run(_balanced, section, count, plies, seed)
        case "file":
            lines = read_openings(game, (section.file or Path()).read_bytes())
            if any(line.start != game.start() for line in lines):
                raise OpeningError("a tournament's openings begin where the game does, with moves")
            return [line.names for line in lines]


def _balanced(section: GameSection, count: int, plies: int, seed: int) -> list[Names]:
    found = balanced_openings(section.kind(), count, plies=plies, seed=seed)
    return [line.names for line in found]

"""Exports of games, standings and ratings: JSON and CSV, and for games also PGN and GGF."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum

from plywire.clients.play.matches.match import MatchStanding
from plywire.clients.play.matches.records import GameRecord
from plywire.clients.play.ratings.bradley_terry import Ratings
from plywire.clients.play.ratings.sprt import Sprt
from plywire.server.arena.tournament.standings import PlayerStanding

from .game_texts import EventInfo, ggf, pgn, score_text

#: A row of a table: the value for each heading.
Row = Mapping[str, str | int | float | None]

#: Matches text that a spreadsheet would run as a formula. Negative numbers and scores do not match.
_FORMULA = re.compile(r"[=@\t\r]|[+-](?![\d. +\-M]*$)")


class ExportFormat(StrEnum):
    """The formats of exports; PGN and GGF are for games only."""

    JSONL = "jsonl"
    """One JSON object per line; a game's object is a `GameRecord`."""
    JSON = "json"
    """The same objects in one array."""
    CSV = "csv"
    """A line of headings, then one line per row, by RFC 4180."""
    PGN = "pgn"
    GGF = "ggf"
    """One line per game, only for Othello."""


class Export:
    """Writes games, standings or ratings as text, in several calls."""

    def __init__(self, form: ExportFormat, event: EventInfo, *, goes_on: bool = False) -> None:
        """Begin a text; with `goes_on`, CSV has no headings, because the text continues another."""
        self._form = form
        self._event = event
        self._between = "[\n" if form is ExportFormat.JSON else ""
        self._has_headings = goes_on

    def games(self, records: Iterable[GameRecord]) -> Iterator[str]:
        """Yield the text of the next games; GGF skips all games except Othello."""
        match self._form:
            case ExportFormat.JSON | ExportFormat.JSONL:
                yield from self._objects(record.model_dump_json() for record in records)
            case ExportFormat.CSV:
                yield self._table(map(_game_row, records))
            case ExportFormat.PGN:
                yield from (pgn(record, self._event) + "\n" for record in records)
            case ExportFormat.GGF:
                othello = (record for record in records if record.game == "othello")
                yield from (ggf(record, self._event) + "\n" for record in othello)

    def rows(self, rows: Iterable[Row]) -> Iterator[str]:
        """Yield the text of the next rows; raises ValueError if the format is only for games."""
        match self._form:
            case ExportFormat.JSON | ExportFormat.JSONL:
                yield from self._objects(json.dumps(row, ensure_ascii=False) for row in rows)
            case ExportFormat.CSV:
                yield self._table(rows)
            case _:
                raise ValueError(f"only games can be written as {self._form.value}")

    def end(self) -> str:
        if self._form is not ExportFormat.JSON:
            return ""
        return "[]\n" if self._between == "[\n" else "\n]\n"

    def _objects(self, objects: Iterable[str]) -> Iterator[str]:
        if self._form is ExportFormat.JSONL:
            yield from (text + "\n" for text in objects)
            return
        for text in objects:
            yield self._between + text
            self._between = ",\n"

    def _table(self, rows: Iterable[Row]) -> str:
        text = io.StringIO()
        write = csv.writer(text).writerow
        for row in rows:
            if not self._has_headings:
                write(row)
                self._has_headings = True
            write(map(_cell, row.values()))
        return text.getvalue()


def _cell(value: object) -> object:
    """Return a cell's value; a leading `'` stops spreadsheets from running text as a formula."""
    return f"'{value}" if isinstance(value, str) and _FORMULA.match(value) else value


def standings_rows(table: Sequence[PlayerStanding]) -> Iterator[Row]:
    """Yield a row for each player, in the order of the table."""
    for standing in table:
        yield {
            "rank": standing.rank,
            "player": standing.player,
            "points": standing.points,
            "games": standing.total.games,
            "wins": standing.total.wins,
            "draws": standing.total.draws,
            "losses": standing.total.losses,
            "bye_points": standing.bye_points,
            "sonneborn_berger": standing.sonneborn_berger,
            "games_first": standing.first.games,
            "points_first": standing.first.points,
            "faults": standing.failures.total(),
        }


def rating_rows(ratings: Ratings) -> Iterator[Row]:
    """Yield a row for each player, best first; `error` is half the 95 % interval."""
    for rating in ratings.table:
        yield {
            "player": rating.player,
            "elo": round(rating.elo, 2),
            "error": round(rating.error, 2),
            "games": rating.games,
            "points": rating.points,
        }


def match_row(names: tuple[str, str], standing: MatchStanding, test: Sprt | None) -> Row:
    """Return the row of a match, from the first player's view; Elo with its 95 % interval.

    `pairs` counts the pairs of games with 0, ½, 1, 1½ and 2 points.
    """
    tally = standing.tally
    found = tally.estimate()
    faults = [sum(n for (who, *_), n in standing.failures.items() if who == it) for it in names]
    row: Row = {
        "first": names[0],
        "second": names[1],
        "games": tally.games,
        "wins": tally.wins,
        "draws": tally.draws,
        "losses": tally.losses,
        "score": round(found.score, 4),
        "elo": _rounded(found.elo),
        "elo_low": _rounded(found.elo_low),
        "elo_high": _rounded(found.elo_high),
        "superiority": round(found.los, 4),
        "pairs": " ".join(map(str, tally.pentanomial)),
        "faults_first": faults[0],
        "faults_second": faults[1],
    }
    if test is None:
        return row
    pairs = tally.pentanomial
    return {**row, "llr": round(test.llr(pairs), 4), "sprt": test.verdict(pairs).value}


def _rounded(elo: float | None) -> float | None:
    return None if elo is None else round(elo, 2)


def _game_row(record: GameRecord) -> Row:
    """Return the row of a game; spaces separate values of moves, and `-` is an unknown value."""
    searches = record.searches
    return {
        "number": record.number,
        "round": record.round,
        "game": record.game,
        "size": record.size,
        "first": record.players[0],
        "second": record.players[1],
        "winner": record.winner,
        "score": record.score,
        "termination": record.termination.value,
        "reason": record.reason,
        "started": None if record.started is None else record.started.isoformat(),
        "fen": record.fen,
        "opening": record.opening,
        "moves": " ".join(record.moves),
        "times": " ".join(map(str, record.times)),
        "clocks": _in_columns(record.clocks),
        "scores": _in_columns(said and said.score and score_text(said.score) for said in searches),
        "depths": _in_columns(said and said.depth for said in searches),
        "nodes": _in_columns(said and said.nodes for said in searches),
    }


def _in_columns(values: Iterable[object]) -> str:
    return " ".join("-" if value is None else str(value) for value in values)

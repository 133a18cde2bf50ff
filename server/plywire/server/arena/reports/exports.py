"""Exports of games, standings and ratings: JSON and CSV, and for games also PGN and GGF.

PGN follows the "Portable Game Notation Specification and Implementation Guide" (1994), with each
game's own move names. White is the first player. `plywire.protocol.ggf` explains GGF.
"""

from __future__ import annotations

import csv
import io
import json
import re
import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, repeat, zip_longest

from plywire.clients.play.errors import Termination
from plywire.clients.play.matches.match import MatchStanding
from plywire.clients.play.matches.records import GameRecord
from plywire.clients.play.matches.referee import TimeControl
from plywire.clients.play.ratings.bradley_terry import Ratings
from plywire.clients.play.ratings.sprt import Sprt
from plywire.engine.registry import load
from plywire.protocol.ggf import GgfGame, GgfMove, GgfTime, write_ggf
from plywire.protocol.messages.limits import Limits
from plywire.protocol.messages.play import Score, Searched
from plywire.server.arena.tournament.standings import PlayerStanding

#: A row of a table: values by heading.
Row = Mapping[str, str | int | float | None]

#: Matches text that a spreadsheet would run as a formula, but not numbers and scores.
_FORMULA = re.compile(r"[=@\t\r]|[+-](?![\d. +\-M]*$)")

#: PGN's words for how a game ended.
_PGN_TERMINATIONS = {
    Termination.NORMAL: "normal",
    Termination.RESIGNATION: "normal",
    Termination.ADJUDICATION: "adjudication",
    Termination.ILLEGAL_MOVE: "rules infraction",
    Termination.GARBAGE: "rules infraction",
    Termination.TIME: "time forfeit",
    Termination.STALL: "time forfeit",
}

#: GGF's marks of games that were not played out: the loser ran out of time, or left.
_GGF_FLAGS = {Termination.TIME: ":t", Termination.STALL: ":t"}
_GGF_LEFT = ":r"


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


@dataclass(frozen=True, slots=True)
class EventInfo:
    """Facts about the event that the formats need."""

    name: str
    site: str = "?"
    """The place, for example the server's address."""
    control: TimeControl | None = None

    def limits(self, names: tuple[str, str]) -> tuple[Limits | None, Limits | None]:
        return (None, None) if self.control is None else self.control.of(names)


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
        "scores": _in_columns(said and said.score and _score(said.score) for said in searches),
        "depths": _in_columns(said and said.depth for said in searches),
        "nodes": _in_columns(said and said.nodes for said in searches),
    }


def pgn(record: GameRecord, event: EventInfo) -> str:
    """Return a game as PGN, with a comment after each move after the opening.

    The comment is `{+0.35/12 0.104s, n=2048 [%clk 0:00:09.996] [%emt 0:00:00.104]}`. Its first part
    is for match managers: score of the player who moved, depth, time and nodes. The rest is for
    GUIs: remaining clock and time. `+M7/12` wins in 7 plies. Without a score, only times remain.
    """
    start = load(record.game, record.size).start()
    result = {1: "1-0", 2: "0-1", None: "1/2-1/2"}[record.winner]
    if record.termination is Termination.ABORT:
        result = "*"
    tags = {
        "Event": event.name,
        "Site": event.site,
        "Date": "????.??.??" if record.started is None else f"{record.started:%Y.%m.%d}",
        "Round": "-" if record.round is None else str(record.round),
        "White": record.players[0],
        "Black": record.players[1],
        "Result": result,
        "Variant": record.game,
        "Size": record.size,
        **_pgn_time_controls(event.limits(record.players)),
        "Termination": _PGN_TERMINATIONS.get(record.termination, "abandoned"),
        "Reason": record.reason,
        "PlyCount": str(len(record.moves)),
    }
    if record.started is not None:
        tags["Time"] = f"{record.started:%H:%M:%S}"
    if record.fen != start.fen():
        tags |= {"SetUp": "1", "FEN": record.fen}
    head = [f'[{name} "{_pgn_text(value)}"]' for name, value in tags.items()]
    moves = textwrap.wrap(" ".join([*_pgn_moves(record), result]), 79, break_on_hyphens=False)
    return "\n".join([*head, "", *moves, ""])


def _pgn_moves(record: GameRecord) -> Iterator[str]:
    for ply, (move, time, clock, searched) in enumerate(_annotated_moves(record)):
        if ply % 2 == 0:
            yield f"{ply // 2 + 1}."
        yield move
        if time is not None:
            told = [f"[%emt {_pgn_time(time)}]"]
            if clock is not None:
                told.insert(0, f"[%clk {_pgn_time(clock)}]")
            if searched is not None and searched.score is not None:
                depth, nodes = searched.depth or 0, searched.nodes
                counted = "" if nodes is None else f", n={nodes}"
                told.insert(0, f"{_score(searched.score)}/{depth} {time / 1000:.3f}s{counted}")
            yield "{" + " ".join(told) + "}"


def _score(score: Score) -> str:
    """Return a score in pawns or discs, such as `+0.35`, or plies to the end, such as `-M8`."""
    if score.kind in ("win", "loss"):
        return f"{'+' if score.kind == 'win' else '-'}M{score.value or ''}"
    return f"{_units(score):+.2f}"


def _units(score: Score) -> float:
    """Return a score in pawns or discs; the kinds `win` and `loss` are not accepted."""
    return score.value / 100 if score.kind == "cp" else float(score.value)


def _pgn_time(ms: int) -> str:
    seconds, ms = divmod(ms, 1000)
    minutes, seconds = divmod(seconds, 60)
    return f"{minutes // 60}:{minutes % 60:02}:{seconds:02}.{ms:03}"


def _pgn_time_controls(limits: tuple[Limits | None, Limits | None]) -> dict[str, str]:
    white, black = (_pgn_time_control(each, player) for player, each in enumerate(limits, 1))
    if white == black:
        return {"TimeControl": white}
    return {"WhiteTimeControl": white, "BlackTimeControl": black}


def _pgn_time_control(limits: Limits | None, player: int) -> str:
    """Return limits: `10+0.1` or `60+3x30` for clocks, `1/0.1` for a move, `-` for none."""
    if limits is None:
        return "?"
    if (clock := limits.clock) is not None:
        time, gain, periods = (
            getattr(clock, f"{part}{player}") for part in ("p", "inc", "periods")
        )
        increment = f"+{gain / 1000:g}" if gain else ""
        byoyomi = f"+{periods}x{clock.byoyomi / 1000:g}" if periods else ""
        return f"{time / 1000:g}{increment}{byoyomi}"
    return "-" if limits.movetime is None else f"1/{limits.movetime / 1000:g}"


def _pgn_text(value: str) -> str:
    return _printable(value).replace("\\", "\\\\").replace('"', '\\"')


def ggf(record: GameRecord, event: EventInfo) -> str:
    """Return a game of Othello as one line of GGF; raises ValueError for another game."""
    if record.game != "othello":
        raise ValueError(f"GGF is written for othello, not for {record.game}")
    black, white = event.limits(record.players)
    game = GgfGame(
        moves=tuple(
            GgfMove(name, eval=_discs(searched), time=time)
            for name, time, _, searched in _annotated_moves(record)
        ),
        fen=record.fen,
        black=record.players[0],
        white=record.players[1],
        place=event.name,
        date="" if record.started is None else f"{record.started:%Y.%m.%d_%H:%M:%S.%Z}",
        result=_ggf_result(record),
        times=(_ggf_time(black, 1), _ggf_time(white, 2)),
    )
    return write_ggf(game)


def _ggf_result(record: GameRecord) -> str:
    """Return Black's lead in discs: 64 if White resigned or failed, -64 if Black did."""
    if record.termination is Termination.ABORT:
        return "?"
    if record.termination in (Termination.NORMAL, Termination.ADJUDICATION):
        return f"{record.score:+.3f}"
    return f"{64 * record.score:+.3f}{_GGF_FLAGS.get(record.termination, _GGF_LEFT)}"


def _ggf_time(limits: Limits | None, player: int) -> GgfTime | None:
    if limits is None or limits.clock is None:
        return None
    clock = limits.clock.without_byoyomi
    return GgfTime(*((clock.p1, clock.inc1) if player == 1 else (clock.p2, clock.inc2)))


def _discs(searched: Searched | None) -> float | None:
    if searched is None or searched.score is None or searched.score.kind in ("win", "loss"):
        return None
    return _units(searched.score)


def _annotated_moves(
    record: GameRecord,
) -> Iterator[tuple[str, int | None, int | None, Searched | None]]:
    """Yield each move with its time and clock in ms and its search; None where unknown."""
    notes = zip_longest(record.times, record.clocks, record.searches)
    blank = repeat((None, None, None), record.opening)
    for name, note in zip(record.moves, chain(blank, notes), strict=False):
        yield name, *note


def _in_columns(values: Iterable[object]) -> str:
    return " ".join("-" if value is None else str(value) for value in values)


def _printable(value: str) -> str:
    return "".join(character if character.isprintable() else " " for character in value)

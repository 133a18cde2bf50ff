"""The journal: the events of tournaments, each on disk before it is announced.

The database refuses changes to finished games (`journal_tables.py`).
"""

import logging
import sqlite3
from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from sys import intern
from typing import Any, Self

from plywire.clients.play.errors import Termination
from plywire.clients.play.judging.accuracy import Accuracy, GameAccuracy
from plywire.clients.play.matches.records import GameRecord, GameSummary
from plywire.server.arena.tournament.scheduled_game import ScheduledGame

from .announcements import Announcements
from .database import (
    Database,
    JournalBusyError,
    JournalError,
    JournalHinderedError,
    change_one,
    now,
    time_of,
)
from .journal_tables import KIND, RECORD
from .journalled import (
    GAME,
    FinishedGame,
    JournalledGame,
    JournalledTournament,
    JudgedGame,
    game_of,
    scheduled_of,
)
from .series import SeriesGames

__all__ = [
    "Journal",
    "JournalBusyError",
    "JournalError",
    "JournalHinderedError",
    "journal_of",
]

log = logging.getLogger(__name__)

#: SQL for the unfinished games of a tournament. Without INDEXED BY, SQLite would read all games.
_UNFINISHED = "game INDEXED BY unfinished_game WHERE tournament = ?1 AND record IS NULL"


class Journal:
    """A journal of tournaments; an asynchronous context manager.

    All methods raise JournalError if the event cannot be written or contradicts earlier events.
    Damaged rows are skipped and logged.
    """

    def __init__(self, path: Path, *, create: bool = False, exclusive: bool = True) -> None:
        """Name the file, which `create` creates if need be; readers set `exclusive` to False.

        Opening raises JournalBusyError if another process holds the journal exclusively. It raises
        JournalError if the file is missing, damaged, no journal, or of a newer version.
        """
        self.path = path
        self.database = Database(path, KIND, create=create, exclusive=exclusive)
        self.announcements = Announcements(self.database)
        self.series = SeriesGames(self.database)

    async def __aenter__(self) -> Self:
        await self.database.open()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.database.close()

    # ---- events ----

    async def create(self, name: str, config: str) -> int:
        row = (name, config, now())
        sql = "INSERT INTO tournament (name, config, created) VALUES (?, ?, ?)"
        return await self.database.do(
            lambda connection: connection.execute(sql, row).lastrowid or 0
        )

    async def schedule(self, tournament: int, games: Sequence[ScheduledGame]) -> None:
        """Add games to the schedule: all of them, or none after an error."""
        sql = (
            "INSERT INTO game"
            " (tournament, number, round, game, size, first, second, fen, opening)"
            " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)"
        )
        rows = [
            (
                *(tournament, game.number, game.round, game.game, game.size),
                *(*game.players, game.fen, " ".join(game.opening)),
            )
            for game in games
        ]

        def run(connection: sqlite3.Connection) -> None:
            connection.executemany(sql, rows)

        await self.database.do(run)

    async def start(self, tournament: int, number: int) -> datetime:
        """Start a game, or restart it and delete the moves of the earlier attempt."""
        began = now()

        def run(connection: sqlite3.Connection) -> None:
            key = (tournament, number)
            connection.execute("DELETE FROM move WHERE tournament = ? AND number = ?", key)
            sql = "UPDATE game SET started = ? WHERE tournament = ? AND number = ?"
            change_one(connection, sql, (began, *key))

        await self.database.do(run)
        return datetime.fromisoformat(began)

    async def move(self, tournament: int, number: int, ply: int, name: str, ms: int) -> None:
        """Add a move; raises JournalError unless the journal has exactly `ply` earlier moves of the
        game."""
        sql = (
            "INSERT INTO move (tournament, number, ply, name, ms) SELECT ?1, ?2, ?3, ?4, ?5"
            " WHERE ?3 = (SELECT count(*) FROM move WHERE tournament = ?1 AND number = ?2)"
        )
        await self.database.change(sql, tournament, number, ply, name, ms)

    async def finish(self, tournament: int, record: GameRecord, *, is_rated: bool = False) -> None:
        """End a game for good; with `is_rated`, `SeriesGames.unrated` lists the game."""
        sql = (
            "UPDATE game SET record = ? WHERE tournament = ? AND number = ?"
            " AND started IS NOT NULL AND record IS NULL"
        )
        row = (record.model_dump_json(), tournament, record.number)

        def run(connection: sqlite3.Connection) -> None:
            change_one(connection, sql, row)
            if is_rated:
                unrated = "INSERT INTO unrated (tournament, number) VALUES (?, ?)"
                connection.execute(unrated, (tournament, record.number))

        await self.database.do(run)

    async def judge(self, tournament: int, number: int, accuracy: GameAccuracy) -> None:
        sql = (
            "UPDATE game SET accuracy = ?"
            " WHERE tournament = ? AND number = ? AND record IS NOT NULL"
        )
        await self.database.change(sql, accuracy.model_dump_json(), tournament, number)

    async def end(self, tournament: int, outcome: str) -> None:
        sql = "UPDATE tournament SET ended = ?, outcome = ? WHERE id = ? AND ended IS NULL"
        await self.database.change(sql, now(), outcome, tournament)

    # ---- queries ----

    async def tournaments(self, name: str | None = None) -> list[JournalledTournament]:
        if name is None:
            return await self._tournaments("ORDER BY id")
        return await self._tournaments("WHERE name = ? ORDER BY id", name)

    async def tournament(self, identifier: int) -> JournalledTournament:
        """Return a tournament by its id; raises JournalError if it is missing or damaged."""
        for found in await self._tournaments("WHERE id = ?", identifier):
            return found
        raise JournalError(f"{self.path}: no tournament {identifier} can be read")

    async def ended(self, most: int) -> list[JournalledTournament]:
        """Return the tournaments that ended last, oldest first."""
        found = await self._tournaments(
            "WHERE ended IS NOT NULL ORDER BY ended DESC, id DESC LIMIT ?", most
        )
        return found[::-1]

    async def next_number(self, tournament: int) -> int:
        """Return the number after the highest game of a tournament."""

        def run(connection: sqlite3.Connection) -> int:
            sql = "SELECT coalesce(max(number), -1) + 1 FROM game WHERE tournament = ?"
            return int(connection.execute(sql, (tournament,)).fetchone()[0])

        return await self.database.do(run)

    async def games(self, tournament: int) -> list[JournalledGame]:
        """Return the games of a tournament that are known so far, in the order of the schedule."""
        return await self._games("game WHERE tournament = ?1", tournament)

    async def unfinished(self, tournament: int) -> list[JournalledGame]:
        """Return the unfinished games of a tournament, in the order of the schedule."""
        return await self._games(_UNFINISHED, tournament)

    async def results(self, tournament: int) -> list[GameSummary]:
        """Return the results of a tournament's finished games, in the order of the schedule."""
        whole = "CASE WHEN json_valid(record) THEN record END"
        sql = (
            "SELECT tournament, number, round, first, second,"
            f" json_extract({whole}, '$.winner'), json_extract({whole}, '$.termination')"
            " FROM game WHERE tournament = ? AND record IS NOT NULL ORDER BY number"
        )

        def result(
            _: int, number: int, round_: int, first: str, second: str, *end: Any
        ) -> GameSummary:
            winner, termination = end
            players = intern(first), intern(second)
            return GameSummary(number, round_, players, winner, Termination(termination))

        return await self.database.rows("game", result, sql, tournament)

    async def records(self, tournament: int, first: int, last: int) -> list[JudgedGame]:
        sql = (
            f"SELECT tournament, number, {RECORD}, accuracy FROM game"
            " WHERE tournament = ? AND number BETWEEN ? AND ? AND record IS NOT NULL"
            " ORDER BY number"
        )

        def judged(_: int, number: int, record: bytes, accuracy: str | None) -> JudgedGame:
            return (
                GameRecord.model_validate_json(record),
                None if accuracy is None else Accuracy.model_validate_json(accuracy),
            )

        return await self.database.rows("game", judged, sql, tournament, first, last)

    async def finished(self, most: int) -> list[FinishedGame]:
        """Return the finished games that began last, oldest first."""
        which = "ORDER BY started DESC, tournament DESC, number DESC LIMIT ?"
        return (await self._finished(which, most))[::-1]

    async def finished_game(self, tournament: int, number: int) -> FinishedGame | None:
        found = await self._finished("AND tournament = ? AND number = ?", tournament, number)
        return found[0] if found else None

    async def finished_round(self, tournament: int, number: int, most: int) -> list[FinishedGame]:
        """Return the first finished games of a tournament's round."""
        which = "AND tournament = ? AND round = ? ORDER BY number LIMIT ?"
        return await self._finished(which, tournament, number, most)

    async def _finished(self, which: str, *values: int) -> list[FinishedGame]:
        sql = f"SELECT tournament, {GAME} FROM game WHERE record IS NOT NULL {which}"

        def finished(tournament: int, *row: Any) -> FinishedGame:
            record = GameRecord.model_validate_json(row[-2])
            return FinishedGame(tournament, scheduled_of(row), record)

        return await self.database.rows("game", finished, sql, *values)

    async def _tournaments(self, which: str, *values: str | int) -> list[JournalledTournament]:
        sql = f"SELECT id, name, config, created, ended, outcome FROM tournament {which}"

        def held(
            identifier: int, name: str, config: str, created: str, *end: Any
        ) -> JournalledTournament:
            ended, outcome = end
            times = datetime.fromisoformat(created), time_of(ended)
            return JournalledTournament(identifier, name, config, *times, outcome)

        return await self.database.rows("tournament", held, sql, *values)

    async def _games(self, which: str, tournament: int) -> list[JournalledGame]:
        sql = f"SELECT {GAME} FROM {which} ORDER BY number"
        moves_of = (
            "SELECT number, name, ms FROM move WHERE tournament = ?1"
            f" AND number IN (SELECT number FROM {_UNFINISHED}) ORDER BY number, ply"
        )

        def run(connection: sqlite3.Connection) -> list[JournalledGame]:
            moves: dict[int, list[tuple[str, int]]] = {}
            for number, name, ms in connection.execute(moves_of, (tournament,)):
                moves.setdefault(number, []).append((name, ms))
            rows = connection.execute(sql, (tournament,))
            return [game_of(row, tuple(moves.get(row[0], ()))) for row in rows]

        return await self.database.do(run)


def journal_of(arena: Path) -> Path:
    """Return the path of the journal in an arena's folder."""
    return arena / "games.sqlite"

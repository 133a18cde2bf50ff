"""The journal: what happened in tournaments, on disk before anybody is told of it.

When a method that writes returns, its event survives the death of the process and of the machine
(`database.py`). The database itself refuses to change a finished game (the triggers below).
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from sys import intern
from typing import Any

from plywire.clients.errors import Termination
from plywire.clients.judging.accuracy import Accuracy, GameAccuracy
from plywire.clients.matches.records import GameRecord, GameResult
from plywire.protocol.messages.limits import Limits
from plywire.server.arena.tournament.config import SERIES
from plywire.server.arena.tournament.scheduled_game import ScheduledGame

from .announcements import TABLES, Announcement, Announcements
from .database import JournalBusyError, JournalError, change_one, now, text_of, time_of

__all__ = [
    "SERIES",
    "Announcement",
    "Journal",
    "JournalBusyError",
    "JournalError",
    "JournalledGame",
    "JournalledTournament",
    "ScheduledGame",
    "SeriesTerms",
    "journal_of",
]

#: Each brings a journal from the version of its index to the next.
_MIGRATIONS = (
    """
    CREATE TABLE tournament (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL,
        config TEXT NOT NULL,
        created TEXT NOT NULL,
        ended TEXT,
        outcome TEXT
    );
    CREATE TABLE game (
        tournament INTEGER NOT NULL REFERENCES tournament,
        number INTEGER NOT NULL,
        round INTEGER NOT NULL,
        game TEXT NOT NULL,
        size TEXT NOT NULL,
        first TEXT NOT NULL,
        second TEXT NOT NULL,
        fen TEXT NOT NULL,
        opening TEXT NOT NULL,  -- names of moves, with spaces between
        started TEXT,
        record TEXT,  -- JSON of the finished game
        accuracy TEXT,  -- JSON
        PRIMARY KEY (tournament, number)
    ) WITHOUT ROWID;
    CREATE TABLE move (
        tournament INTEGER NOT NULL,
        number INTEGER NOT NULL,
        ply INTEGER NOT NULL,  -- from 0, after the opening
        name TEXT NOT NULL,
        ms INTEGER NOT NULL,
        PRIMARY KEY (tournament, number, ply),
        FOREIGN KEY (tournament, number) REFERENCES game
    ) WITHOUT ROWID;

    CREATE TRIGGER finished_game_stays BEFORE UPDATE ON game
        WHEN OLD.record IS NOT NULL AND OLD.record IS NOT NEW.record
        BEGIN SELECT raise(ABORT, 'the game is finished'); END;
    CREATE TRIGGER schedule_stays BEFORE DELETE ON game
        BEGIN SELECT raise(ABORT, 'a scheduled game stays'); END;
    CREATE TRIGGER no_move_after_the_end BEFORE INSERT ON move
        WHEN (SELECT record FROM game WHERE tournament = NEW.tournament AND number = NEW.number)
            IS NOT NULL
        BEGIN SELECT raise(ABORT, 'the game is finished'); END;
    CREATE TRIGGER finished_moves_stay BEFORE DELETE ON move
        WHEN (SELECT record FROM game WHERE tournament = OLD.tournament AND number = OLD.number)
            IS NOT NULL
        BEGIN SELECT raise(ABORT, 'the game is finished'); END;
    """,
    TABLES,
    # What is asked for at each start, found without a look at all the games that ever were.
    """
    CREATE INDEX unfinished_game ON game (tournament, number) WHERE record IS NULL;
    CREATE INDEX finished_game ON game (started, tournament, number) WHERE record IS NOT NULL;
    CREATE INDEX tournament_by_name ON tournament (name);
    CREATE INDEX tournament_by_end ON tournament (ended);
    """,
    # Games that count for the ratings by themselves, from their end until they have been counted.
    """
    CREATE TABLE unrated (
        id INTEGER PRIMARY KEY,
        tournament INTEGER NOT NULL,
        number INTEGER NOT NULL,
        FOREIGN KEY (tournament, number) REFERENCES game
    );
    """,
    # A series of games is found by its terms, and none is read before it is played.
    f"CREATE INDEX series_by_terms ON tournament (config) WHERE name = '{SERIES}';",
)


#: The games of a tournament that are not over. SQLite would take the primary key, and look at all.
_UNFINISHED = "game INDEXED BY unfinished_game WHERE tournament = ?1 AND record IS NULL"

#: A finished game, and how well it was played, None if it was not judged.
JudgedGame = tuple[GameRecord, Accuracy | None]


class SeriesTerms(Limits):
    """What the games of a tournament named `SERIES` have in common, which is its config."""

    rated: bool = False
    """Whether each counts for the ratings when it is over."""

    @property
    def limits(self) -> Limits:
        """How long players may think."""
        return Limits.model_validate(self.model_dump(exclude={"rated"}))


@dataclass(frozen=True, slots=True)
class JournalledGame:
    """A game and how far it came."""

    scheduled: ScheduledGame
    started: datetime | None
    """When it began, None if it did not yet."""
    moves: tuple[tuple[str, int], ...]
    """The moves after the opening, each with the ms that it took; a finished game's are in its
    record alone."""
    record: GameRecord | None
    """None while it is not finished."""
    accuracy: GameAccuracy | None
    """None if it was not judged."""


@dataclass(frozen=True, slots=True)
class JournalledTournament:
    """A tournament and whether it is over."""

    id: int
    name: str
    config: str
    """As it was given to `Journal.create`."""
    created: datetime
    ended: datetime | None
    """None while games are left to play."""
    outcome: str | None
    """Why it ended, in words."""

    @property
    def key(self) -> str:
        """What tells it from all other tournaments, wherever they were played."""
        return f"{self.created.isoformat()} {self.name}"


class Journal(Announcements):
    """A journal of tournaments; an asynchronous context manager.

    All methods raise JournalError if the event cannot be put on disk or contradicts what is there.
    """

    def __init__(self, path: Path, *, create: bool = False, exclusive: bool = True) -> None:
        """The journal in a file, made if it is not there and `create` is set.

        `exclusive` keeps it from all others that ask for the same, until it is closed or this
        process ends, however it ends. Who only reads needs none of that.
        """
        super().__init__(path, _MIGRATIONS, create=create, exclusive=exclusive)

    # ---- events ----

    async def create(self, name: str, config: str) -> int:
        """Begin a tournament and return its id."""

        row = (name, config, now())
        sql = "INSERT INTO tournament (name, config, created) VALUES (?, ?, ?)"
        identifier = await self._do(lambda connection: connection.execute(sql, row).lastrowid)
        if identifier is None:
            raise JournalError(f"{self._path}: the tournament got no number")
        return identifier

    async def schedule(self, tournament: int, games: Sequence[ScheduledGame]) -> None:
        """Put games on the schedule, all or none of them."""
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
        await self._insert(sql, rows)

    async def start(self, tournament: int, number: int) -> datetime:
        """Begin a game, or begin it anew: moves of an earlier attempt are forgotten."""
        began = now()

        def run(connection: sqlite3.Connection) -> None:
            key = (tournament, number)
            connection.execute("DELETE FROM move WHERE tournament = ? AND number = ?", key)
            sql = "UPDATE game SET started = ? WHERE tournament = ? AND number = ?"
            change_one(connection, sql, (began, *key))

        await self._do(run)
        return datetime.fromisoformat(began)

    async def move(self, tournament: int, number: int, ply: int, name: str, ms: int) -> None:
        """Add a move; raises JournalError unless `ply` others have followed the opening."""
        sql = (
            "INSERT INTO move (tournament, number, ply, name, ms) SELECT ?1, ?2, ?3, ?4, ?5"
            " WHERE ?3 = (SELECT count(*) FROM move WHERE tournament = ?1 AND number = ?2)"
        )
        await self._change(sql, (tournament, number, ply, name, ms))

    async def finish(self, tournament: int, record: GameRecord, *, is_rated: bool = False) -> None:
        """End a game; from here on it cannot be changed.

        `is_rated` is whether it counts for the ratings by itself, and is one of `unrated` now.
        """
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

        await self._do(run)

    async def rated(self, unrated: int) -> None:
        """Note that a game of that id among the `unrated` has been counted."""
        await self._change("DELETE FROM unrated WHERE id = ?", (unrated,))

    async def judge(self, tournament: int, number: int, accuracy: GameAccuracy) -> None:
        """Add what perfect knowledge says about a finished game."""
        sql = (
            "UPDATE game SET accuracy = ?"
            " WHERE tournament = ? AND number = ? AND record IS NOT NULL"
        )
        row = (accuracy.model_dump_json(), tournament, number)
        await self._change(sql, row)

    async def end(self, tournament: int, outcome: str) -> None:
        """End a tournament."""
        sql = "UPDATE tournament SET ended = ?, outcome = ? WHERE id = ? AND ended IS NULL"
        row = (now(), outcome, tournament)
        await self._change(sql, row)

    # ---- queries ----

    async def tournaments(self, name: str | None = None) -> list[JournalledTournament]:
        """All tournaments, or those of a name, in the order in which they were created."""
        if name is None:
            return await self._tournaments("ORDER BY id")
        return await self._tournaments("WHERE name = ? ORDER BY id", name)

    async def series(self, config: str) -> int | None:
        """The id of the latest series of that config, None if there is none."""

        def run(connection: sqlite3.Connection) -> int | None:
            sql = f"SELECT max(id) FROM tournament WHERE name = '{SERIES}' AND config = ?"
            found: int | None = connection.execute(sql, (config,)).fetchone()[0]
            return found

        return await self._do(run)

    async def unfinished_series(self) -> list[JournalledTournament]:
        """The series with games that are not over."""
        return await self._tournaments(
            "WHERE name = ? AND id IN"
            " (SELECT tournament FROM game INDEXED BY unfinished_game WHERE record IS NULL)",
            SERIES,
        )

    async def tournament(self, identifier: int) -> JournalledTournament:
        """That tournament."""
        (found,) = await self._tournaments("WHERE id = ?", identifier)
        return found

    async def ended(self, most: int) -> list[JournalledTournament]:
        """The tournaments that ended last, oldest first."""
        found = await self._tournaments(
            "WHERE ended IS NOT NULL ORDER BY ended DESC, id DESC LIMIT ?", most
        )
        return found[::-1]

    async def next_number(self, tournament: int) -> int:
        """The number after those of all its games; some may be missing below it."""

        def run(connection: sqlite3.Connection) -> int:
            sql = "SELECT coalesce(max(number), -1) + 1 FROM game WHERE tournament = ?"
            return int(connection.execute(sql, (tournament,)).fetchone()[0])

        return await self._do(run)

    async def games(self, tournament: int) -> list[JournalledGame]:
        """All games of a tournament that are on its schedule so far, in that order."""
        return await self._games("game WHERE tournament = ?1", tournament)

    async def unfinished(self, tournament: int) -> list[JournalledGame]:
        """Those of them that are not over."""
        return await self._games(_UNFINISHED, tournament)

    async def results(self, tournament: int) -> list[GameResult]:
        """How its finished games ended, in the order of the schedule."""
        sql = (
            "SELECT number, round, first, second,"
            " json_extract(record, '$.winner'), json_extract(record, '$.termination')"
            " FROM game WHERE tournament = ? AND record IS NOT NULL ORDER BY number"
        )

        def run(connection: sqlite3.Connection) -> list[GameResult]:
            return [
                GameResult(
                    number, round_, (intern(first), intern(second)), winner, Termination(end)
                )
                for number, round_, first, second, winner, end in connection.execute(
                    sql, (tournament,)
                )
            ]

        return await self._do(run)

    async def records(self, tournament: int, first: int, last: int) -> list[JudgedGame]:
        """Its finished games from one number to another, both included, in that order."""
        sql = (
            "SELECT record, accuracy FROM game"
            " WHERE tournament = ? AND number BETWEEN ? AND ? AND record IS NOT NULL"
            " ORDER BY number"
        )

        def run(connection: sqlite3.Connection) -> list[JudgedGame]:
            return [
                (
                    GameRecord.model_validate_json(record),
                    None if accuracy is None else Accuracy.model_validate_json(accuracy),
                )
                for record, accuracy in connection.execute(sql, (tournament, first, last))
            ]

        return await self._do(run)

    async def unrated(self) -> list[tuple[int, int, GameRecord]]:
        """The games to be counted for the ratings, in the order of their ends.

        Each with an id of its own and its tournament's.
        """
        sql = (
            "SELECT id, tournament, record FROM unrated JOIN game USING (tournament, number)"
            " ORDER BY id"
        )

        def run(connection: sqlite3.Connection) -> list[tuple[int, int, GameRecord]]:
            return [
                (identifier, tournament, GameRecord.model_validate_json(record))
                for identifier, tournament, record in connection.execute(sql)
            ]

        return await self._do(run)

    async def met(self, since: datetime) -> list[tuple[datetime, tuple[str, str]]]:
        """Who played whom in the finished rated games of series that began since then."""
        sql = (
            # The games of a day first: there may be many more series.
            "SELECT started, first, second FROM game CROSS JOIN tournament ON id = tournament"
            " WHERE record IS NOT NULL AND started >= ?"
            f" AND name = '{SERIES}' AND json_extract(config, '$.rated')"
        )

        def run(connection: sqlite3.Connection) -> list[tuple[datetime, tuple[str, str]]]:
            return [
                (datetime.fromisoformat(started), (intern(first), intern(second)))
                for started, first, second in connection.execute(sql, (text_of(since),))
            ]

        return await self._do(run)

    async def finished(self, most: int) -> list[tuple[int, ScheduledGame, GameRecord]]:
        """The finished games that began last, oldest first, each with its tournament's id."""
        which = "ORDER BY started DESC, tournament DESC, number DESC LIMIT ?"
        return (await self._finished(which, most))[::-1]

    async def finished_game(
        self, tournament: int, number: int
    ) -> tuple[ScheduledGame, GameRecord] | None:
        """That game of a tournament, None if there is none or it is not over."""
        found = await self._finished("AND tournament = ? AND number = ?", tournament, number)
        return found[0][1:] if found else None

    async def finished_round(
        self, tournament: int, number: int, most: int
    ) -> list[tuple[ScheduledGame, GameRecord]]:
        """The first games of a tournament's round, of those that are over."""
        which = "AND tournament = ? AND round = ? ORDER BY number LIMIT ?"
        return [found[1:] for found in await self._finished(which, tournament, number, most)]

    async def _finished(
        self, which: str, *values: int
    ) -> list[tuple[int, ScheduledGame, GameRecord]]:
        sql = (
            "SELECT tournament, number, round, game, size, first, second, fen, opening,"
            f" started, record, NULL FROM game WHERE record IS NOT NULL {which}"
        )

        def run(connection: sqlite3.Connection) -> list[tuple[int, ScheduledGame, GameRecord]]:
            found = []
            for tournament, *row in connection.execute(sql, values):
                game = _game(tuple(row), ())
                if game.record is not None:
                    found.append((tournament, game.scheduled, game.record))
            return found

        return await self._do(run)

    async def _tournaments(self, which: str, *values: object) -> list[JournalledTournament]:
        sql = f"SELECT id, name, config, created, ended, outcome FROM tournament {which}"

        def run(connection: sqlite3.Connection) -> list[JournalledTournament]:
            return [
                JournalledTournament(
                    *(identifier, name, config),
                    *(datetime.fromisoformat(created), time_of(ended), outcome),
                )
                for identifier, name, config, created, ended, outcome in connection.execute(
                    sql, values
                )
            ]

        return await self._do(run)

    async def _games(self, which: str, tournament: int) -> list[JournalledGame]:
        sql = (
            "SELECT number, round, game, size, first, second, fen, opening,"
            f" started, record, accuracy FROM {which} ORDER BY number"
        )
        moves_of = (
            "SELECT number, name, ms FROM move WHERE tournament = ?1"
            f" AND number IN (SELECT number FROM {_UNFINISHED}) ORDER BY number, ply"
        )

        def run(connection: sqlite3.Connection) -> list[JournalledGame]:
            moves: dict[int, list[tuple[str, int]]] = {}
            for number, name, ms in connection.execute(moves_of, (tournament,)):
                moves.setdefault(number, []).append((name, ms))
            rows = connection.execute(sql, (tournament,))
            return [_game(row, tuple(moves.get(row[0], ()))) for row in rows]

        return await self._do(run)


def journal_of(arena: Path) -> Path:
    """The journal of the arena in a folder."""
    return arena / "games.sqlite"


def _game(row: tuple[Any, ...], moves: tuple[tuple[str, int], ...]) -> JournalledGame:
    number, round_, game, size, first, second, fen, opening, started, record, accuracy = row
    return JournalledGame(
        ScheduledGame(number, round_, game, size, (first, second), fen, tuple(opening.split())),
        time_of(started),
        moves,
        None if record is None else GameRecord.model_validate_json(record),
        None if accuracy is None else GameAccuracy.model_validate_json(accuracy),
    )

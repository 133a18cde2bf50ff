"""The journal: what happened in tournaments, on disk before anybody is told of it.

When a method that writes returns, its event survives the death of the process and of the machine
(`database.py`). The database itself refuses to change a finished game (the triggers below).
"""

import logging
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from sys import intern
from typing import Any

from plywire.clients.play.errors import Termination
from plywire.clients.play.judging.accuracy import Accuracy, GameAccuracy
from plywire.clients.play.matches.records import GameRecord, GameResult
from plywire.protocol.messages.limits import Limits
from plywire.protocol.text import one_line
from plywire.server.arena.tournament.config import SERIES
from plywire.server.arena.tournament.scheduled_game import ScheduledGame

from .announcements import TABLES, Announcement, Announcements
from .database import (
    JournalBusyError,
    JournalError,
    JournalHinderedError,
    change_one,
    now,
    text_of,
    time_of,
)
from .sqlite_file import FileKind, faults

__all__ = [
    "SERIES",
    "Announcement",
    "Journal",
    "JournalBusyError",
    "JournalError",
    "JournalHinderedError",
    "JournalledGame",
    "JournalledTournament",
    "ScheduledGame",
    "SeriesTerms",
    "journal_faults",
    "journal_of",
]

log = logging.getLogger(__name__)

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


#: "Plyw" marks a file of ours.
_KIND = FileKind("journal", 0x506C7977, _MIGRATIONS)

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
    is_damaged: bool = False
    """Whether it is finished, but its record cannot be read."""


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
    Rows that cannot be read any more are left out, and logged.
    """

    def __init__(self, path: Path, *, create: bool = False, exclusive: bool = True) -> None:
        """The journal in a file, made if it is not there and `create` is set.

        `exclusive` keeps it from all others that ask for the same, until it is closed or this
        process ends, however it ends. Who only reads needs none of that.
        """
        super().__init__(path, _KIND, create=create, exclusive=exclusive)

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
        """That tournament; raises JournalError if there is none that can be read."""
        for found in await self._tournaments("WHERE id = ?", identifier):
            return found
        raise JournalError(f"{self._path}: no tournament {identifier} can be read")

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
        whole = "CASE WHEN json_valid(record) THEN record END"
        sql = (
            "SELECT tournament, number, round, first, second,"
            f" json_extract({whole}, '$.winner'), json_extract({whole}, '$.termination')"
            " FROM game WHERE tournament = ? AND record IS NOT NULL ORDER BY number"
        )

        def result(
            _: int, number: int, round_: int, first: str, second: str, *end: Any
        ) -> GameResult:
            winner, termination = end
            players = intern(first), intern(second)
            return GameResult(number, round_, players, winner, Termination(termination))

        def run(connection: sqlite3.Connection) -> list[GameResult]:
            return self._readable("game", result, connection.execute(sql, (tournament,)))

        return await self._do(run)

    async def records(self, tournament: int, first: int, last: int) -> list[JudgedGame]:
        """Its finished games from one number to another, both included, in that order."""
        sql = (
            f"SELECT tournament, number, {_RECORD}, accuracy FROM game"
            " WHERE tournament = ? AND number BETWEEN ? AND ? AND record IS NOT NULL"
            " ORDER BY number"
        )

        def judged(_: int, number: int, record: bytes, accuracy: str | None) -> JudgedGame:
            return (
                GameRecord.model_validate_json(record),
                None if accuracy is None else Accuracy.model_validate_json(accuracy),
            )

        def run(connection: sqlite3.Connection) -> list[JudgedGame]:
            return self._readable(
                "game", judged, connection.execute(sql, (tournament, first, last))
            )

        return await self._do(run)

    async def unrated(self) -> list[tuple[int, int, GameRecord]]:
        """The games to be counted for the ratings, in the order of their ends.

        Each with an id of its own and its tournament's.
        """
        sql = (
            f"SELECT tournament, number, id, {_RECORD}"
            " FROM unrated JOIN game USING (tournament, number) ORDER BY id"
        )

        def waiting(
            tournament: int, _: int, identifier: int, record: bytes
        ) -> tuple[int, int, GameRecord]:
            return identifier, tournament, GameRecord.model_validate_json(record)

        def run(connection: sqlite3.Connection) -> list[tuple[int, int, GameRecord]]:
            return self._readable("game", waiting, connection.execute(sql))

        return await self._do(run)

    async def met(self, since: datetime) -> list[tuple[datetime, tuple[str, str]]]:
        """Who played whom in the finished rated games of series that began since then."""
        sql = (
            # The games of a day first: there may be many more series.
            "SELECT tournament, number, started, first, second"
            " FROM game CROSS JOIN tournament ON id = tournament"
            " WHERE record IS NOT NULL AND started >= ?"
            f" AND name = '{SERIES}'"
            " AND CASE WHEN json_valid(config) THEN json_extract(config, '$.rated') END"
        )

        def pair(
            _: int, __: int, started: str, first: str, second: str
        ) -> tuple[datetime, tuple[str, str]]:
            return datetime.fromisoformat(started), (intern(first), intern(second))

        def run(connection: sqlite3.Connection) -> list[tuple[datetime, tuple[str, str]]]:
            return self._readable("game", pair, connection.execute(sql, (text_of(since),)))

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
        sql = f"SELECT tournament, {_GAME} FROM game WHERE record IS NOT NULL {which}"

        def finished(tournament: int, *row: Any) -> tuple[int, ScheduledGame, GameRecord]:
            return tournament, _scheduled(row), GameRecord.model_validate_json(row[-2])

        def run(connection: sqlite3.Connection) -> list[tuple[int, ScheduledGame, GameRecord]]:
            return self._readable("game", finished, connection.execute(sql, values))

        return await self._do(run)

    async def _tournaments(self, which: str, *values: object) -> list[JournalledTournament]:
        sql = f"SELECT id, name, config, created, ended, outcome FROM tournament {which}"

        def held(
            identifier: int,
            name: str,
            config: str,
            created: str,
            ended: str | None,
            outcome: str | None,
        ) -> JournalledTournament:
            return JournalledTournament(
                *(identifier, name, config),
                *(datetime.fromisoformat(created), time_of(ended), outcome),
            )

        def run(connection: sqlite3.Connection) -> list[JournalledTournament]:
            return self._readable("tournament", held, connection.execute(sql, values))

        return await self._do(run)

    async def _games(self, which: str, tournament: int) -> list[JournalledGame]:
        sql = f"SELECT {_GAME} FROM {which} ORDER BY number"
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


def journal_faults(path: Path) -> list[str]:
    """List the damage in a journal, also in the records of games. That takes a while.

    Writers need not wait.

    Raises sqlite3.Error, and UnusableFileError.
    """
    with closing(_KIND.connect(path)) as connection:
        connection.execute("BEGIN")
        found = faults(connection)
        sql = (
            f"SELECT tournament, number, {_RECORD}, accuracy FROM game"
            " WHERE record IS NOT NULL ORDER BY tournament, number"
        )
        for tournament, number, record, accuracy in connection.execute(sql):
            try:
                GameRecord.model_validate_json(record)
                if accuracy is not None:
                    GameAccuracy.model_validate_json(accuracy)
            except ValueError:
                found.append(f"the record of game {tournament}.{number} cannot be read")
    return found


def journal_of(arena: Path) -> Path:
    """The journal of the arena in a folder."""
    return arena / "games.sqlite"


#: Bytes, for what is damaged need not be text.
_RECORD = "CAST(record AS BLOB)"
_GAME = f"number, round, game, size, first, second, fen, opening, started, {_RECORD}, accuracy"


def _scheduled(row: Sequence[Any]) -> ScheduledGame:
    number, round_, game, size, first, second, fen, opening, *_ = row
    return ScheduledGame(number, round_, game, size, (first, second), fen, tuple(opening.split()))


def _game(row: Sequence[Any], moves: tuple[tuple[str, int], ...]) -> JournalledGame:
    *_, started, record, accuracy = row
    scheduled = _scheduled(row)
    try:
        return JournalledGame(
            scheduled,
            time_of(started),
            moves,
            None if record is None else GameRecord.model_validate_json(record),
            None if accuracy is None else GameAccuracy.model_validate_json(accuracy),
        )
    except ValueError as error:
        log.warning(
            "damaged game=%d of %s: %s", scheduled.number, scheduled.players, one_line(str(error))
        )
        return JournalledGame(scheduled, None, moves, None, None, is_damaged=True)

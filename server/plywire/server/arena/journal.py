"""The journal: what happened in tournaments, on disk before anybody is told of it.

An SQLite database in WAL mode with `synchronous=FULL`: when a method that writes returns, its event
survives the death of the process and of the machine. The database itself refuses to change a
finished game (the triggers below).

One thread owns the connection. Events that wait while it is busy are committed together, so many
games at a time cost few disk flushes. An event that cannot be written leaves no trace.
"""

from __future__ import annotations

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self, TypeVar

from plywire.clients.records import GameRecord

from .accuracy import GameAccuracy

T = TypeVar("T")

#: "Plyw": marks the file as a journal of ours.
_APPLICATION_ID = 0x506C7977

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
)

#: How long to wait for another process that is writing, in seconds.
_PATIENCE = 5.0


class JournalError(Exception):
    """The journal cannot be opened or written; it is as it was before. The text says why."""


class JournalBusyError(JournalError):
    """Another process holds the journal."""


@dataclass(frozen=True, slots=True)
class ScheduledGame:
    """A game that is to be played."""

    number: int
    """Place in the schedule, from 0; games 2k and 2k + 1 play the same opening."""
    round: int
    """From 1."""
    game: str
    size: str
    """Board size as WIDTHxHEIGHT."""
    players: tuple[str, str]
    """The names, first player first."""
    fen: str
    """Where the opening starts."""
    opening: tuple[str, ...]
    """Moves by name."""


@dataclass(frozen=True, slots=True)
class JournalledGame:
    """A game and how far it came."""

    scheduled: ScheduledGame
    started: datetime | None
    """When it began, None if it did not yet."""
    moves: tuple[tuple[str, int], ...]
    """The moves after the opening, each with the ms that it took."""
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


@dataclass(slots=True)
class _Job:
    """Something to do in a transaction, and who waits for it."""

    run: Callable[[sqlite3.Connection], Any]
    loop: asyncio.AbstractEventLoop
    future: asyncio.Future[Any]
    result: Any = None
    error: Exception | None = None

    def settle(self) -> None:
        """Hand the outcome over to the event loop."""
        self.loop.call_soon_threadsafe(self._resolve)

    def _resolve(self) -> None:
        if self.future.cancelled():
            return
        if self.error is not None:
            self.future.set_exception(self.error)
        else:
            self.future.set_result(self.result)


@dataclass(slots=True)
class _Worker:
    """The thread that owns the connection."""

    path: Path
    connection: sqlite3.Connection
    jobs: queue.SimpleQueue[_Job | None] = field(default_factory=queue.SimpleQueue)

    def run(self) -> None:
        """Work until None comes, then close the connection."""
        with closing(self.connection):
            while (job := self.jobs.get()) is not None:
                batch = [job]
                last = False
                while not last and not self.jobs.empty():
                    following = self.jobs.get()
                    if following is None:
                        last = True
                    else:
                        batch.append(following)
                self._commit(batch)
                for job in batch:
                    job.settle()
                if last:
                    return

    def _commit(self, batch: list[_Job]) -> None:
        """Do what a batch asks in one transaction; what fails leaves the others alone."""
        connection = self.connection
        try:
            connection.execute("BEGIN IMMEDIATE")
            for job in batch:
                connection.execute("SAVEPOINT job")
                try:
                    job.result = job.run(connection)
                except (sqlite3.Error, JournalError) as error:
                    if not connection.in_transaction:  # SQLite has given up on all of it
                        raise
                    job.error = _clear(error, self.path)
                    connection.execute("ROLLBACK TO job")
                connection.execute("RELEASE job")
            connection.execute("COMMIT")
        except (sqlite3.Error, JournalError) as error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            for job in batch:
                job.error = _clear(error, self.path)


class Journal:
    """A journal of tournaments; an asynchronous context manager.

    All methods raise JournalError if the event cannot be put on disk or contradicts what is there.
    """

    def __init__(self, path: Path, *, create: bool = False, exclusive: bool = True) -> None:
        """The journal in a file, made if it is not there and `create` is set.

        `exclusive` keeps it from all others that ask for the same, until it is closed or this
        process ends, however it ends. Who only reads needs none of that.
        """
        self._path = path
        self._create = create
        self._exclusive = exclusive
        self._lock: sqlite3.Connection | None = None
        self._worker: _Worker | None = None
        self._thread: threading.Thread | None = None

    async def __aenter__(self) -> Self:
        """Open the file.

        Raises JournalBusyError if another process holds it, JournalError if it is not a journal,
        is of a newer version, is not there, or cannot be opened.
        """
        try:
            await asyncio.to_thread(self._open)
        except BaseException:
            self._unlock()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        """Finish what was asked for, and close the file."""
        if self._worker is not None and self._thread is not None:
            self._worker.jobs.put(None)
            await asyncio.to_thread(self._thread.join)
            self._worker = self._thread = None
        self._unlock()

    # ---- events ----

    async def create(self, name: str, config: str) -> int:
        """Begin a tournament and return its id."""

        row = (name, config, _now())
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
        now = _now()

        def run(connection: sqlite3.Connection) -> None:
            key = (tournament, number)
            connection.execute("DELETE FROM move WHERE tournament = ? AND number = ?", key)
            sql = "UPDATE game SET started = ? WHERE tournament = ? AND number = ?"
            _change_one(connection, sql, (now, *key))

        await self._do(run)
        return datetime.fromisoformat(now)

    async def move(self, tournament: int, number: int, ply: int, name: str, ms: int) -> None:
        """Add a move, the one after `ply` others that followed the opening."""
        sql = "INSERT INTO move (tournament, number, ply, name, ms) VALUES (?, ?, ?, ?, ?)"
        row = (tournament, number, ply, name, ms)
        await self._insert(sql, [row])

    async def finish(self, tournament: int, record: GameRecord) -> None:
        """End a game; from here on it cannot be changed."""
        sql = (
            "UPDATE game SET record = ? WHERE tournament = ? AND number = ?"
            " AND started IS NOT NULL AND record IS NULL"
        )
        row = (record.model_dump_json(), tournament, record.number)
        await self._change(sql, row)

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
        row = (_now(), outcome, tournament)
        await self._change(sql, row)

    # ---- queries ----

    async def tournaments(self) -> list[JournalledTournament]:
        """All tournaments, in the order in which they were created."""

        def run(connection: sqlite3.Connection) -> list[JournalledTournament]:
            sql = "SELECT id, name, config, created, ended, outcome FROM tournament ORDER BY id"
            return [
                JournalledTournament(
                    *(identifier, name, config),
                    *(datetime.fromisoformat(created), _time(ended), outcome),
                )
                for identifier, name, config, created, ended, outcome in connection.execute(sql)
            ]

        return await self._do(run)

    async def games(self, tournament: int) -> list[JournalledGame]:
        """All games of a tournament that are on its schedule so far, in that order."""

        def run(connection: sqlite3.Connection) -> list[JournalledGame]:
            moves: dict[int, list[tuple[str, int]]] = {}
            sql = "SELECT number, name, ms FROM move WHERE tournament = ? ORDER BY number, ply"
            for number, name, ms in connection.execute(sql, (tournament,)):
                moves.setdefault(number, []).append((name, ms))
            sql = (
                "SELECT number, round, game, size, first, second, fen, opening,"
                " started, record, accuracy FROM game WHERE tournament = ? ORDER BY number"
            )
            rows = connection.execute(sql, (tournament,))
            return [_game(row, tuple(moves.get(row[0], ()))) for row in rows]

        return await self._do(run)

    # ---- the file ----

    async def _insert(self, sql: str, rows: Sequence[tuple[str | int, ...]]) -> None:
        def run(connection: sqlite3.Connection) -> None:
            connection.executemany(sql, rows)

        await self._do(run)

    async def _change(self, sql: str, row: tuple[str | int, ...]) -> None:
        await self._do(lambda connection: _change_one(connection, sql, row))

    async def _do(self, run: Callable[[sqlite3.Connection], T]) -> T:
        """The result of something done in the journal's thread, once it is on disk."""
        if self._worker is None:
            raise JournalError(f"{self._path}: the journal is not open")
        loop = asyncio.get_running_loop()
        job = _Job(run, loop, loop.create_future())
        self._worker.jobs.put(job)
        result: T = await job.future
        return result

    def _open(self) -> None:
        path = self._path
        if not self._create and not path.exists():
            raise JournalError(f"{path}: there is no such journal")
        try:
            if self._exclusive:
                self._take_lock()
            # Only the worker uses the connection, but for what is done here before it starts.
            connection = sqlite3.connect(
                path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False
            )
            try:
                _prepare(connection, path)
            except BaseException:
                connection.close()
                raise
        except sqlite3.Error as error:
            raise _clear(error, path) from error
        self._worker = _Worker(path, connection)
        self._thread = threading.Thread(
            target=self._worker.run, name="plywire-journal", daemon=True
        )
        self._thread.start()

    def _take_lock(self) -> None:
        """Hold a lock that the system lets go of when this process dies, and on every system.

        It is a transaction, never ended, in a database of its own: readers stay free.
        """
        path = self._path.with_name(self._path.name + ".lock")
        self._lock = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
        try:
            self._lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise
            raise JournalBusyError(f"{self._path}: another process is using the journal") from None

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None


def _prepare(connection: sqlite3.Connection, path: Path) -> None:
    """Check that a database is a journal, and bring it to the present version."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    is_empty = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
    if application != _APPLICATION_ID and not (is_empty and application == 0):
        raise JournalError(f"{path}: not a journal of Plywire")
    if version > len(_MIGRATIONS):
        raise JournalError(
            f"{path}: the journal is of version {version}, written by a newer Plywire;"
            f" this one reads versions up to {len(_MIGRATIONS)}"
        )
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    for number, script in enumerate(_MIGRATIONS[version:], version + 1):
        connection.executescript(
            f"BEGIN IMMEDIATE; {script};"
            f"PRAGMA application_id = {_APPLICATION_ID}; PRAGMA user_version = {number}; COMMIT;"
        )


def _change_one(connection: sqlite3.Connection, sql: str, row: tuple[str | int, ...]) -> None:
    """Change exactly one row; raises JournalError if there is none to change."""
    if connection.execute(sql, row).rowcount != 1:
        raise JournalError("the journal holds nothing that this event could follow")


def _game(row: tuple[Any, ...], moves: tuple[tuple[str, int], ...]) -> JournalledGame:
    number, round_, game, size, first, second, fen, opening, started, record, accuracy = row
    return JournalledGame(
        ScheduledGame(number, round_, game, size, (first, second), fen, tuple(opening.split())),
        _time(started),
        moves,
        None if record is None else GameRecord.model_validate_json(record),
        None if accuracy is None else GameAccuracy.model_validate_json(accuracy),
    )


def _clear(error: Exception, path: Path) -> JournalError:
    """What SQLite complains of, in words that say what to do."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if isinstance(error, JournalBusyError) or code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return JournalBusyError(f"{path}: another process is using the journal")
    if code == sqlite3.SQLITE_FULL:
        return JournalError(f"{path}: the disk is full; nothing that was written is lost")
    if code == sqlite3.SQLITE_NOTADB:
        return JournalError(f"{path}: not a journal of Plywire")
    return JournalError(f"{path}: {error}")


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")


def _time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)

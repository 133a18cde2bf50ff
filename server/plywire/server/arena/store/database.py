"""An SQLite file whose transactions are on disk when they are acknowledged.

WAL mode with `synchronous=FULL`: what was acknowledged survives the death of the process and of the
machine. One thread owns the connection. Transactions that wait while it is busy are committed
together, so many writers cost few disk flushes. One that fails leaves no trace, and the others
alone.
"""

import asyncio
import logging
import queue
import sqlite3
import threading
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any, Self, TypeVar

from .folder import make_file

T = TypeVar("T")

log = logging.getLogger(__name__)

#: "Plyw": marks the file as a journal of ours.
_APPLICATION_ID = 0x506C7977

#: How long to wait for another process that is writing, in seconds.
_PATIENCE = 5.0


class JournalError(Exception):
    """The journal cannot be opened or written; it is as it was before. The text says why."""


class JournalBusyError(JournalError):
    """Another process holds the journal."""


@dataclass(slots=True)
class _Job:
    """Something to do in a transaction, and who waits for it."""

    run: Callable[[sqlite3.Connection], Any]
    future: asyncio.Future[Any]
    result: Any = None
    error: Exception | None = None

    def settle(self) -> None:
        """Tell who waits of the outcome, on the event loop."""
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
    connect: Callable[[], sqlite3.Connection]
    """Opens a connection in place of one that failed."""
    connection: sqlite3.Connection | None
    """None when one has failed."""
    jobs: queue.SimpleQueue[_Job | None] = field(default_factory=queue.SimpleQueue)

    def run(self) -> None:
        """Work until None comes, then close the connection."""
        last = False
        while not last and (job := self.jobs.get()) is not None:
            batch = [job]
            while not last and not self.jobs.empty():
                following = self.jobs.get()
                if following is None:
                    last = True
                else:
                    batch.append(following)
            self._commit(batch)
            for loop, jobs in groupby(batch, lambda job: job.future.get_loop()):
                with suppress(RuntimeError):  # it is closed: nobody waits any more
                    loop.call_soon_threadsafe(_settle, list(jobs))
        self._disconnect()

    def _commit(self, batch: list[_Job]) -> None:
        """Do what a batch asks in one transaction; what fails leaves the others alone."""
        try:
            if self.connection is None:
                self.connection = self.connect()
            self._do(self.connection, batch)
        except Exception as error:  # whatever it is, somebody waits to be told
            for job in batch:
                job.error = _clear(error, self.path)
            self._roll_back()

    def _do(self, connection: sqlite3.Connection, batch: list[_Job]) -> None:
        connection.execute("BEGIN IMMEDIATE")
        for job in batch:
            connection.execute("SAVEPOINT job")
            try:
                job.result = job.run(connection)
            except Exception as error:
                if not connection.in_transaction:  # SQLite has given up on all of it
                    raise
                job.error = _clear(error, self.path)
                connection.execute("ROLLBACK TO job")
            connection.execute("RELEASE job")
        connection.execute("COMMIT")

    def _roll_back(self) -> None:
        """Undo a failed transaction; a connection that cannot do that is closed, which does."""
        try:
            if self.connection is not None and self.connection.in_transaction:
                self.connection.execute("ROLLBACK")
        except sqlite3.Error as error:
            log.error("journal=%s error=%s: connecting again", self.path, error)
            self._disconnect()

    def _disconnect(self) -> None:
        connection, self.connection = self.connection, None
        if connection is not None:
            with suppress(sqlite3.Error):
                connection.close()


class Database:
    """A journal's file; an asynchronous context manager."""

    def __init__(
        self, path: Path, migrations: Sequence[str], *, create: bool = False, exclusive: bool = True
    ) -> None:
        """The database in a file, made if it is not there and `create` is set.

        Each of the migrations is SQL that brings a file from the version of its index, which is 0
        for an empty one, to the next. `exclusive` keeps it from all others
        that ask for the same, until it is closed or this process ends, however it ends. Who only
        reads needs none of that.
        """
        self._path = path
        self._migrations = migrations
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

    async def __aexit__(self, *_: object) -> None:
        """Finish what was asked for, and close the file."""
        if self._worker is not None and self._thread is not None:
            self._worker.jobs.put(None)
            await asyncio.to_thread(self._thread.join)
            self._worker = self._thread = None
        self._unlock()

    async def _do(self, run: Callable[[sqlite3.Connection], T]) -> T:
        """The result of something done in the journal's thread, once it is on disk."""
        if self._worker is None:
            raise JournalError(f"{self._path}: the journal is not open")
        job = _Job(run, asyncio.get_running_loop().create_future())
        self._worker.jobs.put(job)
        result: T = await job.future
        return result

    async def _insert(self, sql: str, rows: Sequence[tuple[str | int, ...]]) -> None:
        def run(connection: sqlite3.Connection) -> None:
            connection.executemany(sql, rows)

        await self._do(run)

    async def _change(self, sql: str, row: tuple[str | int, ...]) -> None:
        await self._do(lambda connection: change_one(connection, sql, row))

    def _open(self) -> None:
        path = self._path
        if not self._create and not path.exists():
            raise JournalError(
                f"{path}: there is no journal and no arena folder;"
                " `plywire tournament run FILE` writes a journal"
            )
        try:
            if self._exclusive:
                self._take_lock()
            connection = self._connect()
        except (sqlite3.Error, OSError) as error:
            raise _clear(error, path) from error
        self._worker = _Worker(path, self._connect, connection)
        self._thread = threading.Thread(
            target=self._worker.run, name="plywire-journal", daemon=True
        )
        self._thread.start()

    def _connect(self) -> sqlite3.Connection:
        """A connection that is ready for use, in whatever thread.

        Raises sqlite3.Error, and OSError.
        """
        if not self._path.exists():
            make_file(self._path)
        connection = sqlite3.connect(
            self._path, timeout=_PATIENCE, isolation_level=None, check_same_thread=False
        )
        try:
            _prepare(connection, self._path, self._migrations)
        except BaseException:
            connection.close()
            raise
        return connection

    def _take_lock(self) -> None:
        """Hold a lock that the system lets go of when this process dies, and on every system.

        It is a transaction, never ended, in a database of its own: readers stay free. One that is
        about to write, not an exclusive one, for that no reader of the lock's file can prevent.
        """
        path = self._path.with_name(self._path.name + ".lock")
        if not path.exists():
            make_file(path)
        self._lock = sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)
        try:
            self._lock.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise
            raise JournalBusyError(
                f"{self._path}: another process is using the journal: wait for its end, or end it"
            ) from None

    def _unlock(self) -> None:
        if self._lock is not None:
            self._lock.close()
            self._lock = None


def _settle(batch: list[_Job]) -> None:
    for job in batch:
        job.settle()


def _prepare(connection: sqlite3.Connection, path: Path, migrations: Sequence[str]) -> None:
    """Check that a file is a journal, and bring it to the present version."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    version = connection.execute("PRAGMA user_version").fetchone()[0]
    is_empty = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0
    if application != _APPLICATION_ID and not (is_empty and application == 0):
        raise JournalError(f"{path}: not a journal of Plywire")
    if version > len(migrations):
        raise JournalError(
            f"{path}: the journal is of version {version}, written by a newer Plywire;"
            f" this one reads versions up to {len(migrations)}"
        )
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    for number, script in enumerate(migrations[version:], version + 1):
        connection.executescript(
            f"BEGIN IMMEDIATE; {script};"
            f"PRAGMA application_id = {_APPLICATION_ID}; PRAGMA user_version = {number}; COMMIT;"
        )


def change_one(connection: sqlite3.Connection, sql: str, row: tuple[str | int, ...]) -> None:
    """Change exactly one row; raises JournalError if there is none to change."""
    if connection.execute(sql, row).rowcount != 1:
        raise JournalError("the journal holds nothing that this event could follow")


def now() -> str:
    """This moment, as it is written."""
    return text_of(datetime.now(UTC))


def text_of(time: datetime) -> str:
    """A moment as it is written."""
    return time.isoformat(timespec="milliseconds")


def time_of(text: str | None) -> datetime | None:
    """A moment that was written, None if none was."""
    return None if text is None else datetime.fromisoformat(text)


def _clear(error: Exception, path: Path) -> Exception:
    """What SQLite complains of, in words that say what to do; other errors as they are."""
    if isinstance(error, OSError):
        return JournalError(f"{path}: {error.strerror or error}")
    if not isinstance(error, sqlite3.Error):
        return error
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return JournalBusyError(
            f"{path}: another process is using the journal: wait for its end, or end it"
        )
    if code == sqlite3.SQLITE_FULL:
        return JournalError(f"{path}: the disk is full; nothing that was written is lost")
    if code == sqlite3.SQLITE_NOTADB:
        return JournalError(f"{path}: not a journal of Plywire")
    return JournalError(f"{path}: {error}")

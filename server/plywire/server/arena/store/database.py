"""An SQLite file whose transactions are on disk when they are acknowledged.

In WAL mode with `synchronous=FULL`, transactions survive a crash of the machine. One thread owns
the connection. It commits all waiting transactions together, to save disk flushes.

If a task is cancelled while it waits for a transaction, the cancellation comes at the next `await`
after the transaction.
"""

import asyncio
import logging
import queue
import sqlite3
import sys
import threading
from collections.abc import Callable, Sequence
from contextlib import ExitStack, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from typing import Any, TypeVar

from plywire.protocol.text import one_line

from .folder import make_file
from .sqlite_file import FileKind, StoreError, UnusableFileError, check_whole, is_locked, may_pass

T = TypeVar("T")

log = logging.getLogger(__name__)

#: Maximum wait in seconds while another process is writing.
_PATIENCE = 5.0


class JournalError(StoreError):
    """The journal cannot be opened or written, and is unchanged; the text says why."""


class JournalHinderedError(JournalError):
    """The disk or another process prevents the write; another try may succeed."""


class JournalBusyError(JournalHinderedError):
    """Another process holds the journal."""


@dataclass(slots=True)
class _Job:
    """A function to run in a transaction, and the future of the waiting task."""

    run: Callable[[sqlite3.Connection], Any]
    future: asyncio.Future[None]
    result: Any = None
    error: Exception | None = None
    is_settled: bool = False

    def settle(self) -> None:
        """Wake the waiting task; call this on the event loop."""
        self.is_settled = True
        if not self.future.done():
            self.future.set_result(None)

    async def outcome(self) -> Any:
        """Return the result of the job, or raise its error; delays a cancellation until then."""
        task, is_cancelled = asyncio.current_task(), False
        while not self.is_settled:
            try:
                await self.future
            except asyncio.CancelledError:
                is_cancelled = True
                if self.future.cancelled():  # The future was cancelled, so make a new one.
                    self.future = self.future.get_loop().create_future()
        if is_cancelled and task is not None:
            task.uncancel()
            task.cancel()
        if self.error is not None:
            raise self.error
        return self.result


class Database:
    """A journal's file, and the thread that reads and writes it."""

    def __init__(self, path: Path, kind: FileKind, *, create: bool, exclusive: bool) -> None:
        self._path = path
        self._kind = kind
        self._create = create
        self._exclusive = exclusive
        self._locks = ExitStack()
        self._damaged: set[str] = set()
        self._waiting: queue.SimpleQueue[_Job | None] | None = None
        """The jobs for the thread; None while the journal is closed."""
        self._thread: threading.Thread | None = None
        self._connection: sqlite3.Connection | None = None
        """The connection, which belongs to the thread; None after it has failed."""

    async def open(self) -> None:
        """Open the file; raises JournalError, or JournalBusyError if another process holds it."""
        try:
            await asyncio.to_thread(self._open)
        except BaseException:
            self._locks.close()
            raise

    async def close(self) -> None:
        waiting, self._waiting = self._waiting, None
        if waiting is not None and self._thread is not None:
            waiting.put(None)
            await asyncio.to_thread(self._thread.join)
        self._locks.close()

    async def do(self, run: Callable[[sqlite3.Connection], T]) -> T:
        """Run a function in a transaction; return its result when the transaction is on disk."""
        if self._waiting is None:
            raise JournalError(f"{self._path}: the journal is not open")
        job = _Job(run, asyncio.get_running_loop().create_future())
        self._waiting.put(job)
        result: T = await job.outcome()
        return result

    async def change(self, sql: str, *row: str | int) -> None:
        """Change exactly one row; raises JournalError if there is no such row."""
        await self.do(lambda connection: change_one(connection, sql, row))

    async def rows(
        self, kind: str, make: Callable[..., T], sql: str, *values: str | int
    ) -> list[T]:
        """Call `make` for each row of a query, and return the results.

        If `make` raises ValueError, the row is skipped, and logged once as damage of that `kind`.
        The first two columns identify the row.
        """

        def run(connection: sqlite3.Connection) -> list[T]:
            found = []
            for row in connection.execute(sql, values):
                try:
                    found.append(make(*row))
                except ValueError as error:
                    named = f"{kind}={row[0]}.{row[1]}"
                    if named not in self._damaged:
                        self._damaged.add(named)
                        log.warning("damaged %s: left out: %s", named, one_line(str(error)))
            return found

        return await self.do(run)

    def _open(self) -> None:
        path = self._path
        if not self._create and not path.exists():
            raise JournalError(
                f"{path}: there is no journal and no arena folder;"
                " `plywire tournament run FILE` writes a journal"
            )
        try:
            if self._exclusive:
                self._take_locks()
            self._connection = self._connect(check=self._exclusive)
        except (sqlite3.Error, OSError, UnusableFileError) as error:
            raise _clear(error, path, self._kind) from error
        self._waiting = queue.SimpleQueue()
        self._thread = threading.Thread(
            target=self._work, args=(self._waiting,), name="plywire-journal", daemon=True
        )
        self._thread.start()

    def _work(self, waiting: queue.SimpleQueue[_Job | None]) -> None:
        """Run jobs in the journal's thread until None arrives, then close the connection."""
        last = False
        while not last and (job := waiting.get()) is not None:
            batch = [job]
            while not last and not waiting.empty():
                following = waiting.get()
                if following is None:
                    last = True
                else:
                    batch.append(following)
            self._commit(batch)
            for loop, jobs in groupby(batch, lambda job: job.future.get_loop()):
                with suppress(RuntimeError):  # If the loop is closed, nobody waits for these jobs.
                    loop.call_soon_threadsafe(_settle, list(jobs))
        self._disconnect()

    def _commit(self, batch: list[_Job]) -> None:
        """Run a batch in one transaction; a failed job does not affect other jobs."""
        try:
            if self._connection is None:
                self._connection = self._connect()
            self._do(self._connection, batch)
        except Exception as error:  # Each job needs an answer after any error.
            for job in batch:
                job.error = _clear(error, self._path, self._kind)
            self._roll_back()

    def _do(self, connection: sqlite3.Connection, batch: list[_Job]) -> None:
        connection.execute("BEGIN IMMEDIATE")
        for job in batch:
            connection.execute("SAVEPOINT job")
            try:
                job.result = job.run(connection)
            except Exception as error:
                if not connection.in_transaction:  # SQLite has undone the whole batch.
                    raise
                job.error = _clear(error, self._path, self._kind)
                connection.execute("ROLLBACK TO job")
            connection.execute("RELEASE job")
        connection.execute("COMMIT")

    def _roll_back(self) -> None:
        """Undo a failed transaction; if that fails, close the connection, which undoes it, too."""
        try:
            if self._connection is not None and self._connection.in_transaction:
                self._connection.execute("ROLLBACK")
        except sqlite3.Error as error:
            log.error("journal=%s error=%s: connecting again", self._path, error)
            self._disconnect()

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(sqlite3.Error):
                connection.close()

    def _connect(self, *, check: bool = False) -> sqlite3.Connection:
        """Open a connection that any thread may use; with `check`, check all pages."""
        make_file(self._path)
        connection = self._kind.connect(self._path, timeout=_PATIENCE, check_same_thread=False)
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            connection.execute("PRAGMA synchronous = FULL")
            connection.execute("PRAGMA foreign_keys = ON")
            if check:
                check_whole(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    def _take_locks(self) -> None:
        """Take two locks, which the system releases when this process ends in any way.

        The first lock is an endless transaction in a lock file; readers cannot prevent a `BEGIN
        IMMEDIATE`. The second lock is on the journal, in case the lock file is deleted.
        """
        make_file(self._path)
        path = self._path.resolve()  # All links to a journal must use the same lock file.
        lock = path.with_name(path.name + ".lock")
        make_file(lock)
        connection = sqlite3.connect(lock, timeout=0, isolation_level=None, check_same_thread=False)
        self._locks.callback(connection.close)
        try:
            connection.execute("BEGIN IMMEDIATE")
            if sys.platform == "linux":  # Elsewhere, SQLite would mistake this lock for its own.
                import fcntl

                journal = self._locks.enter_context(path.open("rb"))
                fcntl.flock(journal, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except (BlockingIOError, sqlite3.OperationalError) as error:
            if getattr(error, "sqlite_errorcode", sqlite3.SQLITE_BUSY) != sqlite3.SQLITE_BUSY:
                raise
            raise JournalBusyError(
                f"{self._path}: another process is using the journal: wait for its end, or end it"
            ) from None


def _settle(batch: list[_Job]) -> None:
    for job in batch:
        job.settle()


def change_one(connection: sqlite3.Connection, sql: str, row: Sequence[str | int]) -> None:
    """Change exactly one row; raises JournalError if there is no such row."""
    if connection.execute(sql, row).rowcount != 1:
        raise JournalError("the journal holds nothing that this event could follow")


def now() -> str:
    """Return the present time in the journal's format."""
    return text_of(datetime.now(UTC))


def text_of(time: datetime) -> str:
    """Return a time in the journal's format."""
    return time.isoformat(timespec="milliseconds")


def time_of(text: str | None) -> datetime | None:
    """Parse a time in the journal's format; None stays None."""
    return None if text is None else datetime.fromisoformat(text)


def _clear(error: Exception, path: Path, kind: FileKind) -> Exception:
    """Return an error that says what to do, for an error of the system or of SQLite."""
    match error:
        case OSError():
            return JournalHinderedError(f"{path}: {error.strerror or error}")
        case UnusableFileError():
            return JournalError(f"{path}: {error}")
        case sqlite3.Error():
            failure = JournalHinderedError if may_pass(error) else JournalError
            if is_locked(error):
                failure = JournalBusyError
            return failure(f"{path}: {kind.words(error)}")
    return error

"""SQLite files of an arena: their versions, checks for damage, and errors in words."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from plywire.protocol.text import one_line

#: Errors of SQLite after which another try may succeed. All other errors are faults of the file.
_PASSING = {
    *(sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED, sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR),
    *(sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH),
    *(sqlite3.SQLITE_NOMEM, sqlite3.SQLITE_INTERRUPT, sqlite3.SQLITE_PROTOCOL),
}

#: Maximum size in bytes of a file that is checked whenever it is opened. This takes about half a
#: second. Larger files are checked only on demand.
_CHECKED_AT_ONCE = 256 * 2**20

Migration = str | Callable[[sqlite3.Connection], object]
"""Brings a file to the next version: SQL, or a function that runs SQL."""


class UnusableFileError(Exception):
    """The file is damaged, or of another program or a newer Plywire; the text says which."""


class StoreError(Exception):
    """A file of the arena cannot be used, and is unchanged; the text says why."""


@dataclass(frozen=True, slots=True)
class FileKind:
    """A kind of SQLite file, with its versions."""

    name: str
    """The name in messages, such as `journal`."""
    application: int
    """The mark of files of this kind: SQLite's `application_id`."""
    migrations: tuple[Migration, ...]
    """Migration n brings a file from version n to the next; new files have version 0."""
    unmarked: frozenset[str] = frozenset()
    """The tables of version 0, whose files had no mark."""

    def connect(self, path: Path | str, **options: Any) -> sqlite3.Connection:
        """Open a file and migrate it; raises sqlite3.Error and UnusableFileError."""
        connection: sqlite3.Connection = sqlite3.connect(path, isolation_level=None, **options)
        try:
            self._prepare(connection)
        except BaseException:
            connection.close()
            raise
        return connection

    @contextmanager
    def transaction(self, path: Path | str, *, write: bool) -> Iterator[sqlite3.Connection]:
        """Open a file for one transaction, which an exception undoes."""
        with closing(self.connect(path)) as connection:
            connection.execute("BEGIN IMMEDIATE" if write else "BEGIN")
            yield connection
            connection.execute("COMMIT")

    def _prepare(self, connection: sqlite3.Connection) -> None:
        application = connection.execute("PRAGMA application_id").fetchone()[0]
        version = connection.execute("PRAGMA user_version").fetchone()[0]
        if application != self.application:
            sql = "SELECT name FROM sqlite_master WHERE type = 'table'"
            tables = {name for (name,) in connection.execute(sql)}
            if application != 0 or not tables <= self.unmarked:
                raise UnusableFileError(self._other)
            version = 0
        if version > len(self.migrations):
            raise UnusableFileError(
                f"the {self.name} is of version {version}, written by a newer Plywire;"
                f" this one reads versions up to {len(self.migrations)}"
            )
        for number, migration in enumerate(self.migrations[version:], version + 1):
            if not isinstance(migration, str):
                migration(connection)
                migration = ""
            connection.executescript(
                f"BEGIN IMMEDIATE; {migration}; PRAGMA application_id = {self.application};"
                f"PRAGMA user_version = {number}; COMMIT;"
            )

    @property
    def _other(self) -> str:
        return (
            f"not a {self.name} of Plywire: a {self.name} is an SQLite file that Plywire has made,"
            " or does not exist yet"
        )

    def words(self, error: sqlite3.Error) -> str:
        code = _code(error)
        if is_locked(error):
            return f"locked: another process is using the {self.name}"
        if code == sqlite3.SQLITE_FULL:
            return "the disk is full; nothing that was written is lost"
        if code == sqlite3.SQLITE_NOTADB:
            return self._other
        if code == sqlite3.SQLITE_READONLY:
            return "read-only: let this user write the file and its folder"
        if code == sqlite3.SQLITE_CANTOPEN:
            return f"{error}: let this user read and write the file and its folder"
        if code == sqlite3.SQLITE_CORRUPT:
            return _damaged(str(error))
        return str(error)


def faults(connection: sqlite3.Connection) -> list[str]:
    """Return the damage in a file; this is slow. Raises sqlite3.DatabaseError."""
    found = [line for (line,) in connection.execute("PRAGMA integrity_check(20)") if line != "ok"]
    for table, row, other, _ in connection.execute("PRAGMA foreign_key_check"):
        found.append(f"row {row} of {table} refers to a row of {other} that is not there")
    return found


def check_whole(connection: sqlite3.Connection) -> None:
    """Check all pages of a file, unless the file is large; raises UnusableFileError."""
    pages, size = (
        connection.execute(f"PRAGMA {name}").fetchone()[0] for name in ("page_count", "page_size")
    )
    if pages * size > _CHECKED_AT_ONCE:
        return
    found = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
    if found != "ok":
        raise UnusableFileError(_damaged(found))


def may_pass(error: sqlite3.Error) -> bool:
    """Return whether another try may succeed."""
    return _code(error) in _PASSING


def is_locked(error: sqlite3.Error) -> bool:
    """Return whether another process is using the file."""
    return _code(error) in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED)


def _code(error: sqlite3.Error) -> int:
    return getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF


def _damaged(how: str) -> str:
    return f"damaged: {one_line(how)}; restore a backup, or see `plywire arena check`"

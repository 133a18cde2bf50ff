"""The bots that may log in, and the digests of their tokens.

A token is 256 random bits, so a plain SHA-256 is safe.
"""

import re
import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from .folder import make_file, open_folder
from .sqlite_file import FileKind, StoreError, UnusableFileError, check_whole, faults

_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_.-]{0,63}")

_TABLE = """
    CREATE TABLE IF NOT EXISTS bot (
        name TEXT PRIMARY KEY COLLATE NOCASE,
        digest BLOB NOT NULL,
        created TEXT NOT NULL,
        owner TEXT NOT NULL DEFAULT '' COLLATE NOCASE
    ) WITHOUT ROWID;
"""

_OWNERS = "ALTER TABLE bot ADD COLUMN owner TEXT NOT NULL DEFAULT '' COLLATE NOCASE"


def _begin(connection: sqlite3.Connection) -> None:
    """Create the table, or add owners to a table of an early version."""
    connection.execute(_TABLE)
    if "owner" not in {row[1] for row in connection.execute("PRAGMA table_info(bot)")}:
        connection.execute(_OWNERS)


#: The number spells "PlyB", which marks Plywire's files of bots.
_KIND = FileKind("file of bots", 0x506C7942, (_begin,), unmarked=frozenset({"bot"}))

#: For an unknown name, the token is compared with this digest. So the answer takes as long as for a
#: known name.
_NOBODY = sha256(secrets.token_bytes()).digest()


#: The prefix of the names of guests.
GUEST = "guest-"


class AccountError(StoreError):
    """An account cannot be made or removed, or the file cannot be used; the text says why."""


class Accounts:
    """The accounts in a file, which the first `add` creates; any process may change the file."""

    def __init__(self, path: Path) -> None:
        self._path = path

    def add(self, name: str, owner: str = "", *, again: bool = False) -> str:
        """Create an account and return its token; the file stores only the digest.

        With `again`, replaces an account of the same name and owner. Raises AccountError.
        """
        if not _NAME.fullmatch(name):
            raise AccountError(
                f"{name!r} is no name for a bot: up to 64 letters, digits, `_`, `.` and `-`"
                " are accepted, a letter or digit first"
            )
        if name.lower().startswith(GUEST):
            raise AccountError(f"names that begin with {GUEST} are for guests")
        token = secrets.token_urlsafe(32)
        created = datetime.now(UTC).isoformat(timespec="seconds")
        with self._connect(create=True) as connection:
            if again:
                connection.execute("DELETE FROM bot WHERE name = ? AND owner = ?", (name, owner))
            try:
                connection.execute(
                    "INSERT INTO bot VALUES (?, ?, ?, ?)", (name, digest(token), created, owner)
                )
            except sqlite3.IntegrityError:
                raise AccountError(
                    f"there is a bot {name} already; `plywire bot remove {name}` makes way for one"
                    " with a new token"
                ) from None
        return token

    def check_whole(self) -> None:
        """Raise AccountError if the file exists and is damaged or cannot be used."""
        with self._connect() as connection:
            check_whole(connection)

    def faults(self) -> list[str]:
        """Return the damage in the file; raises AccountError."""
        with self._connect() as connection:
            return faults(connection)

    def remove(self, name: str) -> None:
        """Delete an account; raises AccountError if there is none."""
        with self._connect() as connection:
            if not connection.execute("DELETE FROM bot WHERE name = ?", (name,)).rowcount:
                raise AccountError(f"there is no bot {name}")

    def names(self) -> list[tuple[str, str, str]]:
        """Return the name, creation time and owner of all bots, sorted by name."""
        with self._connect() as connection:
            return list(connection.execute("SELECT name, created, owner FROM bot ORDER BY name"))

    def digests(self, name: str | None = None) -> dict[str, bytes]:
        """Return the digests of the tokens of all bots, or of one bot, by name."""
        sql = "SELECT name, digest FROM bot WHERE ?1 IS NULL OR name = ?1"
        with self._connect() as connection:
            return dict(connection.execute(sql, (name,)))

    def verify(self, name: str, token: str) -> str | None:
        """Return the owner of a bot, empty for no owner; None if the name or token is wrong."""
        with self._connect() as connection:
            sql = "SELECT name, digest, owner FROM bot WHERE name = ?"
            found = connection.execute(sql, (name,)).fetchone()
        known, kept, owner = found or ("", _NOBODY, "")
        is_right = secrets.compare_digest(kept, digest(token)) and known == name
        return str(owner) if is_right else None

    @contextmanager
    def _connect(self, *, create: bool = False) -> Iterator[sqlite3.Connection]:
        """Begin a transaction; without `create`, a missing file means that there are no bots."""
        try:
            if create:
                open_folder(self._path.parent)
                make_file(self._path)
            elif not self._path.parent.is_dir():
                raise AccountError(f"{self._path.parent}: there is no such folder")
            file = self._path if create or self._path.exists() else ":memory:"
            with _KIND.transaction(file, write=create) as connection:
                yield connection
        except sqlite3.Error as error:
            raise AccountError(f"{self._path}: {_KIND.words(error)}") from error
        except (OSError, UnusableFileError) as error:
            raise AccountError(f"{self._path}: {error}") from error


def digest(token: str) -> bytes:
    """Return the SHA-256 of a token."""
    return sha256(token.encode()).digest()


def accounts_of(folder: Path) -> Accounts:
    """Return the accounts of the arena in a folder."""
    return Accounts(folder / "bots.sqlite")

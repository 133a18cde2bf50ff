"""Tournaments that bots may join, as the journal keeps them until they begin."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime

from plywire.server.arena.tournament.config import SERIES

from .database import Database, JournalError, change_one, now, text_of, time_of

#: What is kept, beside the journal's own tables.
TABLES = """
    CREATE TABLE announcement (
        id INTEGER PRIMARY KEY,
        name TEXT NOT NULL COLLATE NOCASE,
        config TEXT NOT NULL,  -- JSON, with seats that are open
        announced TEXT NOT NULL,
        starts TEXT,
        tournament INTEGER UNIQUE REFERENCES tournament  -- NULL until it has begun
    );
    CREATE TABLE entrant (
        id INTEGER PRIMARY KEY,
        announcement INTEGER NOT NULL REFERENCES announcement,
        name TEXT NOT NULL,
        UNIQUE (announcement, name)
    );
"""

#: How many that are over are still told of.
KEPT = 16

_TOLD = f"""
    SELECT a.id, a.name, a.config, a.starts, a.tournament, t.ended
    FROM announcement AS a LEFT JOIN tournament AS t ON t.id = a.tournament
    WHERE t.ended IS NULL OR t.id IN (
        SELECT tournament.id FROM tournament JOIN announcement ON tournament = tournament.id
        WHERE ended IS NOT NULL ORDER BY announcement.id DESC LIMIT {KEPT}
    )
    ORDER BY a.id
"""


@dataclass(frozen=True, slots=True)
class Announcement:
    """A tournament that bots may join, or might."""

    id: int
    name: str
    config: str
    """As it was given to `Journal.announce`."""
    starts: datetime | None
    """When it begins even if seats are free, None to wait until they are taken."""
    entrants: tuple[str, ...]
    """Who has joined, in that order."""
    tournament: int | None
    """Id of the tournament, None before it has begun."""
    is_over: bool


class Announcements(Database):
    """The part of the journal that organisers write to, and bots by joining."""

    async def announce(self, name: str, config: str, starts: datetime | None) -> int:
        """Open a tournament for bots to join, and return the id of the announcement.

        People ask for a tournament by its name, also when it is over: no two have the same.
        """

        def run(connection: sqlite3.Connection) -> int:
            # SQLite itself takes upper and lower case for equal in ASCII only.
            names = [
                SERIES,
                *(row[0] for row in connection.execute("SELECT name FROM announcement")),
            ]
            if name.lower() in map(str.lower, names):
                raise JournalError(
                    f"there is a tournament {name} already, or there was: take another name"
                )
            sql = "INSERT INTO announcement (name, config, announced, starts) VALUES (?, ?, ?, ?)"
            row = (name, config, now(), None if starts is None else text_of(starts))
            return connection.execute(sql, row).lastrowid or 0

        return await self._do(run)

    async def begin_at(self, announcement: int, starts: datetime) -> bool:
        """Have a tournament that has not begun start at that time.

        Says whether that is earlier than planned; if not, nothing changes.
        """

        def run(connection: sqlite3.Connection) -> bool:
            sql = "SELECT starts FROM announcement WHERE id = ? AND tournament IS NULL"
            row = connection.execute(sql, (announcement,)).fetchone()
            planned = time_of(row[0]) if row else None
            if row is None or (planned is not None and planned <= starts):
                return False
            sql = "UPDATE announcement SET starts = ? WHERE id = ?"
            change_one(connection, sql, (text_of(starts), announcement))
            return True

        return await self._do(run)

    async def enter(self, announcement: int, name: str) -> None:
        """Add somebody who joins, the last so far."""
        sql = "INSERT INTO entrant (announcement, name) VALUES (?, ?)"
        await self._insert(sql, [(announcement, name)])

    async def withdraw(self, announcement: int, name: str) -> None:
        """Take somebody out who had joined."""
        sql = "DELETE FROM entrant WHERE announcement = ? AND name = ?"
        await self._change(sql, (announcement, name))

    async def begin(self, announcement: int, config: str) -> int:
        """Begin a tournament that was announced, and return its id; see `create`."""

        def run(connection: sqlite3.Connection) -> int:
            sql = (
                "INSERT INTO tournament (name, config, created)"
                " SELECT name, ?, ? FROM announcement WHERE id = ?"
            )
            identifier = connection.execute(sql, (config, now(), announcement)).lastrowid or 0
            sql = "UPDATE announcement SET tournament = ? WHERE id = ? AND tournament IS NULL"
            change_one(connection, sql, (identifier, announcement))
            return identifier

        return await self._do(run)

    async def announcements(self) -> list[Announcement]:
        """Those that are not over and the latest that are, in the order in which they were made."""

        def run(connection: sqlite3.Connection) -> list[Announcement]:
            entrants: dict[int, list[str]] = {}
            sql = (
                f"WITH told AS ({_TOLD})"
                " SELECT announcement, name FROM entrant"
                " WHERE announcement IN (SELECT id FROM told) ORDER BY id"
            )
            for identifier, name in connection.execute(sql):
                entrants.setdefault(identifier, []).append(name)

            def announced(
                identifier: int,
                name: str,
                config: str,
                starts: str | None,
                tournament: int | None,
                ended: str | None,
            ) -> Announcement:
                return Announcement(
                    *(identifier, name, config, time_of(starts)),
                    *(tuple(entrants.get(identifier, ())), tournament, ended is not None),
                )

            return self._readable("announcement", announced, connection.execute(_TOLD))

        return await self._do(run)

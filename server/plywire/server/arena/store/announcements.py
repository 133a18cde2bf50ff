"""Announcements in the journal: tournaments that bots may join."""

import json
import sqlite3
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from plywire.server.arena.tournament.config import SERIES

from .database import Database, JournalError, change_one, now, text_of, time_of

#: Number of finished tournaments that stay listed.
KEPT = 16

_LISTED = f"""
    SELECT a.id, a.name, a.config, a.starts, (
        SELECT json_group_array(name)
        FROM (SELECT name FROM entrant WHERE announcement = a.id ORDER BY id)
    ), a.tournament, t.ended
    FROM announcement AS a LEFT JOIN tournament AS t ON t.id = a.tournament
    WHERE t.ended IS NULL OR t.id IN (
        SELECT tournament.id FROM tournament JOIN announcement ON tournament = tournament.id
        WHERE ended IS NOT NULL ORDER BY announcement.id DESC LIMIT {KEPT}
    )
    ORDER BY a.id
"""


@dataclass(frozen=True, slots=True)
class Announcement:
    """A tournament that bots may join, or could join before it began."""

    id: int
    name: str
    config: str
    starts: datetime | None
    """The start, even if seats are free; None to wait until all seats are taken."""
    entrants: tuple[str, ...]
    """The bots that have joined, in the order of joining."""
    tournament: int | None
    is_over: bool


class Announcements:
    """The journal's announcements and entrants; all methods raise JournalError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def announce(self, name: str, config: str, starts: datetime | None) -> int:
        """Open a tournament for bots to join, and return the announcement's id.

        Raises JournalError if the name was ever used: people find old tournaments by name.
        """

        def run(connection: sqlite3.Connection) -> int:
            # Compare names in Python, because SQLite's NOCASE works only for ASCII.
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

        return await self._database.do(run)

    async def begin_now(self, announcement: int) -> bool:
        """Set the start to now; return False if the tournament has begun or is due already."""

        def run(connection: sqlite3.Connection) -> bool:
            sql = "SELECT starts FROM announcement WHERE id = ? AND tournament IS NULL"
            row = connection.execute(sql, (announcement,)).fetchone()
            planned, starts = time_of(row[0]) if row else None, now()
            if row is None or (planned and planned <= datetime.fromisoformat(starts)):
                return False
            sql = "UPDATE announcement SET starts = ? WHERE id = ?"
            change_one(connection, sql, (starts, announcement))
            return True

        return await self._database.do(run)

    async def enter(self, announcement: int, name: str) -> None:
        sql = "INSERT INTO entrant (announcement, name) VALUES (?, ?)"
        await self._database.change(sql, announcement, name)

    async def withdraw(self, announcement: int, name: str) -> None:
        sql = "DELETE FROM entrant WHERE announcement = ? AND name = ?"
        await self._database.change(sql, announcement, name)

    async def begin(self, announcement: int, config: str) -> int:
        """Begin an announced tournament and return the tournament's id."""

        def run(connection: sqlite3.Connection) -> int:
            sql = (
                "INSERT INTO tournament (name, config, created)"
                " SELECT name, ?, ? FROM announcement WHERE id = ?"
            )
            identifier = connection.execute(sql, (config, now(), announcement)).lastrowid or 0
            sql = "UPDATE announcement SET tournament = ? WHERE id = ? AND tournament IS NULL"
            change_one(connection, sql, (identifier, announcement))
            return identifier

        return await self._database.do(run)

    async def listed(self) -> list[Announcement]:
        """Return all tournaments that are not over, and the latest finished ones, by id."""

        def announced(
            identifier: int, name: str, config: str, starts: str | None, entrants: str, *end: Any
        ) -> Announcement:
            tournament, ended = end
            return Announcement(
                *(identifier, name, config, time_of(starts)),
                *(tuple(json.loads(entrants)), tournament, ended is not None),
            )

        return await self._database.rows("announcement", announced, _LISTED)

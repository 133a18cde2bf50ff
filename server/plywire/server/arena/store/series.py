"""Games outside tournaments, in the journal: one series per time control, rated or not."""

import sqlite3
from datetime import datetime
from sys import intern

from plywire.clients.play.matches.records import GameRecord
from plywire.protocol.messages.limits import Limits
from plywire.server.arena.tournament.config import SERIES

from .database import Database, now, text_of
from .journal_tables import RECORD


class SeriesTerms(Limits):
    """The terms of all games of a series; the journal stores them as its configuration."""

    rated: bool = False
    """Whether each finished game counts for the ratings."""

    @property
    def limits(self) -> Limits:
        return Limits.model_validate(self.model_dump(exclude={"rated"}))


class SeriesGames:
    """The games that bots arrange, in endless tournaments named `SERIES`; raises JournalError."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def open(self, terms: SeriesTerms) -> int:
        config = terms.model_dump_json()

        def run(connection: sqlite3.Connection) -> int:
            sql = f"SELECT max(id) FROM tournament WHERE name = '{SERIES}' AND config = ?"
            found: int | None = connection.execute(sql, (config,)).fetchone()[0]
            if found is not None:
                return found
            sql = "INSERT INTO tournament (name, config, created) VALUES (?, ?, ?)"
            return connection.execute(sql, (SERIES, config, now())).lastrowid or 0

        return await self._database.do(run)

    async def unfinished(self) -> list[tuple[int, SeriesTerms]]:
        sql = (
            f"SELECT id, name, config FROM tournament WHERE name = '{SERIES}' AND id IN"
            " (SELECT tournament FROM game INDEXED BY unfinished_game WHERE record IS NULL)"
        )

        def series(identifier: int, _: str, config: str) -> tuple[int, SeriesTerms]:
            return identifier, SeriesTerms.model_validate_json(config)

        return await self._database.rows("series", series, sql)

    async def unrated(self) -> list[tuple[int, int, GameRecord]]:
        """Return the uncounted games: an id for `rated`, the series, and the record."""
        sql = (
            f"SELECT tournament, number, id, {RECORD}"
            " FROM unrated JOIN game USING (tournament, number) ORDER BY id"
        )

        def waiting(
            tournament: int, _: int, identifier: int, record: bytes
        ) -> tuple[int, int, GameRecord]:
            return identifier, tournament, GameRecord.model_validate_json(record)

        return await self._database.rows("game", waiting, sql)

    async def rated(self, identifier: int) -> None:
        await self._database.change("DELETE FROM unrated WHERE id = ?", identifier)

    async def met(self, since: datetime) -> list[tuple[datetime, tuple[str, str]]]:
        """Return the start and players of finished rated games that began after `since`."""
        sql = (
            # CROSS JOIN makes SQLite start from the games of a day, because there may be many more
            # series.
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

        return await self._database.rows("game", pair, sql, text_of(since))

"""Lasting ratings, in an SQLite file; each event counts once.

Every game has its own list. An event, such as a tournament, is a rating period of Glicko-2: one
transaction makes a new list from the list before. A single game is an event too, but it leaves the
ratings of other players unchanged.

Only differences of ratings have a meaning. Anchors with fixed ratings keep the level from drifting
as players come and go.

Impossible numbers in the file are errors. Numbers out of bounds, from older versions, are moved to
the nearest bound.
"""

import logging
import math
import sqlite3
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from plywire.clients.play.errors import Termination
from plywire.clients.play.matches.outcomes import outcomes
from plywire.clients.play.matches.records import GameRecord
from plywire.clients.play.ratings.glicko2 import Glicko, rate_event
from plywire.engine.game import Game
from plywire.engine.registry import load

from .folder import make_file
from .sqlite_file import FileKind, StoreError, UnusableFileError, check_whole, faults, may_pass

_TABLES = """
    CREATE TABLE IF NOT EXISTS event (
        id INTEGER PRIMARY KEY,
        key TEXT NOT NULL UNIQUE,
        name TEXT NOT NULL,
        rated TEXT NOT NULL
    );
    CREATE TABLE IF NOT EXISTS rating (
        event INTEGER NOT NULL REFERENCES event,
        game TEXT NOT NULL,
        player TEXT NOT NULL,
        rating REAL NOT NULL,
        deviation REAL NOT NULL,
        volatility REAL NOT NULL,
        games INTEGER NOT NULL,  -- in all events so far
        PRIMARY KEY (event, game, player)  -- those whom the event has changed
    ) WITHOUT ROWID;
    CREATE INDEX IF NOT EXISTS rating_by_player ON rating (game, player, event);
"""

#: The number spells "PlyR", which marks Plywire's files of ratings.
_KIND = FileKind("file of ratings", 0x506C7952, (_TABLES,), unmarked=frozenset({"event", "rating"}))

log = logging.getLogger(__name__)

#: An id that is higher than the id of every event.
_LATEST = 2**63 - 1

#: The smallest valid value of each number in a row.
_LEAST = {"rating": -math.inf, "deviation": 0.0, "volatility": 0.0}

#: The deviation of a fixed rating, which is certain.
_ANCHOR_DEVIATION = 0.0


class RatingsError(StoreError):
    """The file cannot be used, and is unchanged; the text says why."""


class BadRatingsError(RatingsError):
    """The file holds impossible values; another try would fail too."""


@dataclass(frozen=True, slots=True)
class Rated:
    """A player on a list."""

    player: str
    glicko: Glicko
    games: int
    before: Glicko | None = None
    """The rating before the latest event; None for a newcomer."""
    played: int = 0
    """The number of the player's games in the latest event."""


class RatingList:
    """The rating lists in a file, which `rate` creates; several processes may use it."""

    def __init__(self, path: Path, anchors: Mapping[str, float] | None = None) -> None:
        self._path = path
        self._anchors = {
            player: Glicko(rating, _ANCHOR_DEVIATION).bounded
            for player, rating in (anchors or {}).items()
        }

    def rate(
        self, key: str, name: str, records: Sequence[GameRecord], *, is_period: bool = True
    ) -> bool:
        """Rate the games of an event; return False if the event was rated before.

        `key` identifies the event; `name` is for people. Aborted games do not count. With
        `is_period`, a player without games becomes less certain. Raises RatingsError.
        """
        by_game: dict[str, list[GameRecord]] = {}
        for record in records:
            if record.termination is not Termination.ABORT:
                by_game.setdefault(_list_name(load(record.game, record.size)), []).append(record)
        with self._connect(write=True) as connection:
            now = datetime.now(UTC).isoformat(timespec="seconds")
            sql = "INSERT OR IGNORE INTO event (key, name, rated) VALUES (?, ?, ?)"
            if connection.execute(sql, (key, name, now)).rowcount == 0:
                return False
            (event,) = connection.execute("SELECT id FROM event WHERE key = ?", (key,)).fetchone()
            for game, played in by_game.items():
                self._rate(connection, event, game, played, is_period=is_period)
        return True

    def check(self) -> None:
        """Raise RatingsError if the file exists and events cannot be rated in it."""
        if self._path.exists():
            self.latest()

    def check_whole(self) -> None:
        """Raise RatingsError if the file exists and is damaged or cannot be used."""
        if self._path.exists():
            with self._connect() as connection:
                check_whole(connection)

    def faults(self) -> list[str]:
        """Return the damage in the file; raises RatingsError."""
        with self._connect() as connection:
            found = faults(connection)
        if not found:
            self.latest()
        return found

    def of(self, game: Game) -> dict[str, Glicko]:
        """Return the present ratings in a game, by player; raises RatingsError."""
        if not self._path.exists():
            return {}
        with self._connect() as connection:
            stand = _list(connection, _LATEST, _list_name(game))
            return {player: rated.glicko.bounded for player, rated in stand.items()}

    def latest(self) -> dict[str, list[Rated]]:
        """Return the present ratings of all players, by game, best first; raises RatingsError."""
        with self._connect() as connection:
            sql = "SELECT game, max(event) FROM rating GROUP BY game ORDER BY game"
            return {
                game: _changes(connection, event, game)
                for game, event in connection.execute(sql).fetchall()
            }

    def after(self, key: str) -> dict[str, list[Rated]]:
        """Return an event's players with their ratings after it, by game, best first."""
        if not self._path.exists():
            return {}
        with self._connect() as connection:
            sql = (
                "SELECT DISTINCT game, event FROM rating JOIN event ON event.id = rating.event"
                " WHERE key = ? ORDER BY game"
            )
            return {
                game: [rated for rated in _changes(connection, event, game) if rated.played]
                for game, event in connection.execute(sql, (key,)).fetchall()
            }

    def _rate(
        self,
        connection: sqlite3.Connection,
        event: int,
        game: str,
        records: Sequence[GameRecord],
        *,
        is_period: bool,
    ) -> None:
        before = _list(connection, event - 1, game)
        healed = dict[str, Glicko]()
        for player, rated in before.items():
            if (bounded := rated.glicko.bounded) != rated.glicko:
                healed[player] = bounded
                log.warning(
                    "ratings healed file=%s game=%r player=%r from=%s to=%s",
                    *(self._path, game, player, _numbers(rated.glicko), _numbers(bounded)),
                )
        games = Counter({player: rated.games for player, rated in before.items()})
        played = Counter(player for record in records for player in record.players)
        glickos = {
            player: rated.glicko.bounded
            for player, rated in before.items()
            if is_period or player in played
        }
        anchors = {
            player: glicko
            for player, glicko in self._anchors.items()
            if player in {*before, *played}
        }
        after = healed | rate_event(glickos | anchors, outcomes(records)) | anchors
        connection.executemany(
            "INSERT INTO rating VALUES (?, ?, ?, ?, ?, ?, ?)",
            [
                (
                    *(event, game, player),
                    *(glicko.rating, glicko.deviation, glicko.volatility),
                    games[player] + played[player],
                )
                for player, glicko in after.items()
            ],
        )

    @contextmanager
    def _connect(self, *, write: bool = False) -> Iterator[sqlite3.Connection]:
        try:
            if not self._path.exists():
                if not write:
                    raise RatingsError(f"{self._path}: no event has been rated yet")
                make_file(self._path)
            with _KIND.transaction(self._path, write=write) as connection:
                yield connection
        except (BadRatingsError, UnusableFileError) as error:
            raise BadRatingsError(f"{self._path}: {error}") from None
        except sqlite3.Error as error:
            failure = RatingsError if may_pass(error) else BadRatingsError
            raise failure(f"{self._path}: {_KIND.words(error)}") from error
        except OSError as error:
            raise RatingsError(f"{self._path}: {error}") from error


def _list_name(game: Game) -> str:
    """Return the name of a game's list; each board size has its own list."""
    return game.name if game.size == load(game.name).size else f"{game.name} {game.size}"


def _list(connection: sqlite3.Connection, event: int, game: str) -> Mapping[str, Rated]:
    """Return the list after an event by player, best first; numbers may be out of bounds."""
    # The recursive query jumps from player to player in the index, so it does not read all events.
    sql = """
        WITH RECURSIVE one(player) AS (
            SELECT min(player) FROM rating WHERE game = ?2
            UNION ALL
            SELECT (SELECT min(player) FROM rating WHERE game = ?2 AND player > one.player)
            FROM one WHERE one.player IS NOT NULL
        )
        SELECT one.player, event, rating, deviation, volatility, games
        FROM one CROSS JOIN rating ON game = ?2 AND rating.player = one.player AND event = (
            SELECT max(event) FROM rating
            WHERE game = ?2 AND player = one.player AND event <= ?1
        )
        ORDER BY rating DESC, one.player
    """
    found = {}
    # Read all rows at once. After an error, an unfinished cursor would keep the file locked.
    for player, changed, *numbers, games in connection.execute(sql, (event, game)).fetchall():
        row = f"event {changed}, game {game!r}, player {player!r}"
        for (name, least), number in zip(_LEAST.items(), numbers, strict=True):
            is_number = isinstance(number, float | int) and math.isfinite(number)
            if not is_number or number < least:
                raise BadRatingsError(
                    f"{row}: {name} is {number!r}; accepted: a finite number{_from(least)}"
                )
        if not isinstance(games, int) or games < 0:
            raise BadRatingsError(f"{row}: games is {games!r}; accepted: a whole number from 0")
        found[player] = Rated(player, Glicko(*numbers), games)
    return found


def _from(least: float) -> str:
    return f" from {least:g}" if math.isfinite(least) else ""


def _numbers(glicko: Glicko) -> str:
    return f"{glicko.rating:g}±{glicko.deviation:g},{glicko.volatility:g}"


def _changes(connection: sqlite3.Connection, event: int, game: str) -> list[Rated]:
    if not isinstance(event, int):
        raise BadRatingsError(f"game {game!r}: event is {event!r}; accepted: a whole number")
    before = _list(connection, event - 1, game)
    changes = []
    for player, rated in _list(connection, event, game).items():
        old = before.get(player)
        played = rated.games - (old.games if old else 0)
        was = old.glicko.bounded if old else None
        changes.append(Rated(player, rated.glicko.bounded, rated.games, was, played))
    return changes


def ratings_of(arena: Path) -> Path:
    """Return the path of the rating list in an arena's folder."""
    return arena / "ratings.sqlite"

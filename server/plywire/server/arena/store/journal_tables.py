"""The tables of the journal, and a check for damage in them."""

from contextlib import closing
from pathlib import Path

from plywire.clients.play.judging.accuracy import GameAccuracy
from plywire.clients.play.matches.records import GameRecord
from plywire.server.arena.tournament.config import SERIES

from .sqlite_file import FileKind, faults

#: The migration at index n brings a journal from version n to the next version.
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
    # Tournaments that have not begun, which bots may join.
    """
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
    """,
    # Indexes for the queries at each start. Without them, these queries would read all games.
    """
    CREATE INDEX unfinished_game ON game (tournament, number) WHERE record IS NULL;
    CREATE INDEX finished_game ON game (started, tournament, number) WHERE record IS NOT NULL;
    CREATE INDEX tournament_by_name ON tournament (name);
    CREATE INDEX tournament_by_end ON tournament (ended);
    """,
    # Rated games outside tournaments that have ended, but that the ratings do not count yet.
    """
    CREATE TABLE unrated (
        id INTEGER PRIMARY KEY,
        tournament INTEGER NOT NULL,
        number INTEGER NOT NULL,
        FOREIGN KEY (tournament, number) REFERENCES game
    );
    """,
    # An index to find a series of games by its terms.
    f"CREATE INDEX series_by_terms ON tournament (config) WHERE name = '{SERIES}';",
)


#: The number spells "Plyw", which marks Plywire's journals.
KIND = FileKind("journal", 0x506C7977, _MIGRATIONS)

#: SQL for the record of a game as bytes. Reading it as text would fail if it is damaged.
RECORD = "CAST(record AS BLOB)"


def journal_faults(path: Path) -> list[str]:
    """Return the damage in a journal and in its records of games; this is slow.

    Writers are not blocked. Raises sqlite3.Error and UnusableFileError.
    """
    with closing(KIND.connect(path)) as connection:
        connection.execute("BEGIN")
        found = faults(connection)
        sql = (
            f"SELECT tournament, number, {RECORD}, accuracy FROM game"
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

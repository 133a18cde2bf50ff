"""The journal: what it acknowledges is there, what is finished stays."""

import asyncio
import sqlite3
import sys
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from plywire.clients.play.errors import Termination
from plywire.clients.play.judging.accuracy import GameAccuracy, Judged
from plywire.clients.play.matches.records import GameRecord
from plywire.server.arena.store import database
from plywire.server.arena.store.journal import (
    Journal,
    JournalBusyError,
    JournalError,
)
from plywire.server.arena.store.journal_tables import journal_faults
from plywire.server.arena.tournament.scheduled_game import ScheduledGame


def scheduled(number: int = 0) -> ScheduledGame:
    return ScheduledGame(number, 1, "tictactoe", "3x3", ("a", "b"), "... ... ... x", ("b2", "a1"))


def record(number: int = 0, winner: int | None = 1) -> GameRecord:
    return GameRecord(
        number=number,
        game="tictactoe",
        size="3x3",
        players=("a", "b"),
        fen="... ... ... x",
        moves=("b2", "a1", "c1"),
        opening=2,
        times=(5,),
        winner=winner,  # type: ignore[arg-type]
        score=1,
        termination=Termination.NORMAL,
        reason="three in a row",
    )


async def test_everything_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "cup.journal"
    accuracy = GameAccuracy(
        values=(0, None), players=(Judged(moves=1, best=1, sound=1), Judged()), losing_move=None
    )
    async with Journal(path, create=True) as journal:
        cup = await journal.create("Cup", "{}")
        await journal.schedule(cup, [scheduled(0), scheduled(1), scheduled(2)])
        started = await journal.start(cup, 0)
        await journal.move(cup, 0, 0, "c1", 5)
        await journal.finish(cup, record(0))
        await journal.judge(cup, 0, accuracy)
        await journal.start(cup, 1)
        await journal.move(cup, 1, 0, "c1", 7)
        await journal.move(cup, 1, 1, "a3", 8)
        await journal.end(cup, "all games are played")
    async with Journal(path) as journal:
        (found,) = await journal.tournaments()
        assert (found.id, found.name, found.config) == (cup, "Cup", "{}")
        assert found.ended is not None
        assert found.outcome == "all games are played"
        first, second, third = await journal.games(cup)
    assert first.scheduled == scheduled(0)
    assert (first.started, first.record, first.accuracy) == (started, record(0), accuracy)
    assert second.moves == (("c1", 7), ("a3", 8))
    assert second.record is None
    assert (third.started, third.moves, third.record) == (None, (), None)


async def test_what_goes_on_is_found_without_what_is_over(tmp_path: Path) -> None:
    async with Journal(tmp_path / "j", create=True) as journal:
        first, cup, last = [await journal.create(name, "{}") for name in ("First", "Cup", "Last")]
        await journal.schedule(cup, [scheduled(0), scheduled(1), scheduled(5)])
        for number in (0, 1):
            await journal.start(cup, number)
            await journal.move(cup, number, 0, "c1", number)
        await journal.finish(cup, record(0))
        begun, waiting = await journal.unfinished(cup)
        assert (begun.scheduled, begun.moves) == (scheduled(1), (("c1", 1),))
        assert (waiting.scheduled, waiting.moves) == (scheduled(5), ())
        assert [await journal.next_number(one) for one in (first, cup)] == [0, 6]
        for one in (first, last):
            await journal.end(one, "over")
        assert [one.id for one in await journal.ended(1)] == [last]
        assert [one.id for one in await journal.ended(9)] == [first, last]
        assert (await journal.tournament(cup)).name == "Cup"
        assert [one.id for one in await journal.tournaments("Last")] == [last]


async def test_a_replayed_game_forgets_its_moves(tmp_path: Path) -> None:
    async with Journal(tmp_path / "j", create=True) as journal:
        cup = await journal.create("Cup", "{}")
        await journal.schedule(cup, [scheduled()])
        await journal.start(cup, 0)
        await journal.move(cup, 0, 0, "c1", 7)
        await journal.start(cup, 0)
        (game,) = await journal.games(cup)
        assert game.moves == ()


async def test_a_finished_game_cannot_be_changed(tmp_path: Path) -> None:
    path = tmp_path / "j"
    async with Journal(path, create=True) as journal:
        cup = await journal.create("Cup", "{}")
        await journal.schedule(cup, [scheduled()])
        await journal.start(cup, 0)
        await journal.move(cup, 0, 0, "c1", 7)
        await journal.finish(cup, record())
        for event in (
            journal.finish(cup, record(winner=2)),
            journal.move(cup, 0, 1, "c2", 7),
            journal.start(cup, 0),
        ):
            with pytest.raises(JournalError):
                await event
        (game,) = await journal.games(cup)
        assert game.record == record()
        assert game.moves == ()  # they are in the record
    connection = sqlite3.connect(path)
    for statement in ("UPDATE game SET record = NULL", "DELETE FROM game", "DELETE FROM move"):
        with pytest.raises(sqlite3.IntegrityError, match=r"finished|stays"):
            connection.execute(statement)
    connection.close()


async def test_what_contradicts_the_journal_leaves_no_trace(tmp_path: Path) -> None:
    async with Journal(tmp_path / "j", create=True) as journal:
        cup = await journal.create("Cup", "{}")
        await journal.schedule(cup, [scheduled()])
        with pytest.raises(JournalError, match="nothing that this event could follow"):
            await journal.finish(cup, record())
        with pytest.raises(JournalError, match="nothing that this event could follow"):
            await journal.start(cup, 7)
        with pytest.raises(JournalError):
            await journal.schedule(cup, [scheduled(1), scheduled(0)])
        await journal.start(cup, 0)
        await journal.move(cup, 0, 0, "c1", 7)
        with pytest.raises(JournalError):
            await journal.move(cup, 0, 0, "c2", 7)
        with pytest.raises(JournalError):  # the move before it was never kept
            await journal.move(cup, 0, 2, "c2", 7)
        (game,) = await journal.games(cup)
        assert game.moves == (("c1", 7),)


async def test_events_at_the_same_time_share_a_commit_and_fail_alone(tmp_path: Path) -> None:
    async with Journal(tmp_path / "j", create=True) as journal:
        cup = await journal.create("Cup", "{}")
        await journal.schedule(cup, [scheduled(number) for number in range(200)])
        await asyncio.gather(*(journal.start(cup, number) for number in range(200)))
        moves = [journal.move(cup, number % 200, 0, "c1", number) for number in range(400)]
        outcomes = await asyncio.gather(*moves, return_exceptions=True)
        assert outcomes[:200] == [None] * 200
        assert all(isinstance(outcome, JournalError) for outcome in outcomes[200:])
        games = await journal.games(cup)
        assert [game.moves for game in games] == [(("c1", number),) for number in range(200)]


async def test_a_full_disk_is_named_and_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "j"
    plain = sqlite3.connect

    def small(*arguments: object, **options: object) -> sqlite3.Connection:
        connection: sqlite3.Connection = plain(*arguments, **options)  # type: ignore[call-overload]
        connection.execute("PRAGMA max_page_count = 20")
        return connection

    async with Journal(path, create=True) as journal:
        cup = await journal.create("Cup", "{}")
        await journal.schedule(cup, [scheduled()])
    monkeypatch.setattr(sqlite3, "connect", small)
    async with Journal(path) as journal:
        many = [scheduled(number) for number in range(1, 5000)]
        with pytest.raises(JournalError, match="the disk is full"):
            await journal.schedule(cup, many)
        outcomes = await asyncio.gather(
            journal.schedule(cup, many), journal.start(cup, 0), return_exceptions=True
        )
        assert isinstance(outcomes[0], JournalError)
        await journal.start(cup, 0)
        assert len(await journal.games(cup)) == 1
    monkeypatch.undo()
    async with Journal(path) as journal:
        await journal.schedule(cup, many)
        assert len(await journal.games(cup)) == 5000


async def test_whatever_goes_wrong_in_the_journals_thread_is_told(tmp_path: Path) -> None:
    def run(connection: sqlite3.Connection) -> None:
        raise ValueError("out of range")

    async with asyncio.timeout(60), Journal(tmp_path / "j", create=True) as journal:
        with pytest.raises(ValueError, match="out of range"):
            await journal.database.do(run)
        assert await journal.tournaments() == []


@pytest.mark.parametrize(
    "damage",
    [
        "record = 'no record'",
        "record = substr(record, 1, 40)",
        "record = CAST(x'ff00' || record AS TEXT)",
        """record = replace(record, '"normal"', '"luck"')""",
    ],
)
async def test_a_damaged_record_is_left_out_and_no_other(
    damage: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = tmp_path / "j"
    async with Journal(path, create=True) as journal:
        cup = await journal.create("Cup", "{}")
        await journal.schedule(cup, [scheduled(number) for number in range(3)])
        for number in range(3):
            await journal.start(cup, number)
            await journal.finish(cup, record(number), is_rated=True)
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute("DROP TRIGGER finished_game_stays")
            connection.execute(f"UPDATE game SET {damage} WHERE number = 1")
        assert [found.record.number for found in await journal.finished(9)] == [0, 2]
        assert "damaged game=1.1: left out" in caplog.text
        assert await journal.finished_game(cup, 1) is None
        assert [found.record.number for found in await journal.finished_round(cup, 1, 9)] == [0, 2]
        assert [found.number for found, _ in await journal.records(cup, 0, 2)] == [0, 2]
        assert [found.number for found in await journal.results(cup)] == [0, 2]
        assert [found.number for _, _, found in await journal.series.unrated()] == [0, 2]
        games = await journal.games(cup)
        assert [game.is_damaged for game in games] == [False, True, False]
        assert [game.scheduled for game in games] == [scheduled(number) for number in range(3)]
    assert journal_faults(path) == ["the record of game 1.1 cannot be read"]


@pytest.mark.parametrize(
    "column", ["created = 'at noon'", "ended = 'at noon', outcome = 'over'"], ids=str
)
async def test_a_damaged_tournament_is_left_out(column: str, tmp_path: Path) -> None:
    path = tmp_path / "j"
    async with Journal(path, create=True) as journal:
        first, second = await journal.create("First", "{}"), await journal.create("Second", "{}")
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(f"UPDATE tournament SET {column} WHERE id = {first}")
        assert [found.id for found in await journal.tournaments()] == [second]
        with pytest.raises(JournalError, match="no tournament 1 can be read"):
            await journal.tournament(first)


def harm(path: Path) -> None:
    """Overwrite the last page of a journal, where nothing but its rows is."""
    size = path.stat().st_size
    with path.open("r+b") as file:
        file.seek(size - 4096)
        file.write(b"\xa5" * 4096)


async def test_a_damaged_page_is_named_at_the_start(tmp_path: Path) -> None:
    path = tmp_path / "j"
    async with Journal(path, create=True) as journal:
        cup = await journal.create("Cup", "{}")
        await journal.schedule(cup, [scheduled(number) for number in range(500)])
    harm(path)
    with pytest.raises(JournalError, match=r"damaged: .*restore a backup"):
        async with Journal(path):
            pass
    with pytest.raises(sqlite3.DatabaseError, match="malformed"):
        journal_faults(path)


async def test_the_lock_outlives_its_file(tmp_path: Path) -> None:
    path = tmp_path / "games.sqlite"
    async with Journal(path, create=True):
        path.with_name("games.sqlite.lock").unlink()
        assert "another process is using the journal" in await other_process(path)
    assert await other_process(path) == ""


async def test_the_lock_is_met_by_a_link_too(tmp_path: Path) -> None:
    path, link = tmp_path / "games.sqlite", tmp_path / "link"
    link.symlink_to(path)
    async with Journal(path, create=True):
        assert "another process is using the journal" in await other_process(link)
        with pytest.raises(JournalBusyError, match="link: another process"):
            async with Journal(link):
                pass


async def other_process(path: Path) -> str:
    """What keeps another process from opening a journal."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", OPEN, str(path)), stdout=asyncio.subprocess.PIPE
    )
    answer, _ = await process.communicate()
    return answer.decode().strip()


OPEN = """
import asyncio, pathlib, sys
from plywire.server.arena.store.journal import Journal, JournalError

async def main():
    try:
        async with Journal(pathlib.Path(sys.argv[1])):
            pass
    except JournalError as error:
        print(error)

asyncio.run(main())
"""


async def test_only_one_may_write_and_others_may_read(tmp_path: Path) -> None:
    path = tmp_path / "j"
    async with Journal(path, create=True) as journal:
        cup = await journal.create("Cup", "{}")
        with pytest.raises(JournalBusyError, match="another process is using the journal"):
            async with Journal(path):
                pass
        async with Journal(path, exclusive=False) as reader:
            (found,) = await reader.tournaments()
            assert found.id == cup
    async with Journal(path) as journal:
        assert len(await journal.tournaments()) == 1


async def test_a_locked_database_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "j"
    monkeypatch.setattr("plywire.server.arena.store.database._PATIENCE", 0.01)
    async with Journal(path, create=True) as journal:
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(JournalBusyError, match="another process"):
            await journal.create("Cup", "{}")
        other.execute("ROLLBACK")
        other.close()
        await journal.create("Cup", "{}")
        assert len(await journal.tournaments()) == 1


async def test_what_is_no_journal_is_refused(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("no database at all, " * 100)
    other = tmp_path / "other"
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE t (a)")
    connection.close()
    newer = tmp_path / "newer"
    async with Journal(newer, create=True):
        pass
    connection = sqlite3.connect(newer)
    connection.execute("PRAGMA user_version = 99")
    connection.close()
    for path, message in (
        (text, "not a journal"),
        (other, "not a journal"),
        (newer, "version 99, written by a newer Plywire"),
        (tmp_path / "missing", "there is no journal"),
        (tmp_path, "Is a directory"),
    ):
        with pytest.raises(JournalError, match=message):
            async with Journal(path):
                pass
    assert not (tmp_path / "missing").exists()


async def test_a_reader_of_any_file_keeps_nobody_from_opening(tmp_path: Path) -> None:
    """Such as a program that makes copies."""
    path = tmp_path / "games.sqlite"
    async with Journal(path, create=True) as journal:
        await journal.create("Cup", "{}")
    files = (path, path.with_name("games.sqlite.lock"))
    readers = [sqlite3.connect(file, isolation_level=None) for file in files]
    for reader in readers:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM sqlite_master").fetchall()
    async with Journal(path) as journal:
        await journal.create("Another cup", "{}")
        with pytest.raises(JournalBusyError, match="another process is using the journal"):
            async with Journal(path):
                pass
    for reader in readers:
        reader.close()


async def test_what_is_acknowledged_is_on_disk(tmp_path: Path) -> None:
    """Not only with the operating system: SQLite flushes at every commit."""
    async with Journal(tmp_path / "j", create=True) as journal:

        def settings(connection: sqlite3.Connection) -> list[object]:
            names = ("journal_mode", "synchronous", "foreign_keys")
            return [connection.execute(f"PRAGMA {name}").fetchone()[0] for name in names]

        full = 2
        assert await journal.database.do(settings) == ["wal", full, 1]


class Failing(sqlite3.Connection):
    """A connection whose disk fails whenever it is to end a transaction."""

    fails = False

    def execute(self, sql: str, *arguments: Any) -> sqlite3.Cursor:
        if Failing.fails and sql in ("COMMIT", "ROLLBACK"):
            raise sqlite3.OperationalError("disk I/O error")
        return super().execute(sql, *arguments)


async def test_the_journal_lives_on_where_not_even_a_rollback_succeeds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=Failing))
    path = tmp_path / "j"
    async with asyncio.timeout(60), Journal(path, create=True) as journal:
        await journal.create("One", "{}")
        monkeypatch.setattr(Failing, "fails", True)
        for _ in range(2):
            with pytest.raises(JournalError, match="disk I/O error"):
                await journal.create("Lost", "{}")
        path.rename(tmp_path / "away")
        path.mkdir()  # what cannot be opened at once is tried again
        with pytest.raises(JournalError, match="unable to open"):
            await journal.create("Lost", "{}")
        path.rmdir()
        (tmp_path / "away").rename(path)
        monkeypatch.setattr(Failing, "fails", False)
        await journal.create("Two", "{}")
        assert [found.name for found in await journal.tournaments()] == ["One", "Two"]


async def test_the_journal_outlives_an_event_loop(tmp_path: Path) -> None:
    async with asyncio.timeout(60), Journal(tmp_path / "j", create=True) as journal:
        other = asyncio.new_event_loop()
        job = database._Job(lambda connection: None, other.create_future())
        other.close()
        assert journal.database._waiting is not None
        journal.database._waiting.put(job)
        await journal.create("Cup", "{}")

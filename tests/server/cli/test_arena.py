"""`plywire arena`: an arena's files are looked over."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import CliRunner

from plywire.server.arena.store.accounts import accounts_of
from plywire.server.arena.store.journal import Journal, journal_of
from plywire.server.arena.store.rating_list import RatingList, ratings_of
from plywire.server.arena.store.sqlite_file import StoreError
from plywire.server.cli import app
from plywire.server.serve import Server
from plywire.server.settings import Settings
from tests.server.arena.store.test_accounts import version
from tests.server.arena.store.test_journal import harm, record, scheduled
from tests.support import game_records

RUNNER = CliRunner(env={"COLUMNS": "160", "NO_COLOR": "1", "TERM": "dumb"})


def check(arena: Path, code: int) -> str:
    answer = RUNNER.invoke(app, ["arena", "check", "--arena", str(arena)])
    assert answer.exit_code == code, answer.output
    return answer.output


@pytest.fixture
async def arena(tmp_path: Path) -> Path:
    """The folder of an arena with a bot, a game and ratings."""
    folder = tmp_path / "arena"
    accounts_of(folder).add("ann")
    RatingList(ratings_of(folder)).rate("1", "Cup", [game_records.record(0, "ann", "bob", 1)])
    async with Journal(journal_of(folder), create=True) as journal:
        cup = await journal.create("Cup", "{}")
        await journal.schedule(cup, [scheduled(number) for number in range(500)])
        await journal.start(cup, 0)
        await journal.finish(cup, record(0))
    return folder


async def test_all_is_whole_also_while_a_server_runs(arena: Path) -> None:
    expected = "bots.sqlite: whole\ngames.sqlite: whole\nratings.sqlite: whole\n"
    assert check(arena, 0) == expected
    async with Journal(journal_of(arena)):
        assert check(arena, 0) == expected


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    assert "there is no such folder" in check(tmp_path / "none", 1)


async def test_what_is_damaged_is_named(arena: Path) -> None:
    with closing(sqlite3.connect(journal_of(arena))) as connection, connection:
        connection.execute("DROP TRIGGER finished_game_stays")
        connection.execute("UPDATE game SET record = '{' WHERE number = 0")
    version(arena / "bots.sqlite", user=99)
    with closing(sqlite3.connect(ratings_of(arena))) as connection, connection:
        connection.execute("UPDATE rating SET deviation = -1")
    found = check(arena, 1)
    assert "games.sqlite: damaged\n  the record of game 1.0 cannot be read\n" in found
    assert "bots.sqlite: damaged" in found
    assert "written by a newer Plywire" in found
    assert "deviation is -1" in found


@pytest.mark.parametrize("file", ["bots.sqlite", "games.sqlite", "ratings.sqlite"])
async def test_a_server_does_not_start_on_damaged_files(file: str, arena: Path) -> None:
    harm(arena / file)
    with pytest.raises(StoreError) as refused:
        async with Server(Settings(port=0, websocket_port=0, warmup=False, arena=arena)):
            pass
    assert str(refused.value).startswith(f"{arena / file}: damaged: ")
    assert "restore a backup, or see `plywire arena check`" in str(refused.value)

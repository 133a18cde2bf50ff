"""The folder of an arena is its owner's alone."""

import os
import stat
from pathlib import Path

import pytest

from plywire.server.arena.feed.feed import Feed
from plywire.server.arena.live.announcing import announce
from plywire.server.arena.open_arena import open_arena
from plywire.server.arena.store.accounts import AccountError, Accounts, accounts_of
from plywire.server.arena.store.folder import open_folder
from plywire.server.arena.store.journal import Journal
from plywire.server.arena.store.rating_list import RatingList, ratings_of
from plywire.server.arena.store.sqlite_file import StoreError
from plywire.server.arena.tournament.config import parse_config
from tests.server.arena.live.test_live_tournament import CUP
from tests.support.game_records import record
from tests.support.peers import settings
from tests.support.turned_clock import TurnedClock


def modes(folder: Path) -> dict[str, int]:
    paths = [folder, *folder.iterdir()]
    return {path.name: stat.S_IMODE(path.stat().st_mode) for path in paths}


def check(folder: Path) -> None:
    found = modes(folder)
    assert found.pop(folder.name) == 0o700
    assert set(found.values()) == {0o600}, found


async def test_whoever_makes_it_makes_it_private(tmp_path: Path) -> None:
    added, announced, served = (tmp_path / name for name in ("added", "announced", "served"))
    accounts_of(added).add("ann")
    check(added)
    text = CUP.format(seats=2, players="", more="", time="", system="round-robin")
    await announce(announced, parse_config(text))
    check(announced)
    async with open_arena(served, settings(), TurnedClock(), Feed()):
        accounts_of(served).add("ann")
        RatingList(ratings_of(served)).rate("key", "Cup", [record(0, "ann", "bob", 1)])
        assert {"games.sqlite", "games.sqlite.lock", "games.sqlite-wal"} <= modes(served).keys()
        check(served)


async def test_one_that_others_may_enter_is_closed(tmp_path: Path) -> None:
    folder = tmp_path / "arena"
    folder.mkdir(mode=0o755)
    accounts_of(folder).add("ann")
    check(folder)
    folder.chmod(0o755)
    (folder / "bots.sqlite").chmod(0o644)
    async with open_arena(folder, settings(), TurnedClock(), Feed()):
        check(folder)
        assert accounts_of(folder).names()[0][0] == "ann"


def test_a_folder_of_other_things_stays_as_it_is(tmp_path: Path) -> None:
    folder = tmp_path / "home"
    folder.mkdir(mode=0o755)
    (folder / "letter").write_text("dear")
    before = modes(folder)
    with pytest.raises(PermissionError, match=r"open to others .mode 0755. and holds other"):
        open_folder(folder)
    with pytest.raises(AccountError, match="a folder of its own"):
        Accounts(folder / "bots.sqlite").add("ann")
    assert modes(folder) == before


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
async def test_a_read_only_folder_is_named(tmp_path: Path) -> None:
    folder = tmp_path / "arena"
    accounts_of(folder).add("ann")
    folder.chmod(0o500)
    with pytest.raises(StoreError, match="let this user write the file and its folder"):
        async with open_arena(folder, settings(), TurnedClock(), Feed()):
            pass
    folder.chmod(0o700)


async def test_a_journal_elsewhere_is_as_open_as_its_folder(tmp_path: Path) -> None:
    folder = tmp_path / "club"
    folder.mkdir(mode=0o755)
    async with Journal(folder / "cup.journal", create=True):
        assert modes(folder)["cup.journal"] == 0o644

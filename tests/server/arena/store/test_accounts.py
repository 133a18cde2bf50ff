"""Accounts: tokens are checked, kept as digests, and belong to one name."""

import sqlite3
from contextlib import closing
from functools import partial
from pathlib import Path

import pytest

from plywire.server.arena.store.accounts import AccountError, Accounts


def version(path: Path, *, user: int, application: int | None = None) -> None:
    """Have a file be of that version, and marked like that."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute(f"PRAGMA user_version = {user}")
        if application is not None:
            connection.execute(f"PRAGMA application_id = {application}")


def test_only_the_right_token_of_the_right_name_passes(tmp_path: Path) -> None:
    accounts = Accounts(tmp_path / "bots.sqlite")
    ann, bob = accounts.add("ann"), accounts.add("bob")
    assert accounts.verify("ann", ann) == ""
    assert accounts.verify("ann", bob) is None
    assert accounts.verify("ANN", ann) is None
    assert accounts.verify("ann", "") is None
    assert accounts.verify("nobody", ann) is None
    assert accounts.verify("carl", accounts.add("carl", "school")) == "school"


def test_no_token_is_kept(tmp_path: Path) -> None:
    path = tmp_path / "new" / "bots.sqlite"
    token = Accounts(path).add("ann")
    assert len(token) == 43
    assert token.encode() not in path.read_bytes()


def test_a_removed_bot_is_gone(tmp_path: Path) -> None:
    accounts = Accounts(tmp_path / "bots.sqlite")
    token = accounts.add("ann")
    accounts.remove("ann")
    assert accounts.verify("ann", token) is None
    assert accounts.names() == []
    with pytest.raises(AccountError, match="there is no bot ann"):
        accounts.remove("ann")


@pytest.mark.parametrize("name", ["ann", "ANN"])
def test_a_name_is_given_once(name: str, tmp_path: Path) -> None:
    accounts = Accounts(tmp_path / "bots.sqlite")
    accounts.add("ann")
    with pytest.raises(AccountError, match=f"already; `plywire bot remove {name}`"):
        accounts.add(name)


@pytest.mark.parametrize("name", ["", "a b", "-ann", "a" * 65, "ann\n", "é"])
def test_a_name_is_a_word(name: str, tmp_path: Path) -> None:
    with pytest.raises(AccountError, match="no name for a bot"):
        Accounts(tmp_path / "bots.sqlite").add(name)


def test_a_file_that_is_something_else_is_an_error(tmp_path: Path) -> None:
    path = tmp_path / "bots.sqlite"
    path.write_text("hello\n" * 1000)
    with pytest.raises(AccountError, match="not a file of bots of Plywire"):
        Accounts(path).add("ann")


@pytest.mark.parametrize("has_owners", [False, True])
def test_a_file_of_an_earlier_version_keeps_its_bots(has_owners: bool, tmp_path: Path) -> None:
    accounts = Accounts(tmp_path / "bots.sqlite")
    token = accounts.add("ann", "amy" if has_owners else "")
    version(tmp_path / "bots.sqlite", application=0, user=0)
    if not has_owners:
        with closing(sqlite3.connect(tmp_path / "bots.sqlite")) as connection:
            connection.execute("ALTER TABLE bot DROP COLUMN owner")
    assert accounts.verify("ann", token) == ("amy" if has_owners else "")
    token = accounts.add("bob", "ben")
    assert accounts.verify("bob", token) == "ben"


def test_a_file_of_a_newer_version_is_refused(tmp_path: Path) -> None:
    accounts = Accounts(tmp_path / "bots.sqlite")
    token = accounts.add("ann")
    version(tmp_path / "bots.sqlite", user=99)
    with pytest.raises(AccountError, match=r"bots\.sqlite: .* version 99, written by a newer"):
        accounts.verify("ann", token)


def test_a_read_only_file_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    accounts = Accounts(tmp_path / "bots.sqlite")
    accounts.add("ann")

    class ReadOnly(sqlite3.Connection):
        def __init__(self, *arguments: object, **options: object) -> None:
            super().__init__(*arguments, **options)  # type: ignore[arg-type]
            self.execute("PRAGMA query_only = 1")

    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=ReadOnly))
    with pytest.raises(
        AccountError, match="read-only: let this user write the file and its folder"
    ):
        accounts.add("bob")
    assert [name for name, *_ in accounts.names()] == ["ann"]

"""Accounts: tokens are checked, kept as digests, and belong to one name."""

from pathlib import Path

import pytest

from plywire.server.arena.store.accounts import AccountError, Accounts


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
    with pytest.raises(AccountError, match="not a database"):
        Accounts(path).add("ann")

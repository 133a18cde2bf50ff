"""The store of machine code: what is read is what was written."""

import os
import stat
import time
from pathlib import Path
from typing import Any

import pytest

from plywire.engine.compiled import store as stores
from plywire.engine.compiled.store import Store


def test_the_folder_is_where_the_environment_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLYWIRE_CACHE_DIR", str(tmp_path))
    assert stores.cache_dir() == tmp_path / "kernels"


def test_there_is_no_folder_without_a_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PLYWIRE_CACHE_DIR", raising=False)
    monkeypatch.setattr(stores, "user_cache_path", lambda *_, **__: Path("~/.cache"))
    assert stores.cache_dir() is None


def test_what_is_written_is_read(tmp_path: Path) -> None:
    store = Store(tmp_path / "new" / "folder")
    assert store.read("a") is None
    store.write("a", b"one")
    store.write("a", b"two")
    store.write("b", b"")
    assert (store.read("a"), store.read("b")) == (b"two", b"")
    store.remove("a")
    store.remove("a")
    assert store.read("a") is None


def test_no_wrong_byte_is_read_and_no_missing_one(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    store = Store(tmp_path)
    store.write("a", b"machine code")
    file = tmp_path / "a"
    whole = file.read_bytes()
    damaged = [whole[:length] for length in range(len(whole))]
    for place in range(len(whole)):
        damaged.append(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
    for content in [*damaged, whole + b"\0"]:
        file.write_bytes(content)
        assert store.read("a") is None
        assert not file.exists()
    assert "damaged" in caplog.text


def test_where_nothing_can_be_written_it_is_said_once(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    store = Store(blocked / "folder")
    for _ in range(3):
        store.write("a", b"one")
    assert store.read("a") is None
    (record,) = caplog.records
    assert "machine code is not kept" in record.message


def test_nowhere_keeps_nothing() -> None:
    store = Store(None)
    store.write("a", b"one")
    store.remove("a")
    assert store.read("a") is None


def test_only_what_was_not_used_for_long_is_removed(tmp_path: Path) -> None:
    store = Store(tmp_path)
    year_ago = time.time() - 365 * 24 * 3600
    for name in ("recent", "used", "old", "left.part"):
        store.write(name, b"code")
    for name in ("used", "old", "left.part"):
        os.utime(tmp_path / name, (year_ago, year_ago))
    assert store.read("used") == b"code"
    store.write("new", b"code")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["new", "recent", "used"]


def give_away(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have a file or folder be another user's."""
    if os.geteuid() == 0:
        os.chown(path, 12_345, 12_345)
    else:
        own = os.geteuid()
        monkeypatch.setattr(os, "geteuid", lambda: own + 1)


@pytest.mark.skipif(os.name != "posix", reason="there are no owners and modes")
class TestTrust:
    """Files that run with the user's rights belong to the user, or to root."""

    def test_a_file_of_another_user_is_never_read(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        store = Store(tmp_path)
        store.write("a", b"machine code")
        give_away(tmp_path / "a", monkeypatch)
        assert store.read("a") is None
        assert not (tmp_path / "a").exists()
        assert "making it again: it belongs to another user" in caplog.text

    def test_a_folder_of_another_user_is_not_used(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
    ) -> None:
        Store(tmp_path).write("a", b"machine code")
        give_away(tmp_path, monkeypatch)
        store = Store(tmp_path)
        assert store.read("a") is None
        store.write("b", b"machine code")
        assert not (tmp_path / "b").exists()
        assert "set PLYWIRE_CACHE_DIR to a folder of your own" in caplog.text

    def test_a_folder_that_others_may_write_is_closed(self, tmp_path: Path) -> None:
        tmp_path.chmod(0o777)
        store = Store(tmp_path)
        assert stat.S_IMODE(tmp_path.stat().st_mode) == 0o755
        store.write("a", b"machine code")
        assert stat.S_IMODE((tmp_path / "a").stat().st_mode) == 0o600
        assert store.read("a") == b"machine code"

    def test_a_file_that_others_could_write_is_made_again(self, tmp_path: Path) -> None:
        store = Store(tmp_path)
        store.write("a", b"machine code")
        (tmp_path / "a").chmod(0o666)
        assert store.read("a") is None

    @pytest.mark.parametrize("make", [os.mkfifo, Path.mkdir, lambda path: path.symlink_to("b")])
    def test_what_is_no_file_is_not_read(self, make: Any, tmp_path: Path) -> None:
        store = Store(tmp_path)
        store.write("b", b"machine code")
        make(tmp_path / "a")
        assert store.read("a") is None

    def test_a_new_folder_is_the_users_alone(self, tmp_path: Path) -> None:
        Store(tmp_path / "kernels")
        assert stat.S_IMODE((tmp_path / "kernels").stat().st_mode) == 0o700

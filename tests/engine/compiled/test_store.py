"""The store of machine code: what is read is what was written."""

import os
import time
from pathlib import Path

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

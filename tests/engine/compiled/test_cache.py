"""The disk cache: hits in later processes, never for edited sources, never for damaged files."""

import os
import shutil
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

import plywire.engine
from plywire.engine.compiled import cache as kernel_cache
from plywire.engine.compiled.cache import KernelFolder

SCRIPT = textwrap.dedent(
    """
    import numpy as np
    from plywire.engine.registry import backend_of, load
    from plywire.engine.perft import count

    game = load("tictactoe")
    board = backend_of(game).board()
    words = map(np.uint64, game.start().words())
    print(*count(board, *words, np.int64(3)))
    print(sum(count.stats.cache_hits.values()), sum(count.stats.cache_misses.values()))
    """
)


#: A disk on which files end after so many bytes is as good as full.
FULL_DISK = textwrap.dedent(
    """
    import resource

    resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))
    """
)
ENGINE = Path(plywire.engine.__path__[0]).parents[1]


def run(tree: Path, cache: Path, *, before: str = "") -> tuple[str, str]:
    """Run the script on the engine in a folder; returns what it counted, and hits and misses."""
    finished = subprocess.run(
        [sys.executable, "-P", "-c", before + SCRIPT],
        env={**os.environ, "PYTHONPATH": str(tree), "PLYWIRE_CACHE_DIR": str(cache)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert finished.returncode == 0, finished.stderr
    counted, stats = finished.stdout.splitlines()
    return counted, stats


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A copy of the engine that can be edited."""
    root = tmp_path / "tree"
    source = Path(plywire.engine.__path__[0])
    shutil.copytree(
        source, root / "plywire" / "engine", ignore=shutil.ignore_patterns("__pycache__")
    )
    return root


def test_later_processes_hit_the_cache_until_any_source_is_edited(
    tree: Path, tmp_path: Path
) -> None:
    cache = tmp_path / "cache"
    assert run(tree, cache) == ("504 0", "0 1")
    assert run(tree, cache) == ("504 0", "1 0")
    # One square is taken away in a file whose kernels are inlined into the cached one's.
    kernels = tree / "plywire" / "engine" / "tictactoe" / "kernels.py"
    kernels.write_text(
        kernels.read_text().replace("_FULL = np.uint64(0o777)", "_FULL = np.uint64(0o377)")
    )
    assert run(tree, cache) == ("336 0", "0 1")
    assert len(list(cache.iterdir())) == 2


def test_the_hash_sees_names_and_contents(tmp_path: Path) -> None:
    source = tmp_path / "package" / "a.py"
    source.parent.mkdir()
    source.write_text("one")
    hashes = [kernel_cache.sources_hash(tmp_path)]
    source.write_text("two")
    hashes.append(kernel_cache.sources_hash(tmp_path))
    source.rename(source.with_name("b.py"))
    hashes.append(kernel_cache.sources_hash(tmp_path))
    (tmp_path / "c.py").touch()
    hashes.append(kernel_cache.sources_hash(tmp_path))
    assert len(set(hashes)) == 4
    (tmp_path / "notes.txt").touch()
    assert kernel_cache.sources_hash(tmp_path) == hashes[-1]
    assert kernel_cache.sources_hash(tmp_path, tmp_path / "c.py") not in hashes


def test_the_folder_is_where_the_environment_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLYWIRE_CACHE_DIR", str(tmp_path))
    folder = kernel_cache.cache_dir()
    assert folder is not None
    assert folder.parent == tmp_path


def test_there_is_no_folder_without_a_home(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PLYWIRE_CACHE_DIR", raising=False)
    monkeypatch.setattr(kernel_cache, "user_cache_path", lambda *_, **__: Path("~/.cache"))
    assert kernel_cache.cache_dir() is None


@pytest.mark.parametrize("name", ["plywire_noughts/backend.py", "plywire_noughts.py"])
def test_an_edit_of_an_installed_game_starts_a_fresh_cache(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = kernel_cache.cache_dir()
    monkeypatch.syspath_prepend(str(tmp_path))
    info = tmp_path / "plywire_noughts-1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: plywire-noughts\nVersion: 1\n")
    module = name.removesuffix(".py").replace("/", ".")
    (info / "entry_points.txt").write_text(
        f"[plywire.backends]\nnoughts = {module}:Backend\nlost = plywire_lost:Backend\n"
    )
    source = tmp_path / name
    folders = [before]
    for text in ("one", "two"):
        source.parent.mkdir(exist_ok=True)
        source.write_text(text)
        folders.append(kernel_cache.cache_dir())
    assert len(set(folders)) == 3


def test_kernels_compile_where_no_cache_can_be_written(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    assert run(ENGINE, blocked) == ("504 0", "0 1")


def flip(data: bytes) -> bytes:
    """Turn one bit over, in the midst of the machine code."""
    place = len(data) // 2
    return data[:place] + bytes([data[place] ^ 0x10]) + data[place + 1 :]


def test_kernels_compile_on_a_full_disk_and_in_place_of_damaged_ones(tmp_path: Path) -> None:
    assert run(ENGINE, tmp_path, before=FULL_DISK) == ("504 0", "0 1")
    (folder,) = tmp_path.iterdir()
    assert list(folder.iterdir()) == []
    assert run(ENGINE, tmp_path) == ("504 0", "0 1")
    assert run(ENGINE, tmp_path, before=FULL_DISK) == ("504 0", "1 0")
    for file in folder.iterdir():
        file.write_bytes(flip(file.read_bytes()))
    assert run(ENGINE, tmp_path) == ("504 0", "0 1")
    assert run(ENGINE, tmp_path) == ("504 0", "1 0")


class TestKernelFolder:
    def test_what_is_written_is_read(self, tmp_path: Path) -> None:
        folder = KernelFolder(tmp_path / "new" / "folder")
        assert folder.read("a") is None
        folder.write("a", b"one")
        folder.write("a", b"two")
        folder.write("b", b"")
        assert (folder.read("a"), folder.read("b")) == (b"two", b"")
        folder.remove("a")
        folder.remove("a")
        assert folder.read("a") is None

    def test_no_wrong_byte_is_read_and_no_missing_one(
        self, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        folder = KernelFolder(tmp_path)
        folder.write("a", b"machine code")
        file = tmp_path / "a"
        whole = file.read_bytes()
        damaged = [whole[:length] for length in range(len(whole))]
        for place in range(len(whole)):
            damaged.append(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        for content in [*damaged, whole + b"\0"]:
            file.write_bytes(content)
            assert folder.read("a") is None
            assert not file.exists()
        assert "damaged" in caplog.text

    def test_where_nothing_can_be_written_it_is_said_once(
        self, tmp_path: Path, caplog: pytest.LogCaptureFixture
    ) -> None:
        blocked = tmp_path / "file"
        blocked.write_text("not a folder")
        folder = KernelFolder(blocked / "folder")
        for _ in range(3):
            folder.write("a", b"one")
        assert folder.read("a") is None
        (record,) = caplog.records
        assert "compiling in memory" in record.message

    def test_nowhere_keeps_nothing(self) -> None:
        folder = KernelFolder(None)
        folder.write("a", b"one")
        folder.remove("a")
        assert folder.read("a") is None


def test_only_long_unused_caches_of_other_sources_are_removed(tmp_path: Path) -> None:
    names = ("kernels-current", "kernels-recent", "kernels-old", "unrelated")
    current, recent, old, unrelated = (tmp_path / name for name in names)
    year_ago = time.time() - 365 * 24 * 3600
    for folder in (current, recent, old, unrelated):
        (folder / "inner").mkdir(parents=True)
        if folder != recent:
            os.utime(folder, (year_ago, year_ago))
    kernel_cache.prune(current)
    assert sorted(tmp_path.iterdir()) == sorted((current, recent, unrelated))

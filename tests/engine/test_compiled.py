"""The disk cache: hits in later processes, never for edited sources."""

import os
import shutil
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import pytest

import plywire.engine
from plywire.engine import compiled

SCRIPT = textwrap.dedent(
    """
    import numpy as np
    from plywire.engine.game import load
    from plywire.engine.perft import count

    board = load("tictactoe").board()
    words = map(np.uint64, load("tictactoe").start().words())
    print(*count(board, *words, np.int64(3)))
    print(sum(count.stats.cache_hits.values()), sum(count.stats.cache_misses.values()))
    """
)


def run(tree: Path, cache: Path) -> tuple[str, str]:
    """Run the script on the engine in a folder; returns what it counted, and hits and misses."""
    finished = subprocess.run(
        [sys.executable, "-P", "-c", SCRIPT],
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
    hashes = [compiled.sources_hash(tmp_path)]
    source.write_text("two")
    hashes.append(compiled.sources_hash(tmp_path))
    source.rename(source.with_name("b.py"))
    hashes.append(compiled.sources_hash(tmp_path))
    (tmp_path / "c.py").touch()
    hashes.append(compiled.sources_hash(tmp_path))
    assert len(set(hashes)) == 4
    (tmp_path / "notes.txt").touch()
    assert compiled.sources_hash(tmp_path) == hashes[-1]


def test_the_folder_is_where_the_environment_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLYWIRE_CACHE_DIR", str(tmp_path))
    assert compiled.cache_dir() == tmp_path / f"kernels-{compiled.sources_hash()}"


def test_kernels_compile_where_no_cache_can_be_written(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    engine = Path(plywire.engine.__path__[0]).parents[1]
    assert run(engine, blocked) == run(engine, blocked) == ("504 0", "0 1")


def test_only_long_unused_caches_of_other_sources_are_removed(tmp_path: Path) -> None:
    names = ("kernels-current", "kernels-recent", "kernels-old", "unrelated")
    current, recent, old, unrelated = (tmp_path / name for name in names)
    year_ago = time.time() - 365 * 24 * 3600
    for folder in (current, recent, old, unrelated):
        (folder / "inner").mkdir(parents=True)
        if folder != recent:
            os.utime(folder, (year_ago, year_ago))
    compiled.prune(current)
    assert sorted(tmp_path.iterdir()) == sorted((current, recent, unrelated))

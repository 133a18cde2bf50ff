"""The benchmarks of the solvers' tricks replace parts of the engine, whose names change."""

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"

GAME = """
from typing import Any

import game
from tricks import Trick, expanded

from plywire.engine.compiled.kernel import kernel


@kernel
def search(depth: Any) -> Any:
    return depth if depth < 2 else search(depth - 1) + search(depth - 2)


_search = search


@expanded
def search_counted(depth: Any) -> Any:
    return 100 if depth < 1 else _search(depth)


@kernel
def root(depth: Any) -> Any:
    return search(depth)


def solve(suite: Any, table_mb: int) -> Any:
    return int(game.root(10))


TRICKS = (Trick("counting", (("game.search", search_counted),)),)
"""


@pytest.mark.parametrize("game", ["connect4", "othello"])
def test_every_trick_finds_what_it_replaces(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    tricks = importlib.import_module(f"{game}_tricks").TRICKS
    names = {name for trick in tricks for name, _ in trick.replacements}
    assert names
    for name in names - {"mmap.MADV_HUGEPAGE"}:  # which only Linux has
        module, _, attribute = name.rpartition(".")
        assert hasattr(importlib.import_module(module), attribute), name


def test_what_stands_in_for_a_search_can_be_loaded_from_the_cache(tmp_path: Path) -> None:
    (tmp_path / "game.py").write_text(GAME)
    paths = os.pathsep.join((str(tmp_path), str(BENCHMARKS)))
    environment = {**os.environ, "PYTHONPATH": paths, "PLYWIRE_CACHE_DIR": str(tmp_path / "cache")}
    work = "import tricks; tricks.work('game', 'counting', '1', 'suite')"
    for _ in range(2):
        process = subprocess.run(
            [sys.executable, "-c", work],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
        assert process.stdout == "[3455]\n"


def test_no_trick_calls_a_search_that_calls_it_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    for game in ("connect4", "othello"):
        for trick in importlib.import_module(f"{game}_tricks").TRICKS:
            for name, value in trick.replacements:
                if name.endswith("search.search"):
                    assert value.targetoptions["inline"] == "always", trick.name

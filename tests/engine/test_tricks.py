"""The benchmarks of the solvers' tricks replace parts of the engine, whose names change."""

import importlib
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.mark.parametrize("game", ["connect4", "othello"])
def test_every_trick_finds_what_it_replaces(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    tricks = importlib.import_module(f"{game}_tricks").TRICKS
    names = {name for trick in tricks for name, _ in trick.replacements}
    assert names
    for name in names - {"mmap.MADV_HUGEPAGE"}:  # which only Linux has
        module, _, attribute = name.rpartition(".")
        assert hasattr(importlib.import_module(module), attribute), name

"""The benchmarks of the solvers' tricks edit a copy of the engine, whose sources change."""

import importlib
import shutil
from pathlib import Path

import pytest

BENCHMARKS = Path(__file__).parents[2] / "benchmarks"


@pytest.mark.parametrize("game", ["connect4", "othello"])
def test_every_trick_finds_what_it_switches_off(
    game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    engine = importlib.import_module("tricks").ENGINE
    edited = set()
    for number, trick in enumerate(importlib.import_module(f"{game}_tricks").TRICKS):
        folder = tmp_path / str(number)
        for edit in trick.edits:
            copy = folder / edit.file
            if not copy.exists():
                copy.parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(engine / edit.file, copy)
            edit.apply(folder)  # exits if the text is not there once
            edited.add(edit.file)
    assert edited

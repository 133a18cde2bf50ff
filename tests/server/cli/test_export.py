import zipfile
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from plywire.clients.exports.othello import export as othello
from plywire.clients.exports.othello import packing
from plywire.server.cli import app


def export(*arguments: str) -> Result:
    return CliRunner(env={"COLUMNS": "200"}).invoke(app, ["export", "kaggle", *arguments])


def test_a_file_is_written(tmp_path: Path) -> None:
    file = tmp_path / "submission.py"
    result = export(str(file), "--plies", "4")
    assert result.exit_code == 0, result.output
    source = file.read_text("utf-8")
    assert f"{file}: {len(source)} bytes, " in result.stdout
    assert "def agent(observation" in source
    assert "BOOK_PLIES = 4\n" in source


def test_the_standard_output_is_a_file_too(tmp_path: Path) -> None:
    file = tmp_path / "submission.py"
    export(str(file), "--plies", "2")
    assert export("-", "--plies", "2").stdout == file.read_text("utf-8")


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    result = export(str(tmp_path / "no" / "such" / "file.py"), "--plies", "2")
    assert result.exit_code == 1
    assert "file.py: No such file or directory" in result.stderr


def test_a_number_of_plies_out_of_range() -> None:
    result = export("--plies", "17")
    assert result.exit_code == 2
    assert "'--plies': Input should be less than or equal to 16" in result.stderr


@pytest.mark.parametrize("place", ["botzone", "codingame"])
def test_a_time_that_is_no_number_is_refused(place: str) -> None:
    result = CliRunner().invoke(app, ["export", place, "-", "--seconds", "nan"])
    assert result.exit_code == 2
    assert "nan is no number from 0.01 to 60" in result.stderr


@pytest.mark.parametrize("place", ["botzone", "codingame"])
def test_bots_for_othello_are_written_with_the_time_they_have(
    place: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # To choose weights takes seconds.
    no_weights = packing._packed(np.zeros_like(packing._shipped().values))
    monkeypatch.setattr(othello, "_weights", lambda: no_weights)
    file = tmp_path / "bot"
    arguments = ["export", place, str(file), "--seconds", "0.25"]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 0, result.output
    content = file.read_bytes()
    assert f"{len(content)} bytes" in result.stdout
    if zipfile.is_zipfile(file):
        content = zipfile.ZipFile(file).read("__main__.py")
    assert b"SECONDS = 0.25\n" in content

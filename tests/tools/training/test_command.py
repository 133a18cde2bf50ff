from pathlib import Path

import pytest
from typer.testing import CliRunner

from tools.training.__main__ import app


def test_training_prints_its_card_and_names_its_files(tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = "--prior shipped --selfplay 20 --depth 1 --exact 2 --judge 2:100:8 --iterations 1"
    result = CliRunner().invoke(app, [*arguments.split(), "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert arguments in result.stdout
    assert "Error of all held-out positions" in result.stdout
    for name in ("weights.npz", "card.md", "curve.svg", "error.svg"):
        assert name in result.stdout
        assert (out / name).exists()


def test_what_cannot_be_trained_is_refused(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["--out", str(tmp_path / "out")])
    assert result.exit_code == 2
    assert "nothing to learn from" in result.stderr


@pytest.mark.parametrize(
    "text", ["8", "1:1000", "21:1000", "8:99", "8:-5", "eight:1000", "8:1000:25", "8:1000:"]
)
def test_what_is_no_round_of_judging_is_refused(tmp_path: Path, text: str) -> None:
    arguments = ["--selfplay", "40", "--judge", text, "--out", str(tmp_path / "out")]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 2
    assert f"--judge {text}: expected DEPTH:POSITIONS" in " ".join(result.stderr.split())
    assert not (tmp_path / "out").exists()


def test_a_prior_that_is_not_there_is_told(tmp_path: Path) -> None:
    prior = str(tmp_path / "none.npz")
    arguments = ["--selfplay", "40", "--judge", "2:100", "--prior", prior]
    result = CliRunner().invoke(app, arguments)
    assert result.exit_code == 1
    assert f"{prior}: No such file or directory" in result.stderr

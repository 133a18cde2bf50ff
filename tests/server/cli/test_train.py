from pathlib import Path

from typer.testing import CliRunner

from plywire.server.cli import app


def test_training_prints_its_card_and_names_its_files(tmp_path: Path) -> None:
    out = tmp_path / "out"
    arguments = ["--selfplay", "40", "--depth", "1", "--exact", "2", "--iterations", "2"]
    result = CliRunner().invoke(app, ["train", "othello", *arguments, "--out", str(out)])
    assert result.exit_code == 0, result.output
    assert "Error of all held-out positions" in result.stdout
    for name in ("weights.npz", "card.md", "curve.svg", "error.svg"):
        assert name in result.stdout
        assert (out / name).exists()


def test_what_cannot_be_trained_is_refused(tmp_path: Path) -> None:
    result = CliRunner().invoke(app, ["train", "connect4", "--out", str(tmp_path / "out")])
    assert result.exit_code == 2
    assert "no training for 'connect4'" in result.stderr
    result = CliRunner().invoke(app, ["train", "othello", "--out", str(tmp_path / "out")])
    assert result.exit_code == 2
    assert "nothing to learn from" in result.stderr

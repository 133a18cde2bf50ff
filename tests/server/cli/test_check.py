"""The command `plywire check`."""

import sys
from pathlib import Path
from xml.etree import ElementTree

from typer.testing import CliRunner

from plywire.server.cli import app

RUNNER = CliRunner(env={"COLUMNS": "200", "NO_COLOR": "1", "TERM": "dumb"})
ROOT = Path(__file__).parents[3]
BROKEN = ROOT / "tests" / "support" / "fake_programs" / "broken_engine.py"


def run(*arguments: str, code: int) -> str:
    result = RUNNER.invoke(app, ("check", *arguments))
    assert result.exit_code == code, result.output
    return " ".join(result.output.replace("│", " ").split())


def test_the_example_passes() -> None:
    shown = run(
        *(f'ugi:{sys.executable} "{ROOT / "examples" / "ugi_engine.py"}"', "--game", "othello"),
        *("--positions", "5", "--margin", "10000"),
        code=0,
    )
    assert "legal moves othello" in shown
    assert "5 legal moves in 5 positions ok" in shown
    assert "13 checks passed, 0 failed, 0 not tried." in shown


def test_a_fault_is_shown_and_written(tmp_path: Path) -> None:
    file = tmp_path / "check.xml"
    shown = run(
        *(f'ugi:{sys.executable} "{BROKEN}" fails-at-the-end "{tmp_path / "file"}"', "--game"),
        *("connect4", "--positions", "5", "--margin", "10000", "--junit", str(file)),
        code=1,
    )
    assert "quit ends, with status 0 exited with status 3 failed" in shown
    assert "quit, the last lines:" in shown
    assert shown.endswith("1 failed, 1 not tried.")
    suite = ElementTree.parse(file).getroot()
    assert (suite.get("failures"), suite.get("skipped")) == ("1", "1")


def test_a_report_that_cannot_be_written(tmp_path: Path) -> None:
    shown = run("ugi:/no/such/engine", "--junit", str(tmp_path / "no" / "check.xml"), code=1)
    assert ": No such file or directory" in shown


def test_what_cannot_be_checked_gets_one_line() -> None:
    assert "write ugi:COMMAND" in run("random", code=2)
    assert "unknown game 'go'" in run("ugi:./engine", "--game", "go", code=2)

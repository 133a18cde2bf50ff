"""The command `plywire exam`."""

from pathlib import Path

from typer.testing import CliRunner

from plywire.clients.exam.marks import ExamResult
from plywire.server.cli import app

RUNNER = CliRunner(env={"COLUMNS": "160", "NO_COLOR": "1", "TERM": "dumb"})


def test_an_exam_as_table_json_and_page(tmp_path: Path) -> None:
    results = []
    for name in ("a", "b"):
        json, html = tmp_path / f"{name}.json", tmp_path / f"{name}.html"
        ran = RUNNER.invoke(
            app,
            [
                *("exam", "random:seed=1", "--game", "tictactoe"),
                *("--positions", "2", "--level", "1", "--seed", "3"),
                *("--json", str(json), "--html", str(html)),
            ],
        )
        assert ran.exit_code == 0, ran.output
        assert "Kept %" in ran.output
        assert "Score %" in ran.output
        results.append(ExamResult.model_validate_json(json.read_text()))
        page = html.read_text()
        assert "<h1>Exam of random:seed=1</h1>" in page
        assert page.count("to move</p>") == sum(
            not answer.is_kept for answer in results[-1].answers
        )
    first, second = (
        [(answer.fen, answer.move, answer.regret) for answer in result.answers]
        for result in results
    )
    assert first == second
    assert first
    assert results[0].levels == results[1].levels


def test_who_is_no_player_is_refused() -> None:
    ran = RUNNER.invoke(app, ["exam", "nobody"])
    assert ran.exit_code == 2
    assert "no player" in ran.output

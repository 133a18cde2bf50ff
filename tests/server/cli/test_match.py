"""The commands `plywire match` and `plywire play`."""

import asyncio
import os
import re
import signal
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from plywire.clients.matches.records import GameRecord
from plywire.server.cli import app
from tests.support.processes import killed_on_failure

RUNNER = CliRunner(env={"COLUMNS": "160", "NO_COLOR": "1", "TERM": "dumb"})


def run(*arguments: str, typed: str | None = None, code: int = 0) -> str:
    result = RUNNER.invoke(app, arguments, input=typed)
    assert result.exit_code == code, result.output
    return " ".join(result.output.replace("│", " ").split())


def test_a_match(tmp_path: Path) -> None:
    out, moves = tmp_path / "games.jsonl", tmp_path / "games.txt"
    shown = run(
        *("match", "greedy", "random:seed=1", "--games", "6", "--concurrency", "2", "--verbose"),
        *("--random-plies", "2", "--out", str(out), "--moves", str(moves)),
    )
    assert "greedy against random:seed=1" in shown
    assert re.search(r"Game 6: \S+ \([xo]\) beat \S+ in \d+ moves, four in a row", shown)
    assert len(out.read_text().splitlines()) == len(moves.read_text().splitlines()) == 6


def test_a_time_control_for_each_side(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    run(
        *("match", "greedy", "greedy", "--games", "2", "--tc-1", "60+1", "--tc-2", "nodes=50"),
        *("--out", str(out)),
    )
    for line in out.read_text().splitlines():
        record = GameRecord.model_validate_json(line)
        first = record.players.index("greedy")
        assert all(60_000 < clock < 100_000 for clock in record.clocks[first::2])
        assert set(record.clocks[1 - first :: 2]) == {None}


async def test_an_interrupted_match_shows_and_keeps_what_was_played(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", "from plywire.server.cli import app; app()", "match"),
        *("greedy", "random", "--games", "100000", "--verbose", "--out", str(out)),
        stdout=asyncio.subprocess.PIPE,
        env={**os.environ, "COLUMNS": "160", "TERM": "dumb"},
    )
    with killed_on_failure(process):
        assert process.stdout is not None
        first = await process.stdout.readline()
        process.send_signal(signal.SIGINT)
        rest = await process.stdout.read()
        assert await process.wait() == 130
    shown = (first + rest).decode()
    assert shown.count("Game ") == len(out.read_text().splitlines()) >= 1
    assert "Interrupted." in shown
    assert "greedy against random" in shown


def test_openings_from_a_file(tmp_path: Path) -> None:
    openings, moves = tmp_path / "openings.txt", tmp_path / "games.txt"
    openings.write_text("# two\n444\nd3\n".replace("d3", "12"))
    run(
        *("match", "random", "random", "--games", "4", "--openings", str(openings)),
        *("--moves", str(moves)),
    )
    assert [line[:2] for line in moves.read_text().splitlines()] == ["44", "44", "12", "12"]


def test_equal_players_get_names_of_their_own() -> None:
    assert "greedy against greedy (2)" in run("match", "greedy", "greedy", "--games", "2")


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["nobody", "random"], "a player is random"),
        (["random", "random", "--game", "chess"], "the games are connect4"),
        (["random", "random", "--size", "9x9"], "9x9"),
        (["random", "random", "--tc", "fast"], "such as 10+0.1"),
        (["random", "random", "--depth", "1000"], "depth"),
        (["random", "random", "--tc-2", "speed=5"], "no limit 'speed=5'"),
        (["random", "random", "--game", "tictactoe", "--random-plies", "20"], "ask for fewer"),
        (["random", "random", "--openings", "none.txt"], "none.txt"),
    ],
)
def test_bad_arguments(arguments: list[str], text: str) -> None:
    assert text in run("match", *arguments, code=2)


def test_a_bad_opening_is_named(tmp_path: Path) -> None:
    openings = tmp_path / "openings.txt"
    openings.write_text("44\n99\n")
    shown = run("match", "random", "random", "--openings", str(openings), code=2)
    assert "line 2: move 1: no move '9'" in shown


def test_a_player_that_cannot_start() -> None:
    spec = f"ugi:{sys.executable} -c ''"
    shown = run("match", spec, "random", code=1)
    assert "cannot play Connect Four: exited with status 0" in shown


def test_a_file_that_cannot_be_written(tmp_path: Path) -> None:
    out = tmp_path / "nowhere" / "games.jsonl"
    shown = run("match", "random", "random", "--games", "2", "--out", str(out), code=1)
    assert "No such file or directory" in shown


def test_play_from_a_script() -> None:
    shown = run("play", "tictactoe", "--against", "greedy", typed="a1\nundo\nc3\nquit\n")
    assert "X plays a1" in shown
    assert "X plays c3" in shown
    assert shown.endswith("Goodbye.")


def test_play_until_the_input_ends() -> None:
    shown = run("play", "connect4", "--level", "1", "--side", "2", typed="4\n")
    assert "you are Red (O)" in shown
    assert shown.endswith("Goodbye.")


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["chess"], "the games are connect4"),
        (["othello", "--against", "nobody"], "a player is random"),
    ],
)
def test_bad_arguments_of_play(arguments: list[str], text: str) -> None:
    assert text in run("play", *arguments, code=2)


def test_an_opponent_that_fails() -> None:
    spec = f"ugi:{sys.executable} -c ''"
    assert "The opponent failed: exited with status 0" in run("play", "--against", spec, code=1)

"""The commands `plywire match` and `plywire play`."""

import asyncio
import csv
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from plywire.clients.play.errors import Termination
from plywire.clients.play.matches.records import GameRecord
from plywire.clients.play.ratings.elo import MatchTally
from plywire.clients.play.ratings.sprt import Sprt, Verdict
from plywire.server.cli import app
from plywire.server.cli.common import screen
from tests.support.peers import PLYWIRE
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


def test_what_goes_to_a_pipe_is_not_wrapped_and_tells_all_faults() -> None:
    bad = "python:tests.support.own_players:Failing"
    arguments = ["match", bad, "random:seed=1", "--games", "4", "--verbose"]
    result = CliRunner(env={"COLUMNS": "40"}).invoke(app, arguments)
    lines = result.output.splitlines()
    games = [line for line in lines if line.startswith("Game ")]
    assert len(games) == 4
    assert all(line.endswith("(ValueError: no idea (own_players.py, line 78))") for line in games)
    assert f"{bad} lost by crash: 4" in lines
    assert "  4 by: ValueError: no idea (own_players.py, line 78)" in lines


def test_games_that_repeat_each_other_are_told_of() -> None:
    arguments = ("match", "greedy", "greedy", "--game", "tictactoe", "--games", "6")
    assert "Only 1 of 6 games were different" in run(*arguments)
    assert "were different" not in run("match", "random:seed=1", "random:seed=2", "--games", "6")


def test_a_name_is_shown_as_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    screen().print("python:four:Careful", markup=False)
    assert capsys.readouterr().out == "python:four:Careful\n"


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


def test_games_are_written_in_the_format_of_the_files_name(tmp_path: Path) -> None:
    for name in ("games.csv", "games.pgn", "games.ggf"):
        out = ("--out", str(tmp_path / name))
        for _ in range(2):
            run("match", "random:seed=1", "greedy", "--game", "othello", "--games", "2", *out)
    with (tmp_path / "games.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["number"] for row in rows] == ["0", "1", "0", "1"]
    assert (tmp_path / "games.ggf").read_text().count("(;GM[Othello]PC[plywire match]") == 4
    run("match", "random", "greedy", "--games", "2", "--event", "Cup", *out[:1], out[1] + ".pgn")
    pgn = (tmp_path / "games.ggf.pgn").read_text()
    assert pgn.count('[Event "Cup"]') == 2
    assert '[Date "2' in pgn


@pytest.mark.parametrize("suffix", ["json", "csv"])
def test_the_result_is_written(suffix: str, tmp_path: Path) -> None:
    result = tmp_path / f"result.{suffix}"
    run("match", "greedy", "random:seed=1", "--games", "4", "--result", str(result))
    with result.open(newline="") as file:
        (row,) = json.load(file) if suffix == "json" else csv.DictReader(file)
    told = [row[name] for name in ("first", "second", "games", "faults_first")]
    assert list(map(str, told)) == ["greedy", "random:seed=1", "4", "0"]
    assert sum(map(int, row["pairs"].split())) == 2
    assert "sprt" not in row


@pytest.mark.parametrize("name", ["games.xls", "games.json"])
def test_an_unknown_ending_is_refused(name: str, tmp_path: Path) -> None:
    shown = run("match", "greedy", "random", "--games", "2", "--out", str(tmp_path / name), code=2)
    words = " ".join(shown.replace("│", " ").split())
    assert "accepted are .jsonl, .csv, .pgn, .ggf" in words
    assert not (tmp_path / name).exists()


@pytest.mark.parametrize("given", ["nan", "inf", "1e400", "0", "-1", "soon"])
def test_a_patience_that_is_no_time_is_refused(given: str) -> None:
    shown = run("match", "greedy", "random", "--games", "2", "--patience", given, code=2)
    assert f"{given} is no number from 0.001 to 86400" in shown


@pytest.mark.parametrize("redirected", [subprocess.DEVNULL, subprocess.STDOUT])
def test_a_reader_that_leaves_ends_the_match_without_a_word(redirected: int) -> None:
    match = subprocess.Popen(
        [*PLYWIRE, "match", "greedy", "random:seed=1", "--games", "2000", "--verbose"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE if redirected == subprocess.DEVNULL else redirected,
    )
    assert match.stdout is not None
    assert match.stdout.readline().startswith(b"Game 1: ")
    match.stdout.close()
    assert match.wait(60) == 141
    if match.stderr is not None:
        with match.stderr:
            assert match.stderr.read() == b""


def test_a_sequential_test_ends_the_match(tmp_path: Path) -> None:
    out, result = tmp_path / "games.jsonl", tmp_path / "result.json"
    shown = run(
        *("match", "greedy", "random:seed=1", "--sprt", "elo0=0,elo1=200", "--random-plies", "2"),
        *("--out", str(out), "--result", str(result)),
    )
    assert "H1 accepted: greedy is better by 200 Elo" in shown
    (row,) = json.loads(result.read_text())
    assert row["sprt"] == "H1"
    records = list(map(GameRecord.model_validate_json, out.read_text().splitlines()))
    assert len(records) == row["games"] < 100
    # The verdict is that of the test on these games, and no earlier one.
    test, tally, verdicts = Sprt(0, 200), MatchTally(), []
    for record in records:
        winner = record.winner and record.players[record.winner - 1]
        tally.add(record.number, {None: 0.5, "greedy": 1.0}.get(winner, 0.0))
        verdicts.append(test.verdict(tally.pentanomial))
    assert verdicts == [Verdict.CONTINUE] * (len(records) - 1) + [Verdict.H1]


def test_a_tournament_says_the_same_of_the_same_games(tmp_path: Path) -> None:
    out, config = tmp_path / "games.jsonl", tmp_path / "cup.toml"
    players = ("random:seed=1", "random:seed=2")
    test = "elo0=0,elo1=150"
    shown = run("match", *players, "--games", "400", "--sprt", test, "--out", str(out))
    config.write_text(
        'name = "Cup"\naccuracy = false\n[format]\nsystem = "round-robin"\ngames = 400\n'
        '[[games]]\ngame = "connect4"\nopenings = "start"\n[sprt]\nelo1 = 150\n'
        f'[players]\nA = "{players[0]}"\nB = "{players[1]}"\n'
    )
    told = run("tournament", "run", str(config))
    games = len(out.read_text().splitlines())
    (verdict,) = re.findall(r"(H[01]) accepted", shown)
    found = "better" if verdict == "H1" else "not better"
    assert f"{games} games: {verdict} accepted: A is {found} by 150 Elo." in told


def test_a_sequential_test_without_an_answer() -> None:
    shown = run("match", "greedy", "greedy", "--games", "4", "--sprt", "elo1=5")
    assert "SPRT not decided" in shown


def test_players_resign_and_agree_to_draws(tmp_path: Path) -> None:
    out = tmp_path / "games.jsonl"
    players = ("engine:nodes=3000,seed=1", "random:seed=1")
    run(
        *("match", *players, "--games", "2", "--game", "tictactoe", "--out", str(out)),
        *("--draw", "after=3,moves=1,score=0"),
    )
    run("match", *players[::-1], "--games", "2", "--out", str(out), "--resign", "moves=1,score=0")
    ends = [GameRecord.model_validate_json(line) for line in out.read_text().splitlines()]
    # Random tells no scores.
    assert {record.termination for record in ends} == {Termination.NORMAL}
    run(
        *("match", players[0], "engine:nodes=200", "--games", "2", "--game", "tictactoe"),
        *("--draw", "after=3,moves=1,score=0", "--out", str(out)),
    )
    record = GameRecord.model_validate_json(out.read_text().splitlines()[-1])
    assert (record.termination, record.reason) == (Termination.ADJUDICATION, "draw agreed")


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
        (["random", "random", "--sprt", "elo0=5,elo1=0"], "elo0 must be less than elo1"),
        (["random", "random", "--sprt", "elo=5"], "the fields are elo0, elo1, alpha, beta"),
        (["random", "random", "--resign", "moves=x"], "moves must be"),
        (["random", "random", "--draw", "10"], "the fields are after, moves, score"),
        (["random", "random", "--out", "games.ggf"], "GGF is for othello"),
        (["random", "random", "--result", "r.txt"], "accepted are .json, .csv"),
        (["random", "random", "--tc-2", "speed=5"], "no limit 'speed=5'"),
        (["random", "random", "--game", "tictactoe", "--random-plies", "20"], "choose fewer"),
        (["random", "random", "--openings", "none.txt"], "none.txt"),
    ],
)
def test_bad_arguments(arguments: list[str], text: str) -> None:
    assert text in run("match", *arguments, code=2)


def test_a_bad_opening_is_named(tmp_path: Path) -> None:
    openings = tmp_path / "openings.txt"
    openings.write_text("44\n99\n")
    shown = run("match", "random", "random", "--openings", str(openings), code=2)
    assert "line 2, column 1: move 1: no move '9'" in shown


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
    spec = "python:tests.support.own_players:Silent"
    shown = run("play", "--against", spec, "--side", "2", code=1)
    assert "The opponent failed: choose returned None (NoneType), not a move" in shown

"""A player of one's own as a program that speaks UGI."""

import subprocess

import pytest

from tests.support.forks import forked

SERVE = """
from plywire.clients import serve_ugi
from plywire.clients.play.players.local import EnginePlayer
from tests.support.own_players import *

serve_ugi({})
"""


def serve(player: str, *lines: str) -> tuple[int, list[str], str]:
    """The status, the output and the standard error output of an engine that is told these."""
    done = subprocess.run(
        [forked("python"), "-c", SERVE.format(player)],
        input="".join(f"{line}\n" for line in lines),
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )
    return done.returncode, done.stdout.splitlines(), done.stderr


@pytest.mark.parametrize("player", ["First()", "First"])
def test_a_whole_conversation(player: str) -> None:
    status, said, errors = serve(
        player,
        *("ugi", "isready", "setoption name Game value othello", "uginewgame"),
        *("position startpos moves d3", "query p1turn", "query islegal c3", "query fen"),
        *("query gameover", "position startpos moves z9", "position fen what"),
        *("setoption name Game value chess", "setoption name Hash value 3", "rubbish"),
        *("position startpos moves d3", "go movetime 100", "isready"),
    )
    assert (status, errors) == (0, "")
    assert said[0] == "id name First"
    assert said[2].startswith("option name Game type combo default connect4 var connect4")
    assert said[3:9] == [
        "ugiok",
        "readyok",
        "response false",
        "response true",
        "response 8/8/3x4/3xx3/3xo3/8/8/8 o",
        "response false",
    ]
    assert [line.split()[3] for line in said[9:14]] == [
        *("illegal-move", "bad-value", "bad-value", "unknown-command", "unknown-command")
    ]
    assert sorted(said[14:]) == ["bestmove c3", "readyok"]


@pytest.mark.parametrize("player", ["Othello()", "Othello"])
def test_one_that_plays_not_all_games_says_so(player: str) -> None:
    status, said, errors = serve(
        player, "ugi", "setoption name Game value connect4", "query fen", "quit"
    )
    assert (status, errors) == (0, "")
    assert said[2] == "option name Game type combo default othello var othello"
    assert "connect4 is not played here, but othello" in said[4]
    assert said[5].endswith("8/8/8/3ox3/3xo3/8/8/8 x")


def test_a_game_that_there_is_not() -> None:
    status, said, errors = serve("Chess", "ugi")
    assert (status, said) == (1, [])
    assert errors.startswith("unknown game 'chess'")


def test_one_that_never_answers_is_left_behind() -> None:
    status, said, _ = serve("Blocking()", "ugi", "go infinite", "isready", "stop", "quit")
    assert (status, said[-2:]) == (0, ["ugiok", "readyok"])


def test_one_of_ours_answers_when_it_is_stopped() -> None:
    status, said, _ = serve("EnginePlayer()", "ugi", "go infinite", "stop")
    assert status == 0
    assert said[-1].startswith("bestmove ")


def test_what_a_player_raises_ends_the_program() -> None:
    status, said, errors = serve("Failing()", "ugi", "go infinite")
    assert (status, said[-1]) == (1, "ugiok")
    first, *_, raised, told = errors.splitlines()
    assert first.startswith("Traceback")
    assert (raised, told) == (
        "ValueError: no idea",
        "ValueError: no idea (own_players.py, line 78)",
    )


def test_an_illegal_move_is_told_and_prints_go_elsewhere() -> None:
    status, said, errors = serve("Wrong()", "ugi", "go infinite")
    assert status == 0
    assert said[-2].startswith("info string error illegal-move no move of number 99 here")
    assert said[-1] == "bestmove 0000"
    assert errors == "thinking\n"


def test_games_that_are_over_have_no_move() -> None:
    moves = "1 2 1 2 1 2 1"
    _, said, _ = serve("First()", "ugi", f"position startpos moves {moves}", "go", "query result")
    assert said[-2:] == ["bestmove 0000", "response p1win"]

"""Classes of users as players, in a thread and in a process of their own."""

import asyncio
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest

from plywire.clients.connecting.players.specs import SpecError, parse_player
from plywire.clients.play.errors import PlayerError, PlayerStalledError, Termination
from plywire.clients.play.matches.records import GameRecord
from plywire.clients.play.matches.referee import Referee, TimeControl
from plywire.clients.play.players.base import GameLine
from plywire.clients.play.players.local import RandomPlayer
from plywire.clients.play.players.python import PythonPlayer
from plywire.engine.registry import load
from plywire.protocol.messages.limits import Limits
from tests.support import own_players

GAME = load("connect4")
START = GameLine.at(GAME.start())
HERE = "tests.support.own_players"


@pytest.fixture(autouse=True)
def release() -> Iterator[None]:
    own_players.released.clear()
    yield
    own_players.released.set()


async def record(kind: str, form: str = "python", patience: int = 60_000) -> GameRecord:
    """Of a game in which the class has the first move."""
    player = parse_player(f"{form}:{HERE}:{kind}", "own")()
    control = TimeControl(Limits(movetime=20_000 if patience > 1000 else 1), patience=patience)
    try:
        return await Referee(GAME, control).play((player, RandomPlayer(1)), START)
    finally:
        await player.close()


@pytest.mark.parametrize(
    ("kind", "form"),
    [
        *((kind, "python") for kind in ("First", "Named", "Numbered", "Patient", "Told")),
        *((kind, "python?process=1") for kind in ("Named", "Told")),
    ],
)
async def test_a_class_plays(kind: str, form: str) -> None:
    played = await record(kind, form)
    assert played.termination is Termination.NORMAL
    assert played.moves[0] == "1"


@pytest.mark.parametrize(
    ("kind", "termination", "reason"),
    [
        ("Wrong", Termination.ILLEGAL_MOVE, "no move of number 99 here: the legal moves are 1 2 3"),
        ("Silent", Termination.ILLEGAL_MOVE, "choose returned None (NoneType), not a move: the l"),
        ("Vague", Termination.ILLEGAL_MOVE, "no move 'z9' here: the legal moves are 1 2 3"),
        ("Split", Termination.ILLEGAL_MOVE, "choose returned 0.5 (float), not a move"),
        ("Sure", Termination.ILLEGAL_MOVE, "choose returned True (bool), not a move"),
        ("Many", Termination.ILLEGAL_MOVE, "choose returned array([0, 1]) (ndarray), not a move"),
        ("Huge", Termination.ILLEGAL_MOVE, "no move of so large a number here"),
        ("Asking", Termination.CRASH, "(own_players.py, line 83)"),
        ("Leaving", Termination.CRASH, "SystemExit: 3 (own_players.py, line 88)"),
        ("Deaf", Termination.CRASH, "3 were given; it is called as choose(line, limits)"),
        ("Untold", Termination.CRASH, "2 were given; it is called as start(game)"),
        ("Unmakeable", Termination.CRASH, "'depth'; it is called as Unmakeable()"),
    ],
)
async def test_the_class_is_to_blame(kind: str, termination: Termination, reason: str) -> None:
    played = await record(kind)
    assert (played.termination, played.winner) == (termination, 2)
    assert played.reason.startswith("own: ")
    assert reason in played.reason


@pytest.mark.parametrize(
    ("form", "told"),
    [
        ("python", "cannot play connect4: it offers othello"),
        ("python?process=1", "cannot play connect4: it offers othello"),
    ],
)
async def test_a_class_says_which_games_it_plays(form: str, told: str) -> None:
    player = parse_player(f"{form}:{HERE}:Othello", "own")()
    try:
        await player.start(load("othello"))
        with pytest.raises(PlayerError, match=told):
            await player.start(GAME)
    finally:
        await player.close()
    with pytest.raises(SpecError, match="unknown game 'chess'"):
        parse_player(f"python:{HERE}:Chess")


@pytest.mark.parametrize("form", ["python", "python?process=1"])
async def test_a_crash_is_told_with_its_place_and_its_traceback(form: str) -> None:
    played = await record("Failing", form)
    assert played.termination is Termination.CRASH
    assert played.reason.endswith("ValueError: no idea (own_players.py, line 78)")
    assert '!     raise ValueError("no idea")' in played.last_lines


async def test_a_forgotten_return_of_another_process() -> None:
    played = await record("Silent", "python?process=1")
    assert played.termination is Termination.ILLEGAL_MOVE
    assert "choose returned None (NoneType), not a move" in played.reason


async def test_modules_named_like_pythons_own_disturb_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "queue.py").write_text("1 / 0\n")
    (tmp_path / "bots.py").write_text(f"from {HERE} import First\n")
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[4]))
    monkeypatch.chdir(tmp_path)
    player = parse_player("python?process=1:bots:First")()
    await player.start(GAME)
    assert await player.choose(START, Limits()) == 0
    await player.close()


async def test_what_ends_its_process_is_a_crash() -> None:
    played = await record("Dying", "python?process=1")
    assert (played.termination, played.reason) == (
        Termination.CRASH,
        "own: exited with status 3",
    )


@pytest.mark.parametrize(
    ("kind", "form"), [("Blocking", "python"), ("Sleeping", "python?process=1")]
)
async def test_one_that_blocks_is_a_stall_and_holds_up_nobody(kind: str, form: str) -> None:
    assert (await record(kind, form, patience=1000)).termination is Termination.STALL


@pytest.mark.parametrize("kind", ["BlockingAtFirst", "BlockingBeforeGames"])
async def test_one_that_does_not_get_ready_is_a_stall(kind: str) -> None:
    player = PythonPlayer(getattr(own_players, kind), startup=0.01)
    with pytest.raises(PlayerStalledError, match=r"not ready after 0.01 seconds"):
        await player.start(GAME)
    await player.close()


async def test_after_a_stall_it_begins_anew() -> None:
    player = PythonPlayer(own_players.Blocking)
    await player.start(GAME)
    choosing = asyncio.create_task(player.choose(START, Limits()))
    await asyncio.sleep(0)
    choosing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await choosing
    with pytest.raises(RuntimeError, match="start"):
        await player.choose(START, Limits())
    await player.start(GAME)
    own_players.released.set()
    assert await player.choose(START, Limits()) is None
    await player.close()


async def test_one_object_plays_game_after_game_and_its_thread_ends() -> None:
    before = set(threading.enumerate())  # one of another test may be blocked
    player = PythonPlayer(own_players.Told)
    assert not player.resumes
    for games in (1, 2, 3):
        await player.start(GAME)
        assert await player.choose(START, Limits()) == 0
        assert player._player.games == games
    threads = [it for it in threading.enumerate() if it.name == "plywire-player"]
    threads = [it for it in threads if it not in before]
    assert threads
    await player.close()
    assert player._player.games == 0
    for thread in threads:
        await asyncio.to_thread(thread.join, 60)
        assert not thread.is_alive()


def test_limits_of_its_own() -> None:
    assert parse_player(f"python?depth=3:{HERE}:First")().limits == Limits(depth=3)
    assert parse_player(f"python?depth=3&process=1:{HERE}:First")().limits == Limits(depth=3)


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ("python:", "write python:MODULE:CLASS"),
        ("python:mybots", "write python:MODULE:CLASS"),
        ("python:no_such_bots:Hasty", "'no_such_bots': neither in this folder nor installed"),
        ("python:mine.py:Hasty", "write python:mine:Hasty, without .py"),
        ("python:../mine:Hasty", "write python:mine:Hasty, in the folder of mine.py"),
        ("python:/home/ann/mine.py:Hasty", "write python:mine:Hasty, in the folder of mine.py"),
        (f"python:{HERE}:Frist", "has no Frist; its players are: First, Named"),
        ("python:queue:Hasty", r"queue, which is .*queue\.py, has no Hasty; its players are: none"),
        ("python:sys:Hasty", "sys, which is of Python itself, has no Hasty"),
        (f"python:{HERE}:Mute", r"Mute is no class with a method choose\(line, limits\)"),
        (f"python:{HERE}:released", "released is no class"),
        ("python:plywire.clients:Player", "Player is no class with"),
        (f"python?speed=3:{HERE}:First", "no option 'speed=3'"),
    ],
)
def test_errors_say_what_is_wrong(spec: str, text: str) -> None:
    with pytest.raises(SpecError, match=text):
        parse_player(spec)


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("\n\n1 / 0\n", "ZeroDivisionError: division by zero (NAME.py, line 3)"),
        ("import no_such_library\n", "No module named 'no_such_library' (NAME.py, line 1)"),
        ("import json\njson.loads('')\n", "(char 0) (NAME.py, line 2)"),
        ("a b\n", "SyntaxError: invalid syntax (NAME.py, line 1)"),
    ],
)
def test_a_module_that_cannot_be_imported(
    text: str, error: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name = f"bots_{abs(hash(text))}"
    (tmp_path / f"{name}.py").write_text(text)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*sys.path])
    with pytest.raises(SpecError) as refused:
        parse_player(f"python:{name}:A")
    told = str(refused.value)
    assert f"{name} cannot be imported: " in told
    assert told.endswith(error.replace("NAME", name))


def test_a_module_of_the_current_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "bots_of_today.py").write_text("class A:\n    choose = print\n")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sys.path", [*sys.path])
    parse_player("python:bots_of_today:A")

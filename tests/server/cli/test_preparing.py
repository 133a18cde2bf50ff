"""What commands do before the engine is needed, and what they say meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from plywire.clients.connecting.arena_bot import ArenaBot
from plywire.clients.exam.exam import Exam
from plywire.clients.play.matches.match import Match
from plywire.clients.terminal.play import Terminal
from plywire.engine import readiness
from plywire.engine.game import Game
from plywire.engine.readiness import PreparationError, PreparationProgress
from plywire.engine.registry import load
from plywire.server.cli import app
from plywire.server.cli.preparing import prepare_game, progress_text

RUNNER = CliRunner(env={"COLUMNS": "160", "NO_COLOR": "1", "TERM": "dumb"})


class Preparations:
    """What is prepared, and what begins, in the order in which it happens."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.seen: list[str] = []
        self.progress: tuple[PreparationProgress, ...] = ()
        self.error: Exception | None = None
        self._ready = set[Game]()
        monkeypatch.setattr(readiness, "is_ready", self._ready.__contains__)
        monkeypatch.setattr(readiness, "prepare", self._prepare)

    def _prepare(
        self, game: Game, tell: Callable[[PreparationProgress], None] | None = None
    ) -> None:
        self.seen.append(f"{game.name} {game.size}")
        for progress in self.progress:
            if tell is not None:
                tell(progress)
        if self.error is not None:
            raise self.error
        self._ready.add(game)

    def begins(self, what: str) -> Callable[..., Any]:
        """A function that notes that it was called, and ends the command."""

        def begin(*_: object, **__: object) -> None:
            self.seen.append(what)
            raise KeyboardInterrupt

        return begin


@pytest.fixture
def preparations(monkeypatch: pytest.MonkeyPatch) -> Preparations:
    return Preparations(monkeypatch)


def test_a_match_prepares_the_engine_before_it_begins(
    preparations: Preparations, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Match, "play", preparations.begins("match"))
    arguments = ["match", "random", "engine:depth=1", "--game", "connect4", "--size", "5x4"]
    assert RUNNER.invoke(app, arguments).exit_code == 130
    assert preparations.seen == ["connect4 5x4", "match"]


def test_no_match_begins_whose_engine_cannot_be_prepared(
    preparations: Preparations, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Match, "play", preparations.begins("match"))
    preparations.error = PreparationError("the system does not let machine code run")
    answer = RUNNER.invoke(app, ["match", "random", "engine", "--game", "tictactoe"])
    assert (answer.exit_code, answer.stdout) == (1, "")
    said = "tictactoe cannot be prepared: the system does not let machine code run"
    assert answer.stderr == f"plywire: {said}\n"
    assert preparations.seen == ["tictactoe 3x3"]


def test_a_match_without_the_engine_prepares_nothing(
    preparations: Preparations, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Match, "play", preparations.begins("match"))
    RUNNER.invoke(app, ["match", "random", "greedy"])
    assert preparations.seen == ["match"]


def test_an_exam_prepares_its_games_before_it_begins(
    preparations: Preparations, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Exam, "sit", preparations.begins("exam"))
    RUNNER.invoke(app, ["exam", "random", "--game", "tictactoe", "--game", "othello"])
    assert preparations.seen == ["tictactoe 3x3", "othello 8x8", "exam"]


def test_a_game_in_the_terminal_prepares_the_engine_before_it_begins(
    preparations: Preparations, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Terminal, "run", preparations.begins("game"))
    RUNNER.invoke(app, ["play", "othello", "--against", "random"])
    assert preparations.seen == ["othello 8x8", "game"]


@pytest.mark.parametrize(
    ("arguments", "prepared"),
    [
        (["--game", "othello"], {"connect4 7x6", "othello 8x8", "tictactoe 3x3"}),
        (["--size", "5x4"], {"connect4 5x4", "connect4 7x6", "othello 8x8", "tictactoe 3x3"}),
        (["--join", "cup"], {"connect4 7x6", "othello 8x8", "tictactoe 3x3"}),
    ],
)
def test_a_bot_prepares_its_games_before_it_logs_in(
    preparations: Preparations,
    monkeypatch: pytest.MonkeyPatch,
    arguments: list[str],
    prepared: set[str],
) -> None:
    monkeypatch.setattr(ArenaBot, "run", preparations.begins("bot"))
    given = ["bot", "--player", "engine:level=1", "--name", "ann", "--token", "t", *arguments]
    RUNNER.invoke(app, given)
    assert preparations.seen[-1] == "bot"
    assert set(preparations.seen[:-1]) == prepared
    assert len(preparations.seen) == len(prepared) + 1


def test_a_bot_prepares_only_the_games_that_it_plays(
    preparations: Preparations, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(ArenaBot, "run", preparations.begins("bot"))
    config = tmp_path / "bot.toml"
    config.write_text(
        'player = "engine"\nname = "ann"\ntoken = "t"\ngame = "othello"\n'
        '[accept]\ngames = ["othello"]\n'
    )
    RUNNER.invoke(app, ["bot", "--config", str(config)])
    assert preparations.seen == ["othello 8x8", "bot"]


def test_what_takes_its_time_is_said_in_one_line(
    preparations: Preparations, capsys: pytest.CaptureFixture[str]
) -> None:
    preparations.progress = (
        PreparationProgress("machine code", 2.4),
        PreparationProgress("machine code", 1.4),
    )
    prepare_game(load("connect4"))
    assert capsys.readouterr() == ("", "Preparing Connect Four: machine code, 2 s left\n")
    prepare_game(load("connect4"))
    assert preparations.seen == ["connect4 7x6"]


def test_what_is_loaded_at_once_is_not_said(
    preparations: Preparations, capsys: pytest.CaptureFixture[str]
) -> None:
    preparations.progress = (PreparationProgress("machine code"),)
    prepare_game(load("connect4"))
    assert capsys.readouterr() == ("", "")


def test_what_cannot_be_prepared_is_said_in_one_line(preparations: Preparations) -> None:
    preparations.error = PreparationError("Numba is missing: pip install 'plywire[compile]'")
    answer = RUNNER.invoke(app, ["warmup", "othello"])
    assert answer.exit_code == 1
    assert (
        answer.stderr
        == "plywire: othello cannot be prepared: Numba is missing: pip install 'plywire[compile]'\n"
    )


@pytest.mark.parametrize(
    ("progress", "text"),
    [
        (PreparationProgress("machine code"), "Preparing Othello: machine code"),
        (PreparationProgress("machine code", 12.3), "Preparing Othello: machine code, 12 s left"),
        (PreparationProgress("machine code", -0.5), "Preparing Othello: machine code, 0 s left"),
    ],
)
def test_how_progress_is_told(progress: PreparationProgress, text: str) -> None:
    assert progress_text(load("othello"), progress) == text


def test_a_player_whose_engine_cannot_be_prepared_fails(preparations: Preparations) -> None:
    from plywire.clients.play.errors import PlayerError
    from plywire.clients.play.players.local import EnginePlayer

    preparations.error = PreparationError("there is no compiler")
    with pytest.raises(PlayerError, match="othello cannot be prepared: there is no compiler"):
        asyncio.run(EnginePlayer().start(load("othello")))

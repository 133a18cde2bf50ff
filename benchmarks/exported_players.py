"""The exported bots as players of `plywire match`, each in a process of its own for each game.

    plywire export codingame build/othello.py
    PLYWIRE_EXPORTED=build/othello.py plywire match \\
        python:benchmarks.exported_players:CodinGame engine:level=3 --game othello --games 50

`PLYWIRE_EXPORTED` names the file of the bot. The bots keep their own time, as in their judges'
loops, so allow for it: `--margin 3000`.
"""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

from plywire.clients.play.players.base import GameLine
from plywire.engine.game import Game
from plywire.protocol.messages.limits import Limits
from tests.support.judges import KAGGLE_HOST, BotzoneJudge, CodinGameJudge, Judge

#: Seconds that ConnectX allows for a move.
_ACT_TIMEOUT = 2


def _file() -> Path:
    return Path(os.environ["PLYWIRE_EXPORTED"])


class _Judged:
    """An Othello bot in the loop of its judge."""

    games = ("othello",)
    kind: type[Judge]

    def __init__(self) -> None:
        self._judge: Judge | None = None

    def start(self, _: Game) -> None:
        self.close()

    def choose(self, line: GameLine, _: Limits) -> str:
        if self._judge is None:
            self._judge = self.kind(_file())
        return self._judge.move(line)

    def close(self) -> None:
        if self._judge is not None:
            self._judge.__exit__()
            self._judge = None


class CodinGame(_Judged):
    """The file of `plywire export codingame`."""

    kind = CodinGameJudge


class Botzone(_Judged):
    """The archive of `plywire export botzone`."""

    kind = BotzoneJudge


class ConnectX:
    """The file of `plywire export kaggle`; it has no overage time."""

    games = ("connect4",)

    def __init__(self) -> None:
        """Start no process before a game begins."""
        self._process: subprocess.Popen[str] | None = None

    def start(self, _: Game) -> None:
        """Start a new process for a new game."""
        self.close()
        pipe = subprocess.PIPE
        command = [sys.executable, "-I", "-S", "-c", KAGGLE_HOST, str(_file())]
        self._process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)

    def choose(self, line: GameLine, _: Limits) -> str:
        """Ask for a column as Kaggle's environment does, and count it from 1."""
        assert self._process is not None
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        position = line.position
        cells = [".xo".index(cell) for row in position.cells() for cell in row]
        asked: tuple[dict[str, Any], ...] = (
            {"board": cells, "mark": 1 + position.turn, "remainingOverageTime": 0},
            {"columns": 7, "rows": 6, "inarow": 4, "actTimeout": _ACT_TIMEOUT},
        )
        self._process.stdin.write(f"{json.dumps(asked)}\n")
        self._process.stdin.flush()
        return str(int(self._process.stdout.readline()) + 1)

    def close(self) -> None:
        """Let the process end."""
        if self._process is not None:
            self._process.communicate()
            self._process = None

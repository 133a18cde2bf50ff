"""The loops of Botzone's, CodinGame's and Kaggle's judges, with one bot each.

They do what the documents of those sites say. The bot is a file in a process of its own, in which
neither we nor the user's packages are in reach.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Self

from plywire.clients.play.players.base import GameLine

#: The program that ConnectX makes of a file: it runs the source, and the last thing in it that can
#: be called is the agent.
KAGGLE_HOST = """
import json, sys, types
names = {}
exec(open(sys.argv[1], encoding="utf-8").read(), names)
agent = [value for value in names.values() if callable(value)][-1]
for line in sys.stdin:
    print(agent(*(types.SimpleNamespace(**part) for part in json.loads(line))), flush=True)
"""
KEEP_RUNNING = ">>>BOTZONE_REQUEST_KEEP_RUNNING<<<"


class Judge:
    """Asks a bot for moves; a game needs a new one."""

    def __init__(self, file: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-I", str(file)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self._proc = Path(f"/proc/{self._process.pid}")  # on Linux
        self.seconds: list[float] = []
        """How long each answer took."""
        self.cpu_seconds: list[float] = []
        """How long it computed for each; the first includes its start."""

    def move(self, line: GameLine) -> str:
        """The name of the bot's move where the line ends."""
        raise NotImplementedError

    def peak_mb(self) -> float:
        """The most memory that it held."""
        status = (self._proc / "status").read_text("ascii")
        return int(status.partition("VmHWM:")[2].split()[0]) / 1024

    def _ask(self, text: str) -> str:
        assert self._process.stdin is not None
        began = time.perf_counter()
        self._process.stdin.write(text)
        self._process.stdin.flush()
        answer = self._read()
        self.seconds.append(time.perf_counter() - began)
        if self._proc.exists():
            computed = int((self._proc / "schedstat").read_text("ascii").split()[0]) / 1e9
            self.cpu_seconds.append(computed - sum(self.cpu_seconds))
        return answer

    def _read(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline().strip()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()
        assert self._process.returncode == 0


class BotzoneJudge(Judge):
    """Tells the whole game at first, then, to a bot that asks for it, each request alone."""

    def move(self, line: GameLine) -> str:
        seat = line.position.turn
        told = (
            [{"x": -1, "y": -1}, *map(_point, line.names)]
            if seat == 0
            else [*map(_point, line.names)]
        )
        asked: Any = told[-1]
        if not self.seconds:
            asked = {"requests": told[0::2], "responses": told[1::2]}
        answer = json.loads(self._ask(json.dumps(asked) + "\n"))["response"]
        assert self._read() == KEEP_RUNNING
        return "pass" if answer["x"] < 0 else "abcdefgh"[answer["x"]] + str(answer["y"] + 1)


def _point(name: str) -> dict[str, int]:
    if name == "pass":
        return {"x": -1, "y": -1}
    return {"x": ord(name[0]) - ord("a"), "y": int(name[1]) - 1}


class CodinGameJudge(Judge):
    """Shows the board and the legal moves each time; who cannot move is not asked."""

    def __init__(self, file: Path, is_upside_down: bool = False) -> None:
        super().__init__(file)
        self._step = -1 if is_upside_down else 1

    def move(self, line: GameLine) -> str:
        position = line.position
        moves = [move.name for move in line.legal_moves]
        if moves == ["pass"]:
            return "pass"
        rows = [row.replace("x", "0").replace("o", "1") for row in position.cells()]
        head = [] if self.seconds else [str(position.turn), "8"]
        lines = [*head, *rows[:: self._step], str(len(moves)), *moves]
        return self._ask("".join(f"{text}\n" for text in lines))

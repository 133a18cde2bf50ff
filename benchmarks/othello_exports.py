"""The exported Othello bots in their judges' loops: games, the time of each answer, memory.

    python -m benchmarks.othello_exports
    python -m benchmarks.othello_exports --games 20 --botzone 0.7 --against engine:level=3

The loops are `tests/support/judges.py`, written from the judges' documents. Half of the games begin
with the bot to move, and each with four plies at random, both colours from the same ones.
"""

import os
import random
import statistics
import tempfile
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated

import typer

from plywire.clients.engine import SimpleEngine
from plywire.clients.exports.othello.export import botzone, codingame
from plywire.clients.play.board import Board
from plywire.clients.play.players.base import GameLine
from plywire.engine.othello.rules import Othello
from plywire.protocol.messages.limits import Limits
from plywire.server.cli.common import screen, table
from tests.support.judges import BotzoneJudge, CodinGameJudge, Judge

_RANDOM_PLIES = 4


def _opening(seed: int) -> GameLine:
    chance, line = random.Random(seed), GameLine.at(Othello().start())
    for _ in range(_RANDOM_PLIES):
        line = line.play(chance.choice(line.legal_moves))
    return line


def _play(bot: Judge, seat: int, opponent: SimpleEngine, opening: GameLine) -> int:
    """How a game ends for the bot: 1, 0 or -1."""
    line = opening
    while (result := line.position.result()) is None:
        if line.position.turn == seat:
            line = line.play(bot.move(line))
        else:
            board = Board("othello", line.position.fen())
            line = line.play(opponent.play(board, Limits(movetime=100)).move)
    return 0 if result.winner is None else 1 if result.winner == seat else -1


def _games(begin: Callable[[], Judge], spec: str, games: int) -> list[str]:
    """Results, times and memory of games against a player."""
    ends: Counter[int] = Counter()
    times: list[list[float]] = []
    cpu: list[list[float]] = []
    peak = 0.0
    with SimpleEngine(spec) as opponent:
        for game in range(games):
            with begin() as bot:
                ends[_play(bot, game % 2, opponent, _opening(game // 2))] += 1
                peak = max(peak, bot.peak_mb())
            times.append(bot.seconds)
            cpu.append(bot.cpu_seconds)
    told = (1000 * it for pair in zip(_summary(times), _summary(cpu), strict=True) for it in pair)
    return [*(str(ends[end]) for end in (1, 0, -1)), *(f"{it:.0f}" for it in (*told, peak))]


def _summary(games: list[list[float]]) -> tuple[float, float, float]:
    """The longest first answer of games, and of the others the median and the longest."""
    others = [seconds for game in games for seconds in game[1:]]
    return max(game[0] for game in games), statistics.median(others), max(others)


def main(
    games: Annotated[int, typer.Option(help="How many against each.")] = 50,
    botzone_seconds: Annotated[
        float, typer.Option("--botzone", help="What the bot for Botzone takes for a move.")
    ] = 0.1,
    against: Annotated[list[str] | None, typer.Option(help="Players, as `plywire match`.")] = None,
) -> None:
    """Play, and tell."""
    folder = Path(tempfile.mkdtemp())
    (folder / "bot.zip").write_bytes(botzone(botzone_seconds))
    (folder / "othello.py").write_text(codingame(0.06), "utf-8")
    headings = ("place", "bytes", "opponent", "won", "drawn", "lost")
    headings += ("first ms", "CPU", "median ms", "CPU", "longest ms", "CPU", "peak MB")
    figures = table(*headings, title=f"Load average {os.getloadavg()[0]:.1f}")
    for file, kind in (("bot.zip", BotzoneJudge), ("othello.py", CodinGameJudge)):
        for spec in against or ["random:seed=7", "greedy"]:
            row = _games(partial(kind, folder / file), spec, games)
            figures.add_row(file, str((folder / file).stat().st_size), spec, *row)
    screen().print(figures)


if __name__ == "__main__":
    typer.run(main)

"""Plays games of Connect Four and solves every position again, to see whether a move lost anything.

    python -m tests.engine.connect4.auditing [GAMES] [SIZE]

plays that many games, 1,000 if not said, on a board of that size, 7x6 if not said, against a
random, a greedy and a depth-limited bot, with both colours.
"""

from __future__ import annotations

import asyncio
import itertools
import sys
from collections import Counter
from collections.abc import AsyncIterator
from dataclasses import dataclass

from rich.progress import track

from plywire.clients.play.players.base import GameLine, Player
from plywire.clients.play.players.local import EnginePlayer, GreedyPlayer, RandomPlayer
from plywire.engine.connect4.book.keys import book_key
from plywire.engine.connect4.rules import Connect4, Connect4Position
from plywire.engine.connect4.solver.solver import Solver
from plywire.protocol.messages.limits import Limits

UNLIMITED = Limits()


class Auditor:
    """Knows the score of every position, by a solver of its own and without a book."""

    def __init__(self, game: Connect4, table_mb: int) -> None:
        self._solver = Solver(game.width, game.height, table_mb=table_mb)
        self._known: dict[int, int] = {}

    def score(self, position: Connect4Position) -> int:
        """The score of a position in which the game goes on, or is over."""
        if position.is_over:
            return self._solver.final_score(position)
        key = book_key(position)
        if key not in self._known:
            self._known[key] = self._solver.score(position)
        return self._known[key]


@dataclass(frozen=True)
class Audit:
    """One game: who won, how many moves were audited, and those that lost something."""

    winner: int | None
    moves: int
    worse: tuple[str, ...]


def opponents() -> list[Player]:
    """Players that err in different ways."""
    return [
        RandomPlayer(seed=1),
        GreedyPlayer(),
        EnginePlayer(limits=Limits(depth=4), name="depth 4"),
    ]


async def audits(
    game: Connect4, player: Player, against: list[Player], auditor: Auditor
) -> AsyncIterator[tuple[Player, int, Audit]]:
    """Games of a player without end: against each of the others, with both colours, in turn."""
    for each in (player, *against):
        await each.start(game)
    for opponent, side in itertools.cycle(itertools.product(against, (0, 1))):
        players = (player, opponent) if side == 0 else (opponent, player)
        yield opponent, side, await _audited(game, players, side, auditor)


async def _audited(
    game: Connect4, players: tuple[Player, Player], side: int, auditor: Auditor
) -> Audit:
    line, moves, worse = GameLine.at(game.start()), 0, []
    while not line.position.is_over:
        position = line.position
        if not isinstance(position, Connect4Position):
            raise TypeError(position)
        chooser = players[position.turn]
        move = await chooser.choose(line, chooser.limits or UNLIMITED)
        if position.turn == side:
            moves += 1
            before, after = auditor.score(position), -auditor.score(position.play(move))
            if before != after:
                name = game.move_name(move)
                worse.append(f"{position.fen()}: {name} is worth {after}, not {before}")
        line = line.play(move)
    result = line.position.result()
    return Audit(None if result is None else result.winner, moves, tuple(worse))


async def main(games: int, size: str) -> int:
    """Print what came of the games; returns how many moves lost something."""
    game = Connect4(*map(int, size.split("x")))
    results: Counter[tuple[str, str]] = Counter()
    moves, worse = 0, 0
    played = audits(game, EnginePlayer(), opponents(), Auditor(game, table_mb=1024))
    for _ in track(range(games), "auditing"):
        opponent, side, audit = await anext(played)
        outcome = {side: "won", None: "drawn"}.get(audit.winner, "lost")
        results[opponent.name, outcome] += 1
        moves += audit.moves
        worse += len(audit.worse)
        print(*audit.worse, sep="\n", end="\n" if audit.worse else "")
    for (name, outcome), count in sorted(results.items()):
        print(f"{count} games {outcome} against {name}")
    print(f"{moves} moves, {worse} of them worse than the best")
    return worse


if __name__ == "__main__":
    GAMES = int(sys.argv[1]) if len(sys.argv) > 1 else 1000
    SIZE = sys.argv[2] if len(sys.argv) > 2 else "7x6"
    sys.exit(asyncio.run(main(GAMES, SIZE)) > 0)

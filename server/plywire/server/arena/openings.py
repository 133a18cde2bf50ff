"""Openings for pairs of games: each is played twice with colours swapped.

A balanced opening ends in a position that favours neither side: its exact value is a draw where the
engine can prove it, else its evaluation by a short search is near zero. Which games can be proven
is the engine's business. All is a function of the seed.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from plywire.clients.openings import OpeningError, random_opening
from plywire.clients.players import Line
from plywire.engine.engine import Engine
from plywire.engine.game import Game, Position
from plywire.engine.limits import Limits

#: Positions to visit to find out whether one is balanced.
BALANCE_NODES = 50_000
#: How far from zero the evaluation of a balanced position may be, in hundredths.
BALANCE_MARGIN = 100
#: All openings of a length are listed, rather than drawn, if there are no more than this.
_FEW = 1000
#: How many openings are looked at for each that is wanted.
_ATTEMPTS = 100


def usual_plies(game: Game) -> int:
    """About a fifth of the squares, and even, so that the first player moves next."""
    return max(2, game.width * game.height // 10 * 2)


def random_openings(game: Game, count: int, *, plies: int, seed: int) -> list[Line]:
    """Openings of random moves that lead to different positions: `count`, or all that there are.

    Raises OpeningError if games rarely last that long.
    """
    return _first(count, _candidates(game, plies, seed, count * _ATTEMPTS))


def balanced_openings(game: Game, count: int, *, plies: int, seed: int) -> list[Line]:
    """Openings to different balanced positions: `count`, or as many as could be found.

    Searches in the calling thread. Raises OpeningError if none was found.
    """
    engine = Engine()
    found = _first(
        count,
        (
            line
            for line in _candidates(game, plies, seed, count * _ATTEMPTS)
            if _is_balanced(engine, line.position)
        ),
    )
    if not found:
        raise OpeningError(f"{game.title} has no balanced openings of {plies} plies: try another")
    return found


def _first(count: int, lines: Iterator[Line]) -> list[Line]:
    return [line for line, _ in zip(lines, range(count), strict=False)]


def _is_balanced(engine: Engine, position: Position) -> bool:
    score = engine.analyse(position, Limits(nodes=BALANCE_NODES)).score
    if score is None:
        return False
    if score.proven:
        return score.kind in ("draw", "exact") and score.value == 0
    return abs(score.value) <= BALANCE_MARGIN


def _candidates(game: Game, plies: int, seed: int, attempts: int) -> Iterator[Line]:
    """Openings to different positions, in random order: all of them, or that many attempts."""
    source = random.Random(f"{seed}/{game.name}/{game.size}/{plies}")
    everything = _all_openings(game, plies)
    if everything is not None:
        source.shuffle(everything)
        yield from everything
        return
    seen: set[Position] = set()
    for _ in range(attempts):
        line = random_opening(game, plies, source)
        if line.position not in seen:
            seen.add(line.position)
            yield line


def _all_openings(game: Game, plies: int) -> list[Line] | None:
    """One opening to each position of that many plies that is not over; None if there are many."""
    lines = {game.start(): Line.at(game.start())}
    for _ in range(plies):
        following: dict[Position, Line] = {}
        for line in lines.values():
            for move in line.position.moves():
                after = line.play(move)
                if not after.position.is_over:
                    following.setdefault(after.position, after)
            if len(following) > _FEW:
                return None
        lines = following
    return list(lines.values())

"""Openings for pairs of games: each opening is played twice with colours swapped.

A balanced opening favours neither player: a solver proves a draw, or a short search proves a draw
or estimates a value close to zero. The seed determines all openings.
"""

import math
import random
from collections.abc import Iterator
from itertools import islice

from plywire.clients.play.matches.openings import OpeningError, random_opening
from plywire.clients.play.players.base import GameLine
from plywire.engine.engine import LocalEngine
from plywire.engine.game import Game, Position
from plywire.engine.limits import SearchLimits
from plywire.engine.registry import backend_of

#: Limits of a search that proves a value, for games with a solver.
_PROOF = SearchLimits(nodes=5_000_000)
#: Limits of a search that estimates a value, for games without a solver.
_ESTIMATE = SearchLimits(nodes=50_000)
#: Maximum absolute estimate of a position that counts as balanced, in hundredths.
_MARGIN = 100
#: If at most this number of openings have the wanted length, all of them are listed.
_FEW = 1000
#: Number of openings to try for each opening that is wanted.
_ATTEMPTS = 100


def usual_plies(game: Game) -> int:
    """Return a fifth of the squares, rounded up to even: the first player moves next."""
    return math.ceil(game.width * game.height / 10) * 2


def random_openings(game: Game, count: int, *, plies: int, seed: int) -> list[GameLine]:
    """Return `count` random openings to different positions, or all; raises OpeningError."""
    return list(islice(_candidates(game, plies, seed, count * _ATTEMPTS), count))


def balanced_openings(game: Game, count: int, *, plies: int, seed: int) -> list[GameLine]:
    """Return up to `count` openings to different balanced positions; raises OpeningError."""
    engine = LocalEngine()
    candidates = _candidates(game, plies, seed, count * _ATTEMPTS)
    found = list(
        islice((line for line in candidates if _is_balanced(engine, line.position)), count)
    )
    if not found:
        raise OpeningError(f"{game.title} has no balanced openings of {plies} plies: try another")
    return found


def _is_balanced(engine: LocalEngine, position: Position) -> bool:
    """Return whether neither player is known to be better; False if that is unknown."""
    game = position.game
    can_be_proven = backend_of(game).can_solve
    score = engine.analyse(position, _PROOF if can_be_proven else _ESTIMATE).score
    if score is None:
        return False
    if score.proven:
        return score.kind in ("draw", "exact") and score.value == 0
    return not can_be_proven and abs(score.value) <= _MARGIN


def _candidates(game: Game, plies: int, seed: int, attempts: int) -> Iterator[GameLine]:
    """Yield openings to different positions in random order, after `attempts` tries at most."""
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


def _all_openings(game: Game, plies: int) -> list[GameLine] | None:
    """Return one opening to each position after `plies` plies; None if there are too many."""
    lines = {game.start(): GameLine.at(game.start())}
    for _ in range(plies):
        following: dict[Position, GameLine] = {}
        for line in lines.values():
            for move in line.position.moves():
                after = line.play(move)
                if not after.position.is_over:
                    following.setdefault(after.position, after)
            if len(following) > _FEW:
                return None
        lines = following
    return list(lines.values())

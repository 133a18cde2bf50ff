"""How hard the engine plays at each level: one policy for servers, terminals and matches.

Levels err as people do: a move that is a little worse is played now and then, and a bad one hardly
ever. The engine scores every move, and the opponent draws among them with weights of exp(worth /
temperature). What a level makes of scores is told for each game:

- **Othello**: the scores of a search of so many plies, in discs. Its depths and temperatures are
  near those at which people's choices in tournaments are the most likely, from the best fifth of
  players (level 8) to the last (level 4); the levels below and above go on from there.
  `docs/lab/othello-strength/levels.md` says how they were fitted.
- **Connect Four**: exact scores, since a solver never errs however little it looks at; of a win or
  a loss further away than its *sight*, in plies, a level has but a vague notion.
- In other games a level is how many positions the engine may look at, and it plays the best.

The highest level plays the engine's best move. Whatever the level, the time that is given may end
the search sooner.
"""

import math
import random
from dataclasses import dataclass, replace

from plywire.engine.analysis import Analysis, EngineScore
from plywire.engine.game import Game, Position
from plywire.engine.limits import SearchLimits
from plywire.protocol.messages.play import MAX_LEVEL

LEVELS = range(1, MAX_LEVEL + 1)


@dataclass(frozen=True)
class Person:
    """How somebody chooses in Othello."""

    depth: int
    """Plies that are looked ahead."""
    temperature: float
    """How far the choice strays from the best move, in discs."""


#: Of each level but the highest.
PEOPLE = {
    1: Person(1, 10),
    2: Person(1, 6.5),
    3: Person(2, 5),
    4: Person(4, 3.7),
    5: Person(4, 2.8),
    6: Person(8, 2.8),
    7: Person(10, 2.1),
    8: Person(10, 1.6),
    9: Person(10, 1),
}

#: More plies than any game has.
_FAR = 64
#: What is left of the worth of a win or loss out of sight.
_NOTION = 0.25
#: Of worth, from -2 to 2, at the lowest level.
_WARMEST = 0.5
#: What the exact scores of all moves may cost, about two seconds; beyond are estimates.
_SOLVING = 10_000_000


def in_words(game: Game, level: int) -> str:
    """What a level means in a game."""
    if level == LEVELS[-1] and game.name in ("connect4", "othello"):
        return "plays the best moves it finds"
    if game.name == "connect4":
        return f"sees {sight(level)} plies ahead, and errs"
    if game.name == "othello":
        person = PEOPLE[level]
        return f"looks {person.depth} plies ahead, and errs by some {person.temperature:g} discs"
    return f"{positions(level):,} positions a move"


def positions(level: int) -> int:
    """How many positions the engine may look at: 40 at level 1, four times as many a level."""
    return 10 << 2 * level


def search(level: int, position: Position, limits: SearchLimits) -> tuple[SearchLimits, int]:
    """What a search for a move of that level is given: limits, and how many lines it reports.

    Of the limits given, those of time count.
    """
    timed = SearchLimits(movetime=limits.movetime, clock=limits.clock)
    all_moves = max(len(position.moves()), 1)
    if position.game.name == "connect4":
        return replace(timed, nodes=_SOLVING), all_moves
    if position.game.name == "othello" and level in PEOPLE:
        return replace(timed, depth=PEOPLE[level].depth), all_moves
    return replace(timed, nodes=positions(level)), 1


def sight(level: int) -> int:
    """How many plies ahead a level sees how a game of Connect Four ends."""
    return _FAR if level == LEVELS[-1] else 2 * level


def temperature(level: int) -> float:
    """How far the choice strays from the best move of Connect Four; 0 is not at all."""
    return _WARMEST * (LEVELS[-1] - level) / (LEVELS[-1] - LEVELS[0])


def worth(score: EngineScore, level: int) -> float:
    """What a move of Connect Four seems worth at a level: from 1 to 2 for a win in sight."""
    if score.kind == "cp":
        return _NOTION * math.tanh(score.value / 100)
    if score.kind == "draw":
        return 0.0
    size = 2 - score.value / _FAR
    if score.value > sight(level):
        size *= _NOTION
    return size if score.kind == "win" else -size


def pick(level: int, game: Game, found: Analysis, chance: random.Random) -> int | None:
    """The move that the level plays by what its search found, None if that is no move at all."""
    lines = found.lines
    if len(lines) < 2 or level == LEVELS[-1]:
        return found.best
    if game.name == "othello":
        heat = PEOPLE[level].temperature
        worths = [line.score.value / (1 if line.score.proven else 100) for line in lines]
    else:
        heat = temperature(level)
        worths = [worth(line.score, level) for line in lines]
    weights = [math.exp((each - max(worths)) / heat) for each in worths]
    return chance.choices([line.pv[0] for line in lines], weights)[0]

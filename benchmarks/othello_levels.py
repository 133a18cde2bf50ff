"""How people choose among moves of Othello, and how much like them the levels do.

    python benchmarks/othello_levels.py GAMES [--games N] [--processes N]

GAMES are games between people, in any notation. In N of them, drawn at random, every move of
every position is scored by searches of several depths; what a move loses is told by the deepest. A
player of a game is one sample, put into one of five classes by what half of his moves lost; the
other half is what is explained, so that no class is chosen by the luck of the moves it explains.

The model is the multinomial logit (Luce, *Individual Choice Behavior*, 1959; McFadden, *Conditional
logit analysis of qualitative choice behavior*, 1974): moves are chosen with weights of
exp(score / temperature), where the score is that of a search of some depth. For each class, depth
and temperature are fitted by likelihood to one half of the games, and told for the other half, as
are the levels.
"""

from __future__ import annotations

import random
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import typer
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track
from rich.table import Table

from plywire.engine.engine import Engine
from plywire.engine.limits import SearchLimits
from plywire.engine.othello.levels import PEOPLE, Person
from plywire.engine.othello.rules import Othello
from plywire.server.cli.common import screen
from tools.othello_games import read_othello_games

GAME = Othello()
DEPTHS = (1, 2, 3, 4, 6, 8, 10)
TEMPERATURES = tuple(0.5 * 1.1**step for step in range(32))
CLASSES = 5
#: Moves that people know by heart.
OPENING_PLIES = 4
MOST_MOVES = 33


class Choice(NamedTuple):
    """A move of a person, among others."""

    game: int
    turn: int
    ply: int
    chosen: int
    scores: NDArray[np.float32]
    """In discs, to the mover, by depth and move; minus infinity where there is none."""


@dataclass
class Choices:
    """Many of them, as columns."""

    player: NDArray[np.int64]
    """Who moved in which game."""
    ply: NDArray[np.int64]
    chosen: NDArray[np.int64]
    scores: NDArray[np.float64]
    """By choice, depth and move."""

    @property
    def losses(self) -> NDArray[np.float64]:
        """What each move loses, in discs; infinity where there is none."""
        deepest = self.scores[:, -1]
        return deepest.max(axis=1, keepdims=True) - deepest

    def where(self, mask: NDArray[np.bool_]) -> Choices:
        """Some of them."""
        return Choices(self.player[mask], self.ply[mask], self.chosen[mask], self.scores[mask])

    def weights(self, person: Person) -> NDArray[np.float64]:
        """How likely the person plays each move."""
        scores = self.scores[:, DEPTHS.index(person.depth)]
        weights = np.exp((scores - scores.max(axis=1, keepdims=True)) / person.temperature)
        return weights / weights.sum(axis=1, keepdims=True)

    def likelihood(self, person: Person) -> float:
        """The mean logarithm of how likely the person plays what was played."""
        return float(np.log(self._of_chosen(self.weights(person)) + 1e-12).mean())

    def agreement(self, person: Person) -> float:
        """How often the person plays what was played."""
        return float(self._of_chosen(self.weights(person)).mean())

    def loss(self, person: Person) -> float:
        """What the person loses a move."""
        losses = self.losses
        return float((self.weights(person) * np.where(np.isinf(losses), 0, losses)).sum(1).mean())

    def _of_chosen(self, table: NDArray[np.float64]) -> NDArray[np.float64]:
        return table[np.arange(len(self.chosen)), self.chosen]

    @property
    def lost(self) -> NDArray[np.float64]:
        """What each move that was played lost."""
        return self._of_chosen(self.losses)


def choices_of(game: tuple[int, tuple[int, ...]]) -> list[Choice]:
    """The choices of a game, which has a number and moves."""
    number, played = game
    engine = Engine(hash_mb=4, book=False)
    position = GAME.start()
    choices: list[Choice] = []
    for ply, move in enumerate(played):
        legal = position.moves()
        if ply >= OPENING_PLIES and len(legal) > 1:
            scores = np.full((len(DEPTHS), MOST_MOVES), -np.inf, np.float32)
            for row, depth in zip(scores, DEPTHS, strict=True):
                found = engine.analyse(position, SearchLimits(depth=depth), multipv=len(legal))
                for line in found.lines:
                    size = 1 if line.score.kind == "exact" else 100
                    row[legal.index(line.pv[0])] = line.score.value / size
            choices.append(Choice(number, position.turn, ply, legal.index(move), scores))
        position = position.play(move)
    return choices


def gather(path: Path, games: int, processes: int, console: Console) -> Choices:
    """The choices of so many games."""
    rows = [game.line.moves for game in read_othello_games(path)]
    numbers = random.Random(1).sample(range(len(rows)), min(games, len(rows)))
    drawn = [(one, rows[one]) for one in numbers]
    with ProcessPoolExecutor(processes) as pool:
        found = pool.map(choices_of, drawn, chunksize=4)
        told = track(found, "Scoring moves", total=len(drawn), console=console)
        choices = [one for game in told for one in game]
    return Choices(
        np.array([2 * one.game + one.turn for one in choices]),
        np.array([one.ply for one in choices]),
        np.array([one.chosen for one in choices]),
        np.array([one.scores for one in choices], np.float64),
    )


def classes_of(choices: Choices) -> NDArray[np.int64]:
    """The class of each choice's player, 0 the best, by what half of the player's moves lost."""
    judged = choices.ply // 2 % 2 == 0
    players, index = np.unique(choices.player, return_inverse=True)
    lost = np.bincount(index, weights=choices.lost * judged)
    mean = lost / np.maximum(np.bincount(index, weights=judged), 1)
    return (np.argsort(np.argsort(mean)) * CLASSES // len(players))[index]


def main(
    games: Annotated[Path, typer.Argument(help="Games between people, in any notation.")],
    count: Annotated[int, typer.Option("--games", min=10)] = 600,
    processes: Annotated[int, typer.Option(min=1)] = 2,
) -> None:
    """Fit depths and temperatures, and tell what the levels make of the same choices."""
    console = screen()
    choices = gather(games, count, processes, console)
    number = classes_of(choices)
    explained = choices.ply // 2 % 2 == 1
    fitted = choices.player // 2 % 2 == 0

    table = Table(title=f"{len(choices.chosen):,} choices; fitted to half of them")
    for name in ("players", "lost a move", "best move", "depth", "temperature", "log-likelihood"):
        table.add_column(name, justify="right")
    for one in range(CLASSES):
        mine = (number == one) & explained
        known, held = choices.where(mine & fitted), choices.where(mine & ~fitted)
        people = [Person(depth, heat) for depth in DEPTHS for heat in TEMPERATURES]
        best = max(people, key=known.likelihood)
        table.add_row(
            f"fifth {one + 1}",
            f"{held.lost.mean():.2f}",
            f"{np.mean(held.lost < 0.005):.1%}",
            str(best.depth),
            f"{best.temperature:.2f}",
            f"{held.likelihood(best):.3f}",
        )
    console.print(table)

    held = choices.where(explained & ~fitted)
    table = Table(title="Levels, on games held out")
    for name in ("level", "depth", "temperature", "lost a move", "agreement"):
        table.add_column(name, justify="right")
    for level, person in PEOPLE.items():
        table.add_row(
            str(level),
            str(person.depth),
            f"{person.temperature:g}",
            f"{held.loss(person):.2f}",
            f"{held.agreement(person):.1%}",
        )
    console.print(table)


if __name__ == "__main__":
    typer.run(main)

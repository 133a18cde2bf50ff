"""The report about trained weights: a card in Markdown, and pictures."""

from __future__ import annotations

import hashlib
import json
import math
from dataclasses import asdict, dataclass
from pathlib import Path

import numpy as np

from plywire.engine.othello.evaluation.weights import SHIPPED, STAGES, UNIT, Tables, Weights

from .carrying import load
from .chart import Series, draw
from .estimates import estimates
from .fit import importance, mean_square
from .positions import Positions

#: The name of the file of settings in the folder of a training.
_FILE = "settings.json"


@dataclass(frozen=True, slots=True)
class Round:
    """A round of learning from positions that searches judge."""

    depth: int
    """Depth of a search, in plies."""
    positions: int
    """Positions for each number of empty squares."""
    solved: int = 16
    """Positions with at most this many empty squares are searched to the end of the game."""

    def __str__(self) -> str:
        return f"{self.depth}:{self.positions}:{self.solved}"


@dataclass(frozen=True, slots=True)
class Prior:
    """Weights to begin with."""

    name: str
    """Name of the file, or `shipped`."""
    digest: str
    """The first 16 digits of the file's SHA-256."""

    @classmethod
    def of(cls, name: str) -> Prior:
        """Find a prior by name. Raises OSError if there is no such file."""
        return cls(name, hashlib.sha256(_file(name).read_bytes()).hexdigest()[:16])

    def weights(self) -> Weights:
        """Load the weights."""
        return load(_file(self.name))


def _file(name: str) -> Path:
    return SHIPPED if name == "shipped" else Path(name)


@dataclass(frozen=True, slots=True)
class Settings:
    """The settings of a training. Equal settings give equal weights."""

    games: tuple[str, ...]
    """Files of games."""
    selfplay: int
    """Number of games that the engine plays against itself."""
    depth: int
    """Search depth in these games, in plies."""
    exact: int
    """Games are solved from this number of empty squares on."""
    rounds: tuple[Round, ...]
    iterations: int
    """Iterations of the fit."""
    seed: int
    """Seed of the self-play."""
    prior: Prior | None = None
    also: tuple[str, ...] = ()
    """Folders of earlier trainings; this training also learns from their judged positions."""

    def save(self, folder: Path) -> None:
        """Write `settings.json` into a folder."""
        (folder / _FILE).write_text(json.dumps(asdict(self), indent=2) + "\n", "utf-8")

    @classmethod
    def load(cls, folder: Path) -> Settings:
        """Read the settings of the training in a folder.

        Raises OSError if there is no training, and ValueError for a file that `save` did not write.
        """
        file = folder / _FILE
        text = file.read_text("utf-8")
        try:
            fields = json.loads(text)
            fields["games"] = tuple(fields["games"])
            fields["rounds"] = tuple(Round(**asked) for asked in fields["rounds"])
            fields["prior"] = fields["prior"] and Prior(**fields["prior"])
            fields["also"] = tuple(fields.get("also", ()))  # missing in older files
            return cls(**fields)
        except (ValueError, TypeError, KeyError):
            raise ValueError(f"{file} holds no settings of a training") from None

    def command(self) -> str:
        """Return the command with these settings."""
        games = "".join(f" --games {Path(name).name}" for name in self.games)
        judged = "".join(f" --judge {asked}" for asked in self.rounds)
        prior = f" --prior {Path(self.prior.name).name}" if self.prior else ""
        also = "".join(f" --also {Path(name).name}" for name in self.also)
        return (
            f"python -m tools.training{games}{prior}{also} --selfplay {self.selfplay} "
            f"--depth {self.depth} --exact {self.exact}{judged} "
            f"--iterations {self.iterations} --seed {self.seed}"
        )


@dataclass(frozen=True, slots=True)
class StageError:
    """The error of the estimates of held-out positions with one number of empty squares.

    Positions count as they do in the fit.
    """

    empties: int
    positions: int
    weight: float
    """The sum of the positions' weights in the fit."""
    root_mean_square: float
    """The root mean square of score minus estimate, in discs."""
    mean_absolute: float
    """The mean absolute value of score minus estimate, in discs."""
    without: float
    """The root mean square error if each estimate were the average score."""


def stage_errors(tables: Tables, positions: Positions) -> tuple[StageError, ...]:
    """Measure the evaluation as it plays, for each number of empty squares that occurs."""
    scores = positions.score.astype(np.float64)
    errors = scores - estimates(positions, tables) / UNIT
    empties = positions.empties()
    found = []
    for stage in range(STAGES):
        here = empties == stage
        if count := int(np.count_nonzero(here)):
            counts = importance(scores[here])
            rms = math.sqrt(mean_square(errors[here], counts))
            absolute = float(np.average(np.abs(errors[here]), weights=counts))
            average = np.average(scores[here], weights=counts)
            without = math.sqrt(mean_square(scores[here] - average, counts))
            found.append(StageError(stage, count, float(counts.sum()), rms, absolute, without))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Report:
    """The result of a training."""

    settings: Settings
    training: int
    """Number of positions that the fit learnt from."""
    held_out: int
    """Number of positions of other games, on which the errors are measured."""
    left_out: int
    """Number of given games that were unfinished or impossible."""
    curve: tuple[tuple[float, float], ...]
    """The mean square errors after each iteration, on training and held-out positions."""
    stages: tuple[StageError, ...]

    @property
    def error(self) -> float:
        """The weighted root mean square error over all held-out positions, in discs."""
        squares = [stage.root_mean_square**2 for stage in self.stages]
        return math.sqrt(np.average(squares, weights=[stage.weight for stage in self.stages]))

    def save(self, folder: Path) -> None:
        """Write the card and the pictures."""
        (folder / "card.md").write_text(self.card(), "utf-8")
        (folder / "curve.svg").write_text(self.curve_picture(), "utf-8")
        (folder / "error.svg").write_text(self.error_picture(), "utf-8")

    def card(self) -> str:
        """Return the card, in Markdown."""
        rows = "".join(
            f"| {stage.empties} | {stage.positions} | {stage.root_mean_square:.2f} "
            f"| {stage.mean_absolute:.2f} | {stage.without:.2f} |\n"
            for stage in self.stages
        )
        judged = "".join(
            f"- Round {number}: searches of {asked.depth} plies, to the end of the game from "
            f"{asked.solved} empty squares on; {asked.positions} positions for each number of "
            "empty squares.\n"
            for number, asked in enumerate(self.settings.rounds, 1)
        )
        labels = (
            f"- Prior: {self.settings.prior.name}, SHA-256 {self.settings.prior.digest}…\n"
            if self.settings.prior
            else f"- Labels: the final score by best play from {self.settings.exact} empty squares "
            "on.\n"
        )
        also = "".join(
            f"- Earlier positions, folder {Path(name).name}:\n  "
            f"`{Settings.load(Path(name)).command()}` judged them.\n"
            for name in self.settings.also
        )
        learnt = f"{self.training}; the errors are those of {self.held_out} of other games"
        games = ", ".join(Path(name).name for name in self.settings.games) or "none"
        return f"""# The Othello evaluation's weights

This command made them:

    {self.settings.command()}

- Given games: {games}; {self.left_out} of them have illegal moves or stop early, and were left out.
- Games against itself: {self.settings.selfplay}, with searches of {self.settings.depth} plies.
{labels}{judged}{also}- Positions learnt from: {learnt}.
- Error of all held-out positions: {self.error:.3f} discs (root mean square).

The table shows the errors in discs by the number of empty squares. The last column is the error of
always answering with the average. Positions count as in the fit, where even positions count more
than one-sided positions.

| empty | positions | root mean square | mean absolute | knowing nothing |
|---|---|---|---|---|
{rows}"""

    def curve_picture(self) -> str:
        """Draw the errors by iteration, as SVG."""
        names = ("training", "held out")
        lines = [
            Series(name, [(n, math.sqrt(both[i])) for n, both in enumerate(self.curve, 1)])
            for i, name in enumerate(names)
        ]
        return draw("Learning curve", "iteration", "root mean square error, discs", lines)

    def error_picture(self) -> str:
        """Draw the held-out errors by the number of empty squares, as SVG."""
        lines = [
            Series("knowing nothing", [(stage.empties, stage.without) for stage in self.stages]),
            Series("estimate", [(stage.empties, stage.root_mean_square) for stage in self.stages]),
        ]
        label = "root mean square error, discs"
        return draw("Error on held-out games", "empty squares", label, lines)

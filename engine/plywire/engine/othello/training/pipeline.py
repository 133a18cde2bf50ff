"""The whole training: games read and played, labelled, fitted, measured, and a card about it.

Everything is written to a folder in parts, and a training that was interrupted goes on from there:

    settings.json     what was asked for
    games-000.npz …   positions of the given games, their endings solved
    first.npz         the weights fitted to those alone, with which the engine plays itself
    selfplay-000.npz …  positions of its games
    state.npz         the last fit, after its last iteration
    weights.npz       the result; with it card.md, curve.svg and error.svg
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import asdict
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from plywire.engine.othello.weights import Weights, shipped_tables

from .batches import OnStage, Progress, slices
from .endings import solve_endings
from .fit import Fit, Samples, State
from .positions import Positions, joined, read_games, replay
from .report import Report, Settings, stage_errors
from .selfplay import play_games

_PART = 10_000  # games
#: Of all games, one in so many is held out.
_HELD_OUT = 20
_FIRST_ITERATIONS = 15


class TrainingError(ValueError):
    """A training that cannot be begun as asked; the text says why."""


def train(settings: Settings, folder: Path, threads: int, on_stage: OnStage) -> Report:
    """Train, and leave the weights and what is known about them in the folder.

    Raises TrainingError if the folder holds a training with other settings or there is nothing to
    learn from, GamesError for a file of games that cannot be read, and OSError.
    """
    if not settings.games and not settings.selfplay:
        raise TrainingError("nothing to learn from: give files of games, or a number of self-play")
    folder.mkdir(parents=True, exist_ok=True)
    _claim(folder, settings)

    from_games, left_out = _given_games(settings, folder, threads, on_stage)
    positions = from_games
    if settings.selfplay:
        tables = _first_tables(folder, from_games, threads, on_stage)
        positions = joined((from_games, *_own_games(settings, folder, tables, threads, on_stage)))
    training, held_out = _split(positions)
    state_file = folder / "state.npz"
    state = State.load(state_file) if state_file.exists() else None
    fit = Fit(Samples(training), Samples(held_out), threads, state)
    progress = on_stage("fitting the weights")
    while len(fit.state.curve) < settings.iterations:
        fit.advance()
        fit.state.save(state_file)
        progress(len(fit.state.curve), settings.iterations)
    weights = fit.weights()
    weights.save(folder / "weights.npz")
    report = Report(
        settings,
        len(training),
        len(held_out),
        left_out,
        tuple(fit.state.curve),
        stage_errors(weights.tables(), held_out),
    )
    report.save(folder)
    return report


def _claim(folder: Path, settings: Settings) -> None:
    """Make the folder one of this training."""
    file = folder / "settings.json"
    wanted = json.dumps(asdict(settings), indent=2) + "\n"
    if file.exists() and file.read_text("utf-8") != wanted:
        raise TrainingError(f"{folder} holds a training with other settings: see {file.name} there")
    file.write_text(wanted, "utf-8")


def _given_games(
    settings: Settings, folder: Path, threads: int, on_stage: OnStage
) -> tuple[Positions, int]:
    """The positions of the given games, and how many games were left out."""
    if not settings.games:
        return Positions.blank(0), 0
    games = np.concatenate([read_games(Path(name)) for name in settings.games])
    progress = on_stage("solving the endings of the given games")

    def label(part: slice) -> Positions:
        return solve_endings(replay(games[part]), settings.exact, threads)

    positions = joined(_parts(folder, "games", len(games), label, progress))
    return positions, len(games) - len(np.unique(positions.game))


def _own_games(
    settings: Settings,
    folder: Path,
    tables: NDArray[np.int16],
    threads: int,
    on_stage: OnStage,
) -> list[Positions]:
    """The positions of games that the engine plays against itself."""

    def play(part: slice) -> Positions:
        return play_games(
            part.stop - part.start,
            tables,
            depth=settings.depth,
            exact=settings.exact,
            seed=(settings.seed, part.start),
            threads=threads,
        )

    progress = on_stage("playing games against itself")
    return list(_parts(folder, "selfplay", settings.selfplay, play, progress))


def _parts(
    folder: Path,
    name: str,
    count: int,
    make: Callable[[slice], Positions],
    progress: Progress,
) -> Iterator[Positions]:
    """Parts of the work on so many games, made or, where an earlier run has made them, loaded."""
    for number, part in enumerate(slices(count, _PART)):
        file = folder / f"{name}-{number:03}.npz"
        if not file.exists():
            make(part).save(file)
        yield Positions.load(file)
        progress(part.stop, count)


def _first_tables(
    folder: Path, positions: Positions, threads: int, on_stage: OnStage
) -> NDArray[np.int16]:
    """The evaluation that plays: fitted to the given games, or, without any, the shipped one."""
    if not len(positions):
        return shipped_tables()
    file = folder / "first.npz"
    if not file.exists():
        training, held_out = _split(positions)
        fit = Fit(Samples(training), Samples(held_out), threads)
        progress = on_stage("fitting the weights for self-play")
        for iteration in range(_FIRST_ITERATIONS):
            fit.advance()
            progress(iteration + 1, _FIRST_ITERATIONS)
        fit.weights().save(file)
    return Weights.load(file).tables()


def _split(positions: Positions) -> tuple[Positions, Positions]:
    """The positions of games to learn from, and of those held out."""
    is_held_out = positions.game % _HELD_OUT == _HELD_OUT - 1
    if not is_held_out.any():
        raise TrainingError(f"too few games: one in {_HELD_OUT} is held out, so that many it takes")
    return positions[~is_held_out], positions[is_held_out]

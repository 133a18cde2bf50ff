"""The whole training: read and play games, score positions, fit weights, measure and report.

The training writes everything to a folder in parts, and goes on from there after an interruption:

    settings.json         the settings, with the folders of earlier trainings to learn from
    games-000.npz …       positions of the given games, their endings solved
    given-fit.npz         the fit to the given games, with which the engine plays against itself
    selfplay-000.npz …    positions of its games
    games-fit.npz         the fit to the positions of all games
    judged-1-13-000.npz … positions judged in the first round by searches, from 13 empty squares on
    judged-1-13-fit.npz   the fit to judged and solved positions
    judged-1-1-000.npz …  positions judged at once, if a training begins with a prior's weights
    weights.npz           the result; with it card.md, curve.svg and error.svg

A fit's file holds its state after its last iteration.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from plywire.engine.othello.evaluation.weights import Tables, Weights, shipped_tables

from .batches import OnStage, Progress, slices
from .endings import solve_endings
from .fit import Fit, Samples, State
from .judging import even, judge, sample
from .positions import Positions, as_rows, concatenate, joined, replay
from .report import Report, Round, Settings, stage_errors
from .selfplay import play_games

#: Number of games, and number of judged positions, in a part of a training's files.
_GAMES_PART = 10_000
_JUDGED_PART = 50_000
_FIRST_ITERATIONS = 15
#: One game in this many is held out.
_HELD_OUT = 20
#: Maximum number of empty squares in each band. A band is judged after the bands with fewer empty
#: squares.
_BANDS = (16, 26, 38, 56)
#: The only band of a training that begins with a prior: all numbers of empty squares.
_ALL = range(1, 57)


class TrainingError(ValueError):
    """A training cannot begin with these settings; the text says why."""


@dataclass(frozen=True, slots=True)
class _Work:
    """A training: its settings and surroundings."""

    settings: Settings
    earlier: tuple[Path, ...]
    """Files of positions that earlier trainings judged."""
    folder: Path
    threads: int
    on_stage: OnStage


def train(
    settings: Settings,
    folder: Path,
    threads: int,
    on_stage: OnStage,
    read_games: Callable[[], NDArray[np.uint8]] = lambda: as_rows(()),
) -> Report:
    """Train, and write the weights and a report into the folder.

    `read_games` reads the files of games that the settings name, as rows of squares. Raises
    TrainingError if the folder holds a training with other settings, or if there is nothing to
    learn from. Raises OSError, and all errors of `read_games`.
    """
    if not settings.games and not settings.selfplay:
        raise TrainingError("nothing to learn from: give files of games, or a number of self-play")
    if settings.prior and not settings.rounds:
        raise TrainingError("a prior judges positions: give --judge DEPTH:POSITIONS")
    if settings.also and not settings.rounds:
        raise TrainingError("--also needs new positions as well: give --judge DEPTH:POSITIONS")
    earlier = tuple(_judged_earlier(settings))
    folder.mkdir(parents=True, exist_ok=True)
    _claim(folder, settings)
    work = _Work(settings, earlier, folder, threads, on_stage)

    given, left_out = _given_games(work, read_games)
    positions = joined((given, _own_games(work, given)))
    sources = [
        source for source in (positions[: len(given)], positions[len(given) :]) if len(source)
    ]
    if settings.prior:
        weights = settings.prior.weights()
    else:
        fit = _fitted(work, "games", positions)
        weights = fit.weights()
    judged = _judged_at_once if settings.prior else _judged_in_bands
    for number, asked in enumerate(settings.rounds, 1):
        fit, positions = judged(work, number, asked, sources, weights)
        weights = fit.weights()
    weights.save(folder / "weights.npz")
    training, held_out = _split(positions)
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
    """Write the settings into the folder; refuse a folder with other settings."""
    try:
        kept = _settings_in(folder)
    except FileNotFoundError:
        settings.save(folder)
        return
    if kept != settings:
        raise TrainingError(
            f"{folder} holds a training with other settings: see settings.json there"
        )


def _settings_in(folder: Path) -> Settings:
    try:
        return Settings.load(folder)
    except ValueError as error:
        raise TrainingError(str(error)) from None


def _given_games(work: _Work, read_games: Callable[[], NDArray[np.uint8]]) -> tuple[Positions, int]:
    """Return the positions of the given games, and how many games were left out.

    Endings are solved, unless a prior judges all positions.
    """
    settings = work.settings
    if not settings.games:
        return Positions.blank(0), 0
    progress = work.on_stage("reading the given games")
    games = read_games()

    def label(part: slice) -> Positions:
        played = replay(games[part])
        return played if settings.prior else solve_endings(played, settings.exact, work.threads)

    positions = joined(_parts(work, "games", len(games), _GAMES_PART, label, progress))
    return positions, len(games) - len(np.unique(positions.game))


def _own_games(work: _Work, given: Positions) -> Positions:
    """Return the positions of games that the engine plays against itself.

    It plays with the prior's evaluation. Without a prior, it plays with an evaluation fitted to the
    given games; without given games, with the shipped evaluation.
    """
    settings = work.settings
    if not settings.selfplay:
        return Positions.blank(0)

    # The tables are not computed if an earlier run has played all games.
    @cache
    def tables() -> Tables:
        if settings.prior:
            return settings.prior.weights().tables()
        if not len(given):
            return shipped_tables()
        return _fitted(work, "given", given, iterations=_FIRST_ITERATIONS).weights().tables()

    progress = work.on_stage("playing games against itself")

    def play(part: slice) -> Positions:
        return play_games(
            part.stop - part.start,
            tables(),
            depth=settings.depth,
            exact=settings.exact,
            seed=(settings.seed, part.start),
            threads=work.threads,
        )

    return joined(_parts(work, "selfplay", settings.selfplay, _GAMES_PART, play, progress))


def _judged_at_once(
    work: _Work, number: int, asked: Round, sources: Sequence[Positions], prior: Weights
) -> tuple[Fit, Positions]:
    """Do a round with weights of the whole game: judge all positions, then fit once.

    Returns the fit and its positions.
    """
    name = f"judged-{number}-{_ALL.start}"
    seed = work.settings.seed + number
    positions = concatenate(
        [
            *_band(work, name, asked, seed, sources, prior, _ALL),
            *map(Positions.load, work.earlier),
        ]
    )
    return _fitted(work, name, positions, prior=prior), positions


def _judged_in_bands(
    work: _Work, number: int, asked: Round, sources: Sequence[Positions], prior: Weights
) -> tuple[Fit, Positions]:
    """Do a round backwards from the end of the game: judge a band, fit, go to the next band.

    Returns the last fit and its positions.
    """
    settings = work.settings
    weights = prior
    ends = [source[source.empties() <= settings.exact] for source in sources]
    sets = [even(end, prior.tables()) for end in ends]
    sets += map(Positions.load, work.earlier)
    for empties in _bands(settings.exact):
        name = f"judged-{number}-{empties.start}"
        sets += _band(work, name, asked, settings.seed + number, sources, weights, empties)
        fit = _fitted(work, name, concatenate(sets), prior=prior)
        weights = fit.weights()
    return fit, concatenate(sets)


def _judged_earlier(settings: Settings) -> Iterator[Path]:
    """Yield the files of positions that earlier trainings judged.

    They must have the same files of games, so that the same games are held out.
    """
    names = [Path(name).name for name in settings.games]
    for folder in map(Path, settings.also):
        if [Path(name).name for name in _settings_in(folder).games] != names:
            raise TrainingError(f"{folder} holds a training from other files of games")
        files = sorted(folder.glob("judged-*-[0-9][0-9][0-9].npz"))
        if not files:
            raise TrainingError(f"{folder} holds no positions that a training has judged")
        yield from files


def _bands(exact: int) -> list[range]:
    """Return the bands above `exact` empty squares; positions with fewer are solved."""
    starts = [max(exact, below) + 1 for below in (0, *_BANDS)]
    bands = [range(start, last + 1) for start, last in zip(starts, _BANDS, strict=False)]
    return [band for band in bands if band]


def _band(
    work: _Work,
    name: str,
    asked: Round,
    seed: int,
    sources: Sequence[Positions],
    weights: Weights,
    empties: range,
) -> list[Positions]:
    """Draw and judge the positions of a band."""
    tables = weights.tables()
    chosen = sample(sources, tables, empties, asked.positions, seed)
    progress = work.on_stage(f"judging positions of {empties.start} to {empties[-1]} empty squares")

    def label(part: slice) -> Positions:
        return judge(chosen[part], tables, asked.depth, asked.solved, work.threads)

    return list(_parts(work, name, len(chosen), _JUDGED_PART, label, progress))


def _parts(
    work: _Work,
    name: str,
    count: int,
    size: int,
    make: Callable[[slice], Positions],
    progress: Progress,
) -> Iterator[Positions]:
    """Yield parts of `count` things: load a part from its file, or make it."""
    for number, part in enumerate(slices(count, size)):
        file = work.folder / f"{name}-{number:03}.npz"
        if not file.exists():
            make(part).save(file)
        yield Positions.load(file)
        progress(part.stop, count)


def _fitted(
    work: _Work,
    name: str,
    positions: Positions,
    *,
    prior: Weights | None = None,
    iterations: int | None = None,
) -> Fit:
    """Fit weights to positions; go on from the file of an earlier run, if there is one."""
    training, held_out = _split(positions)
    file = work.folder / f"{name}-fit.npz"
    state = State.load(file) if file.exists() else None
    fit = Fit(Samples(training), Samples(held_out), work.threads, prior=prior, state=state)
    progress = work.on_stage("fitting the weights")
    iterations = iterations or work.settings.iterations
    while len(fit.state.curve) < iterations:
        fit.advance()
        fit.state.save(file)
        progress(len(fit.state.curve), iterations)
    return fit


def _split(positions: Positions) -> tuple[Positions, Positions]:
    """Split positions into those to learn from and those held out, by games."""
    is_held_out = positions.game % _HELD_OUT == _HELD_OUT - 1
    if not is_held_out.any():
        raise TrainingError(f"too few games: one in {_HELD_OUT} is held out, so that many it takes")
    return positions[~is_held_out], positions[is_held_out]

"""Fit the relations of multi-ProbCut: how well a shallow search predicts a deeper one.

The engine plays against itself. One position of each game is searched to many depths, and to the
end of the game if few squares are empty. These searches prune nothing by prediction.
"""

from dataclasses import dataclass
from pathlib import Path
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from plywire.engine.othello.confidence import CONFIDENCES, deviations
from plywire.engine.othello.evaluation.weights import shipped_tables
from plywire.engine.othello.midgame.searcher import MidgameSearcher
from plywire.engine.othello.rules import Othello, OthelloPosition
from plywire.engine.search.searcher import Iteration
from plywire.engine.search.table import TranspositionTable
from tools.training.regression import (
    MOST,
    Regression,
    Relation,
    end_depth,
    middle_depth,
    terms,
    upright,
)

from .batches import OnStage, Progress, run, slices
from .chart import Series, draw
from .positions import Positions
from .selfplay import play_games

#: Maximum depth of a search in plies, and maximum number of empty squares for a search to the end.
DEEPEST = 10
END_EMPTY = 20
#: Minimum number of empty squares of a position: with fewer, no prediction is needed.
_LEAST_EMPTY = 8
#: The search depth in the games, in plies, and the number of empty squares from which the games are
#: played perfectly.
_PLAYED_DEPTH, _PLAYED_EXACT = 3, 8
_BATCH = 50  # number of positions
_TABLE_MB = 16
_UNLIMITED = (1 << 64) - 1
#: A number greater than all values, in hundredths of a disc.
_BEYOND = 20_000
#: Number of rounds of a fit. After these, the fit no longer changes.
_ROUNDS = 12
#: One position in this many is held out.
_HELD_OUT = 5
#: Minimum number of positions for a row of the card.
_JUDGED = 20
#: The largest error in the chart, and the width of its steps, in standard deviations.
_CHARTED, _CHART_STEP = 4, 0.5


@dataclass(frozen=True, slots=True)
class Pairs:
    """Values of positions by a shallow and a deep search; arrays with an entry a pair."""

    shallow: NDArray[np.int64]
    """Depth, in plies."""
    deep: NDArray[np.int64]
    empty: NDArray[np.int64]
    """Empty squares."""
    value: NDArray[np.float64]
    """The shallow value, in hundredths of a disc; `deep_value` has the same unit."""
    deep_value: NDArray[np.float64]


def sample(count: int, seed: int, threads: int, on_progress: Progress | None = None) -> Positions:
    """Draw one position from each of `count` games."""
    games = play_games(
        count,
        shipped_tables(),
        depth=_PLAYED_DEPTH,
        exact=_PLAYED_EXACT,
        seed=seed,
        threads=threads,
        on_progress=on_progress,
    )
    games = games[games.empties() >= _LEAST_EMPTY]
    chance = np.random.default_rng(seed)
    starts = np.flatnonzero(np.diff(games.game, prepend=-1))
    ends = np.append(starts[1:], len(games))
    return games[chance.integers(starts, ends)]


def values(
    positions: Positions, threads: int, on_progress: Progress | None = None
) -> NDArray[np.int64]:
    """Search each position; a row has its values at depths 0 to DEEPEST and at the end.

    Values are in hundredths of a disc. `_BEYOND` stands for depths beyond the end of the game, and
    for games that are too long to be searched to the end.
    """

    def search(part: slice) -> NDArray[np.int64]:
        table = TranspositionTable(_TABLE_MB)
        rows = zip(positions.own[part], positions.other[part], strict=True)
        return np.array([_values(int(own), int(other), table) for own, other in rows])

    return np.concatenate(run(search, slices(len(positions), _BATCH), threads, on_progress))


def _values(own: int, other: int, table: TranspositionTable) -> list[int]:
    position = OthelloPosition(Othello(), own, other, 0)
    table.clear()
    searcher = MidgameSearcher(position, table, _UNLIMITED)
    searcher.root_move = None
    found = [_BEYOND] * (DEEPEST + 2)
    for depth in range(min(DEEPEST + 1, position.plies_left)):
        found[depth] = searcher.search(Iteration(depth), -_BEYOND, _BEYOND)
    if position.plies_left <= END_EMPTY:
        found[-1] = searcher.search(Iteration(position.plies_left), -_BEYOND, _BEYOND)
    return found


def middle_pairs(rows: NDArray[np.int64], empty: NDArray[np.int64]) -> Pairs:
    """Pair each depth with the deeper ones of the same parity."""
    depths = [(a, b) for b in range(3, DEEPEST + 1) for a in range(b % 2, b, 2)]
    return _pairs(rows, empty, depths)


def end_pairs(rows: NDArray[np.int64], empty: NDArray[np.int64]) -> Pairs:
    """Pair each depth with the end of the game."""
    return _pairs(rows, empty, [(depth, DEEPEST + 1) for depth in range(DEEPEST)])


def _pairs(
    rows: NDArray[np.int64], empty: NDArray[np.int64], columns: list[tuple[int, int]]
) -> Pairs:
    parts = []
    for shallow, deep in columns:
        known = (rows[:, shallow] != _BEYOND) & (rows[:, deep] != _BEYOND)
        chosen = rows[known]
        depth = empty[known] if deep > DEEPEST else np.full(len(chosen), deep)
        parts.append(
            (
                np.full(len(chosen), shallow),
                depth,
                empty[known],
                chosen[:, shallow].astype(np.float64),
                chosen[:, deep].astype(np.float64),
            )
        )
    return Pairs(*map(np.concatenate, zip(*parts, strict=True)))


def fit(pairs: Pairs) -> Relation:
    """Find the relation of the greatest likelihood.

    Means and deviations are fitted in turn, because each is easy to fit if the other is known.
    """
    distance = (pairs.deep - pairs.shallow).astype(np.float64)
    logarithm = np.log(distance)
    is_odd = pairs.shallow % 2 == 1
    shifts = np.stack([~is_odd, ~is_odd * distance, is_odd, is_odd * distance], axis=1)
    part = np.abs(pairs.value) / MOST
    design = terms(pairs.shallow, pairs.deep, pairs.empty)
    deviation = np.ones_like(distance)
    mean, lean, growth = np.zeros(4), 0.0, 0.0
    log_deviation = np.array([np.log((pairs.deep_value - pairs.value).std()), 0.0, 0.0, 0.0])
    for _ in range(_ROUNDS):
        # A Gauss-Newton step for the mean and the lean. The derivative of x by the lean, `slope *
        # logarithm`, follows from the definition of x in `regression.py`.
        x = upright(pairs.value, lean * logarithm)
        left = x * (1 - np.abs(x) / MOST)
        slope = left / (1 - lean * logarithm * (1 - 2 * np.abs(x) / MOST))
        jacobian = np.column_stack([shifts, slope * logarithm]) / deviation[:, None]
        residual = (pairs.deep_value - x - shifts @ mean) / deviation
        change, *_ = np.linalg.lstsq(jacobian, residual, rcond=None)
        mean, lean = mean + change[:4], lean + float(change[4])
        residual = pairs.deep_value - upright(pairs.value, lean * logarithm) - shifts @ mean
        # Fisher's scoring fits the standard deviation to the new mean.
        for _ in range(_ROUNDS):
            deviation = np.exp(design @ log_deviation) * (1 + growth * part)
            jacobian = np.column_stack([design, part / (1 + growth * part)])
            change, *_ = np.linalg.lstsq(
                jacobian, ((residual / deviation) ** 2 - 1) / 2, rcond=None
            )
            log_deviation, growth = log_deviation + change[:4], growth + float(change[4])
    even, odd = mean[:2].tolist(), mean[2:].tolist()
    return Relation((tuple(even), tuple(odd)), lean, tuple(log_deviation.tolist()), growth)


def train_probcut(count: int, seed: int, folder: Path, threads: int, on_stage: OnStage) -> str:
    """Fit both relations to `count` positions; write them, a card and a chart into the folder.

    Returns the card.
    """
    folder.mkdir(parents=True, exist_ok=True)
    positions = sample(count, seed, threads, on_stage("playing games against itself"))
    rows = values(positions, threads, on_stage("searching their positions"))
    empty = positions.empties()
    held_out = np.arange(len(rows)) % _HELD_OUT == 0
    learnt, judged = (
        (middle_pairs(rows[chosen], empty[chosen]), end_pairs(rows[chosen], empty[chosen]))
        for chosen in (~held_out, held_out)
    )
    regression = Regression(*map(fit, learnt))
    regression.save(folder / "probcut.json")
    card = _card(regression, judged, count, seed, int(np.count_nonzero(~held_out)))
    (folder / "probcut.md").write_text(card, "utf-8")
    (folder / "probcut.svg").write_text(_chart(regression, judged), "utf-8")
    return card


def _card(
    regression: Regression, judged: tuple[Pairs, Pairs], count: int, seed: int, positions: int
) -> str:
    lines = [
        "# The fit of multi-ProbCut",
        "",
        "This command made it:",
        "",
        f"    python -m tools.training --probcut {count} --seed {seed}",
        "",
        f"The fit uses {positions} positions from games of the engine against itself, one from",
        f"each game. They were searched to depths 0 to {DEEPEST}, and to the end of the game from",
        f"{END_EMPTY} empty squares on. One position in {_HELD_OUT} was held out.",
        "",
        'The table has the depths that the search uses. "Fitted" and "held out" are standard',
        "deviations in discs. The last columns are the shares of held-out positions that lie",
        "within the limit of each confidence.",
        "",
        "| shallow | deep | empty | positions | fitted | held out |"
        + "".join(f" {confidence} % |" for confidence in CONFIDENCES[:-1]),
        "|---" * (6 + len(CONFIDENCES) - 1) + "|",
    ]
    middle, end = judged
    for deep in range(3, DEEPEST + 1):
        for least in (8, 20, 32, 44):
            chosen = (middle.deep == deep) & (middle.shallow == middle_depth(deep))
            chosen &= (middle.empty >= least) & (middle.empty < least + 12)
            lines += _rows(regression.middle, middle, chosen, str(deep), f"{least} to {least + 11}")
    for empty in range(_LEAST_EMPTY, END_EMPTY + 1):
        chosen = (end.empty == empty) & (end.shallow == end_depth(empty))
        lines += _rows(regression.end, end, chosen, "end", str(empty))
    return "\n".join(lines) + "\n"


def _errors(
    relation: Relation, pairs: Pairs, chosen: NDArray[np.bool_]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return the errors of the deep values, and the standard deviations that were fitted."""
    shallow, deep, value = pairs.shallow[chosen], pairs.deep[chosen], pairs.value[chosen]
    pairs_of = zip(shallow.tolist(), deep.tolist(), pairs.empty[chosen].tolist(), strict=True)
    fitted = [(relation.shift(a, b), relation.deviation(a, b, e)) for a, b, e in pairs_of]
    shift, deviation = np.array(fitted).T
    expected = upright(value, relation.lean_of(shallow, deep)) + shift
    return (
        pairs.deep_value[chosen] - expected,
        deviation * (1 + relation.growth * np.abs(value) / MOST),
    )


def _chart(regression: Regression, judged: tuple[Pairs, Pairs]) -> str:
    """Draw the distribution of held-out errors next to the normal distribution."""
    middle, end = judged
    parts = (
        ("between estimates", regression.middle, middle, np.vectorize(middle_depth)(middle.deep)),
        ("to the end", regression.end, end, np.vectorize(end_depth)(end.empty)),
    )
    edges = np.arange(-_CHARTED, _CHARTED + _CHART_STEP / 2, _CHART_STEP)
    centres = ((edges[1:] + edges[:-1]) / 2).tolist()
    normal = NormalDist()
    expected = [
        100 * (normal.cdf(high) - normal.cdf(low))
        for low, high in zip(edges.tolist(), edges[1:].tolist(), strict=False)
    ]
    lines = [Series("normally distributed", list(zip(centres, expected, strict=True)))]
    for name, relation, pairs, shallow in parts:
        residual, deviation = _errors(relation, pairs, pairs.shallow == shallow)
        counts, _ = np.histogram(residual / deviation, edges)
        percent = 100 * counts / len(residual)
        lines.append(Series(name, list(zip(centres, percent.tolist(), strict=True))))
    return draw(
        "What a shallow search errs by, on held-out positions",
        "standard deviations",
        f"percent, in steps of {_CHART_STEP} standard deviations",
        lines,
    )


def _rows(
    relation: Relation, pairs: Pairs, chosen: NDArray[np.bool_], deep: str, empty: str
) -> list[str]:
    if np.count_nonzero(chosen) < _JUDGED:
        return []
    residual, deviation = _errors(relation, pairs, chosen)
    within = [
        float(np.mean(np.abs(residual) < deviations(level) * deviation))
        for level in range(len(CONFIDENCES) - 1)
    ]
    cells = [
        str(pairs.shallow[chosen][0]),
        deep,
        empty,
        str(np.count_nonzero(chosen)),
        f"{deviation.mean() / 100:.2f}",
        f"{residual.std() / 100:.2f}",
        *(f"{100 * part:.0f} %" for part in within),
    ]
    return [f"| {' | '.join(cells)} |"]

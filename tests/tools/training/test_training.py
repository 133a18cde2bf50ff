"""Training, from games to weights."""

import random
import xml.etree.ElementTree as ElementTree
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from plywire.engine.game import PASS
from plywire.engine.othello.evaluation.patterns import SIZE
from plywire.engine.othello.evaluation.weights import (
    SHIPPED,
    STAGES,
    WEIGHT_UNIT,
    Weights,
    shipped_tables,
)
from plywire.engine.othello.rules import Othello, OthelloPosition
from tests.support.negamax import Negamax
from tests.support.random_play import random_game
from tools.training import fit as fitting
from tools.training import pipeline
from tools.training.batches import Progress
from tools.training.chart import Series, draw
from tools.training.endings import solve_endings
from tools.training.estimates import estimates
from tools.training.fit import Fit, Samples, State, mean_square
from tools.training.judging import judge, sample
from tools.training.pipeline import TrainingError, train
from tools.training.positions import Positions, as_rows, joined, replay
from tools.training.report import Prior, Report, Round, Settings
from tools.training.selfplay import LEAST_RANDOM, MOST_RANDOM, play_games

GAME = Othello()


def random_games(count: int, seed: str) -> list[list[tuple[OthelloPosition, int]]]:
    chance = random.Random(seed)
    return [list(random_game(GAME, chance)) for _ in range(count)]  # type: ignore[arg-type]


def moves_of(game: list[tuple[OthelloPosition, int]]) -> list[int]:
    return [move for _, move in game]


def positions_of(games: list[list[tuple[OthelloPosition, int]]]) -> Positions:
    return replay(as_rows(map(moves_of, games)))


# ---- games ---------------------------------------------------------------------------------------


def test_replayed_games_agree_with_the_rules() -> None:
    games = random_games(30, "replay")
    expected = []
    for number, game in enumerate(games):
        last, move = game[-1]
        result = last.play(move).result()
        assert result is not None
        expected += [
            (*position.words(), -result.score if position.turn else result.score, number)
            for position, move in game
            if move != PASS
        ]
    found = positions_of(games)
    columns = found.own, found.other, found.score, found.game
    assert list(zip(*(map(int, column) for column in columns), strict=True)) == expected


def test_games_with_illegal_moves_or_broken_off_are_left_out() -> None:
    whole = moves_of(random_games(1, "whole")[0])
    games = as_rows([whole, [37, 37], [37, 43, 18], whole[:-1], [], whole])
    assert len(games) == 6
    assert set(replay(games).game) == {0, 5}


def test_no_games_have_no_positions() -> None:
    assert len(replay(as_rows(()))) == 0


def test_positions_survive_their_file_and_are_numbered_on_when_joined(tmp_path: Path) -> None:
    positions = positions_of(random_games(3, "file"))
    positions.save(tmp_path / "p.npz")
    loaded = Positions.load(tmp_path / "p.npz")
    both = joined((positions, loaded))
    assert set(both.game) == set(range(6))
    np.testing.assert_array_equal(both.own[len(positions) :], positions.own)


# ---- labels --------------------------------------------------------------------------------------


def test_endings_have_the_scores_of_best_play(tmp_path: Path) -> None:
    games = random_games(12, "endings")
    played = positions_of(games)
    solved = solve_endings(played, 6, threads=2)
    plain = Negamax()
    checked = 0
    for number, game in enumerate(games):
        scores = list(solved.score[solved.game == number])
        for_black: int | None = None
        searched = [pair for pair in game if pair[1] != PASS]
        for (position, _), score in reversed(list(zip(searched, scores, strict=True))):
            sign = -1 if position.turn else 1
            if 64 - (position.own | position.other).bit_count() <= 6:
                exact = plain.score(position)
                for_black = sign * (exact.value or 0)
                checked += 1
            elif for_black is None:  # the game ended early
                last, move = game[-1]
                result = last.play(move).result()
                for_black = result.score if result else None
            assert score == sign * for_black
    assert checked > 50


def test_self_play_is_the_same_on_any_number_of_threads() -> None:
    def play(threads: int) -> Positions:
        return play_games(60, shipped_tables(), depth=2, exact=6, seed=3, threads=threads)

    one, two = play(1), play(2)
    for first, second in zip(
        (one.own, one.other, one.score, one.game),
        (two.own, two.other, two.score, two.game),
        strict=True,
    ):
        np.testing.assert_array_equal(first, second)
    assert len(set(one.game)) == 60
    # Random moves come first and are left out, and from so few empty squares on all is exact.
    most_empty = [int(one.empties()[one.game == number].max()) for number in range(60)]
    assert max(most_empty) == 60 - LEAST_RANDOM
    assert min(most_empty) >= 60 - MOST_RANDOM
    np.testing.assert_array_equal(solve_endings(one, 6, 1).score, one.score)


def equal(one: Positions, other: Positions) -> bool:
    return all(
        np.array_equal(getattr(one, f.name), getattr(other, f.name)) for f in fields(Positions)
    )


def test_a_sample_holds_different_positions_of_each_source_and_what_random_moves_lead_to(
    tmp_path: Path,
) -> None:
    played = positions_of(random_games(60, "sample"))
    sources = [played[played.game < 30], played[played.game >= 30]]
    found = sample(sources, shipped_tables(), range(30, 33), 40, seed=1)
    assert equal(found, sample(sources, shipped_tables(), range(30, 33), 40, seed=1))
    assert not equal(found, sample(sources, shipped_tables(), range(30, 33), 40, seed=2))
    of_games = dict(zip(zip(played.own, played.other, strict=True), played.game, strict=True))
    boards = list(zip(found.own, found.other, strict=True))
    assert max(Counter(boards).values()) <= 2  # once as played, once by a random move
    assert set(found.empties()) == {30, 31, 32}
    assert np.abs(estimates(found, shipped_tables())).max() <= 2_000
    strayed = 0
    for board, game in zip(boards, found.game, strict=True):
        position = OthelloPosition(GAME, int(board[0]), int(board[1]), 0)
        assert set(position.moves()) - {PASS}
        if board not in of_games:
            strayed += 1
            parents = played[
                (played.game == game)
                & (played.empties() == 64 - sum(map(int.bit_count, position.words())) + 1)
            ]
            parent = OthelloPosition(GAME, int(parents.own[0]), int(parents.other[0]), 0)
            children = [parent.play(move).words() for move in parent.moves()]
            assert position.words() in children
    assert len(found) / 5 < strayed < len(found) / 2


def test_positions_are_judged_by_plain_searches_of_both_parities(tmp_path: Path) -> None:
    played = positions_of(random_games(12, "judged"))
    far = played[np.isin(played.empties(), (20, 33))]
    for own, other, score in zip(
        *(judged_columns(judge(far, shipped_tables(), 2, 16, 2))), strict=True
    ):
        position = OthelloPosition(GAME, own, other, 0)
        mean = (plain_search(position, 1) + plain_search(position, 2)) / 2
        assert abs(score - max(-64, min(64, mean / 100))) <= 0.5
    near = played[played.empties() == 6]
    exact = Negamax()
    for own, other, score in zip(
        *judged_columns(judge(near, shipped_tables(), 4, 16, 1)), strict=True
    ):
        assert score == (exact.score(OthelloPosition(GAME, own, other, 0)).value or 0)


def judged_columns(positions: Positions) -> Iterator[list[int]]:
    return (
        [int(x) for x in column] for column in (positions.own, positions.other, positions.score)
    )


def plain_search(position: OthelloPosition, depth: int) -> int:
    """Plain negamax to a depth, passes not counted, in hundredths of a disc."""
    if (result := position.result()) is not None:
        return 100 * (-result.score if position.turn else result.score)
    if depth == 0:
        board = np.array([position.words()], np.uint64)
        none = np.zeros(1, np.int8)
        words = Positions(board[:, 0].copy(), board[:, 1].copy(), none, none.astype(np.int32))
        return int(estimates(words, shipped_tables())[0])
    return max(
        -plain_search(position.play(move), depth - (move != PASS)) for move in position.moves()
    )


def test_judgements_are_the_same_on_any_number_of_threads() -> None:
    positions = play_games(20, shipped_tables(), depth=1, exact=4, seed=4, threads=2)
    one, two = (judge(positions, shipped_tables(), 4, 16, threads) for threads in (1, 2))
    assert equal(one, two)
    assert not np.array_equal(one.score, positions.score)


def test_as_many_squares_as_asked_are_searched_to_the_end(tmp_path: Path) -> None:
    positions = positions_of(random_games(20, "solved"))
    few = positions[positions.empties() == 6]
    exact = [
        Negamax().score(OthelloPosition(GAME, own, other, 0)).value
        for own, other in zip(*list(judged_columns(few))[:2], strict=True)
    ]
    assert list(judge(few, shipped_tables(), 2, 6, 1).score) == exact
    assert list(judge(few, shipped_tables(), 2, 5, 1).score) != exact


# ---- fitting -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def some_positions() -> Positions:
    return play_games(300, shipped_tables(), depth=1, exact=4, seed=9, threads=2)


def test_scattering_is_the_transpose_of_predicting(some_positions: Positions) -> None:
    chance = np.random.default_rng(2)
    samples = Samples(some_positions)
    tables = chance.standard_normal((STAGES, SIZE)).astype(np.float32)
    values = chance.standard_normal(len(some_positions)).astype(np.float32)
    with ThreadPoolExecutor(2) as pool:
        one_way = float(samples.predict(tables, pool).astype(np.float64) @ values)
        other_way = float((samples.scatter(values, pool).astype(np.float64) * tables).sum())
    assert one_way == pytest.approx(other_way, rel=1e-3, abs=1)


def test_a_fit_finds_weights_that_explain_the_scores(
    some_positions: Positions, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fitting, "PENALTY", np.float32(0.01))  # what is minimised is the error
    corner = np.uint64(0x8100_0000_0000_0081)
    lead = np.bitwise_count(some_positions.own & corner).astype(np.int8)
    lead -= np.bitwise_count(some_positions.other & corner).astype(np.int8)
    scored = replace(some_positions, score=np.int8(10) * lead)
    is_held_out = scored.game % 10 == 0
    held_out = Samples(scored[is_held_out])
    fit = Fit(Samples(scored[~is_held_out]), held_out, threads=2)
    for _ in range(6):
        fit.advance()
    errors = [held for _, held in fit.state.curve]
    assert errors[-1] < 0.2 * mean_square(held_out.scores, held_out.counts)
    assert [both[0] for both in fit.state.curve] == sorted(
        (both[0] for both in fit.state.curve), reverse=True
    )


def test_even_positions_teach_more_than_one_sided_ones(some_positions: Positions) -> None:
    is_odd = some_positions.game % 2 == 1
    scored = replace(some_positions, score=np.where(is_odd, 42, 0).astype(np.int8))
    fit = Fit(Samples(scored), Samples(scored[:0]), threads=1)
    samples = Samples(scored)
    for stage, average in zip(samples.stages(), fit.weights().averages, strict=True):
        scores = samples.scores[stage]
        if len(scores):  # at three times the 14 discs that count half, a tenth is left
            one_sided, even = np.count_nonzero(scores == 42), np.count_nonzero(scores == 0)
            expected = 42 * 0.1 * one_sided / (0.1 * one_sided + even)
            assert average / 100 == pytest.approx(expected, abs=0.01)


def test_a_fit_stays_near_its_prior_where_nothing_else_is_learnt(
    some_positions: Positions,
) -> None:
    prior = Weights.load(SHIPPED)
    found = estimates(some_positions, prior.tables())
    scored = replace(some_positions, score=np.rint(found / 100).astype(np.int8))
    scored = scored[np.abs(found) < 6_400]  # where an estimate ends the sum may be larger
    is_held_out = scored.game % 10 == 0
    sets = Samples(scored[~is_held_out]), Samples(scored[is_held_out])
    without, fit = (Fit(*sets, threads=2, prior=given) for given in (None, prior))
    without.advance()
    fit.advance()
    assert fit.state.curve[-1][1] < 0.5 < without.state.curve[-1][1]
    shifts = np.abs(fit.weights().values.astype(int) - prior.values)
    assert np.median(shifts) == 0
    assert shifts.max() < WEIGHT_UNIT  # a disc
    # Stages that do not occur keep what they are worth on average.
    assert fit.weights().averages[60] == prior.averages[60]


def test_a_fit_goes_on_where_it_was(some_positions: Positions, tmp_path: Path) -> None:
    is_held_out = some_positions.game % 10 == 0
    samples = Samples(some_positions[~is_held_out]), Samples(some_positions[is_held_out])
    whole = Fit(*samples, threads=2)
    for _ in range(2):
        whole.advance()
    half = Fit(*samples, threads=1)
    half.advance()
    half.state.save(tmp_path / "state.npz")
    rest = Fit(*samples, threads=1, state=State.load(tmp_path / "state.npz"))
    rest.advance()
    np.testing.assert_array_equal(rest.weights().values, whole.weights().values)
    np.testing.assert_allclose(rest.state.curve, whole.state.curve, rtol=1e-5)


# ---- all of it -----------------------------------------------------------------------------------


class Interrupted(Exception):
    """Stands for the user's."""


def quiet(_stage: str) -> Progress:
    return lambda _done, _of: None


def interrupting(stage: str) -> Callable[[str], Progress]:
    """Interrupt when the second step of a stage is done."""

    def on_stage(name: str) -> Progress:
        steps = 0

        def progress(_done: int, _of: int) -> None:
            nonlocal steps
            steps += 1
            if name == stage and steps == 2:
                raise Interrupted

        return progress

    return on_stage


def settings_of(games: tuple[str, ...], **changed: Any) -> Settings:
    few = Settings(games, selfplay=40, depth=1, exact=4, rounds=(), iterations=4, seed=1)
    return replace(few, **changed)


def test_a_training_can_be_interrupted_and_leaves_a_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pipeline, "_JUDGED_PART", 100)
    monkeypatch.setattr(pipeline, "_FIRST_ITERATIONS", 2)
    monkeypatch.setattr(pipeline, "_BANDS", (16, 26))
    games = as_rows([*map(moves_of, random_games(20, "training")), [37, 43]])
    settings = settings_of(("folder/games.txt",), rounds=(Round(2, 20),), iterations=1)
    whole = train(settings, tmp_path / "whole", 2, quiet, lambda: games)
    cut = tmp_path / "cut"
    for stage in ("fitting the weights", "judging positions of 17 to 26 empty squares"):
        with pytest.raises(Interrupted):
            train(settings, cut, 1, interrupting(stage), lambda: games)
        assert not (cut / "weights.npz").exists()
    rest = train(settings, cut, 1, quiet, lambda: games)

    first, second = (Weights.load(folder / "weights.npz") for folder in (tmp_path / "whole", cut))
    np.testing.assert_array_equal(first.values, second.values)
    assert rest.error == pytest.approx(whole.error)
    assert sum(stage.positions for stage in rest.stages) == rest.held_out

    card = (cut / "card.md").read_text("utf-8")
    assert f"{rest.error:.3f} discs" in card
    assert "python -m tools.training --games games.txt --selfplay 40" in card
    assert "folder" not in card
    assert "1 of them have illegal moves or stop early, and were left out" in card
    for name in ("curve.svg", "error.svg"):
        ElementTree.parse(cut / name)


@pytest.fixture(scope="module")
def with_prior(tmp_path_factory: pytest.TempPathFactory) -> tuple[Settings, Path, Report]:
    """A training that begins with the shipped weights, its folder and its report."""
    prior, folder = Prior.of("shipped"), tmp_path_factory.mktemp("training") / "first"
    settings = settings_of((), rounds=(Round(2, 20, solved=5),), iterations=1, prior=prior)
    return settings, folder, train(settings, folder, 2, quiet)


def test_a_prior_plays_the_games_and_judges_at_once(
    with_prior: tuple[Settings, Path, Report],
) -> None:
    shipped = Prior.of("shipped")
    _, folder, report = with_prior
    names = {file.name for file in folder.iterdir()}
    assert {"judged-1-1-000.npz", "judged-1-1-fit.npz"} <= names
    assert "games-fit.npz" not in names
    judged = Positions.load(folder / "judged-1-1-000.npz")
    assert judged.empties().min() < 5 < 40 < judged.empties().max()
    assert equal(judged, judge(judged, shipped.weights().tables(), 2, 5, 1))
    assert len(judged) == report.training + report.held_out
    # What so few positions teach changes little.
    before, after = shipped.weights().values, Weights.load(folder / "weights.npz").values
    assert np.mean((before == after)[before != 0]) > 0.9
    card = (folder / "card.md").read_text("utf-8")
    assert "python -m tools.training --prior shipped --selfplay 40" in card
    assert "--judge 2:20:5" in card
    assert shipped.digest in card


def test_what_another_training_judged_is_learnt_from_too(
    with_prior: tuple[Settings, Path, Report], tmp_path: Path
) -> None:
    settings, first, alone = with_prior
    second = tmp_path / "second"
    both = train(replace(settings, seed=2, also=(str(first),)), second, 2, quiet)
    judged = Positions.load(second / "judged-1-1-000.npz")
    assert both.training + both.held_out == alone.training + alone.held_out + len(judged)
    card = (second / "card.md").read_text("utf-8")
    assert "--prior shipped --also first --selfplay 40" in card
    assert settings.command() in card
    assert str(first.parent) not in card


def test_what_is_learnt_from_too_must_be_judged_positions_of_the_same_games(tmp_path: Path) -> None:
    empty, other = tmp_path / "empty", tmp_path / "other"
    settings = settings_of((), rounds=(Round(2, 20, solved=5),), prior=Prior.of("shipped"))
    for folder, kept in ((empty, settings), (other, replace(settings, games=("games.txt",)))):
        folder.mkdir()
        kept.save(folder)
    for folder, message in ((empty, "no positions"), (other, "other files of games")):
        out = tmp_path / f"with {folder.name}"
        with pytest.raises(TrainingError, match=message):
            train(replace(settings, also=(str(folder),)), out, 1, quiet)
        assert not out.exists()  # nothing was done for what cannot be learnt from
    (empty / "settings.json").write_text("[]")
    with pytest.raises(TrainingError, match="no settings of a training"):
        train(replace(settings, also=(str(empty),)), tmp_path / "with none", 1, quiet)
    with pytest.raises(FileNotFoundError):
        train(replace(settings, also=(str(tmp_path / "none"),)), tmp_path / "with none", 1, quiet)
    unjudged = replace(settings, rounds=(), prior=None, also=(str(other),))
    with pytest.raises(TrainingError, match="--also needs new positions"):
        train(unjudged, tmp_path / "unjudged", 1, quiet)


def test_a_prior_may_be_another_file(tmp_path: Path) -> None:
    file = tmp_path / "other.npz"
    Weights.load(SHIPPED).save(file)
    other = Prior.of(str(file))
    np.testing.assert_array_equal(other.weights().values, Weights.load(SHIPPED).values)
    with pytest.raises(FileNotFoundError):
        Prior.of(str(tmp_path / "none.npz"))


def test_a_folder_keeps_to_its_settings(tmp_path: Path) -> None:
    settings = settings_of((), exact=2, iterations=1)
    train(settings, tmp_path, 1, quiet)
    with pytest.raises(TrainingError, match="other settings"):
        train(replace(settings, seed=2), tmp_path, 1, quiet)


def test_there_must_be_something_to_learn_from(tmp_path: Path) -> None:
    nothing = settings_of((), selfplay=0)
    with pytest.raises(TrainingError, match="nothing to learn from"):
        train(nothing, tmp_path / "nothing", 1, quiet)
    with pytest.raises(TrainingError, match="a prior judges positions"):
        train(
            replace(nothing, selfplay=40, prior=Prior.of("shipped")), tmp_path / "prior", 1, quiet
        )
    with pytest.raises(TrainingError, match="too few games"):
        train(replace(nothing, selfplay=5), tmp_path / "few", 1, quiet)


def test_a_chart_has_its_lines_and_round_axes() -> None:
    picture = draw("A <title>", "x", "y", [Series("up", [(0, 1.2), (10, 7.9)])])
    texts = [element.text for element in ElementTree.fromstring(picture).iter()]
    assert {"A <title>", "up", "x", "y"} <= set(texts)
    assert {"0", "2", "4", "6", "8", "10"} <= set(texts)
    with pytest.raises(ValueError, match="at least one point"):
        draw("empty", "x", "y", [Series("none", [])])

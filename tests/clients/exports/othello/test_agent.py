import random

import numpy as np

from plywire.clients.exports.othello import agent
from plywire.clients.play.judging.oracle import Oracle
from plywire.engine.game import PASS
from plywire.engine.othello.evaluation.patterns import IMAGES, PATTERNS, STARTS, shared
from plywire.engine.othello.rules import Othello, OthelloPosition

KNOTS = (5, 35)
AVERAGES = tuple(range(-30, 31))


def random_positions(seed: int, games: int) -> list[OthelloPosition]:
    chance, positions = random.Random(seed), []
    for _ in range(games):
        position = Othello().start()
        while not position.is_over:
            positions.append(position)
            position = position.play(chance.choice(position.moves()))
    return positions


def made_up_weights() -> np.ndarray:
    count = int(shared().max()) + 1
    return np.random.default_rng(4).integers(-9, 10, (len(KNOTS), count)).astype(np.int8)


def test_moves_are_those_of_the_rules() -> None:
    for position in random_positions(1, 8):
        own, other = position.words()
        after = {m: position.play(m).words() for m in position.moves() if m != PASS}
        assert agent.moves(own, other) == after, position.fen()


def test_the_evaluation_adds_up_the_weights_of_the_patterns() -> None:
    weights, places = made_up_weights(), shared()
    evaluate = agent.Evaluation(weights.tobytes(), KNOTS, 3, AVERAGES)
    for position in random_positions(2, 3):
        own, other = position.words()
        indices = [
            places[start + pattern.index(turns, own, other)]
            for pattern, start in zip(PATTERNS, STARTS, strict=True)
            for turns in range(IMAGES)
        ]
        late, early = (3.0 * weights[:, indices]).astype(np.float32)
        share = min(max((position.plies_left - 5) / 30, 0), 1)
        expected = AVERAGES[position.plies_left] + np.rint((1 - share) * late + share * early).sum()
        (found,) = evaluate(*(np.array([word], np.uint64) for word in (own, other)))
        assert abs(found - expected) <= len(indices) / 2, "but for how halves are rounded"


def test_with_time_enough_moves_at_the_end_are_the_best() -> None:
    search = agent.Search(agent.Evaluation(made_up_weights().tobytes(), KNOTS, 3, AVERAGES))
    oracle = Oracle(nodes=1_000_000)
    late = [p for p in random_positions(3, 4) if p.plies_left == 7 and len(p.moves()) > 1]
    assert len(late) > 2
    for position in late:
        move = search.best(*position.words(), 1e9)
        assert oracle.regret(position, move) == 0, position.fen()


def test_a_pass_is_found() -> None:
    search = agent.Search(lambda own, other: np.zeros(len(own), np.int64))
    position = next(p for p in random_positions(5, 20) if p.moves() == (PASS,))
    assert search.best(*position.words(), 1e9) == PASS

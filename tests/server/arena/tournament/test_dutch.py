"""The Dutch system: what it must keep to, and rounds that another program paired."""

import json
import random
from collections import Counter
from pathlib import Path

import networkx
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from plywire.server.arena.tournament.pairings.dutch import _Bracket, pair_round
from plywire.server.arena.tournament.pairings.entrant import Entrant
from plywire.server.arena.tournament.pairings.matching import (
    Cost,
    VertexCost,
    best_matching,
    first_choices,
)

#: Tournaments with results by chance, as bbpPairings 6 paired them by the rules of 2026: by round,
#: who began, who did not, and the half points of the first; or who had the bye.
PAIRED = [
    json.loads(line)
    for line in Path(__file__).with_name("dutch_rounds.jsonl").read_text().splitlines()
]


def enter(entrants: list[Entrant], pairs: list[list[int]]) -> None:
    before = [entrant.points for entrant in entrants]
    for one, *other in pairs:
        if not other:
            entrants[one].sit_out(2)
            continue
        two, points = other
        entrants[one].play(two, 1, points, before[one] - before[two])
        entrants[two].play(one, -1, 2 - points, before[two] - before[one])


@pytest.mark.parametrize("tournament", PAIRED, ids=lambda one: f"{one['players']} players")
def test_rounds_are_paired_as_bbppairings_does(tournament) -> None:
    entrants = [Entrant() for _ in range(tournament["players"])]
    rounds = tournament["rounds"]
    for number, pairs in enumerate(rounds):
        most = 2 * number if number == len(rounds) - 1 else None
        expected = sorted(tuple(pair[:2]) for pair in pairs if len(pair) == 3)
        assert sorted(pair_round(entrants, most)) == expected
        enter(entrants, pairs)


@given(count=st.integers(10, 40), halves=st.sampled_from([2, 4]), data=st.data())
def test_a_round_keeps_the_absolute_criteria(count, halves, data) -> None:
    entrants = [Entrant() for _ in range(count)]
    met: set[frozenset[int]] = set()
    byes: Counter[int] = Counter()
    for number in range(5):
        pairs = pair_round(entrants)
        players = [player for pair in pairs for player in pair]
        assert len(set(players)) == len(players) == count - count % 2
        out = set(range(count)) - set(players)
        byes.update(out)
        assert all(times == 1 for times in byes.values())
        assert not met & set(map(frozenset, pairs))
        met |= set(map(frozenset, pairs))
        before = [entrant.points for entrant in entrants]
        for one, two in pairs:
            points = data.draw(st.integers(0, halves))
            entrants[one].play(two, 1, points, before[one] - before[two])
            entrants[two].play(one, -1, halves - points, before[two] - before[one])
        for one in out:
            # Nobody of fewer points could have had it.
            assert all(byes[other] for other in range(count) if before[other] < before[one])
            entrants[one].sit_out(halves)
        for entrant in entrants:
            assert abs(entrant.difference) <= 2
            assert entrant.colours[-3:] not in ([1, 1, 1], [-1, -1, -1])
            assert len(entrant.floats) == number + 1


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(count=st.integers(4, 40), seed=st.integers(0, 1000), draws=st.sampled_from([0, 0.1, 0.5]))
def test_a_bracket_is_paired_the_same_with_all_players_below_in_view(
    count, seed, draws, monkeypatch
) -> None:
    chance = random.Random(seed)
    entrants = [Entrant() for _ in range(count)]
    for _ in range(6):
        pairs = pair_round(entrants)
        with monkeypatch.context() as patch:
            patch.setattr(_Bracket, "_can_move", lambda *_: None)
            patch.setattr(_Bracket, "_can_pair_rest", lambda *_: False)
            assert pair_round(entrants) == pairs
        paired = {player for pair in pairs for player in pair}
        results = [[*p, 1 if chance.random() < draws else chance.choice([0, 2])] for p in pairs]
        enter(entrants, [*results, *[[one] for one in range(count) if one not in paired]])


def test_only_an_odd_score_group_has_a_floater() -> None:
    entrants = [Entrant() for _ in range(12)]
    for _ in range(2):
        pairs = pair_round(entrants)
        assert all(entrants[one].points == entrants[two].points for one, two in pairs)
        enter(entrants, [[one, two, 2 if one < two else 0] for one, two in pairs])
    third = pair_round(entrants)
    assert sum(entrants[one].points != entrants[two].points for one, two in third) == 2


def test_absolute_criteria_give_way_when_there_is_no_other_round() -> None:
    entrants = [Entrant() for _ in range(3)]
    for _ in range(5):
        pairs = pair_round(entrants)
        assert len(pairs) == 1
        (out,) = set(range(3)) - set(pairs[0])
        enter(entrants, [[*pairs[0], 2], [out]])
    assert max(entrant.byes for entrant in entrants) == 2
    assert max(Counter(entrants[0].opponents).values()) == 2


# Matchings


def best(graph: networkx.Graph) -> tuple[int, int]:
    """How many pairs a best matching has, and its weight."""
    found = networkx.max_weight_matching(graph, maxcardinality=True)
    return len(found), sum(graph[one][two]["weight"] for one, two in found)


def first_best(graph: networkx.Graph, choosers: list[int], choices: list[int]) -> dict[int, int]:
    """Give the choosers, in turn, the first choice that a best matching allows."""
    graph = graph.copy()
    pairs, weight = best(graph)
    found = {}
    for one in choosers:
        for two in choices if graph.has_node(one) else []:
            if graph.has_edge(one, two):
                left = graph.copy()
                left.remove_nodes_from([one, two])
                lost = graph[one][two]["weight"]
                if best(left) == (pairs - 1, weight - lost):
                    found[one] = two
                    graph, pairs, weight = left, pairs - 1, weight - lost
                    break
    return found


@given(
    data=st.data(),
    size=st.integers(1, 8),
    most=st.sampled_from([1, 3, 20]),
    # With the last bound, the costs leave room for one turn at a time in a weight of 128 bits.
    bound=st.sampled_from([8 * 20, 10**12, 10**17]),
)
def test_a_matching_is_the_best_and_turns_take_the_first_that_keep_it_so(
    data, size, most, bound
) -> None:
    count = 2 * size
    drawn = st.lists(st.integers(0, most), min_size=count * count, max_size=count * count)
    numbers = np.array(data.draw(drawn)).reshape(count, count)
    first = np.triu(numbers, 1) + np.triu(numbers, 1).T
    second = np.tril(numbers, -1) + np.tril(numbers, -1).T
    payers = np.array(data.draw(st.lists(st.booleans(), min_size=count, max_size=count)))
    paid = payers[:, None] ^ payers
    allowed = (first < most) & ~np.eye(count, dtype=bool)
    graph = networkx.Graph()
    graph.add_nodes_from(range(count))
    for one, two in np.argwhere(np.triu(allowed)).tolist():
        weight = -(1_000_000 * paid[one, two] + 1000 * first[one, two] + second[one, two])
        graph.add_edge(one, two, weight=int(weight))
    everybody = data.draw(st.permutations(range(count)))
    ranks = np.argsort(everybody)
    choosers = everybody[: size // 2 + 1]
    costs = [Cost(paid, int(payers.sum()), payers), Cost(first, bound), Cost(second, bound)]
    turns = [VertexCost(one, ranks) for one in choosers]
    pairs, weight = best(graph)
    if pairs < size:
        with pytest.raises(ValueError, match="no perfect matching"):
            best_matching(allowed, costs, turns)
        return
    mates = best_matching(allowed, costs, turns)
    assert sum(graph[one][mates[one]]["weight"] for one in range(count)) == 2 * weight
    for one, two in first_best(graph, choosers, everybody).items():
        assert mates[one] == two


def test_costs_that_fill_a_weight_and_have_to_be_weighed_again_are_an_error() -> None:
    allowed = ~np.eye(4, dtype=bool)
    costs = [Cost(np.ones((4, 4), np.int64), 10**40)] * 2
    with pytest.raises(OverflowError, match="more than 128 bits"):
        best_matching(allowed, costs)


@given(
    data=st.data(),
    size=st.integers(1, 8),
    most=st.sampled_from([1, 3, 20]),
    bound=st.sampled_from([8 * 20, 10**12]),
)
def test_rows_take_the_first_columns_that_keep_a_matching_best(data, size, most, bound) -> None:
    drawn = st.lists(st.integers(0, most), min_size=size * size, max_size=size * size)
    first = np.array(data.draw(drawn)).reshape(size, size)
    second = np.array(data.draw(drawn)).reshape(size, size)
    allowed = (first < most) | np.eye(size, dtype=bool)
    graph = networkx.Graph()
    for row, column in np.argwhere(allowed).tolist():
        weight = -(1000 * first[row, column] + second[row, column])
        graph.add_edge(row, size + column, weight=int(weight))
    found = dict(map(sorted, networkx.max_weight_matching(graph, maxcardinality=True)))
    mates = np.array([found[row] - size for row in range(size)])
    choosers = data.draw(st.integers(0, size))
    chosen = first_choices(allowed, [Cost(first, bound), Cost(second, bound)], mates, choosers)
    expected = first_best(graph, list(range(choosers)), list(range(size, 2 * size)))
    assert chosen == [expected[row] - size for row in range(choosers)]

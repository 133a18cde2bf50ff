"""The Dutch system: what it must keep to, and rounds that another program paired."""

import json
from collections import Counter
from pathlib import Path

import networkx
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from plywire.server.arena.tournament.pairings.dutch import Entrant, pair_round
from plywire.server.arena.tournament.pairings.matching import NO_EDGE, Matching

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


@settings(max_examples=60, deadline=None)
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


@settings(max_examples=150, deadline=None)
@given(data=st.data(), size=st.integers(1, 8), most=st.sampled_from([1, 3, 20]))
def test_a_matching_is_the_best_and_choices_are_the_first_that_keep_it_so(data, size, most) -> None:
    count = 2 * size
    numbers = iter(
        data.draw(
            st.lists(st.integers(-most, most), min_size=count * count, max_size=count * count)
        )
    )
    weights = np.zeros((count, count, 3), np.int64)
    weights[:, :, 0] = NO_EDGE
    graph = networkx.Graph()
    graph.add_nodes_from(range(count))
    for one in range(count):
        for two in range(one):
            first, second = next(numbers), next(numbers)
            if first < most:
                weights[one, two] = weights[two, one] = (first, second, 0)
                graph.add_edge(one, two, weight=1000 * first + second)
    pairs, weight = best(graph)
    if pairs < size:
        with pytest.raises(ValueError, match="no perfect matching"):
            Matching(weights, np.arange(count))
        return
    matching = Matching(weights, np.arange(count))
    mates = matching.mates
    assert sum(graph[one][mates[one]]["weight"] for one in range(count)) == 2 * weight
    everybody = data.draw(st.permutations(range(count)))
    expected = []
    for one in everybody[: size // 2 + 1]:
        for two in everybody if graph.has_node(one) else []:
            if graph.has_edge(one, two):
                left = graph.copy()
                left.remove_nodes_from([one, two])
                lost = graph[one][two]["weight"]
                if best(left) == (pairs - 1, weight - lost):
                    expected.append((one, two))
                    graph, pairs, weight = left, pairs - 1, weight - lost
                    break
    choosers = np.array([one for one, _ in expected])
    assert matching.choose(choosers, np.array(everybody)) == expected

"""What a finished tournament must look like by the rules of its format, from its records alone."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import combinations

from plywire.clients.play.matches.records import GameRecord

Pair = frozenset[str]


def check_course(
    system: str, records: Sequence[GameRecord], players: Sequence[str], games: int
) -> None:
    """Assert that who met whom, how often and when is as that system has it.

    `games` is how many a pairing has; the first of the players is the one who challenges in a
    gauntlet. All games must have been played.
    """
    assert [record.number for record in records] == list(range(len(records)))
    for even, odd in zip(records[::2], records[1::2], strict=True):
        assert even.players == odd.players[::-1]
        assert even.moves[: even.opening] == odd.moves[: odd.opening]
        assert (even.game, even.fen, even.round) == (odd.game, odd.fen, odd.round)
    by_round: dict[int, Counter[Pair]] = defaultdict(Counter)
    for record in records:
        by_round[record.round or 0][frozenset(record.players)] += 1
    met: Counter[Pair] = Counter()
    for pairs in by_round.values():
        met += pairs
    everybody = {frozenset(pair) for pair in combinations(players, 2)}
    match system:
        case "round-robin":
            assert met == dict.fromkeys(everybody, games)
        case "gauntlet":
            assert met == dict.fromkeys((pair for pair in everybody if players[0] in pair), games)
        case "swiss":
            before: set[Pair] = set()
            for _, pairs in sorted(by_round.items()):
                is_new = before.isdisjoint(pairs)
                assert is_new or not _can_be_new(list(players), before), "nobody meets again"
                before |= pairs.keys()
                assert set(pairs.values()) == {games}
                seen = Counter(player for pair in pairs for player in pair)
                assert set(seen.values()) == {1}
                assert len(seen) >= len(players) - 1
        case "knockout":
            _check_knockout(by_round, records, players, games)


def _can_be_new(players: list[str], met: set[Pair]) -> bool:
    """Whether all of an even number of players can be paired who have not met."""
    if not players:
        return True
    first, *others = players
    return any(
        frozenset((first, other)) not in met
        and _can_be_new([player for player in others if player != other], met)
        for other in others
    )


def _check_knockout(
    by_round: dict[int, Counter[Pair]],
    records: Sequence[GameRecord],
    players: Sequence[str],
    games: int,
) -> None:
    left = set(players)
    for round, pairs in sorted(by_round.items()):
        seen = Counter(player for pair in pairs for player in pair)
        assert set(seen.values()) == {1}
        assert seen.keys() <= left, "who is out plays no more"
        for pair, count in pairs.items():
            points: Counter[str] = Counter(dict.fromkeys(pair, 0))
            for record in records:
                if record.round == round and frozenset(record.players) == pair:
                    if record.winner is None:
                        points.update(record.players)
                    else:
                        points[record.players[record.winner - 1]] += 2
            better, worse = sorted(
                pair, key=lambda player: (-points[player], players.index(player))
            )
            assert count >= games
            assert count == games or count % 2 == 0, "tie-breaks are pairs of games"
            left.remove(worse)
            assert better in left
    assert len(left) == 1

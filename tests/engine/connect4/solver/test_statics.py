"""What the solver knows of a position without searching: keys, forced moves, follow-up proofs."""

import random

import pytest

from plywire.engine.connect4.rules import Connect4, Connect4Position
from tests.support.connect4_truth import Truth, late_position
from tests.support.kernels import signed, solver_kernels, written


def words(position: Connect4Position) -> tuple[int, int, int]:
    game = position.game
    stones = (position.own | position.other).bit_count()
    return position.own, position.other, game.width * game.height - stones


def key_of(position: Connect4Position) -> int:
    key: int = solver_kernels(position.game.width, position.game.height).key_of(*words(position))
    return key


def has_winning_move(position: Connect4Position) -> bool:
    return any(position.game.has_four(position.own | 1 << move) for move in position.moves())


def replies(position: Connect4Position) -> list[int]:
    """The moves after which the opponent does not win at once."""
    return [move for move in position.moves() if not has_winning_move(position.play(move))]


def quiet(position: Connect4Position) -> bool:
    return not has_winning_move(position) and len(replies(position)) > 1


def mirrored(position: Connect4Position) -> Connect4Position:
    game, stride = position.game, position.game.height + 1

    def image(stones: int) -> int:
        columns = [stones >> x * stride & (1 << stride) - 1 for x in range(game.width)]
        return sum(column << x * stride for x, column in enumerate(reversed(columns)))

    return Connect4Position(game, image(position.own), image(position.other), position.turn)


@pytest.mark.parametrize(("width", "height"), [(7, 6), (5, 4)])
def test_forced_moves_are_played_to_a_quiet_or_decided_position(width: int, height: int) -> None:
    game = Connect4(width, height)
    cells = width * height
    play_forced = solver_kernels(width, height).play_forced
    chance = random.Random(2)
    ended = set()
    for _ in range(600):
        position = late_position(game, chance.randrange(1, cells), chance)
        if has_winning_move(position):
            continue
        own, other, empty = words(position)
        found = written(5, play_forced, own, other, cells - empty)
        while len(left := replies(position)) == 1:
            position = position.play(left[0])
        stones = (position.own | position.other).bit_count()
        full = stones == cells
        assert found[:3] == (position.own, position.other, stones)
        assert found[3] == sum(1 << move for move in left)
        if not left:
            assert signed(found[4]) == (0 if full else -((cells - stones) // 2))
        ended.add((bool(left), full))
    assert ended == {(True, False), (False, False), (False, True)}


def test_a_position_and_its_mirror_image_share_a_key_while_the_board_is_fairly_empty() -> None:
    game = Connect4()
    chance = random.Random(3)
    for _ in range(200):
        position = late_position(game, chance.randrange(29, 42), chance)
        assert key_of(position) == key_of(mirrored(position))


def test_positions_that_share_a_key_are_worth_the_same() -> None:
    game = Connect4(5, 4)
    truth = Truth(game)
    chance = random.Random(4)
    for _ in range(10):
        truth.score(late_position(game, 9, chance))
    # A four ends the game: of such positions no key is asked for.
    going_on = {
        stones: score for stones, score in truth.known.items() if not game.has_four(stones[1])
    }
    scores: dict[int, int] = {}
    for (own, other), score in going_on.items():
        key = key_of(Connect4Position(game, own, other, 0))
        assert scores.setdefault(key, score) == score
    assert len(scores) < len(going_on)


@pytest.mark.parametrize(("width", "height"), [(5, 4), (4, 5), (5, 5)])
def test_follow_up_play_proves_nothing_that_is_not_so(width: int, height: int) -> None:
    game = Connect4(width, height)
    truth = Truth(game)
    follow_up = solver_kernels(width, height).follow_up
    chance = random.Random(5)
    proven: dict[tuple[int, int], int] = {}
    for _ in range(700):
        position = late_position(game, chance.randrange(4, 11), chance)
        if not quiet(position):
            continue
        own, other, empty = words(position)
        odd = 0 if empty % 2 == 0 else 2**64 - 1
        proof = follow_up(own, other, odd, True)
        brief = follow_up(own, other, odd, False)
        assert bool(brief) == bool(proof)
        assert brief <= proof
        if proof:
            assert truth.score(position) <= 1 - proof
            case = empty % 2, proof
            proven[case] = proven.get(case, 0) + 1
    # Otherwise the test would show nothing.
    assert {parity for parity, _ in proven} == {0, 1}
    assert any(proof > 1 for parity, proof in proven if parity == 0)

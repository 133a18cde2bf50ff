"""What the rules of every game keep to."""

import pickle
import subprocess
import sys
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywire.engine import registry
from plywire.engine.game import (
    PASS,
    Game,
    IllegalMoveError,
    PositionError,
    RulesError,
    UnknownGameError,
)
from tests.support.walks import walks

GAMES = {
    f"{game.name}-{game.size}": game
    for game in (
        registry.load("connect4"),
        registry.load("connect4", "4x4"),
        registry.load("connect4", "12x4"),
        registry.load("connect4", "4x15"),
        registry.load("connect4", "8x7"),
        registry.load("othello"),
        registry.load("tictactoe"),
    )
}


each_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)


# --- every game -----------------------------------------------------------------------------------


@each_game
@given(data=st.data())
def test_positions_survive_their_position_string(game: Game, data: st.DataObject) -> None:
    for position in data.draw(walks(game)):
        again = game.parse(position.fen())
        assert again == position
        assert hash(again) == hash(position)
        assert again.words() == position.words()
        assert game.parse(position.fen().upper()) == position


@each_game
@given(data=st.data())
def test_moves_survive_their_names(game: Game, data: st.DataObject) -> None:
    for position in data.draw(walks(game)):
        moves = position.moves()
        assert list(moves) == sorted(set(moves))
        names = [game.move_name(move) for move in moves]
        assert [game.parse_move(position, name) for name in names] == list(moves)
        assert [game.parse_move(position, name.upper()) for name in names] == list(moves)


@each_game
@given(data=st.data())
def test_exactly_the_legal_moves_can_be_played(game: Game, data: st.DataObject) -> None:
    position = data.draw(walks(game))[-1]
    before = position.fen()
    playable = []
    for move in range(-1, PASS + 2):
        try:
            after = position.play(move)
        except IllegalMoveError:
            continue
        playable.append(move)
        assert after.turn == 1 - position.turn
    assert tuple(playable) == position.moves()
    assert position.fen() == before


@each_game
@given(data=st.data())
def test_a_game_is_over_when_there_is_no_move(game: Game, data: st.DataObject) -> None:
    *earlier, last = data.draw(walks(game))
    assert not any(position.is_over for position in earlier)
    result = last.result()
    assert last.is_over == (not last.moves()) == (result is not None)
    if result is not None:
        assert result.winner == (None if result.score == 0 else 0 if result.score > 0 else 1)
        with pytest.raises(IllegalMoveError, match=f"game is over, {result.reason}"):
            game.parse_move(last, "a1")


@each_game
@given(data=st.data())
def test_a_move_adds_one_piece_on_its_square(game: Game, data: st.DataObject) -> None:
    walk = data.draw(walks(game))
    for before, after in pairwise(walk):
        pieces = ["".join(position.cells()) for position in (before, after)]
        changed = pieces[0].count(".") - pieces[1].count(".")
        (move,) = (move for move in before.moves() if before.play(move) == after)
        assert changed == (0 if move == PASS else 1)


@each_game
@given(data=st.data())
def test_names_lead_through_a_whole_game(game: Game, data: st.DataObject) -> None:
    walk = data.draw(walks(game))
    names = []
    for before, after in pairwise(walk):
        names += [game.move_name(m) for m in before.moves() if before.play(m) == after]
    assert game.start().play_names(names) == walk[1:]


def test_an_illegal_name_is_placed_and_the_legal_ones_listed() -> None:
    start = registry.load("tictactoe").start()
    with pytest.raises(IllegalMoveError) as one:
        start.play_names(["z9"])
    assert str(one.value) == ("no move 'z9' here: the legal moves are a1 b1 c1 a2 b2 c2 a3 b3 c3")
    with pytest.raises(IllegalMoveError) as later:
        start.play_names(["a1", "b2", "a1"])
    assert str(later.value) == (
        "move 3: no move 'a1' here: the legal moves are b1 c1 a2 c2 a3 b3 c3"
    )


@each_game
def test_boards_are_drawn_with_every_square(game: Game) -> None:
    position = game.start()
    lines = position.board().splitlines()
    assert len(lines) == game.height + 1
    assert [line.split()[1:] for line in lines[:-1]] == [list(row) for row in position.cells()]
    assert len({len(line) for line in lines}) == 1
    assert len(lines[-1].split()) == game.width


@each_game
def test_square_names_differ(game: Game) -> None:
    position = game.start()
    seen = {}
    while moves := position.moves():
        for move in moves:
            assert seen.setdefault(game.square_name(move), move) == move
        position = position.play(moves[0])
    assert all(name[0].isalpha() and name[1:].isdigit() for name in seen if name != "-")


@each_game
def test_positions_can_be_pickled(game: Game) -> None:
    position = game.start().play(game.start().moves()[0])
    assert pickle.loads(pickle.dumps(position)) == position


@each_game
@given(text=st.text(alphabet="xo/0123456789 .X٣-", max_size=60))
def test_any_text_is_a_position_or_a_short_error(game: Game, text: str) -> None:
    try:
        position = game.parse(text)
    except PositionError as error:
        message = str(error)
    else:
        message = ""
        assert game.parse(position.fen()) == position
    assert len(message) < 250
    assert message.isprintable()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "bad position ''"),
        ("3/3/3", "bad position '3/3/3'"),
        ("3/3/3 x x", "bad position"),
        ("3/3/3 b", "bad player to move 'b': it is x or o"),
        ("3/3 x", "the position has 2 rows, but the board is 3x3 and has 3"),
        ("3/3/3/3 x", "the position has 4 rows"),
        ("3/4/3 x", "row '4', number 2 from the top, has 4 squares, but the board is 3 wide"),
        ("3/11/3 x", "has 11 squares"),
        ("3//3 x", "bad row '', number 2 from the top"),
        ("3/03/3 x", "bad row '03'"),
        ("3/٣/3 x", "bad row '٣'"),
        ("3/999/3 x", "bad row '999'"),
        ("3/" + "9" * 10_000 + "/3 x", "number 2 from the top"),
        ("3/3/3 x\x07\n", "bad player to move 'x\\x07'"),
    ],
)
def test_position_errors_say_what_is_wrong(text: str, message: str) -> None:
    with pytest.raises(PositionError) as error:
        registry.load("tictactoe").parse(text)
    assert message in str(error.value)
    assert len(str(error.value)) < 250


def test_rules_errors_are_value_errors() -> None:
    assert issubclass(RulesError, ValueError)
    assert issubclass(UnknownGameError, RulesError)
    assert issubclass(IllegalMoveError, RulesError)
    assert issubclass(PositionError, RulesError)


def test_rules_are_loaded_and_played_without_numba() -> None:
    program = (
        "import sys\n"
        "from plywire.engine import registry\n"
        "for name in registry.names():\n"
        "    start = registry.load(name).start()\n"
        "    start.play(start.moves()[0]).board()\n"
        "print(sorted({'numba', 'numpy', 'llvmlite'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("[]\n", "")

"""What every game keeps to, and the registry."""

import pickle
import subprocess
import sys
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywire.engine import game as games
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
        games.load("connect4"),
        games.load("connect4", "4x4"),
        games.load("connect4", "12x4"),
        games.load("connect4", "4x15"),
        games.load("connect4", "8x7"),
        games.load("othello"),
        games.load("tictactoe"),
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
    start = games.load("tictactoe").start()
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
        games.load("tictactoe").parse(text)
    assert message in str(error.value)
    assert len(str(error.value)) < 250


# --- the registry ---------------------------------------------------------------------------------


def test_the_three_games_are_registered() -> None:
    assert games.names()[:3] == ("connect4", "othello", "tictactoe")
    for name in games.names()[:3]:
        game = games.load(name)
        assert game.name == name
        assert games.load(name, game.size) == game
        assert hash(games.load(name, game.size.upper())) == hash(game)


def test_unknown_games_are_named_with_the_known() -> None:
    with pytest.raises(UnknownGameError, match="unknown game 'chess': the games are connect4, oth"):
        games.load("chess")


@pytest.mark.parametrize("size", ["", "7", "7x", "x6", "0x6", "7x6x5", "-7x6", "7 x6", "٧x6"])
def test_malformed_sizes_are_refused(size: str) -> None:
    with pytest.raises(PositionError, match="write WIDTHxHEIGHT, such as 7x6"):
        games.load("connect4", size)


@pytest.mark.parametrize(
    ("name", "size", "accepted"),
    [
        ("connect4", "3x6", r"width and height are at least 4, and width\*\(height\+1\) is at mo"),
        ("connect4", "6x3", "at least 4"),
        ("connect4", "9x7", "at most 64"),
        ("connect4", "99x99", "no Connect Four board of 99x99"),
        ("othello", "10x10", "no Othello board of 10x10: it is 8x8"),
        ("tictactoe", "4x4", "no Tic-Tac-Toe board of 4x4: it is 3x3"),
    ],
)
def test_impossible_sizes_are_refused(name: str, size: str, accepted: str) -> None:
    with pytest.raises(PositionError, match=accepted):
        games.load(name, size)


def test_a_registered_game_can_be_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(games, "_REGISTRY", dict(games._REGISTRY))
    games.register("xox", "plywire.engine.tictactoe.rules:TicTacToe")
    assert "xox" in games.names()
    assert games.load("xox") == games.load("tictactoe")


def test_rules_errors_are_value_errors() -> None:
    assert issubclass(RulesError, ValueError)
    assert issubclass(UnknownGameError, RulesError)
    assert issubclass(IllegalMoveError, RulesError)
    assert issubclass(PositionError, RulesError)


def test_rules_are_loaded_and_played_without_numba() -> None:
    program = (
        "import sys\n"
        "from plywire.engine import game\n"
        "for name in game.names():\n"
        "    start = game.load(name).start()\n"
        "    start.play(start.moves()[0]).board()\n"
        "print(sorted({'numba', 'numpy', 'llvmlite'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)
    assert (done.stdout, done.stderr) == ("[]\n", "")

import pickle

import pytest

from plywire.clients import Board, Move
from plywire.engine.game import IllegalMoveError, PositionError, UnknownGameError
from plywire.engine.registry import load


def test_moves_are_made_by_name_or_number_and_taken_back() -> None:
    board = Board("othello")
    assert [move.name for move in board.legal_moves] == ["d3", "c4", "f5", "e6"]
    assert board.turn == 1
    board.push("D3")
    assert (board.turn, str(board.move_stack)) == (2, "(Move(19, 'd3'),)")
    after = board.line
    board.push(board.legal_moves[0])
    assert board.line.names == ("d3", "c3")
    assert f"{board.pop()}" == "c3"
    assert board.line == after
    board.pop()
    assert board.fen() == load("othello").start().fen()
    assert str(board) == load("othello").start().board()
    with pytest.raises(IndexError, match="there is no move to take back"):
        board.pop()


@pytest.mark.parametrize("move", ["z9", "", 99, -1, None, 1.5])
def test_a_move_that_is_not_legal_changes_nothing(move: object) -> None:
    board = Board("connect4", size="5x4")
    with pytest.raises(IllegalMoveError, match="the legal moves are 1 2 3 4 5"):
        board.push(move)  # type: ignore[arg-type]
    assert board.move_stack == ()


def test_how_a_game_ends() -> None:
    board = Board()
    for move in "121212":
        assert board.outcome() is None
        board.push(move)
    assert not board.is_game_over()
    board.push("1")
    assert board.is_game_over()
    assert board.legal_moves == ()
    outcome = board.outcome()
    assert outcome is not None
    assert (outcome.winner, outcome.reason) == (1, "four in a row")


def test_boards_of_the_same_position_are_equal() -> None:
    one, two = Board("othello"), Board("othello")
    assert one == two
    one.push("d3")
    assert one != two
    two.push("D3")
    assert one == two
    # The moves that led there do not count, the game and the size do.
    assert Board("othello", one.fen()) == one
    assert Board("connect4", size="5x4") != Board("connect4")
    assert Board("connect4") != Board("tictactoe")
    assert Board("connect4") != "connect4"
    with pytest.raises(TypeError, match="unhashable"):
        hash(one)


@pytest.mark.parametrize("size", [None, "5x4"])
def test_a_board_is_shown_as_what_makes_it(size: str | None) -> None:
    board = Board("connect4", size=size)
    board.push("4")
    shown = repr(board)
    assert ("size='5x4'" in shown) == (size is not None)
    assert eval(shown) == board


def test_moves_are_found_by_name_or_number() -> None:
    board = Board("othello")
    moves = board.legal_moves
    assert "d3" in moves
    assert "D3" in moves
    assert 19 in moves
    assert moves[0] in moves
    assert "a1" not in moves
    assert None not in moves
    board.push("d3")
    assert "d3" in board.move_stack
    assert "c3" in board.line.legal_moves


def test_a_position() -> None:
    board = Board("connect4", "7/7/7/7/7/3x3 o")
    assert board.turn == 2
    with pytest.raises(PositionError):
        Board("connect4", "nonsense")
    with pytest.raises(UnknownGameError):
        Board("chess")


def test_a_move_is_its_number_and_travels() -> None:
    move = Move(19, "d3")
    assert move == 19
    assert {move: 1}[19] == 1
    again = pickle.loads(pickle.dumps(move))
    assert (again, again.name) == (19, "d3")

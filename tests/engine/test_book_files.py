"""Opening books in files: of which game one is, and the engine that plays from it."""

import pickle
import random
import shutil
from pathlib import Path

import numpy as np
import pytest

from plywire.engine.connect4.book.book import Book as SolvedBook
from plywire.engine.connect4.rules import Connect4, Connect4Position
from plywire.engine.engine import LocalEngine
from plywire.engine.limits import SearchLimits
from plywire.engine.othello.backend import OthelloBackend
from plywire.engine.othello.rules import Othello
from plywire.engine.registry import read_book
from plywire.engine.tictactoe.backend import TicTacToeBackend
from plywire.engine.tictactoe.rules import TicTacToe
from tests.support.books import WORTH, one_line, start_alone

LIMITS = SearchLimits(movetime=60_000)


def test_a_book_says_of_which_game_it_is(tmp_path: Path) -> None:
    assert read_book(one_line(tmp_path)).game == Othello()
    assert read_book(start_alone(tmp_path)).game == Connect4(4, 4)


def test_a_book_is_read_once_while_its_file_is_the_same(tmp_path: Path) -> None:
    file = one_line(tmp_path)
    book = read_book(file)
    assert read_book(file) is book
    shutil.copyfile(start_alone(tmp_path), file)
    assert read_book(file).game == Connect4(4, 4)


def test_what_is_no_book_is_refused(tmp_path: Path) -> None:
    damaged = one_line(tmp_path)
    damaged.write_bytes(damaged.read_bytes()[:-40])
    text, other = tmp_path / "notes.txt", tmp_path / "other.npz"
    text.write_text("f5d6c3\n")
    np.savez(other, words=np.zeros(3))
    for file in (damaged, text, other):
        with pytest.raises(ValueError, match=f"{file.name} is not an opening book of any game"):
            LocalEngine(book=file)
    with pytest.raises(FileNotFoundError):
        LocalEngine(book=tmp_path / "none.npz")
    with pytest.raises(ValueError, match="no opening books"):
        TicTacToeBackend(TicTacToe()).read_book(text)


def test_the_engine_plays_from_a_file_also_when_it_was_pickled(tmp_path: Path) -> None:
    engine = LocalEngine(hash_mb=1, book=one_line(tmp_path))
    for player in (engine, pickle.loads(pickle.dumps(engine))):
        position, played = Othello().start(), []
        for _ in range(3):
            analysis = player.analyse(position, LIMITS)
            assert (analysis.nodes, abs(analysis.lines[0].score.value)) == (0, WORTH)
            assert analysis.best is not None
            position = position.play(analysis.best)
            played.append(position)
        assert len(played) == 3


def test_other_games_keep_their_own_books(tmp_path: Path) -> None:
    engine = LocalEngine(hash_mb=1, book=start_alone(tmp_path))
    (line,) = engine.analyse(Othello().start(), LIMITS).lines
    assert (line.nodes, line.depth) == (0, 18)


def test_backends_take_their_own_books_alone(tmp_path: Path) -> None:
    chance = random.Random(1)
    backend, start = OthelloBackend(Othello()), Othello().start()
    for book, has_line in ((True, True), (False, False), (read_book(one_line(tmp_path)), True)):
        assert (backend.opening_line(start, chance, book) is not None) is has_line
    assert backend.opening_line(start, chance, read_book(start_alone(tmp_path))) is None


def test_the_solver_asks_the_book_in_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []
    get = SolvedBook.get

    def spy(book: SolvedBook, position: Connect4Position) -> int | None:
        asked.append((book, position))
        return get(book, position)

    monkeypatch.setattr(SolvedBook, "get", spy)
    file, start = start_alone(tmp_path), Connect4(4, 4).start()
    LocalEngine(hash_mb=1, book=True).analyse(start)
    assert asked == []  # there is none of this size in the package
    LocalEngine(hash_mb=1, book=file).analyse(start)
    assert (read_book(file), start) in asked

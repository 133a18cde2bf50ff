"""Opening books in files, as small as can be."""

from pathlib import Path

import numpy as np

from plywire.engine.connect4.book.keys import book_key
from plywire.engine.connect4.rules import Connect4
from plywire.engine.othello.book.book import Book, key
from plywire.engine.othello.rules import Othello
from tools.books.connect4.writing import book_of, save

#: What nothing else would find, in hundredths of a disc.
WORTH = 77


def one_line(folder: Path) -> Path:
    """A book of Othello with one line of three plies."""
    start = Othello().start()
    line = [start, *start.play_names(["f5", "d6", "c3"])]
    values = {key(node): WORTH * (-1) ** ply for ply, node in enumerate(line)}  # type: ignore[arg-type]
    file = folder / "one-line.npz"
    Book(values, depth=9).save(file)
    return file


def start_alone(folder: Path) -> Path:
    """A book of Connect Four on 4x4 that knows of the start alone that it is a draw."""
    game = Connect4(4, 4)
    keys = np.array([book_key(game.start())], np.uint64)
    file = folder / "start-alone.npz"
    save(book_of(game, 0, keys, np.zeros(1, np.int8)), file)
    return file

"""Looking positions up in a book, playing from it, and its file."""

import random
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from plywire.engine.othello.book.book import MARGIN, START, Book, Key, key, position_of
from plywire.engine.othello.book.symmetry import images
from plywire.engine.othello.rules import Othello, OthelloPosition

GAME = Othello()
PLIES = 6


@pytest.fixture(scope="module")
def book() -> Book:
    """All positions of the first plies; chance says what the last are worth."""
    layers: list[set[Key]] = [{START}]
    for _ in range(PLIES):
        positions = map(position_of, layers[-1])
        layers.append({key(node.play(move)) for node in positions for move in node.moves()})
    chance = random.Random(1)
    values = {node: chance.randint(-400, 400) for node in sorted(layers.pop())}
    for layer in reversed(layers):
        for node in layer:
            position = position_of(node)
            values[node] = max(-values[key(position.play(move))] for move in position.moves())
    return Book(values, depth=7)


def positions(book: Book, count: int) -> list[OthelloPosition]:
    return [position_of(node) for node in random.Random(2).sample(sorted(book), count)]


def test_the_book_knows_all_images_of_a_position_alike(book: Book) -> None:
    for position in positions(book, 100):
        value = book.get(position)
        moves, choices = book.moves(position), book.near_best(position)
        assert value is not None
        turned = zip(images(position.own), images(position.other), strict=True)
        for place, (own, other) in enumerate(turned):
            image = OthelloPosition(GAME, own, other, position.turn)
            where = {move: list(images(1 << move))[place].bit_length() - 1 for move in moves}
            assert book.get(image) == value
            assert book.moves(image) == {where[move]: worth for move, worth in moves.items()}
            assert set(book.near_best(image)) == {where[move] for move in choices}


def test_moves_near_the_best_are_legal_and_within_the_margin(book: Book) -> None:
    several = 0
    for position in positions(book, 200):
        value, choices = book.get(position), book.near_best(position)
        assert value is not None
        for move, worth in choices.items():
            child = book.get(position.play(move))
            assert child == -worth
            assert value - MARGIN <= worth <= value
        is_last = key(position) not in {START} and not book.moves(position)
        assert choices or is_last
        several += len(choices) > 1
    assert several > 0


def test_which_of_them_is_played_is_left_to_chance(book: Book) -> None:
    position = next(each for each in positions(book, 200) if len(book.near_best(each)) > 2)
    drawn = Counter()
    for seed in range(200):
        line, again = (book.line(position, random.Random(seed)) for _ in range(2))
        assert line is not None
        assert line == again
        drawn[line.pv[0]] += 1
        assert line.score.value == book.near_best(position)[line.pv[0]]
    assert set(drawn) == set(book.near_best(position))
    # Each is as likely: that one comes up so seldom has a chance of less than one in a million.
    assert min(drawn.values()) > 200 / len(drawn) / 4


def test_a_line_goes_on_with_the_best_moves_to_the_end_of_the_book(book: Book) -> None:
    line = book.line(GAME.start(), random.Random(1))
    assert line is not None
    assert len(line.pv) == PLIES
    position = GAME.start()
    value = line.score.value
    for move in line.pv:
        position = position.play(move)
        value = -value
        assert book.get(position) == value
    assert (line.depth, line.nodes, line.multipv, line.score.kind) == (7, 0, 1, "cp")


def test_outside_the_book_there_is_no_line(book: Book) -> None:
    position = GAME.start()
    for _ in range(PLIES):
        position = position.play(position.moves()[0])
    chance = random.Random(1)
    assert book.line(position, chance) is None  # known, but none of its moves
    assert book.line(position.play(position.moves()[0]), chance) is None


def test_no_move_is_played_that_is_worse_than_what_the_book_leaves_out() -> None:
    move = GAME.start().moves()[0]
    child = key(GAME.start().play(move))
    chance = random.Random(1)
    assert Book({START: MARGIN, child: 0}, 1).line(GAME.start(), chance) is not None
    assert Book({START: MARGIN + 1, child: 0}, 1).line(GAME.start(), chance) is None


def test_a_book_is_read_as_it_was_written(book: Book, tmp_path: Path) -> None:
    file = tmp_path / "book.npz"
    book.save(file)
    read = Book.load(file)
    assert read.depth == book.depth
    assert {node: read[node] for node in read} == {node: book[node] for node in book}


def test_what_is_no_book_is_refused(book: Book, tmp_path: Path) -> None:
    whole = tmp_path / "whole.npz"
    book.save(whole)
    with np.load(whole) as archive:
        arrays = dict(archive)
    bad = tmp_path / "bad.npz"
    contents = [b"", b"not a book", b"PK\3\4", whole.read_bytes()[:-100]]
    for name in arrays:
        np.savez_compressed(bad, **{other: arrays[other] for other in arrays if other != name})
        contents.append(bad.read_bytes())
    np.savez_compressed(bad, **{**arrays, "values": arrays["values"][:-1]})
    contents.append(bad.read_bytes())
    for content in contents:
        bad.write_bytes(content)
        with pytest.raises(ValueError, match=r"^not an opening book, or a damaged one$"):
            Book.load(bad)


def test_a_damaged_book_is_refused_or_harmless(book: Book, tmp_path: Path) -> None:
    file = tmp_path / "book.npz"
    book.save(file)
    content = file.read_bytes()
    chance = random.Random(1)
    refused = 0
    for _ in range(300):
        place = chance.randrange(len(content))
        wrong = bytes([content[place] ^ 1 << chance.randrange(8)])
        file.write_bytes(content[:place] + wrong + content[place + 1 :])
        try:
            read = Book.load(file)
        except ValueError:
            refused += 1
        else:
            # The wrong byte was one that says nothing, such as a date.
            assert {node: read[node] for node in read} == {node: book[node] for node in book}
    assert refused > 200

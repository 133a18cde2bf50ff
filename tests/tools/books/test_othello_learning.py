"""Learning from games: what is taken from them, what it is worth, and being interrupted."""

import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from plywire.engine.game import PASS, Position
from plywire.engine.othello.book.book import START, Book, Key, key
from plywire.engine.othello.rules import Othello, OthelloPosition
from tests.support.random_play import random_game
from tools.books.othello.builder import Plan, build
from tools.books.othello.learning import first_positions, learn
from tools.books.othello.searches import Searches
from tools.books.othello.tree import Tree

GAME = Othello()
#: Of the searches.
DEPTH = 2


def moves(text: str) -> list[int]:
    """The moves of a game without passes."""
    return [ord(column) - ord("a") + 8 * int(row) - 8 for column, row in re.findall("..", text)]


def line(text: str) -> list[OthelloPosition]:
    """The positions of a game without passes."""
    return [GAME.start(), *GAME.start().play_names(re.findall("..", text))]


def random_lines(count: int) -> Iterator[list[tuple[Position, int]]]:
    chance = random.Random(3)
    for _ in range(count):
        yield list(random_game(GAME, chance))


def moves_of(game: list[tuple[Position, int]]) -> list[int]:
    return [move for _, move in game]


def content(book: Book) -> dict[Key, int]:
    return {node: book[node] for node in book}


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> Book:
    """A book of the engine's own lines."""
    checkpoint = tmp_path_factory.mktemp("book") / "checkpoint"
    return build(Plan(plies=6, positions=40, depth=DEPTH), checkpoint)


@pytest.fixture(scope="module")
def wanted() -> list[Key]:
    return first_positions(map(moves_of, random_lines(8)), 8)


@dataclass
class Learnt:
    """What was learnt, and how."""

    book: Book
    checkpoint: Path
    told: list[tuple[int, int]]


@pytest.fixture(scope="module")
def learnt(known: Book, wanted: list[Key], tmp_path_factory: pytest.TempPathFactory) -> Learnt:
    checkpoint = tmp_path_factory.mktemp("learnt") / "checkpoint"
    told: list[tuple[int, int]] = []
    book = learn(known, wanted, checkpoint, on_progress=lambda *now: told.append(now))
    return Learnt(book, checkpoint, told)


def test_what_is_learnt_is_what_a_book_of_all_positions_would_hold(
    known: Book, wanted: list[Key], learnt: Learnt, tmp_path: Path
) -> None:
    tree = Tree([*known, *wanted])
    tasks = tree.tasks()
    with Searches(tmp_path / "all", DEPTH) as searches:
        tree.learn(tasks, list(searches.run(tasks)))
    assert content(learnt.book) == tree.values()
    assert set(learnt.book) == {*known, *wanted}
    assert learnt.book.depth == DEPTH


def test_only_what_can_have_changed_is_searched(
    known: Book, wanted: list[Key], learnt: Learnt, tmp_path: Path
) -> None:
    new = set(wanted) - set(known)
    searched = len(learnt.checkpoint.read_text().splitlines()) - 1
    assert len(new) < searched < len(new) + len(known)
    assert content(learn(known, known, tmp_path / "nothing")) == content(known)
    assert len((tmp_path / "nothing").read_text().splitlines()) == 1


def test_a_line_that_turns_out_badly_is_left(tmp_path: Path) -> None:
    """White's parallel opening was thought to be won, and games show what it leads to."""
    start, f5, f4 = line("f5f4")
    mistaken = Book({key(f4): -4000, key(f5): 4000, START: -4000}, DEPTH)
    parallel = GAME.parse_move(f5, "f4")
    assert mistaken.near_best(f5) == {parallel: 4000}
    games = first_positions([moves("f5f4e3")], 20)
    better = learn(mistaken, games, tmp_path / "checkpoint")
    assert parallel not in better.near_best(f5)
    assert all(abs(better[node]) < 2000 for node in better)
    assert set(better.near_best(start)) == set(start.moves())


def test_learning_goes_on_where_it_was_interrupted(
    known: Book, wanted: list[Key], learnt: Learnt, tmp_path: Path
) -> None:
    assert learnt.told == sorted(learnt.told)
    assert {count for _, count in learnt.told} == {count := learnt.told[-1][1]}
    assert learnt.told[-1][0] <= count
    lines = learnt.checkpoint.read_text().splitlines(keepends=True)
    checkpoint = tmp_path / "checkpoint"
    checkpoint.write_text("".join(lines[: len(lines) // 2]) + lines[-1][:9])  # killed in writing
    assert content(learn(known, wanted, checkpoint, processes=2)) == content(learnt.book)
    assert checkpoint.read_text() == learnt.checkpoint.read_text()


def test_a_checkpoint_of_another_depth_is_refused(known: Book, tmp_path: Path) -> None:
    checkpoint = tmp_path / "checkpoint"
    checkpoint.write_text("searches of Othello positions 9 plies deep\n")
    with pytest.raises(ValueError, match="does not hold searches of Othello positions 2 plies"):
        learn(known, [], checkpoint)


def test_first_positions_are_those_of_the_first_plies_in_many_games() -> None:
    games = list(map(moves, ("f5d6c3", "f5d6c4", "e6f4")))  # the last is the same two plies, turned
    assert set(first_positions(games, 2, 3)) == set(map(key, line("f5d6")))
    assert set(first_positions(games, 3, 1)) == set(map(key, line("f5d6c3") + line("f5d6c4")))
    assert first_positions(games, 20, 4) == []


def test_positions_without_a_disc_to_place_are_left_out() -> None:
    # White has no disc left after nine plies; in others, one side passes on the way.
    wiped_out = "e6f4e3f6g5d6e7f5c5"
    disc_placed = [key(node) for node in line(wiped_out) if node.moves()]
    assert first_positions([moves(wiped_out)], 60) == disc_placed
    for game in random_lines(20):
        first = next((ply for ply, (_, move) in enumerate(game) if move == PASS), len(game))
        taken = first_positions([moves_of(game)], 60)
        before = (node for node, _ in game[:first])
        assert taken == [key(node) for node in before if isinstance(node, OthelloPosition)]

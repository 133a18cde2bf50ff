"""Building a book, being interrupted at it, and checking what came out."""

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from plywire.engine.game import PASS
from plywire.engine.othello.book.book import START, Book, Key, key, plies, position_of
from plywire.engine.othello.rules import Othello, OthelloPosition
from tests.support.random_play import random_game
from tools.books.othello import verifier as verifying
from tools.books.othello.builder import Plan, build

GAME = Othello()
PLAN = Plan(least=2, plies=6, positions=60, depth=2)
#: Of random moves.
GAMES = [[move for _, move in random_game(GAME, random.Random(seed))] for seed in range(60)]


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Book, Path]:
    """A book, and the checkpoint it left."""
    checkpoint = tmp_path_factory.mktemp("book") / "checkpoint"
    return build(PLAN, checkpoint, games=GAMES), checkpoint


def content(book: Book) -> dict[Key, int]:
    return {node: book[node] for node in book}


def frequent() -> set[Key]:
    """The positions of the games that are frequent, found the plain way."""
    counts: Counter[Key] = Counter()
    for game in GAMES:
        position = GAME.start()
        for move in game:
            if move == PASS:
                break
            counts[key(position)] += 1
            position = position.play(move)
    return {
        node for node, count in counts.items() if count >= PLAN.least and plies(node) <= PLAN.plies
    }


def test_a_book_holds_frequent_positions_and_the_engine_s_own(built: tuple[Book, Path]) -> None:
    book, _ = built
    assert len(book) == PLAN.positions
    assert max(map(plies, book)) == PLAN.plies
    given = frequent()
    reached = {START}
    for node in sorted(given, key=plies):
        position = position_of(node)
        if node in reached:
            reached |= {key(position.play(move)) for move in position.moves()}
    assert given & reached <= set(book)
    assert len(given & reached) < len(book)


def test_a_book_does_not_contradict_itself_nor_the_search(built: tuple[Book, Path]) -> None:
    book, _ = built
    assert list(verifying.contradictions(book)) == []
    found = list(verifying.sample(book, 60, seed=1))
    assert len(found) == 60
    assert all(value == searched for _, value, searched in found)
    assert len({position for position, _, _ in found}) > 20


def test_the_engine_adds_the_moves_that_it_prefers(tmp_path: Path) -> None:
    book = build(replace(PLAN, positions=12), tmp_path / "checkpoint")
    # Without games it begins with its own choice from the start, and is never at a loss there.
    assert len(book) == 12
    assert book.line(GAME.start(), random.Random(1)) is not None
    assert list(verifying.contradictions(book)) == []


def test_a_build_goes_on_where_it_was_killed(built: tuple[Book, Path], tmp_path: Path) -> None:
    book, finished = built
    lines = finished.read_text().splitlines(keepends=True)
    checkpoint = tmp_path / "checkpoint"
    kept = lines[: len(lines) // 2]
    checkpoint.write_text("".join(kept) + lines[len(kept)][:20])  # killed while it was writing
    assert content(build(PLAN, checkpoint, games=GAMES, processes=2)) == content(book)
    assert checkpoint.read_text() == finished.read_text()


def test_a_build_goes_on_where_it_was_interrupted(built: tuple[Book, Path], tmp_path: Path) -> None:
    checkpoint = tmp_path / "checkpoint"
    seen: list[tuple[int, int]] = []

    def interrupt(done: int, count: int) -> None:
        seen.append((done, count))
        if len(seen) == 20:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        build(PLAN, checkpoint, games=GAMES, on_progress=interrupt)
    assert len(checkpoint.read_text().splitlines()) == 1 + 20
    assert [done for done, _ in seen] == sorted(done for done, _ in seen)
    assert {count for _, count in seen} == {PLAN.positions}
    assert content(build(PLAN, checkpoint, games=GAMES)) == content(built[0])


def test_a_checkpoint_of_another_depth_is_refused(built: tuple[Book, Path], tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="does not hold searches of Othello positions 3 plies"):
        build(replace(PLAN, depth=3), built[1])
    other = tmp_path / "other"
    other.write_text("something else\n")
    with pytest.raises(ValueError, match="does not hold searches"):
        build(PLAN, other)
    assert other.read_text() == "something else\n"


def test_contradictions_are_told(built: tuple[Book, Path]) -> None:
    book, _ = built
    values = content(book)
    child = key(GAME.start().play(GAME.start().moves()[0]))
    values[child] -= 10
    worse = list(verifying.contradictions(Book(values, book.depth)))
    assert [line for line in worse if line.startswith(GAME.start().fen())]
    stray = OthelloPosition(GAME, (1 << 30) - 1, ~((1 << 30) - 1) & ((1 << 64) - 1), 0)
    values = {**content(book), key(stray): 0}
    (line,) = verifying.contradictions(Book(values, book.depth))
    assert "is not reached" in line

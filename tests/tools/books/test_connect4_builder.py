import io
import math
import random
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from plywire.engine.connect4.book import blocks
from plywire.engine.connect4.book.book import PLIES_BEYOND, WON, Book
from plywire.engine.connect4.book.keys import ALL_KEYS, book_key, keys_of
from plywire.engine.connect4.rules import Connect4, Connect4Position
from plywire.engine.connect4.solver.solver import Solver
from tests.support.connect4 import played
from tests.support.connect4_truth import Truth
from tools.books.connect4 import builder, extender, searches, writing
from tools.books.connect4.beyond import Beyond
from tools.books.connect4.checkpoint import CHUNK
from tools.books.connect4.extender import extend
from tools.books.connect4.layers import layers

GAME = Connect4(4, 4)
TRUTH = Truth(GAME)
PLIES = 5


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Book, Path]:
    """A book, and the checkpoint it left."""
    checkpoint = tmp_path_factory.mktemp("book") / "checkpoint.npy"
    return builder.build(GAME, PLIES, checkpoint, table_mb=1), checkpoint


def test_the_book_holds_the_truth_of_every_position_and_no_other(built: tuple[Book, Path]) -> None:
    book, _ = built
    positions = {GAME.start()}
    keys = set()
    for _ in range(PLIES + 1):
        for position in positions:
            assert book.get(position) == TRUTH.score(position), position.fen()
            keys.add(book_key(position))
        positions = {position.play(move) for position in positions for move in position.moves()}
    assert all(book.get(position) is None for position in positions)
    assert 0 < len(book) <= len(keys)


def test_a_book_goes_to_the_end_of_a_game(tmp_path: Path) -> None:
    plies = GAME.width * GAME.height
    book = builder.build(GAME, plies, tmp_path / "checkpoint.npy", table_mb=1)
    chance = random.Random(1)
    for _ in range(300):
        position = GAME.start()
        while not position.is_over:
            assert book.get(position) == TRUTH.score(position), position.fen()
            position = position.play(chance.choice(position.moves()))


def test_a_book_of_many_blocks_finds_what_was_put_in() -> None:
    chance = np.random.default_rng(1)
    game = Connect4()
    layer = list(layers(game, 7))[-1]
    scores = chance.integers(-18, 19, len(layer), np.int8)
    book = writing.book_of(game, 7, layer.keys, scores)
    for index in chance.integers(len(layer), size=300):
        own, other = int(layer.own[index]), int(layer.other[index])
        assert book.get(Connect4Position(game, own, other, 1)) == scores[index]


def test_mirror_images_share_a_key_and_other_positions_do_not() -> None:
    game = Connect4()
    positions: dict[int, set[str]] = {}
    for moves in ("", "1", "7", "12", "76", "21", "67", "4", "44", "4444", "17", "71"):
        positions.setdefault(book_key(played(game, moves)), set()).add(moves)
    assert sorted(map(sorted, positions.values())) == [
        [""],
        ["1", "7"],
        ["12", "76"],
        ["17", "71"],
        ["21", "67"],
        ["4"],
        ["44"],
        ["4444"],
    ]


@cache
def positions_of(stones: int) -> set[Connect4Position]:
    """All positions of the small board with that many stones in which the game goes on."""
    positions = {GAME.start()}
    for _ in range(stones):
        children = {position.play(move) for position in positions for move in position.moves()}
        positions = {child for child in children if not child.is_over}
    return positions


def test_moves_of_an_extended_book_keep_the_value(built: tuple[Book, Path], tmp_path: Path) -> None:
    assert all(built[0].move(position) is None for position in positions_of(PLIES))
    file = tmp_path / "book.npz"
    writing.save(extend(built[0], tmp_path / "checkpoint.npy", table_mb=1), file)
    book = Book.load(file)
    for position in positions_of(PLIES):
        score = TRUTH.score(position)
        assert book.get(position) == score
        move = book.move(position)
        if move is not None:
            assert np.sign(-TRUTH.score(position.play(move))) == np.sign(score), position.fen()
        else:
            # Lost, or won at once: the book tells that without having it.
            is_won = any(position.play(move).is_over for move in position.moves())
            assert score < 0 or is_won, position.fen()
    assert all(book.move(position) is None for position in positions_of(PLIES - 1))


@contextmanager
def all_are_hard() -> Iterator[None]:
    """Searches of the builder find no position of a small board easy."""

    @contextmanager
    def here(
        count: int, begin: Callable[..., None], *arguments: object
    ) -> Iterator[ThreadPoolExecutor]:
        begin(*arguments)
        with ThreadPoolExecutor(1) as executor:
            yield executor

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(extender, "HARD_NODES", dict.fromkeys(range(1, 5), 1))
        patched.setattr(extender, "HARD_SCORE_NODES", 0)
        patched.setattr(searches, "workers", here)
        yield


@pytest.fixture
def everything_is_hard() -> Iterator[None]:
    with all_are_hard():
        yield


@pytest.fixture(scope="module")
def books(built: tuple[Book, Path], tmp_path_factory: pytest.TempPathFactory) -> list[Book]:
    """The book, and what each further run makes of it when everything is hard."""
    made, folder = [built[0]], tmp_path_factory.mktemp("books")
    with all_are_hard():
        while len(made) < 3 + PLIES_BEYOND:
            made.append(extended(made[-1], folder, 1))
    return made


def extended(book: Book, folder: Path, steps: int, seconds: float = math.inf) -> Book:
    """The book after so many runs that extend it."""
    checkpoint = folder / "extended.npy"
    for _ in range(steps):
        book = extend(book, checkpoint, table_mb=1, seconds=seconds)
        checkpoint.unlink()
    return book


def hard_ones(book: Book, stones: int) -> set[Connect4Position]:
    """The positions of which a book holds worth and move, which are right."""
    found = set()
    for position in positions_of(stones):
        told, move = book.get_beyond(position), book.move(position)
        assert book.get(position) is None
        if told is not None:
            score = TRUTH.score(position)
            assert told == score or (told == WON and score > 0), position.fen()
        if move is not None:
            assert told is not None
            assert np.sign(told) == np.sign(-TRUTH.score(position.play(move))), position.fen()
            found.add(position)
    return found


def count_of(positions: set[Connect4Position]) -> int:
    """How many they are, mirror images counted once."""
    return len(set(map(book_key, positions)))


@pytest.mark.usefixtures("everything_is_hard")
def test_a_book_with_all_moves_is_extended_by_hard_positions(
    books: list[Book], tmp_path: Path
) -> None:
    file = tmp_path / "book.npz"
    with_moves = books[1]
    assert not hard_ones(with_moves, PLIES + 1)
    some = extended(with_moves, tmp_path, 1, seconds=0)
    writing.save(extended(some, tmp_path, 1), file)
    book = Book.load(file)
    first, found = (hard_ones(each, PLIES + 1) for each in (some, book))
    assert 0 < len(first) < len(found)
    assert first < found
    assert all(TRUTH.score(position) >= 0 for position in found)
    assert len(book) == len(with_moves) + count_of(found)
    assert not hard_ones(book, PLIES + 2)


@pytest.mark.usefixtures("everything_is_hard")
@pytest.mark.parametrize("beyond", [2, 3, 4])
def test_then_a_book_is_extended_by_what_its_moves_and_a_reply_lead_to(
    books: list[Book], tmp_path: Path, beyond: int
) -> None:
    file = tmp_path / "book.npz"
    before = books[beyond]
    some = extended(before, tmp_path, 1, seconds=0)
    writing.save(extended(some, tmp_path, 1), file)
    book = Book.load(file)
    follow = set()
    for position in positions_of(PLIES + beyond - 2):
        move = book.move(position)
        if move is not None and not position.play(move).is_over:
            moved = position.play(move)
            follow |= {book_key(moved.play(reply)) for reply in moved.moves()}
    first, found = (hard_ones(each, PLIES + beyond) for each in (some, book))
    assert 0 < len(first) < len(found)
    assert first < found
    assert {book_key(position) for position in found} <= follow
    assert {TRUTH.score(position) > 0 for position in found} == {False, True}
    assert len(book) == len(before) + count_of(found)
    # Those with fewer stones are still there.
    for each in (some, book):
        stones = PLIES + beyond - 1
        assert hard_ones(each, stones) == hard_ones(before, stones)


@pytest.mark.usefixtures("everything_is_hard")
def test_at_last_a_book_is_extended_by_scores_of_one_stone_more(
    books: list[Book], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:

    def scored(book: Book) -> set[Connect4Position]:
        told = {position: book.get_beyond(position) for position in positions_of(PLIES + 1)}
        found = {position for position, score in told.items() if score not in (None, WON)}
        assert all(told[position] == TRUTH.score(position) for position in found)
        return found

    before = books[1 + PLIES_BEYOND]
    hard = hard_ones(before, PLIES + 1)
    assert scored(before) == {position for position in hard if TRUTH.score(position) == 0}
    some = extended(before, tmp_path, 1, seconds=0)
    file = tmp_path / "book.npz"
    writing.save(extended(some, tmp_path, 1), file)
    book = Book.load(file)
    monkeypatch.setattr(extender, "HARD_SCORE_NODES", 10**9)
    of_hard_alone = extended(before, tmp_path, 1)

    assert scored(before) < scored(some) < scored(book)
    assert hard <= scored(book)
    assert {TRUTH.score(position) < 0 for position in scored(book)} == {False, True}
    assert scored(of_hard_alone) == hard
    for each in (some, book, of_hard_alone):
        assert hard_ones(each, PLIES + 1) == hard
        assert len(each) == len(before) + count_of(scored(each) - hard)


@pytest.mark.parametrize("plies", [4, 6])
def test_a_book_finds_all_that_it_holds_of_the_next_ply(
    tmp_path: Path, plies: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (blocks, writing):
        monkeypatch.setattr(module, "BLOCK_KEYS", 16)
    book = builder.build(GAME, plies, tmp_path / "checkpoint.npy", table_mb=1)
    positions = positions_of(plies + 1)
    # Whose predecessors include some that no game leads to: the second player's stones lie below.
    assert GAME.start().play_names(["3", "1", "1", "2", "2"])[-1] in positions_of(5)
    keys = np.unique(np.array([book_key(position) for position in positions], np.uint64))
    scores = np.arange(len(keys)).astype(np.int8) % 5
    scores[::7] = WON
    beyond = Beyond(keys, scores, np.zeros(len(keys), np.uint8))
    told = writing.book_of(GAME, plies, *writing.content(book), beyond)
    expected = dict(zip(keys.tolist(), scores.tolist(), strict=True))
    held = set()
    for position in positions:
        if (found := told.get_beyond(position)) is not None:
            assert found == expected[book_key(position)], position.fen()
            held.add(book_key(position))
    # All but what each predecessor could have won instead.
    assert len(keys) * 0.9 < len(held) <= len(keys)
    assert set(writing.beyond(told).keys.tolist()) == held
    assert len(told) == len(book) + len(held)


@pytest.mark.usefixtures("everything_is_hard")
def test_a_book_that_lacks_nothing_stays_as_it_is(books: list[Book], tmp_path: Path) -> None:
    book = books[2 + PLIES_BEYOND]
    assert {*writing.beyond(book).examined, writing.beyond(book).scored} == {ALL_KEYS}
    assert len(extended(book, tmp_path, 1)) == len(book)


@pytest.mark.usefixtures("everything_is_hard")
@pytest.mark.parametrize("plies_examined", [1, PLIES_BEYOND])
def test_a_book_of_before_the_next_ply_was_told_by_the_last_is_read(
    books: list[Book], tmp_path: Path, plies_examined: int
) -> None:
    file = tmp_path / "book.npz"
    book = books[1 + plies_examined]
    writing.save(book, file)
    with np.load(file) as archive:
        arrays = {name: archive[name] for name in archive if not name.startswith("next_")}
    held = writing.beyond(book)
    signed = np.where(held.scores > 0, 1, -1).astype(np.int8) * held.columns.astype(np.int8)
    arrays |= writing.named(
        writing.packed(held.keys, lambda part: [signed[part].tobytes()]), "hard_"
    )
    if plies_examined == 1:
        arrays["examined"] = arrays["examined"][0]
    del arrays["scored"]
    np.savez(file, **arrays)
    read = Book.load(file)
    for stones in range(PLIES + 1, PLIES + PLIES_BEYOND + 1):
        assert hard_ones(read, stones) == hard_ones(book, stones)
    assert len(read) == len(book)
    assert len(extended(read, tmp_path, 1)) == len(extended(book, tmp_path, 1)) > len(book)


@pytest.mark.usefixtures("everything_is_hard")
def test_a_sample_holds_positions_of_every_kind(books: list[Book]) -> None:
    book = books[2 + PLIES_BEYOND]
    told = dict(builder.sample(book, 400, seed=1))
    counts = {(position.own | position.other).bit_count() for position in told}
    assert counts == set(range(PLIES + PLIES_BEYOND + 1))
    for position, score in told.items():
        expected = TRUTH.score(position)
        assert score == expected or (score == WON and expected > 0)
    images = {keys_of(position)[0] != book_key(position) for position in told}
    assert images == {False, True}


def test_extending_a_book_goes_on_where_time_ran_out(
    built: tuple[Book, Path], tmp_path: Path
) -> None:
    def moves(book: Book) -> list[int | None]:
        ordered = sorted(positions_of(PLIES), key=book_key)
        return [book.move(position) for position in ordered]

    checkpoint = tmp_path / "checkpoint.npy"
    some = extend(built[0], checkpoint, table_mb=1, seconds=0)
    first = extend(built[0], checkpoint, table_mb=1)
    checkpoint.unlink()
    second = extend(some, checkpoint, table_mb=1)
    known = [move is not None for move in moves(some)]
    assert 0 < sum(known) < sum(move is not None for move in moves(first))
    assert [move is None for move in moves(first)] == [move is None for move in moves(second)]


def test_a_book_bounds_positions_of_one_stone_more(built: tuple[Book, Path]) -> None:
    exact = 0
    for position in positions_of(PLIES + 1):
        at_least = built[0].at_least(position)
        assert at_least is not None
        assert at_least <= TRUTH.score(position), position.fen()
        exact += at_least == TRUTH.score(position)
    assert exact > 0
    assert built[0].at_least(GAME.start()) is None


def solved_again(checkpoint: Path) -> tuple[Book, list[int]]:
    """The book built on a checkpoint, and how many scores were known at each step."""
    reports: list[int] = []
    book = builder.build(
        GAME, PLIES, checkpoint, table_mb=1, on_progress=lambda solved, _: reports.append(solved)
    )
    return book, reports


def scores_of(checkpoint: Path, count: int) -> list[int]:
    """The scores in a checkpoint."""
    scores: list[int] = np.load(checkpoint)["scores"].reshape(-1)[:count].tolist()
    return scores


@pytest.fixture
def checkpoint(built: tuple[Book, Path], tmp_path: Path) -> tuple[Path, int]:
    """A copy of the finished checkpoint, and of how many scores it is."""
    copy = tmp_path / "checkpoint.npy"
    copy.write_bytes(built[1].read_bytes())
    (count,) = solved_again(copy)[1]
    return copy, count


def test_a_build_goes_on_where_it_was_cut_off(
    built: tuple[Book, Path], checkpoint: tuple[Path, int]
) -> None:
    path, count = checkpoint
    chunks = np.load(path)
    assert len(chunks) > 2
    chunks[-1] = np.zeros((), chunks.dtype)  # as the file was made
    np.save(path, chunks)
    book, reports = solved_again(path)
    assert reports == [CHUNK * (len(chunks) - 1), count]
    assert scores_of(path, count) == scores_of(built[1], count)
    assert len(book) > count


@pytest.mark.parametrize("place", [1, CHUNK])
def test_a_chunk_with_a_wrong_byte_is_solved_again(
    built: tuple[Book, Path], checkpoint: tuple[Path, int], place: int
) -> None:
    path, count = checkpoint
    content = bytearray(path.read_bytes())
    chunk = CHUNK + 4
    content[len(content) - 3 * chunk + place] ^= 2
    path.write_bytes(content)
    book, reports = solved_again(path)
    assert reports == [count - CHUNK, count]
    for position, score in builder.sample(book, 200, seed=1):
        assert score == TRUTH.score(position)
    assert scores_of(path, count) == scores_of(built[1], count)


def test_scores_of_other_positions_are_not_taken(
    built: tuple[Book, Path], checkpoint: tuple[Path, int]
) -> None:
    path, count = checkpoint
    chunks = np.load(path)
    np.save(path, chunks[::-1])
    assert solved_again(path)[1][0] < count // 2
    assert scores_of(path, count) == scores_of(built[1], count)


def test_a_checkpoint_of_another_book_is_refused(built: tuple[Book, Path]) -> None:
    with pytest.raises(ValueError, match="is not a checkpoint of 1 positions"):
        builder.build(GAME, 0, built[1], table_mb=1)


def test_a_book_is_read_as_it_was_written(built: tuple[Book, Path], tmp_path: Path) -> None:
    book, _ = built
    file = tmp_path / "book.npz"
    writing.save(book, file)
    read = Book.load(file)
    assert (read.game, read.plies, len(read)) == (book.game, book.plies, len(book))
    for position, score in builder.sample(book, 200, seed=1):
        assert read.get(position) == score


def test_what_is_no_book_is_refused(tmp_path: Path) -> None:
    archive, array = io.BytesIO(), io.BytesIO()
    np.savez_compressed(archive, steps=np.zeros(1))
    np.save(array, np.zeros(1))
    file = tmp_path / "book.npz"
    for content in (b"", b"not a book", b"PK\3\4", archive.getvalue(), array.getvalue()):
        file.write_bytes(content)
        with pytest.raises(ValueError, match="not an opening book, or a damaged one"):
            Book.load(file)


def test_a_damaged_book_is_refused_or_harmless(built: tuple[Book, Path], tmp_path: Path) -> None:
    book, _ = built
    file = tmp_path / "book.npz"
    writing.save(book, file)
    content = file.read_bytes()
    chance = random.Random(1)
    damaged = [content[: chance.randrange(len(content))] for _ in range(50)]
    for _ in range(500):
        place = chance.randrange(len(content))
        wrong = bytes([content[place] ^ 1 << chance.randrange(8)])
        damaged.append(content[:place] + wrong + content[place + 1 :])
    expected = list(builder.sample(book, 20, seed=1))
    refused = 0
    for bad in damaged:
        try:
            read = Book.load(io.BytesIO(bad))
        except ValueError:
            refused += 1
        else:
            # The wrong byte was one that says nothing, such as a date.
            assert all(read.get(position) == score for position, score in expected)
    assert refused > len(damaged) // 2


def test_a_solver_with_a_book_looks_positions_up(built: tuple[Book, Path]) -> None:
    book, _ = built
    with_book = Solver(4, 4, table_mb=1, book=book)
    without = Solver(4, 4, table_mb=1)
    for position, score in builder.sample(book, 50, seed=2):
        assert with_book.score(position) == score == without.score(position)
    assert with_book.nodes == 0
    # Beyond the book the search takes over, and finds the same as without it.
    deeper = next(
        position
        for position, _ in builder.sample(book, 1000, seed=3)
        if (position.own | position.other).bit_count() == PLIES
    )
    assert with_book.scores(deeper) == without.scores(deeper)
    assert with_book.nodes > 0


@pytest.mark.parametrize("weak", [False, True])
def test_a_solver_takes_for_granted_how_a_book_bounds_what_comes_next(
    built: tuple[Book, Path], weak: bool
) -> None:
    with_book = Solver(4, 4, table_mb=1, book=built[0])
    without = Solver(4, 4, table_mb=1)
    nodes = 0
    for position in positions_of(PLIES):
        without.clear()
        with_book.clear()
        before = without.nodes
        found = without.scores(position, weak=weak)
        nodes += without.nodes - before
        assert with_book.scores(position, weak=weak) == found, position.fen()
    assert with_book.nodes < nodes


@pytest.mark.usefixtures("everything_is_hard")
@pytest.mark.parametrize("weak", [False, True])
def test_all_columns_around_the_end_of_an_extended_book_are_worth_what_they_are(
    books: list[Book], weak: bool
) -> None:
    solver = Solver(4, 4, table_mb=1, book=books[2 + PLIES_BEYOND])
    for stones in range(PLIES - 1, PLIES + PLIES_BEYOND + 2):
        for position in sorted(positions_of(stones), key=book_key)[::4]:
            expected: list[int | None] = [None] * GAME.width
            for move in position.moves():
                score = -TRUTH.score(position.play(move))
                worth = int(np.sign(score)) if weak else score
                expected[move // (GAME.height + 1)] = worth
            assert solver.scores(position, weak=weak) == tuple(expected), position.fen()


def test_a_sample_is_drawn_by_its_seed(built: tuple[Book, Path]) -> None:
    first, again, other = (list(builder.sample(built[0], 20, seed)) for seed in (1, 1, 2))
    assert first == again != other

from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner, Result

from plywire.engine.connect4.book.book import Book
from plywire.engine.connect4.rules import Connect4
from plywire.engine.othello.book.book import START, key
from plywire.engine.othello.book.book import Book as OpeningBook
from plywire.engine.othello.rules import Othello
from tests.support.game_records import record
from tools.books.__main__ import app
from tools.books.connect4.layers import layers
from tools.books.connect4.writing import book_of, save


def book(*arguments: str) -> Result:
    return CliRunner().invoke(app, [*arguments])


def verify(file: Path, *arguments: str) -> Result:
    small = ("--size", "4x4", "--table", "1", "--file", str(file))
    return book("connect4", "verify", *small, *arguments)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    """A small book as a file, and what was said when it was built."""
    file = tmp_path_factory.mktemp("book") / "small.npz"
    size = ("--size", "4x4", "--plies", "2", "--table", "1")
    return file, book("connect4", "build", *size, "--output", str(file))


def test_a_book_is_built_and_its_checkpoint_gone(built: tuple[Path, Result]) -> None:
    file, result = built
    assert result.exit_code == 0
    assert result.stdout == f"{file}: 11 positions, {file.stat().st_size} bytes\n"
    assert list(file.parent.iterdir()) == [file]
    assert Book.load(file).plies == 2


def test_a_right_book_is_confirmed(built: tuple[Path, Result]) -> None:
    result = verify(built[0], "--count", "20")
    assert result.exit_code == 0
    assert result.stdout == "20 positions of 11 solved again, 0 wrong\n"


def test_a_book_is_extended_by_moves_that_are_confirmed(
    built: tuple[Path, Result], tmp_path: Path
) -> None:
    file = tmp_path / "longer.npz"
    small = ("--size", "4x4", "--table", "1", "--file", str(built[0]))
    result = book("connect4", "extend", *small, "--output", str(file))
    assert result.exit_code == 0
    assert result.stdout == f"{file}: 11 positions, {file.stat().st_size} bytes\n"
    assert list(tmp_path.iterdir()) == [file]
    position = Connect4(4, 4).start().play(0).play(5)
    assert Book.load(built[0]).move(position) is None
    assert Book.load(file).move(position) in position.moves()
    assert verify(file, "--count", "20").exit_code == 0


def test_wrong_scores_are_told(built: tuple[Path, Result], tmp_path: Path) -> None:
    keys = np.concatenate([layer.keys for layer in layers(Connect4(4, 4), 2)])
    wrong = tmp_path / "wrong.npz"
    save(book_of(Connect4(4, 4), 2, np.sort(keys), np.full(len(keys), 3, np.int8)), wrong)
    result = verify(wrong, "--count", "5")
    assert result.exit_code == 1
    assert result.stdout == "5 positions of 11 solved again, 5 wrong\n"
    assert "the book says 3, it is 0" in result.stderr


def test_a_damaged_book_is_refused(built: tuple[Path, Result], tmp_path: Path) -> None:
    damaged = tmp_path / "damaged.npz"
    damaged.write_bytes(built[0].read_bytes()[:-40])
    result = verify(damaged)
    assert result.exit_code == 2
    assert "cannot read the book: not an opening book, or a damaged one" in result.stderr


def test_a_checkpoint_of_another_book_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "book.npz"
    np.save(file.with_name("book.npz.partial"), np.zeros(3, np.int8))
    file.with_name("book.npz.partial.npy").rename(file.with_name("book.npz.partial"))
    result = book("connect4", "build", "--size", "4x4", "--plies", "1", "--output", str(file))
    assert result.exit_code == 2
    assert "checkpoint of 2 positions" in _unwrapped(result.stderr)
    assert not file.exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["tictactoe", "build", "--plies", "1"], "No such command 'tictactoe'"),
        (["connect4", "build", "--plies", "-1"], "--plies"),
        (["connect4", "verify", "--size", "4x5"], "there is no book of 4x5"),
        (["connect4", "verify", "--file", "no-such-file"], "cannot read the book"),
    ],
)
def test_what_cannot_be_is_refused(arguments: list[str], said: str) -> None:
    result = book(*arguments)
    assert result.exit_code == 2
    assert said in result.stderr


def test_a_book_of_another_size_is_refused(built: tuple[Path, Result]) -> None:
    result = book("connect4", "verify", "--file", str(built[0]))
    assert result.exit_code == 2
    assert "the book is for 4x4, not 7x6" in result.stderr


# --- Othello --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def openings(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Result]:
    """A small book of Othello as a file, and what was said when it was built."""
    file = tmp_path_factory.mktemp("openings") / "small.npz"
    small = ("--positions", "12", "--plies", "4", "--depth", "2")
    return file, book("othello", "build", *small, "--output", str(file))


def test_a_book_of_openings_is_built_and_its_checkpoint_gone(
    openings: tuple[Path, Result],
) -> None:
    file, result = openings
    assert result.exit_code == 0
    assert result.stdout == f"{file}: 12 positions, {file.stat().st_size} bytes\n"
    assert list(file.parent.iterdir()) == [file]
    read = OpeningBook.load(file)
    assert (len(read), read.depth) == (12, 2)


def test_a_right_book_of_openings_is_confirmed(openings: tuple[Path, Result]) -> None:
    result = book("othello", "verify", "--file", str(openings[0]), "--count", "20")
    assert result.exit_code == 0
    assert result.stdout == (
        "12 positions, 0 contradictions; 20 searched again, "
        "off by 0.00 discs on average, 0.00 at most\n"
    )


def test_what_is_wrong_with_a_book_of_openings_is_told(
    openings: tuple[Path, Result], tmp_path: Path
) -> None:
    right = OpeningBook.load(openings[0])
    wrong = tmp_path / "wrong.npz"
    for change, said in (
        (lambda node: 5000 * (node == START), "off by"),  # worth more than any move
        (lambda node: -5000 * (node == START), "but has a move worth"),
    ):
        OpeningBook({node: right[node] + change(node) for node in right}, right.depth).save(wrong)
        result = book("othello", "verify", "--file", str(wrong), "--count", "40")
        assert result.exit_code == 1
        assert said in result.output
        assert "the book says" in result.stderr


def test_a_damaged_book_of_openings_is_refused(
    openings: tuple[Path, Result], tmp_path: Path
) -> None:
    damaged = tmp_path / "damaged.npz"
    damaged.write_bytes(openings[0].read_bytes()[:-40])
    result = book("othello", "verify", "--file", str(damaged))
    assert result.exit_code == 2
    assert "cannot read the book: not an opening book, or a damaged one" in result.stderr


def test_a_book_keeps_the_name_it_is_given(tmp_path: Path) -> None:
    file = tmp_path / "openings.book"
    small = ("--positions", "1", "--plies", "1", "--depth", "1")
    assert book("othello", "build", *small, "--output", str(file)).exit_code == 0
    assert list(tmp_path.iterdir()) == [file]
    assert len(OpeningBook.load(file)) == 1


#: Black loses the first of them on the board, White the second on time.
_GAMES = [
    record(0, "ann", "bob", 2, game="othello", moves="f5 d6 c3 d3 c4 f4 f6 f3"),
    record(1, "ann", "bob", 1, game="othello", moves="f5 f6 e6 f4 g5 d6 e3"),
]


def learn(folder: Path, known: Path, *arguments: str) -> tuple[Result, Path]:
    """Learn from a file of records of games."""
    games, output = folder / "games.jsonl", folder / "learnt.npz"
    games.write_text("".join(game.model_dump_json() + "\n" for game in _GAMES))
    files = (str(games), "--book", str(known), "--output", str(output))
    return book("othello", "learn", *files, *arguments), output


@pytest.mark.parametrize(
    ("arguments", "taken"),
    [
        ((), [(0, 8), (1, 7)]),
        (("--lost-by", "ann", "--plies", "5"), [(0, 5)]),
        (("--least", "2"), [(0, 1), (1, 1)]),
    ],
)
def test_a_book_learns_from_games(
    arguments: tuple[str, ...],
    taken: list[tuple[int, int]],
    openings: tuple[Path, Result],
    tmp_path: Path,
) -> None:
    known = OpeningBook.load(openings[0])
    result, file = learn(tmp_path, openings[0], *arguments)
    assert result.exit_code == 0
    learnt = OpeningBook.load(file)
    lines = {
        game: [Othello().start(), *Othello().start().play_names(_GAMES[game].moves)]
        for game, _ in taken
    }
    added = {key(position) for game, plies in taken for position in lines[game][: plies + 1]}
    assert set(learnt) == {*known, *added}
    assert result.stdout == f"{file}: {len(learnt)} positions, {file.stat().st_size} bytes\n"
    assert not file.with_name("learnt.npz.partial").exists()
    verified = book("othello", "verify", "--file", str(file), "--count", "20")
    assert "0 contradictions; 20 searched again, off by 0.00 discs" in verified.stdout


@pytest.mark.parametrize("command", [("build", "--least", "1", "--depth", "1"), ("learn",)])
def test_games_of_any_notation_are_taken(
    command: tuple[str, ...], openings: tuple[Path, Result], tmp_path: Path
) -> None:
    """Of each notation a game with a move of its own."""
    texts = {
        "games.ggf": "(;GM[Othello]PC[x]PB[a]PW[b]RE[+2]TY[8]BO[8 ---------------------------O*"
        "------*O--------------------------- *]B[f5]W[d6]B[c3];)",
        "games.sgf": "(;GM[2]RE[B+2];B[f5];W[f6])",
        "games.pgn": '[Variant "othello"]\n[Result "1-0"]\n\n1. f5 {Ren\xe9} f4 1-0\n',
        "games.jsonl": record(0, "a", "b", 1, game="othello", moves="d3 c5").model_dump_json(),
        "games.txt": "1. d3 c3 2. c4\nd3-e3\nf5 f5\n",
    }
    files = [tmp_path / name for name in texts]
    for file, text in zip(files, texts.values(), strict=True):
        file.write_bytes(text.encode("latin-1"))
    verb, *arguments = command
    if verb == "build":
        arguments += [word for file in files for word in ("--games", str(file))]
        arguments += ["--positions", "1"]
    else:
        arguments += [*map(str, files), "--book", str(openings[0])]
    output = tmp_path / "book.npz"
    result = book("othello", verb, *arguments, "--output", str(output))
    assert result.exit_code == 0, result.output
    start = Othello().start()
    made = set(OpeningBook.load(output))
    for moves in ("f5 d6 c3", "f5 f6", "f5 f4", "d3 c5", "d3 c3 c4", "d3 e3"):
        assert key(start.play_names(moves.split())[-1]) in made
    assert "1 games were left out; the first: " in result.stderr
    assert "games.txt, line 3, column 4: move 2: no move 'f5' here" in result.stderr


@pytest.mark.parametrize("verb", ["build", "learn"])
def test_files_without_a_game_are_refused(verb: str, tmp_path: Path) -> None:
    games = tmp_path / "games.txt"
    games.write_text("# none\n")
    given = ("--games", str(games)) if verb == "build" else (str(games),)
    result = book("othello", verb, *given, "--output", str(tmp_path / "book.npz"))
    assert result.exit_code == 2
    assert "no game of Othello from its start: " in _unwrapped(result.stderr)


def test_who_lost_no_game_teaches_nothing(openings: tuple[Path, Result], tmp_path: Path) -> None:
    result, file = learn(tmp_path, openings[0], "--lost-by", "carl")
    assert result.exit_code == 2
    assert "fewer than 1 games of Othello that carl lost" in _unwrapped(result.stderr)
    assert not file.exists()


def test_a_bad_file_of_games_is_named(openings: tuple[Path, Result], tmp_path: Path) -> None:
    games = tmp_path / "games.txt"
    games.write_text("f5d6\nf5=9\n")
    result = book("othello", "learn", str(games), "--output", str(tmp_path / "learnt.npz"))
    assert result.exit_code == 2
    assert "line 2, column 3: '=9' is not understood" in _unwrapped(result.stderr)
    assert list(tmp_path.iterdir()) == [games]


def _unwrapped(text: str) -> str:
    return " ".join(text.replace("│", "").split())


def test_a_checkpoint_of_another_depth_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "book.npz"
    file.with_name("book.npz.partial").write_text("searches of Othello positions 9 plies deep\n")
    result = book("othello", "build", "--depth", "2", "--output", str(file))
    assert result.exit_code == 2
    assert "Othello positions 2 plies deep" in _unwrapped(result.stderr)
    assert not file.exists()

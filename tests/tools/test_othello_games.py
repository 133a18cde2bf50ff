"""Reading games of Othello that were played."""

import lzma
from pathlib import Path

import pytest

from plywire.clients.play.notation.reader import FoundGame
from plywire.engine.game import PASS
from plywire.engine.othello.rules import Othello
from plywire.protocol.ggf import GgfGame, GgfMove, write_ggf
from tests.support.game_records import record
from tools.othello_games import OthelloGamesError, read_othello_games

START = Othello().start()
MOVES = ("f5", "d6", "c3")


def read(tmp_path: Path, *lines: str) -> list[FoundGame]:
    file = tmp_path / "games"
    file.write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return list(read_othello_games(file))


def played(*moves: str) -> tuple[object, ...]:
    return (START, *START.play_names(moves))


def ggf(result: str) -> str:
    moves = tuple(map(GgfMove, MOVES))
    return write_ggf(GgfGame(moves, START.fen(), "ann", "bob", result=result))


@pytest.mark.parametrize(
    ("line", "loser"),
    [
        ("f5d6c3", None),
        ("F5D6C3 -12", None),
        ("f5 d6 c3", None),
        (record(0, "ann", "bob", 1, game="othello", moves="f5 d6 c3").model_dump_json(), "bob"),
        (record(0, "ann", "bob", 2, game="othello", moves="f5 d6 c3").model_dump_json(), "ann"),
        (record(0, "ann", "bob", game="othello", moves="f5 d6 c3").model_dump_json(), None),
        (ggf("+12.000"), "bob"),
        (ggf("-64.000:t"), "ann"),
        (ggf("+0.000"), None),
    ],
)
def test_a_game_is_read(line: str, loser: str | None, tmp_path: Path) -> None:
    (game,) = read(tmp_path, line)
    assert (game.positions, game.loser) == (played(*MOVES), loser)


def test_what_is_no_game_of_othello_from_its_start_is_skipped(tmp_path: Path) -> None:
    elsewhere = START.play_names(["f5"])[0].fen()
    lines = [
        "# games of today",
        "",
        record(0, "ann", "bob", 1).model_dump_json(),
        record(0, "ann", "bob", 1, game="othello", moves="d6", fen=elsewhere).model_dump_json(),
        write_ggf(GgfGame((GgfMove("d6"),), elsewhere)),
        "f5d6c3",
    ]
    assert [game.positions for game in read(tmp_path, *lines)] == [played(*MOVES)]


def test_games_that_are_left_out_are_named(tmp_path: Path) -> None:
    file = tmp_path / "games"
    bad = ggf("+2").replace("B[F5", "B[A1")
    text = f"2 {ggf('?')} {bad}\n# Ren\xe9\nf5f5\nf5x9\n{ggf('+2')}\n"
    file.write_bytes(text.encode("latin-1"))
    left_out: list[str] = []
    assert len(list(read_othello_games(file, left_out.append))) == 1
    assert left_out[0] == f"{file}, line 1: unfinished"
    assert left_out[1].startswith(f"{file}, line 1, column ")
    assert left_out[2].startswith(f"{file}, line 3, column 3: move 2: no move 'f5' here")
    assert left_out[3].startswith(f"{file}, line 4, column 3: move 2: no move 'x9' here")
    assert len(left_out) == 4


def test_a_packed_file_is_read(tmp_path: Path) -> None:
    file = tmp_path / "games.txt.xz"
    file.write_bytes(lzma.compress(b"f5d6c3\n"))
    assert [game.positions for game in read_othello_games(file)] == [played(*MOVES)]


def test_a_file_that_is_not_packed_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "games.txt.xz"
    file.write_bytes(b"f5d6c3\n")
    with pytest.raises(OthelloGamesError, match="not a file of xz"):
        list(read_othello_games(file))


def test_passes_may_be_told_or_left_out(tmp_path: Path) -> None:
    position = START
    names: list[str] = []
    while position.moves() != (PASS,):  # the first legal move leads to one soon
        names.append(Othello().move_name(position.moves()[0]))
        position = position.play(position.moves()[0])
    after = position.play(PASS)
    names.append(Othello().move_name(after.moves()[0]))
    told = [*names[:-1], "pass", names[-1]]
    without, with_pass = read(tmp_path, "".join(names), " ".join(told))
    assert without.positions == with_pass.positions
    assert without.positions[-2] == after


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("f5=9", "line 2, column 3: '=9' is not understood: expected moves such as f5"),
        ("[3,3]", "line 2, column 1: '[3,3]' is no game: expected a record of a game"),
        ("hello", "line 2, column 1: 'hello' is not understood: expected moves"),
    ],
)
def test_what_cannot_be_read_is_named(line: str, said: str, tmp_path: Path) -> None:
    with pytest.raises(OthelloGamesError) as error:
        read(tmp_path, "f5d6c3", line)
    assert said in str(error.value)

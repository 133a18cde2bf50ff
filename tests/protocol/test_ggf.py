import re
import textwrap
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywire.protocol.ggf import START, GgfError, GgfGame, GgfMove, GgfTime, read_ggf, write_ggf
from plywire.protocol.messages.limits import MAX_MS
from tests.protocol.strategies.fields import messages, moves, othello_fens

#: The example in the description of the NBoard protocol.
NBOARD = (
    "(;GM[Othello]PC[NBoard]DT[2014-02-21 20:52:27 GMT]PB[./mEdax]PW[chris]RE[?]TI[15:00]TY[8]"
    "BO[8 ---------------------------O*------*O--------------------------- *]"
    "B[F5]W[F6]B[D3]W[C5]B[E6]W[F7]B[E7]W[F4];)"
)
#: As the server GGS writes games.
GGS = (
    "1 (;GM[Othello]PC[GGS/os]DT[2003.12.15_13:24:03.MST]PB[Saio1200]PW[Saio3000]RB[2197.01]"
    "RW[2199.72]TI[05:00//02:00]TY[8]RE[+0.000]BO[8 -------- -------- -------- ---O*--- ---*O--- "
    "-------- -------- -------- *]B[d3//0.01]W[c5/-3.72/12.5]B[PA];)"
)

seconds = st.integers(0, MAX_MS // 1000).map(lambda count: 1000 * count)
times = st.none() | st.builds(GgfTime, main=seconds, increment=seconds)
games = st.builds(
    GgfGame,
    moves=st.tuples(
        moves,
        st.none() | st.integers(-6400, 6400).map(lambda centidiscs: centidiscs / 100),
        st.none() | st.integers(0, MAX_MS),
    ).map(lambda parts: tuple(GgfMove(name, parts[1], parts[2]) for name in parts[0])),
    fen=st.just(START) | othello_fens,
    black=messages,
    white=messages,
    place=messages,
    result=st.sampled_from(["?", "+12.000", "-64.000:t"]),
    times=st.tuples(times, times),
)


def test_the_game_of_nboards_description() -> None:
    game = read_ggf(NBOARD)
    assert game.names == ("f5", "f6", "d3", "c5", "e6", "f7", "e7", "f4")
    assert game.fen == START
    assert (game.black, game.white, game.place) == ("./mEdax", "chris", "NBoard")
    assert game.times == (GgfTime(900_000), GgfTime(900_000))
    assert game.result == "?"


def test_a_game_of_ggs() -> None:
    game = read_ggf(GGS)
    assert game.moves == (
        GgfMove("d3", None, 10),
        GgfMove("c5", -3.72, 12_500),
        GgfMove("pass"),
    )
    assert game.times == (GgfTime(300_000), GgfTime(300_000))


@given(games)
def test_what_is_written_is_read(game: GgfGame) -> None:
    assert read_ggf(write_ggf(game)) == game


@given(st.text() | st.text("(;)[]\\BWTIBOGM8*O-.:/, \n0123456789"))
def test_any_text_is_a_game_or_an_error(text: str) -> None:
    for whole in (text, f"(;{text};)", f"(;BO[{text}];)", f"(;TI[{text}]BO[8 {'-' * 64} *];)"):
        with suppress(GgfError):
            assert write_ggf(read_ggf(whole))


def test_passes_left_out_are_put_in() -> None:
    text = NBOARD.replace("W[F6]B[D3]", "B[D3]")
    assert read_ggf(text).names[:4] == ("f5", "pass", "d3", "c5")
    assert read_ggf(text.replace("-- *]", "-- O]")).names[:2] == ("pass", "f5")


def test_each_side_may_have_its_own_time() -> None:
    text = NBOARD.replace("TI[15:00]", "TI[01:00:00/00:10]TW[30.5]")
    assert read_ggf(text).times == (GgfTime(3_600_000, 10_000), GgfTime(30_500))


def test_values_may_hold_brackets() -> None:
    game = GgfGame(black="a[1] \\ b", white="two\nlines")
    assert read_ggf(write_ggf(game)).black == "a[1] \\ b"
    assert "\n" not in write_ggf(game)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "begins with"),
        ("(;GM[Othello]", "ends with"),
        ("(;GM[Go]TY[19];)", "GM is not Othello"),
        ("(;GM[Othello];)", "BO, the board, is missing"),
        ("(;BO[8 --- *];)", "BO must be"),
        ("(;BO[0 *];)", "BO must be"),
        (NBOARD.replace("B[F5]", "B[F5"), "not a move"),
        (NBOARD.replace("B[F5]", "B[99]"), "not a move: '99'"),
        (NBOARD.replace("B[F5]", "comment"), "not a property: 'comment"),
    ],
)
def test_errors_say_what_is_wrong(text: str, problem: str) -> None:
    with pytest.raises(GgfError, match=problem):
        read_ggf(text)


def test_the_example_in_the_docs() -> None:
    page = (Path(__file__).parents[2] / "docs/how-to/othello-programs.md").read_text("utf-8")
    (example,) = re.findall(r"```python\n(.*?)```", page, re.DOTALL)
    exec(textwrap.dedent(example), {})

"""The one reader of games and positions; `cases.json` is also what the page's reader is held to."""

import json
import struct
import time
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from plywire.clients.play.notation.reader import (
    FoundGame,
    NotationError,
    decode,
    read,
    read_each,
    stands_alone,
)
from plywire.engine.game import Game
from plywire.engine.registry import load

CASES = json.loads((Path(__file__).parent / "cases.json").read_text("utf-8"))
OTHELLO = load("othello")
CONNECT4 = load("connect4")
ALL = [CONNECT4, OTHELLO, load("tictactoe")]


def games(names: list[str]) -> list[Game]:
    return [load(*name.split()) for name in names]


def names(data: bytes | str, *kinds: Game) -> list[tuple[str, ...]]:
    return [found.line.names for found in read(data, kinds).games]


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['about']}: {case['text'][:40]!r}")
def test_a_case(case: dict[str, Any]) -> None:
    options = {name: True for name in ("joined", "finished", "fixed") if case.get(name)}
    kinds = games(case["games"])
    if "refused" in case:
        with pytest.raises(NotationError) as refusal:
            read(case["text"], kinds, **options)
        error = refusal.value
        refused = {"line": error.line, "column": error.column, "kind": error.kind}
        assert refused == case["refused"], str(error)
        assert str(error).startswith(f"line {error.line}, column {error.column}: ")
        return
    reading = read(case["text"], kinds, **options)
    found = [
        {
            "game": game.line.start.game.name,
            "size": game.line.start.game.size,
            "fen": game.line.start.fen(),
            "moves": " ".join(game.line.names),
        }
        for game in reading.games
    ]
    assert found == case["found"]
    assert reading.skipped == case["skipped"]


def test_there_are_cases_enough() -> None:
    assert len(CASES) >= 150
    assert len({json.dumps({**case, "about": ""}) for case in CASES}) == len(CASES)


@pytest.mark.parametrize(
    "data",
    [
        b"f5 d6 c3",
        b"\xef\xbb\xbff5 d6 c3\r\n",
        "f5 d6 c3".encode("utf-16"),
        b'[White "Ren\xe9"]\r\n\r\n1. f5 d6 2. c3 *\r\n',
        b"# Ren\xe9\rf5d6c3\r",
    ],
)
def test_files_in_any_encoding_are_read(data: bytes) -> None:
    assert names(data, OTHELLO) == [("f5", "d6", "c3")]


def wthor(*moves: bytes) -> bytes:
    head = struct.pack("<4BiHHBBBB", 20, 1, 1, 1, len(moves), 0, 2001, 8, 0, 24, 0)
    return head + b"".join(
        struct.pack("<HHHBB", 1, 2, 3, 40, 40) + m.ljust(60, b"\0") for m in moves
    )


def test_wthor_is_read() -> None:
    assert names(wthor(bytes([56, 64, 33]), bytes([34])), OTHELLO) == [("f5", "d6", "c3"), ("d3",)]


def test_a_bad_move_of_wthor_is_named_by_its_game() -> None:
    with pytest.raises(NotationError, match="line 2, column 3: "):
        read(wthor(bytes([56]), bytes([56, 99])), [OTHELLO])


def test_what_is_wrong_does_not_keep_the_rest_from_being_read() -> None:
    each = list(read_each("444\n9\n\n(;GM[Othello];)\n1 2 3 +4\n", [CONNECT4]))
    kinds = [one.kind if isinstance(one, NotationError) else one.text for one in each]
    assert kinds == ["444", "move", "format", "1 2 3 +4"]


def test_who_lost_is_said() -> None:
    text = '[White "ann"]\n[Black "bob"]\n\n1. f5 d6 0-1\n'
    (found,) = read(text, [OTHELLO]).games
    assert found.loser == "ann"
    assert (found.row, found.is_unfinished) == (1, False)
    assert len(found.positions) == 3


@pytest.mark.parametrize(
    ("line", "alone"),
    [
        ("444", True),
        ("", True),
        ("1 2 1 2", True),
        ("7/7/7/7/7/7 x", True),
        ("1. 4 4", False),
        ('[Event "?"]', False),
        ("{", False),
        ("(;GM[2]", False),
        ("6 . . . . . . .", False),
        ("  a b c", False),
    ],
)
def test_whether_a_line_stands_alone(line: str, alone: bool) -> None:
    assert stands_alone(line) is alone


_PIECES = [case["text"] for case in CASES] + list('(){}[];"\\\n%#|/*-. 0123456789abfxoXO')


@given(st.lists(st.sampled_from(_PIECES) | st.text(max_size=20), max_size=6), st.booleans())
def test_no_text_is_too_odd(pieces: list[str], joined: bool) -> None:
    for found in read_each("".join(pieces), ALL, joined=joined):
        assert isinstance(found, FoundGame | NotationError)


@given(st.binary(max_size=300))
@example(b"\xff\xfe\x00")
@example(wthor(bytes([0, 200, 255])))
def test_no_bytes_are_too_odd(data: bytes) -> None:
    decode(data)
    list(read_each(data, ALL))


@pytest.mark.parametrize(
    "piece",
    [
        "(", "(;", "[", "{", '{"', '"\\', '[A "b"]{', '[A "b"](', "1. ", "4", "4 ", "-", "/", "/1",
        "=\n", "|\n", "+\n", "#\n", "%", "(;GM[2];B[f5", "x.o", "x o ", "\n", " ", "(;A[]",
        "0\n8\n", ";)", "{}", '[A "b"]\n', "1-0 ", "f5 *", "$1", "!", "1.", "1)", "a1/", '{"a":[',
        "\\",
        "x" * 64 + "\n", "(;GM[Othello]BO[8", "set game ", "position fen ", "READY\n", "a b\n",
    ],
)  # fmt: skip
def test_work_is_bounded(piece: str) -> None:
    """No notation looks at the same characters again and again."""
    text = piece * (25_000 // len(piece))
    began = time.process_time()
    count = sum(1 for _ in read_each(text, [CONNECT4, OTHELLO]))
    assert count <= len(text)
    assert time.process_time() - began < 5

"""The page's engine is the server's: the same positions, the same nodes, scores and moves."""

from __future__ import annotations

import hashlib
import json
import subprocess
import time
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from plywire.engine.analysis import Analysis, EngineScore
from plywire.engine.connect4.book.book import shipped_book
from plywire.engine.connect4.rules import Connect4Position
from plywire.engine.engine import LocalEngine
from plywire.engine.game import Game, Position
from plywire.engine.limits import SearchLimits
from plywire.engine.othello.kernels import board_with
from plywire.engine.perft import Subtree
from plywire.engine.registry import backend_of, load
from plywire.engine.search.iterative_deepening import search
from plywire.engine.search.levels import HIGHEST
from plywire.engine.search.request import SearchRequest
from plywire.engine.search.stop import Stop
from plywire.engine.search.table import TranspositionTable
from plywire.engine.search.time_management import UNLIMITED
from tests.support.programs import NODE
from tools import page_engine

GAMES = ("connect4", "othello", "tictactoe")
HASH_MB = 16
#: What the search without a solver has.
TABLE_MB = {"connect4": 1, "othello": HASH_MB, "tictactoe": 1}
#: Moves to positions, by game.
MOVES = {
    "connect4": ("4 4 4 5", "2 1 7 4 3 4 3 3", "5 3 3 5 6 3 4 7 6 3 5 3"),
    "othello": ("f5 d6 c3 d3", "f5 f6 e6 d6", "e6 f6 d3 c5 d6 c6 f5 e3 b5 c4 f3 f2 f1 g5 b6 b4"),
    "tictactoe": ("", "b2", "a1 b2"),
}
#: Positions with 16 and with 9 empty squares, which are searched to the end.
ENDGAMES = (
    "f5 f4 d3 f6 g3 c5 d6 f3 g4 e3 e6 d7 d2 g5 e2 c2 c8 d8 c3 b8 c7 c4 c6 e7 b6 f7 b5 b4 a4 a3 a2 "
    "a5 a6 b3 h6 h5 h4 f1 e1 d1 g6 f2 f8 e8",
)
#: Positions of Connect Four that are solved in a moment.
SOLVED = ("2 1 7 4 3 4 3 3 7 5 4 3 4 7 4 4", "4 4 4 4 4 5 2 2 2 3 3 3 6 6 1 1 5")


def ask(*questions: dict[str, Any]) -> list[Any]:
    done = subprocess.run(
        [NODE, "--no-warnings", Path(__file__).with_name("ask_engine.mjs")],
        input=json.dumps(questions),
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    answers: list[Any] = json.loads(done.stdout)
    return answers


def position_after(game: str, moves: str) -> Position:
    start = load(game).start()
    return [start, *start.play_names(moves.split())][-1]


def line_of(game: str, moves: str) -> dict[str, Any]:
    return {"game": game, "size": load(game).size, "fen": None, "moves": moves.split()}


def told(game: Game, found: Analysis) -> dict[str, Any]:
    """What the page's engine should answer."""
    assert found.best is not None
    lines = [
        {
            "depth": line.depth,
            "score": {"kind": line.score.kind, "value": line.score.value},
            "nodes": line.nodes,
            "pv": list(map(game.move_name, line.pv)),
        }
        for line in found.lines
    ]
    return {"move": game.move_name(found.best), "lines": lines}


def without_solver(name: str, moves: str, limits: SearchLimits, multipv: int) -> dict[str, Any]:
    position = position_after(name, moves)
    request = SearchRequest(position, limits, multipv, Stop(), time.monotonic(), UNLIMITED)
    table = TranspositionTable(TABLE_MB[name])
    return told(position.game, search(backend_of(position.game), request, table))


@pytest.fixture(autouse=True)
def _weights_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    board = board_with(_page_tables())
    monkeypatch.setattr("plywire.engine.othello.memory.shipped_board", lambda: board)


@cache
def _page_tables() -> Any:
    return page_engine.page_weights().tables()


def test_the_files_are_those_of_the_sources() -> None:
    assert page_engine.wrong() == []


def test_the_weights_in_memory_are_those_of_python() -> None:
    (digest,) = ask({"ask": "tables"})
    assert digest == hashlib.sha256(_page_tables().tobytes()).hexdigest()


@pytest.mark.parametrize(("game", "depth"), [("connect4", 6), ("othello", 6), ("tictactoe", 9)])
def test_trees_have_as_many_leaves(game: str, depth: int) -> None:
    (found,) = ask({"ask": "count", "line": line_of(game, ""), "depth": depth})
    wanted = Subtree(None, load(game).start(), depth).count()
    assert found == [wanted.leaves, wanted.finished]


@pytest.mark.parametrize(
    ("game", "depth", "multipv"),
    [
        *[("connect4", 11, 1), ("connect4", 8, 3), ("othello", 10, 1), ("othello", 7, 3)],
        *[("tictactoe", 9, 1), ("tictactoe", 6, 4)],
    ],
)
def test_searches_visit_the_same_nodes(game: str, depth: int, multipv: int) -> None:
    go = {"limits": {"depth": depth}, "multipv": multipv}
    lines = [line_of(game, moves) for moves in MOVES[game]]
    (found,) = ask({"ask": "search", "lines": lines, "go": go, "hashMb": HASH_MB})
    limits = SearchLimits(depth=depth)
    assert found == [without_solver(game, moves, limits, multipv) for moves in MOVES[game]]


def test_endgames_are_solved_by_the_same_nodes() -> None:
    lines = [line_of("othello", moves) for moves in ENDGAMES]
    (found,) = ask({"ask": "search", "lines": lines, "go": {}, "hashMb": HASH_MB})
    limits = SearchLimits()
    assert found == [without_solver("othello", moves, limits, 1) for moves in ENDGAMES]
    assert [it["lines"][0]["score"]["kind"] for it in found] == ["exact"] * len(ENDGAMES)


@pytest.mark.parametrize("multipv", [1, 7])
@pytest.mark.parametrize("nodes", [None, 3000, 60_000])
def test_the_solver_visits_the_same_nodes(nodes: int | None, multipv: int) -> None:
    go = {"limits": {} if nodes is None else {"nodes": nodes}, "multipv": multipv}
    lines = [line_of("connect4", moves) for moves in SOLVED]
    (found,) = ask({"ask": "search", "lines": lines, "go": go, "hashMb": HASH_MB})
    wanted = []
    for moves in SOLVED:
        position = position_after("connect4", moves)
        engine = LocalEngine(hash_mb=HASH_MB, book=False)
        limits = SearchLimits(nodes=nodes)
        wanted.append(told(position.game, engine.analyse(position, limits, multipv=multipv)))
    assert found == wanted


def test_openings_are_scored_exactly_at_once() -> None:
    openings = ("", "4 1 2 2 7", "7 6 1 4 4 4 2")
    positions = [position_after("connect4", moves) for moves in openings]
    book = shipped_book(7, 6)
    assert book is not None
    lines = [line_of("connect4", moves) for moves in openings]
    go = {"limits": {"nodes": 1000}, "multipv": 7}
    (found,) = ask({"ask": "search", "lines": lines, "go": go, "hashMb": HASH_MB})
    for position, answer in zip(positions, found, strict=True):
        worths = []
        for move in position.moves():
            child = position.play(move)
            assert isinstance(child, Connect4Position)
            worths.append(-(book.get(child) or 0))
        signs = {"win": 1, "draw": 0, "loss": -1}
        kinds = [signs[line["score"]["kind"]] for line in answer["lines"]]
        assert kinds == sorted(((worth > 0) - (worth < 0) for worth in worths), reverse=True)


@pytest.mark.parametrize("game", GAMES)
def test_iterations_are_those_of_python(game: str) -> None:
    backend = backend_of(load(game))
    cases = [(empty, deepest) for empty in range(1, 61, 3) for deepest in {1, 4, empty}]
    wanted, questions = [], []
    for empty, deepest in cases:
        for runs_out in (False, True):
            steps = backend.iterations(empty, min(empty, deepest), may_run_out=runs_out)
            wanted.append([[it.depth, it.confidence] for it in steps])
            depth = min(empty, deepest)
            question = {"ask": "iterations", "game": game, "empty": empty, "deepest": depth}
            questions.append({**question, "mayRunOut": runs_out})
    assert ask(*questions) == wanted


@pytest.mark.parametrize("game", GAMES)
def test_levels_are_those_of_python(game: str) -> None:
    position = load(game).start()
    levels = backend_of(load(game)).levels
    scores = [EngineScore("win", 9), EngineScore("loss", 30), EngineScore("draw")]
    scores.append(EngineScore("cp", -230))
    wanted, questions = [], []
    for level in range(1, HIGHEST + 1):
        limits, multipv = levels.search(level, position, SearchLimits())
        given = {"nodes": limits.nodes, "depth": limits.depth}
        for score in scores if multipv > 1 else [None]:
            wanted.append(
                {
                    "limits": {name: it for name, it in given.items() if it is not None},
                    "multipv": multipv,
                    "worth": pytest.approx(levels.worth(score, level)) if score else None,
                }
            )
            question = {"ask": "level", "game": game, "level": level}
            asked = {"kind": score.kind, "value": score.value} if score else None
            questions.append({**question, "score": asked, "moves": len(position.moves())})
    assert ask(*questions) == wanted

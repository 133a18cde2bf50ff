"""The exported file, by itself: neither we nor any other library is in reach of it."""

import ast
import asyncio
import json
import random
import sys
from pathlib import Path
from typing import Any

import pytest

from plywire.clients.exports.connectx.export import best_opening, by_book, export
from plywire.clients.play.players.base import GameLine, Player
from plywire.clients.play.players.local import GreedyPlayer, RandomPlayer
from plywire.engine.connect4.book.book import Book, shipped_book
from plywire.engine.connect4.rules import Connect4, Connect4Position
from plywire.engine.connect4.solver.solver import Solver
from plywire.protocol.messages.limits import Limits
from tests.support.judges import KAGGLE_HOST
from tests.support.random_play import after_random_moves

PLIES = 6


@pytest.fixture(scope="module")
def book() -> Book:
    found = shipped_book(7, 6)
    assert found is not None
    return found


@pytest.fixture(scope="module")
def source(book: Book) -> str:
    def unasked(position: Connect4Position) -> int:
        pytest.fail(f"the book should know {position.fen()}")

    return export(best_opening(PLIES, by_book(book, unasked)))


class ExportedPlayer(Player):
    """The file, in a process without site packages, asked as ConnectX asks."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self.name = "exported"
        self._process = process

    @classmethod
    async def begin(cls, file: Path) -> "ExportedPlayer":
        pipe = asyncio.subprocess.PIPE
        command = (sys.executable, "-I", "-S", "-c", KAGGLE_HOST, str(file))
        return cls(await asyncio.create_subprocess_exec(*command, stdin=pipe, stdout=pipe))

    async def choose(self, line: GameLine, limits: Limits) -> int:
        position = line.position
        assert isinstance(position, Connect4Position)
        cells = [".xo".index(cell) for row in position.cells() for cell in row]
        game = position.game
        column = await self._ask(
            {"board": cells, "mark": 1 + position.turn, "remainingOverageTime": 1},
            {"columns": game.width, "rows": game.height, "inarow": 4, "actTimeout": 0.2},
        )
        return next(move for move in position.moves() if move // (game.height + 1) == column)

    async def _ask(self, *asked: dict[str, Any]) -> int:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{json.dumps(asked)}\n".encode())
        return int(await self._process.stdout.readline())

    async def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        await self._process.wait()


@pytest.mark.parametrize(
    ("other", "seat"),
    [(GreedyPlayer(), 0), (RandomPlayer(seed=4), 0), (RandomPlayer(seed=4), 1)],
    ids=["greedy-first", "random-first", "random-second"],
)
async def test_it_wins_alone(source: str, tmp_path: Path, other: Player, seat: int) -> None:
    file = tmp_path / "submission.py"
    file.write_text(source, "utf-8")
    exported = await ExportedPlayer.begin(file)
    players = [other, other]
    players[seat] = exported
    game = Connect4()
    line = GameLine.at(game.start())
    await other.start(game)
    while not line.position.is_over:
        line = line.play(await players[line.position.turn].choose(line, Limits(movetime=1)))
    await exported.close()
    result = line.position.result()
    assert result is not None
    assert result.winner == seat, line.names


def test_it_needs_the_standard_library_only(source: str) -> None:
    imported = {
        name.split(".")[0]
        for node in ast.walk(ast.parse(source))
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported <= sys.stdlib_module_names


def test_its_opening_is_the_best(source: str, book: Book) -> None:
    names: dict[str, Any] = {}
    exec(source, names)
    board = names["Board"](7, 6, 4)
    opening = names["_opening"](board)
    known = opening._columns
    assert len(known) == 176
    assert opening.get((0, 0)) == 3
    for own, other in known:
        stones = (own | other).bit_count()
        assert stones < PLIES
        position = Connect4Position(Connect4(), own, other, stones % 2)
        worths = {move // 7: -(book.get(position.play(move)) or 0) for move in position.moves()}
        assert worths[opening.get((own, other))] == max(worths.values()) == book.get(position)


def test_its_move_keeps_the_value_that_the_solver_proves(source: str) -> None:
    names: dict[str, Any] = {}
    exec(source, names)
    solver, search = Solver(7, 6, table_mb=16), names["Search"](names["Board"](7, 6, 4))
    chance, checked = random.Random(45), 0
    while checked < 80:
        stones = chance.randrange(20, 30)
        position = after_random_moves(Connect4(), stones, chance.randrange(10**6))
        assert isinstance(position, Connect4Position)
        worths = {c: _sign(s) for c, s in enumerate(solver.scores(position)) if s is not None}
        if len(set(worths.values())) > 1:
            column = search.best((position.own, position.other), 1e9)
            assert worths[column] == max(worths.values()), position.fen()
            checked += 1


def _sign(score: int) -> int:
    return (score > 0) - (score < 0)


def test_the_file_is_the_agent_but_for_the_opening(source: str) -> None:
    assert f"BOOK_PLIES = {PLIES}\n" in source
    assert 'BOOK = ""' not in source
    assert max(map(len, source.splitlines())) <= 100


def test_beyond_the_book_another_is_asked(book: Book, monkeypatch: pytest.MonkeyPatch) -> None:
    get = book.get

    def get_early(position: Connect4Position) -> int | None:
        return get(position) if (position.own | position.other).bit_count() <= 4 else None

    asked: list[Connect4Position] = []

    def beyond(position: Connect4Position) -> int:
        asked.append(position)
        return position.moves()[0] // 7

    monkeypatch.setattr(book, "get", get_early)
    opening = best_opening(5, by_book(book, beyond))
    assert len(opening.choices) > len(asked) > 10
    assert {(position.own | position.other).bit_count() for position in asked} == {4}
    position = asked[0]
    assert opening.get((position.own, position.other)) == position.moves()[0] // 7

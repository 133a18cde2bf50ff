"""Engines that are asked with `await` and without: ours, a program and a server."""

import asyncio
import sys
from pathlib import Path

import pytest

from plywire.clients import (
    Board,
    Engine,
    Limits,
    PlayerCrashedError,
    PlayerGarbledError,
    SimpleEngine,
)
from plywire.clients.connecting.players.specs import SpecError
from plywire.server.serve import Server

PROGRAM = f"ugi:{Path(sys.executable).with_name('plywire')} engine?Hash=4"
FAKE = Path(__file__).parents[1] / "support" / "fake_programs" / "fake_engine.py"
DEEP = Limits(depth=3)


def ours(server: Server) -> str:
    return "engine:hash=1"


def program(server: Server) -> str:
    return PROGRAM


def remote(server: Server) -> str:
    host, port = server.websocket_address
    return f"ws://{host}:{port}"


@pytest.mark.parametrize("kind", [ours, program, remote])
async def test_an_engine_plays_and_analyses(kind: object, server: Server) -> None:
    board = Board("othello")
    async with Engine(kind(server)) as engine:  # type: ignore[operator]
        result = await engine.play(board, DEEP)
        assert result.move in board.legal_moves
        assert result.info is not None
        assert result.info.pv[0] == result.move.name
        board.push(result.move)
        info = await engine.analyse(board, DEEP)
        assert (info.depth, info.multipv) == (3, 1)
        depths = [info.depth async for info in engine.analyse(board, DEEP)]
        assert depths == sorted(depths)
        assert depths[-1] == 3
        async for info in engine.analyse(board, Limits(infinite=True)):
            if info.depth > 1:
                break
        assert (await engine.play(board, DEEP)).move in board.legal_moves
        other = Board("tictactoe")
        assert (await engine.play(other, DEEP)).move in other.legal_moves


def test_without_an_event_loop() -> None:
    board = Board("tictactoe")
    with SimpleEngine("engine:hash=1") as engine:
        while not board.is_game_over():
            board.push(engine.play(board, Limits(nodes=100)).move)
        board = Board("othello")
        assert engine.analyse(board, DEEP).depth == 3
        for info in engine.analysis(board, Limits(infinite=True)):
            if info.depth > 2:
                break
        assert [info.depth for info in engine.analysis(board, DEEP)][-1] == 3
        engine.close()
    with pytest.raises(ValueError, match="closed"):
        engine.play(board, DEEP)


async def test_searches_wait_for_their_turn() -> None:
    board = Board("tictactoe")
    async with Engine("engine:hash=1") as engine:
        found = await asyncio.gather(*(engine.play(board, DEEP) for _ in range(4)))
    assert len(found) == 4


async def test_one_that_failed_is_started_anew(tmp_path: Path) -> None:
    log = tmp_path / "log"
    async with Engine(f"ugi:{sys.executable} -S {FAKE} ugi crash {log}") as engine:
        for _ in range(2):
            with pytest.raises(PlayerCrashedError, match="out of memory"):
                await engine.play(Board(), DEEP)
    assert log.read_text() == "started\n" * 2


async def test_what_cannot_be_searched() -> None:
    with pytest.raises(SpecError, match="a player is"):
        Engine("stockfish")
    board = Board()
    async with Engine("random") as engine:
        assert (await engine.play(board)).info is None
        with pytest.raises(PlayerGarbledError, match="it said nothing of its search"):
            await engine.analyse(board)
        for move in "1212121":
            board.push(move)
        with pytest.raises(ValueError, match="the game is over, four in a row"):
            await engine.play(board)

"""Passes after the end of a game are ignored, whatever says them."""

from pathlib import Path

import pytest

from plywire.clients.play.players.base import GameLine
from plywire.engine.game import IllegalMoveError
from plywire.engine.registry import load
from plywire.protocol.connection import EngineConnection, Fault, Ignored
from plywire.protocol.dialects import ANSWERING
from plywire.protocol.ggf import square
from plywire.protocol.messages.base import Command, Event
from plywire.server.searching.search_pool import SearchPool
from plywire.server.sessions.session import Session
from tests.support.peers import settings
from tools.othello_games import read_othello_games

#: The first player has taken all.
NAMES = ("e6", "f4", "e3", "f6", "g5", "d6", "e7", "f5", "c5")
BOARD = "BO[8 ---------------------------O*------*O--------------------------- *]"
LATE = ("pass", "pass", "pass")


def ggf(names: tuple[str, ...]) -> str:
    moves = "".join(f"{'BW'[n % 2]}[{square(name)}]" for n, name in enumerate(names))
    return f"(;GM[Othello]{BOARD}{moves};)"


async def told(dialect: str, *lines: str) -> tuple[list[str], str]:
    """What a server's session answers to lines, and the position that it then has."""
    chosen = settings()
    pool = SearchPool(chosen.threads, longest=chosen.max_think_time)
    session = Session(chosen, pool)
    connection = EngineConnection(ANSWERING[dialect]())
    try:
        for line in lines:
            connection.receive_text(line)
            while (item := connection.next_command()) is not None:
                if isinstance(item, Fault):
                    connection.send(item.error, item)
                elif not isinstance(item, Ignored):
                    await session.handle(
                        item, lambda event, item=item: connection.send(event, item)
                    )  # type: ignore[misc]
                    await session.answered()
        return connection.lines_to_send(), session.position.fen()
    finally:
        await session.finish()
        await pool.close()


def _send(connection: EngineConnection, command: Command, event: Event) -> None:
    connection.send(event, command)


SPOKEN = {
    "plywire": ["new-game othello", f"position startpos moves {' '.join((*NAMES, *LATE))}"],
    "json": [
        '{"type":"new-game","game":"othello"}',
        f'{{"type":"position","moves":{[*NAMES, *LATE]}}}'.replace("'", '"'),
        '{"type":"move","moves":["pass"]}',
    ],
    "ugi": [
        "ugi",
        "setoption name Game value othello",
        f"position startpos moves {' '.join(NAMES)} 0000 0000",
    ],
    "uci": [
        "uci",
        "setoption name UCI_Variant value othello",
        f"position startpos moves {' '.join(f'P@{name}' for name in NAMES)} 0000 0000",
    ],
    "gtp": [
        *(f"play {'bw'[n % 2]} {name}" for n, name in enumerate((*NAMES, *LATE))),
        "genmove b",
        "play w pass",
    ],
    "nboard": ["nboard 2", f"set game {ggf((*NAMES, *LATE))}", "move PA", "move PA"],
}


@pytest.mark.parametrize("dialect", SPOKEN)
async def test_they_are_ignored_in_every_dialect(dialect: str) -> None:
    lines, fen = await told(dialect, *SPOKEN[dialect])
    assert not any("error" in line or line.startswith("?") for line in lines)
    assert fen == GameLine.at(load("othello").start()).play_names(NAMES).position.fen()


async def test_each_is_taken_back_by_itself() -> None:
    lines, fen = await told("plywire", *SPOKEN["plywire"], "move pass", "undo 4")
    assert lines == ["ok"] * 4
    assert fen == GameLine.at(load("othello").start()).play_names(NAMES).position.fen()


def test_they_are_ignored_in_files_and_lines(tmp_path: Path) -> None:
    path = tmp_path / "games"
    texts = (ggf(NAMES), ggf((*NAMES, *LATE)), " ".join((*NAMES, *LATE)))
    path.write_text("\n".join(texts))
    first, second, third = read_othello_games(path)
    assert first.positions[-1] == second.positions[-1] == third.positions[-1]
    line = GameLine.at(load("othello").start()).play_names(NAMES)
    assert line.play_names(LATE) == line


def test_a_pass_before_the_end_must_be_legal() -> None:
    with pytest.raises(IllegalMoveError):
        GameLine.at(load("othello").start()).play_names(["pass"])
    with pytest.raises(IllegalMoveError):
        load("connect4").start().play_names(["4", "pass"])

"""Nothing that a peer sends raises out of a connection, and answers are of bounded length."""

import random
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from plywire.protocol.connection import EngineConnection, Fault, Ignored, State
from plywire.protocol.controller_connection import ControllerConnection, OddLine
from plywire.protocol.dialects import ANSWERING, DRIVING
from plywire.protocol.errors import UnspeakableError
from plywire.protocol.messages import arena, play, review
from plywire.protocol.messages.arena import ArenaCommand
from plywire.protocol.messages.base import Command, Error, ErrorCode, Event
from plywire.protocol.messages.limits import Limits
from plywire.protocol.messages.registry import COMMANDS
from plywire.protocol.text import MAX_MESSAGE
from tests.support.transcripts import transcripts

CORPUS = sorted((Path(__file__).parent / "corpus").glob("*.txt"))

#: How many mutated lines each dialect is given at each end.
LINES = 4_000

SHOW = play.ShowAnswer(game="g", size="1x1", fen="1 x", moves=(), turn=1, board=".")
ANSWER: dict[type[Any], Event] = {
    play.HelloAnswer: play.HelloAnswer(games=("connect4",)),
    play.LegalAnswer: play.LegalAnswer(moves=("4",)),
    play.ShowAnswer: SHOW,
    play.EvalAnswer: play.EvalAnswer(score=play.Score(kind="draw")),
    play.ResultAnswer: play.ResultAnswer(over=False, turn=1),
    play.BestMove: play.BestMove(move="4", square="d1"),
    review.ReviewAnswer: review.ReviewAnswer(number=1, move="4", player=1, mark="best"),
    review.Reviewed: review.Reviewed(players=(review.Judged(), review.Judged())),
}


def lines_of_corpus() -> list[str]:
    return [line for path in CORPUS for line in path.read_text("utf-8").splitlines()]


def lines_of_transcripts(mark: str) -> list[str]:
    return [step[2:] for script in transcripts() for step in script.steps if step.startswith(mark)]


@cache
def mutations(mark: str, times: int, seed: int) -> list[bytes]:
    """Lines with bytes changed, cut out, doubled, or pieces of others put in.

    They are made of those of the corpus, and of those of an end in the transcripts, which count
    several times.
    """
    lines, chance = lines_of_corpus() + lines_of_transcripts(mark) * times, random.Random(seed)
    mutated = []
    for _ in range(LINES):
        line = bytearray(chance.choice(lines).encode())
        for _ in range(chance.randrange(4)):
            place, end = sorted(chance.randrange(len(line) + 1) for _ in range(2))
            match chance.randrange(5):
                case 0:
                    line[place:end] = b""
                case 1:
                    line[place:place] = line[place:end] * chance.randrange(1, 9)
                case 2:
                    line[place:place] = bytes([chance.randrange(256)])
                case 3:
                    line[place:end] = chance.choice(lines).encode()
                case 4:
                    line[place:end] = str(chance.randrange(-(10**25), 10**25)).encode()
        mutated.append(bytes(line).replace(b"\n", b" ") + b"\n")
    return mutated


def answer_all(connection: EngineConnection) -> int:
    """Take everything, answer it at once; how many faults there were."""
    faults = 0
    while (item := connection.next_command()) is not None:
        if isinstance(item, Fault):
            faults += 1
            assert 0 < len(item.error.message) <= MAX_MESSAGE
            connection.send(item.error, item)
        elif isinstance(item, play.Prepare):  # what answers it must name its game
            connection.send(Error(code=ErrorCode.UNAVAILABLE, message="no compiler"), item)
        elif not isinstance(item, play.Quit | Ignored):
            for kind in item.answers:
                if kind not in (play.Info, play.GameInfo):
                    connection.send(ANSWER.get(kind) or kind(), item)
        assert connection.pending_bytes <= 4 * MAX_MESSAGE
        connection.lines_to_send()
    return faults


@pytest.mark.parametrize("name", ANSWERING)
def test_the_engines_end_lives_on(name: str) -> None:
    connection = EngineConnection(ANSWERING[name](), max_line=4096)
    faults = 0
    for line in mutations("> ", 1, seed=1):
        if connection.state is not State.OPEN:
            connection = EngineConnection(ANSWERING[name](), max_line=4096)
        connection.receive_data(line)
        faults += answer_all(connection)
        assert connection.unanswered == () or connection.state is State.CLOSING
    # NBoard ignores what it does not know.
    assert faults > (LINES / 1000 if name == "nboard" else LINES / 4)


#: What a bot asks.
BOT = (
    arena.Login(name="ann", token="secret"),
    arena.Lobby(),
    arena.Seek(game="connect4", limits=Limits(movetime=100)),
    arena.Play(table="1.0", turn=0, move="4"),
)


@pytest.mark.parametrize("name", DRIVING)
def test_the_controllers_end_lives_on(name: str) -> None:
    other = (play.Quit, play.Move)
    asked = [
        kind.model_construct()
        for kind in COMMANDS.values()
        if kind not in other and not issubclass(kind, ArenaCommand)
    ]
    asked += [play.Move(moves=("4",)), *BOT]
    connection = None
    heard = 0
    odd: list[OddLine] = []
    for number, line in enumerate(mutations("< ", 3, seed=2)):
        if connection is None or connection.state is State.CLOSED or number % 20 == 0:
            connection = ControllerConnection(
                DRIVING[name](), max_line=4096, on_odd_line=odd.append
            )
            searches: list[Command] = [play.Go(), review.Review()]
            last = searches[number // 20 % 2]  # for nothing else is taken during a search
            others = [c for c in asked if c.type not in ("option", "go", "review")]
            for command in [*others, last]:
                try:
                    connection.send(command)
                except UnspeakableError:
                    continue
        connection.receive_data(line)
        while connection.next_event() is not None:
            heard += 1
    assert heard + len(odd) > LINES / 100


@pytest.mark.parametrize("path", CORPUS, ids=lambda path: path.stem)
def test_each_nasty_line_is_answered_at_most_once_a_command(path: Path) -> None:
    for line in path.read_text("utf-8").splitlines():
        for dialect in ANSWERING.values():
            connection = EngineConnection(dialect())
            connection.receive_text(line)
            faults = answer_all(connection)
            assert faults <= 1, line


def test_bytes_at_random() -> None:
    chance = random.Random(3)
    connection = EngineConnection(max_line=100)
    for _ in range(LINES // 10):
        connection.receive_data(chance.randbytes(chance.randrange(200)))
        answer_all(connection)
    connection.receive_data(b"\nping\n")
    items = [connection.next_command()]
    while items[-1] is not None:
        items.append(connection.next_command())
    assert items[-2] == play.Ping()


def test_a_line_as_long_as_can_be_is_one_fault() -> None:
    for dialect in ANSWERING.values():
        for line in (
            b"[" * 65536,
            b'{"type":' + b'{"a":' * 13000,
            b"go " + b"9" * 65000,
            b" " * 65536,
        ):
            connection = EngineConnection(dialect())
            connection.receive_data(line + b"\n")
            assert answer_all(connection) <= 1
            connection.receive_data(b"x" * 65537 + b"\n")
            assert answer_all(connection) == 1

"""A new command is one class and one handler: everything else follows from its description."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Literal

import pytest

from plywire.protocol.connection import EngineConnection, Fault
from plywire.protocol.controller_connection import ControllerConnection
from plywire.protocol.dialects import DRIVING
from plywire.protocol.messages import play
from plywire.protocol.messages.base import COMMANDS, EVENTS, Command, Event
from plywire.protocol.messages.fields import MoveName, Natural
from plywire.protocol.messages.in_line import by_key, by_keyword
from plywire.protocol.messages.schema import command_schema, event_schema
from plywire.server.searching.search_pool import SearchPool
from plywire.server.sessions.session import METHODS, Session
from plywire.server.sessions.thinking import Reply
from tests.support.peers import settings


class Square(Event):
    """How often a move was played."""

    type: Literal["square"] = "square"
    move: MoveName
    times: Annotated[Natural, by_keyword()] = 1


class Squares(Command):
    """Natural the moves played."""

    answers = (Square, play.Ok)
    while_thinking = True

    type: Literal["squares"] = "squares"
    least: Annotated[Natural, by_key("COUNT")] = 1


# What is made up here is known to the tests of this file only.
del COMMANDS["squares"], EVENTS["square"]


async def _squares(session: Session, command: Squares, reply: Reply) -> None:
    cells = [cell for row in session.position.game.start().cells() for cell in row]
    reply(Square(move="a1", times=len(cells)))
    reply(Square(move="b2", times=command.least))
    reply(play.Ok())


@pytest.fixture(autouse=True)
def _known(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(COMMANDS, "squares", Squares)
    monkeypatch.setitem(EVENTS, "square", Square)
    monkeypatch.setitem(METHODS, Squares, _squares)


@pytest.fixture
async def session() -> AsyncIterator[Session]:
    chosen = settings()
    pool = SearchPool(1, longest=1.0)
    yield Session(chosen, pool)
    await pool.close()


@pytest.mark.parametrize(
    ("dialect", "asked", "answered"),
    [
        ("plywire", "squares least=3", ["square a1 times 42", "square b2 times 3", "ok"]),
        (
            "json",
            '{"type":"squares","id":9,"least":3}',
            [
                '{"type":"square","id":9,"move":"a1","times":42}',
                '{"type":"square","id":9,"move":"b2","times":3}',
                '{"type":"ok","id":9}',
            ],
        ),
    ],
)
async def test_it_is_spoken_from_end_to_end(
    dialect: str, asked: str, answered: list[str], session: Session
) -> None:
    controller, engine = ControllerConnection(DRIVING[dialect]()), EngineConnection()
    controller.send(Squares(least=3, id=9))
    assert controller.lines_to_send() == [asked]
    engine.receive_text(asked)
    command = engine.next_command()
    assert isinstance(command, Squares)
    await session.handle(command, lambda event: engine.send(event, command))
    lines = engine.lines_to_send()
    assert lines == answered
    controller.receive_text("\n".join(lines))
    heard = [controller.next_event() for _ in lines]
    assert heard == [
        Square(move="a1", times=42, id=9),
        Square(move="b2", times=3, id=9),
        play.Ok(id=9),
    ]
    assert controller.unanswered == engine.unanswered == ()


def test_it_may_be_given_during_a_search() -> None:
    engine = EngineConnection()
    engine.receive_text("go\nsquares\nmove 1")
    assert engine.next_command() == play.Go()
    assert engine.next_command() == Squares()
    refused = engine.next_command()
    assert isinstance(refused, Fault)
    assert "only prepare, stop, ping, quit, squares are accepted" in refused.error.message


def test_errors_and_the_schema_tell_of_it() -> None:
    engine = EngineConnection()
    engine.receive_text("squares many\nsquash")
    wrong, unknown = engine.next_command(), engine.next_command()
    assert isinstance(wrong, Fault)
    assert wrong.error.message == "expected squares [least=COUNT]"
    assert isinstance(unknown, Fault)
    assert unknown.error.message.endswith(", squares")
    assert "Squares" in command_schema()["$defs"]
    assert "Square" in event_schema()["$defs"]


async def test_what_nobody_carries_out_is_refused(session: Session) -> None:
    replies: list[Event] = []
    await session.handle(Command.model_construct(type="sing"), replies.append)
    (error,) = replies
    assert "sing is not accepted here" in str(error)

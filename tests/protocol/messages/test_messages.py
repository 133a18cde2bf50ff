import jsonschema
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from plywire.protocol.messages import play, schema
from plywire.protocol.messages.base import Command, Error, ErrorCode, Event
from plywire.protocol.messages.fields import MAX_INTEGER
from plywire.protocol.messages.limits import Clock, Limits
from plywire.protocol.messages.registry import COMMANDS, EVENTS, command_adapter, event_adapter
from plywire.protocol.text import MAX_MESSAGE, one_line
from tests.protocol.strategies import messages


@pytest.mark.parametrize("id", ["x" * 65, 2**53 + 1, -MAX_INTEGER - 1, 1.5])
def test_an_id_is_bounded(id: object) -> None:
    with pytest.raises(ValidationError):
        command_adapter().validate_python({"type": "ping", "id": id})
    with pytest.raises(ValidationError):
        event_adapter().validate_python({"type": "pong", "id": id})


@pytest.mark.parametrize("id", ["x" * 64, "", MAX_INTEGER, -MAX_INTEGER, None])
def test_an_id_may_be_a_string_or_a_number(id: object) -> None:
    assert command_adapter().validate_python({"type": "ping", "id": id}).id == id


def test_messages_are_cut_to_one_line() -> None:
    error = Error(code=ErrorCode.SYNTAX, message=" a\nb\x1b[1m \x00c" + "d" * 1000)
    assert error.message.startswith("a b [1m cdd")
    assert len(error.message) == MAX_MESSAGE


@given(st.text())
def test_a_line_stays_as_it_is(text: str) -> None:
    line = one_line(text)
    assert one_line(line) == line
    assert "\n" not in line


def test_every_command_is_closed_by_one_kind_of_event() -> None:
    for kind in COMMANDS.values():
        command = kind.model_construct()
        closing = [
            event for event in EVENTS.values() if command.is_closed_by(event.model_construct())
        ]
        assert closing == [e for e in EVENTS.values() if e in (kind.answers[-1], Error)]


def test_an_event_answers_only_what_it_is_an_answer_to() -> None:
    assert play.Ping().is_answered_by(play.Pong())
    assert not play.Stop().is_answered_by(play.Pong())
    assert play.Stop().is_answered_by(Error(code=ErrorCode.BUSY, message=""))


_COMMAND = jsonschema.Draft202012Validator(schema.command_schema())
_EVENT = jsonschema.Draft202012Validator(schema.event_schema())


@given(messages.any_command)
def test_commands_fit_their_schema(command: Command) -> None:
    _COMMAND.validate(command_adapter().dump_python(command, mode="json"))
    _COMMAND.validate(command_adapter().dump_python(command, mode="json", exclude_none=True))


@given(messages.any_event)
def test_events_fit_their_schema(event: Event) -> None:
    _EVENT.validate(event_adapter().dump_python(event, mode="json"))
    _EVENT.validate(event_adapter().dump_python(event, mode="json", exclude_none=True))


def test_the_schema_refuses_what_the_models_refuse() -> None:
    assert _COMMAND.is_valid({"type": "undo", "count": 1})
    assert not _COMMAND.is_valid({"type": "undo", "count": 0})
    assert not _COMMAND.is_valid({"type": "undo", "extra": 0})
    _COMMAND.check_schema(_COMMAND.schema)
    _EVENT.check_schema(_EVENT.schema)


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Limits(time=1), "Limits: unknown field 'time': the fields are movetime, depth, "),  # type: ignore[call-arg]
        (lambda: Limits(movetime=-1), "Limits: movetime must be at least 0, not -1"),
        (lambda: Clock(p1=5), "Clock: p2 is missing"),  # type: ignore[call-arg]
    ],
)
def test_limits_that_do_not_fit_are_refused_in_one_line(make, words: str) -> None:
    with pytest.raises(ValueError, match=words) as raised:
        make()
    assert "\n" not in str(raised.value)

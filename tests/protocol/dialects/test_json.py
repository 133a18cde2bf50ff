import pytest

from plywire.protocol.dialects.json import JsonAnswering, JsonDriving
from plywire.protocol.errors import PeerError
from plywire.protocol.messages import play
from plywire.protocol.messages.base import ErrorCode
from plywire.protocol.messages.limits import Limits
from plywire.protocol.text import MAX_MESSAGE


def test_objects_begin_with_their_type_and_leave_nulls_out() -> None:
    assert JsonAnswering().encode_event(play.BestMove(id=1), None) == [
        '{"type":"bestmove","id":1,"by":"engine"}'
    ]
    go = play.Go(limits=Limits(depth=3))
    assert JsonDriving().encode_command(go) == [
        '{"type":"go","limits":{"depth":3,"infinite":false},"multipv":1}'
    ]


def test_a_repeated_field_is_refused_by_the_id_of_the_command() -> None:
    with pytest.raises(PeerError) as caught:
        JsonAnswering().decode_command('{"type":"undo","id":7,"count":1,"count":1}')
    assert caught.value.id == 7
    with pytest.raises(PeerError, match="field 'reason' is given twice"):
        JsonDriving().decode_event('{"type":"bye","reason":"a","reason":"b"}')


def test_no_string_of_an_event_brings_control_characters_with_it() -> None:
    """JSON can write in strings what lines may not hold."""
    (bye,) = JsonDriving().decode_event('{"type":"bye","reason":"a\\u001b[2J\\u202eb"}')
    assert bye == play.Bye(reason="a [2J b")
    show = '{"type":"show","game":"g","size":"1x1","fen":"1 x","moves":[],"turn":1,"board":'
    (shown,) = JsonDriving().decode_event(show + '"x\\u001b[2J\\n\\u009bo\\u2066"}')
    assert isinstance(shown, play.ShowAnswer)
    assert shown.board == "x [2J\n o "
    with pytest.raises(PeerError, match="name must be printable words"):
        JsonAnswering().decode_command('{"type":"hello","name":"a\\u202eb"}')


def test_strings_may_hold_what_lines_may_not() -> None:
    line = JsonAnswering().encode_event(play.Ok(id="a\n\x7f\u2028"), None)
    assert line == ['{"type":"ok","id":"a\\n\\u007f\\u2028"}']


@pytest.mark.parametrize(
    ("line", "code", "message"),
    [
        ("{", ErrorCode.SYNTAX, "not JSON: EOF while parsing an object at character 1"),
        ("[" * 5000, ErrorCode.SYNTAX, "not JSON: recursion limit exceeded"),
        ("[]", ErrorCode.SYNTAX, "expected a JSON object with a type"),
        ("{}", ErrorCode.SYNTAX, "type is missing: it is one of hello, games"),
        ('{"type":"x"}', ErrorCode.UNKNOWN_COMMAND, "unknown type 'x': it is one of hello"),
        ('{"type":["go"]}', ErrorCode.UNKNOWN_COMMAND, "unknown type"),
        ('{"type":"move"}', ErrorCode.SYNTAX, "moves is missing"),
        ('{"type":"undo","n":1}', ErrorCode.SYNTAX, "unknown field 'n': the fields are type, id, "),
        (
            '{"type":"go","limits":{"time":1}}',
            ErrorCode.SYNTAX,
            "unknown field 'limits.time': the fields are movetime, depth, nodes, clock, infinite",
        ),
        ('{"type":"undo","count":"1"}', ErrorCode.BAD_VALUE, "count must be a whole number, not"),
        ('{"type":"undo","count":NaN}', ErrorCode.BAD_VALUE, "count must be a whole number"),
        ('{"type":"undo","count":1.5}', ErrorCode.BAD_VALUE, "count must be a whole number"),
        ('{"type":"undo","count":' + "9" * 5000 + "}", ErrorCode.SYNTAX, "number out of range"),
        ('{"type":"undo","count":' + "9" * 50 + "}", ErrorCode.BAD_VALUE, "at most 256"),
        ('{"type":"move","moves":"4"}', ErrorCode.BAD_VALUE, "moves must be a list, not '4'"),
        ('{"type":"move","moves":[1]}', ErrorCode.BAD_VALUE, "moves[0] must be a string, not 1"),
        ('{"type":"go","limits":1}', ErrorCode.BAD_VALUE, "limits must be an object, not 1"),
        (
            '{"type":"go","level":3,"limits":{"infinite":true}}',
            ErrorCode.BAD_VALUE,
            "level goes with movetime and clock only: it decides all else",
        ),
        ('{"type":"ping","id":true}', ErrorCode.BAD_VALUE, "id must be a string of at most 64"),
        ('{"type":"ping","type":"ping"}', ErrorCode.SYNTAX, "field 'type' is given twice"),
        ('{"type":"undo","count":1,"count":2}', ErrorCode.SYNTAX, "field 'count' is given twice"),
        (
            '{"type":"go","limits":{"depth":1,"\\u0064epth":9}}',
            ErrorCode.SYNTAX,
            "field 'depth' is given twice",
        ),
        ('{"type":"go","limits":{"clock":{"p1":1}}}', ErrorCode.SYNTAX, "limits.clock.p2 is miss"),
        ('{"type":"ping","id":"\\ud800"}', ErrorCode.SYNTAX, "not JSON"),
        (
            '{"type":"hello","name":" "}',
            ErrorCode.BAD_VALUE,
            "name must be printable words with single spaces between, not ' '",
        ),
    ],
)
def test_what_is_wrong_and_what_is_accepted(line: str, code: ErrorCode, message: str) -> None:
    with pytest.raises(PeerError) as caught:
        JsonAnswering().decode_command(line)
    assert caught.value.code is code
    assert message in caught.value.message
    assert len(caught.value.message) <= MAX_MESSAGE


@pytest.mark.parametrize(
    ("line", "id"),
    [
        ('{"type":"undo","id":7,"count":0}', 7),
        ('{"id":"a"}', "a"),
        ('{"type":"x","id":0}', 0),
        ('{"type":"undo","id":true,"count":0}', None),
        ('{"type":"undo","id":1e3,"count":0}', None),
        ('{"type":"undo","id":' + "9" * 40 + "}", None),
        ("[7]", None),
    ],
)
def test_a_refusal_carries_the_id_if_it_can_be_read(line: str, id: int | str | None) -> None:
    with pytest.raises(PeerError) as caught:
        JsonAnswering().decode_command(line)
    assert caught.value.id == id

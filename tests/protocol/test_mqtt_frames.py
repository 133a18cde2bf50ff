"""Topics and frames."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywire.protocol.framing import MAX_LINE
from plywire.protocol.mqtt_frames import (
    Direction,
    Frame,
    PresenceMessage,
    Sequence,
    Topics,
    pack,
    parse_presence,
)

WORDS = st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=1, max_size=32)


def test_topics() -> None:
    topics = Topics("cup")
    assert topics.bot("ann", Direction.IN) == "plywire/cup/bots/ann/in"
    assert topics.status == "plywire/cup/status"
    assert topics.feed("games/1.0") == "plywire/cup/games/1.0"
    for direction in Direction:
        assert topics.parse(topics.bot("ann", direction)) == ("ann", direction)


@pytest.mark.parametrize(
    "topic",
    [
        "plywire/main/bots/ann/out",
        "plywire/cup/bots/ann/other",
        "plywire/cup/bots/ann/out/more",
        "plywire/cup/bots//out",
        "plywire/cup/bots/a b/out",
        f"plywire/cup/bots/{'a' * 65}/out",
        "plywire/cup/bots/ann",
        "plywire/cup/status",
        "",
    ],
)
def test_other_topics_are_no_bots(topic: str) -> None:
    assert Topics("cup").parse(topic) is None


@pytest.mark.parametrize("name", ["", "a/b", "+", "#", "a" * 65, "ann\n"])
def test_a_name_that_is_none(name: str) -> None:
    with pytest.raises(ValueError, match="is no name"):
        Topics(name)


@given(WORDS, st.integers(0, 2**53), st.binary())
def test_frames_come_back(word: str, number: int, data: bytes) -> None:
    frame = Frame(word, number, data)
    assert Frame.parse(bytes(frame)) == frame


@given(st.binary())
def test_no_payload_is_too_strange(payload: bytes) -> None:
    frame = Frame.parse(payload)
    assert frame is None or Frame.parse(bytes(frame)) == frame
    presence = parse_presence(payload)
    assert presence is None or isinstance(presence, PresenceMessage)


@pytest.mark.parametrize(
    "payload",
    [
        *(b"", b"\n", b"a", b"a b\n", b"a -1\n", b"a 01\n", b"a 1 \n", b" 1\n", b"\xff 1\n"),
        *(b"a" * 33 + b" 1\n", b"a 99999999999999999\n", b"a 9007199254740993\n"),
    ],
)
def test_what_is_no_frame(payload: bytes) -> None:
    assert Frame.parse(payload) is None


def test_the_first_line_may_end_in_any_way() -> None:
    expected = Frame("a", 1, b"ping")
    assert Frame.parse(b"a 1\nping") == Frame.parse(b"a 1\r\nping") == expected
    assert Frame.parse(b"a 0") == Frame("a", 0)


@given(st.lists(st.text(st.characters(exclude_categories=["Cc", "Cs"]), max_size=30000)))
def test_lines_are_packed_in_order(lines: list[str]) -> None:
    frames = pack("a", 5, lines)
    assert [frame.number for frame in frames] == list(range(5, 5 + len(frames)))
    assert [line for frame in frames for line in frame.data.decode().split("\n")] == lines
    for frame in frames:
        assert len(frame.data) <= MAX_LINE or b"\n" not in frame.data


def test_only_the_next_frame_counts() -> None:
    frames = Sequence()
    judged = [frames.judge(number) for number in (1, 1, 3, 2, 1, 3, 0)]
    assert judged == ["next", "duplicate", "gap", "next", "duplicate", "next", "duplicate"]


def test_presence_may_say_more() -> None:
    """The status of an arena is one, too."""
    assert parse_presence(b'{"type":"status","online":true,"bots":[]}') == PresenceMessage(
        online=True
    )
    assert parse_presence(b'{"online":"perhaps"}') is None

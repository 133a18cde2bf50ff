import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywire.protocol.errors import PeerError
from plywire.protocol.framing import LineReader
from plywire.protocol.messages.base import ErrorCode
from plywire.protocol.text import printable


def taken(reader: LineReader, chunk: bytes) -> list[str | PeerError]:
    reader.receive(chunk)
    return list(iter(reader.next_line, None))


def read(*chunks: bytes, limit: int = 16) -> list[str | ErrorCode]:
    reader = LineReader(limit)
    items = [item for chunk in chunks for item in taken(reader, chunk)]
    reader.receive_eof()
    items += iter(reader.next_line, None)
    return [item.code if isinstance(item, PeerError) else item for item in items]


def test_lines_end_with_a_newline_or_a_carriage_return_and_a_newline() -> None:
    assert read(b"a\nb\r\n\nc\td\n") == ["a", "b", "", "c\td"]


def test_the_last_line_may_lack_its_ending() -> None:
    assert read(b"a\nb") == ["a", "b"]


@pytest.mark.parametrize("ending", [b"\n", b"\r\n", b""])
def test_the_limit_does_not_count_the_ending(ending: bytes) -> None:
    assert read(b"x" * 16 + ending) == ["x" * 16]
    assert read(b"x" * 17 + ending) == [ErrorCode.LINE_TOO_LONG]


def test_a_line_too_long_gives_one_fault_however_it_comes() -> None:
    whole = b"x" * 100 + b"\nping\n"
    assert read(whole) == [ErrorCode.LINE_TOO_LONG, "ping"]
    assert read(*(whole[i : i + 1] for i in range(len(whole)))) == read(whole)


def test_the_fault_comes_before_the_line_ends() -> None:
    assert read(b"x" * 1000) == [ErrorCode.LINE_TOO_LONG]


@pytest.mark.parametrize(
    "line",
    [
        b"\xff",
        b"\xc3",
        b"\xed\xa0\x80",
        b"\x00",
        b"a\x1bb",
        b"a\rb",
        b"a\r\r",
        b"\x7f",
        "\x85".encode(),
        "\u2028".encode(),
        "\u202e".encode(),
    ],
)
def test_what_is_not_printable_gives_a_fault_and_the_next_line_is_read(line: bytes) -> None:
    assert read(line + b"\nping\n") == [ErrorCode.SYNTAX, "ping"]


def test_a_line_without_end_takes_no_memory() -> None:
    reader = LineReader()
    chunk = b"x" * 65536
    taken(reader, chunk)
    tracemalloc.start()
    try:
        for _ in range(200):
            assert not [item for item in taken(reader, chunk) if isinstance(item, str)]
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < 4 * len(chunk)


@given(st.binary(max_size=200), st.data())
def test_it_does_not_matter_how_the_bytes_are_cut(data: bytes, draw: st.DataObject) -> None:
    cuts = sorted(draw.draw(st.lists(st.integers(0, len(data)), max_size=10)))
    pieces = [data[i:j] for i, j in zip([0, *cuts], [*cuts, len(data)], strict=True)]
    assert read(*pieces) == read(data)


@given(st.text())
def test_a_printable_line_is_read_back_as_one(text: str) -> None:
    assert read(printable(text).encode() + b"\n", limit=10_000) == [printable(text)]

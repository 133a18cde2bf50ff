"""What the server says, as objects, and bytes to messages."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywire.clients.connecting.ggs import messages as m
from plywire.clients.connecting.ggs.clock import GgsClock
from plywire.clients.connecting.ggs.match_type import MatchType
from plywire.clients.connecting.ggs.reader import GgsReader
from plywire.protocol.ggf import START, GgfMove

PAIR = ("pamphlet", "ant")
WORDS = [
    "/os:",
    "+",
    "-",
    "match",
    ".5",
    ".5.1",
    "end",
    "(",
    "vs.",
    ")",
    "join",
    "update",
    "stored",
    "ERR",
    "left",
    "8",
    "s8r20",
    "R",
    "U",
    "05:00//1",
    "1720",
    "1e9",
    "--",
    "nan",
    "ann",
    "bob",
    "K?",
    ":",
    "|",
    "READY",
]
BOARD = """\
|   A B C D E F G H
| 1 - - - - - - - - 1
| 2 - - - - - - - - 2
| 3 - - - - - - - - 3
| 4 - - - O * - - - 4
| 5 - - - * O - - - 5
| 6 - - - - - - - - 6
| 7 - - - - - - - - 7
| 8 - - - - - - - - 8
|   A B C D E F G H
|
|* to move"""
AFTER_F5 = BOARD.replace("5 - - - * O - -", "5 - - - * * * -").replace("|* to", "|O to")
BEGUN = """\
|pamphlet (1735.0 *) 15:00,0:0//02:00,0:0
|ant      (1345.6 O) 15:00,0:0//02:00,0:0
|"""
UPDATE = f"""\
/os: update .5 8 K?
|  1: f5/-1.20/3.47
|pamphlet (1735.0 *) 14:57,1:0//02:00,0:0
|ant      (1345.6 O) 15:00,0:0//02:00,0:0
|
{AFTER_F5}"""
JOIN = f"/os: join .5.1 s8 K?\n|1 move(s)\n{BEGUN}\n{BOARD}\n|  1: f5\n{BEGUN}\n{AFTER_F5}"


def read(text: str) -> list[m.Message]:
    """The messages in a text, as they come from the wire."""
    reader = GgsReader()
    found = reader.receive(f"{text}\nREADY\n".replace("\n", "\r\n").encode())
    return [item for item in found if not isinstance(item, str)]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (": Enter login (yours, or one you'd like to use).", m.Prompt(password=False)),
        (": Enter your password.", m.Prompt(password=True)),
        (": ERR Password is incorrect.", m.Refused("Password is incorrect.")),
        ("/os: ERR ant not found", m.Refused("ant not found")),
        (
            "/os: +  .19 1735.1 pamphlet 15:00//02:00        8 U 1345.6 ant",
            m.Request(
                ".19",
                "pamphlet",
                1735.1,
                MatchType(),
                (GgsClock(900_000, 0, 120_000),),
                False,
                "ant",
            ),
        ),
        (
            "/os: + .2 1720 bob 05:00 10:00 s8r20 R",
            m.Request(
                ".2",
                "bob",
                1720.0,
                MatchType(synchro=True, discs=20),
                (GgsClock(300_000), GgsClock(600_000)),
                True,
            ),
        ),
        (
            "/os: + .2 1720 bob 05:00 s8r20:l R 1700 ann .42590",
            m.Request(
                ".2",
                "bob",
                1720.0,
                MatchType(synchro=True, discs=20),
                (GgsClock(300_000),),
                True,
                "ann",
                ".42590",
            ),
        ),
        ("/os: - .19 1735.1 pamphlet", m.RequestGone(".19")),
        (
            "/os: + match .5 1735 pamphlet 1345 ant 8 U",
            m.MatchStarted(".5", PAIR, MatchType()),
        ),
        (
            "/os: - match .5 1735 pamphlet 1345 ant s8r14 R -1.00  .82387",
            m.MatchEnded(".5", PAIR, MatchType(synchro=True, discs=14), -1.0, "", ".82387"),
        ),
        (
            "/os: - match .2 1833 pamphlet 2342 ant 8 R pamphlet left",
            m.MatchEnded(".2", PAIR, MatchType(), None, "pamphlet"),
        ),
        (
            "/os: end .31.1 ( pamphlet vs. ant ) +2.00",
            m.GameEnded(".31.1", PAIR, 2.0, ""),
        ),
        (
            "/os: end .31 ( pamphlet vs. ant ) -64.00 pamphlet resigned",
            m.GameEnded(".31", PAIR, -64.0, "pamphlet resigned"),
        ),
        (
            "/os: stored 2 pamphlet\n"
            "|.42590   23 Feb 2001 23:17:39 pamphlet ant      s8r16:l\n"
            "|.42661   24 Feb 2001 18:08:41 ant      pamphlet s8r16:l",
            m.Stored((".42590", ".42661"), (PAIR, PAIR[::-1])),
        ),
        ("bob: hello: you", m.Said("bob", "", "hello: you")),
        (".chat bob: hello", m.Said("bob", ".chat", "hello")),
    ],
)
def test_messages(text: str, message: m.Message) -> None:
    assert read(text) == [message, m.Ready()]


def test_a_game_after_a_move() -> None:
    shown, _ = read(UPDATE)
    assert isinstance(shown, m.GameShown)
    assert shown.id == ".5"
    assert shown.sides[0] == m.Side("pamphlet", 1735.0, GgsClock(897_000, 0, 120_000))
    assert shown.sides[1] == m.Side("ant", 1345.6, GgsClock(900_000, 0, 120_000))
    assert shown.moves == ((1, GgfMove("f5", -1.2, 3470)),)
    assert shown.start == shown.fen == "8/8/8/3ox3/3xxx2/8/8/8 o"


def test_a_game_that_is_joined_has_where_it_began() -> None:
    shown, _ = read(JOIN)
    assert isinstance(shown, m.GameShown)
    assert (shown.id, shown.start, shown.fen) == (".5.1", START, "8/8/8/3ox3/3xxx2/8/8/8 o")
    assert [move.name for _, move in shown.moves] == ["f5"]


def test_a_game_that_just_began() -> None:
    shown, _ = read(f"/os: join .5 8 K?\n|0 move(s)\n|  0: PASS\n{BEGUN}\n{BOARD}")
    assert isinstance(shown, m.GameShown)
    assert (shown.moves, shown.fen) == ((), START)


@pytest.mark.parametrize(
    "text",
    [
        "/os:",
        "/os: +",
        "/os: + match",
        "/os: + match .5 1735 pamphlet",
        "/os: + match .5 1735 pamphlet 1345 ant 9z U",
        "/os: + match 5 1735 pamphlet 1345 ant 8 U",
        "/os: + .19 x pamphlet 15:00 8 U",
        "/os: + .19 1735.1 pamphlet 15:00",
        "/os: + .19 1735.1 pamphlet 15:00/::/ 8 U",
        "/os: - match .5",
        "/os: join .5 8 K?",
        "/os: join 5 8 K?\n" + BOARD,
        UPDATE.replace("|O to move", "|"),
        UPDATE.replace("| 4 ", "| 3 ", 1).replace("| 8 - - -", "| 8 - -"),
        UPDATE.replace("ant      (1345.6 O)", "ant      (1345.6 *)"),
        UPDATE.replace("f5/-1.20/3.47", "f5x/"),
        UPDATE.replace("15:00,0:0//02:00,0:0", "1/2/3/4/5"),
        "/os: update .99999999999 8 K?\n" + BOARD,
        "/os: end .31.1 ( pamphlet vs. ant",
        "/os: end .31.1 ( pamphlet vs. ) +2.00",
        "/os: who 8",
        "/td: anything",
        "Welcome!\n|news",
        "\x1b[2J\x1b[32m/os: - .19",
        "",
    ],
)
def test_what_is_not_understood_is_nothing(text: str) -> None:
    assert read(text) == [m.Ready()]


def test_lines_come_one_by_one_however_they_are_cut() -> None:
    sent = f"{UPDATE}\nREADY\n".encode()
    whole, bits = GgsReader(), GgsReader()
    at_once = list(whole.receive(sent))
    assert [item for byte in sent for item in bits.receive(bytes([byte]))] == at_once
    assert [item for item in at_once if isinstance(item, str)] == sent.decode().splitlines()


def test_telnet_is_left_out() -> None:
    sent = b"\xff\xfb\x01: Enter\xff\xf1 log\xff\xfa\x18\x01\xff\xf0in\xff\xfd\x1f\r\n"
    whole, bits = GgsReader(), GgsReader()
    expected = [": Enter login", m.Prompt(password=False)]
    assert list(whole.receive(sent)) == expected
    assert [item for byte in sent for item in bits.receive(bytes([byte]))] == expected


def test_no_memory_is_taken_by_what_never_ends() -> None:
    reader = GgsReader()
    kept = 0
    for _ in range(200):
        assert list(reader.receive(b"x" * 65536)) == []
        kept = max(kept, len(reader._lines._received))
    assert kept <= 65536
    assert list(reader.receive(b"\n/os: stored 0 ann\n" + b"|line\n" * 5000))
    assert len(reader._body) == 400
    assert next(iter(reader.receive(b"READY\n"))) == m.Stored((), ())


@given(st.binary(max_size=300))
def test_bytes_never_raise(sent: bytes) -> None:
    list(GgsReader().receive(sent + b"\nREADY\n"))


@given(
    st.lists(st.sampled_from(WORDS), max_size=12),
    st.lists(st.sampled_from([*UPDATE.splitlines(), *BOARD.splitlines(), "|x"]), max_size=30),
)
def test_words_of_the_server_in_any_order_never_raise(words: list[str], lines: list[str]) -> None:
    m.read_message("/os: " + " ".join(words), [line[1:] for line in lines])

"""Decimal numbers of any shape, wherever a protocol or a record has one."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywire.clients.connecting.ggs.clock import GgsClock
from plywire.clients.connecting.ggs.messages import MatchEnded, read_message
from plywire.protocol.connection import EngineConnection, Fault
from plywire.protocol.dialects import ANSWERING
from plywire.protocol.dialects.gtp.times import Times
from plywire.protocol.dialects.nboard.reports import read_report
from plywire.protocol.dialects.uxi.reports import read_info
from plywire.protocol.ggf import GgfTime, read_ggf, read_move
from plywire.protocol.messages import play
from plywire.protocol.messages.limits import Clock, Limits
from plywire.protocol.numbers import read_decimal

BOARD = "BO[8 ---------------------------O*------*O--------------------------- *]"


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("0", 0),
        ("-0", 0),
        ("+12.", 12),
        (".5", 0.5),
        ("2.7680000000000002", 2.768),
        ("1e-05", 0.00001),
        ("1.5E+3", 1500),
        ("9007199254740992", 2**53),
        ("9007199254740994", None),
        ("1e16", None),
        ("1e9999", None),
        ("1e99999", None),
        ("0" * 64, 0),
        ("0" * 65, None),
        ("nan", None),
        ("inf", None),
        ("-Infinity", None),
        ("", None),
        (".", None),
        ("e5", None),
        ("1_0", None),
        ("0x10", None),
        ("1,5", None),
        (" 1", None),
        ("1\n", None),
        ("١", None),
    ],
)
def test_decimals(text: str, number: float | None) -> None:
    assert read_decimal(text) == (number if number is None else pytest.approx(number))


@given(st.floats(-(2.0**53), 2.0**53))
def test_each_float_is_read_as_it_is_written(number: float) -> None:
    assert read_decimal(repr(number)) == number


@given(st.text("0123456789.eE+-naif_ ", max_size=70))
def test_whatever_is_read_is_finite(text: str) -> None:
    number = read_decimal(text)
    assert number is None or (math.isfinite(number) and number == float(text))


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2.7680000000000002", 2768),
        ("1e-05", 0),
        ("1.5e1", 15_000),
        ("-3", 0),
        ("1e14", 86_400_000),
    ],
)
def test_times_of_moves_in_ggf(text: str, time: int) -> None:
    move = read_move(f"F5/-1.2500000000000000e1/{text}")
    assert (move.eval, move.time) == (-12.5, time)


@pytest.mark.parametrize(
    ("text", "main"),
    [
        ("5:00.12345678901234", 300_123),
        ("1e2", 100_000),
        ("-00:07", -7000),
        ("-1:00:00", -3_600_000),
        ("00:-7", None),
        ("nan", None),
    ],
)
def test_clocks_in_ggf(text: str, main: int | None) -> None:
    found = read_ggf(f"(;GM[Othello]{BOARD}TI[{text}/-5];)").times[0]
    assert found == (None if main is None else GgfTime(main))


@pytest.mark.parametrize(
    ("times", "clock"),
    [
        ("TB[-00:07]TW[01:00]", Clock(p1=0, p2=60_000)),
        ("TB[00:00]TW[01:00]", Clock(p1=0, p2=60_000)),
        ("TI[-5]", Clock(p1=0, p2=0)),
        ("TI[0.25]", Clock(p1=250, p2=250)),
    ],
)
def test_an_nboard_engine_has_no_time_where_the_clock_is_negative(times: str, clock: Clock) -> None:
    assert limits_of("nboard", "nboard 2", f"set game (;GM[Othello]{BOARD}{times};)", "go") == (
        Limits(clock=clock)
    )


@pytest.mark.parametrize(
    ("told", "limits"),
    [
        ("time_left b -3 0", Limits(movetime=0)),
        ("time_left b -0.25 0", Limits(movetime=0)),
        ("time_left b -3 2", Limits(movetime=0)),
        ("time_left b 2.5 0", Limits(clock=Clock(p1=2500, p2=2500))),
        ("time_left b 1e1 0", Limits(clock=Clock(p1=10_000, p2=10_000))),
        ("time_left b 2.5 2", Limits(movetime=1250)),
        ("time_settings 2.5 0 0", Limits(clock=Clock(p1=2500, p2=2500))),
        ("time_settings -1 0 0", Limits(movetime=0)),
    ],
)
def test_times_in_gtp(told: str, limits: Limits) -> None:
    times = Times()
    verb, *words = told.split()
    if verb == "time_settings":
        times.settings(words)
    else:
        times.left(1, words[1:])
    assert times.limits(1) == limits


@pytest.mark.parametrize("told", ["time_left b nan 0", "time_left b 1e9 0", "time_left b inf 0"])
def test_no_times_in_gtp(told: str) -> None:
    connection = EngineConnection(ANSWERING["gtp"]())
    connection.receive_text(told)
    assert isinstance(connection.next_command(), Fault)


@pytest.mark.parametrize("dialect", ["ugi", "uci"])
@pytest.mark.parametrize(
    ("told", "limits"),
    [
        ("{0} 1500.75 {1} -3 {2} -1", Limits(clock=Clock(p1=1501, p2=0))),
        ("{0} 1e3", Limits(clock=Clock(p1=1000, p2=1000))),
        ("movetime 99.6", Limits(movetime=100)),
        ("movetime -1", Limits(movetime=0)),
    ],
)
def test_times_in_ugi_and_uci(dialect: str, told: str, limits: Limits) -> None:
    words = ANSWERING[dialect].clock_words  # type: ignore[attr-defined]
    assert limits_of(dialect, f"go {told.format(*words)}") == limits


def test_reports_with_decimals_in_ugi_and_uci() -> None:
    line = "depth 3 score cp 12.7 nodes 1e3 time 2.7680000000000002 nps nan"
    read = read_info(line.split())
    assert read is not None
    assert (read[0].score, read[0].nodes, read[0].time) == (
        play.Score(kind="cp", value=13),
        1000,
        3,
    )


def test_reports_with_decimals_in_nboard() -> None:
    read = read_report(["F5", "+1.2500000000000001e1", "0", "12"], 0, 0)
    assert read is not None
    assert read.score == play.Score(kind="cp", value=1250)


def test_numbers_of_ggs() -> None:
    assert GgsClock.parse("-00:05").left == 0
    assert GgsClock.parse("01:00.25").initial == 60_250
    ended = read_message("/os: - match .5 1735.123456 ann 1345 bob 8 U +2.0000000000000004 .83353")
    assert isinstance(ended, MatchEnded)
    assert ended.score == pytest.approx(2)


def limits_of(dialect: str, *lines: str) -> Limits:
    """The limits of the search that lines ask an engine for, all before it carried out."""
    connection = EngineConnection(ANSWERING[dialect]())
    connection.receive_text("\n".join(lines))
    while not isinstance(item := connection.next_command(), play.Go):
        assert item is not None
        assert not isinstance(item, Fault), item
        if isinstance(item, play.Hello):
            connection.send(play.HelloAnswer(), item)
        elif isinstance(item, play.Command):
            connection.send(play.Ok(), item)
    return item.limits

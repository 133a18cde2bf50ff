import re
from functools import partial
from pathlib import Path

import pytest

from plywire.clients.connecting.players.external import ExternalPlayer
from plywire.clients.connecting.players.server import ServerPlayer
from plywire.clients.connecting.players.specs import (
    SpecError,
    parse_clock,
    parse_limits,
    parse_player,
)
from plywire.clients.play.errors import PlayerError
from plywire.clients.play.players.base import GameLine, Player
from plywire.clients.play.players.local import EnginePlayer, GreedyPlayer, RandomPlayer
from plywire.engine.registry import load
from plywire.protocol.messages.limits import Clock, Limits
from tests.support.books import WORTH, one_line


@pytest.mark.parametrize(
    ("spec", "kind", "limits"),
    [
        ("random", RandomPlayer, None),
        ("random:seed=7", RandomPlayer, None),
        ("greedy", GreedyPlayer, None),
        ("engine", EnginePlayer, None),
        ("engine:depth=6", EnginePlayer, Limits(depth=6)),
        (
            "engine:movetime=100,nodes=5,hash=1,threads=2",
            EnginePlayer,
            Limits(movetime=100, nodes=5),
        ),
        ("engine:level=3", EnginePlayer, Limits()),
        ("engine:level=10,movetime=9,seed=1", EnginePlayer, Limits(movetime=9)),
        ("ugi:./my-engine --fast 'a b'", ExternalPlayer, None),
        ("uci:engine", ExternalPlayer, None),
        ("gtp:edax -gtp -l 10", ExternalPlayer, None),
        ("nboard:./ntest", ExternalPlayer, None),
        ("nboard?depth=12&movetime=50:./ntest", ExternalPlayer, Limits(depth=12, movetime=50)),
        ("tcp://localhost:7590", ServerPlayer, None),
        ("ws://localhost/path?depth=3&nodes=9", ServerPlayer, Limits(depth=3, nodes=9)),
        ("tcp://localhost:7590?level=3", ServerPlayer, Limits()),
    ],
)
def test_players(spec: str, kind: type[Player], limits: Limits | None) -> None:
    make = parse_player(spec)
    player = make()
    assert type(player) is kind
    assert player.name == spec
    assert player.limits == limits
    assert make() is not player
    assert parse_player(spec, name="Bob")().name == "Bob"


@pytest.mark.parametrize(
    ("spec", "command", "options"),
    [
        ("ugi:./engine?Hash=64&Threads=2", ["./engine"], {"Hash": "64", "Threads": "2"}),
        ("uci:./engine -x?Skill Level=5", ["./engine", "-x"], {"Skill Level": "5"}),
        ("ugi?depth=3:'my engine'?Book=a%26b", ["my engine"], {"Book": "a&b"}),
        ("gtp:./engine --url 'http://x?y=1'", ["./engine", "--url", "http://x?y=1"], {}),
        ("gtp:./engine 'http://x?y=1'?z=2", ["./engine", "http://x?y=1"], {"z": "2"}),
        ("uci:./engine?Book=&Hash=64", ["./engine"], {"Book": "", "Hash": "64"}),
        ("uci:./engine?Book=", ["./engine"], {"Book": ""}),
        ("gtp:./engine what?", ["./engine", "what?"], {}),
    ],
)
def test_options_of_programs(spec: str, command: list[str], options: dict[str, str]) -> None:
    made = parse_player(spec)
    assert isinstance(made, partial)
    assert made.args[0] == command
    assert made.keywords["options"] == options


@pytest.mark.parametrize(
    ("spec", "text"),
    [
        ("", "a player is random"),
        ("stockfish", "a player is random"),
        ("greedy:deep", "no player 'greedy:deep'; a player is random"),
        ("mine:Blocker", "no player 'mine:Blocker'; write python:mine:Blocker for a class of your"),
        ("mine.py:Blocker", "; write python:mine:Blocker for"),
        ("mine.py", "; write python:mine:CLASS for"),
        ("Blocker", "; write python:MODULE:Blocker for"),
        ("engine:deepth=6", "no option 'deepth=6'; accepted are depth=NUMBER"),
        ("engine:depth", "no option 'depth'"),
        ("engine:depth=x", "no option 'depth=x'"),
        ("engine:depth=0", "depth must be at least 1, not 0"),
        ("engine:level=11", "level must be at most 10, not 11"),
        ("engine:level=3,depth=4", "level goes with movetime and clock only"),
        ("nboard?level=3:./ntest", "no option 'level=3'"),
        ("random:seed=-1", "no option"),
        ("ugi:", "names no program"),
        ("uci:'open", "No closing quotation"),
        ("gtp?depth=3:", "write gtp:COMMAND"),
        ("nboard?speed=3:./ntest", "no option 'speed=3'"),
        ("nboard?depth:./ntest", "no option 'depth='"),
        ("random?depth=3", "a player is random"),
        ("ws://", "expected tcp://HOST:PORT"),
        ("tcp://host:7590?levels=3", "no option 'levels=3'"),
        ("ws://host?level=3&nodes=4", "level goes with movetime and clock only"),
        ("tcp://host:port", "expected tcp://HOST:PORT"),
    ],
)
def test_errors_say_what_is_accepted(spec: str, text: str) -> None:
    with pytest.raises(SpecError, match=text.replace("?", r"\?")):
        parse_player(spec)


@pytest.mark.parametrize(
    ("text", "clock"),
    [
        ("10+0.1", Clock(p1=10_000, p2=10_000, inc1=100, inc2=100)),
        ("60", Clock(p1=60_000, p2=60_000)),
        ("0.5+0", Clock(p1=500, p2=500)),
        ("60+3x30", Clock(p1=60_000, p2=60_000, byoyomi=30_000, periods1=3, periods2=3)),
        ("5+1000x1", Clock(p1=5000, p2=5000, byoyomi=1000, periods1=1000, periods2=1000)),
        ("1e1+.1", Clock(p1=10_000, p2=10_000, inc1=100, inc2=100)),
        ("2.7680000000000002+1e-1", Clock(p1=2768, p2=2768, inc1=100, inc2=100)),
        ("0+1x0.5", Clock(p1=0, p2=0, byoyomi=500, periods1=1, periods2=1)),
        (
            "1+2+3x4",
            Clock(p1=1000, p2=1000, inc1=2000, inc2=2000, byoyomi=4000, periods1=3, periods2=3),
        ),
    ],
)
def test_time_controls(text: str, clock: Clock) -> None:
    assert parse_clock(text) == clock


@pytest.mark.parametrize(
    "text",
    [
        *("", "fast", "10+", "+1", "0+1", "-1", "1e9", "999999999", "5/10"),
        *("10+nan", "inf", "10+-1", "\u0663", "1e+1", "60+", "60+3x30+1", "5+" + "9" * 5000 + "x1"),
        *("0+0x5", "0+5x0", "5+9999x1", "5+1001x1", "5+1x90000", "5+3x"),
    ],
)
def test_no_time_controls(text: str) -> None:
    with pytest.raises(SpecError, match="time control"):
        parse_clock(text)


@pytest.mark.parametrize(
    ("text", "limits"),
    [
        ("nodes=5000", Limits(nodes=5000)),
        ("10", Limits(clock=Clock(p1=10_000, p2=10_000))),
        (
            "depth=12,10+0.1",
            Limits(depth=12, clock=Clock(p1=10_000, p2=10_000, inc1=100, inc2=100)),
        ),
        ("movetime=50,nodes=9", Limits(movetime=50, nodes=9)),
    ],
)
def test_limits(text: str, limits: Limits) -> None:
    assert parse_limits(text) == limits


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "no time control ''"),
        ("speed=5", "no limit 'speed=5'; write a clock, such as 10+0.1, or NAME=NUMBER"),
        ("nodes=x", "no limit 'nodes=x'"),
        ("nodes=0", "nodes must be at least 1"),
        ("nodes=5,nodes=6", "gives nodes twice"),
        ("10,20", "gives a clock twice"),
    ],
)
def test_limits_that_are_none(text: str, expected: str) -> None:
    with pytest.raises(SpecError, match=re.escape(expected)):
        parse_limits(text)


async def test_the_engine_s_book_may_be_a_file(tmp_path: Path) -> None:
    spec = f"engine:hash=1,book={one_line(tmp_path)},movetime=60000"
    player = parse_player(spec)()
    assert player.limits == Limits(movetime=60_000)
    othello = load("othello")
    await player.start(othello)
    move = await player.choose(GameLine.at(othello.start()), Limits(movetime=60_000))
    assert move in othello.start().moves()
    assert player.searched is not None
    assert player.searched.score is not None
    assert player.searched.score.value == WORTH
    with pytest.raises(PlayerError, match="an opening book of othello 8x8, not of connect4 7x6"):
        await player.start(load("connect4"))
    await player.close()


@pytest.mark.parametrize(
    ("file", "said"), [("none.npz", "No such file"), ("notes.txt", "is not an opening book")]
)
def test_a_file_that_is_no_book_is_refused(file: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("f5d6c3\n")
    with pytest.raises(SpecError, match=f"book is 0, 1 or a file: .*{said}"):
        parse_player(f"engine:book={tmp_path / file}")

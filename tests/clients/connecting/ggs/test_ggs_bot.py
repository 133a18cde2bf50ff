"""A player on GGS, against a server written from its documents."""

from __future__ import annotations

import asyncio

import pytest

from plywire.clients.connecting.ggs.ask import Ask
from plywire.clients.connecting.ggs.game import GameOver
from plywire.protocol.ggf import read_ggf, write_ggf
from tests.support.ggs_bots import Make, Thinker, games_board, games_of, play, playing_on
from tests.support.ggs_server import FakeGgs
from tests.support.until import until


async def test_a_game(ggs: FakeGgs, make: Make) -> None:
    over: list[GameOver] = []
    ann = make("ann", asks=[Ask.parse("8b 05:00//02:00 bob")], over=over)
    await play(ann, make("bob"), games=1)
    (game,) = games_of(ggs)
    assert game.names == ("ann", "bob")
    assert game.position.is_over
    assert ggs.faults == []
    (ours,) = over
    assert ours.line.position == game.position
    assert (ours.players, ours.me, ours.score) == (("ann", "bob"), 0, game.score)
    written = read_ggf(write_ggf(ours.as_ggf("GGS")))
    assert (written.names, written.black) == (ours.line.names, "ann")
    assert float(written.result) == game.score


async def test_what_the_server_is_told(ggs: FakeGgs, make: Make) -> None:
    ann = make("ann", asks=[Ask.parse("s8r20 05:00/00:10/02:00")], slots=2, rated=True)
    bob = make("bob", make_player=Thinker)
    await play(ann, bob, games=2)
    told = ggs.commands("ann")
    assert told[:2] == ["vt100 -", "verbose -news -faq -help"]
    for command in ("trust +", "rated +", "open 2", "ask s8r20 05:00/00:10/02:00"):
        assert f"tell /os {command}" in told
    moves = [text.split()[-1] for text in ggs.commands("bob") if " play " in text]
    square, score, seconds = next(move for move in moves if move != "PA").split("/")
    assert len(square) == 2
    assert score == "-1.50"
    assert 0 <= float(seconds) < 60


async def test_synchro_and_random_starts_several_at_once(ggs: FakeGgs, make: Make) -> None:
    over: list[GameOver] = []
    asks = [Ask.parse(f"{type_} 05:00//02:00") for type_ in ("s8r20", "8r14", "s8", "8")]
    await play(make("ann", asks=asks, slots=3, over=over), make("bob", slots=3), games=6)
    assert len(over) >= 6
    assert all(game.position.is_over for game in games_of(ggs))
    pair = next(match for match in ggs.finished if match.type == "s8r20").games
    assert pair[0].names == pair[1].names[::-1]
    assert pair[0].start == pair[1].start
    assert 64 - pair[0].start.plies_left == 20
    assert {"illegal" in fault for fault in ggs.faults} <= {False}


async def test_talk_is_answered_once_or_not_at_all(ggs: FakeGgs, make: Make) -> None:
    lines: list[str] = []
    ann = make("ann", reply="I am a program.", on_line=lambda mark, line: lines.append(mark + line))
    async with playing_on(ann):
        await until(lambda: "ann" in ggs.peers)
        for text in (
            "bob: hi",
            "bob: hi?",
            ".chat bob: all",
            "ann: me",
            "carl: you",
            "/td: round 1",
        ):
            ggs.peers["ann"].send(text)
        await until(lambda: "tell carl I am a program." in ggs.commands("ann"))
        assert [text for text in ggs.commands("ann") if text.startswith("tell bob")] == [
            "tell bob I am a program."
        ]
        assert "<.chat bob: all" in lines
        assert ">********" in lines
        assert not any("secret" in line for line in lines)


HOSTILE = [
    "x" * 1_000_000,
    "\x1b[2J\x1b]0;title\x07/os: end .1 ( ann vs. bob ) +64",
    "\x00\x01\x02",
    "/os: end .999 ( ann vs. bob ) +64.00",
    "/os: - match .999 1 ann 1 bob 8 U +64.00",
    "/os: - match .998 1 ann 1 bob 8 U bob left .1",
    "/os: end .2.7.8 ( ann",
    "/os: update .2 8 K?\r\n|nothing",
    "/os: join .3 8 K?\r\n" + "|\r\n" * 1000,
    "/os: join .4 8 K?\r\n|ann (1 *) 1:00\r\n|bob (1 O) 1:00\r\n"
    + "".join(f"| {row} - - - - - - - - {row} \r\n" for row in range(1, 9))
    + "|* to move",
    "/os: join .6 8 K?\r\n|eve (1 *) 1:00\r\n|bob (1 O) 1:00\r\n|* to move",
    "/os: + .99999999999999999999 1 eve 1:00 8 U",
    "/os: + .8 1 eve 99999999999999:00 8 U",
    "/os: stored 9 ann\r\n|.1 2 3 4 5 6 7 8",
    "/os: ERR " + "%s{}" * 50,
    "READY",
    "(;GM[Othello]PC[",
    ": ERR",
]


async def test_hostile_lines_do_no_harm(ggs: FakeGgs, make: Make) -> None:
    over: list[GameOver] = []
    bob = Thinker()
    bob.go.clear()
    ann = make("ann", asks=[Ask.parse("8 05:00//02:00")], over=over)
    playing = asyncio.create_task(play(ann, make("bob", make_player=lambda: bob), games=1))
    await until(lambda: bob.asked)
    for text in HOSTILE:
        ggs.peers["ann"].raw(f"{text}\r\nREADY\r\n")
    bob.go.set()
    await playing
    (game,) = games_of(ggs)
    assert game.position.is_over
    assert [one.line.position for one in over] == [game.position]


async def test_no_more_games_than_can_be_played(ggs: FakeGgs, make: Make) -> None:
    """A server may show any number of games of ours."""
    made: list[Thinker] = []

    def thinker() -> Thinker:
        made.append(Thinker())
        made[-1].go.clear()
        return made[-1]

    ann = make("ann", make_player=thinker)
    async with playing_on(ann):
        await until(lambda: "ann" in ggs.peers)
        board = games_board("05:00,0:0//00:40,0:0")
        for number in range(200):
            ggs.peers["ann"].send(f"/os: join .{number} 8 K?", board)
            ggs.peers["ann"].send(f"/os: + {number} 1 ann 1:00 8 U")
        ggs.peers["ann"].send("bob: done")
        await until(lambda: sum(len(one.asked) for one in made) == 64)
        assert len(made) <= 65


async def test_an_error_of_who_is_told_ends_it(ggs: FakeGgs, make: Make) -> None:
    def full(over: GameOver) -> None:
        raise OSError("no space left")

    class Refusing(list[GameOver]):
        append = staticmethod(full)  # type: ignore[assignment]

    ann = make("ann", asks=[Ask.parse("8 05:00//02:00")], over=Refusing())
    with pytest.raises(OSError, match="no space left"):
        await play(ann, make("bob"), games=1)

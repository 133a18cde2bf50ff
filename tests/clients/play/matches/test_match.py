"""Matches: schedules, strength, failures, and what is kept of them."""

import io
import json
import re
import sys
from functools import partial
from pathlib import Path

import pytest
from rich.console import Console

from plywire.clients.connecting.players.server import ServerPlayer
from plywire.clients.connecting.players.specs import parse_player
from plywire.clients.play.errors import Termination
from plywire.clients.play.matches.match import (
    Match,
    MatchError,
    MatchStanding,
    PlayerFactory,
    Schedule,
    play_match,
)
from plywire.clients.play.matches.openings import join_moves, parse_opening
from plywire.clients.play.matches.records import GameRecord, GameWriter
from plywire.clients.play.matches.referee import TimeControl
from plywire.clients.play.players.local import EnginePlayer, GreedyPlayer, RandomPlayer
from plywire.clients.play.ratings.sprt import Sprt, Verdict
from plywire.clients.terminal.report import MatchDisplay, game_line, result_table
from plywire.engine.registry import load
from plywire.protocol.messages.limits import Limits
from plywire.server.serve import Server

FAKE = Path(__file__).parents[3] / "support" / "fake_programs" / "fake_engine.py"


async def match(
    schedule: Schedule,
    a: PlayerFactory,
    b: PlayerFactory,
    limits: Limits | None = None,
    concurrency: int = 2,
) -> tuple[MatchStanding, list[GameRecord]]:
    standing = MatchStanding()
    records: list[GameRecord] = []

    def finished(record: GameRecord) -> None:
        standing.add(record)
        records.append(record)

    control = TimeControl(limits or Limits())
    await play_match(schedule, (a, b), control, finished, concurrency=concurrency)
    return standing, sorted(records, key=lambda record: record.number)


def engine(nodes: int) -> PlayerFactory:
    return partial(EnginePlayer, Limits(nodes=nodes), hash_mb=1)


@pytest.mark.parametrize(("name", "nodes"), [("connect4", 100), ("othello", 50)])
async def test_the_engine_beats_chance(name: str, nodes: int) -> None:
    standing, records = await match(
        Schedule(load(name), 100), engine(nodes), partial(RandomPlayer, 1)
    )
    assert standing.tally.games == 100
    assert standing.tally.wins >= 99
    assert all(record.termination is Termination.NORMAL for record in records)


async def test_the_engine_beats_greed() -> None:
    schedule = Schedule(load("othello"), 20, random_plies=4)
    standing, _ = await match(schedule, engine(100), GreedyPlayer)
    assert standing.tally.estimate().score > 0.8


async def test_the_engine_never_loses_tic_tac_toe() -> None:
    schedule = Schedule(load("tictactoe"), 100)
    standing, _ = await match(schedule, engine(10_000), partial(RandomPlayer, 2))
    assert standing.tally.losses == 0
    assert standing.tally.wins > 70


async def test_tic_tac_toe_between_equals_is_drawn() -> None:
    standing, _ = await match(Schedule(load("tictactoe"), 10), engine(10_000), engine(10_000))
    assert standing.tally.draws == 10


async def test_colours_alternate_and_openings_are_played_twice() -> None:
    start = load("connect4").start()
    openings = [parse_opening(start, "44"), parse_opening(start, "123")]
    schedule = Schedule(load("connect4"), 7, openings)
    _, records = await match(
        schedule, partial(RandomPlayer, 1, "A"), partial(RandomPlayer, 2, "B"), concurrency=3
    )
    assert [record.number for record in records] == list(range(7))
    assert [record.players[0] for record in records] == list("ABABABA")
    assert ["".join(record.moves[: record.opening]) for record in records] == [
        *["44"] * 2,
        *["123"] * 2,
        *["44"] * 2,
        "123",
    ]


def test_random_openings_depend_on_the_seed_alone() -> None:
    schedule = Schedule(load("othello"), 10, random_plies=6, seed=3)
    openings = [schedule.opening(number) for number in range(10)]
    assert openings[::2] == openings[1::2]
    assert len({opening.moves for opening in openings}) == 5
    assert Schedule(load("othello"), 2, random_plies=6, seed=3).opening(4) == openings[4]
    assert Schedule(load("othello"), 2, random_plies=6, seed=4).opening(4) != openings[4]


async def test_failures_count_against_their_player() -> None:
    crashing = parse_player(f"ugi:{sys.executable} -S {FAKE} ugi crash", name="crashing")
    schedule = Schedule(load("connect4"), 4)
    standing, records = await match(schedule, crashing, partial(RandomPlayer, 1))
    assert standing.tally.losses == 4
    ((who, fault, why),) = standing.failures
    assert (who, fault, standing.failures.total()) == ("crashing", Termination.CRASH, 4)
    assert why.startswith("exited with status")
    assert [record.winner for record in records] == [2, 1, 2, 1]


async def test_who_cannot_start_stops_the_match() -> None:
    with pytest.raises(MatchError, match=r"ugi:\./nothing cannot play Connect Four"):
        await match(Schedule(load("connect4"), 4), GreedyPlayer, parse_player("ugi:./nothing"))


async def test_what_the_listener_raises_ends_the_match() -> None:
    def full(record: GameRecord) -> None:
        raise OSError("disk full")

    with pytest.raises(OSError, match="disk full"):
        await play_match(
            Schedule(load("connect4"), 9), (GreedyPlayer, GreedyPlayer), TimeControl(), full
        )


async def test_a_sequential_test_ends_a_match_with_the_game_that_decides_it() -> None:
    test, verdicts = Sprt(0, 200), []
    match = Match(
        schedule=Schedule(load("connect4"), 1000, random_plies=2),
        names=("greedy", "random"),
        players=(GreedyPlayer, partial(RandomPlayer, 1)),
        test=test,
    )
    await match.play(lambda _: verdicts.append(test.verdict(match.standing.tally.pentanomial)))
    assert verdicts == [Verdict.CONTINUE] * (len(verdicts) - 1) + [Verdict.H1]


@pytest.mark.parametrize("scheme", ["tcp", "ws"])
@pytest.mark.parametrize("name", ["connect4", "othello"])
async def test_a_server_is_a_player(server: Server, scheme: str, name: str) -> None:
    host, port = server.tcp_address if scheme == "tcp" else server.websocket_address
    remote = partial(ServerPlayer, f"{scheme}://{host}:{port}", Limits(nodes=200), name="remote")
    schedule = Schedule(load(name), 4, random_plies=2)
    standing, records = await match(schedule, remote, partial(RandomPlayer, 3))
    assert standing.tally.wins >= 3
    assert not standing.failures
    assert records[0].players == ("remote", "random")
    assert records[0].searches[0] is not None


async def test_a_server_that_goes_away_has_crashed(server: Server) -> None:
    host, port = server.tcp_address
    player = ServerPlayer(f"tcp://{host}:{port}")
    await player.start(load("connect4"))
    await server.__aexit__(None, None, None)
    standing = MatchStanding()
    schedule = Schedule(load("connect4"), 1)
    with pytest.raises(MatchError, match="no connection to"):
        await play_match(schedule, (lambda: player, GreedyPlayer), TimeControl(), standing.add)


async def test_games_are_kept_as_they_end(tmp_path: Path) -> None:
    out, moves = tmp_path / "games.jsonl", tmp_path / "games.txt"
    writer = GameWriter(out, moves)
    lines = []

    def finished(record: GameRecord) -> None:
        writer.write(record)
        lines.append(len(out.read_text().splitlines()))

    players = partial(RandomPlayer, 1), partial(RandomPlayer, 2)
    await play_match(Schedule(load("othello"), 3), players, TimeControl(), finished)
    assert lines == [1, 2, 3]
    records = [GameRecord.model_validate_json(line) for line in out.read_text().splitlines()]
    for record, text in zip(records, moves.read_text().splitlines(), strict=True):
        assert text == join_moves(record.moves)
        game = load(record.game, record.size)
        result = game.parse(record.fen).play_names(record.moves)[-1].result()
        assert result is not None
        assert result.score == record.score
        assert record.winner == {0: 1, 1: 2, None: None}[result.winner]
    assert json.loads(out.read_text().splitlines()[0])["termination"] == "normal"


def record(number: int, winner: int | None, termination: str = "normal") -> GameRecord:
    return GameRecord.model_validate(
        {
            "number": number,
            "game": "connect4",
            "size": "7x6",
            "players": ("A", "B") if number % 2 == 0 else ("B", "A"),
            "fen": "7/7/7/7/7/7 x",
            "moves": ("4", "4"),
            "opening": 0,
            "times": (1, 1),
            "winner": winner,
            "score": {1: 1, 2: -1, None: 0}[winner],
            "termination": termination,
            "reason": "four in a row" if termination == "normal" else "A: gone",
        }
    )


def test_the_result_table() -> None:
    standing = MatchStanding()
    for number, winner in enumerate([1, 2, 1, 1, None, None]):
        standing.add(record(number, winner))
    standing.add(record(6, 2, "crash"))
    assert standing.failures == {("A", Termination.CRASH, "gone"): 1}
    standing.add(record(7, 2))
    console = Console(file=io.StringIO(), width=100)
    console.print(result_table(("A", "B"), standing))
    table = console.file.getvalue()  # type: ignore[attr-defined]
    assert "+4 =2 -2" in table
    assert "62.5%" in table
    assert "0 0 2 0 1" not in table
    assert "0 0 3 0 1" in table
    assert "nan" not in table


def test_the_display_of_a_test_shows_how_it_stands_and_no_end() -> None:
    console = Console(file=io.StringIO(), width=200, force_terminal=True)
    standing = MatchStanding()
    with MatchDisplay(console, 100_000, Sprt(0, 200)) as display:
        for number, winner in enumerate([1, 2]):
            standing.add(record(number, winner))
            display.update(standing, record(number, winner))
        display._progress.refresh()
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    assert re.search(r"LLR 0\.\d\d \(-2\.94 to 2\.94\)", shown)
    assert "2 games" in shown
    assert "100000" not in shown


def test_the_display_works_without_a_terminal() -> None:
    console = Console(file=io.StringIO(), width=100)
    standing = MatchStanding()
    standing.add(record(0, 1))
    with MatchDisplay(console, 1) as display:
        display.update(standing, record(0, 1), every=True)
    expected = "Game 1: A (x) beat B in 2 moves, four in a row"
    assert game_line(record(0, 1)) == expected
    assert console.file.getvalue().strip() == expected  # type: ignore[attr-defined]

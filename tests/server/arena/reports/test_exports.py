"""What is written is read back by small independent parsers, made from the formats' texts."""

import csv
import io
import json
import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from plywire.clients.play.errors import Termination
from plywire.clients.play.matches.outcomes import outcomes
from plywire.clients.play.matches.records import GameRecord
from plywire.clients.play.matches.referee import TimeControl
from plywire.clients.play.ratings.bradley_terry import rate
from plywire.engine.registry import load
from plywire.protocol.messages.limits import Clock, Limits
from plywire.protocol.messages.play import Score, Searched
from plywire.server.arena.reports.exports import Export, ExportFormat, rating_rows, standings_rows
from plywire.server.arena.reports.game_texts import EventInfo, ggf, pgn
from plywire.server.arena.tournament.standings import standings
from tests.support.game_records import record

EVENT = EventInfo("Autumn cup", "localhost")
OTHELLO = "f5 d6 c3 d3 c4 f4"

_TAG = re.compile(r'\[(\w+) "((?:[^"\\]|\\.)*)"\]')
_EMT = re.compile(r"\[%emt (\d+):(\d\d):(\d\d)\.(\d{3})\]")
_PROPERTY = re.compile(r"([A-Z]{1,2})\[((?:[^\]\\]|\\.)*)\]")


def read_pgn(text: str) -> tuple[dict[str, str], list[str], list[int], str]:
    """Tags, moves, times in ms, and the result at the end, of one game."""
    head, _, body = text.partition("\n\n")
    tags = {}
    for line in head.splitlines():
        name, value = _TAG.fullmatch(line).groups()
        tags[name] = re.sub(r"\\(.)", r"\1", value)
    times = [
        ((int(hours) * 60 + int(minutes)) * 60 + int(seconds)) * 1000 + int(ms)
        for hours, minutes, seconds, ms in _EMT.findall(re.sub(r"\s+", " ", body))
    ]
    *words, result = re.sub(r"\{[^}]*\}", "", body).split()
    moves = [word for word in words if not word.endswith(".")]
    numbers = [word for word in words if word.endswith(".")]
    assert numbers == [f"{number}." for number in range(1, len(numbers) + 1)]
    assert len(numbers) == (len(moves) + 1) // 2
    return tags, moves, times, result


def read_ggf(text: str) -> tuple[dict[str, str], list[tuple[str, ...]]]:
    """Properties, and the moves as colour, square and time."""
    assert text.startswith("(;")
    assert text.endswith(";)")
    found = _PROPERTY.findall(text[2:-2])
    assert "".join(f"{name}[{value}]" for name, value in found) == text[2:-2]
    properties = {name: re.sub(r"\\(.)", r"\1", value) for name, value in found if len(name) == 2}
    moves = [(name, *value.split("/")) for name, value in found if len(name) == 1]
    return properties, moves


def test_json_lines_lose_nothing() -> None:
    games = [
        record(0, "a", "b", 1),
        record(1, 'q"\n\\', "b", None, termination=Termination.STALL, reason="…"),
        record(2, "a", "b", 2, moves=OTHELLO, game="othello", score=-12),
    ]
    lines = list(Export(ExportFormat.JSONL, EVENT).games(games))
    assert all(line.count("\n") == 1 for line in lines)
    assert [GameRecord.model_validate_json(line) for line in lines] == games


def test_pgn_round_trip() -> None:
    game = record(5, "Deep", "Greed", 2, moves="4 4 3 2 1 5 6", opening=2)
    tags, moves, times, result = read_pgn(pgn(game, EVENT))
    assert moves == list(game.moves)
    assert times == list(game.times)
    assert result == tags["Result"] == "0-1"
    assert list(tags)[:7] == ["Event", "Site", "Date", "Round", "White", "Black", "Result"]
    assert tags == {
        "Event": "Autumn cup",
        "Site": "localhost",
        "Date": "2026.11.21",
        "Time": "09:35:00",
        "Round": "2",
        "White": "Deep",
        "Black": "Greed",
        "Result": "0-1",
        "Variant": "connect4",
        "Size": "7x6",
        "TimeControl": "?",
        "Termination": "normal",
        "Reason": "four in a row",
        "PlyCount": "7",
    }


def test_pgn_says_where_a_game_began_if_not_at_the_start() -> None:
    fen = load("connect4").start().play_names(["4", "4", "1"])[-1].fen()
    tags, _, _, _ = read_pgn(pgn(record(0, "a", "b", 1, fen=fen), EVENT))
    assert (tags["SetUp"], tags["FEN"]) == ("1", fen)


def test_pgn_of_a_game_that_nobody_dated() -> None:
    game = record(0, "a", "b").model_copy(update={"started": None, "round": None})
    tags, _, _, result = read_pgn(pgn(game, EVENT))
    assert (tags["Date"], tags["Round"], result) == ("????.??.??", "-", "1/2-1/2")
    assert "Time" not in tags


@pytest.mark.parametrize(
    ("limits", "tag"),
    [
        (None, "?"),
        (Limits(), "-"),
        (Limits(nodes=1000), "-"),
        (Limits(movetime=100), "1/0.1"),
        (Limits(clock=Clock(p1=10_000, p2=10_000, inc1=100, inc2=100)), "10+0.1"),
        (Limits(clock=Clock(p1=300_000, p2=300_000)), "300"),
        (
            Limits(clock=Clock(p1=60_000, p2=60_000, byoyomi=30_000, periods1=3, periods2=3)),
            "60+3x30",
        ),
    ],
)
def test_pgn_time_controls(limits, tag) -> None:
    tags, _, _, _ = read_pgn(
        pgn(record(0, "a", "b"), EventInfo("e", control=limits and TimeControl(limits)))
    )
    assert tags["TimeControl"] == tag


@pytest.mark.parametrize("termination", list(Termination))
def test_pgn_ends_in_the_standards_words(termination) -> None:
    tags, _, _, _ = read_pgn(pgn(record(0, "a", "b", 1, termination=termination), EVENT))
    assert tags["Termination"] in (
        *("abandoned", "adjudication", "normal", "rules infraction", "time forfeit"),
    )
    played_on = termination not in (Termination.NORMAL, Termination.RESIGNATION)
    assert (tags["Termination"] != "normal") is played_on


def test_pgn_of_a_game_that_was_called_off() -> None:
    tags, _, _, result = read_pgn(pgn(record(0, "a", "b", termination=Termination.ABORT), EVENT))
    assert (tags["Result"], result, tags["Termination"]) == ("*", "*", "abandoned")


def test_ggf_round_trip() -> None:
    game = record(0, "Deep", "Greed", 1, moves=OTHELLO, opening=2, game="othello", score=14)
    clock = Clock(p1=300_000, p2=300_000, inc1=10_000, inc2=10_000)
    properties, moves = read_ggf(
        ggf(game, EventInfo("Autumn cup", control=TimeControl(Limits(clock=clock))))
    )
    assert properties == {
        "GM": "Othello",
        "PC": "Autumn cup",
        "DT": "2026.11.21_09:30:00.UTC",
        "PB": "Deep",
        "PW": "Greed",
        "TI": "05:00/00:10",
        "TY": "8",
        "RE": "+14.000",
        "BO": "8 -------- -------- -------- ---O*--- ---*O--- -------- -------- -------- *",
    }
    assert [colour for colour, *_ in moves] == ["B", "W"] * 3
    assert [move[1].lower() for move in moves] == list(game.moves)
    assert [float(move[3]) for move in moves[2:]] == [time / 1000 for time in game.times]
    assert all(len(move) == 2 for move in moves[:2])


def test_ggf_writes_passes_and_who_begins() -> None:
    # Whether a move is legal is for the referee to say; the writer believes the record.
    kind = load("othello")
    fen = "8/8/8/3xx3/3xo3/8/8/8 o"
    start = kind.parse(fen)
    assert start.turn == 1
    game = record(0, "a", "b", None, moves="pass f6", opening=0, game="othello", fen=fen)
    properties, moves = read_ggf(ggf(game, EVENT))
    assert properties["BO"].endswith(" O")
    assert [move[:2] for move in moves] == [("W", "PA"), ("B", "F6")]


@pytest.mark.parametrize(
    ("termination", "winner", "score", "result"),
    [
        (Termination.NORMAL, None, 0, "+0.000"),
        (Termination.NORMAL, 2, -64, "-64.000"),
        (Termination.TIME, 1, 1, "+64.000:t"),
        (Termination.STALL, 2, -1, "-64.000:t"),
        (Termination.CRASH, 2, -1, "-64.000:r"),
        (Termination.ILLEGAL_MOVE, 1, 1, "+64.000:r"),
        (Termination.RESIGNATION, 2, -1, "-64.000:r"),
        (Termination.ABORT, None, 0, "?"),
    ],
)
def test_ggf_results(termination, winner, score, result) -> None:
    game = record(
        *(0, "a", "b", winner), moves=OTHELLO, game="othello", termination=termination, score=score
    )
    assert read_ggf(ggf(game, EVENT))[0]["RE"] == result


def test_ggf_is_for_othello() -> None:
    games = [record(0, "a", "b"), record(1, "a", "b", moves=OTHELLO, game="othello")]
    with pytest.raises(ValueError, match="connect4"):
        ggf(games[0], EVENT)
    assert list(Export(ExportFormat.GGF, EVENT).games(games)) == [ggf(games[1], EVENT) + "\n"]


@given(st.text(), st.text())
def test_no_name_breaks_out_of_its_place(name, reason) -> None:
    game = record(0, name, "b", 1, moves=OTHELLO, game="othello", reason=reason)
    shown = "".join(letter if letter.isprintable() else " " for letter in name)
    tags, moves, times, _ = read_pgn(pgn(game, EVENT))
    assert (tags["White"], tags["Black"]) == (shown, "b")
    assert (moves, times) == (list(game.moves), list(game.times))
    line = ggf(game, EVENT)
    properties, played = read_ggf(line)
    assert (properties["PB"], properties["PW"], len(played)) == (shown, "b", 6)
    assert len(line.splitlines()) == 1


def test_a_file_of_games_is_games_one_after_the_other() -> None:
    games = [record(number, "a", "b", 1) for number in range(3)]
    text = "".join(Export(ExportFormat.PGN, EVENT).games(games))
    assert text.count("[Event ") == 3
    assert text.count("1-0\n\n") == 3
    assert max(map(len, text.splitlines())) < 80


GAMES = [
    record(0, "a, b", '=1+1"', 1),
    record(1, '=1+1"', "a, b", None, moves=OTHELLO, game="othello", reason="two\nlines"),
    record(2, "c", "a, b", 2, termination=Termination.TIME),
]


def written(form: ExportFormat, *parts, rows: bool = False) -> str:
    """The text of what is given part by part."""
    writer = Export(form, EVENT)
    give = writer.rows if rows else writer.games
    return "".join(text for part in parts for text in give(part)) + writer.end()


@pytest.mark.parametrize("parts", [[], [GAMES], [GAMES[:1], [], GAMES[1:]]])
def test_an_array_holds_all_games(parts) -> None:
    games = [
        GameRecord.model_validate(one) for one in json.loads(written(ExportFormat.JSON, *parts))
    ]
    assert games == [game for part in parts for game in part]


def in_csv(value: object) -> str:
    """A value as a cell; `=1+1"` is a player's name."""
    return f"{chr(39) * str(value).startswith('=')}{value}"


def test_a_line_of_csv_holds_a_game() -> None:
    text = written(ExportFormat.CSV, GAMES[:1], GAMES[1:])
    rows = list(csv.DictReader(io.StringIO(text, newline="")))
    assert [(row["first"], row["second"]) for row in rows] == [
        tuple(map(in_csv, game.players)) for game in GAMES
    ]
    assert [row["winner"] for row in rows] == ["1", "", "2"]
    assert [tuple(row["moves"].split()) for row in rows] == [game.moves for game in GAMES]
    assert [tuple(map(int, row["times"].split())) for row in rows] == [g.times for g in GAMES]
    assert [row["reason"] for row in rows] == [game.reason for game in GAMES]
    assert rows[2]["termination"] == "time"


def test_no_cell_of_csv_is_a_formula() -> None:
    """Numbers stay numbers."""
    texts = ["=1+1", "+cmd|' /C calc'!A0", "-2+3+cmd|'x'!A0", "@SUM(A1)", "\t=1", "\r=1", "'=1"]
    safe = ["ann", "a=b", "-", "-1.5", "+0.35 -0.20", "+M8 -", "3/3/3 x", ""]
    rows = [{"text": text, "number": -1.5} for text in texts + safe]
    read = list(csv.reader(io.StringIO(written(ExportFormat.CSV, rows, rows=True), newline="")))
    assert [text for text, _ in read[1:]] == [
        *(f"'{text}" for text in texts[:-1]),
        *(texts[-1:] + safe),
    ]
    assert {number for _, number in read[1:]} == {"-1.5"}


def test_standings_and_ratings_are_tables() -> None:
    table, ratings = standings(GAMES), rate(outcomes(GAMES))
    for rows in (list(standings_rows(table)), list(rating_rows(ratings))):
        told = json.loads(written(ExportFormat.JSON, rows, rows=True))
        assert told == rows
        lines = written(ExportFormat.JSONL, rows, rows=True).splitlines()
        assert [json.loads(line) for line in lines] == rows
        read = list(csv.DictReader(io.StringIO(written(ExportFormat.CSV, rows, rows=True))))
        assert [{key: in_csv(value) for key, value in row.items()} for row in rows] == read
        with pytest.raises(ValueError, match="only games can be written as pgn"):
            written(ExportFormat.PGN, rows, rows=True)
    ranks = [(row["rank"], row["player"], row["points"]) for row in standings_rows(table)]
    assert ranks == [(one.rank, one.player, one.points) for one in table]
    assert [row["player"] for row in rating_rows(ratings)] == [one.player for one in ratings.table]


SAID = (
    Searched(score=Score(kind="cp", value=-35), depth=12, nodes=2048),
    None,
    Searched(score=Score(kind="win", value=7), depth=20),
    Searched(score=Score(kind="exact", value=-4), depth=6, nodes=9),
    Searched(depth=1),
)


def test_pgn_tells_scores_depths_nodes_times_and_clocks() -> None:
    game = record(5, "Deep", "Greed", 2, moves="4 4 3 2 1 5", opening=1)
    game = game.model_copy(update={"searches": SAID, "clocks": (9996, None, 8000, None, 7000)})
    text = re.sub(r"\s+", " ", pgn(game, EVENT).partition("\n\n")[2]).strip()
    assert re.findall(r"\{[^}]*\}", text) == [
        "{-0.35/12 0.100s, n=2048 [%clk 0:00:09.996] [%emt 0:00:00.100]}",
        "{[%emt 0:00:00.107]}",
        "{+M7/20 0.114s [%clk 0:00:08.000] [%emt 0:00:00.114]}",
        "{-4.00/6 0.121s, n=9 [%emt 0:00:00.121]}",
        "{[%clk 0:00:07.000] [%emt 0:00:00.128]}",
    ]


def test_ggf_tells_scores_in_discs() -> None:
    game = record(0, "a", "b", 1, moves=OTHELLO, game="othello").model_copy(
        update={"searches": SAID}
    )
    _, moves = read_ggf(ggf(game, EVENT))
    assert [move[2:] for move in moves] == [
        *((), ("-0.35", "0.100"), ("", "0.107"), ("", "0.114"), ("-4.00", "0.121"), ("", "0.128"))
    ]


def test_csv_tells_what_was_said_of_each_move() -> None:
    game = record(5, "Deep", "Greed", 2, moves="4 4 3 2 1 5", opening=1)
    game = game.model_copy(update={"searches": SAID, "clocks": (9996, None, 8000, None, 7000)})
    (row,) = csv.DictReader(io.StringIO("".join(Export(ExportFormat.CSV, EVENT).games([game]))))
    assert row["clocks"] == "9996 - 8000 - 7000"
    assert row["scores"] == "-0.35 - +M7 -4.00 -"
    assert row["depths"] == "12 - 20 6 1"
    assert row["nodes"] == "2048 - - 9 -"


def test_records_of_before_are_read() -> None:
    game = record(0, "a", "b", 1)
    old = json.loads(game.model_dump_json())
    for column in ("clocks", "searches", "lags", "pauses", "last_lines"):
        del old[column]
    assert GameRecord.model_validate(old) == game


def test_pgn_and_ggf_tell_the_time_controls_of_both() -> None:
    clock = Clock(p1=300_000, p2=300_000, inc1=10_000, inc2=10_000)
    event = EventInfo("e", control=TimeControl(Limits(nodes=9), {"b": Limits(clock=clock)}))
    game = record(0, "a", "b", moves=OTHELLO, game="othello")
    tags, _, _, _ = read_pgn(pgn(game, event))
    assert "TimeControl" not in tags
    assert (tags["WhiteTimeControl"], tags["BlackTimeControl"]) == ("-", "300+10")
    properties, _ = read_ggf(ggf(game, event))
    assert "TI" not in properties
    assert "TB" not in properties
    assert properties["TW"] == "05:00/00:10"

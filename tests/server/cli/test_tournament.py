"""`plywire tournament`: what it prints, what it writes, what it refuses."""

from __future__ import annotations

import asyncio
import gc
import io
import json
import re
import signal
import sqlite3
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console
from typer.testing import CliRunner, Result

from plywire.clients.play.errors import Termination
from plywire.clients.play.judging.accuracy import GameAccuracy
from plywire.clients.play.matches.records import GameRecord
from plywire.server.arena.job_workers import Workers, processes
from plywire.server.arena.runners.local_runner import LocalRunner
from plywire.server.arena.runners.tournament_runner import TournamentRunner
from plywire.server.arena.store.journal import Journal, journal_of
from plywire.server.arena.store.rating_list import RatingList
from plywire.server.arena.tournament.config import parse_config
from plywire.server.arena.tournament.plan import Plan, make_plan
from plywire.server.cli import app
from plywire.server.cli.tournament.display import Display, standings_table
from plywire.server.cli.tournament.held import read
from tests.support.game_records import record
from tests.support.peers import PLYWIRE
from tests.support.processes import killed_on_failure

CUP = """
name = "Cup [1]"
accuracy = false
[format]
system = "round-robin"
games = 4
[time]
depth = 1
[[games]]
game = "tictactoe"
openings = "random"
[[games]]
game = "othello"
openings = "file"
file = "openings.txt"
[players]
Chance = "random"
Greed = "greedy"
"""


def plywire(*arguments: object) -> Result:
    return CliRunner().invoke(app, ["tournament", *map(str, arguments)])


@pytest.fixture
def toml(tmp_path: Path) -> Path:
    (tmp_path / "openings.txt").write_text("# two\nf5d6\nf5f6\n")
    path = tmp_path / "cup.toml"
    path.write_text(CUP)
    return path


def test_a_tournament_from_file_to_report(toml: Path) -> None:
    toml.write_text(CUP.replace('"greedy"', '"python:tests.support.own_players:Asking"'))
    ran = plywire("run", toml, "--verbose")
    assert ran.exit_code == 0, ran.output
    assert "\nGreed lost by crash: 4\n" in ran.output
    assert "Game 1 begins: Chance - Greed at tictactoe 3x3" in ran.output
    assert "4 games: all games are played." in ran.output
    for way in (toml, toml.with_suffix(".journal")):
        shown = plywire("show", way)
        assert "Cup [1]" in shown.output
        assert "4 of 4 games played; all games are played." in shown.output
        assert "The tournament is over" in plywire("resume", way).output
    again = plywire("run", toml)
    assert again.exit_code == 1
    assert "holds a tournament already: go on with it by `plywire tournament resume" in again.output


def test_games_are_exported(toml: Path, tmp_path: Path) -> None:
    plywire("run", toml)
    lines = plywire("export", toml).output.splitlines()
    records = [GameRecord.model_validate_json(line) for line in lines]
    assert [record.number for record in records] == [0, 1, 2, 3]
    assert records[2].moves[:2] == ("f5", "d6")
    assert plywire("export", toml, "--format", "pgn").output.count('[Event "Cup [1]"]') == 4
    out = tmp_path / "games.ggf"
    assert plywire("export", toml, "--format", "ggf", "--out", out).exit_code == 0
    assert out.read_text().count("GM[Othello]") == 2
    failed = plywire("export", toml, "--out", tmp_path / "no" / "folder")
    assert failed.exit_code == 1
    assert "No such file or directory" in failed.output


def test_a_report_is_written(toml: Path) -> None:
    plywire("run", toml)
    assert "cup.html" in plywire("report", toml).output
    page = toml.with_suffix(".html").read_text()
    assert "Cup [1]" in page
    assert "round-robin, 4 games a pairing" in page
    assert "depth 1" in page
    assert "analyse" not in page
    for address in ("", "here#there", "javascript:alert(1)", "https:"):
        refused = plywire("report", toml, "--page", address)
        assert refused.exit_code == 2
        assert f"{address!r} is no address" in refused.output
    assert plywire("report", toml, "--page", "https://plywire.example").exit_code == 0
    assert (
        'href="https://plywire.example#mode=analyse&amp;game='
        in toml.with_suffix(".html").read_text()
    )


async def play(journal: Path, games: int) -> None:
    """Write a journal as if so many games had been played, and one were going on."""
    config = parse_config(CUP.replace("games = 4", "games = 2000"))
    plan = Plan(config=config, openings=(((),), ((),)))
    scheduled = plan.games(plan.schedule({}))[: games + 1]
    async with Journal(journal, create=True) as opened:
        cup = await opened.create(config.name, plan.model_dump_json())
        await opened.schedule(cup, scheduled)
        await asyncio.gather(*(opened.start(cup, game.number) for game in scheduled))
        ended = [
            game.ended([], winner=1, termination=Termination.RESIGNATION, reason="gave up")
            for game in scheduled[:-1]
        ]
        await asyncio.gather(*(opened.finish(cup, record) for record in ended))


def test_a_report_of_many_games_is_a_page_and_a_folder(tmp_path: Path) -> None:
    journal, page = tmp_path / "cup.journal", tmp_path / "the cup #1.html"
    asyncio.run(play(journal, 1001))
    folder = tmp_path / "the cup #1-pages"
    assert f"Wrote {page} and 3 pages in {folder}" in plywire(
        "report", journal, "--out", page
    ).output.replace("\n", "")
    text = page.read_text()
    assert "1001 of 1002 games played" in text
    names = sorted(file.name for file in folder.iterdir())
    assert names == ["games-001.html", "games-002.html", "games-003.html"]
    for name in names:
        assert f'href="the%20cup%20%231-pages/{name}"' in text
        assert 'href="../the%20cup%20%231.html"' in (folder / name).read_text()
    # A report that is written over a longer one leaves nothing of it, and nothing else is touched.
    (folder / "mine.txt").touch()
    short = tmp_path / "short.journal"
    asyncio.run(play(short, 501))
    assert "and 2 pages" in plywire("report", short, "--out", page).output.replace("\n", "")
    assert sorted(file.name for file in folder.iterdir()) == [*names[:2], "mine.txt"]


def test_standings_and_ratings_are_exported(toml: Path, tmp_path: Path) -> None:
    plywire("run", toml)
    out = tmp_path / "standings.csv"
    assert (
        plywire("export", toml, "--what", "standings", "--format", "csv", "--out", out).output == ""
    )
    heading, *rows = out.read_text().splitlines()
    assert heading.startswith("rank,player,points,games,wins,draws,losses")
    assert {row.split(",")[1] for row in rows} == {"Chance", "Greed"}
    ratings = json.loads(plywire("export", toml, "--what", "ratings", "--format", "json").output)
    assert ratings[0]["elo"] == -ratings[1]["elo"]
    # Without --format, the ending says what is written; an unknown one is refused.
    plywire("export", toml, "--what", "standings", "--out", tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_text() == out.read_text()
    for command in ("export", "report"):
        unknown = plywire(command, toml, "--out", tmp_path / "x.xls")
        assert unknown.exit_code == 2
        assert "accepted are" in unknown.output
    assert not (tmp_path / "x.xls").exists()
    refused = plywire("export", toml, "--what", "ratings", "--format", "pgn")
    assert refused.exit_code == 2
    assert "--format pgn is for games alone" in refused.output


def test_ratings_last_from_tournament_to_tournament(toml: Path, tmp_path: Path) -> None:
    club = tmp_path / "club.ratings"
    nothing = plywire("ratings", club)
    assert nothing.exit_code == 1
    assert "no event has been rated yet" in nothing.output
    toml.write_text('ratings = "club.ratings"\n' + CUP)
    for number in (1, 2):
        assert plywire("run", toml, "--journal", tmp_path / f"{number}.journal").exit_code == 0
        lists = RatingList(club).latest()
        shown = plywire("ratings", club).output
        # The last to be resumed is over, and counts no more than once.
        assert "is over" in plywire("resume", tmp_path / f"{number}.journal").output
        assert plywire("ratings", club).output == shown
        for game, rated in lists.items():
            table = shown[shown.index(game) :]
            for player in rated:
                assert player.games == 2 * number
                row = next(line for line in table.splitlines() if player.player in line)
                assert str(round(player.glicko.rating)) in row
                assert f" {player.games} " in row
    assert list(lists) == ["othello", "tictactoe"]
    assert plywire("report", tmp_path / "2.journal").exit_code == 0
    page = (tmp_path / "2.html").read_text()
    assert "Glicko-2 over all events" in page
    assert "no event has been rated yet" in plywire("ratings", tmp_path).output


def test_a_tournament_of_absurd_upsets_ends_and_is_resumed(toml: Path, tmp_path: Path) -> None:
    """Ratings once ran away, and no tournament that counted for them could end."""
    club = tmp_path / "club.ratings"
    cup = CUP.replace("games = 4", "games = 30").partition('[[games]]\ngame = "othello"')[0]
    lost = "python:tests.support.own_players:Asking"
    toml.write_text(f'ratings = "club.ratings"\n{cup}[players]\nHigh = "{lost}"\nLow = "random"\n')
    assert plywire("run", toml, "--journal", tmp_path / "first.journal").exit_code == 0
    change(club, "rating = 2000, deviation = 50 WHERE player = 'High'")
    change(club, "rating = 1000, deviation = 50 WHERE player = 'Low'")
    for number in range(3):
        journal = tmp_path / f"{number}.journal"
        ran = plywire("run", toml, "--journal", journal)
        assert ran.exit_code == 0, ran.output
        assert "30 games: all games are played." in ran.output
        assert "is over" in plywire("resume", journal).output
        assert plywire("report", journal).exit_code == 0
        for rated in RatingList(club).latest()["tictactoe"]:
            assert 0 <= rated.glicko.rating <= 4000
            assert rated.games == 30 * (number + 2)
        # What an older version made of such an event is healed.
        change(club, "rating = -57060, volatility = 29.5 WHERE player = 'High'")


def test_a_tournament_does_not_begin_with_a_bad_file_of_ratings(toml: Path, tmp_path: Path) -> None:
    toml.write_text('ratings = "club.ratings"\n' + CUP)
    (tmp_path / "club.ratings").write_text("ada 1500\n" * 100)
    ran = plywire("run", toml)
    assert ran.exit_code == 1
    assert (
        "club.ratings: not a file of ratings of Plywire: a file of ratings is an SQLite"
        in ran.output
    )
    assert not toml.with_suffix(".journal").exists()
    (tmp_path / "club.ratings").unlink()
    assert plywire("run", toml).exit_code == 0


@pytest.fixture
def uncollected() -> Iterator[None]:
    """Without garbage collections, what an error leaves open stays open."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.usefixtures("uncollected")
def test_a_tournament_ends_without_ratings_and_is_rated_later(
    toml: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    club = tmp_path / "club.ratings"
    toml.write_text('ratings = "club.ratings"\n' + CUP)
    assert plywire("run", toml, "--journal", tmp_path / "first.journal").exit_code == 0
    change(club, "deviation = -50 WHERE player = 'Greed' AND game = 'othello'")
    # The file becomes bad while the tournament runs.
    with monkeypatch.context() as patched:
        patched.setattr(RatingList, "check", lambda _: None)
        ran = plywire("run", toml)
    assert ran.exit_code == 1
    assert "4 games: all games are played." in ran.output
    problem = (
        f"{club}: event 1, game 'othello', player 'Greed': deviation is -50.0;"
        " accepted: a finite number from 0"
    )
    journal = toml.with_suffix(".journal")
    assert f"The tournament is over, but not rated: {problem}. Mend that file" in ran.output
    assert f"plywire tournament resume {journal}" in ran.output
    assert plywire("ratings", club).output == f"plywire tournament: {problem}\n"
    assert plywire("report", toml).exit_code == 0
    assert "Glicko-2 over all events" not in toml.with_suffix(".html").read_text()
    resumed = plywire("resume", toml)
    assert resumed.exit_code == 1
    assert "The tournament is over: all games are played" in resumed.output
    assert problem in resumed.output
    change(club, "deviation = 50 WHERE player = 'Greed' AND game = 'othello'")
    assert "Its games now count for the ratings." in plywire("resume", toml).output
    assert "now count" not in plywire("resume", toml).output
    assert {rated.games for rated in RatingList(club).latest()["othello"]} == {4}


def change(club: Path, values: str) -> None:
    """Change what a file of ratings holds."""
    with sqlite3.connect(club, timeout=60) as connection:
        connection.execute(f"UPDATE rating SET {values}")
    connection.close()


def test_a_tournament_is_announced_and_begun(toml: Path, tmp_path: Path) -> None:
    """What the server of the arena makes of it is tested with live tournaments."""
    arena = tmp_path / "arena"
    unknown = plywire("begin", "Cup", "--arena", arena)
    assert unknown.exit_code == 1
    assert "there is no journal and no arena folder" in unknown.output
    toml.write_text("seats = 2\n" + CUP.replace("Cup [1]", "Cup"))
    opened = plywire("open", toml, "--arena", arena)
    assert opened.output == "Cup is open: 2 bots may join it by this name.\n"
    assert opened.exit_code == 0
    again = plywire("open", toml, "--arena", arena)
    assert again.exit_code == 1
    assert "there is a tournament Cup already" in again.output
    begun = plywire("begin", "cup", "--arena", arena)
    assert begun.output.startswith("cup begins, with ")
    assert begun.exit_code == 0
    unknown = plywire("begin", "Other", "--arena", arena)
    waits = "plywire tournament: no tournament Other waits for its start: there are Cup\n"
    assert (unknown.exit_code, unknown.output) == (1, waits)
    with_seats = plywire("run", toml)
    assert with_seats.exit_code == 1
    assert "plywire tournament open" in with_seats.output
    shown = plywire("show", arena)
    assert shown.output.startswith("Cup has not begun yet: the server is to make the openings")
    assert shown.exit_code == 0
    assert "holds no tournament Other" in plywire("show", arena, "--name", "Other").output


def test_a_tournament_that_nobody_has_joined_does_not_begin(toml: Path, tmp_path: Path) -> None:
    arena = tmp_path / "arena"
    cup = "seats = 2\n" + CUP.partition("[players]")[0]
    for name in ("Old", "Cup"):
        toml.write_text(cup.replace("Cup [1]", name))
        assert plywire("open", toml, "--arena", arena).exit_code == 0

    async def begin_the_old_one() -> None:
        async with Journal(journal_of(arena), exclusive=False) as journal:
            old, _ = await journal.announcements.listed()
            await journal.announcements.begin(old.id, old.config)

    asyncio.run(begin_the_old_one())
    lonely = plywire("begin", "cup", "--arena", arena)
    assert lonely.exit_code == 1
    assert "Cup cannot begin: a tournament needs at least two players" in lonely.output
    assert "joined so far: nobody" in lonely.output
    shown = plywire("show", arena)
    assert shown.output == (
        "Cup has not begun yet: 2 more bots may join; players: nobody so far.\n"
    )


def test_a_tournament_without_open_seats_asks_nobody_to_join(toml: Path, tmp_path: Path) -> None:
    arena = tmp_path / "arena"
    toml.write_text("starts = 2999-11-21T20:00:00Z\n" + CUP.replace("Cup [1]", "Cup"))
    opened = plywire("open", toml, "--arena", arena)
    assert opened.output.startswith("Cup is announced: it begins at 2999-11-21 20:00 UTC, with")
    assert (
        "Cup has not begun yet: all seats are taken, it begins at 2999-11"
        in plywire("show", arena).output
    )
    begun = plywire("begin", "cup", "--arena", arena)
    assert begun.output.startswith("cup begins, with ")
    assert begun.exit_code == 0


def test_workers_play_when_asked_to(toml: Path) -> None:
    toml.write_text(CUP.replace("accuracy = false", "accuracy = true"))
    ran = plywire("run", toml, "--processes", 2, "--concurrency", 2)
    assert ran.exit_code == 0, ran.output
    held = asyncio.run(read(toml.with_suffix(".journal")))
    assert len(held.results) == 4

    async def accuracies() -> list[GameAccuracy | None]:
        return [accuracy async for games in held.games(3) for _, accuracy in games]

    assert None not in asyncio.run(accuracies())


async def test_who_plays_whom_is_shown_while_it_runs(tmp_path: Path) -> None:
    journal = tmp_path / "cup.journal"
    config = parse_config(CUP + 'Ann = "random"\n')
    plan = Plan(config=config, openings=(((),), ((),)))
    games = plan.games(plan.schedule({}))
    records = [
        game.ended([], winner=winner, termination=Termination.NORMAL, reason="three in a row")
        for game, winner in zip(games[:5], (1, 1, 1, 1, None), strict=True)
    ]
    async with Journal(journal, create=True) as opened:
        cup = await opened.create(config.name, plan.model_dump_json())
        await opened.schedule(cup, games)
        for record in records:
            await opened.start(cup, record.number)
            await opened.finish(cup, record)
    result = await asyncio.to_thread(plywire, "show", journal)
    assert result.exception is None, result.exception
    shown = result.output
    assert "Round 2 of 3" in shown
    lines = shown[shown.index("Round 2") :].splitlines()
    rows = [words for line in lines if (words := re.findall(r"[\w.-]+", line))]
    assert rows[1] == ["Player", "Opponent", "Score", "Games"]
    first, second = games[4].players
    assert rows[2:4] == [
        [first, second, "0.5", "-", "0.5", "1", "of", "4"],
        [*({"Chance", "Greed", "Ann"} - {first, second}), "nobody", "0"],
    ]


def test_the_journal_counts_and_not_the_file(toml: Path, tmp_path: Path) -> None:
    journal = tmp_path / "elsewhere"
    assert plywire("run", toml, "--journal", journal).exit_code == 0
    toml.unlink()
    assert "Cup [1]" in plywire("show", journal).output


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("games = 4", "games = 5", "format.games"),
        ('"openings.txt"', '"missing.txt"', "games[1].openings"),
        ('"greedy"', '"ugi:/nowhere/engine"', "Greed cannot play"),
    ],
)
def test_what_cannot_be_run_is_said(toml: Path, old: str, new: str, message: str) -> None:
    toml.write_text(CUP.replace(old, new))
    ran = plywire("run", toml)
    assert ran.exit_code in (1, 2)
    assert message in ran.output
    assert "Traceback" not in ran.output


def test_bad_openings_can_be_mended_and_run(toml: Path) -> None:
    openings = toml.with_name("openings.txt")
    openings.write_text("f5 f5\n")
    assert "openings: line 1, column 4: move 2" in plywire("run", toml).output
    openings.write_text("8/8/8/3ox3/3xo3/8/8/8 o\n")
    assert "openings begin where the game does" in plywire("run", toml).output
    openings.write_text("f5 d6\n")
    assert plywire("run", toml).exit_code == 0


def test_what_is_not_there_is_said(tmp_path: Path, toml: Path) -> None:
    for command in ("show", "resume", "export", "report"):
        said = plywire(command, tmp_path / "missing.journal")
        assert said.exit_code == 1
        assert "there is no journal" in said.output
    cluster = plywire("run", toml, "--cluster", "tcp://127.0.0.1:9", "--processes", 2)
    assert "--cluster excludes --processes" in cluster.output


def test_points_of_a_bye_are_told_apart() -> None:
    config = parse_config(f'{CUP.replace("round-robin", "swiss")}Third = "random"\n')
    plan = Plan(config=config, openings=(((),), ((),)))
    made = standings_table(plan, [], plan.schedule({}))
    byes = next(column for column in made.columns if column.header == "Of byes")
    assert sorted(byes.cells) == ["0", "0", "4"]


def test_ctrl_c_says_how_to_go_on(toml: Path) -> None:
    toml.write_text(CUP.replace("games = 4", "games = 4000"))
    process = subprocess.Popen(
        [*PLYWIRE, "tournament", "run", str(toml), "--verbose"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    with process, killed_on_failure(process):
        assert process.stdout is not None
        assert "Game 1 begins" in process.stdout.readline()
        process.send_signal(signal.SIGINT)
        rest = process.stdout.read()
    assert process.returncode == 130
    assert f"plywire tournament resume {toml.with_suffix('.journal')}" in rest.replace("\n", " ")
    assert "Traceback" not in rest
    held = asyncio.run(read(toml.with_suffix(".journal")))
    assert held.tournament.ended is None


async def test_a_terminal_shows_how_a_test_stands(toml: Path) -> None:
    config = parse_config(CUP.replace("[players]", "[sprt]\nelo1 = 200\n[players]"))
    written = io.StringIO()
    console = Console(file=written, force_terminal=True, width=160)
    with Display(console, Plan(config=config, openings=(((),), ((),))), []) as display:
        for number in (0, 1):
            display.finished(record(number, "Chance", "Greed", 1 + number))
        display._live.refresh()
    assert re.search(r"LLR -?\d\.\d\d \(-2\.94 to 2\.94\)", written.getvalue())
    assert "2 games" in written.getvalue()
    assert "2/" not in written.getvalue()


async def test_a_terminal_shows_standings_while_games_run(toml: Path, tmp_path: Path) -> None:
    config = parse_config(CUP.replace('"file"\nfile = "openings.txt"', '"random"'))
    written = io.StringIO()
    console = Console(file=written, force_terminal=True, width=100)
    async with Journal(tmp_path / "j", create=True) as journal, Workers(processes(1)) as workers:
        plan = await make_plan(config, workers)
        cup = await journal.create("Cup", json.dumps({}))
        runner = LocalRunner()
        with Display(console, plan, []) as display:
            await TournamentRunner(
                journal, cup, plan, runner=runner, workers=workers, watchers=(display,)
            ).run()
        await runner.close()
    assert "Greed" in written.getvalue()
    assert "4/4" in written.getvalue()
    assert len(display.records) == 4

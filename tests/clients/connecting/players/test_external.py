"""Programs that behave and programs that do not."""

import re
import sys
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from plywire.clients.connecting.players.external import ExternalPlayer
from plywire.clients.connecting.transports.process import ProcessTransport
from plywire.clients.play.errors import (
    PlayerCrashedError,
    PlayerError,
    PlayerStalledError,
    PlayerUnfitError,
    Termination,
)
from plywire.clients.play.matches.referee import Referee, TimeControl
from plywire.clients.play.players.base import GameLine, Player
from plywire.engine.registry import load
from plywire.protocol.messages.limits import Clock, Limits
from plywire.protocol.messages.play import Score, Searched
from tests.support.scripted_players import Scripted

FAKE = str(Path(__file__).parents[3] / "support" / "fake_programs" / "fake_engine.py")
GAME = load("connect4")
START = GameLine.at(GAME.start())
LIMITS = Limits(movetime=10)

Fake = Callable[..., ExternalPlayer]


@pytest.fixture
async def fake() -> AsyncIterator[Fake]:
    players: list[Player] = []

    def make(
        *arguments: str, startup: float = 10, options: dict[str, str] | None = None
    ) -> ExternalPlayer:
        command = [sys.executable, "-S", FAKE, *arguments]
        player = ExternalPlayer(
            command, arguments[0], options=options or {}, startup=startup, name="fake"
        )
        players.append(player)
        return player

    yield make
    for player in players:
        await player.close()


async def outcome(player: Player, patience: int = 10_000) -> tuple[Termination, str]:
    """How a game ends that the player should have the first move in."""
    control = TimeControl(LIMITS, patience=patience)
    record = await Referee(GAME, control).play((player, Scripted("2345672")), START)
    return record.termination, record.reason


@pytest.mark.parametrize("behaviour", ["good", "chatty", "stubborn", "leaves-a-child"])
async def test_a_program_plays(fake: Fake, behaviour: str) -> None:
    player = fake("ugi", behaviour)
    await player.start(GAME)
    assert await player.choose(START, LIMITS) == 0
    await player.start(GAME)
    assert await player.choose(START, LIMITS) == 0


async def test_what_it_says_of_its_search_is_recorded(fake: Fake) -> None:
    players = fake("ugi", "tells"), Scripted("2345672")
    record = await Referee(GAME, TimeControl(LIMITS)).play(players, START)
    told = Searched(score=Score(kind="cp", value=-12), depth=4, nodes=99)
    assert record.searches[:2] == (told, None)


async def test_it_wins_and_is_started_once(fake: Fake, tmp_path: Path) -> None:
    log = tmp_path / "log"
    player = fake("ugi", "good", str(log))
    for _ in range(3):
        assert await outcome(player) == (Termination.NORMAL, "four in a row")
    assert log.read_text() == "started\n"


@pytest.mark.parametrize(
    ("behaviour", "termination", "reason"),
    [
        ("crash", Termination.CRASH, "exited with status 3: out of memory"),
        ("deaf", Termination.CRASH, "closed its output but runs on"),
        ("illegal", Termination.ILLEGAL_MOVE, "no move '9' here: the legal moves are 1 2 3"),
        ("garbage", Termination.GARBAGE, "bestmove"),
        ("noise", Termination.STALL, "no answer in 2110 ms"),
    ],
)
async def test_failures_are_told_apart(
    fake: Fake, behaviour: str, termination: Termination, reason: str
) -> None:
    patience = 2000 if behaviour == "noise" else 10_000
    found, text = await outcome(fake("ugi", behaviour), patience)
    assert found is termination
    assert text.startswith("fake: ")
    assert reason in text


@pytest.mark.parametrize(
    ("behaviour", "told", "heard"),
    [
        ("crash", "> go movetime 10", "< readyok"),
        ("illegal", "> go movetime 10", "< bestmove 9"),
        ("garbage", "> go movetime 10", "< bestmove"),
        ("hang", "> go movetime 10", "< readyok"),
        ("half", "> go movetime 10", "< bestmo"),
        ("flood", "> go movetime 10", "< bestmove 9"),
        ("crash-at-start", "> ugi", None),
    ],
)
async def test_the_record_holds_the_last_lines(
    fake: Fake, behaviour: str, told: str, heard: str | None
) -> None:
    control = TimeControl(LIMITS, patience=1000 if behaviour == "hang" else 10_000)
    player = fake("ugi", behaviour)
    record = await Referee(GAME, control).play((player, Scripted("2345672")), START)
    assert record.termination.is_failure
    lines = [line for line in record.last_lines if line.startswith(">")]
    assert lines[-1] == told
    lines = [line for line in record.last_lines if line.startswith("<")]
    assert (lines[-1] if lines else None) == heard
    assert len(record.last_lines) <= 16


async def test_escape_sequences_of_a_program_do_not_reach_the_record(fake: Fake) -> None:
    record = await Referee(GAME, TimeControl(LIMITS)).play(
        (fake("ugi", "escape"), Scripted("2")), START
    )
    assert record.reason == "fake: exited with status 3:  ]0;owned  [2J  31m gone"
    assert record.model_dump_json().isprintable()


async def test_of_a_long_line_the_beginning_is_kept(fake: Fake) -> None:
    control = TimeControl(LIMITS, patience=2000)
    record = await Referee(GAME, control).play((fake("ugi", "noise"), Scripted("2")), START)
    assert record.last_lines[-2] == "> go movetime 10"
    assert 900 < len(record.last_lines[-1]) < 1100
    assert record.last_lines[-1].isprintable()


@pytest.mark.parametrize(
    ("dialect", "told", "heard"),
    [("uci", "> go movetime 10", "< bestmove P@d6"), ("gtp", "> genmove b", "< = D6")],
)
async def test_the_last_lines_are_the_dialects(
    dialect: str, told: str, heard: str, fake: Fake
) -> None:
    control = TimeControl(LIMITS, patience=10_000)
    record = await Referee(GAME, control).play((fake(dialect, "illegal"), Scripted("2")), START)
    assert record.last_lines[-2:] == (told, heard)


async def test_a_program_that_hangs(fake: Fake) -> None:
    player = fake("ugi", "hang")
    await player.start(GAME)
    assert await outcome(player, patience=1000) == (
        Termination.STALL,
        "fake: no answer in 1110 ms",
    )


async def test_a_program_that_has_just_ended_is_let_go_quietly(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Nobody but asyncio may take its exit status, or that is said to be lost."""
    for _ in range(40):
        program = await ProcessTransport.start(["true"])
        while await program.read():
            pass
        await program.close()
    assert caplog.records == []


async def test_after_a_failure_it_is_started_again(fake: Fake, tmp_path: Path) -> None:
    log = tmp_path / "log"
    player = fake("ugi", "crash", str(log))
    for _ in range(2):
        assert (await outcome(player))[0] is Termination.CRASH
    assert log.read_text() == "started\n" * 2


@pytest.mark.parametrize(
    ("behaviour", "error", "text"),
    [
        ("crash-at-start", PlayerCrashedError, "exited with status 1: no licence"),
        ("hang-at-start", PlayerStalledError, "not ready after 0.5 seconds"),
    ],
)
async def test_failures_at_the_start(
    fake: Fake, behaviour: str, error: type[PlayerError], text: str
) -> None:
    with pytest.raises(error, match=text):
        await fake("ugi", behaviour, startup=0.5 if "hang" in behaviour else 10).start(GAME)


async def test_a_program_that_is_not_there() -> None:
    player = ExternalPlayer(["./no-such-engine"], "ugi")
    with pytest.raises(PlayerCrashedError, match="no-such-engine"):
        await player.start(GAME)


async def test_a_dialect_of_one_game_is_refused_for_others(tmp_path: Path) -> None:
    command = [sys.executable, "-S", str(Path(FAKE).with_name("fake_nboard.py")), "good"]
    player = ExternalPlayer([*command, str(tmp_path / "log")], "nboard")
    with pytest.raises(PlayerUnfitError, match="cannot play connect4: it offers othello"):
        await player.start(GAME)
    await player.close()


async def test_uci_drops_name_the_square(fake: Fake) -> None:
    assert await outcome(fake("uci")) == (Termination.NORMAL, "four in a row")
    found, text = await outcome(fake("uci", "illegal"))
    assert found is Termination.ILLEGAL_MOVE
    assert "no move 'd6' here" in text


async def test_gtp_programs_play_the_moves_they_name(fake: Fake) -> None:
    assert await outcome(fake("gtp")) == (Termination.NORMAL, "four in a row")
    found, text = await outcome(fake("gtp", "illegal"))
    assert found is Termination.ILLEGAL_MOVE
    assert "no move 'd6' here" in text
    found, text = await outcome(fake("gtp", "garbage"))
    assert found is Termination.GARBAGE
    assert "a vertex is a letter and a number" in text


@pytest.mark.parametrize("behaviour", ["good", "thoughtful"])
async def test_nboard_programs_are_stopped_when_their_time_is_up(
    behaviour: str, tmp_path: Path
) -> None:
    """The thoughtful one never answers by itself."""
    log = tmp_path / "log"
    command = [sys.executable, "-S", str(Path(FAKE).with_name("fake_nboard.py")), behaviour]
    player = ExternalPlayer([*command, str(log)], "nboard")
    othello = load("othello")
    line = GameLine.at(othello.start())
    for limits in (LIMITS, Limits(clock=Clock(p1=80, p2=80))):
        await player.start(othello)
        move = await player.choose(line, limits)
        assert othello.move_name(move) == "d3"
        line = GameLine.at(othello.start())
    await player.close()
    told = log.read_text().split()
    assert told.count("go") == 2
    assert told[-1] == "quit"


async def test_an_nboard_program_that_crashes_while_it_thinks(tmp_path: Path) -> None:
    command = [sys.executable, "-S", str(Path(FAKE).with_name("fake_nboard.py")), "crash"]
    player = ExternalPlayer([*command, str(tmp_path / "log")], "nboard")
    othello = load("othello")
    await player.start(othello)
    with pytest.raises(PlayerCrashedError, match="out of memory"):
        await player.choose(GameLine.at(othello.start()), Limits(movetime=10_000))
    assert player.last_lines[-2:] == ("> go", "! out of memory")
    await player.close()


async def test_a_program_is_set_to_options_whenever_it_is_started(
    fake: Fake, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    given = {"hash": "32", "Playing style": "Risky"}
    player = fake("uci", "options", str(log), options=given)
    told = "setoption name Hash value 32\nsetoption name Playing Style value Risky\n"
    for times in (1, 2):
        await player.start(GAME)
        await player.start(GAME)
        started, *settings = log.read_text().split("started\n")
        assert (started, len(settings)) == ("", times)
        assert all(told in each for each in settings)
        await player.close()


@pytest.mark.parametrize(
    ("behaviour", "options", "text"),
    [
        (
            "options",
            {"Hsh": "32"},
            "it has no option 'Hsh'; its options are: Hash (1 to 64),"
            " Playing Style (solid, risky), Ponder (true or false)",
        ),
        ("options", {"hash": "65"}, "it does not take hash=65; it takes Hash (1 to 64)"),
        ("options", {"hash": "big"}, "it does not take hash=big"),
        ("options", {"Playing Style": "mad"}, "it takes Playing Style (solid, risky)"),
        ("options", {"ponder": "1"}, "it takes Ponder (true or false)"),
        ("good", {"Hash": "1"}, "it has no option 'Hash'; its options are: none"),
    ],
)
async def test_options_that_a_program_does_not_take(
    fake: Fake, behaviour: str, options: dict[str, str], text: str
) -> None:
    with pytest.raises(PlayerCrashedError, match=re.escape(text)):
        await fake("ugi", behaviour, options=options).start(GAME)


@pytest.mark.parametrize(("command", "dialect"), [([], "ugi"), (["x"], "klingon")])
def test_nonsense_is_refused(command: list[str], dialect: str) -> None:
    with pytest.raises(ValueError, match=r"program|klingon"):
        ExternalPlayer(command, dialect)

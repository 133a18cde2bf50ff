"""An engine without fault passes, and each broken one fails where it is broken."""

import sys
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from plywire.clients.compliance.checked_engine import Subject
from plywire.clients.compliance.examine import CheckResult, Finding, examine
from plywire.clients.compliance.junit import junit
from plywire.clients.connecting.players.specs import SpecError
from plywire.engine.registry import load
from plywire.server.serve import Server
from tests.support.forks import forked

PROGRAMS = Path(__file__).parents[2] / "support" / "fake_programs"
#: For silence that has to be waited out, and none that has not.
SHORT, LONG = 2.0, 60.0
SILENT = {"never-stops", "never-quits", "garbled", "no-greeting"}


async def found(
    spec: str, *games: str, patience: float = LONG, positions: int = 20
) -> list[Finding]:
    subject = replace(Subject.parse(spec), patience=patience)
    kinds = [load(name) for name in games]
    return await examine(subject, games=kinds, positions=positions, margin=2500)


def failures(findings: list[Finding]) -> dict[str, str]:
    """What failed, and what the engine did instead."""
    return {
        f"{finding.check} {finding.game}".strip(): finding.said
        for finding in findings
        if finding.verdict is CheckResult.FAILED
    }


def skipped(findings: list[Finding]) -> set[str]:
    return {f"{finding.check} {finding.game}".strip() for finding in findings if finding.is_skipped}


def broken(fault: str, tmp_path: Path) -> str:
    # An engine that is killed is a process of its own.
    python = sys.executable if fault in SILENT else forked("python")
    return f'ugi:{python} "{PROGRAMS / "broken_engine.py"}" {fault} "{tmp_path / "file"}"'


async def test_an_engine_without_fault_passes(tmp_path: Path) -> None:
    findings = await found(broken("none", tmp_path))
    assert failures(findings) == {}
    assert skipped(findings) == {"pass connect4"}


async def test_an_engine_of_other_games_fails_as_in_a_match() -> None:
    engine = PROGRAMS / "odd_engine.py"
    spec = f'ugi:{forked("python")} "{engine}" ugi tictactoe wrong-variant'
    findings = await found(spec, "tictactoe")
    assert failures(findings) == {"new game tictactoe": "cannot play tictactoe: it offers chess"}


@pytest.mark.parametrize(
    ("fault", "check", "said"),
    [
        ("bad-default", "options", "the default 1 does not go with Hash (16 to 64)"),
        ("dies-of-an-option", "options", "exited with status 1: out of memory"),
        ("illegal", "legal moves connect4", "no move '9' here: the legal moves are "),
        ("late", "time connect4", "of 100"),
        ("answers-twice", "stop connect4", "answers nothing that was asked"),
        ("moves-after-the-end", "end of game connect4", "moved 1 although the game was over"),
        ("dies-at-the-end", "end of game connect4", "exited with status 1: no move left"),
        ("wrong-winner", "result connect4", "winner 1; it is over True, winner"),
        ("dies-of-garbage", "garbage", "cannot read 'xyzzy 1 2 3"),
        ("fails-at-the-end", "quit", "exited with status 3"),
        ("leaves-a-lock", "restart", "exited with status 1: locked"),
        ("plays-alone", "two at once", "another is running"),
    ],
)
async def test_each_fault_is_caught_alone(
    fault: str, check: str, said: str, tmp_path: Path
) -> None:
    failed = failures(await found(broken(fault, tmp_path), "connect4"))
    assert list(failed) == [check]
    assert said in failed[check]


async def test_queries_may_be_left_unanswered(tmp_path: Path) -> None:
    findings = await found(broken("knows-no-queries", tmp_path), "connect4")
    assert failures(findings) == {}
    assert skipped(findings) == {"pass connect4", "result connect4"}


@pytest.mark.parametrize(
    ("fault", "check", "said"),
    [
        ("never-stops", "stop connect4", "no answer to `go` in 2 s"),
        ("never-quits", "quit", "no answer to `quit` in 2 s"),
        ("garbled", "legal moves connect4", "expected bestmove MOVE"),
    ],
)
async def test_faults_that_may_show_elsewhere_too(
    fault: str, check: str, said: str, tmp_path: Path
) -> None:
    failed = failures(await found(broken(fault, tmp_path), "connect4", patience=SHORT))
    assert said in failed[check]


async def test_an_engine_that_cannot_pass(tmp_path: Path) -> None:
    failed = failures(await found(broken("never-passes", tmp_path), "othello"))
    assert list(failed) == ["pass othello"]
    assert "no move 'a1' here: the legal moves are pass" in failed["pass othello"]


async def test_a_game_that_it_cannot_play_is_not_gone_into(tmp_path: Path) -> None:
    findings = await found(broken("claims-too-much", tmp_path))
    assert failures(findings) == {
        "new game othello": "exited with status 1: no such game, when asked `new-game`"
    }
    assert {"legal moves othello", "time othello", "result othello"} <= skipped(findings)


async def test_without_a_greeting_nothing_else_is_tried(tmp_path: Path) -> None:
    findings = await found(broken("no-greeting", tmp_path), patience=SHORT)
    assert failures(findings) == {"greeting": "no answer to `hello` in 2 s"}
    assert all(finding.is_skipped for finding in findings[1:])
    assert findings[0].last_lines[-1] == "< uciok"


async def test_a_program_that_is_not_there() -> None:
    failed = failures(await found("gtp:/no/such/program"))
    assert list(failed) == ["greeting"]
    assert "No such file" in failed["greeting"]


@pytest.mark.parametrize(
    ("dialect", "program", "game"),
    [
        ("uci", "fake_engine.py uci", "connect4"),
        ("gtp", "fake_engine.py gtp", "connect4"),
        ("nboard", "fake_nboard.py good log", "othello"),
    ],
)
async def test_engines_of_other_dialects_are_caught_too(
    dialect: str, program: str, game: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """These play the same column or square for ever."""
    monkeypatch.chdir(tmp_path)
    failed = failures(
        await found(f"{dialect}:{sys.executable} {PROGRAMS}/{program}", game, positions=200)
    )
    assert "no move" in failed[f"legal moves {game}"]
    assert not failed.keys() & {"greeting", f"new game {game}", "quit", "restart", "two at once"}


async def test_a_server_is_checked_by_its_url(server: Server) -> None:
    host, port = server.tcp_address
    findings = await found(f"tcp://{host}:{port}", "tictactoe")
    assert failures(findings) == {}
    assert skipped(findings) == {"pass tictactoe"}


def test_a_class_is_put_into_a_process() -> None:
    subjects = map(Subject.parse, ("python:bots:First", "python?process=1:bots:First"))
    assert len({subject.command for subject in subjects}) == 1


def test_what_speaks_no_protocol_cannot_be_checked() -> None:
    with pytest.raises(SpecError, match="'greedy' speaks no protocol; write ugi:COMMAND"):
        Subject.parse("greedy")


def test_the_findings_as_junit() -> None:
    suite = ElementTree.fromstring(
        junit(
            "ugi:./a & b",
            [
                Finding("greeting", "", "introduces itself", CheckResult.PASSED, "A 1", 0.25),
                Finding(
                    "time",
                    "othello",
                    "in time",
                    CheckResult.FAILED,
                    "9 of 5 ms",
                    1.0,
                    ("> go", "< x"),
                ),
                Finding("pass", "connect4", "a pass", CheckResult.INAPPLICABLE, "none"),
            ],
        )
    )
    counts = {key: suite.get(key) for key in ("name", "tests", "failures", "skipped", "time")}
    assert counts == {
        "name": "plywire check ugi:./a & b",
        "tests": "3",
        "failures": "1",
        "skipped": "1",
        "time": "1.250",
    }
    cases = suite.findall("testcase")
    assert [(case.get("classname"), case.get("name")) for case in cases] == [
        ("engine", "greeting"),
        ("othello", "time"),
        ("connect4", "pass"),
    ]
    failure = cases[1].find("failure")
    assert failure is not None
    assert failure.get("message") == "expected in time; 9 of 5 ms"
    assert failure.text == "> go\n< x"
    assert cases[2].find("skipped") is not None

"""The commands as processes: how they start, what they print, how they leave."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from plywire.server.settings import Settings
from tests.support.forks import forked
from tests.support.peers import PLYWIRE, StdioPeer, hear_until
from tests.support.processes import killed_on_failure


def run(*arguments: str, stdin: str = "") -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [forked("plywire"), *arguments],
        input=stdin,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
        env={
            "PATH": "",
            "COLUMNS": "200",
            "NO_COLOR": "1",
            "TERM": "dumb",
            "HOME": str(Path.home()),
        },
    )


@pytest.mark.parametrize("interrupt", [signal.SIGTERM, signal.SIGINT])
async def test_serve_prints_its_urls_and_drains(interrupt: signal.Signals) -> None:
    process = await asyncio.create_subprocess_exec(
        *PLYWIRE,
        *["serve", "--port", "0", "--websocket-port", "0", "--no-warmup"],
        stderr=asyncio.subprocess.PIPE,
    )
    with killed_on_failure(process):
        assert process.stderr is not None
        line = (await process.stderr.readline()).decode()
        assert "listening url=tcp://127.0.0.1:" in line
        port = int(line.rsplit(":", 1)[1])
        assert "/healthz" in (await process.stderr.readline()).decode()
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"go infinite\n")
        assert (await reader.readline()).startswith(b"info depth ")
        process.send_signal(interrupt)
        *_, best, bye = (await reader.read()).decode().splitlines()
        assert best.startswith("bestmove ")
        assert bye == "bye the server is shutting down"
        writer.close()
        await writer.wait_closed()
        log = (await process.stderr.read()).decode()
        assert await process.wait() == 0
    assert "stopped" in log
    assert "Traceback" not in log


@pytest.mark.skipif(sys.platform == "win32", reason="no pseudo-terminals")
def test_serve_tells_a_terminal_its_addresses_in_three_aligned_lines() -> None:
    import pty

    ours, theirs = pty.openpty()
    flags = ("serve", "--port", "0", "--websocket-port", "0", "--no-warmup")
    process = subprocess.Popen([*PLYWIRE, *flags], stderr=theirs)
    with process, killed_on_failure(process), os.fdopen(ours, newline="\n") as screen:
        page, lines, websocket = (screen.readline().rstrip("\r\n") for _ in range(3))
        assert re.fullmatch(r"Page in the browser:  http://127\.0\.0\.1:\d+/", page)
        assert re.fullmatch(
            r"Line clients:         tcp://127\.0\.0\.1:(\d+)  \(try: nc 127\.0\.0\.1 \1\)", lines
        )
        assert re.fullmatch(r"WebSocket clients:    ws://127\.0\.0\.1:\d+", websocket)
        process.terminate()
        assert " INFO    draining sessions=0" in screen.readline()
        assert process.wait(timeout=60) == 0


async def test_engine_is_ready_when_it_says_so() -> None:
    peer = await StdioPeer.start("--game", "tictactoe")
    await peer.say("ugi")
    options = await hear_until(peer, "ugiok")
    assert any("tictactoe" in line for line in options if line.startswith("option name Game"))
    await peer.say("isready")
    assert await peer.hear() == "readyok"
    await peer.say("position startpos moves b2 a1 b3")
    await peer.say("go movetime 1000")
    lines = await hear_until(peer, "bestmove")
    assert lines[-1] == "bestmove b1"
    assert any(line.startswith("info ") for line in lines)
    await peer.leave()
    assert peer.process.returncode == 0


def test_engine_without_machine_code_still_answers_in_time(tmp_path: Path) -> None:
    """Nothing is made yet, which takes longer than the move may: a book answers, or no search."""
    process = subprocess.Popen(
        [*PLYWIRE, "engine"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={"PATH": "", "PLYWIRE_CACHE_DIR": str(tmp_path)},
    )
    with process, killed_on_failure(process):
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write("go movetime 1\n")
        process.stdin.flush()
        lines = iter(process.stdout.readline, "")
        found = next(line for line in lines if line.startswith("bestmove"))
        assert found in ("bestmove 4\n", "bestmove 4 by none\n")
        process.stdin.close()
        assert process.wait(timeout=60) == 0


def test_engine_ends_with_its_input() -> None:
    done = run("engine", stdin="ping\n")
    assert (done.returncode, done.stdout, done.stderr) == (0, "pong\nbye\n", done.stderr)


@pytest.mark.parametrize("command", ["", "serve", "engine", "play", "match", "schema", "games"])
def test_help(command: str) -> None:
    done = run(*command.split(), "--help")
    assert done.returncode == 0
    assert "Usage: plywire" in done.stdout


def test_serve_has_a_flag_for_every_setting() -> None:
    text = " ".join(run("serve", "--help").stdout.split())
    for name in Settings.model_fields:
        assert f"--{name.replace('_', '-')}" in text


def loaded_by(code: str, *modules: str) -> set[str]:
    """Which of these modules a process of its own has loaded after some code."""
    tail = f"\nimport sys; print(*{set(modules)} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", code + tail], capture_output=True, text=True, check=True
    )
    (line,) = done.stdout.splitlines()
    return set(line.split())


def helped(*arguments: str) -> str:
    """Code that has the command print a help text, on the standard error."""
    return (
        "import contextlib, sys; from plywire.server.cli import app\n"
        "with contextlib.redirect_stdout(sys.stderr), contextlib.suppress(SystemExit):\n"
        f"    app([*{arguments}, '--help'])"
    )


def test_help_loads_neither_numba_nor_pydantic() -> None:
    assert loaded_by(helped(), "numba", "pydantic", "numpy", "asyncio") == set()


def test_a_command_imports_no_other_command() -> None:
    others = (f"plywire.server.cli.{name}" for name in ("serve", "match"))
    assert loaded_by(helped("schema"), *others) == set()


def test_engine_imports_neither_numba_nor_numpy_at_the_top() -> None:
    code = "import plywire.server.serve_stdio, plywire.server.cli.engine"
    assert loaded_by(code, "numba", "numpy", "websockets") == set()


def test_serve_without_an_arena_loads_neither_numpy_nor_the_arena() -> None:
    """NumPy and the arena's modules would double the time until the server listens."""
    code = "import plywire.server.serve, plywire.server.cli.serve"
    assert loaded_by(code, "numba", "numpy", "plywire.server.arena.open_arena") == set()


def test_version() -> None:
    assert run("--version").stdout.startswith("plywire 0.")


def test_bad_settings_are_one_clear_line() -> None:
    done = run("serve", "--hash", "100", "--max-hash", "50")
    assert done.returncode == 2
    assert "hash 100 exceeds max_hash 50" in done.stderr
    assert "Traceback" not in done.stderr


def test_an_unknown_game_is_one_clear_line() -> None:
    for command in ("serve", "engine"):
        done = run(command, "--game", "chess")
        assert done.returncode == 1
        assert done.stderr.startswith(f"plywire {command}: unknown game")
        assert len(done.stderr.splitlines()) == 1


def test_schema_describes_the_messages() -> None:
    for part in ("commands", "events"):
        schema = json.loads(run("schema", part).stdout)
        assert schema["discriminator"]["propertyName"] == "type"
    assert set(json.loads(run("schema").stdout)) == {"commands", "events"}


def test_games_lists_all() -> None:
    listed = run("games").stdout
    assert all(name in listed for name in ("connect4", "othello", "tictactoe"))

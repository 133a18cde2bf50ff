"""The example of docs/how-to/add-a-game.md: a package of its own, built, installed, played.

Not a line of Plywire knows it.
"""

import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.example_game import EXAMPLE, PLYWIRE, install, serving

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "how-to" / "add-a-game.md").read_text("utf-8")
BLOCKS = {
    (language, name): text
    for language, name, text in re.findall(
        r"^```(python|text|toml) (\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL
    )
}


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    return install(tmp_path_factory.mktemp("example"))


def run(environment: dict[str, str], *command: str, stdin: str = "") -> str:
    done = subprocess.run(
        command, env=environment, input=stdin, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("name", ["try_rules.py", "try_engine.py", "try_kernels.py"])
def test_the_example_prints_what_the_page_says(
    environment: dict[str, str], name: str, tmp_path: Path
) -> None:
    script = tmp_path / name
    script.write_text(BLOCKS["python", name])
    said = run(environment, sys.executable, "-W", "error", str(script))
    assert said == BLOCKS["text", name]


def test_the_page_shows_the_files_of_the_example() -> None:
    shown = {name: text for (_, name), text in BLOCKS.items() if not name.startswith("try_")}
    assert set(shown) == {
        "pyproject.toml",
        "plywire_gomoku/layout.py",
        "plywire_gomoku/rules.py",
        "plywire_gomoku/backend.py",
        "plywire_gomoku/levels.py",
        "plywire_gomoku/kernels.py",
    }
    for name, text in shown.items():
        assert text == (EXAMPLE / name).read_text("utf-8"), name
    assert PAGE.count("```python") == sum(language == "python" for language, _ in BLOCKS)


def test_its_users_need_no_numba(environment: dict[str, str], tmp_path: Path) -> None:
    (tmp_path / "numba.py").write_text("raise ImportError('there is no Numba')")
    path = os.pathsep.join([str(tmp_path), environment["PYTHONPATH"]])
    users = environment | {"PYTHONPATH": path, "PLYWIRE_CACHE_DIR": str(tmp_path / "cache")}
    run(users, *PLYWIRE, "perft", "gomoku", "2")
    run(users, *PLYWIRE, "warmup", "gomoku")


def test_it_is_listed_and_played_by_the_commands(environment: dict[str, str]) -> None:
    assert "gomoku" in run(environment, *PLYWIRE, "games")
    players = ["engine:depth=2", "random:seed=1"]
    match = ["match", *players, "--game", "gomoku", "--games", "2"]
    assert re.search(r"Games +│ 2 ", run(environment, *PLYWIRE, *match))
    said = run(
        environment,
        *[*PLYWIRE, "engine"],
        stdin="ugi\nsetoption name Game value gomoku\nposition startpos\ngo depth 2\nquit\n",
    )
    assert re.search(r"^bestmove [a-g][1-7]( by (plain|none))?$", said, re.MULTILINE)


_LEVELS = """
import random

from plywire.engine.engine import LocalEngine
from plywire.engine.limits import SearchLimits
from plywire.engine.registry import backend_of, load

gomoku = load("gomoku")
position = gomoku.parse("7/7/7/o1xxx2/7/2o4/o6 x")
levels, chance = backend_of(gomoku).levels, random.Random(1)
for level in (1, 10):
    for _ in range(9):
        limits, count = levels.search(level, position, SearchLimits())
        found = LocalEngine().analyse(position, limits, multipv=count)
        print(gomoku.move_name(levels.pick(level, found, chance)))
"""


def test_it_has_levels_a_picture_and_actions(environment: dict[str, str]) -> None:
    played = run(environment, *PLYWIRE, "play", "gomoku", "--level", "3", stdin="d4\nquit\n")
    assert "White plays" in played
    levels = run(environment, sys.executable, "-c", _LEVELS).split()
    assert len(set(levels[:9])) > 1  # level 1 errs
    assert set(levels[9:]) == {"f4"}  # level 10 does not
    script = """
from plywire.clients.play.board_image import board_png
from plywire.clients.rl.encoding import Encoding
from plywire.engine.registry import load

start = load("gomoku").start()
assert board_png(start).startswith(b"\\x89PNG")
encoding = Encoding(start.game)
assert sorted(encoding.moves(start)) == list(range(49))
upper_left = start.game.parse_move(start, "a7")
assert encoding.moves(start)[0] == upper_left
assert encoding.read(encoding.observe(start, 0)) == start
"""
    run(environment, sys.executable, "-c", script)


async def test_a_server_plays_it(environment: dict[str, str]) -> None:
    async with serving(environment) as server:
        reader, writer = await asyncio.open_connection(*server.tcp_address)
        writer.write(b"new-game gomoku\nmove d4\ngo depth 2\n")
        lines = [await reader.readline(), await reader.readline()]
        assert lines == [b"ok\n", b"ok\n"]
        while not (line := await reader.readline()).startswith(b"bestmove"):
            assert line.startswith(b"info")
        assert re.fullmatch(rb"bestmove [a-g][1-7]\n", line)
        writer.close()
        await writer.wait_closed()

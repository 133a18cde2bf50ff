"""The worked example of docs/adding-a-game.md: a distribution of its own, built, installed, played.

Not a line of Plywire knows it.
"""

import asyncio
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
EXAMPLE = ROOT / "examples" / "gomoku"
PAGE = (ROOT / "docs" / "adding-a-game.md").read_text("utf-8")
BLOCKS = {
    (language, name): text
    for language, name, text in re.findall(
        r"^```(python|text|toml) (\S+)\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL
    )
}
PLYWIRE = [sys.executable, "-c", "from plywire.server.cli import app; app(prog_name='plywire')"]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The environment of programs that find the example, installed from a wheel of its own."""
    wheels, site = tmp_path_factory.mktemp("wheels"), tmp_path_factory.mktemp("site")
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    build = ["wheel", "--no-deps", "--no-build-isolation", "--wheel-dir", wheels, EXAMPLE]
    subprocess.run([*pip, *build], check=True)
    (wheel,) = wheels.glob("plywire_gomoku-*.whl")
    subprocess.run([*pip, "install", "--no-deps", "--target", site, wheel], check=True)
    return os.environ | {"PYTHONPATH": str(site), "COLUMNS": "200", "NO_COLOR": "1"}


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
        "plywire_gomoku/rules.py",
        "plywire_gomoku/backend.py",
        "plywire_gomoku/kernels.py",
    }
    for name, text in shown.items():
        assert text == (EXAMPLE / name).read_text("utf-8"), name
    assert PAGE.count("```python") == sum(language == "python" for language, _ in BLOCKS)


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
    assert re.search(r"^bestmove [a-g][1-7]$", said, re.MULTILINE)


async def test_a_server_plays_it(environment: dict[str, str]) -> None:
    process = await asyncio.create_subprocess_exec(
        *[*PLYWIRE, "serve", "--port", "0", "--websocket-port", "0", "--no-warmup"],
        env=environment,
        stderr=asyncio.subprocess.PIPE,
    )
    assert process.stderr is not None
    try:
        port = int((await process.stderr.readline()).decode().rsplit(":", 1)[1])
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(b"new-game gomoku\nmove d4\ngo depth 2\nquit\n")
        said = (await reader.read()).decode()
        assert said.startswith("ok\nok\n")
        assert re.search(r"^bestmove [a-g][1-7]$", said, re.MULTILINE)
        writer.close()
        await writer.wait_closed()
    finally:
        process.terminate()
        await process.communicate()

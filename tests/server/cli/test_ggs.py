"""`plywire ggs`: its arguments, and a game from the command line."""

import asyncio
from pathlib import Path

import pytest
from typer.testing import CliRunner

from plywire.clients.connecting.ggs.ask import Ask
from plywire.clients.connecting.ggs.bot import GgsBot
from plywire.clients.connecting.ggs.options import GgsOptions
from plywire.clients.play.players.local import RandomPlayer
from plywire.protocol.ggf import read_ggf
from plywire.server.cli import app
from tests.support.ggs_server import FakeGgs
from tests.support.until import until

RUNNER = CliRunner(env={"COLUMNS": "160", "NO_COLOR": "1", "TERM": "dumb"})
PASSWORD = {"PLYWIRE_GGS_PASSWORD": "secret"}


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        (["localhost:x"], "no server 'localhost:x'; write HOST or HOST:PORT"),
        ([":5000"], "no server ':5000'"),
        (["localhost", "--ask", "8"], "nothing to ask for: '8'; write TYPE CLOCK [NAME]"),
        (["localhost", "--ask", "9x 5:00"], "no type of match '9x'"),
        (["localhost", "--ask", "8 soon"], "no clock 'soon'"),
        (["localhost", "--accept", "x"], "no type of match 'x'"),
        (["localhost", "--rating", "9"], "no range '9'; write LOW:HIGH"),
        (["localhost", "--initial", "9:1"], "no range '9:1'"),
        (["localhost", "--player", "nobody"], "no player 'nobody'"),
    ],
)
def test_arguments_that_are_wrong(arguments: list[str], problem: str) -> None:
    done = RUNNER.invoke(app, ["ggs", *arguments, "--login", "ann"], env=PASSWORD)
    assert done.exit_code == 2
    assert problem in " ".join(done.output.replace("│", "").split())


def test_a_password_is_needed(tmp_path: Path) -> None:
    empty = tmp_path / "password"
    empty.touch()
    for given in ([], ["--password-file", str(empty)]):
        done = RUNNER.invoke(app, ["ggs", "localhost", "--login", "ann", *given])
        assert done.exit_code == 2
        assert "no password: set PLYWIRE_GGS_PASSWORD" in done.output


async def test_a_game_and_what_is_kept_of_it(tmp_path: Path) -> None:
    secret, games, lines = (tmp_path / name for name in ("secret", "games.ggf", "lines"))
    secret.write_text("quiet\n", "utf-8")
    async with FakeGgs(passwords={"ann": "quiet", "bob": "x"}) as server:
        where = f"127.0.0.1:{server.port}"
        asks = [Ask.parse("8 05:00//02:00 ann")]
        bot = GgsBot("127.0.0.1", server.port, "bob", "x", RandomPlayer, GgsOptions(asks=asks))
        opponent = asyncio.create_task(bot.run())
        arguments = ["ggs", where, "--login", "ann", "--player", "random", "--games", "1"]
        files = ["--password-file", str(secret), "--out", str(games), "--transcript", str(lines)]
        done = await asyncio.to_thread(RUNNER.invoke, app, [*arguments, *files])
        opponent.cancel()
        await asyncio.gather(opponent, return_exceptions=True)
        await until(lambda: not server.peers)
    assert done.exit_code == 0, done.output
    assert "against bob" in done.output
    (match,) = server.finished
    (game,) = match.games
    (written,) = (read_ggf(line) for line in games.read_text("utf-8").splitlines())
    assert (written.black, written.white) == game.names
    assert written.place == where
    assert len(written.moves) == len(game.moves)
    kept = lines.read_text("utf-8")
    assert "> ********" in kept
    assert "quiet" not in kept
    assert "< /os: end" in kept


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
async def test_a_full_disk_is_no_lost_connection(tmp_path: Path) -> None:
    lines = tmp_path / "lines"
    lines.symlink_to("/dev/full")
    async with FakeGgs(passwords={"ann": "secret"}) as server:
        where = f"127.0.0.1:{server.port}"
        arguments = ["ggs", where, "--login", "ann", "--player", "random"]
        given = [*arguments, "--transcript", str(lines)]
        done = await asyncio.to_thread(RUNNER.invoke, app, given, env=PASSWORD)
    assert done.exit_code == 1
    assert done.stderr == f"plywire ggs: {lines}: No space left on device\n"


async def test_a_login_that_is_refused() -> None:
    async with FakeGgs(passwords={}) as server:
        arguments = ["ggs", f"127.0.0.1:{server.port}", "--login", "ann", "--player", "random"]
        done = await asyncio.to_thread(RUNNER.invoke, app, arguments, env=PASSWORD)
    assert done.exit_code == 3
    assert "plywire ggs: refused: Password is incorrect." in done.output

"""The client in the arena: it comes back, searches nothing twice, and restarts what crashes."""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections.abc import AsyncIterator, Callable
from functools import partial
from pathlib import Path

import pytest
from typer.testing import CliRunner

from plywire.clients.arena_bot import ArenaBot
from plywire.clients.client import Backoff
from plywire.clients.errors import (
    CommandError,
    ConnectionLostError,
    PlayerCrashedError,
    ReplacedError,
)
from plywire.clients.players.base import GameLine, Player
from plywire.clients.players.external import ExternalPlayer
from plywire.clients.players.local import RandomPlayer
from plywire.protocol.messages.arena import Challenge, Challenged, Over, Seek
from plywire.protocol.messages.limits import Clock, Limits
from plywire.protocol.messages.play import Score, Searched
from plywire.server.arena.store.accounts import Accounts, accounts_of
from plywire.server.arena.store.journal import Journal, journal_of
from plywire.server.arena.tournament.standings import standings
from plywire.server.cli import app
from plywire.server.cli.bot_config import Acceptance, read_bot_config
from plywire.server.serve import Server
from plywire.server.settings import Settings
from tests.support.proxy import Proxy
from tests.support.until import until

ROOT = Path(__file__).parents[2]
FAKE = Path(__file__).parents[1] / "support" / "fake_programs" / "fake_engine.py"
SEEK = Seek(game="tictactoe", limits=Limits(movetime=20_000))
RUNNER = CliRunner(env={"COLUMNS": "160", "NO_COLOR": "1", "TERM": "dumb"})
COMMAND = "from plywire.server.cli import app; app(prog_name='plywire')"

Make = Callable[..., ArenaBot]


class Counting(Player):
    """Plays at random when it is let, and counts how often each position was asked for."""

    name = "counting"

    def __init__(self, fails: int = 0) -> None:
        self.asked: list[tuple[int, ...]] = []
        self.started = 0
        self.thinking = asyncio.Event()
        self.go = asyncio.Event()
        self._fails = fails

    async def start(self, game: object) -> None:
        self.started += 1

    async def choose(self, line: GameLine, limits: Limits) -> int:
        if self._fails:
            self._fails -= 1
            raise PlayerCrashedError("out of memory")
        self.asked.append(line.moves)
        self.thinking.set()
        await self.go.wait()
        return line.position.moves()[0]


@pytest.fixture
async def arena(tmp_path: Path) -> AsyncIterator[Server]:
    settings = Settings(port=0, websocket_port=0, warmup=False, arena=tmp_path)
    async with Server(settings) as server:
        yield server


@pytest.fixture
def accounts(tmp_path: Path) -> Accounts:
    return accounts_of(tmp_path)


def bot(url: str, token: str, make: Callable[[], Player], name: str = "ann") -> ArenaBot:
    return ArenaBot(url, name, token, make, offers=[SEEK], backoff=Backoff(attempts=5, first=0))


def tcp(server: Server) -> str:
    return "tcp://{}:{}".format(*server.tcp_address)


def _is_reached(proxy: Proxy, server: Server, connections: int) -> bool:
    return proxy.connections >= connections and server.sessions >= 2


async def test_several_games_at_once_over_two_transports(arena: Server, accounts: Accounts) -> None:
    overs: list[Over] = []
    urls = {"ann": tcp(arena), "bob": "ws://{}:{}".format(*arena.websocket_address)}
    bots = [
        ArenaBot(
            url,
            name,
            accounts.add(name),
            RandomPlayer,
            offers=[SEEK],
            slots=3,
            on_over=overs.append,
        )
        for name, url in urls.items()
    ]
    async with asyncio.timeout(60):
        await asyncio.gather(*(bot.run(6) for bot in bots))
    assert len(overs) == 12
    assert len({over.table for over in overs}) == 6
    assert {over.termination for over in overs} == {"normal"}


async def test_a_lost_connection_loses_no_search(arena: Server, accounts: Accounts) -> None:
    """The turn is told again while the first search for it runs, and once more when it is done."""
    player = Counting()
    ann, bob = accounts.add("ann"), accounts.add("bob")
    async with Proxy(*arena.tcp_address) as proxy, asyncio.timeout(60):
        playing = [
            asyncio.create_task(bot(f"tcp://127.0.0.1:{proxy.port}", ann, lambda: player).run(1)),
            asyncio.create_task(bot(tcp(arena), bob, RandomPlayer, "bob").run(1)),
        ]
        await player.thinking.wait()
        for connection in (2, 3):
            proxy.cut()
            await until(partial(_is_reached, proxy, arena, connection))
        player.go.set()
        await asyncio.gather(*playing)
    assert len(player.asked) == len(set(player.asked))


async def test_a_bot_comes_back_over_a_link_gone_silent(arena: Server, accounts: Accounts) -> None:
    """No connection is lost as far as the system knows: there are just no answers any more."""
    player, overs = Counting(), list[Over]()
    ann, bob = accounts.add("ann"), accounts.add("bob")
    async with Proxy(*arena.tcp_address) as proxy, asyncio.timeout(60):
        url = f"tcp://127.0.0.1:{proxy.port}"
        first = ArenaBot(
            *(url, "ann", ann, lambda: player),
            offers=[SEEK],
            backoff=Backoff(attempts=50, first=0),
            timeout=1,
        )
        second = ArenaBot(tcp(arena), "bob", bob, RandomPlayer, offers=[SEEK], on_over=overs.append)
        playing = [asyncio.create_task(one.run(1)) for one in (first, second)]
        await player.thinking.wait()
        proxy.silence()
        await until(partial(_is_reached, proxy, arena, 2))
        player.go.set()
        await asyncio.gather(*playing)
    assert overs[0].termination == "normal"
    assert len(player.asked) == len(set(player.asked))


async def test_what_is_lost_on_the_way_of_a_failure_is_told_again(
    arena: Server, accounts: Accounts
) -> None:
    class Failing(Counting):
        async def choose(self, line: GameLine, limits: Limits) -> int:
            await super().choose(line, limits)
            raise PlayerCrashedError("out of memory")

    player, overs = Failing(), list[Over]()
    ann, bob = accounts.add("ann"), accounts.add("bob")
    async with Proxy(*arena.tcp_address) as proxy, asyncio.timeout(60):
        first = bot(f"tcp://127.0.0.1:{proxy.port}", ann, lambda: player)
        second = ArenaBot(tcp(arena), "bob", bob, RandomPlayer, offers=[SEEK], on_over=overs.append)
        playing = [asyncio.create_task(one.run(1)) for one in (first, second)]
        await player.thinking.wait()
        proxy.hold()
        player.go.set()
        await until(lambda: player.asked)
        proxy.cut()
        await asyncio.gather(*playing)
    assert overs[0].termination == "crash"


async def test_a_player_that_crashes_is_started_again(arena: Server, accounts: Accounts) -> None:
    player, overs = Counting(fails=2), list[Over]()
    player.go.set()
    ann = ArenaBot(
        tcp(arena), "ann", accounts.add("ann"), lambda: player, offers=[SEEK], on_over=overs.append
    )
    bob = bot(tcp(arena), accounts.add("bob"), RandomPlayer, "bob")
    async with asyncio.timeout(60):
        await asyncio.gather(ann.run(1), bob.run(1))
    assert overs[0].termination == "normal"
    assert player.started >= 4


async def test_a_player_that_only_crashes_loses_by_that(
    arena: Server, accounts: Accounts, caplog: pytest.LogCaptureFixture
) -> None:
    overs = list[Over]()
    ann = ArenaBot(
        *(tcp(arena), "ann", accounts.add("ann"), partial(Counting, fails=99)),
        offers=[SEEK],
        on_over=overs.append,
    )
    bob = bot(tcp(arena), accounts.add("bob"), RandomPlayer, "bob")
    async with asyncio.timeout(60):
        await asyncio.gather(ann.run(1), bob.run(1))
    assert overs[0].termination == "crash"
    assert overs[0].reason == "ann: out of memory"
    assert caplog.text.count("out of memory") == 1


@pytest.mark.parametrize(
    ("behaviour", "termination", "reason", "line"),
    [
        ("crash", "crash", "ann: exited with status 3: out of memory", "> go movetime "),
        ("illegal", "illegal-move", "ann: no move '9' here: the legal", "< bestmove 9"),
        ("garbage", "garbage", "ann: ", "< bestmove"),
        ("hang", "time", "ann: no move came in its", "> go movetime "),
    ],
)
async def test_the_record_tells_what_a_program_did(
    behaviour: str, termination: str, reason: str, line: str, tmp_path: Path
) -> None:
    movetime = 50 if behaviour == "hang" else 20_000
    seek = Seek(game="connect4", limits=Limits(movetime=movetime))
    program = [sys.executable, "-S", str(FAKE), "ugi", behaviour]
    makers: dict[str, Callable[[], Player]] = {
        "ann": partial(ExternalPlayer, program, "ugi"),
        "bob": RandomPlayer,
    }
    # Nothing but the lag's bound is waited for after the time of a program that hangs.
    settings = Settings(port=0, websocket_port=0, warmup=False, arena=tmp_path, arena_max_lag=3_000)
    async with Server(settings) as server, asyncio.timeout(60):
        accounts = accounts_of(tmp_path)
        bots = [
            ArenaBot(tcp(server), name, accounts.add(name), make, offers=[seek])
            for name, make in makers.items()
        ]
        await asyncio.gather(*(bot.run(1) for bot in bots))
    async with Journal(journal_of(tmp_path)) as journal:
        ((_, _, record),) = await journal.finished(2)
    assert record.termination == termination
    assert record.reason.startswith(reason)
    notes = [line for line in record.last_lines if line.startswith("< note ")]
    assert any(note.startswith(f"< note {line}") for note in notes)
    assert len(notes) <= 17
    assert not any(note.startswith("< note !") for note in notes)
    (standing,) = [one for one in standings([record], ["ann", "bob"]) if one.player == "ann"]
    assert standing.failures == {termination: 1}


async def test_what_a_bot_says_of_its_searches_is_recorded(tmp_path: Path) -> None:
    said = Searched(score=Score(kind="draw"), depth=9, nodes=1000)

    class Telling(RandomPlayer):
        limits = Limits(depth=9)

        async def choose(self, line: GameLine, limits: Limits) -> int:
            assert limits.depth == 9, "its own limits hold in the arena too"
            assert limits.left(line.position.turn + 1) is not None
            self.searched = said if len(line.moves) > 1 else None
            return await super().choose(line, limits)

    settings = Settings(port=0, websocket_port=0, warmup=False, arena=tmp_path)
    async with Server(settings) as server, asyncio.timeout(60):
        accounts = accounts_of(tmp_path)
        bots = [
            ArenaBot(tcp(server), name, accounts.add(name), make, offers=[SEEK])
            for name, make in (("ann", Telling), ("bob", Telling))
        ]
        await asyncio.gather(*(bot.run(1) for bot in bots))
    async with Journal(journal_of(tmp_path)) as journal:
        ((_, _, record),) = await journal.finished(2)
    assert record.searches[:2] == (None, None)
    assert set(record.searches[2:]) == {said}


async def test_a_program_that_speaks_ugi_plays(arena: Server, accounts: Accounts) -> None:
    overs = list[Over]()
    seek = Seek(game="connect4", limits=Limits(movetime=20_000))
    engine = [sys.executable, str(ROOT / "examples" / "ugi_engine.py")]
    makers: dict[str, Callable[[], Player]] = {
        "ann": partial(ExternalPlayer, engine, "ugi"),
        "bob": RandomPlayer,
    }
    bots = [
        ArenaBot(tcp(arena), name, accounts.add(name), make, offers=[seek], on_over=overs.append)
        for name, make in makers.items()
    ]
    async with asyncio.timeout(60):
        await asyncio.gather(*(bot.run(1) for bot in bots))
    assert {over.termination for over in overs} == {"normal"}


async def test_a_program_that_hangs_loses_that_game_and_is_started_again(tmp_path: Path) -> None:
    overs, log = list[Over](), tmp_path / "log"
    seek = Seek(game="connect4", limits=Limits(movetime=50))
    program = [sys.executable, "-S", str(FAKE), "ugi", "hang", str(log)]
    makers: dict[str, Callable[[], Player]] = {
        "ann": partial(ExternalPlayer, program, "ugi"),
        "bob": RandomPlayer,
    }
    settings = Settings(
        port=0, websocket_port=0, warmup=False, arena=tmp_path / "arena", arena_max_lag=0
    )
    async with Server(settings) as server, asyncio.timeout(60):
        accounts = accounts_of(tmp_path / "arena")
        bots = [
            ArenaBot(
                tcp(server), name, accounts.add(name), make, offers=[seek], on_over=overs.append
            )
            for name, make in makers.items()
        ]
        await asyncio.gather(*(bot.run(2) for bot in bots))
    assert {over.termination for over in overs} == {"time"}
    assert {over.reason for over in overs} == {"ann: no move came in its 50 ms"}
    assert log.read_text().count("started") >= 2


async def test_who_is_replaced_does_not_come_back(arena: Server, accounts: Accounts) -> None:
    token = accounts.add("ann")
    first = asyncio.create_task(bot(tcp(arena), token, RandomPlayer).run())
    async with asyncio.timeout(60):
        await until(lambda: arena.sessions)
        second = asyncio.create_task(bot(tcp(arena), token, RandomPlayer).run())
        done, _ = await asyncio.wait([first, second], return_when=asyncio.FIRST_COMPLETED)
        (replaced,) = done
        with pytest.raises(ReplacedError, match="logged in as ann"):
            await replaced
        for task in (first, second):
            task.cancel()
        await asyncio.gather(first, second, return_exceptions=True)


async def test_a_wrong_token_is_an_error(arena: Server, accounts: Accounts) -> None:
    accounts.add("ann")
    with pytest.raises(CommandError, match="no bot has that name and token"):
        await bot(tcp(arena), "guessed", RandomPlayer).run()


async def test_a_server_that_is_not_there_is_an_error(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(ConnectionLostError, match="no connection to tcp://127"):
        await bot("tcp://127.0.0.1:9", "t", RandomPlayer).run()
    retries = [text for text in caplog.messages if text.startswith("no connection to tcp://127.0")]
    assert retries[-1].endswith("; attempt 5 of 5 in 0.0 s")
    assert len(retries) == 4


async def test_challenges_until_there_is_a_game(
    arena: Server, accounts: Accounts, caplog: pytest.LogCaptureFixture
) -> None:
    """Carl is not there, bob comes late and first declines, so ann asks again, and tells why."""
    caplog.set_level("INFO")
    objections = iter(["not yet"])
    tokens = {name: accounts.add(name) for name in ("ann", "bob", "carl")}
    terms = SEEK.model_dump(exclude={"type", "key"})
    ann = ArenaBot(
        *(tcp(arena), "ann", tokens["ann"], RandomPlayer),
        offers=[Challenge(name=name, **terms) for name in ("carl", "bob")],
        backoff=Backoff(first=0),
        greeting="hello",
    )
    bob = ArenaBot(
        *(tcp(arena), "bob", tokens["bob"], RandomPlayer),
        objection=lambda challenge: next(objections, ""),
    )
    async with asyncio.timeout(60):
        playing = asyncio.create_task(ann.run(2))
        await until(lambda: "no game of challenge: no other bot bob is here" in caplog.text)
        await asyncio.gather(playing, bob.run(2))
    assert "no other bot carl is here" in caplog.text
    assert "no game of challenge: bob declined: not yet" in caplog.text
    assert "offering games again in 0.0 s" in caplog.text
    assert caplog.text.count("name=ann: hello") == 2


async def test_who_seeks_takes_challenges(arena: Server, accounts: Accounts) -> None:
    ann = bot(tcp(arena), accounts.add("ann"), RandomPlayer)
    terms = {"game": "connect4", "limits": SEEK.limits}
    bob = ArenaBot(
        *(tcp(arena), "bob", accounts.add("bob"), RandomPlayer),
        offers=[Challenge(name="ann", **terms)],
        backoff=Backoff(first=0),
    )
    async with asyncio.timeout(60):
        await asyncio.gather(ann.run(2), bob.run(2))


@pytest.mark.parametrize(
    ("given", "changes", "objection"),
    [
        ({}, {}, ""),
        ({"block": ["Bob"]}, {}, "bob is on the block list"),
        ({"games": ["othello"]}, {}, "tictactoe is not among othello"),
        ({"games": ["othello", "tictactoe"]}, {}, ""),
        ({"rating": [1400, "inf"]}, {}, ""),
        ({"rating": [1600, 1800]}, {}, "a rating of 1500 is not from 1600 to 1800"),
        ({"rating": [1600, 1800]}, {"rating": 1801}, "a rating of 1801 is not from 1600 to 1800"),
        ({"rating": [1600, 1800]}, {"rating": 1800}, ""),
        ({"movetime": [0, 500]}, {}, "a movetime of 1000 is not from 0 to 500"),
        ({"clock": [0, 60]}, {}, ""),
        (
            {"clock": [0, 60]},
            {"limits": Limits(clock=Clock(p1=61_000, p2=61_000))},
            "a clock of 61 is not from 0 to 60",
        ),
    ],
)
def test_whose_challenges_are_taken(
    given: dict[str, object], changes: dict[str, object], objection: str
) -> None:
    challenge = Challenged(
        offer=1, name="bob", game="tictactoe", size="3x3", limits=Limits(movetime=1000)
    )
    accepts = Acceptance.model_validate(given)
    assert accepts.objection(challenge.model_copy(update=changes)) == objection


def test_flags_count_before_the_file(tmp_path: Path) -> None:
    file = tmp_path / "bot.toml"
    file.write_text(
        """
        name = "ann"
        token = "t"
        engine = "./my-engine"
        game = "othello"
        movetime = 50
        challenge = ["bob"]
        [accept]
        rating = [1200, inf]
        """
    )
    config = read_bot_config(file, {"player": "random", "tc": "10+0.1", "seek": True, "slots": 2})
    assert (config.player, config.engine, config.slots) == ("random", None, 2)
    (offer,) = config.offers()
    clock = Clock(p1=10_000, p2=10_000, inc1=100, inc2=100)
    assert offer == Seek(game="othello", size="8x8", limits=Limits(clock=clock))
    assert [type(one) for one in read_bot_config(file, {}).offers()] == [Challenge]


def test_the_example_of_the_documentation_is_a_bot(tmp_path: Path) -> None:
    (example,) = re.findall(r"```toml\n(.*?)```", (ROOT / "docs/bots.md").read_text("utf-8"), re.S)
    file = tmp_path / "bot.toml"
    file.write_text(example)
    config = read_bot_config(file, {"token": "t"})
    assert [type(offer) for offer in config.offers()] == [Challenge, Challenge, Seek]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("colour = 1", "colour: there is no such key"),
        ("gretting = 1", "gretting: there is no such key, did you mean greeting?"),
        ("slots = 65", "slots: must be at most 64, not 65"),
        ("tc = 'soon'", "no time control 'soon'; write SECONDS+INCREMENT"),
        ("accept = { rating = [2, 1] }", "accept.rating: the range ends at 1, before it begins"),
        ("accept = { games = ['go'] }", "unknown game"),
        ("slots = ", "bot.toml: Invalid value"),
    ],
)
def test_the_file_says_what_is_wrong(line: str, message: str, tmp_path: Path) -> None:
    file = tmp_path / "bot.toml"
    file.write_text(f"name = 'ann'\ntoken = 't'\nplayer = 'random'\n{line}\n")
    result = RUNNER.invoke(app, ["bot", "--config", str(file)])
    assert result.exit_code == 2
    assert message in " ".join(result.output.replace("│", " ").split())


@pytest.mark.parametrize(
    ("happens", "line"),
    [
        ("guessed", "refused: no bot has that name and token (unauthorized)"),
        ("removed", "refused: no bot has that name and token (unauthorized)"),
        ("replaced", "refused: another connection has logged in as ann"),
    ],
)
async def test_who_is_refused_for_good_gives_up(
    happens: str, line: str, arena: Server, accounts: Accounts
) -> None:
    token = accounts.add("ann")
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-c", COMMAND, "bot", "--player", "random", "--server", tcp(arena)),
        *("--challenge", "bob", "--name", "ann"),
        *("--token", "guessed" if happens == "guessed" else token),
        stderr=asyncio.subprocess.PIPE,
    )
    said = b""
    async with asyncio.timeout(60):
        assert process.stderr is not None
        while happens != "guessed" and b"no other bot bob is here" not in said:
            said = await process.stderr.readline()
        if happens == "removed":
            accounts.remove("ann")
        other = asyncio.create_task(bot(tcp(arena), token, RandomPlayer).run())
        said += await process.stderr.read()
        assert await process.wait() == 3
    other.cancel()
    await asyncio.gather(other, return_exceptions=True)
    assert said.decode().splitlines()[-1] == f"plywire bot: {line}"


def test_accounts_by_command(tmp_path: Path) -> None:
    arena = ["--arena", str(tmp_path)]
    token = RUNNER.invoke(app, ["bot", "add", "ann", *arena]).output.strip()
    assert accounts_of(tmp_path).verify("ann", token)
    assert RUNNER.invoke(app, ["bot", "list", *arena]).output.startswith("ann  20")
    assert RUNNER.invoke(app, ["bot", "add", "ann", *arena]).exit_code == 1
    assert RUNNER.invoke(app, ["bot", "remove", "ann", *arena]).exit_code == 0
    assert RUNNER.invoke(app, ["bot", "list", *arena]).output == ""


@pytest.mark.parametrize("command", [["list"], ["remove", "ann"]])
def test_who_only_asks_makes_no_arena(command: list[str], tmp_path: Path) -> None:
    folder = tmp_path / "arena"
    answer = RUNNER.invoke(app, ["bot", *command, "--arena", str(folder)])
    assert answer.exit_code == 1
    assert f"{folder}: there is no such folder" in answer.output
    assert not folder.exists()
    folder.mkdir()
    answer = RUNNER.invoke(app, ["bot", *command, "--arena", str(folder)])
    assert answer.output == ("" if command == ["list"] else "plywire bot: there is no bot ann\n")
    assert not any(folder.iterdir())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([], "give either engine, a command, or player, a spec"),
        (["--player", "random"], "name and token are needed"),
        (["--player", "nobody", "--name", "a", "--token", "t"], "no player 'nobody'"),
        (["--engine", "x", "--dialect", "go", "--name", "a", "--token", "t"], "unknown dialect"),
        *(
            (["--player", "random", "--name", "a", "--token", "t", "--server", url], message)
            for url, message in {
                "http://[::1]:7591": "not a server's URL: 'http://[::1]:7591'; expected tcp://",
                "ws://[::1]:7591/#a": "not a server's URL: ws://[::1]:7591/#a isn't a valid URI",
            }.items()
        ),
    ],
)
def test_the_command_says_what_is_wrong(arguments: list[str], message: str) -> None:
    result = RUNNER.invoke(app, ["bot", *arguments])
    assert result.exit_code == 2
    assert message in " ".join(result.output.replace("│", " ").split())


async def test_the_command_and_the_example_play(
    arena: Server, accounts: Accounts, tmp_path: Path
) -> None:
    url = tcp(arena)
    engine = f'"{sys.executable}" "{ROOT / "examples" / "ugi_engine.py"}"'
    ours = ["bot", "--engine", engine, "--server", url, "--name", "ann", "--games", "1"]
    example = [str(ROOT / "examples" / "arena_bot.py"), url, "bob", accounts.add("bob"), "1"]
    environment = os.environ | {"PLYWIRE_TOKEN": accounts.add("ann")}
    processes = [
        await asyncio.create_subprocess_exec(
            sys.executable, *arguments, stdout=asyncio.subprocess.PIPE, env=environment
        )
        for arguments in (["-c", COMMAND, *ours], example)
    ]
    async with asyncio.timeout(120):
        outputs = [(await process.communicate())[0].decode() for process in processes]
    assert [process.returncode for process in processes] == [0, 0]
    assert re.match(r"1\.0: (you|bob|nobody) won: (ann|bob) \([xo]\) (beat|drew with) ", outputs[0])
    assert "four in a row" in outputs[1] or "board full" in outputs[1]

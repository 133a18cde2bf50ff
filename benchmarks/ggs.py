"""Games on GGS between `plywire ggs` and another client, with lines that drop.

    python -m benchmarks.ggs
    python -m benchmarks.ggs --edax /path/to/edax/bin/lEdax --games 20 --player engine:level=3

The server is the one of the tests, written from the public documents. The opponent is a second
`plywire ggs`, or Edax by its own client, which reads `data/eval.dat` beside the folder of its
program. In the first half of the games we ask for the matches, and one that a dropped line breaks
off is stored and continued; in the second half the opponent asks, and games and clocks go on
meanwhile, as in tournaments. Lines are cut in the middle of games, after every so many moves: ours,
and the other `plywire ggs`'s in turn; Edax does not come back by itself.

The status is 0 if all games were played to their end, no clock ran out, and both sides' records
agree with the server's.
"""

import asyncio
import os
import sys
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from plywire.protocol.ggf import read_ggf
from plywire.server.cli.common import screen, table
from tests.support.ggs_server import FakeGgs, FakeMatch
from tests.support.until import until

#: Four kinds of match, of six games.
TYPES = ("8", "s8r20", "8r14", "s8")
CLOCK = "01:00/00:00/00:30"
_COMMAND = "from plywire.server.cli import app; app(prog_name='plywire')"
_US = "ann"


class Plywire:
    """`plywire ggs`, as its users start it."""

    comes_back = True

    def __init__(self, name: str, spec: str, games: Path) -> None:
        """A player whose games are kept in a file."""
        self.name = name
        self.games = games
        self._spec = spec

    async def start(self, port: int, asks: list[str], games: int | None) -> None:
        """Log in, and ask."""
        self.process = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", _COMMAND, "ggs", f"127.0.0.1:{port}"),
            *("--login", self.name, "--player", self._spec, "--out", str(self.games)),
            *(part for ask in asks for part in ("--ask", ask)),
            *(() if games is None else ("--games", str(games))),
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
            env=os.environ | {"PLYWIRE_GGS_PASSWORD": "secret"},
        )

    async def take_part(self, server: FakeGgs) -> None:
        """It needs nobody who types."""


class Edax:
    """Edax, by its own client."""

    name = "edax"
    comes_back = False

    def __init__(self, program: Path, level: int) -> None:
        """It searches as deep as the level says."""
        self._program = program.resolve()
        self._level = level

    async def start(self, port: int, asks: list[str], games: int | None) -> None:
        """Log in."""
        self._asks = asks
        options = {
            "ggs-host": "127.0.0.1",
            "ggs-port": port,
            "ggs-login": self.name,
            "ggs-password": "secret",
            "level": self._level,
            "n": 1,
            "book-usage": "off",
        }
        self.process = await asyncio.create_subprocess_exec(
            *(self._program, "-ggs"),
            *(str(part) for name, value in options.items() for part in (f"-{name}", value)),
            cwd=self._program.parent.parent,
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )

    async def take_part(self, server: FakeGgs) -> None:
        """Take what it is asked, and ask for what we type: one match at a time."""
        await self._type("tell /os open 1")
        await self._type("tell /os aform 1")
        number = 0
        while self._asks:
            if _US in server.peers and not server.matches and not server.requests:
                await self._type(f"tell /os {self._asks[number % len(self._asks)]}")
                number += 1
                await asyncio.sleep(0.5)  # a declined one is asked for again
            await asyncio.sleep(0.05)

    async def _type(self, line: str) -> None:
        if self.process.stdin is not None:
            self.process.stdin.write(f"{line}\n".encode())
            await self.process.stdin.drain()


async def _cut(server: FakeGgs, names: tuple[str, ...], every: int) -> int:
    """Cut lines in the middle of games until cancelled; returns how many were."""
    done, cuts = 0, 0
    try:
        while True:
            moves = _moves([*server.matches.values(), *server.finished])
            name = names[cuts % len(names)]
            if moves >= done + every and server.matches and name in server.peers:
                done, cuts = moves, cuts + 1
                server.cut(name)
            await asyncio.sleep(0.01)
    except asyncio.CancelledError:
        return cuts


def _moves(matches: list[FakeMatch]) -> int:
    return sum(len(game.moves) for match in matches for game in match.games)


async def _half(us: Plywire, them: Plywire | Edax, asks: bool, games: int, every: int) -> list[str]:
    """Play that half; the figures, `ok` last if all was as it should be."""
    ours = [f"{type_} {CLOCK} {them.name}" for type_ in TYPES] if asks else []
    theirs = [] if asks else [f"{type_} {CLOCK} {_US}" for type_ in TYPES]
    if isinstance(them, Edax):
        theirs = [f"ask {ask}" for ask in theirs]
    async with FakeGgs() as server:
        server.tournament = not asks
        await them.start(server.port, theirs, None)
        await until(lambda: them.name in server.peers)
        helping = asyncio.create_task(them.take_part(server))
        await asyncio.sleep(0.5)
        await us.start(server.port, ours, games)
        names = (_US, them.name) if them.comes_back else (_US,)
        cutting = asyncio.create_task(_cut(server, names, every))
        try:
            async with asyncio.timeout(300 * games):
                await us.process.wait()
        except TimeoutError:
            us.process.kill()
        cutting.cancel()
        cuts = await cutting
        helping.cancel()
        them.process.kill()
        await them.process.wait()
        played = [game for match in server.finished for game in match.games]
        kept = [] if not us.games.exists() else us.games.read_text("utf-8").splitlines()
        us.games.unlink(missing_ok=True)
        moves = sorted([_square(move) for move in game.moves] for game in played)
        agree = sum(list(read_ggf(line).names) in moves for line in kept)
        whole = sum(game.position.is_over for game in played)
        late = sum(clock.is_late for game in played for clock in game.clocks)
        lead = [game.score if game.names[0] == _US else -(game.score or 0) for game in played]
        longest = max((spent for game in played for spent in game.thought), default=0.0)
        least = min((clock.initial for game in played for clock in game.clocks), default=0.0)
        illegal = sum("illegal" in fault or "not your turn" in fault for fault in server.faults)
        is_ok = whole == len(played) == agree >= games and not late and not illegal
        is_ok = is_ok and not server.stored and us.process.returncode == 0
        return [
            *(str(number) for number in (len(played), whole, agree, _moves(server.finished))),
            *(str(number) for number in (cuts, server.broken_off, len(server.stored))),
            f"{sum((one or 0) > 0 for one in lead)}-{lead.count(0)}"
            f"-{sum((one or 0) < 0 for one in lead)}",
            *(f"{longest:.2f}", f"{least:.1f}", str(late), str(illegal)),
            "ok" if is_ok else "NOT OK",
        ]


def _square(move: str) -> str:
    name = move.split("/")[0].lower()
    return "pass" if name == "pa" else name


def main(
    edax: Annotated[
        Path | None, typer.Option(help="Edax's program.", exists=True, dir_okay=False)
    ] = None,
    level: Annotated[int, typer.Option(help="Edax's level.")] = 1,
    games: Annotated[int, typer.Option(min=2)] = 20,
    player: Annotated[str, typer.Option(metavar="SPEC")] = "engine:depth=1",
    every: Annotated[int, typer.Option(min=1, help="Moves between two cuts.")] = 40,
) -> None:
    """Play the games and show the figures."""
    shown = table(
        *(
            "half",
            "games",
            "played out",
            "same moves",
            "moves",
            "cuts",
            "broken off",
            "still stored",
        ),
        *("won-drawn-lost", "longest move s", "least left s", "late", "illegal", ""),
        left="half",
        title=f"{player} against {'plywire ggs' if edax is None else 'Edax'}, {CLOCK}",
    )
    is_ok = True
    with tempfile.TemporaryDirectory() as folder:
        for asks in (True, False):
            us = Plywire(_US, player, Path(folder, "ours.ggf"))
            other = Plywire("bob", player, Path(folder, "theirs.ggf"))
            them = other if edax is None else Edax(edax, level)
            figures = asyncio.run(_half(us, them, asks, games // 2, every))
            is_ok = is_ok and figures[-1] == "ok"
            shown.add_row("we ask" if asks else "they ask", *figures)
    screen().print(shown)
    raise typer.Exit(not is_ok)


if __name__ == "__main__":
    typer.run(main)

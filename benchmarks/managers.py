"""Matches that other people's programs conduct with Plywire, or play in, and the errors in them.

    python -m benchmarks.managers
    python -m benchmarks.managers --program cutegames=build/cutegames --program ntest=run/ntest

cutechess-cli, cutegames and gogui-twogtp conduct games between two of our engines, of which at
least one plays through `plywire bridge`. NTest and GNU Rhino play Othello in `plywire match`. Two
games each, with colours swapped, begin with the same few plies at random.

An error is a line of a log or record that tells of one, a game that is missing, and a recorded game
that by our rules goes otherwise than told. Our own warning that a move was made before the kernels
were loaded is none. All are printed; the status is 1 if there is one, a game was lost on time, or
none of the programs was found. On a busy machine, give a wider `--margin`: no clock of cutegames
has one, so its moves are timed alone.
"""

import asyncio
import json
import os
import random
import re
import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated

import typer

from benchmarks.recorded_games import RESULTS, Played, read_pgn, read_sgf, write_sgf
from plywire.clients.play.errors import Termination
from plywire.clients.play.matches.openings import random_opening
from plywire.clients.play.matches.records import GameRecord
from plywire.clients.play.players.base import GameLine
from plywire.engine.readiness import prepare
from plywire.engine.registry import load, names
from plywire.protocol.dialects.uxi.drops import VARIANTS, write_fen
from plywire.server.cli.common import screen, table
from plywire.server.serve import Server
from tests.support.peers import settings

_PLYWIRE = str(Path(sys.executable).with_name("plywire"))
#: Random plies that games begin with.
_PLIES = {"connect4": 4, "othello": 8, "tictactoe": 2}
#: Seconds until a match is broken off, beside four clocks a game.
_PATIENCE = 300
_ERROR = re.compile(
    r"error|illegal|infraction|invalid|unknown|unexpected|warning|disconnect|stall|crash|abandon"
    r"|mismatch|traceback|exception|terminating|fail|cannot|could not|not responding|[BW]<< \?",
    re.IGNORECASE,
)


@dataclass
class Match:
    """What is to be played, and what was logged and recorded of it."""

    program: str
    game: str
    games: int
    seconds: int
    margin: int
    folder: Path
    urls: tuple[str, str]
    log: list[str] = field(default_factory=list)
    played: list[Played] = field(default_factory=list)

    def openings(self) -> list[GameLine]:
        """One for two games each."""
        game, plies = load(self.game), _PLIES[self.game]
        return [random_opening(game, plies, random.Random(n)) for n in range(self.games // 2)]

    async def run(self, *arguments: object) -> None:
        """Run the program in the folder; what it writes is the log."""
        with (self.folder / "log").open("w") as log:
            process = await asyncio.create_subprocess_exec(
                *(self.program, *map(str, arguments)), cwd=self.folder, stdout=log, stderr=log
            )
            breaking_off = asyncio.get_running_loop().call_later(
                _PATIENCE + 4 * self.seconds * self.games, process.kill
            )
            status = await process.wait()
            breaking_off.cancel()
        self.log += self.lines("log") + [f"error: exit status {status}"] * (status != 0)

    def lines(self, name: str) -> list[str]:
        """Those of a file in the folder, none if it was not written."""
        path = self.folder / name
        return path.read_text("utf-8", "replace").splitlines() if path.exists() else []

    def read_pgn(self) -> None:
        """Games that cutechess-cli or cutegames recorded."""
        self.log += (lines := self.lines("games.pgn"))
        self.played += read_pgn(self.game, "\n".join(lines))

    def errors(self) -> Iterator[str]:
        """In words."""
        told = (line for line in self.log if "move without a search" not in line)
        yield from filter(_ERROR.search, told)
        if len(self.played) != self.games:
            yield f"{len(self.played)} games were recorded"
        for number, played in enumerate(self.played, 1):
            if fault := played.fault(self.game):
                yield f"game {number}: {fault}"


async def _cutechess(match: Match) -> None:
    fens = (write_fen(match.game, line.position.fen()) for line in match.openings())
    (match.folder / "openings").write_text("".join(f"{fen}\n" for fen in fens))
    engines = [
        (f"name={name}", f"cmd={_PLYWIRE}", "arg=bridge", f"arg={url}", f"stderr={name}")
        for name, url in zip("AB", match.urls, strict=True)
    ]
    await match.run(
        *("-variant", VARIANTS.get(match.game, match.game), "-debug", "all"),
        *(part for engine in engines for part in ("-engine", *engine)),
        *("-each", "proto=uci", f"tc={match.seconds}+0.05", f"timemargin={match.margin}"),
        *("-games", 2, "-rounds", match.games // 2, "-repeat", "-pgnout", "games.pgn"),
        *("-openings", "file=openings", "format=epd", "order=sequential"),
    )
    match.log += match.lines("A") + match.lines("B")
    match.read_pgn()


async def _cutegames(match: Match) -> None:
    fens = (line.position.fen() for line in match.openings())
    (match.folder / "openings").write_text("".join(f"{fen}\n" for fen in fens))
    ways = {"A": f"bridge {match.urls[0]}", "B": "engine"}
    chosen = {
        "game": "generic",
        "games": match.games,
        "protocol": {"askturn": True, "gameover": "both"},
        "openings": {"path": "openings", "repeat": True, "shuffle": False},
        "timecontrol": {"type": "movetime", "time": match.seconds * 25},
        "adjudication": {"timeoutbuffer": match.margin},
        "options": {"Game": match.game},
        "pgn": {"enabled": True, "path": "games.pgn", "colour1": "White", "colour2": "Black"},
        "engines": [
            {"name": name, "path": _PLYWIRE, "parameters": way, "protocol": "UGI"}
            for name, way in ways.items()
        ],
    }
    (match.folder / "settings.json").write_text(json.dumps(chosen))
    await match.run("--settings", "settings.json", "--debug")
    match.read_pgn()


async def _twogtp(match: Match) -> None:
    (match.folder / "openings").mkdir()
    for number, line in enumerate(match.openings()):
        (match.folder / f"openings/{number:02}.sgf").write_text(write_sgf(line.names))
    await match.run(
        *("-auto", "-verbose", "-alternate", "-size", 8, "-games", match.games),
        *("-black", f"{_PLYWIRE} bridge {match.urls[1]}", "-white", f"{_PLYWIRE} engine"),
        *("-time", f"{match.seconds}s", "-sgffile", "game", "-openings", "openings"),
    )
    for row in (line.split("\t") for line in match.lines("game.dat") if line[0] != "#"):
        number, black, white, _, swapped, _, _, *times, _, _, _, error = row
        if black != white or error:
            match.log.append(f"error: {row}")
        first = "BW"[int(swapped)]  # who has the black discs: B is A here, whatever its colour
        result = "1/2-1/2" if black == "0" else "1-0" if black[0] == first else "0-1"
        moves = read_sgf(" ".join(match.lines(f"game-{number}.sgf")))
        start = load(match.game).start().fen()
        is_late = max(map(float, times)) > match.seconds + match.margin / 1000
        match.played.append(Played(start, moves, result, swapped == "0", is_late))


async def _ntest(match: Match) -> None:
    # It reads its files from the folder in which it is started.
    folder, name = os.path.split(match.program)
    await _match(match, f'nboard:sh -c "cd {folder} && exec ./{name}"')


async def _rhino(match: Match) -> None:
    await _match(match, f"gtp:{match.program} -l 3")


async def _match(match: Match, spec: str) -> None:
    match.program = _PLYWIRE
    await match.run(
        *("match", "engine", spec, "--game", match.game, "--games", match.games),
        *("--movetime", match.seconds * 25, "--margin", match.margin, "--random-plies", 8),
        *("--out", "games.jsonl", "--verbose"),
    )
    for line in match.lines("games.jsonl"):
        record = GameRecord.model_validate_json(line)
        is_late = record.termination in (Termination.TIME, Termination.STALL)
        if record.termination is not Termination.NORMAL and not is_late:
            match.log.append(f"error: {record.reason}, after {record.last_lines}")
        result, a_begins = RESULTS[record.winner], record.number % 2 == 0
        match.played.append(Played(record.fen, list(record.moves), result, a_begins, is_late))


_PROGRAMS: dict[str, tuple[Callable[[Match], Awaitable[None]], tuple[str, ...]]] = {
    "cutechess-cli": (_cutechess, ("connect4", "tictactoe")),
    "cutegames": (_cutegames, ("connect4", "othello", "tictactoe")),
    "gogui-twogtp": (_twogtp, ("othello",)),
    "ntest": (_ntest, ("othello",)),
    "gtp-rhino": (_rhino, ("othello",)),
}


async def _play(programs: dict[str, str], games: int, seconds: int, margin: int) -> bool:
    """Have all matches played and print the figures; whether nothing was wrong."""
    headings = ("program", "game", "games", "won", "drawn", "lost", "errors", "lost on time")
    figures = table(*headings, left="program", title=f"Load average {os.getloadavg()[0]:.1f}")
    is_well = True
    for game in map(load, names()):
        prepare(game)  # as `plywire serve` does
    async with Server(settings()) as server:
        places = (("tcp", server.tcp_address), ("ws", server.websocket_address))
        tcp, ws = (f"{way}://{host}:{port}" for way, (host, port) in places)
        for name, game in [(it, game) for it in programs for game in _PROGRAMS[it][1]]:
            with tempfile.TemporaryDirectory() as folder:
                chosen = (programs[name], game, games, seconds, margin)
                match = Match(*chosen, Path(folder), (tcp, ws))
                await _PROGRAMS[name][0](match)
            points = Counter(played.points() for played in match.played)
            errors, late = list(match.errors()), sum(played.is_late for played in match.played)
            counts = (len(match.played), points[1], points[0.5], points[0], len(errors), late)
            figures.add_row(name, game, *map(str, counts))
            typer.echo(f"{name}, {game}: {counts}" + "".join(f"\n  {it}" for it in errors))
            is_well = is_well and not errors and not late
    screen().print(figures)
    return is_well


def main(
    games: Annotated[int, typer.Option(min=2, help="Of each match; an even number.")] = 20,
    seconds: Annotated[int, typer.Option(min=1, help="Of each clock; or 25 ms a move.")] = 4,
    margin: Annotated[int, typer.Option(min=0, help="How late a move may come, in ms.")] = 1000,
    program: Annotated[
        list[str] | None, typer.Option(metavar="NAME=PATH", help="Where one is. Repeatable.")
    ] = None,
) -> None:
    """Play with those programs that are found, and tell."""
    places = {name: path for name, _, path in (it.partition("=") for it in program or [])}
    paths = {name: shutil.which(places.get(name, name)) for name in _PROGRAMS}
    found = {name: str(Path(path).resolve()) for name, path in paths.items() if path}
    for name in paths.keys() - found.keys():
        typer.echo(f"{name} was not found", err=True)
    if not found:
        raise typer.Exit(1)
    raise typer.Exit(0 if asyncio.run(_play(found, games, seconds, margin)) else 1)


if __name__ == "__main__":
    typer.run(main)

"""Kills a tournament with SIGKILL again and again, and looks whether its journal lost anything.

    python -m tests.server.arena.runners.killing FOLDER [round-robin|gauntlet|swiss|knockout]

does so with a tournament of six players and 300 games, or a few more, and kills it ten times.
"""

from __future__ import annotations

import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from plywire.clients.play.errors import Termination
from plywire.clients.play.matches.records import GameRecord
from plywire.engine.registry import load
from plywire.server.arena.tournament.plan import Plan
from tests.server.arena.runners.courses import check_course
from tests.support.peers import PLYWIRE
from tests.support.plain_rules import replay
from tests.support.processes import killed_on_failure

Key = tuple[int, ...]
Row = tuple[object, ...]

SIX_PLAYERS = """
name = "Six players"
seed = 1
concurrency = 2
accuracy = false
[format]
{format}
[time]
nodes = 200
[[games]]
game = "connect4"
[[games]]
game = "othello"
[players]
Strong = "engine:nodes=1000"
Middling = "engine:nodes=200"
Weak = "engine:nodes=50"
Greedy = "greedy"
Outside = "ugi:{python} {examples}/ugi_engine.py"
Chance = "random"
"""

FORMATS = {
    "round-robin": 'system = "round-robin"\ngames = 20',
    "gauntlet": 'system = "gauntlet"\ngames = 60',
    "swiss": 'system = "swiss"\nrounds = 5\ngames = 20',
    "knockout": 'system = "knockout"\ngames = 60',
}


@dataclass(frozen=True)
class Snapshot:
    """All that a journal holds."""

    plans: list[str]
    schedule: dict[Key, Row]
    started: dict[Key, str]
    moves: dict[Key, Row]
    records: dict[Key, str]

    @classmethod
    def of(cls, path: Path) -> Snapshot:
        """Read a journal that nobody uses, by plain SQL."""
        if not path.exists():
            return cls([], {}, {}, {}, {})
        connection = sqlite3.connect(path)
        assert connection.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        if not connection.execute("PRAGMA user_version").fetchone()[0]:
            connection.close()
            return cls([], {}, {}, {}, {})
        plans = [row[0] for row in connection.execute("SELECT config FROM tournament ORDER BY id")]
        games = connection.execute(
            "SELECT number, round, game, size, first, second, fen, opening, started, record"
            " FROM game"
        ).fetchall()
        moves = connection.execute("SELECT number, ply, name, ms FROM move").fetchall()
        connection.close()
        return cls(
            plans,
            {(row[0],): row[:8] for row in games},
            {(row[0],): row[8] for row in games if row[8] is not None},
            {row[:2]: row for row in moves},
            {(row[0],): row[9] for row in games if row[9] is not None},
        )

    def lives_on_in(self, later: Snapshot) -> None:
        """Assert that nothing of this was lost or altered since."""
        assert self.plans == later.plans[: len(self.plans)]
        assert len(later.plans) <= 1
        assert self.schedule.items() <= later.schedule.items()
        assert self.started.items() <= later.started.items()
        assert self.moves.items() <= later.moves.items()
        assert self.records.items() <= later.records.items()


class Killer:
    """Starts a tournament, kills it, and keeps account."""

    def __init__(
        self,
        folder: Path,
        toml: str,
        seed: int,
        longest_wait: float = 0.0,
        *,
        arguments: Sequence[str] = (),
    ) -> None:
        """Work in a folder; after the line that triggers a kill, wait up to that many seconds.

        The arguments are for `plywire tournament`, besides what it has to run.
        """
        self.journal = folder / "cup.journal"
        self._toml = folder / "cup.toml"
        self._toml.write_text(toml)
        self._random = random.Random(seed)
        self._longest_wait = longest_wait
        self._arguments = arguments
        self._announced: dict[str, str] = {}
        self.resumed = 0
        """Games that went on in their middle."""

    def kill_after(self, lines: int) -> bool:
        """Run until so many lines were printed, then kill -9; false if it ended before."""
        before = Snapshot.of(self.journal)
        with self._start() as process, killed_on_failure(process):
            assert process.stdout is not None
            printed = list(islice(process.stdout, lines))
            time.sleep(self._random.uniform(0, self._longest_wait))
            process.send_signal(signal.SIGKILL)
            printed += process.stdout
        self._check(before, printed)
        return process.returncode == -signal.SIGKILL

    def finish(self, on_line: Callable[[int], None] = lambda count: None) -> Snapshot:
        """Run to the end, and tell how many lines were printed after each of them."""
        before = Snapshot.of(self.journal)
        printed = []
        with self._start() as process, killed_on_failure(process):
            assert process.stdout is not None
            for line in process.stdout:
                printed.append(line)
                on_line(len(printed))
        assert process.returncode == 0, "".join(printed)
        return self._check(before, printed)

    def _start(self) -> subprocess.Popen[str]:
        begun = bool(Snapshot.of(self.journal).plans)
        command = ["resume", str(self.journal)] if begun else ["run", str(self._toml)]
        return subprocess.Popen(
            [*PLYWIRE, "tournament", *command, "--verbose", *self._arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )

    def _check(self, before: Snapshot, printed: list[str]) -> Snapshot:
        """Compare the journal with what it was, and with what was said about games."""
        after = Snapshot.of(self.journal)
        before.lives_on_in(after)
        for line in printed:
            if not line.startswith("Game ") or not line.endswith("\n"):
                continue
            name, _, rest = line.removeprefix("Game ").partition(":")
            number, _, event = name.partition(" ")
            key = (int(number) - 1,)
            assert key not in before.records, "a finished game was played again"
            if event:
                self.resumed += event == "goes on"
                assert key in after.started
            else:
                assert number not in self._announced, "a game ended twice"
                self._announced[number] = rest
                assert key in after.records, "an announced result was lost"
        return after


def check_tournament(held: Snapshot, *, tells_moves: bool = True) -> list[GameRecord]:
    """Assert that a finished tournament has each game of its plan once, played by the rules.

    Workers elsewhere do not tell each move, but the record of the game when it is over.
    """
    (text,) = held.plans
    plan = Plan.model_validate_json(text)
    records = [GameRecord.model_validate_json(text) for _, text in sorted(held.records.items())]
    scheduled = plan.games(plan.schedule({record.number: record for record in records}))
    assert [record.number for record in records] == [game.number for game in scheduled]
    assert len(held.schedule) == len(scheduled)
    for game, record in zip(scheduled, records, strict=True):
        assert record.players == game.players
        assert (record.game, record.size, record.fen) == (game.game, game.size, game.fen)
        assert record.moves[: record.opening] == game.opening
        assert record.termination is Termination.NORMAL, record
        assert game.fen == load(game.game, game.size).start().fen()
        assert record.winner == replay(record.game, record.moves)
        made = tuple(row[2:] for key, row in sorted(held.moves.items()) if key[0] == record.number)
        timed_moves = tuple(zip(record.moves[record.opening :], record.times, strict=True))
        assert made == (timed_moves if tells_moves else ())
    form = plan.config.format
    check_course(form.system, records, list(plan.config.players), form.games)
    return records


def main(folder: Path, system: str = "round-robin", kills: int = 10) -> None:
    """The full tournament, with kills spread over its length."""
    examples = Path(__file__).parents[4] / "examples"
    seed = 7
    killer = Killer(
        folder,
        SIX_PLAYERS.format(python=sys.executable, examples=examples, format=FORMATS[system]),
        seed=seed,
        longest_wait=0.5,
    )
    source = random.Random(seed)
    for kill in range(kills):
        assert killer.kill_after(source.randrange(20, 80))
        held = Snapshot.of(killer.journal)
        left = len(held.started) - len(held.records)
        print(f"kill {kill + 1}: {len(held.records)} finished, {left} in progress", flush=True)
    records = check_tournament(killer.finish())
    print(
        f"{system}: {len(records)} games, {killer.resumed} of them resumed:"
        " none lost, doubled, altered or illegal"
    )


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:3])

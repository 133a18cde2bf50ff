"""Kills each part of a tournament on a Dask cluster, and looks whether its journal lost anything.

    python -m tests.server.arena.runners.killing_cluster FOLDER tiny|othello

plays it in one process, on a scheduler with two workers, and on those again with one worker, then
the client, then the scheduler killed with SIGKILL; it prints games an hour of each.
"""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path

from tests.server.arena.runners.killing import Killer, Snapshot, check_tournament

TOURNAMENTS = {
    "tiny": """
name = "Tiny games"
seed = 1
concurrency = 2
accuracy = false
[format]
system = "round-robin"
games = 2000
[time]
depth = 1
[[games]]
game = "tictactoe"
openings = "random"
[players]
Greed = "greedy"
Chance = "random"
""",
    "othello": """
name = "Othello"
seed = 1
concurrency = 2
accuracy = false
[format]
system = "round-robin"
games = 200
[time]
movetime = 50
margin = 10_000  # ms: a machine may be busy with other things
[[games]]
game = "othello"
openings = "random"
[players]
First = "engine"
Second = "engine"
""",
}


class Cluster:
    """A scheduler and two workers, each a process of its own, on this machine."""

    def __init__(self, stack: ExitStack) -> None:
        """Start them; the stack ends them."""
        self._stack = stack
        with socket.create_server(("127.0.0.1", 0)) as free:
            self._port: int = free.getsockname()[1]
        self.address = f"tcp://127.0.0.1:{self._port}"
        self._scheduler = self._start_scheduler()
        self._workers = [self._start_worker() for _ in range(2)]

    def kill_worker(self) -> None:
        """Kill one, and start another in its place."""
        self._workers[0].kill()
        self._workers[0] = self._start_worker()

    def kill_scheduler(self) -> None:
        """Kill it, which ends the workers too, and start all again as a service manager would."""
        for process in (self._scheduler, *self._workers):
            process.kill()
            process.wait()
        self._scheduler = self._start_scheduler()
        self._workers = [self._start_worker() for _ in range(2)]

    def _start_scheduler(self) -> subprocess.Popen[bytes]:
        return self._start("scheduler", "--port", str(self._port), "--no-dashboard")

    def _start_worker(self) -> subprocess.Popen[bytes]:
        return self._start(
            "worker", self.address, "--nthreads", "1", "--no-nanny", "--no-dashboard"
        )

    def _start(self, part: str, *arguments: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                f"distributed.cli.dask_{part}",
                "--host",
                "127.0.0.1",
                *arguments,
            ],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self._stack.callback(process.wait)
        self._stack.callback(process.kill)
        return process


@contextmanager
def timed(name: str, games: Callable[[], int]) -> Iterator[None]:
    """Print how many games an hour there were."""
    begun = time.perf_counter()
    yield
    seconds = time.perf_counter() - begun
    print(f"{name}: {games()} games in {seconds:.1f} s, {games() / seconds * 3600:,.0f} an hour")


def play(folder: Path, toml: str, name: str, arguments: Sequence[str] = ()) -> None:
    """Play it undisturbed."""
    folder.mkdir(parents=True)
    killer = Killer(folder, toml, seed=7, arguments=arguments)
    with timed(name, lambda: len(Snapshot.of(killer.journal).records)):
        check_tournament(killer.finish(), tells_moves=not arguments)


def main(folder: Path, tournament: str) -> None:
    """All three of them."""
    toml = TOURNAMENTS[tournament]
    play(folder / "process", toml, "one process")
    with ExitStack() as stack:
        cluster = Cluster(stack)
        arguments = ("--cluster", cluster.address)
        play(folder / "cluster", toml, "two workers", arguments)
        (folder / "killed").mkdir()
        killer = Killer(folder / "killed", toml, seed=7, arguments=arguments)
        games = 2000 if tournament == "tiny" else 200
        with timed("two workers, killed", lambda: games):
            killed = killer.kill_after(games // 2)  # two lines a game: the client, after a quarter
            assert killed

            def kill(lines: int) -> None:
                if lines == games // 2:
                    cluster.kill_worker()
                elif lines == games:
                    cluster.kill_scheduler()

            records = check_tournament(killer.finish(kill), tells_moves=False)
    print(f"{len(records)} games: none lost, doubled, altered or illegal")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])

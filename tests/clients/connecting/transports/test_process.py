"""What a program started is ended with it, and both with whoever started the program."""

import asyncio
import os
import select
import shlex
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from pathlib import Path

import pytest

from plywire.clients.connecting.transports.process import ProcessTransport
from tests.support.peers import PLYWIRE

FAKE = str(Path(__file__).parents[3] / "support" / "fake_programs" / "fake_engine.py")

TOURNAMENT = """
name = "Orphans"
accuracy = false
[format]
system = "round-robin"
games = 2
[time]
movetime = 60000
[[games]]
game = "connect4"
openings = "start"
[players]
Leaver = '{spec}'
Other = "random"
"""


class Processes:
    """Three generations of a program that leaves children behind, told through a named pipe."""

    def __init__(self, folder: Path) -> None:
        self.pipe = folder / "pipe"
        os.mkfifo(self.pipe)
        self.command = [sys.executable, "-S", FAKE, "ugi", "leaves-children", str(self.pipe)]
        self._stack = ExitStack()
        self._descriptors: list[int] = []

    def meet(self) -> None:
        """Wait until all of them are there."""
        pids = list(map(int, self.pipe.read_text().split()))
        assert len(pids) == 3
        for pid in pids:
            self._descriptors.append(descriptor := os.pidfd_open(pid))
            self._stack.callback(os.close, descriptor)
            self._stack.callback(_kill, descriptor)

    def all_end(self) -> bool:
        """Whether all of them end soon."""
        living = set(self._descriptors)
        while living:
            ended, _, _ = select.select(living, [], [], 10)
            if not ended:
                return False
            living.difference_update(ended)
        return True

    def kill_the_first(self) -> None:
        _kill(self._descriptors[0])

    def close(self) -> None:
        self._stack.close()


@pytest.fixture
def processes(tmp_path: Path) -> Iterator[Processes]:
    processes = Processes(tmp_path)
    yield processes
    processes.close()


async def test_closing_ends_all_generations(processes: Processes) -> None:
    program = await ProcessTransport.start(processes.command)
    await asyncio.to_thread(processes.meet)
    await program.close()
    assert await asyncio.to_thread(processes.all_end)


async def test_who_is_cancelled_while_closing_leaves_no_process_behind() -> None:
    transport = await ProcessTransport.start(["cat"])
    closing = asyncio.create_task(transport.close())
    await asyncio.sleep(0)
    assert closing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await closing
    assert transport._pipes.get_extra_info("subprocess").returncode is not None


async def test_a_crash_ends_all_generations(processes: Processes) -> None:
    program = await ProcessTransport.start(processes.command)
    await asyncio.to_thread(processes.meet)
    processes.kill_the_first()
    assert await program.read() == b""
    assert await program.exit_reason() == "was killed by signal 9"
    assert await asyncio.to_thread(processes.all_end)
    await program.close()


@pytest.mark.parametrize("how", [signal.SIGKILL, signal.SIGTERM])
@pytest.mark.parametrize(
    "command", [["match"], ["tournament"], ["tournament", "--processes", "1"]], ids=" ".join
)
def test_they_end_with_the_command_that_started_the_program(
    command: list[str], how: signal.Signals, processes: Processes, tmp_path: Path
) -> None:
    spec = f"ugi:{shlex.join(processes.command)}"
    arguments = ["match", spec, "random", "--movetime", "60000"]
    if command[0] == "tournament":
        file = tmp_path / "t.toml"
        file.write_text(TOURNAMENT.format(spec=spec))
        arguments = ["tournament", "run", str(file), *command[1:]]
    with subprocess.Popen([*PLYWIRE, *arguments], stdout=subprocess.DEVNULL) as running:
        try:
            processes.meet()
            running.send_signal(how)
            assert running.wait(30) == -how
        finally:
            running.kill()
    assert processes.all_end()


def _kill(descriptor: int) -> None:
    with suppress(ProcessLookupError):
        signal.pidfd_send_signal(descriptor, signal.SIGKILL)

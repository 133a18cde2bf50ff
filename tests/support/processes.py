"""Processes that tests start."""

from __future__ import annotations

import asyncio
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress


def stop_for(process: asyncio.subprocess.Process, seconds: float) -> None:
    """Stop a process now, with all its threads, and have it go on after that long."""
    process.send_signal(signal.SIGSTOP)
    asyncio.get_running_loop().call_later(seconds, process.send_signal, signal.SIGCONT)


@contextmanager
def killed_on_failure(
    process: asyncio.subprocess.Process | subprocess.Popen[str],
) -> Iterator[None]:
    """Kill a process if the block fails, so that nobody waits for it."""
    try:
        yield
    except BaseException:
        with suppress(ProcessLookupError):
            process.kill()
        raise

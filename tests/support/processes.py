"""Processes that tests start."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager, suppress


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

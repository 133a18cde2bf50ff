"""Waiting for what other tasks, threads and processes bring about."""

import asyncio
from collections.abc import Callable

#: Turns of the event loop after which it is left idle between them: others need the processor.
_TURNS = 200


async def until(condition: Callable[[], object]) -> None:
    """Let others run until the condition holds."""
    turns = 0
    async with asyncio.timeout(60):
        while not condition():
            turns += 1
            await asyncio.sleep(0 if turns < _TURNS else 0.005)

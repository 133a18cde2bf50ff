"""Waiting for what other tasks and threads bring about."""

import asyncio
from collections.abc import Callable


async def until(condition: Callable[[], object]) -> None:
    """Let others run until the condition holds."""
    async with asyncio.timeout(60):
        while not condition():  # noqa: ASYNC110 - nobody signals what tests want to see
            await asyncio.sleep(0)

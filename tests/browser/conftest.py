"""One browser and one server for all that need no other."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest_asyncio
from playwright.async_api import Browser

from plywire.server.serve import Server
from tests.support.browser import launch
from tests.support.peers import settings


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def browser() -> AsyncIterator[Browser]:
    async with launch() as browser:
        yield browser


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def server() -> AsyncIterator[Server]:
    async with Server(settings(max_think_time=1, threads=1)) as server:
        yield server

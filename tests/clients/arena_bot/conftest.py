"""An arena, and its accounts."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from plywire.server.arena.store.accounts import Accounts, accounts_of
from plywire.server.serve import Server
from plywire.server.settings import Settings


@pytest.fixture
async def arena(tmp_path: Path) -> AsyncIterator[Server]:
    settings = Settings(port=0, websocket_port=0, warmup=False, arena=tmp_path)
    async with Server(settings) as server:
        yield server


@pytest.fixture
def accounts(tmp_path: Path) -> Accounts:
    return accounts_of(tmp_path)

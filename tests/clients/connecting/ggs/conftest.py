"""A server of GGS, and bots for it."""

from __future__ import annotations

from collections.abc import AsyncIterator
from functools import partial

import pytest

from tests.support.ggs_bots import Make, make_bot
from tests.support.ggs_server import FakeGgs


@pytest.fixture
async def ggs() -> AsyncIterator[FakeGgs]:
    """A server that is written from the documents of GGS."""
    async with FakeGgs() as server:
        yield server


@pytest.fixture
def make(ggs: FakeGgs) -> Make:
    """Makes bots for it."""
    return partial(make_bot, port=ggs.port)

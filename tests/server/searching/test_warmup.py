"""Readying games in the background."""

import gc
from collections.abc import Iterator

import pytest

from plywire.engine.registry import load
from plywire.server.searching.warmup import Warmer


@pytest.fixture
def nothing_frozen() -> Iterator[None]:
    gc.unfreeze()
    yield
    gc.unfreeze()


# It collects what earlier tests have left as well, such as sockets that threads let go of late.
@pytest.mark.filterwarnings("ignore:unclosed:ResourceWarning")
@pytest.mark.usefixtures("nothing_frozen")
async def test_what_a_game_loads_is_out_of_the_way_of_garbage_collections() -> None:
    await Warmer().request(load("tictactoe"))
    assert gc.get_freeze_count() > 10_000
    assert len(gc.get_objects()) < gc.get_freeze_count() / 10
